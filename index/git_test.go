package index_test

import (
	"bytes"
	"math/rand"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
)

// run runs a program in dir and returns what it prints, cut at NULs and sorted.
func run(t *testing.T, dir, name string, args ...string) []string {
	t.Helper()
	cmd := exec.Command(name, args...)
	cmd.Dir = dir
	var stderr bytes.Buffer
	cmd.Stderr = &stderr
	out, err := cmd.Output()
	if err != nil && !(name == "rg" && cmd.ProcessState.ExitCode() == 1) {
		t.Fatalf("%s %q: %v\n%s", name, args, err, stderr.Bytes())
	}
	lines := strings.FieldsFunc(string(out), func(r rune) bool { return r == 0 })
	slices.Sort(lines)
	return lines
}

// grow makes a random tree with ignore files of the given names in it.
func grow(t *testing.T, r *rand.Rand, root string, ignoreFiles ...string) {
	t.Helper()
	names := []string{"a", "b", "ab", "a.go", "b.txt", "c.log", ".h", "gen", "src"}
	lines := []string{"a", "/a", "a/", "*.go", "*.log", "!*.log", "!a.go", "gen/", "!gen", "/src/*", "!/src/a", "**/b", "a/**", ".*", "!.gitignore", "src/**/b.txt", "a*", "*", "!*/", "!*.txt", "# c", ""}
	var plant func(dir string, depth int)
	plant = func(dir string, depth int) {
		for _, name := range names {
			switch p := filepath.Join(dir, name); {
			case depth > 0 && r.Intn(3) == 0:
				check(t, os.Mkdir(filepath.Join(root, p), 0o755))
				plant(p, depth-1)
			case r.Intn(2) == 0:
				write(t, root, p, "x")
			}
		}
		for _, name := range ignoreFiles {
			if r.Intn(3) > 0 {
				continue
			}
			var text strings.Builder
			for range 1 + r.Intn(4) {
				text.WriteString(lines[r.Intn(len(lines))] + "\n")
			}
			write(t, root, filepath.Join(dir, name), text.String())
		}
	}
	plant(".", 3)
}

// TestFilesAgainstGit compares the files of random repositories, and of folders in
// them, with what git says is neither tracked nor ignored.
func TestFilesAgainstGit(t *testing.T) {
	r := rand.New(rand.NewSource(5))
	for range 8 {
		root := newRoot(t)
		run(t, root, "git", "init", "-q")
		grow(t, r, root, ".gitignore")
		write(t, root, ".git/info/exclude", "*.log\n!gen/\nsrc/a\n")
		write(t, filepath.Dir(root), "home/.config/git/ignore", "b.txt\n!a\n/ab\n")
		for _, sub := range []string{".", "src", "a"} {
			dir := filepath.Join(root, sub)
			if info, err := os.Stat(dir); err != nil || !info.IsDir() {
				continue
			}
			if sub != "." && len(run(t, root, "git", "ls-files", "-zo", "--exclude-standard", "--directory", sub)) == 0 {
				continue // ignored as a whole: git lists nothing, a root is listed
			}
			want := run(t, dir, "git", "ls-files", "-zo", "--exclude-standard")
			if diff := cmp.Diff(want, listed(open(t, dir))); diff != "" {
				out, _ := exec.Command("sh", "-c", "cd "+root+" && head -50 $(find . -name .gitignore)").Output()
				t.Fatalf("files of %s (-git +got):\n%s\n%s", sub, diff, out)
			}
		}
	}
}

// TestFilesAgainstRipgrep compares the files of random trees that have .ignore and
// .gitignore files with the list of rg.
func TestFilesAgainstRipgrep(t *testing.T) {
	if _, err := exec.LookPath("rg"); err != nil {
		t.Skip("rg is not on PATH")
	}
	r := rand.New(rand.NewSource(6))
	for range 8 {
		root := newRoot(t)
		run(t, root, "git", "init", "-q")
		grow(t, r, root, ".gitignore", ".ignore")
		want := run(t, root, "rg", "--no-config", "--files", "--hidden", "-0", "--glob=!.git/")
		if diff := cmp.Diff(want, listed(open(t, root))); diff != "" {
			out, _ := exec.Command("sh", "-c", "cd "+root+" && head -50 $(find . -name .gitignore -o -name .ignore)").Output()
			t.Fatalf("files (-rg +got):\n%s\n%s", diff, out)
		}
	}
}
