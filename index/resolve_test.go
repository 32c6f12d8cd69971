package index_test

import (
	"errors"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"codeintel/index"
)

// TestResolve has the ways in which people and models name files. Paths in the
// table are relative to the folder that holds the root, "root".
func TestResolve(t *testing.T) {
	root := newRoot(t)
	base := filepath.Dir(root)
	write(t, root, "a.go", "")
	write(t, root, "sub/b.go", "")
	write(t, base, "out/o.go", "")
	link(t, root, "sub/up.go", "../a.go")
	link(t, root, "dir", "sub")
	link(t, root, "leads_out.go", filepath.Join(base, "out/o.go"))
	link(t, root, "dir_out", "../out")
	link(t, root, "nothing_out.go", filepath.Join(base, "out/missing.go"))
	link(t, base, "alias", "root")
	link(t, base, "out/back.go", "../root/a.go")
	w := open(t, filepath.Join(base, "alias"))
	s := w.Snapshot()
	defer s.Release()
	if s.Root() != root {
		t.Fatalf("root %s, want the real path %s", s.Root(), root)
	}
	for _, c := range []struct {
		cwd, input string
		want       string // root-relative, or starting with "^" relative to base
	}{
		{"root", "a.go", "a.go"},
		{"root", "./sub/../a.go", "a.go"},
		{"root", "sub//b.go", "sub/b.go"},
		{"root/sub", "b.go", "sub/b.go"},
		{"root/sub", "../a.go", "a.go"},
		{"root/sub", ".", "sub"},
		{"root", ".", "."},
		{"root/sub", "..", "."},
		{"alias", "a.go", "a.go"},
		{"alias/sub", "b.go", "sub/b.go"},
		{"alias", "^alias/sub/b.go", "sub/b.go"},
		{"out", "^root/a.go", "a.go"},
		{"out", "../root/a.go", "a.go"},
		{"out", "back.go", "a.go"},
		{"root", "no/such/file.go", "no/such/file.go"},
		{"alias", "no/such/file.go", "no/such/file.go"},
		{"out", "^alias/no/such.go", "no/such.go"},
		// A file behind a link is listed by its own name, which is preferred.
		{"root", "sub/up.go", "a.go"},
		{"root", "dir/b.go", "sub/b.go"},
		{"root", "dir/new.go", "dir/new.go"},
		// Outside.
		{"root", "../out/o.go", "^out/o.go"},
		{"root", "^out/o.go", "^out/o.go"},
		{"root", "^out/missing.go", "^out/missing.go"},
		{"root", "..", "^"},
		{"root", "leads_out.go", "^out/o.go"},
		{"root", "nothing_out.go", "^out/missing.go"},
		{"root", "dir_out/o.go", "^out/o.go"},
		{"root", "dir_out/missing.go", "^out/missing.go"},
	} {
		place := func(p string) string {
			if rest, ok := strings.CutPrefix(p, "^"); ok {
				return filepath.Join(base, rest)
			}
			return p
		}
		got, err := s.Resolve(filepath.Join(base, c.cwd), place(c.input))
		if err != nil || got != place(c.want) {
			t.Errorf("Resolve(%s, %s) = %q, %v; want %q", c.cwd, c.input, got, err, place(c.want))
		}
	}
	for _, bad := range []string{"", "a\x00b"} {
		if got, err := s.Resolve(root, bad); err == nil {
			t.Errorf("Resolve(%q) = %q, want an error", bad, got)
		}
	}
}

// TestOutsideDocuments asks for documents by paths that leave the root.
func TestOutsideDocuments(t *testing.T) {
	root := newRoot(t)
	base := filepath.Dir(root)
	write(t, root, "a.go", "inside")
	write(t, base, "out/o.go", "outside")
	link(t, root, "leads_out.go", filepath.Join(base, "out/o.go"))
	link(t, root, "dir_out", "../out")
	w := open(t, root)
	s := w.Snapshot()
	defer s.Release()
	for _, p := range []string{"../out/o.go", "leads_out.go", "dir_out/o.go", filepath.Join(root, "leads_out.go"), "sub/../../out/o.go"} {
		var outside *index.OutsideError
		if _, err := s.Document(p); !errors.As(err, &outside) || !errors.Is(err, index.ErrOutside) {
			t.Errorf("Document(%s): error %v, want an OutsideError", p, err)
		} else if outside.Real != filepath.Join(base, "out/o.go") {
			t.Errorf("Document(%s): leads to %s", p, outside.Real)
		}
	}
	for p, want := range map[string]string{filepath.Join(base, "out/o.go"): "outside", filepath.Join(root, "a.go"): "inside", "../root/a.go": "inside"} {
		if doc, err := s.Document(p); err != nil || string(doc.Text()) != want {
			t.Errorf("Document(%s): error %v, want %q", p, err, want)
		}
		if !s.Exists(p) {
			t.Errorf("%s does not exist", p)
		}
	}
	if s.Exists("leads_out.go") || s.Exists("../out/o.go") {
		t.Error("a relative path that leads out exists")
	}
}

// TestAccess reaches for blocked files in every way there is.
func TestAccess(t *testing.T) {
	root := newRoot(t)
	base := filepath.Dir(root)
	for _, p := range []string{"a.go", "b.key", "secret/a.txt", "secret/deep/b.txt", "sub/c.key", "notes/n.md", ".gitignore"} {
		write(t, root, p, "x")
	}
	write(t, root, ".rooignore", "*.key\nsecret/\n!secret/deep/\n")
	write(t, root, ".clineignore", "notes\n")
	link(t, root, "harmless.txt", "secret/a.txt")
	link(t, root, "folder", "secret")
	link(t, root, "looks.key", "a.go")
	link(t, base, "alias", "root")
	link(t, base, "outside.txt", "root/secret/a.txt")
	blocked := map[string]string{
		"b.key": ".rooignore", "sub/c.key": ".rooignore", "secret": ".rooignore", "secret/": ".rooignore", "secret/a.txt": ".rooignore",
		"secret/deep/b.txt": ".rooignore", "secret/deep": ".rooignore", "secret/missing.txt": ".rooignore", "missing.key": ".rooignore",
		"./secret/../secret/a.txt": ".rooignore", "sub/../b.key": ".rooignore", "../root/b.key": ".rooignore",
		"harmless.txt": ".rooignore", "folder": ".rooignore", "folder/a.txt": ".rooignore", "folder/missing.txt": ".rooignore", "looks.key": ".rooignore",
		".rooignore": ".rooignore", ".clineignore": ".clineignore", "notes": ".clineignore", "notes/n.md": ".clineignore",
		filepath.Join(root, "b.key"): ".rooignore", filepath.Join(base, "alias/secret/a.txt"): ".rooignore", filepath.Join(base, "outside.txt"): ".rooignore",
	}
	for _, opened := range []string{root, filepath.Join(base, "alias")} {
		s := open(t, opened).Snapshot()
		defer s.Release()
		for p, by := range blocked {
			if got, is := s.Blocked(p); !is || got != by {
				t.Errorf("Blocked(%s) = %q, %v; want %s", p, got, is, by)
			}
			var denied *index.AccessError
			if _, err := s.Resolve(opened, p); !errors.As(err, &denied) || denied.By != by {
				t.Errorf("Resolve(%s): error %v, want an AccessError by %s", p, err, by)
			}
			if _, err := s.Document(p); !errors.Is(err, index.ErrBlocked) {
				t.Errorf("Document(%s): error %v, want an AccessError", p, err)
			}
			if s.Has(p) || s.Exists(p) {
				t.Errorf("%s is listed or exists", p)
			}
		}
		for _, p := range []string{"a.go", ".gitignore", "sub", "sub/missing.go", "secretive", "../out.key", "/etc/passwd"} {
			if by, is := s.Blocked(p); is {
				t.Errorf("Blocked(%s) by %s", p, by)
			}
		}
	}
}

// TestDocumentErrors names what has no document.
func TestDocumentErrors(t *testing.T) {
	root := newRoot(t)
	const limit = 20_480_000
	write(t, root, "sub/a.go", "")
	write(t, root, "binary", "\x7fELF\x00\x00")
	write(t, root, "late_nul", strings.Repeat("x", 8<<10)+"\x00")
	write(t, root, "utf16.txt", "\xff\xfea\x00b\x00")
	write(t, root, "utf32.txt", "\xff\xfe\x00\x00a\x00\x00\x00")
	write(t, root, "at_limit", "")
	check(t, os.WriteFile(filepath.Join(root, "at_limit"), []byte(strings.Repeat("a", limit)), 0o644))
	write(t, root, "too_large", "")
	check(t, os.Truncate(filepath.Join(root, "too_large"), limit+1))
	link(t, root, "dangling", "nowhere")
	link(t, root, "circle", "circle")
	s := open(t, root).Snapshot()
	defer s.Release()
	for p, want := range map[string]error{
		"missing": index.ErrNotFound, "sub": index.ErrIsDirectory, ".": index.ErrIsDirectory, "sub/a.go/x": index.ErrNotFound,
		"dangling": index.ErrNotFound, "binary": index.ErrBinary, "utf32.txt": index.ErrBinary, "too_large": index.ErrTooLarge,
		"/dev/null": index.ErrNotRegular, "late_nul": nil, "utf16.txt": nil, "at_limit": nil,
	} {
		_, err := s.Document(p)
		if want == nil && err != nil || want != nil && !errors.Is(err, want) {
			t.Errorf("Document(%s): error %v, want %v", p, err, want)
		}
		if _, outlineErr := s.Outline(p); want != nil && !errors.Is(outlineErr, want) {
			t.Errorf("Outline(%s): error %v, want %v", p, outlineErr, want)
		}
		if err != nil && !strings.HasPrefix(err.Error(), p) {
			t.Errorf("Document(%s): error %q does not start with the path", p, err)
		}
	}
	if _, err := s.Document("circle"); err == nil {
		t.Error("Document of a link to itself: no error")
	}
	for p, want := range map[string]bool{
		"binary": true, "too_large": true, "sub/a.go": true, "sub": false, "missing": false, "dangling": false, "circle": false, "/dev/null": false,
	} {
		if s.Exists(p) != want {
			t.Errorf("Exists(%s) is not %v", p, want)
		}
	}
	if !s.Has("binary") || !s.Has("too_large") {
		t.Error("binary or large files are not listed")
	}
}
