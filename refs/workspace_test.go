package refs_test

import (
	"context"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"sort"
	"strings"
	"testing"

	"golang.org/x/tools/txtar"

	"codeintel/index"
	"codeintel/lsp"
	"codeintel/lsp/lsptest"
	"codeintel/refs"
	"codeintel/symbols"
)

// The archives of testdata/workspaces are workspaces with marks around names:
//
//	«=Name»  a definition of the symbol
//	«Name»   a reference
//	«~Name»  a reference that only following imports can find (syntactic)
//	«?Name»  an occurrence that the server cannot judge (unconfirmed)
//
// The marks are the truth, written by hand; they are taken out before the files
// are written. The comment holds the question and what else is expected.
type workspace struct {
	name       string
	symbol     string
	file       string
	at         symbols.Point // zero when the symbol's name is enough
	servers    []string
	incomplete int
	elsewhere  int // -1: not stated
	causes     []string
	cures      []string
	links      [][2]string
	builds     []string
	files      []txtar.File
	want       map[string]bool // see mark
}

// mark renders an expected or found occurrence.
func mark(path string, line, column int, role string) string {
	return fmt.Sprintf("%s:%d:%d %s", path, line, column, role)
}

func readWorkspace(t *testing.T, file string) *workspace {
	t.Helper()
	ar, err := txtar.ParseFile(file)
	if err != nil {
		t.Fatal(err)
	}
	w := &workspace{name: strings.TrimSuffix(filepath.Base(file), ".txtar"), want: map[string]bool{}, elsewhere: -1}
	for line := range strings.Lines(string(ar.Comment)) {
		w.directive(t, strings.TrimSpace(line))
	}
	for _, f := range ar.Files {
		text := w.takeMarks(f.Name, string(f.Data))
		w.files = append(w.files, txtar.File{Name: f.Name, Data: []byte(text)})
	}
	if w.symbol == "" {
		t.Fatalf("%s: no refs: line", file)
	}
	return w
}

func (w *workspace) directive(t *testing.T, line string) {
	key, value, ok := strings.Cut(line, ": ")
	if !ok {
		return
	}
	switch key {
	case "refs":
		w.symbol, w.file, _ = strings.Cut(value, " ")
	case "at":
		fmt.Sscanf(value, "%d:%d", &w.at.Line, &w.at.Column)
	case "server":
		w.servers = strings.Fields(value)
	case "incomplete":
		fmt.Sscan(value, &w.incomplete)
	case "elsewhere":
		fmt.Sscan(value, &w.elsewhere)
	case "cause":
		w.causes = append(w.causes, value)
	case "cure":
		w.cures = append(w.cures, value)
	case "link":
		from, to, ok := strings.Cut(value, " -> ")
		if !ok {
			t.Fatalf("bad link %q", value)
		}
		w.links = append(w.links, [2]string{from, to})
	case "build":
		w.builds = append(w.builds, value)
	}
}

// takeMarks removes the marks of one file and notes where they were.
func (w *workspace) takeMarks(path, text string) string {
	var out strings.Builder
	line, column := 1, 1
	for len(text) > 0 {
		rest, marked := strings.CutPrefix(text, "«")
		if !marked {
			if text[0] == '\n' {
				line, column = line+1, 0
			}
			out.WriteByte(text[0])
			text, column = text[1:], column+1
			continue
		}
		name, after, _ := strings.Cut(rest, "»")
		role := "reference"
		switch name[0] {
		case '=':
			role, name = "declaration", name[1:]
		case '~':
			role, name = "syntactic", name[1:]
		case '?':
			role, name = "unconfirmed", name[1:]
		}
		w.want[mark(path, line, column, role)] = true
		out.WriteString(name)
		column += len(name)
		text = after
	}
	return out.String()
}

// write lays the workspace out below dir, links and builds it.
func (w *workspace) write(t *testing.T, dir string) {
	t.Helper()
	for _, f := range w.files {
		writeFile(t, filepath.Join(dir, f.Name), string(f.Data))
	}
	for _, l := range w.links {
		from := filepath.Join(dir, filepath.FromSlash(l[0]))
		if err := os.MkdirAll(filepath.Dir(from), 0o755); err != nil {
			t.Fatal(err)
		}
		if err := os.Symlink(filepath.Join(dir, filepath.FromSlash(l[1])), from); err != nil {
			t.Fatal(err)
		}
	}
	for _, project := range w.builds {
		cmd := exec.Command(lsptest.Command(t, lsp.TypeScript)[0], "-p", filepath.Join(dir, filepath.FromSlash(project)))
		if out, err := cmd.CombinedOutput(); err != nil {
			t.Fatalf("building %s: %v\n%s", project, err, out)
		}
	}
}

func writeFile(t *testing.T, file, text string) {
	t.Helper()
	if err := os.MkdirAll(filepath.Dir(file), 0o755); err != nil {
		t.Fatal(err)
	}
	if err := os.WriteFile(file, []byte(text), 0o644); err != nil {
		t.Fatal(err)
	}
}

// TestWorkspaces asks the real servers about each workspace and compares the
// answer with its marks.
func TestWorkspaces(t *testing.T) {
	files, err := filepath.Glob("testdata/workspaces/*.txtar")
	if err != nil || len(files) == 0 {
		t.Fatalf("no workspaces: %v", err)
	}
	for _, file := range files {
		w := readWorkspace(t, file)
		t.Run(w.name, func(t *testing.T) {
			dir := tempRoot(t)
			w.write(t, dir)
			ws, finder := engine(t, dir, refs.Options{})
			s := ws.Snapshot()
			defer s.Release()
			r, err := finder.Find(context.Background(), s, refs.Query{Symbol: w.symbol, Path: w.file, Tier: refs.Exact})
			if err != nil {
				t.Fatal(err)
			}
			w.check(t, s, r)
		})
	}
}

func (w *workspace) check(t *testing.T, s *index.Snapshot, r *refs.Result) {
	t.Helper()
	got := map[string]bool{}
	for _, ref := range r.References {
		role := "reference"
		switch {
		case ref.Declaration:
			role = "declaration"
		case ref.Precision == refs.Syntactic:
			role = "syntactic"
		}
		got[mark(ref.Path, ref.Line, ref.Column, role)] = true
	}
	for _, u := range r.Unconfirmed {
		got[mark(u.Path, u.Line, u.Column, "unconfirmed")] = true
	}
	for _, line := range difference(w.want, got) {
		t.Errorf("missing %s", line)
	}
	for _, line := range difference(got, w.want) {
		t.Errorf("wrong   %s", line)
	}
	if complete := w.incomplete == 0; r.Coverage.Complete != complete || len(r.Unconfirmed) != w.incomplete {
		t.Errorf("complete %v with %d unconfirmed, want %v with %d; reason %q", r.Coverage.Complete, len(r.Unconfirmed), complete, w.incomplete, r.Reason)
	}
	if w.elsewhere >= 0 && r.Elsewhere != w.elsewhere {
		t.Errorf("elsewhere %d, want %d", r.Elsewhere, w.elsewhere)
	}
	w.checkCauses(t, r)
	var servers []string
	for _, v := range r.Servers {
		servers = append(servers, v.Name)
	}
	if want := strings.Join(w.servers, " "); strings.Join(servers, " ") != want {
		t.Errorf("servers %v, want %s", servers, want)
	}
}

func (w *workspace) checkCauses(t *testing.T, r *refs.Result) {
	t.Helper()
	var causes, cures strings.Builder
	for _, u := range r.Unconfirmed {
		causes.WriteString(u.Cause + "\n")
		cures.WriteString(u.Cure + "\n")
	}
	for _, c := range w.causes {
		if !strings.Contains(causes.String(), c) {
			t.Errorf("no unconfirmed occurrence has the cause %q; causes:\n%s", c, causes.String())
		}
	}
	for _, c := range w.cures {
		if !strings.Contains(cures.String(), c) {
			t.Errorf("no unconfirmed occurrence has the cure %q; cures:\n%s", c, cures.String())
		}
	}
}

func difference(a, b map[string]bool) []string {
	var out []string
	for k := range a {
		if !b[k] {
			out = append(out, k)
		}
	}
	sort.Strings(out)
	return out
}
