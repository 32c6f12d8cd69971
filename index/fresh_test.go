package index_test

import (
	"context"
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"

	"codeintel/index"
)

// TestRefresh makes one change to a tree and compares what the next snapshot says
// is different, and what it lists, with what is wanted.
func TestRefresh(t *testing.T) {
	for _, c := range []struct {
		name   string
		change func(t *testing.T, root string)
		want   []string // "+" created, "-" removed, "~" changed
	}{
		{"nothing", func(*testing.T, string) {}, nil},
		{"create", func(t *testing.T, root string) { write(t, root, "new.go", "package new\n") }, []string{"+new.go"}},
		{"edit", func(t *testing.T, root string) { write(t, root, "a.go", "package other\n") }, []string{"~a.go"}},
		{"empty", func(t *testing.T, root string) { write(t, root, "a.go", "") }, []string{"~a.go"}},
		{"same size, time put back", func(t *testing.T, root string) {
			name := filepath.Join(root, "a.go")
			before, err := os.Stat(name)
			check(t, err)
			write(t, root, "a.go", "package b\n")
			check(t, os.Chtimes(name, before.ModTime(), before.ModTime()))
		}, []string{"~a.go"}},
		{"replaced by a rename, time put back", func(t *testing.T, root string) {
			before, err := os.Stat(filepath.Join(root, "a.go"))
			check(t, err)
			write(t, root, "tmp", "package b\n")
			check(t, os.Chtimes(filepath.Join(root, "tmp"), before.ModTime(), before.ModTime()))
			check(t, os.Rename(filepath.Join(root, "tmp"), filepath.Join(root, "a.go")))
		}, []string{"~a.go"}},
		{"delete", func(t *testing.T, root string) { check(t, os.Remove(filepath.Join(root, "a.go"))) }, []string{"-a.go"}},
		{"rename", func(t *testing.T, root string) {
			check(t, os.Rename(filepath.Join(root, "a.go"), filepath.Join(root, "z.go")))
		}, []string{"-a.go", "+z.go"}},
		{"new folders", func(t *testing.T, root string) { write(t, root, "x/y/z/deep.go", "") }, []string{"+x/y/z/deep.go"}},
		{"rename a folder", func(t *testing.T, root string) {
			check(t, os.Rename(filepath.Join(root, "sub"), filepath.Join(root, "bus")))
		}, []string{"+bus/b.go", "+bus/c.log", "-sub/b.go", "-sub/c.log"}},
		{"delete a folder", func(t *testing.T, root string) { check(t, os.RemoveAll(filepath.Join(root, "sub"))) }, []string{"-sub/b.go", "-sub/c.log"}},
		{"file becomes folder", func(t *testing.T, root string) {
			check(t, os.Remove(filepath.Join(root, "a.go")))
			write(t, root, "a.go/a.go", "")
		}, []string{"-a.go", "+a.go/a.go"}},
		{"ignored file", func(t *testing.T, root string) { write(t, root, "b.tmp", "") }, nil},
		{"node_modules", func(t *testing.T, root string) { write(t, root, "node_modules/x/index.js", "") }, nil},
		{"rule added", func(t *testing.T, root string) { write(t, root, ".gitignore", "*.tmp\n*.log\n") }, []string{"~.gitignore", "-sub/c.log"}},
		{"rule removed", func(t *testing.T, root string) { write(t, root, ".gitignore", "") }, []string{"~.gitignore", "+a.tmp"}},
		{"rule file added below", func(t *testing.T, root string) { write(t, root, "sub/.ignore", "b.go\n") }, []string{"+sub/.ignore", "-sub/b.go"}},
		{"exclude file", func(t *testing.T, root string) { write(t, root, ".git/info/exclude", "a.go\n") }, []string{"-a.go"}},
		{"user's excludes", func(t *testing.T, root string) {
			write(t, filepath.Dir(root), "home/.config/git/ignore", "a.go\n")
		}, []string{"-a.go"}},
		{"access file added", func(t *testing.T, root string) { write(t, root, ".clineignore", "sub\n") }, []string{"-sub/b.go", "-sub/c.log"}},
		{"access file removed", func(t *testing.T, root string) {
			check(t, os.Remove(filepath.Join(root, ".rooignore")))
		}, []string{"+secret.txt"}},
		{"access include changed", func(t *testing.T, root string) {
			write(t, root, "rules", "a.go\n")
			write(t, root, ".clineignore", "!include rules\n")
		}, []string{"-a.go", "+rules"}},
		{"link retargeted", func(t *testing.T, root string) {
			check(t, os.Remove(filepath.Join(root, "link.go")))
			link(t, root, "link.go", "sub/b.go")
		}, []string{"~link.go"}},
		{"target of a link edited", func(t *testing.T, root string) { write(t, root, "target.go", "package edited\n") }, []string{"~link.go", "~target.go"}},
		{"link turned outside", func(t *testing.T, root string) {
			check(t, os.Remove(filepath.Join(root, "link.go")))
			link(t, root, "link.go", "/etc/hostname")
		}, []string{"-link.go"}},
	} {
		t.Run(c.name, func(t *testing.T) {
			root := newRoot(t)
			for name, text := range map[string]string{
				"a.go": "package a\n", "sub/b.go": "package b\n", "sub/c.log": "c", "target.go": "package target\n",
				"a.tmp": "", "secret.txt": "s", ".gitignore": "*.tmp\n", ".rooignore": "secret.txt\n", ".git/HEAD": "",
			} {
				write(t, root, name, text)
			}
			link(t, root, "link.go", "target.go")
			w := open(t, root)
			settle(t, w)
			old := w.Snapshot()
			defer old.Release()
			readAll(t, old)
			c.change(t, root)
			check(t, w.Refresh(context.Background()))
			now := w.Snapshot()
			defer now.Release()
			if diff := cmp.Diff(c.want, changes(now.Diff(old))); diff != "" {
				t.Errorf("changes (-want +got):\n%s", diff)
			}
			if changed := now.Generation() != old.Generation(); changed != (c.want != nil) {
				t.Errorf("new generation: %v, changes: %v", changed, c.want)
			}
			sameAsFresh(t, root, now)
		})
	}
}

// settle waits until the clock of the file system is so far past the last change
// of the tree that stamps alone tell the next one, and refreshes.
func settle(t testing.TB, w *index.Workspace) {
	t.Helper()
	probe := filepath.Join(t.TempDir(), "clock")
	start := time.Time{}
	for now := start; now.Sub(start) < 30*time.Millisecond; {
		check(t, os.WriteFile(probe, nil, 0o644))
		check(t, os.Truncate(probe, 0))
		info, err := os.Stat(probe)
		check(t, err)
		if now = info.ModTime(); start.IsZero() {
			start = now
		}
	}
	check(t, w.Refresh(context.Background()))
}

// changes writes changes as the tests do.
func changes(cs []index.Change) []string {
	var out []string
	for _, c := range cs {
		switch {
		case c.Created:
			out = append(out, "+"+c.Path)
		case c.Removed:
			out = append(out, "-"+c.Path)
		default:
			out = append(out, "~"+c.Path)
		}
	}
	slices.SortFunc(out, func(a, b string) int {
		if a[1:] < b[1:] {
			return -1
		}
		return 1
	})
	return out
}

// readAll reads every document of a snapshot and returns the texts by path.
func readAll(t testing.TB, s *index.Snapshot) map[string]string {
	t.Helper()
	out := map[string]string{}
	for _, f := range s.Files() {
		doc, err := s.Document(f.Path)
		check(t, err)
		out[f.Path] = string(doc.Text())
	}
	return out
}

// sameAsFresh compares a snapshot with that of a workspace just opened.
func sameAsFresh(t *testing.T, root string, s *index.Snapshot) {
	t.Helper()
	fresh := open(t, root).Snapshot()
	defer fresh.Release()
	if diff := cmp.Diff(readAll(t, fresh), readAll(t, s)); diff != "" {
		t.Errorf("texts (-fresh +refreshed):\n%s", diff)
	}
	if diff := cmp.Diff(fresh.Files(), s.Files()); diff != "" {
		t.Errorf("files (-fresh +refreshed):\n%s", diff)
	}
}

// TestEditsWithinATick edits a file again and again without changing its size:
// more often than the file system's clock ticks, and always seen.
func TestEditsWithinATick(t *testing.T) {
	root := newRoot(t)
	write(t, root, "a.go", "000")
	w := open(t, root)
	for i := range 200 {
		text := fmt.Sprintf("%03d", i)
		check(t, os.WriteFile(filepath.Join(root, "a.go"), []byte(text), 0o644))
		check(t, w.Refresh(context.Background()))
		s := w.Snapshot()
		doc, err := s.Document("a.go")
		check(t, err)
		if string(doc.Text()) != text {
			t.Fatalf("edit %d: text %q", i, doc.Text())
		}
		s.Release()
	}
}

// TestOldSnapshotStays reads a file, changes it, and reads it again from the old
// snapshot and from the new one.
func TestOldSnapshotStays(t *testing.T) {
	root := newRoot(t)
	write(t, root, "a.go", "old")
	write(t, root, "gone.go", "gone")
	w := open(t, root)
	old := w.Snapshot()
	defer old.Release()
	readAll(t, old)
	write(t, root, "a.go", "new")
	check(t, os.Remove(filepath.Join(root, "gone.go")))
	check(t, w.Refresh(context.Background()))
	now := w.Snapshot()
	defer now.Release()
	if diff := cmp.Diff(map[string]string{"a.go": "old", "gone.go": "gone"}, readAll(t, old)); diff != "" {
		t.Errorf("old snapshot (-want +got):\n%s", diff)
	}
	if diff := cmp.Diff(map[string]string{"a.go": "new"}, readAll(t, now)); diff != "" {
		t.Errorf("new snapshot (-want +got):\n%s", diff)
	}
}

// TestEqualTextsShare touches a file: its text is the same, so must be the
// document and the outline, which cost time to make.
func TestEqualTextsShare(t *testing.T) {
	root := newRoot(t)
	write(t, root, "a.go", "package a\n")
	w := open(t, root)
	old := w.Snapshot()
	defer old.Release()
	doc, err := old.Document("a.go")
	check(t, err)
	outline, err := old.Outline("a.go")
	check(t, err)
	later := time.Date(2030, 1, 1, 0, 0, 0, 0, time.UTC)
	check(t, os.Chtimes(filepath.Join(root, "a.go"), later, later))
	check(t, w.Refresh(context.Background()))
	now := w.Snapshot()
	defer now.Release()
	if got, err := now.Document("a.go"); err != nil || got != doc {
		t.Errorf("another document after a touch (error %v)", err)
	}
	if got, err := now.Outline("a.go"); err != nil || got != outline {
		t.Errorf("another outline after a touch (error %v)", err)
	}
}

// TestOtherFilesAreFresh reads files that are not the workspace's: an ignored one,
// one in node_modules, one outside. A refresh must see their changes too.
func TestOtherFilesAreFresh(t *testing.T) {
	root := newRoot(t)
	outside := filepath.Join(filepath.Dir(root), "outside.go")
	write(t, root, ".gitignore", "*.gen\n")
	write(t, root, "a.gen", "old")
	write(t, root, "node_modules/x/index.js", "old")
	write(t, root, "node_modules/x/same.js", "same")
	write(t, filepath.Dir(root), "outside.go", "old")
	w := open(t, root)
	old := w.Snapshot()
	defer old.Release()
	for _, p := range []string{"a.gen", "node_modules/x/index.js", "node_modules/x/same.js", outside} {
		_, err := old.Document(p)
		check(t, err)
	}
	check(t, w.Refresh(context.Background()))
	if s := w.Snapshot(); s.Generation() != old.Generation() {
		t.Error("a new generation without a change")
	} else {
		s.Release()
	}
	write(t, root, "a.gen", "new")
	check(t, os.Remove(filepath.Join(root, "node_modules/x/index.js")))
	write(t, filepath.Dir(root), "outside.go", "new")
	check(t, w.Refresh(context.Background()))
	now := w.Snapshot()
	defer now.Release()
	want := []string{"~" + outside, "~a.gen", "-node_modules/x/index.js"}
	if diff := cmp.Diff(want, changes(now.Diff(old))); diff != "" {
		t.Errorf("changes (-want +got):\n%s", diff)
	}
	for _, p := range []string{"a.gen", outside} {
		if doc, err := now.Document(p); err != nil || string(doc.Text()) != "new" {
			t.Errorf("%s: error %v, or an old text", p, err)
		}
	}
	if _, err := now.Document("node_modules/x/index.js"); !isError(err, index.ErrNotFound) {
		t.Errorf("deleted file: error %v", err)
	}
}
