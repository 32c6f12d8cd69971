package index

import (
	"context"
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"testing"
	"time"

	"github.com/fsnotify/fsnotify"
)

// watched returns a workspace of some files that listens for changes.
func watched(t *testing.T, names ...string) *Workspace {
	t.Helper()
	alone(t)
	root := t.TempDir()
	for _, name := range names {
		put(t, filepath.Join(root, name), "package a\n")
	}
	w, err := Open(context.Background(), root, Options{})
	check(t, err)
	t.Cleanup(w.Close)
	if err := w.Watch(context.Background()); err != nil {
		t.Skip(err)
	}
	return w
}

func put(t *testing.T, name, text string) {
	t.Helper()
	check(t, os.MkdirAll(filepath.Dir(name), 0o755))
	check(t, os.WriteFile(name, []byte(text), 0o644))
}

// TestWatchOverrun renames folders while the system's queue is full, so that
// nobody tells: what happens in them later is heard all the same.
func TestWatchOverrun(t *testing.T) {
	w := watched(t, "a/deep/x.go", "noise/x.go")
	in := func(p string) string { return filepath.Join(w.root, filepath.FromSlash(p)) }
	w.watcher.mu.Lock() // nobody takes events out of the queue
	for i := 0; i < 60_000; i++ {
		// Two in turn: equal events after one another are one.
		check(t, os.Chmod(in([]string{"noise", "noise/x.go"}[i%2]), 0o700))
	}
	check(t, os.Rename(in("a"), in("b")))
	put(t, in("a/deep/x.go"), "package a\n")
	w.watcher.mu.Unlock()
	check(t, w.Refresh(context.Background()))
	for _, name := range []string{"a/deep/x.go", "a/deep/new.go", "b/deep/x.go", "b/deep/new.go", "b/new.go"} {
		put(t, in(name), "package changed\n")
		check(t, w.Refresh(context.Background()))
		s := w.Snapshot()
		doc, err := s.Document(name)
		if err != nil || string(doc.Text()) != "package changed\n" || !s.listing.lists(name) {
			t.Errorf("%s is not seen after the queue ran over: %v", name, err)
		}
		s.Release()
	}
}

// TestWatchNotesLittle tells a watcher that nobody asks of very many files: it
// keeps no more than it needs.
func TestWatchNotesLittle(t *testing.T) {
	w := watched(t, "sub/x.go")
	for i := range 100 * manyTouched {
		w.watcher.note(fsnotify.Event{Name: filepath.Join(w.root, fmt.Sprint(i)), Op: fsnotify.Create})
	}
	sub := filepath.Join(w.root, "sub")
	w.watcher.note(fsnotify.Event{Name: sub, Op: fsnotify.Rename})
	w.watcher.mu.Lock()
	n := len(w.watcher.touched)
	w.watcher.mu.Unlock()
	if n > 2*manyTouched {
		t.Errorf("%d paths are kept", n)
	}
	if _, ok := w.watcher.take(context.Background()); ok {
		t.Error("so many changes need no walk")
	}
	if w.watcher.isWatched(sub) {
		t.Error("a folder that was renamed late is still watched by its old name")
	}
}

// TestWatchWithoutCookie loses the watcher's own folder, as a cleaner of temporary
// files takes it: the watcher finds its way back.
func TestWatchWithoutCookie(t *testing.T) {
	w := watched(t, "x.go")
	ctx := context.Background()
	check(t, os.RemoveAll(w.watcher.cookie))
	check(t, w.Refresh(ctx))
	if !w.watcher.settle(ctx) {
		t.Error("every look walks the whole tree from now on")
	}
	if n := len(w.watcher.waiting); n > 0 {
		t.Errorf("%d are still waited for", n)
	}
}

// TestWatchManyFoldersGone removes many folders at once: the time is that of one
// pass over all.
func TestWatchManyFoldersGone(t *testing.T) {
	v := &watcher{watched: map[string]bool{}}
	touched := map[string]fsnotify.Op{}
	for i := range 60_000 {
		dir := fmt.Sprintf("/r/d%d/e/f", i)
		v.watched[dir], v.watched[filepath.Dir(dir)] = true, true
		touched[filepath.Dir(dir)] = fsnotify.Remove
	}
	v.watched["/r/kept"] = true
	began := time.Now()
	gone := v.gone(touched)
	if took := time.Since(began); took > 10*time.Second {
		t.Errorf("took %v", took)
	}
	if len(gone) != 120_000 || !v.watched["/r/kept"] || len(v.watched) != 1 || slices.Contains(gone, "/r/kept") {
		t.Errorf("%d gone, %d left", len(gone), len(v.watched))
	}
}
