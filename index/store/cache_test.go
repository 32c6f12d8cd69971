package store_test

import (
	"os"
	"path/filepath"
	"testing"
	"time"

	"codeintel/index/store"
)

func TestPrune(t *testing.T) {
	cache := t.TempDir()
	if all, err := store.Folders(cache); err != nil || len(all) != 0 {
		t.Fatalf("an empty cache: %v, %v", all, err)
	}
	roots := []string{t.TempDir(), t.TempDir(), t.TempDir(), t.TempDir()}
	for i, root := range roots {
		s := store.Open(cache, root)
		save(t, s, root, sources(100))
		used := time.Now().Add(time.Duration(i-10) * time.Hour)
		if err := os.Chtimes(filepath.Join(s.Dir(), "used"), used, used); err != nil {
			t.Fatal(err)
		}
	}
	if err := os.RemoveAll(roots[2]); err != nil {
		t.Fatal(err)
	}
	all, err := store.Folders(cache)
	if err != nil || len(all) != 4 {
		t.Fatalf("%d folders, %v", len(all), err)
	}
	for i, f := range all {
		if f.Roots[0] != roots[3-i] || f.Gone != (i == 1) || f.Bytes < 1000 {
			t.Errorf("folder %d: %+v", i, f)
		}
	}
	removed, err := store.Prune(cache, 2*all[0].Bytes+10)
	if err != nil || len(removed) != 2 || removed[0].Roots[0] != roots[2] || removed[1].Roots[0] != roots[0] {
		t.Errorf("removed %+v, %v", removed, err)
	}
	if v, state, err := store.Open(cache, roots[3]).View(roots[3]); v == nil {
		t.Errorf("the latest is %s, %v", state, err)
	}
	u, err := store.Open(cache, roots[1]).Begin(t.Context(), false)
	if err != nil {
		t.Fatal(err)
	}
	defer u.Close()
	if removed, err = store.Prune(cache, 0); err != nil || len(removed) != 1 || removed[0].Roots[0] != roots[3] {
		t.Errorf("removed %+v, %v, want all but the one that is being written to", removed, err)
	}
}
