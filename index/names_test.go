package index_test

import (
	"os"
	"path/filepath"
	"slices"
	"syscall"
	"testing"
)

// TestSecondNames looks at a file through links: one document, by the name that
// is listed.
func TestSecondNames(t *testing.T) {
	root := newRoot(t)
	write(t, root, "real/a.go", "package real\n\nvar Name = 1\n")
	link(t, root, "b.go", "real/a.go")
	link(t, root, "dir", "real")
	w := open(t, root)
	before := w.Snapshot()
	defer before.Release()
	for p, want := range map[string]string{
		"real/a.go": "real/a.go", "b.go": "real/a.go", "dir/a.go": "real/a.go", "missing.go": "missing.go",
		filepath.Join(root, "b.go"): "real/a.go", "/etc/hostname": "/etc/hostname",
	} {
		if got := before.Listed(p); got != want {
			t.Errorf("Listed(%s) = %s, want %s", p, got, want)
		}
	}
	if before.Has("b.go") || !before.Exists("b.go") {
		t.Errorf("Has(b.go) %v, Exists(b.go) %v; want false, true", before.Has("b.go"), before.Exists("b.go"))
	}
	if got, err := before.Mentions(t.Context(), "Name"); err != nil || !slices.Equal(got, []string{"real/a.go"}) {
		t.Errorf("mentions %v, %v", got, err)
	}
	if got := before.Links(); !slices.Equal(got, []string{"b.go"}) {
		t.Errorf("links %v", got)
	}
	// What a link leads to goes away behind an ignore rule: the link is listed.
	write(t, root, ".gitignore", "/real\n")
	check(t, w.Refresh(t.Context()))
	now := w.Snapshot()
	defer now.Release()
	if got := paths(now); !slices.Equal(got, []string{".gitignore", "b.go"}) {
		t.Errorf("files %v", got)
	}
	for _, c := range now.Diff(before) {
		if created := c.Path != "real/a.go"; c.Created != created || c.Removed == created {
			t.Errorf("change %+v", c)
		}
	}
}

// TestSpecial lists what is no file, and notices when it goes.
func TestSpecial(t *testing.T) {
	root := newRoot(t)
	write(t, root, "a.go", "package a\n")
	check(t, syscall.Mkfifo(filepath.Join(root, "pipe.go"), 0o600))
	link(t, root, "sub/link.go", "../pipe.go")
	w := open(t, root)
	s := w.Snapshot()
	defer s.Release()
	if got := s.Special(); !slices.Equal(got, []string{"pipe.go", "sub/link.go"}) || s.Has("pipe.go") {
		t.Errorf("special %v", got)
	}
	check(t, os.Remove(filepath.Join(root, "pipe.go")))
	check(t, w.Refresh(t.Context()))
	now := w.Snapshot()
	defer now.Release()
	if got := now.Special(); len(got) > 0 {
		t.Errorf("special %v after it is gone", got)
	}
}
