package index

import (
	"context"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"
)

// TestSweep lets texts go by their age and their size, and reads them again.
func TestSweep(t *testing.T) {
	alone(t)
	root := t.TempDir()
	name := filepath.Join(root, "a.go")
	put(t, name, "package a\n")
	put(t, filepath.Join(root, "b.go"), "package b\n")
	w, err := Open(context.Background(), root, Options{})
	check(t, err)
	defer w.Close()
	s := w.Snapshot()
	defer s.Release()
	a, b := s.listing.find("a.go"), s.listing.find("b.go")
	a.racy.Store(false)
	b.racy.Store(true)
	for _, p := range []string{"a.go", "b.go"} {
		_, err := s.Outline(p)
		check(t, err)
	}
	used := a.used
	s.listing.sweep(used.Add(time.Hour), 1000)
	if a.loaded() == nil {
		t.Error("a text is let go while there are few")
	}
	s.listing.sweep(used, 10)
	if a.loaded() == nil {
		t.Error("a text in use is let go")
	}
	s.listing.sweep(used.Add(time.Hour), 10)
	if a.loaded() != nil {
		t.Error("an old text is kept")
	}
	if b.loaded() == nil {
		t.Error("a text that must be compared is let go")
	}
	if doc, err := s.Document("a.go"); err != nil || string(doc.Text()) != "package a\n" {
		t.Errorf("read again: %v", err)
	}
	s.listing.sweep(time.Now().Add(time.Hour), 0)
	check(t, os.WriteFile(name, []byte("package c\n"), 0o644))
	check(t, w.Refresh(context.Background()))
	now := w.Snapshot()
	defer now.Release()
	if doc, err := now.Document("a.go"); err != nil || string(doc.Text()) != "package c\n" {
		t.Errorf("after an edit: %v", err)
	}
}

// TestRefreshSweeps refreshes a workspace that holds more than it may.
func TestRefreshSweeps(t *testing.T) {
	alone(t)
	root := t.TempDir()
	put(t, filepath.Join(root, "a.go"), "package a\n")
	put(t, filepath.Join(root, "large.txt"), strings.Repeat("a\n", keptBytes/outlineFactor/4))
	put(t, filepath.Join(root, "larger.txt"), strings.Repeat("a\n", keptBytes/outlineFactor/4))
	w, err := Open(context.Background(), root, Options{})
	check(t, err)
	defer w.Close()
	s := w.Snapshot()
	defer s.Release()
	for _, e := range s.listing.entries {
		e.racy.Store(false)
		_, err := s.Document(e.path)
		check(t, err)
		e.used = time.Now().Add(-2 * keptFor)
	}
	w.swept = time.Now().Add(-2 * sweepEvery)
	check(t, w.Refresh(context.Background()))
	for _, e := range s.listing.entries {
		if e.loaded() != nil {
			t.Errorf("%s is kept", e.path)
		}
	}
}
