package index_test

import (
	"context"
	"fmt"
	"os"
	"path"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"codeintel/index"
)

// TestCheckout goes back and forth between two branches that differ in thousands
// of files and hundreds of folders, as a user does with git, and compares every
// state with what git says is there.
func TestCheckout(t *testing.T) {
	root := newRoot(t)
	if differing := branches(t, root); len(differing) < 2500 {
		t.Fatalf("the branches differ in only %d paths", len(differing))
	}
	w := open(t, root)
	for i, branch := range []string{"other", "main", "other"} {
		old := w.Snapshot()
		before := sample(t, old, i)
		was := tracked(t, root)
		run(t, root, "git", "checkout", "-q", branch)
		check(t, w.Refresh(context.Background()))
		now := w.Snapshot()
		want := tracked(t, root)
		if diff := cmp.Diff(want, paths(now)); diff != "" {
			t.Errorf("%s: files (-git +got):\n%s", branch, diff)
		}
		if diff := cmp.Diff(folders(want), folders(paths(now))); diff != "" {
			t.Errorf("%s: folders (-git +got):\n%s", branch, diff)
		}
		checkTexts(t, root, now, i)
		for p, text := range before {
			if doc, err := old.Document(p); err != nil || string(doc.Text()) != text {
				t.Errorf("%s: %s of the old snapshot is another (error %v)", branch, p, err)
			}
		}
		checkDiff(t, root, now.Diff(old), was, want)
		old.Release()
		now.Release()
		if t.Failed() {
			t.FailNow()
		}
	}
	settle(t, w)
	idle := w.Snapshot()
	defer idle.Release()
	check(t, w.Refresh(context.Background()))
	if after := w.Snapshot(); after != idle {
		t.Error("a new snapshot though nothing has changed")
	} else {
		after.Release()
	}
}

// branches makes a repository with the branches main, which is checked out, and
// other, and returns the paths that git says differ.
func branches(t *testing.T, root string) []string {
	t.Helper()
	git := func(args ...string) {
		run(t, root, "git", append([]string{"-c", "user.name=n", "-c", "user.email=e@e"}, args...)...)
	}
	git("init", "-q", "-b", "main")
	text := func(name string, version int) string {
		return fmt.Sprintf("package p\n\n// %s, version %d\n", name, version)
	}
	for d := range 200 {
		for f := range 20 {
			name := fmt.Sprintf("m%02d/p%03d/file%02d.go", d%10, d, f)
			write(t, root, name, text(name, 1))
		}
	}
	git("add", ".")
	git("commit", "-qm", "main")
	git("checkout", "-qb", "other")
	for d := range 200 {
		dir := fmt.Sprintf("m%02d/p%03d", d%10, d)
		switch d % 8 {
		case 0: // removed with its folder
			check(t, os.RemoveAll(filepath.Join(root, dir)))
		case 1: // renamed folders
			check(t, os.MkdirAll(filepath.Join(root, "moved"), 0o755))
			check(t, os.Rename(filepath.Join(root, dir), filepath.Join(root, "moved", fmt.Sprintf("q%03d", d))))
		case 2: // edited, some without a change of size
			for f := range 20 {
				name := fmt.Sprintf("%s/file%02d.go", dir, f)
				write(t, root, name, text(name, 2+f%2*100))
			}
		case 3: // deep new folders beside
			for f := range 20 {
				name := fmt.Sprintf("%s/new/a%d/b%d/file.go", dir, f%3, f)
				write(t, root, name, text(name, 1))
			}
		case 4: // a file becomes a folder, another goes
			check(t, os.Remove(filepath.Join(root, dir, "file00.go")))
			write(t, root, dir+"/file00.go/inside.go", text(dir, 3))
			check(t, os.Remove(filepath.Join(root, dir, "file01.go")))
		case 5: // swapped names
			a, b := filepath.Join(root, dir, "file02.go"), filepath.Join(root, dir, "file03.go")
			check(t, os.Rename(a, a+".tmp"))
			check(t, os.Rename(b, a))
			check(t, os.Rename(a+".tmp", b))
		}
	}
	git("add", "-A", ".")
	git("commit", "-qm", "other")
	differing := run(t, root, "git", "diff", "-z", "--name-only", "--no-renames", "main", "other")
	git("checkout", "-q", "main")
	return differing
}

// tracked returns what git says is in the working tree, sorted.
func tracked(t *testing.T, root string) []string {
	t.Helper()
	return run(t, root, "git", "ls-files", "-z", "--cached", "--others", "--exclude-standard")
}

// folders returns the folders of files, those above them included, sorted.
func folders(files []string) []string {
	seen := map[string]bool{}
	for _, f := range files {
		for d := path.Dir(f); d != "."; d = path.Dir(d) {
			seen[d] = true
		}
	}
	var out []string
	for d := range seen {
		out = append(out, d)
	}
	slices.Sort(out)
	return out
}

// sample reads every seventh document of a snapshot, others in each round.
func sample(t *testing.T, s *index.Snapshot, round int) map[string]string {
	t.Helper()
	out := map[string]string{}
	for i, f := range s.Files() {
		if i%7 == round%7 {
			doc, err := s.Document(f.Path)
			check(t, err)
			out[f.Path] = string(doc.Text())
		}
	}
	return out
}

// checkTexts compares a sample of documents, and all of their sizes, with disk.
func checkTexts(t *testing.T, root string, s *index.Snapshot, round int) {
	t.Helper()
	for p, got := range sample(t, s, round) {
		want, err := os.ReadFile(filepath.Join(root, p))
		check(t, err)
		if got != string(want) {
			t.Errorf("%s: text %q, on disk %q", p, got, want)
		}
	}
	for _, f := range s.Files() {
		if info, err := os.Stat(filepath.Join(root, f.Path)); err != nil || info.Size() != f.Size {
			t.Errorf("%s: size %d (error %v)", f.Path, f.Size, err)
		}
	}
}

// checkDiff compares changes with git's lists before and after, and with git's
// word for which of the files that stayed differ.
func checkDiff(t *testing.T, root string, got []index.Change, was, is []string) {
	t.Helper()
	edited := map[string]bool{}
	for _, p := range run(t, root, "git", "diff", "-z", "--name-only", "--diff-filter=M", "--no-renames", "main", "other") {
		edited[p] = true
	}
	var want []string
	before, after := set(was), set(is)
	for _, p := range was {
		if !after[p] {
			want = append(want, "-"+p)
		} else if edited[p] {
			want = append(want, "~"+p)
		}
	}
	for _, p := range is {
		if !before[p] {
			want = append(want, "+"+p)
		}
	}
	slices.SortFunc(want, func(a, b string) int { return strings.Compare(a[1:], b[1:]) })
	if diff := cmp.Diff(want, changes(got)); diff != "" {
		t.Errorf("changes (-git +got):\n%s", diff)
	}
}

func set(list []string) map[string]bool {
	out := map[string]bool{}
	for _, p := range list {
		out[p] = true
	}
	return out
}
