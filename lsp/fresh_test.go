package lsp_test

import (
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/rogpeppe/go-internal/txtar"
	"go.lsp.dev/protocol"

	"codeintel/lsp"
	"codeintel/lsp/lsptest"
)

// project is the same small program in one language: a definition, a use in a
// file that is never opened, and what one more use is written as.
type project struct {
	kind    lsp.Kind
	archive string
	def     string // file of the definition
	user    string // file with a use, not opened
	fresh   string // a file to be created, in a new folder
	use     string // text of a file with one use
	unused  string // text of a file without a use
}

func projects() []project {
	return []project{
		{lsp.Gopls, "-- go.mod --\nmodule m\n\ngo 1.20\n-- a/a.go --\npackage a\n\nfunc «def:Tool»() {}\n-- b/b.go --\npackage b\n\nimport \"m/a\"\n\nfunc f() { a.Tool() }\n",
			"a/a.go", "b/b.go", "c/d/new.go",
			"package b\n\nimport \"m/a\"\n\nfunc f() { a.Tool() }\n", "package b\n"},
		{lsp.TypeScript, "-- tsconfig.json --\n{}\n-- a.ts --\nexport function «def:Tool»() {}\n-- b.ts --\nimport * as a from \"./a\";\na.Tool();\n",
			"a.ts", "b.ts", "c/d/new.ts",
			"import * as a from \"../../a\";\na.Tool();\n", "export {}\n"},
		{lsp.TSServer, "-- tsconfig.json --\n{\"compilerOptions\":{\"baseUrl\":\".\",\"ignoreDeprecations\":\"6.0\"}}\n-- a.ts --\nexport function «def:Tool»() {}\n-- b.ts --\nimport * as a from \"a\";\na.Tool();\n",
			"a.ts", "b.ts", "c/d/new.ts",
			"import * as a from \"a\";\na.Tool();\n", "export {}\n"},
		{lsp.Pyright, "-- a.py --\ndef «def:Tool»(): pass\n-- b.py --\nimport a\na.Tool()\n",
			"a.py", "b.py", "c/d/new.py",
			"import a\na.Tool()\n", "pass\n"},
	}
}

// events tells a server of changes of files.
func (w *workspace) events(t *testing.T, s *lsp.Server, kind protocol.FileChangeType, names ...string) {
	t.Helper()
	var out []*protocol.FileEvent
	for _, name := range names {
		u, err := lsp.URIOf(filepath.Join(w.root, name))
		if err != nil {
			t.Fatal(err)
		}
		out = append(out, &protocol.FileEvent{URI: u, Type: kind})
	}
	if err := s.WatchedFiles(t.Context(), out); err != nil {
		t.Fatal(err)
	}
}

func (w *workspace) write(t *testing.T, name, text string) {
	t.Helper()
	path := filepath.Join(w.root, name)
	if err := os.MkdirAll(filepath.Dir(path), 0o777); err != nil {
		t.Fatal(err)
	}
	if err := os.WriteFile(path, []byte(text), 0o666); err != nil {
		t.Fatal(err)
	}
}

// files are the files, not the lines, that have references.
func (w *workspace) files(t *testing.T, s *lsp.Server) []string {
	t.Helper()
	var out []string
	for _, mark := range w.references(t.Context(), t, s) {
		name, _, _ := strings.Cut(mark, ":")
		out = append(out, name)
	}
	return slices.Compact(out)
}

// What has changed on disk, and the server was told of, is in the very next
// answer, however often.
func TestNextAnswerIsFresh(t *testing.T) {
	for _, p := range projects() {
		t.Run(string(p.kind), func(t *testing.T) {
			w := unpack(t, txtar.Parse([]byte(p.archive)))
			s := lsptest.Server(t, lsptest.Pool(t, w.root), p.kind)
			def := filepath.Join(w.root, p.def)
			if err := s.Open(t.Context(), def, languageID(def), w.texts[def]); err != nil {
				t.Fatal(err)
			}
			expect := func(step string, want ...string) {
				t.Helper()
				if got := w.files(t, s); !slices.Equal(got, want) {
					t.Errorf("%s: references in %v, want %v", step, got, want)
				}
			}
			expect("first", p.def, p.user)
			for range 3 {
				w.write(t, p.user, p.unused)
				w.events(t, s, protocol.FileChangeTypeChanged, p.user)
				expect("use removed", p.def)
				w.write(t, p.user, w.texts[filepath.Join(w.root, p.user)])
				w.events(t, s, protocol.FileChangeTypeChanged, p.user)
				expect("use put back", p.def, p.user)
				w.write(t, p.fresh, p.use)
				w.events(t, s, protocol.FileChangeTypeCreated, p.fresh)
				expect("file created", p.def, p.user, p.fresh)
				if err := os.RemoveAll(filepath.Join(w.root, filepath.Dir(filepath.Dir(p.fresh)))); err != nil {
					t.Fatal(err)
				}
				w.events(t, s, protocol.FileChangeTypeDeleted, p.fresh)
				expect("file deleted", p.def, p.user)
			}
		})
	}
}

// A text given to the server counts before what is on disk, until it is closed.
func TestOpenTextCounts(t *testing.T) {
	for _, p := range projects() {
		t.Run(string(p.kind), func(t *testing.T) {
			w := unpack(t, txtar.Parse([]byte(p.archive)))
			s := lsptest.Server(t, lsptest.Pool(t, w.root), p.kind)
			def, user := filepath.Join(w.root, p.def), filepath.Join(w.root, p.user)
			do := func(err error) {
				t.Helper()
				if err != nil {
					t.Fatal(err)
				}
			}
			do(s.Open(t.Context(), def, languageID(def), w.texts[def]))
			expect := func(step string, want ...string) {
				t.Helper()
				if got := w.files(t, s); !slices.Equal(got, want) {
					t.Errorf("%s: references in %v, want %v", step, got, want)
				}
			}
			do(s.Open(t.Context(), user, languageID(user), p.unused))
			expect("opened without the use", p.def)
			do(s.Change(t.Context(), user, w.texts[user]))
			expect("changed", p.def, p.user)
			do(s.Change(t.Context(), user, p.unused))
			expect("changed back", p.def)
			do(s.Close(t.Context(), user))
			expect("closed", p.def, p.user)
			if s.Opened(user) || !s.Opened(def) {
				t.Error("Opened is wrong")
			}
		})
	}
}

// Gopls is made to look at many new packages at once, too.
func TestManyNewPackages(t *testing.T) {
	p := projects()[0]
	w := unpack(t, txtar.Parse([]byte(p.archive)))
	s := lsptest.Server(t, lsptest.Pool(t, w.root), p.kind)
	want := []string{p.def, p.user}
	if got := w.files(t, s); !slices.Equal(got, want) {
		t.Fatalf("first: got %v", got)
	}
	var names []string
	for _, dir := range []string{"c1", "c2", "c3", "c4", "c5"} {
		for _, name := range []string{"x.go", "y.go"} {
			names = append(names, dir+"/"+name)
			w.write(t, dir+"/"+name, strings.Replace(p.use, "func f", "func "+name[:1], 1))
		}
	}
	w.events(t, s, protocol.FileChangeTypeCreated, names...)
	if got := w.files(t, s); !slices.Equal(got, append(want, names...)) {
		t.Errorf("got %v", got)
	}
	if s.Kind() != lsp.Gopls || s.Name() != "gopls" || s.Memory() <= 0 {
		t.Errorf("it is %s %s with %d bytes", s.Kind(), s.Name(), s.Memory())
	}
}
