package store_test

import (
	"testing"

	"codeintel/index/store"
)

// BenchmarkOpen opens the view of 5,000 files.
func BenchmarkOpen(b *testing.B) {
	root, cache := b.TempDir(), b.TempDir()
	save(b, store.Open(cache, root), root, sources(5000))
	for b.Loop() {
		if v, state, err := store.Open(cache, root).View(root); v == nil {
			b.Fatal(state, err)
		}
	}
}

// BenchmarkName looks up a name and the records that have it.
func BenchmarkName(b *testing.B) {
	root, cache := b.TempDir(), b.TempDir()
	v := save(b, store.Open(cache, root), root, sources(5000))
	var s *store.Segment
	if err := v.Each(func(_ []byte, f store.File) bool { s = f.Segment; return false }); err != nil {
		b.Fatal(err)
	}
	for b.Loop() {
		n, ok, err := s.Name("F4711")
		if err != nil || !ok {
			b.Fatal(ok, err)
		}
		if defining, _, err := s.Posting(n); err != nil || len(defining) != 1 {
			b.Fatal(defining, err)
		}
	}
}

// BenchmarkCommit writes the view of 5,000 files of which none has changed: what
// one changed file costs beside its outline.
func BenchmarkCommit(b *testing.B) {
	root, cache := b.TempDir(), b.TempDir()
	s := store.Open(cache, root)
	v := save(b, s, root, sources(5000))
	var files []store.File
	if err := v.Each(func(path []byte, f store.File) bool {
		f.Path = string(path)
		files = append(files, f)
		return true
	}); err != nil {
		b.Fatal(err)
	}
	for b.Loop() {
		u, err := s.Begin(b.Context(), true)
		if err != nil {
			b.Fatal(err)
		}
		if _, err := u.Commit(root, files, nil); err != nil {
			b.Fatal(err)
		}
		if err := u.Close(); err != nil {
			b.Fatal(err)
		}
	}
}
