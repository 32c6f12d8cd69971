package index_test

import (
	"context"
	"fmt"
	"os"
	"path/filepath"
	"runtime"
	"slices"
	"strings"
	"testing"

	"codeintel/index"
)

// watch makes a workspace listen for changes, where the system allows that.
func watch(t testing.TB, w *index.Workspace) {
	t.Helper()
	if err := w.Watch(t.Context()); err != nil && runtime.GOOS == "linux" {
		t.Fatal(err)
	}
}

// TestWatch makes changes of every sort, one after another, and looks after each.
func TestWatch(t *testing.T) {
	root := newRoot(t)
	outside := filepath.Join(filepath.Dir(root), "outside")
	write(t, outside, "moved/in.go", "package moved\n")
	write(t, root, ".git/info/exclude", "")
	write(t, root, "a/a.go", "package a\n")
	write(t, root, "a/deep/er/b.go", "package er\n")
	write(t, root, "vendor/ignored.go", "package vendor\n")
	write(t, root, ".gitignore", "/vendor\n")
	link(t, root, "link.go", "vendor/ignored.go")
	w := open(t, root)
	watch(t, w)
	rename := func(from, to string) func() {
		return func() { check(t, os.Rename(from, to)) }
	}
	in := func(p string) string { return filepath.Join(root, p) }
	for _, step := range []struct {
		name string
		do   func()
	}{
		{"edit", func() { write(t, root, "a/a.go", "package a\n\nvar X = 1\n") }},
		{"edit of the same size", func() { write(t, root, "a/a.go", "package a\n\nvar Y = 1\n") }},
		{"new file", func() { write(t, root, "a/new.go", "package a\n") }},
		{"new folders", func() { write(t, root, "n/e/w/new.go", "package w\n") }},
		{"file in a new folder", func() { write(t, root, "n/e/w/newer.go", "package w\n") }},
		{"file replaced", func() { write(t, root, "tmp.go", "package a\n"); rename(in("tmp.go"), in("a/a.go"))() }},
		{"file removed", func() { check(t, os.Remove(in("a/new.go"))) }},
		{"folder renamed", rename(in("a"), in("b"))},
		{"edit in the renamed folder", func() { write(t, root, "b/deep/er/b.go", "package changed\n") }},
		{"folder with the old name", func() { write(t, root, "a/deep/er/b.go", "package again\n") }},
		{"folder moved in", rename(filepath.Join(outside, "moved"), in("moved"))},
		{"edit there", func() { write(t, root, "moved/in.go", "package changed\n") }},
		{"folder moved out", rename(in("moved"), filepath.Join(outside, "moved"))},
		{"edit outside", func() { write(t, outside, "moved/in.go", "package elsewhere\n") }},
		{"folder removed", func() { check(t, os.RemoveAll(in("n"))) }},
		{"file instead of a folder", func() { write(t, root, "n", "x\n") }},
		{"folder instead of a file", func() { check(t, os.Remove(in("n"))); write(t, root, "n/x.go", "package n\n") }},
		{"target of a link", func() { write(t, root, "vendor/ignored.go", "package vendor\n\nvar Z = 1\n") }},
		{"ignored file", func() { write(t, root, "vendor/more.go", "package vendor\n") }},
		{"rules", func() { write(t, root, ".gitignore", "/b\n") }},
		{"rules in a folder", func() { write(t, root, "vendor/.gitignore", "more.go\n") }},
		{"git's own rules", func() { write(t, root, ".git/info/exclude", "link.go\n") }},
		{"access rules", func() { write(t, root, ".rooignore", "vendor/\n") }},
		{"other access rules", func() { write(t, root, ".clineignore", "!include rules.txt\n"); write(t, root, "rules.txt", "n\n") }},
		{"included access rules", func() { write(t, root, "rules.txt", "a/\n") }},
		{"the user's rules", func() { write(t, filepath.Dir(root), "home/.config/git/ignore", "*.txt\n") }},
		{"many files", func() {
			for i := range 1500 {
				write(t, root, fmt.Sprintf("many/%d/f.go", i), "package many\n")
			}
		}},
		{"mode", func() { check(t, os.Chmod(in("n/x.go"), 0o600)) }},
		{"nothing", func() {}},
	} {
		before := w.Snapshot()
		step.do()
		check(t, w.Refresh(t.Context()))
		now := w.Snapshot()
		sameAsFresh(t, root, now)
		sameAsDiff(t, before, now)
		before.Release()
		now.Release()
		if t.Failed() {
			t.Fatalf("after: %s", step.name)
		}
	}
}

// TestWatchCanceled cancels a refresh: what it had heard of is not lost.
func TestWatchCanceled(t *testing.T) {
	root := newRoot(t)
	write(t, root, "a.go", "package a\n")
	w := open(t, root)
	watch(t, w)
	write(t, root, "sub/b.go", "package b\n")
	write(t, root, "c.go", "package c\n")
	canceled, cancel := context.WithCancel(t.Context())
	cancel()
	if err := w.Refresh(canceled); err == nil {
		t.Error("a canceled refresh returned no error")
	}
	check(t, w.Refresh(t.Context()))
	s := w.Snapshot()
	defer s.Release()
	if got := paths(s); !slices.Equal(got, []string{"a.go", "c.go", "sub/b.go"}) {
		t.Errorf("files %q", got)
	}
}

// TestWatchFails begins to listen in vain: nothing is left of it, and the
// workspace goes on.
func TestWatchFails(t *testing.T) {
	temp := t.TempDir()
	t.Setenv("TMPDIR", temp)
	root := newRoot(t)
	write(t, root, "a.go", "package a\n")
	w := open(t, root)
	canceled, cancel := context.WithCancel(t.Context())
	cancel()
	if err := w.Watch(canceled); err == nil || w.Watching() {
		t.Errorf("error %v, watching %v", err, w.Watching())
	}
	left, err := filepath.Glob(filepath.Join(temp, "codeintel-watch-*"))
	check(t, err)
	if len(left) > 0 {
		t.Errorf("left %q", left)
	}
	write(t, root, "b.go", "package b\n")
	check(t, w.Refresh(t.Context()))
	s := w.Snapshot()
	defer s.Release()
	sameAsFresh(t, root, s)
}

// TestWatchLeavesNothing closes a watcher: its goroutine and its folder are gone.
func TestWatchLeavesNothing(t *testing.T) {
	temp := t.TempDir()
	t.Setenv("TMPDIR", temp)
	root := newRoot(t)
	w := open(t, root)
	before := runtime.NumGoroutine()
	watch(t, w)
	check(t, w.Watch(t.Context())) // twice is once
	w.Close()
	if err := w.Watch(t.Context()); err == nil || !strings.Contains(err.Error(), "closed") {
		t.Errorf("watching a closed workspace: %v", err)
	}
	if now := runtime.NumGoroutine(); now > before {
		t.Errorf("%d goroutines, were %d", now, before)
	}
	left, err := os.ReadDir(temp)
	check(t, err)
	for _, e := range left {
		if strings.HasPrefix(e.Name(), "codeintel-watch-") {
			t.Errorf("%s is left", e.Name())
		}
	}
}
