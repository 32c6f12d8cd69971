package store_test

import (
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"testing"

	"github.com/google/go-cmp/cmp"

	"codeintel/index/store"
	"codeintel/symbols"
)

// source is a file of a test's worktree.
type source struct{ path, text string }

// sources returns n different files.
func sources(n int) []source {
	var out []source
	for i := range n {
		out = append(out, source{fmt.Sprintf("f%05d.go", i), fmt.Sprintf("package p\n\nfunc F%d(a int) { Shared(a); local%d := 1; _ = local%d }\n", i, i%7, i%7)})
	}
	return out
}

// save stores what the sources are, as the only files of a worktree, and returns
// its view.
func save(t testing.TB, s *store.Store, root string, all []source) *store.View {
	t.Helper()
	u, err := s.Begin(t.Context(), false)
	if err != nil {
		t.Fatal(err)
	}
	defer u.Close()
	var keyed []store.Keyed
	for i, f := range all {
		d := symbols.NewDocument(f.path, []byte(f.text))
		k := store.KeyOf(symbols.Go, d.Text())
		if _, ok := u.Find(k); !ok {
			o, err := symbols.Extract(d)
			if err != nil {
				t.Fatal(err)
			}
			if err := u.Add(k, store.Outlined, o.Encode(), len(o.Symbols())); err != nil {
				t.Fatal(err)
			}
		}
		keyed = append(keyed, store.Keyed{Key: k, File: store.File{Path: f.path, Racy: i%2 == 0, Stamp: store.Stamp{Size: int64(len(f.text)), ModTime: int64(i), Inode: 7}}})
	}
	v, err := u.Commit(root, nil, keyed)
	if err != nil {
		t.Fatal(err)
	}
	return v
}

// check compares a view with what was stored.
func check(t testing.TB, v *store.View, all []source) {
	t.Helper()
	i := 0
	if err := v.Each(func(path []byte, f store.File) bool {
		if i >= len(all) || string(path) != all[i].path {
			t.Fatalf("file %d is %s", i, path)
		}
		if want := (store.Stamp{Size: int64(len(all[i].text)), ModTime: int64(i), Inode: 7}); f.Stamp != want || f.Racy != (i%2 == 0) {
			t.Errorf("%s: stamp %v, racy %v", path, f.Stamp, f.Racy)
		}
		d := symbols.NewDocument(all[i].path, []byte(all[i].text))
		want, err := symbols.Extract(d)
		if err != nil {
			t.Fatal(err)
		}
		e, err := f.Segment.Outline(f.Number)
		if err != nil {
			t.Fatal(err)
		}
		got, err := e.Decode(d)
		if err != nil {
			t.Fatal(err)
		}
		if diff := cmp.Diff(want.Identifiers(), got.Identifiers()) + cmp.Diff(want.Symbols(), got.Symbols()); diff != "" {
			t.Errorf("%s: %s", path, diff)
		}
		i++
		return true
	}); err != nil || i != len(all) {
		t.Fatalf("%d of %d files: %v", i, len(all), err)
	}
}

// holders returns the files with a name, and those that define it.
func holders(t testing.TB, v *store.View, name string) (holding, defining []string) {
	t.Helper()
	byRecord := map[store.Record][]string{}
	segments := map[*store.Segment]bool{}
	if err := v.Each(func(path []byte, f store.File) bool {
		byRecord[f.Record] = append(byRecord[f.Record], string(path))
		segments[f.Segment] = true
		return true
	}); err != nil {
		t.Fatal(err)
	}
	for s := range segments {
		n, ok, err := s.Name(name)
		if err != nil {
			t.Fatal(err)
		}
		if !ok {
			continue
		}
		def, hold, err := s.Posting(n)
		if err != nil {
			t.Fatal(err)
		}
		for _, r := range def {
			defining = append(defining, byRecord[store.Record{Segment: s, Number: r, Status: store.Outlined}]...)
		}
		for _, r := range hold {
			holding = append(holding, byRecord[store.Record{Segment: s, Number: r, Status: store.Outlined}]...)
			places, err := s.Places(r, n, name)
			if err != nil || len(places) == 0 || places[0].Range.Len() != len(name) {
				t.Errorf("places of %s: %v, %v", name, places, err)
			}
		}
	}
	slices.Sort(holding)
	slices.Sort(defining)
	return holding, defining
}

func TestStore(t *testing.T) {
	root := t.TempDir()
	cache := t.TempDir()
	s := store.Open(cache, root)
	if v, state, err := s.View(root); v != nil || state != store.Missing || err != nil {
		t.Fatalf("an empty store: %v, %v", state, err)
	}
	all := sources(300)
	check(t, save(t, s, root, all), all)
	v, state, err := store.Open(cache, root).View(root)
	if state != store.Ready {
		t.Fatalf("after storing: %s, %v", state, err)
	}
	check(t, v, all)
	holding, defining := holders(t, v, "Shared")
	if len(holding) != 300 || len(defining) != 0 {
		t.Errorf("Shared is in %d files and defined in %d", len(holding), len(defining))
	}
	holding, defining = holders(t, v, "F17")
	if want := []string{"f00017.go"}; !slices.Equal(holding, want) || !slices.Equal(defining, want) {
		t.Errorf("F17 is in %q, defined in %q", holding, defining)
	}
	if holding, _ := holders(t, v, "local3"); len(holding) != 43 {
		t.Errorf("local3 is in %d files, want 43", len(holding))
	}
	if holding, _ := holders(t, v, "nowhere"); holding != nil {
		t.Errorf("nowhere is in %q", holding)
	}
}

// TestWorktrees stores two worktrees that differ in one file: the second adds
// that one record, and goes without a trace.
func TestWorktrees(t *testing.T) {
	one, two := t.TempDir(), t.TempDir()
	s := store.Open(t.TempDir(), "repository")
	all := sources(200)
	save(t, s, one, all)
	before := folderSize(t, s.Dir(), "*.segment")
	other := slices.Clone(all)
	other[5].text += "func Other() {}\n"
	check(t, save(t, s, two, other), other)
	if grown := folderSize(t, s.Dir(), "*.segment") - before; grown > before/10 {
		t.Errorf("the second worktree added %d bytes to %d", grown, before)
	}
	if err := os.RemoveAll(two); err != nil {
		t.Fatal(err)
	}
	check(t, save(t, s, one, all), all)
	if views, _ := filepath.Glob(filepath.Join(s.Dir(), "*.view")); len(views) != 1 {
		t.Errorf("views %q, want one", views)
	}
	if now := folderSize(t, s.Dir(), "*.segment"); now != before {
		t.Errorf("%d bytes of segments, were %d before the second worktree", now, before)
	}
}

func folderSize(t *testing.T, dir, pattern string) int64 {
	t.Helper()
	names, err := filepath.Glob(filepath.Join(dir, pattern))
	if err != nil {
		t.Fatal(err)
	}
	var size int64
	for _, name := range names {
		info, err := os.Stat(name)
		if err != nil {
			t.Fatal(err)
		}
		size += info.Size()
	}
	return size
}

// TestCompaction changes one file at a time: the segments stay few, and what is
// in them right.
func TestCompaction(t *testing.T) {
	root := t.TempDir()
	s := store.Open(t.TempDir(), root)
	all := sources(50)
	save(t, s, root, all)
	for i := range 60 {
		all[i%50].text += fmt.Sprintf("func G%d() {}\n", i)
		check(t, save(t, s, root, all), all)
	}
	if segments, _ := filepath.Glob(filepath.Join(s.Dir(), "*.segment")); len(segments) > 9 {
		t.Errorf("%d segments", len(segments))
	}
}

// TestTwoWriters lets another process change the view of a worktree and remove the
// segment that this one has records of: storing these goes well all the same.
func TestTwoWriters(t *testing.T) {
	root, cache := t.TempDir(), t.TempDir()
	one := store.Open(cache, root)
	all := sources(20)
	var files []store.File
	check(t, save(t, one, root, all), all)
	v, _, err := one.View(root)
	if err != nil {
		t.Fatal(err)
	}
	if err := v.Each(func(path []byte, f store.File) bool {
		f.Path = string(path)
		files = append(files, f)
		return true
	}); err != nil {
		t.Fatal(err)
	}
	save(t, store.Open(cache, root), root, []source{{"other.go", "package other\n"}})
	u, err := one.Begin(t.Context(), false)
	if err != nil {
		t.Fatal(err)
	}
	defer u.Close()
	if v, err = u.Commit(root, files, nil); err != nil {
		t.Fatal(err)
	}
	check(t, v, all)
	v, state, err := store.Open(cache, root).View(root)
	if err != nil || state != store.Ready {
		t.Fatalf("the next process finds it %s: %v", state, err)
	}
	check(t, v, all)
}

// TestLocked begins two updates at a time.
func TestLocked(t *testing.T) {
	cache := t.TempDir()
	u, err := store.Open(cache, "r").Begin(t.Context(), false)
	if err != nil {
		t.Fatal(err)
	}
	if _, err := store.Open(cache, "r").Begin(t.Context(), false); !errors.Is(err, store.ErrLocked) {
		t.Errorf("a second update: %v", err)
	}
	if err := u.Close(); err != nil {
		t.Fatal(err)
	}
	v, err := store.Open(cache, "r").Begin(t.Context(), true)
	if err != nil {
		t.Fatal(err)
	}
	v.Close()
}
