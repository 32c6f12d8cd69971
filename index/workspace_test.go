package index_test

import (
	"context"
	"fmt"
	"math/rand"
	"os"
	"path/filepath"
	"strings"
	"sync"
	"testing"

	"codeintel/index"
)

// TestRandomOperations changes a tree at random, many times, and after each change
// compares the refreshed workspace with one that is opened anew.
func TestRandomOperations(t *testing.T) {
	rounds, steps := 8, 25
	if testing.Short() {
		rounds = 2
	}
	for seed := range rounds {
		t.Run(fmt.Sprint(seed), func(t *testing.T) {
			r := rand.New(rand.NewSource(int64(seed)))
			root := newRoot(t)
			if seed%2 == 0 {
				check(t, os.Mkdir(filepath.Join(root, ".git"), 0o755))
			}
			w := open(t, root)
			if seed%4 < 2 {
				watch(t, w)
			}
			for step := range steps {
				var done []string
				for range 1 + r.Intn(4) {
					done = append(done, disturb(t, r, root))
				}
				old := w.Snapshot()
				check(t, w.Refresh(context.Background()))
				now := w.Snapshot()
				sameAsFresh(t, root, now)
				sameAsDiff(t, old, now)
				old.Release()
				now.Release()
				if t.Failed() {
					t.Fatalf("after step %d: %s", step, strings.Join(done, ", "))
				}
			}
		})
	}
}

// disturb makes one random change and says which.
func disturb(t *testing.T, r *rand.Rand, root string) string {
	t.Helper()
	names := []string{"a.go", "b.ts", "c.log", "sub", "deep", ".gitignore", ".ignore", ".rooignore", "x"}
	place := func() string {
		p := names[r.Intn(len(names))]
		for r.Intn(2) == 0 {
			p = filepath.Join([]string{"sub", "deep", "x"}[r.Intn(3)], p)
		}
		return p
	}
	p := place()
	full := filepath.Join(root, p)
	// What is in the way of an operation only makes it fail; that is a change less.
	switch op := r.Intn(6); op {
	case 0, 1, 2:
		text := fmt.Sprintf("%d\n", r.Intn(5))
		if base := filepath.Base(p); strings.HasSuffix(base, "ignore") {
			if base == ".rooignore" && filepath.Dir(p) == "." && r.Intn(2) == 0 {
				return "spared .rooignore"
			}
			text = []string{"*.log\n", "sub/\n", "!a.go\n", "/x\n", "*\n!*/\n", ""}[r.Intn(6)]
		}
		_ = os.MkdirAll(filepath.Dir(full), 0o755)
		_ = os.WriteFile(full, []byte(text), 0o644)
		return "wrote " + p
	case 3:
		_ = os.RemoveAll(full)
		return "removed " + p
	case 4:
		to := place()
		if strings.HasSuffix(to, ".rooignore") {
			return "nothing"
		}
		_ = os.Rename(full, filepath.Join(root, to))
		return "renamed " + p + " to " + to
	default:
		to := place()
		if strings.HasSuffix(p, "ignore") {
			return "nothing"
		}
		_ = os.Remove(full)
		_ = os.Symlink(filepath.Join(root, to), full)
		return "linked " + p + " to " + to
	}
}

// sameAsDiff checks that the older snapshot's texts with the changes made to them
// are the newer one's.
func sameAsDiff(t *testing.T, old, now *index.Snapshot) {
	t.Helper()
	have := map[string]bool{}
	for _, f := range old.Files() {
		have[f.Path] = true
	}
	for _, c := range now.Diff(old) {
		switch {
		case !old.Has(c.Path) && !now.Has(c.Path): // a second name of a file
		case c.Created && have[c.Path], c.Removed && !have[c.Path]:
			t.Errorf("change %+v of a path that was there: %v", c, have[c.Path])
		case c.Removed:
			delete(have, c.Path)
		default:
			have[c.Path] = true
		}
	}
	for _, f := range now.Files() {
		if !have[f.Path] {
			t.Errorf("%s is new, but no change says so", f.Path)
		}
		delete(have, f.Path)
	}
	for p := range have {
		t.Errorf("%s is gone, but no change says so", p)
	}
}

// TestConcurrentUse refreshes, edits, applies and reads at the same time. The race
// detector judges; each reader also checks that a snapshot does not change.
func TestConcurrentUse(t *testing.T) {
	root := newRoot(t)
	for i := range 40 {
		write(t, root, fmt.Sprintf("d%d/f%d.go", i%7, i), fmt.Sprintf("package f%d\n", i))
	}
	write(t, root, ".gitignore", "*.tmp\n")
	w := open(t, root)
	ctx, cancel := context.WithCancel(context.Background())
	var wait sync.WaitGroup
	worker := func(work func(r *rand.Rand)) {
		seed := rand.Int63()
		wait.Go(func() {
			for r := rand.New(rand.NewSource(seed)); ctx.Err() == nil; {
				work(r)
			}
		})
	}
	name := func(r *rand.Rand) string { i := r.Intn(50); return fmt.Sprintf("d%d/f%d.go", i%7, i) }
	for range 2 {
		worker(func(*rand.Rand) {
			if err := w.Refresh(ctx); err != nil && ctx.Err() == nil {
				t.Error(err)
			}
		})
		worker(func(r *rand.Rand) {
			w.Apply(index.Change{Path: name(r), Text: []byte(fmt.Sprint(r.Intn(3)))}, index.Change{Path: name(r), Closed: true}, index.Change{Path: name(r)})
		})
		worker(func(r *rand.Rand) {
			s := w.Snapshot()
			defer s.Release()
			p := name(r)
			first, err := s.Document(p)
			_, _ = s.Outline(p)
			_ = s.Diff(s.Retain())
			s.Release()
			if again, err2 := s.Document(p); err == nil && (err2 != nil || again != first) {
				t.Errorf("%s: two documents in one snapshot (%v)", p, err2)
			}
		})
	}
	r := rand.New(rand.NewSource(1))
	for i := range 300 {
		full := filepath.Join(root, name(r))
		if i%5 == 0 {
			_ = os.Remove(full)
		} else {
			_ = os.WriteFile(full, []byte(fmt.Sprint(i)), 0o644)
		}
		if i%3 == 0 {
			check(t, w.Refresh(ctx))
		}
	}
	cancel()
	wait.Wait()
	for _, p := range listed(w) {
		w.Apply(index.Change{Path: p, Closed: true})
	}
	for i := range 50 {
		w.Apply(index.Change{Path: fmt.Sprintf("d%d/f%d.go", i%7, i), Closed: true})
	}
	check(t, w.Refresh(context.Background()))
	s := w.Snapshot()
	defer s.Release()
	sameAsFresh(t, root, s)
}

func TestClose(t *testing.T) {
	root := newRoot(t)
	write(t, root, "a.go", "package a\n")
	w := open(t, root)
	s := w.Snapshot()
	w.Close()
	w.Close()
	if _, err := s.Document("a.go"); err != nil {
		t.Errorf("a snapshot that is held after Close: %v", err)
	}
	s.Release()
	w.Apply(index.Change{Path: "a.go", Text: []byte("x")})
	if err := w.Refresh(context.Background()); !isError(err, index.ErrClosed) {
		t.Errorf("Refresh after Close: error %v", err)
	}
	for name, use := range map[string]func(){"Release": s.Release, "Retain": func() { s.Retain() }, "Snapshot": func() { w.Snapshot() }} {
		func() {
			defer func() {
				if recover() == nil {
					t.Errorf("%s after the end: no panic", name)
				}
			}()
			use()
		}()
	}
}

func TestRefreshCanceled(t *testing.T) {
	root := newRoot(t)
	write(t, root, "a.go", "")
	w := open(t, root)
	write(t, root, "b.go", "")
	ctx, cancel := context.WithCancel(context.Background())
	cancel()
	if err := w.Refresh(ctx); !isError(err, context.Canceled) {
		t.Errorf("Refresh after cancel: error %v", err)
	}
	check(t, w.Refresh(context.Background()))
	if got := listed(w); len(got) != 2 {
		t.Errorf("files %q after a canceled refresh and a good one", got)
	}
}
