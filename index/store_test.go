package index_test

import (
	"context"
	"errors"
	"fmt"
	"math/rand"
	"os"
	"slices"
	"strings"
	"sync"
	"testing"

	"codeintel/index"
	"codeintel/index/store"
)

// stored returns the status of the one view in a cache folder, to see whether it
// is written again.
func stored(t *testing.T, cache string) os.FileInfo {
	t.Helper()
	views := files(t, cache, ".view")
	if len(views) != 1 {
		t.Fatalf("views %q", views)
	}
	info, err := os.Stat(views[0])
	check(t, err)
	return info
}

// TestIndexTwiceAtATime makes two calls wait for the same lock: together they
// store each file once.
func TestIndexTwiceAtATime(t *testing.T) {
	root, cache := newRoot(t), t.TempDir()
	module(t, root, 30)
	w := openStored(t, root, cache)
	settle(t, w)
	s := w.Snapshot()
	dir := s.Status().Dir
	s.Release()
	var calls sync.WaitGroup
	held := make(chan struct{})
	first := true
	progress := func(index.Progress) {
		if !first {
			return
		}
		first = false // the lock is held: this call is at work
		calls.Go(func() {
			close(held)
			_, err := w.Index(context.Background(), index.IndexOptions{Wait: true})
			check(t, err)
		})
		<-held
	}
	_, err := w.Index(t.Context(), index.IndexOptions{Wait: true, Progress: progress})
	check(t, err)
	calls.Wait()
	before := stored(t, dir)
	build(t, w)
	if !os.SameFile(before, stored(t, dir)) {
		t.Error("what two calls have stored is not what one would have stored")
	}
	checkIndexed(t, w)
}

// TestIndexWhileFilesCome adds a file and asks while the index is being built:
// the newer snapshot has the stored outlines too when that is done.
func TestIndexWhileFilesCome(t *testing.T) {
	root := newRoot(t)
	module(t, root, 30)
	w := openStored(t, root, t.TempDir())
	settle(t, w)
	var once sync.Once
	_, err := w.Index(t.Context(), index.IndexOptions{Progress: func(index.Progress) {
		once.Do(func() {
			write(t, root, "p1/new.go", "package p\n")
			check(t, w.Refresh(t.Context()))
			s := w.Snapshot()
			defer s.Release()
			if n := s.Unindexed(); n != 35 {
				t.Errorf("%d files without an outline, want all 35", n)
			}
		})
	}})
	check(t, err)
	s := w.Snapshot()
	defer s.Release()
	if n := s.Unindexed(); n != 1 {
		t.Errorf("%d files without a stored outline, want the new one", n)
	}
	sameAsParsed(t, s)
}

// TestIndexRacyFiles builds an index of files that were just written, each of which
// the next process must read again; it says so to the ones after it.
func TestIndexRacyFiles(t *testing.T) {
	// On a busy machine the files may have settled before they are indexed.
	for range 20 {
		root, cache := newRoot(t), t.TempDir()
		for i := range 12 {
			write(t, root, fmt.Sprintf("f%d.go", i), "package p\n")
		}
		build(t, openStored(t, root, cache))
		settle(t, openStored(t, root, cache))
		known := func() os.FileInfo {
			w := openStored(t, root, cache)
			_, err := w.Index(t.Context(), index.IndexOptions{Known: true})
			check(t, err)
			return stored(t, cache)
		}
		before := stored(t, cache)
		next := known()
		if !os.SameFile(next, known()) {
			t.Error("the view is written once more")
		}
		if !os.SameFile(before, next) {
			return
		}
	}
	t.Error("the view still says that all must be read again")
}

// TestIndexHopeless indexes a text that no parser can take: it is tried once, and
// its place among what lookups do not know is kept.
func TestIndexHopeless(t *testing.T) {
	root, cache := newRoot(t), t.TempDir()
	write(t, root, "a.go", "package a\n\nvar found = 1\n")
	write(t, root, "noise.go", "package p\n"+strings.Repeat(") a ", 50_000))
	w := openStored(t, root, cache)
	settle(t, w)
	build(t, w)
	before := stored(t, cache)
	w = openStored(t, root, cache)
	if p := build(t, w); p.AllFiles != 0 || !os.SameFile(before, stored(t, cache)) {
		t.Errorf("the second time %d files were tried, or the view written again", p.AllFiles)
	}
	s := w.Snapshot()
	defer s.Release()
	if got := s.Unoutlined(); !slices.Equal(got, []string{"noise.go"}) {
		t.Errorf("not outlined: %q", got)
	}
	if st := s.Status(); st.Indexed != 1 || len(st.Skipped) != 1 || !strings.Contains(st.Skipped[0].Reason, "too long") {
		t.Errorf("indexed %d, skipped %v", st.Indexed, st.Skipped)
	}
	found, err := s.Mentions(t.Context(), "found")
	if err != nil || !slices.Equal(found, []string{"a.go"}) {
		t.Errorf("found in %q, %v", found, err)
	}
}

// TestIndexEmptyAndBinary tells an empty file from a binary one of its language.
func TestIndexEmptyAndBinary(t *testing.T) {
	root := newRoot(t)
	write(t, root, "a.py", "\x00binary")
	write(t, root, "b/__init__.py", "")
	w := openStored(t, root, t.TempDir())
	settle(t, w)
	build(t, w)
	s := w.Snapshot()
	defer s.Release()
	st := s.Status()
	if want := []index.SkippedFile{{Path: "a.py", Reason: "binary"}}; st.Indexed != 1 || !slices.Equal(st.Skipped, want) {
		t.Errorf("indexed %d, skipped %v", st.Indexed, st.Skipped)
	}
}

// TestIndexDamagedInside damages a part of a segment that opening it does not
// touch: answers stay right, and the next process but one has a whole index.
func TestIndexDamagedInside(t *testing.T) {
	root, cache := newRoot(t), t.TempDir()
	for i := range 1500 {
		write(t, root, fmt.Sprintf("p%d/f%d.go", i%5, i), fmt.Sprintf("package p\n\nfunc F%d() { only%d() }\n", i, i))
	}
	w := openStored(t, root, cache)
	settle(t, w)
	build(t, w)
	w.Close()
	for _, name := range files(t, cache, ".segment") {
		data, err := os.ReadFile(name)
		check(t, err)
		data[len(data)-200] ^= 4 // in the postings
		check(t, os.Remove(name))
		check(t, os.WriteFile(name, data, 0o600))
	}
	mentions := func(w *index.Workspace) *index.Snapshot {
		s := w.Snapshot()
		t.Cleanup(s.Release)
		for i := range 1500 {
			name := fmt.Sprintf("only%d", i)
			got, err := s.Mentions(t.Context(), name)
			if err != nil || len(got) != 1 || !strings.HasSuffix(got[0], fmt.Sprintf("/f%d.go", i)) {
				t.Fatalf("%s: %q, %v", name, got, err)
			}
		}
		return s
	}
	for range 2 { // the first sees the damage, the second mends it
		again := openStored(t, root, cache)
		build(t, again)
		mentions(again)
		again.Close()
	}
	last := mentions(openStored(t, root, cache))
	if st := last.Status(); st.State != store.Ready || st.Unindexed > 0 {
		t.Errorf("after mending: %s (%s), %d files to parse", st.State, st.Damage, st.Unindexed)
	}
}

// TestIndexConcurrentUse does everything at once, closing in the end. The race detector
// has the word, and every answer is of one state of the tree.
func TestIndexConcurrentUse(t *testing.T) {
	root, cache := newRoot(t), t.TempDir()
	module(t, root, 40)
	w := openStored(t, root, cache)
	other := openStored(t, root, cache)
	ctx := t.Context()
	allowed := func(err error) {
		if err != nil && !errors.Is(err, index.ErrClosed) && !errors.Is(err, index.ErrLocked) {
			t.Error(err)
		}
	}
	var mu sync.Mutex // guards taking a snapshot against Close, after which it panics
	ended := false
	asking := func(ask func(*index.Snapshot)) {
		mu.Lock()
		if ended {
			mu.Unlock()
			return
		}
		s := w.Snapshot()
		mu.Unlock()
		defer s.Release()
		ask(s)
	}
	jobs := []func(r *rand.Rand){
		func(*rand.Rand) { allowed(w.Refresh(ctx)) },
		func(*rand.Rand) { allowed(other.Refresh(ctx)) },
		func(r *rand.Rand) {
			_, err := []*index.Workspace{w, other}[r.Intn(2)].Index(ctx, index.IndexOptions{Wait: r.Intn(2) == 0, Known: r.Intn(2) == 0})
			allowed(err)
		},
		func(*rand.Rand) { _ = w.Watch(ctx); _ = w.Watching() },
		func(r *rand.Rand) {
			p := fmt.Sprintf("p0/f%d.go", r.Intn(8)*5)
			if r.Intn(2) == 0 {
				w.Apply(index.Change{Path: p, Text: []byte("package p\n\nfunc unsaved() { shared(1) }\n")})
			} else {
				w.Apply(index.Change{Path: p, Closed: true})
			}
		},
		func(r *rand.Rand) {
			write(t, root, fmt.Sprintf("p2/f%d.go", 2+5*r.Intn(8)), fmt.Sprintf("package p\n\nfunc (t T%d) Method() { shared(1) }\n", r.Intn(99)))
		},
		func(*rand.Rand) {
			asking(func(s *index.Snapshot) {
				got, err := s.Mentions(ctx, "shared")
				if err != nil || len(got) < 30 || !slices.IsSorted(got) {
					t.Errorf("shared is in %q, %v", got, err)
				}
			})
		},
		func(*rand.Rand) {
			asking(func(s *index.Snapshot) {
				if _, total, _, err := s.Find(ctx, index.FindQuery{Name: "Method"}); err != nil || total < 30 {
					t.Errorf("%d methods, %v", total, err)
				}
			})
		},
		func(*rand.Rand) { asking(func(s *index.Snapshot) { s.Status(); s.Unoutlined() }) },
	}
	var workers sync.WaitGroup
	for i := range 2 * len(jobs) {
		workers.Go(func() {
			r := rand.New(rand.NewSource(int64(i)))
			for n := 0; n < 30; n++ {
				jobs[i%len(jobs)](r)
			}
		})
	}
	workers.Go(func() {
		asking(func(s *index.Snapshot) { _, _ = s.Definitions(ctx, "shared") })
		for range 200 {
			allowed(w.Refresh(ctx))
		}
		mu.Lock()
		ended = true
		w.Close()
		mu.Unlock()
	})
	workers.Wait()
	last := openStored(t, root, cache)
	build(t, last)
	checkIndexed(t, last)
}
