package refs

import (
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"codeintel/index"
)

// projectsIn renders the projects of a workspace with these files, root-relative:
// "dir<paths-excluded".
func projectsIn(t *testing.T, files map[string]string) []string {
	t.Helper()
	for name, text := range files {
		file := filepath.Join(files["root"], filepath.FromSlash(name))
		if name == "root" {
			continue
		}
		if err := os.MkdirAll(filepath.Dir(file), 0o755); err != nil {
			t.Fatal(err)
		}
		if err := os.WriteFile(file, []byte(text), 0o644); err != nil {
			t.Fatal(err)
		}
	}
	ws, err := index.Open(t.Context(), files["root"], index.Options{})
	if err != nil {
		t.Fatal(err)
	}
	defer ws.Close()
	s := ws.Snapshot()
	defer s.Release()
	relative := func(dirs []string) string {
		var out []string
		for _, dir := range dirs {
			rel, err := filepath.Rel(s.Root(), dir)
			if err != nil {
				t.Fatal(err)
			}
			out = append(out, filepath.ToSlash(rel))
		}
		return strings.Join(out, " ")
	}
	var out []string
	for _, p := range pyProjects(s) {
		out = append(out, relative([]string{p.Dir})+" <"+relative(p.Paths)+" -"+relative(p.Exclude))
	}
	return out
}

func TestPyProjects(t *testing.T) {
	tests := []struct {
		name  string
		files []string // "path" or "path=text"
		want  []string
	}{
		{"none", []string{"a.py"}, []string{". < -"}},
		{"root", []string{"pyproject.toml", "src/a.py"}, []string{". < -"}},
		{"nested", []string{"setup.py", "src/a.py", "lib/setup.cfg", "lib/src/b.py", "lib/x/pyproject.toml", "lib/x/c.py"},
			[]string{". <lib/src lib lib/x -lib", "lib <src . lib/x -lib/x", "lib/x <lib/src lib src . -"}},
		{"beside", []string{"a/setup.py", "b/setup.py", "b/src/b.py"},
			[]string{". <a b/src b -a b", "a <. b/src b -", "b <. a -"}},
		{"no python", []string{"a.py", "docs/pyproject.toml", "docs/a.js"}, []string{". < -"}},
		{"configured root", []string{"pyrightconfig.json={}", "a/setup.py", "b/pyproject.toml=[tool.pyright]\n", "b/b.py"},
			[]string{". < -", "b < -"}},
		{"configured below", []string{"a/pyproject.toml=[tool.pyright]\n", "a/a.py", "a/x/setup.py", "b.py"},
			[]string{". <a -a", "a < -"}},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			files := map[string]string{"root": t.TempDir()}
			for _, f := range tt.files {
				name, text, _ := strings.Cut(f, "=")
				files[name] = text
			}
			if got := projectsIn(t, files); !slices.Equal(got, tt.want) {
				t.Errorf("got  %q\nwant %q", got, tt.want)
			}
		})
	}
}

// Of many projects the largest are taken, and the root always.
func TestPyProjectsMany(t *testing.T) {
	files := map[string]string{"root": t.TempDir(), "big/setup.cfg": "", "big/a.py": "", "big/b.py": ""}
	for i := range maxPyProjects + 5 {
		files[fmt.Sprintf("aa/p%03d/setup.py", i)] = ""
	}
	got := projectsIn(t, files)
	if len(got) != maxPyProjects || !strings.HasPrefix(got[0], ". ") || !strings.HasPrefix(got[len(got)-1], "big ") {
		t.Errorf("%d projects: %q", len(got), got)
	}
}
