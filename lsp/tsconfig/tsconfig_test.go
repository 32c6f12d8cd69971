package tsconfig

import (
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/rogpeppe/go-internal/txtar"
)

// extract writes the files of an archive to a new folder.
func extract(t *testing.T, a *txtar.Archive) string {
	t.Helper()
	root, err := filepath.EvalSymlinks(t.TempDir())
	if err != nil {
		t.Fatal(err)
	}
	for _, f := range a.Files {
		path := filepath.Join(root, filepath.FromSlash(f.Name))
		if err := os.MkdirAll(filepath.Dir(path), 0o777); err != nil {
			t.Fatal(err)
		}
		if err := os.WriteFile(path, f.Data, 0o666); err != nil {
			t.Fatal(err)
		}
	}
	return root
}

// Each archive of testdata says in its comment, a line per file, which
// configurations govern it and which removed options they use.
func TestFor(t *testing.T) {
	archives, err := filepath.Glob("testdata/*.txtar")
	if err != nil || len(archives) == 0 {
		t.Fatal("no archives", err)
	}
	for _, name := range archives {
		t.Run(strings.TrimSuffix(filepath.Base(name), ".txtar"), func(t *testing.T) {
			a, err := txtar.ParseFile(name)
			if err != nil {
				t.Fatal(err)
			}
			root := extract(t, a)
			r := NewReader(root)
			checked := 0
			for line := range strings.Lines(string(a.Comment)) {
				file, want, ok := strings.Cut(strings.TrimSpace(line), ": ")
				if !ok || filepath.Ext(file) == "" {
					continue
				}
				checked++
				if got := described(root, r.For(filepath.Join(root, file))); got != want {
					t.Errorf("%s: got %s, want %s", file, got, want)
				}
			}
			if checked == 0 {
				t.Error("nothing was checked")
			}
		})
	}
}

func described(root string, configs []*Config) string {
	if len(configs) == 0 {
		return "-"
	}
	var out []string
	for _, c := range configs {
		rel, _ := filepath.Rel(root, c.Path)
		s := filepath.ToSlash(rel)
		if gone := c.Removed(); len(gone) > 0 {
			s += " " + strings.Join(gone, ", ")
		}
		if len(c.Missing) > 0 {
			s += " missing " + strings.Join(c.Missing, " ")
		}
		out = append(out, s)
	}
	return strings.Join(out, "; ")
}

// A byte order mark is no part of the text.
func TestByteOrderMark(t *testing.T) {
	root := t.TempDir()
	path := filepath.Join(root, "tsconfig.json")
	if err := os.WriteFile(path, []byte("\uFEFF{\"compilerOptions\": {\"baseUrl\": \".\"}}"), 0o666); err != nil {
		t.Fatal(err)
	}
	c, err := load(path, nil)
	if err != nil || !slices.Equal(c.Removed(), []string{"baseUrl"}) {
		t.Errorf("got %v, %v", c, err)
	}
}

// A package linked into node_modules is found, and what it extends is looked up
// from where it really is.
func TestExtendsLinkedPackage(t *testing.T) {
	root := extract(t, txtar.Parse([]byte(`
-- store/configs/tsconfig.json --
{"extends": "../base.json"}
-- store/base.json --
{"compilerOptions": {"baseUrl": "."}}
-- app/tsconfig.json --
{"extends": "configs"}
-- app/node_modules/.keep --
`)))
	if err := os.Symlink(filepath.Join(root, "store", "configs"), filepath.Join(root, "app", "node_modules", "configs")); err != nil {
		t.Skip(err)
	}
	got := described(root, NewReader(root).For(filepath.Join(root, "app", "a.ts")))
	if want := "app/tsconfig.json baseUrl"; got != want {
		t.Errorf("got %s, want %s", got, want)
	}
}

// Nothing above the root is looked at.
func TestForStaysBelowTheRoot(t *testing.T) {
	top := extract(t, txtar.Parse([]byte("-- tsconfig.json --\n{}\n-- go.mod --\n-- root/a.ts --\n")))
	root := filepath.Join(top, "root")
	file := filepath.Join(root, "a.ts")
	if got := NewReader(root).For(file); len(got) > 0 {
		t.Errorf("got %v", got[0].Path)
	}
	if got := Projects(root, file); len(got) > 0 {
		t.Errorf("projects %v", got)
	}
	if got := NewReader(root).For(filepath.Join(top, "b.ts")); len(got) > 0 {
		t.Errorf("outside: got %v", got[0].Path)
	}
	if got := Modules(top, file); !slices.Equal(got, []string{filepath.Join(top, "go.mod")}) {
		t.Errorf("modules %v", got)
	}
}

func TestProjects(t *testing.T) {
	root := extract(t, txtar.Parse([]byte(`
-- tsconfig.json --
-- package.json --
-- a/tsconfig.node.json --
-- a/tsconfig.app.json --
-- a/jsconfig.json --
-- a/tsconfig.md --
-- a/b/tsconfig.json/not-a-file --
-- a/b/c.ts --
-- a/go.mod --
-- d/tsconfig.json --
`)))
	var got []string
	for _, p := range Projects(root, filepath.Join(root, "a", "b", "c.ts")) {
		rel, _ := filepath.Rel(root, p)
		got = append(got, filepath.ToSlash(rel))
	}
	want := []string{"a/jsconfig.json", "a/tsconfig.app.json", "a/tsconfig.node.json", "tsconfig.json"}
	if !slices.Equal(got, want) {
		t.Errorf("got %v, want %v", got, want)
	}
}

// What is no regular file is not read, whatever it would do to the reader.
func TestReadOnlyFiles(t *testing.T) {
	if _, err := read(t.TempDir()); err == nil {
		t.Error("a folder was read")
	}
	if _, err := read("/dev/zero"); err == nil {
		t.Error("a device was read")
	}
}
