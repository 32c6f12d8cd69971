package store_test

import (
	"bytes"
	"errors"
	"os"
	"path/filepath"
	"slices"
	"testing"

	"codeintel/index/store"
)

// readAll reads everything that a view leads to, and returns the first error.
func readAll(s *store.Store, root string) error {
	v, state, err := s.View(root)
	if v == nil {
		if err == nil {
			err = errors.New(string(state))
		}
		return err
	}
	var failed error
	note := func(err error) bool {
		failed = errors.Join(failed, err)
		return failed == nil
	}
	segments := map[*store.Segment]bool{}
	note(v.Each(func(_ []byte, f store.File) bool {
		segments[f.Segment] = true
		_, err := f.Segment.Outline(f.Number)
		return note(err)
	}))
	for s := range segments {
		for i := range s.Len() {
			_, err := s.Key(i)
			note(err)
		}
		var numbers []int
		note(s.EachDefined(func(n int, name []byte) bool {
			numbers = append(numbers, n)
			return true
		}))
		for _, n := range numbers {
			_, _, err := s.Posting(n)
			note(err)
		}
	}
	return failed
}

// TestDamage flips a bit at many places of each file, cuts the files, empties
// them and puts others in their places: it is noticed, never believed.
func TestDamage(t *testing.T) {
	root, cache := t.TempDir(), t.TempDir()
	all := sources(40)
	save(t, store.Open(cache, root), root, all)
	names, err := filepath.Glob(filepath.Join(store.Open(cache, root).Dir(), "*.*"))
	if err != nil || len(names) != 2 {
		t.Fatalf("files %q, %v", names, err)
	}
	for i, name := range names {
		whole, err := os.ReadFile(name)
		if err != nil {
			t.Fatal(err)
		}
		other, err := os.ReadFile(names[1-i])
		if err != nil {
			t.Fatal(err)
		}
		damaged := [][]byte{nil, []byte("x"), other, append(slices.Clone(whole), 0), whole[1:], bytes.Repeat([]byte{0}, len(whole))}
		for at := 0; at < len(whole); at += 97 {
			flipped := slices.Clone(whole)
			flipped[at] ^= 1 << (at % 8)
			damaged = append(damaged, flipped, whole[:at])
		}
		for n, data := range damaged {
			put(t, name, data)
			if err := readAll(store.Open(cache, root), root); err == nil {
				t.Errorf("%s: damage %d was not noticed", filepath.Ext(name), n)
			}
		}
		put(t, name, whole)
		if err := readAll(store.Open(cache, root), root); err != nil {
			t.Fatalf("mended: %v", err)
		}
	}
}

func put(t *testing.T, name string, data []byte) {
	t.Helper()
	// A new file, as a mapped one must not change.
	if err := os.Remove(name); err != nil {
		t.Fatal(err)
	}
	if err := os.WriteFile(name, data, 0o600); err != nil {
		t.Fatal(err)
	}
}

// TestDamageIsMended stores again over damaged files.
func TestDamageIsMended(t *testing.T) {
	root, cache := t.TempDir(), t.TempDir()
	all := sources(40)
	save(t, store.Open(cache, root), root, all)
	names, _ := filepath.Glob(filepath.Join(store.Open(cache, root).Dir(), "*.*"))
	for _, name := range names {
		put(t, name, []byte("damaged"))
		save(t, store.Open(cache, root), root, all)
		if err := readAll(store.Open(cache, root), root); err != nil {
			t.Errorf("after %s was damaged: %v", filepath.Ext(name), err)
		}
	}
}

// TestCutWhileOpen cuts a segment that is mapped: reading it is an error, not the
// end of the process.
func TestCutWhileOpen(t *testing.T) {
	root, cache := t.TempDir(), t.TempDir()
	s := store.Open(cache, root)
	v := save(t, s, root, sources(2000))
	names, _ := filepath.Glob(filepath.Join(s.Dir(), "*.segment"))
	if err := os.Truncate(names[0], 10); err != nil {
		t.Fatal(err)
	}
	var failed error
	if err := v.Each(func(_ []byte, f store.File) bool {
		_, err := f.Segment.Outline(f.Number)
		failed = errors.Join(failed, err)
		return true
	}); err != nil {
		t.Fatal(err)
	}
	if !errors.Is(failed, store.ErrCorrupt) {
		t.Errorf("reading a cut segment: %v", failed)
	}
}
