package index_test

import (
	"context"
	"path/filepath"
	"testing"

	"github.com/google/go-cmp/cmp"

	"codeintel/index"
)

// TestApply gives a workspace unsaved texts, one after another, and compares the
// changes and the files after each.
func TestApply(t *testing.T) {
	root := newRoot(t)
	write(t, root, "a.go", "disk")
	write(t, root, ".gitignore", "*.tmp\nout/\n")
	write(t, root, ".rooignore", "secret/\n")
	outside := filepath.Join(filepath.Dir(root), "outside.go")
	w := open(t, root)
	text := func(p, s string) index.Change { return index.Change{Path: p, Text: []byte(s)} }
	for _, c := range []struct {
		name  string
		apply []index.Change
		want  []string
		files []string
	}{
		{"an open file", []index.Change{text("a.go", "unsaved")}, []string{"~a.go"}, []string{".gitignore", "a.go"}},
		{"the same again", []index.Change{text(filepath.Join(root, "a.go"), "unsaved")}, nil, []string{".gitignore", "a.go"}},
		{"typing", []index.Change{text("./a.go", "unsaved!")}, []string{"~a.go"}, []string{".gitignore", "a.go"}},
		{"a new file", []index.Change{text("new/b.go", "b")}, []string{"+new/b.go"}, []string{".gitignore", "a.go", "new/b.go"}},
		{"an empty one", []index.Change{text("c.go", "")}, []string{"+c.go"}, []string{".gitignore", "a.go", "c.go", "new/b.go"}},
		{"ignored and foreign ones", []index.Change{text("x.tmp", "x"), text("out/y.go", "y"), text(outside, "o"), text("secret/s.go", "s"), text("node_modules/n.js", "n")},
			[]string{"+" + outside, "+node_modules/n.js", "+out/y.go", "+secret/s.go", "+x.tmp"}, []string{".gitignore", "a.go", "c.go", "new/b.go"}},
		{"closed", []index.Change{{Path: "a.go", Closed: true}, {Path: "new/b.go", Closed: true}, {Path: "never.go", Closed: true}},
			[]string{"~a.go", "-new/b.go"}, []string{".gitignore", "a.go", "c.go"}},
		{"a hint", []index.Change{{Path: "a.go"}}, nil, []string{".gitignore", "a.go", "c.go"}},
	} {
		t.Run(c.name, func(t *testing.T) {
			old := w.Snapshot()
			defer old.Release()
			w.Apply(c.apply...)
			check(t, w.Refresh(context.Background()))
			now := w.Snapshot()
			defer now.Release()
			if diff := cmp.Diff(c.want, changes(now.Diff(old))); diff != "" {
				t.Errorf("changes (-want +got):\n%s", diff)
			}
			if diff := cmp.Diff(c.files, paths(now)); diff != "" {
				t.Errorf("files (-want +got):\n%s", diff)
			}
		})
	}
	s := w.Snapshot()
	defer s.Release()
	for p, want := range map[string]string{"a.go": "disk", "c.go": "", "x.tmp": "x", "out/y.go": "y", outside: "o"} {
		if doc, err := s.Document(p); err != nil || string(doc.Text()) != want {
			t.Errorf("Document(%s): error %v, want the text %q", p, err, want)
		}
	}
	if _, err := s.Document("secret/s.go"); !isError(err, index.ErrBlocked) {
		t.Errorf("unsaved text of a blocked file: error %v", err)
	}
	if _, ok := s.Overlays()["secret/s.go"]; ok || len(s.Overlays()) != 5 {
		t.Errorf("%d overlays, want 5 and no blocked one", len(s.Overlays()))
	}
}

// TestOverlayHidesTheDisk edits and deletes a file below an unsaved text.
func TestOverlayHidesTheDisk(t *testing.T) {
	root := newRoot(t)
	write(t, root, "a.go", "disk")
	w := open(t, root)
	w.Apply(index.Change{Path: "a.go", Text: []byte("unsaved")})
	old := w.Snapshot()
	defer old.Release()
	write(t, root, "a.go", "other")
	check(t, w.Refresh(context.Background()))
	now := w.Snapshot()
	defer now.Release()
	if got := changes(now.Diff(old)); got != nil {
		t.Errorf("changes %q, want none: the unsaved text is the same", got)
	}
	w.Apply(index.Change{Path: "a.go", Closed: true})
	closed := w.Snapshot()
	defer closed.Release()
	if doc, err := closed.Document("a.go"); err != nil || string(doc.Text()) != "other" {
		t.Errorf("after closing: %v, want the text on disk", err)
	}
	if diff := cmp.Diff([]string{"~a.go"}, changes(closed.Diff(old))); diff != "" {
		t.Errorf("changes (-want +got):\n%s", diff)
	}
}

// TestRulesForUnsavedFiles changes the rules under an unsaved new file.
func TestRulesForUnsavedFiles(t *testing.T) {
	root := newRoot(t)
	write(t, root, "sub/a.go", "")
	w := open(t, root)
	w.Apply(index.Change{Path: "sub/new.go", Text: []byte("n")})
	for _, c := range []struct {
		rules string
		want  []string
	}{
		{"new.go\n", []string{"sub/.gitignore", "sub/a.go"}},
		{"other\n", []string{"sub/.gitignore", "sub/a.go", "sub/new.go"}},
	} {
		write(t, root, "sub/.gitignore", c.rules)
		check(t, w.Refresh(context.Background()))
		if diff := cmp.Diff(c.want, listed(w)); diff != "" {
			t.Errorf("files under %q (-want +got):\n%s", c.rules, diff)
		}
	}
}

// TestRulesAboveForUnsavedFiles has a root that is a part of a repository, with a
// rule that is anchored at the repository's top.
func TestRulesAboveForUnsavedFiles(t *testing.T) {
	top := newRoot(t)
	write(t, top, ".git/HEAD", "")
	write(t, top, ".gitignore", "/pkg/gen.go\n/new.go\n")
	write(t, top, "pkg/a.go", "")
	w := open(t, filepath.Join(top, "pkg"))
	w.Apply(index.Change{Path: "gen.go", Text: []byte("g")}, index.Change{Path: "new.go", Text: []byte("n")})
	if diff := cmp.Diff([]string{"a.go", "new.go"}, listed(w)); diff != "" {
		t.Errorf("files (-want +got):\n%s", diff)
	}
}
