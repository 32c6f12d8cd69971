package index_test

import (
	"bytes"
	"fmt"
	"maps"
	"math/rand"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"codeintel/index"
	"codeintel/symbols"
)

func openStored(t testing.TB, root, cache string) *index.Workspace {
	t.Helper()
	w, err := index.Open(t.Context(), root, index.Options{Cache: cache})
	check(t, err)
	t.Cleanup(w.Close)
	return w
}

func build(t testing.TB, w *index.Workspace) index.Progress {
	t.Helper()
	p, err := w.Index(t.Context(), index.IndexOptions{})
	check(t, err)
	return p
}

// sameAsParsed compares every lookup of a snapshot with what parsing its files
// gives.
func sameAsParsed(t testing.TB, s *index.Snapshot) {
	t.Helper()
	mentions, definitions := map[string][]string{}, map[string][]string{}
	for _, f := range s.Files() {
		d, err := s.Document(f.Path)
		if err != nil || len(d.Text()) > index.MaxOutlined || symbols.Minified(d.Text()) {
			continue
		}
		o, err := symbols.Extract(d)
		if err != nil {
			continue
		}
		for _, id := range o.Identifiers() {
			name := string(d.Text()[id.Range.Start:id.Range.End])
			if all := mentions[name]; len(all) == 0 || all[len(all)-1] != f.Path {
				mentions[name] = append(all, f.Path)
			}
		}
		for _, sym := range o.Symbols() {
			if !sym.Local {
				definitions[sym.Name] = append(definitions[sym.Name], fmt.Sprint(f.Path, sym))
			}
		}
	}
	mentions["nowhere_at_all"] = nil
	for name, want := range mentions {
		got, err := s.Mentions(t.Context(), name)
		if err != nil || !slices.Equal(got, want) {
			t.Errorf("mentions of %s: %q, %v, want %q", name, got, err, want)
		}
		found, err := s.Definitions(t.Context(), name)
		check(t, err)
		var all []string
		for _, d := range found {
			all = append(all, fmt.Sprint(d.Path, d.Symbol))
		}
		if diff := cmp.Diff(definitions[name], all); diff != "" {
			t.Errorf("definitions of %s (-want +got):\n%s", name, diff)
		}
	}
}

// checkIndexed checks the current snapshot of a workspace.
func checkIndexed(t testing.TB, w *index.Workspace) {
	t.Helper()
	check(t, w.Refresh(t.Context()))
	s := w.Snapshot()
	defer s.Release()
	sameAsParsed(t, s)
}

// module writes n Go files and some others.
func module(t testing.TB, root string, n int) {
	t.Helper()
	for i := range n {
		write(t, root, fmt.Sprintf("p%d/f%d.go", i%5, i), fmt.Sprintf("package p\n\ntype T%d struct{ Field int }\n\nfunc (t T%d) Method() { shared(t.Field) }\n", i, i%9))
	}
	write(t, root, "web/a.ts", "export class Cart { total() { return shared(1) } }\n")
	write(t, root, "web/lib.min.js", "function shared(){"+strings.Repeat("a(1);", 400)+"}\n")
	write(t, root, "web/made.ts", "// @generated\nexport const made = shared(2)\n")
	write(t, root, "README.txt", "shared\n")
	write(t, root, "binary.go", "package p\x00")
	write(t, root, "large.go", "package p\n\nvar shared = 1\n"+strings.Repeat("// filler\n", 120_000))
}

func TestIndex(t *testing.T) {
	root, cache := newRoot(t), t.TempDir()
	module(t, root, 30)
	w := openStored(t, root, cache)
	settle(t, w)
	checkIndexed(t, w)
	var last index.Progress
	p, err := w.Index(t.Context(), index.IndexOptions{Progress: func(p index.Progress) { last = p }})
	check(t, err)
	if p.Files != 34 || p != last || p.AllBytes != p.Bytes || p.Symbols != 30*3+3 {
		t.Errorf("indexed %+v, last progress %+v", p, last)
	}
	checkIndexed(t, w)
	if p := build(t, w); p.Files != 0 {
		t.Errorf("the second time: %+v", p)
	}

	again := openStored(t, root, cache)
	s := again.Snapshot()
	if n := s.Unindexed(); n != 0 {
		t.Errorf("%d files are not known after opening again", n)
	}
	if got, want := s.Unoutlined(), []string{"large.go", "web/lib.min.js"}; !slices.Equal(got, want) {
		t.Errorf("without outlines: %q, want %q", got, want)
	}
	reasons := map[string]string{}
	for _, f := range s.Status().Skipped {
		reasons[f.Path] = f.Reason
	}
	if want := map[string]string{"large.go": "larger than 1 MiB", "web/lib.min.js": "minified", "binary.go": "binary"}; !maps.Equal(reasons, want) {
		t.Errorf("skipped %v, want %v", reasons, want)
	}
	found, _, _, err := s.Find(t.Context(), index.FindQuery{Name: "made"})
	if err != nil || len(found) != 1 || !found[0].Generated {
		t.Errorf("a generated document: %+v, %v", found, err)
	}
	s.Release()
	checkIndexed(t, again)
}

// TestIndexChanges edits, adds and removes files on disk and in editors.
func TestIndexChanges(t *testing.T) {
	root, cache := newRoot(t), t.TempDir()
	module(t, root, 30)
	w := openStored(t, root, cache)
	build(t, w)
	settle(t, w)
	build(t, w)
	if s := openStored(t, root, cache).Snapshot(); s.Unindexed() != 0 {
		t.Errorf("%d files are not known after they settled", s.Unindexed())
	}
	write(t, root, "p1/f1.go", "package p\n\nfunc Changed() {}\n")
	write(t, root, "p1/new.go", "package p\n\nfunc Changed() {}\n")
	check(t, os.RemoveAll(filepath.Join(root, "p2")))
	w.Apply(index.Change{Path: "p3/f3.go", Text: []byte("package p\n\nfunc Unsaved() { shared(2) }\n")},
		index.Change{Path: "p3/unsaved.go", Text: []byte("package p\n\nfunc Unsaved() {}\n")})
	checkIndexed(t, w)
	s := w.Snapshot()
	if n := s.Unindexed(); n != 2 {
		t.Errorf("%d files to parse, want the 2 that changed", n)
	}
	s.Release()
	if p := build(t, w); p.Files != 2 {
		t.Errorf("indexed %+v, want 2 files", p)
	}
	checkIndexed(t, w)
	checkIndexed(t, openStored(t, root, cache))
}

// TestIndexRandom changes a tree at random, indexes it now and then in one of two
// workspaces that share a cache, and compares every lookup with parsing.
func TestIndexRandom(t *testing.T) {
	for seed := range int64(4) {
		t.Run(fmt.Sprint(seed), func(t *testing.T) {
			r := rand.New(rand.NewSource(seed))
			root, cache := newRoot(t), t.TempDir()
			workspaces := []*index.Workspace{openStored(t, root, cache), openStored(t, root, cache)}
			for range 40 {
				disturb(t, r, root)
				write(t, root, fmt.Sprintf("r%d.go", r.Intn(20)), fmt.Sprintf("package p\n\nfunc R%d() { r%d() }\n", r.Intn(9), r.Intn(9)))
				w := workspaces[r.Intn(2)]
				if r.Intn(3) == 0 {
					build(t, w)
				}
				checkIndexed(t, w)
				if r.Intn(5) == 0 {
					workspaces[r.Intn(2)] = openStored(t, root, cache)
				}
			}
		})
	}
}

// TestIndexOfWorktrees indexes a second worktree of a repository: nothing is
// extracted again.
func TestIndexOfWorktrees(t *testing.T) {
	root, cache := newRoot(t), t.TempDir()
	module(t, root, 30)
	second := root + "-second"
	for _, args := range [][]string{
		{"init", "-q"}, {"add", "."}, {"-c", "user.name=a", "-c", "user.email=a@b", "commit", "-qm", "x"},
		{"worktree", "add", "-q", second},
	} {
		cmd := exec.Command("git", append([]string{"-C", root}, args...)...)
		if out, err := cmd.CombinedOutput(); err != nil {
			t.Fatalf("git %q: %v\n%s", args, err, out)
		}
	}
	build(t, openStored(t, root, cache))
	segments := files(t, cache, ".segment")
	w := openStored(t, second, cache)
	build(t, w)
	checkIndexed(t, w)
	if now := files(t, cache, ".segment"); !slices.Equal(now, segments) {
		t.Errorf("segments %q, were %q", now, segments)
	}
}

// files returns the files below a folder with an ending.
func files(t testing.TB, dir, ending string) []string {
	t.Helper()
	var out []string
	check(t, filepath.WalkDir(dir, func(path string, _ os.DirEntry, err error) error {
		if strings.HasSuffix(path, ending) {
			out = append(out, path)
		}
		return err
	}))
	return out
}

// TestIndexDamaged damages the files of an index in several ways, before it is
// opened and while it is open: answers stay right, and the next index is whole.
func TestIndexDamaged(t *testing.T) {
	root := newRoot(t)
	module(t, root, 30)
	for _, ending := range []string{".view", ".segment"} {
		for name, damage := range map[string]func([]byte) []byte{
			"cut":     func(b []byte) []byte { return b[:len(b)/2] },
			"empty":   func([]byte) []byte { return nil },
			"foreign": func(b []byte) []byte { return bytes.Repeat([]byte("foreign "), len(b)/8) },
			"flipped": func(b []byte) []byte { c := slices.Clone(b); c[len(c)/3] ^= 8; return c },
			"format":  func(b []byte) []byte { c := slices.Clone(b); c[len(c)-12]++; return c },
		} {
			t.Run(ending+" "+name, func(t *testing.T) {
				cache := t.TempDir()
				w := openStored(t, root, cache)
				build(t, w)
				settle(t, w)
				build(t, w)
				for _, file := range files(t, cache, ending) {
					whole, err := os.ReadFile(file)
					check(t, err)
					check(t, os.Remove(file))
					check(t, os.WriteFile(file, damage(whole), 0o600))
				}
				again := openStored(t, root, cache)
				checkIndexed(t, again)
				build(t, again)
				checkIndexed(t, again)
				last := openStored(t, root, cache)
				s := last.Snapshot()
				defer s.Release()
				if n := s.Unindexed(); n != 0 {
					t.Errorf("%d files are not known after mending", n)
				}
				sameAsParsed(t, s)
			})
		}
	}
}

// TestIndexUnparsed indexes a file on which parsing is given up: it is not tried
// again with each lookup, and the other files are found.
func TestIndexUnparsed(t *testing.T) {
	root, cache := newRoot(t), t.TempDir()
	write(t, root, "hostile.ts", strings.Repeat(") a ", 60_000))
	write(t, root, "b.ts", "export const a = 1\n")
	w := openStored(t, root, cache)
	settle(t, w)
	build(t, w)
	s := openStored(t, root, cache).Snapshot()
	defer s.Release()
	if n := s.Unindexed(); n != 0 {
		t.Errorf("%d files are parsed with each lookup", n)
	}
	if got := s.Status().Skipped; len(got) != 1 || got[0].Path != "hostile.ts" || got[0].Reason != "takes too long to parse" {
		t.Errorf("skipped %v", got)
	}
	if got, err := s.Mentions(t.Context(), "a"); err != nil || !slices.Equal(got, []string{"b.ts"}) {
		t.Errorf("mentions %q, %v", got, err)
	}
}

// TestIndexKnown stores only what was outlined already.
func TestIndexKnown(t *testing.T) {
	root, cache := newRoot(t), t.TempDir()
	module(t, root, 30)
	w := openStored(t, root, cache)
	settle(t, w)
	s := w.Snapshot()
	_, err := s.Outline("p1/f1.go")
	check(t, err)
	s.Release()
	p, err := w.Index(t.Context(), index.IndexOptions{Known: true})
	check(t, err)
	if p.Files != 1 {
		t.Errorf("stored %+v, want one file", p)
	}
	again := openStored(t, root, cache).Snapshot()
	defer again.Release()
	if n := again.Unindexed(); n != 33 {
		t.Errorf("%d files to parse, want all but one of 34", n)
	}
	sameAsParsed(t, again)
}
