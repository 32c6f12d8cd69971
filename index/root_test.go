package index_test

import (
	"context"
	"errors"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"codeintel/index"
)

func TestFindRoot(t *testing.T) {
	for _, c := range []struct {
		name  string
		files []string // a trailing slash makes a folder
		start string
		want  string // relative to the folder of all files
		why   string
	}{
		{"git folder", []string{"p/.git/", "p/a/b.go"}, "p/a/b.go", "p", "nearest .git"},
		{"git file", []string{"p/.git/", "p/sub/.git", "p/sub/a/b.go"}, "p/sub/a/b.go", "p/sub", "nearest .git"},
		{"git beats a nearer go.mod", []string{"p/.git/", "p/m/go.mod", "p/m/a.go"}, "p/m/a.go", "p", "nearest .git"},
		{"git beats an outer go.work", []string{"go.work", "p/.git/", "p/a.go"}, "p/a.go", "p", "nearest .git"},
		{"nearest go.work", []string{"go.work", "w/go.work", "w/m/go.mod", "w/m/a.go"}, "w/m/a.go", "w", "nearest go.work"},
		{"outermost marker", []string{"p/package.json", "p/q/tsconfig.json", "p/q/go.mod", "p/q/a.ts"}, "p/q/a.ts", "p", "outermost package.json"},
		{"outermost go.mod", []string{"p/go.mod", "p/q/package.json", "p/q/a.ts"}, "p/q/a.ts", "p", "outermost go.mod"},
		{"outermost tsconfig", []string{"p/tsconfig.json", "p/q/a.ts"}, "p/q", "p", "outermost tsconfig.json"},
		{"nothing", []string{"p/q/a.ts"}, "p/q/a.ts", "p/q", index.Unmarked},
		{"a folder", []string{"p/.git/", "p/q/"}, "p/q", "p", "nearest .git"},
		{"the root itself", []string{"p/.git/"}, "p", "p", "nearest .git"},
		{"missing file", []string{"p/.git/", "p/q/"}, "p/q/no/such/file.ts", "p", "nearest .git"},
	} {
		t.Run(c.name, func(t *testing.T) {
			dir := newRoot(t)
			plant(t, dir, c.files)
			got, why, err := index.FindRoot(filepath.Join(dir, c.start))
			if err != nil || got != filepath.Join(dir, c.want) || why != c.why {
				t.Errorf("FindRoot(%s) = %s, %q, %v; want %s, %q", c.start, strings.TrimPrefix(got, dir), why, err, c.want, c.why)
			}
		})
	}
}

func plant(t *testing.T, dir string, files []string) {
	t.Helper()
	for _, f := range files {
		if strings.HasSuffix(f, "/") {
			check(t, os.MkdirAll(filepath.Join(dir, f), 0o755))
		} else {
			write(t, dir, f, "")
		}
	}
}

func TestFindRootThroughLinks(t *testing.T) {
	dir := newRoot(t)
	plant(t, dir, []string{"p/.git/", "p/sub/a.go", "other/real.go"})
	link(t, dir, "short", "p/sub")
	link(t, dir, "p/linked.go", "../other/real.go")
	for _, start := range []string{"short/a.go", "short", "p/linked.go"} {
		if got, _, err := index.FindRoot(filepath.Join(dir, start)); err != nil || got != filepath.Join(dir, "p") {
			t.Errorf("FindRoot(%s) = %s, %v; want p", start, got, err)
		}
	}
}

// TestHomeIsNoRoot has markers in the home folder, as people who keep dotfiles in
// git do.
func TestHomeIsNoRoot(t *testing.T) {
	dir := filepath.Dir(newRoot(t)) // the home folder is in it
	plant(t, dir, []string{"home/.git/", "home/package.json", "home/notes/a.ts", "home/p/go.mod", "home/p/q/a.go", ".git/"})
	for start, want := range map[string]string{"home/notes/a.ts": "home/notes", "home/p/q/a.go": "home/p"} {
		if got, _, err := index.FindRoot(filepath.Join(dir, start)); err != nil || got != filepath.Join(dir, want) {
			t.Errorf("FindRoot(%s) = %s, %v; want %s", start, got, err, want)
		}
	}
	for _, start := range []string{"home", "home/a.go", ".", "/"} {
		if start != "/" {
			start = filepath.Join(dir, start)
		}
		got, _, err := index.FindRoot(start)
		var refused *index.RootError
		if !errors.As(err, &refused) || !strings.Contains(err.Error(), "--root") {
			t.Errorf("FindRoot(%s) = %q, %v; want a RootError that says what to do", start, got, err)
		}
		if _, err := index.Open(context.Background(), start, index.Options{}); start != filepath.Join(dir, "home/a.go") && !errors.As(err, &refused) {
			t.Errorf("Open(%s): error %v, want a RootError", start, err)
		}
	}
}

// TestHomeRepository has a project without a repository of its own in a home folder
// that is one and ignores everything.
func TestHomeRepository(t *testing.T) {
	dir := filepath.Dir(newRoot(t)) // the home folder is in it
	plant(t, dir, []string{"home/.git/", "home/p/a.go"})
	write(t, dir, "home/.gitignore", "*\n")
	if got := listed(open(t, filepath.Join(dir, "home/p"))); len(got) != 1 {
		t.Errorf("files %q, want a.go", got)
	}
}

func TestOpenErrors(t *testing.T) {
	dir := newRoot(t)
	write(t, dir, "file", "")
	if _, err := index.Open(context.Background(), filepath.Join(dir, "none"), index.Options{}); !isError(err, os.ErrNotExist) {
		t.Errorf("Open of a missing folder: %v", err)
	}
	var refused *index.RootError
	if _, err := index.Open(context.Background(), filepath.Join(dir, "file"), index.Options{}); !errors.As(err, &refused) {
		t.Errorf("Open of a file: %v", err)
	}
	ctx, cancel := context.WithCancel(context.Background())
	cancel()
	if _, err := index.Open(ctx, dir, index.Options{}); !isError(err, context.Canceled) {
		t.Errorf("Open after cancel: %v", err)
	}
}

// TestBadAccessFile has access files that cannot be read: nothing may be answered,
// because nobody knows what is forbidden.
func TestBadAccessFile(t *testing.T) {
	dir := newRoot(t)
	check(t, os.Mkdir(filepath.Join(dir, ".rooignore"), 0o755))
	if _, err := index.Open(context.Background(), dir, index.Options{}); !isError(err, index.ErrNotRegular) {
		t.Errorf("Open with a folder .rooignore: %v", err)
	}
	check(t, os.Remove(filepath.Join(dir, ".rooignore")))
	write(t, dir, ".clineignore", "!include .clineignore\n")
	if _, err := index.Open(context.Background(), dir, index.Options{}); err == nil || !strings.Contains(err.Error(), "circle") {
		t.Errorf("Open with a .clineignore that includes itself: %v", err)
	}
}
