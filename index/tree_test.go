package index_test

import (
	"context"
	"os"
	"path/filepath"
	"strings"
	"syscall"
	"testing"

	"github.com/google/go-cmp/cmp"
	"golang.org/x/tools/txtar"

	"codeintel/index"
)

// check ends the test on an error.
func check(t testing.TB, err error) {
	t.Helper()
	if err != nil {
		t.Fatal(err)
	}
}

// newRoot returns the real path of a new folder, with a home folder beside it that
// has no settings.
func newRoot(t testing.TB) string {
	t.Helper()
	dir, err := filepath.EvalSymlinks(t.TempDir())
	check(t, err)
	t.Setenv("HOME", filepath.Join(dir, "home"))
	t.Setenv("XDG_CONFIG_HOME", filepath.Join(dir, "home", ".config"))
	t.Setenv("GIT_CONFIG_NOSYSTEM", "1")
	check(t, os.MkdirAll(filepath.Join(dir, "home", ".config"), 0o755))
	root := filepath.Join(dir, "root")
	check(t, os.Mkdir(root, 0o755))
	return root
}

// write makes a file with the folders above it.
func write(t testing.TB, root, name, text string) {
	t.Helper()
	full := filepath.Join(root, filepath.FromSlash(name))
	check(t, os.MkdirAll(filepath.Dir(full), 0o755))
	check(t, os.WriteFile(full, []byte(text), 0o644))
}

// link makes a symbolic link with the folders above it.
func link(t testing.TB, root, name, target string) {
	t.Helper()
	full := filepath.Join(root, filepath.FromSlash(name))
	check(t, os.MkdirAll(filepath.Dir(full), 0o755))
	check(t, os.Symlink(target, full))
}

func open(t testing.TB, root string) *index.Workspace {
	t.Helper()
	w, err := index.Open(context.Background(), root, index.Options{})
	check(t, err)
	t.Cleanup(w.Close)
	return w
}

// paths returns the paths of the files of a snapshot.
func paths(s *index.Snapshot) []string {
	out := []string{}
	for _, f := range s.Files() {
		out = append(out, f.Path)
	}
	return out
}

// listed returns the paths of the files of a workspace now.
func listed(w *index.Workspace) []string {
	s := w.Snapshot()
	defer s.Release()
	return paths(s)
}

// TestTrees opens each tree of testdata/trees. The archive's comment may hold lines
// "root DIR" (what is opened), "link NAME TARGET" and "mkdir NAME"; a file name
// starting with "home/" is made in the home folder; "want" has the files listed,
// one a line.
func TestTrees(t *testing.T) {
	files, err := filepath.Glob("testdata/trees/*.txtar")
	check(t, err)
	if len(files) == 0 {
		t.Fatal("no trees")
	}
	for _, file := range files {
		t.Run(strings.TrimSuffix(filepath.Base(file), ".txtar"), func(t *testing.T) {
			archive, err := txtar.ParseFile(file)
			check(t, err)
			root := newRoot(t)
			opened := root
			var want string
			for _, f := range archive.Files {
				switch {
				case f.Name == "want":
					want = string(f.Data)
				case strings.HasPrefix(f.Name, "home/"):
					write(t, filepath.Dir(root), f.Name, string(f.Data))
				default:
					write(t, root, f.Name, string(f.Data))
				}
			}
			for _, line := range strings.Split(string(archive.Comment), "\n") {
				switch f := strings.Fields(line); {
				case len(f) == 2 && f[0] == "root":
					opened = filepath.Join(root, f[1])
				case len(f) == 2 && f[0] == "mkdir":
					check(t, os.MkdirAll(filepath.Join(root, f[1]), 0o755))
				case len(f) == 3 && f[0] == "link":
					link(t, root, f[1], f[2])
				}
			}
			got := strings.Join(listed(open(t, opened)), "\n")
			if diff := cmp.Diff(strings.TrimSpace(want), got); diff != "" {
				t.Errorf("files (-want +got):\n%s", diff)
			}
		})
	}
}

// TestSpecialFiles has what is neither file nor folder in the tree: nothing may
// wait for it.
func TestSpecialFiles(t *testing.T) {
	root := newRoot(t)
	write(t, root, "a.go", "package a\n")
	for _, name := range []string{"fifo", ".gitignore", ".ignore", "sub/.gitignore"} {
		write(t, root, name, "")
		check(t, os.Remove(filepath.Join(root, name)))
		check(t, syscall.Mkfifo(filepath.Join(root, name), 0o644))
	}
	link(t, root, "null", "/dev/null")
	link(t, root, "tofifo", "fifo")
	w := open(t, root)
	if diff := cmp.Diff([]string{"a.go"}, listed(w)); diff != "" {
		t.Errorf("files (-want +got):\n%s", diff)
	}
	s := w.Snapshot()
	defer s.Release()
	for _, name := range []string{"fifo", "tofifo"} {
		if _, err := s.Document(name); !isError(err, index.ErrNotRegular) {
			t.Errorf("Document(%q): error %v, want ErrNotRegular", name, err)
		}
	}
}

func TestUnreadableFolder(t *testing.T) {
	if os.Geteuid() == 0 {
		// Root may read everything; a folder that is gone between listing and
		// reading takes the same way and is not reported.
		t.Log("running as root: permissions cannot forbid reading")
	}
	root := newRoot(t)
	write(t, root, "open/a.go", "")
	write(t, root, "shut/b.go", "")
	check(t, os.Chmod(filepath.Join(root, "shut"), 0))
	defer os.Chmod(filepath.Join(root, "shut"), 0o755)
	s := open(t, root).Snapshot()
	defer s.Release()
	want := []string{"shut"}
	if _, err := os.ReadDir(filepath.Join(root, "shut")); err == nil {
		want = nil
	}
	if diff := cmp.Diff(want, s.Unreadable()); diff != "" {
		t.Errorf("unreadable (-want +got):\n%s", diff)
	}
}
