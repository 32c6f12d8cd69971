package lsp_test

import (
	"errors"
	"path/filepath"
	"slices"
	"testing"

	"github.com/rogpeppe/go-internal/txtar"
	"go.lsp.dev/protocol"

	"codeintel/lsp"
	"codeintel/lsp/lsptest"
)

// Each project imports from its own folder, hears of changed files, and keeps to
// what it has when it is told the same again.
func TestSetProjects(t *testing.T) {
	w := unpack(t, txtar.Parse([]byte("-- lib/pkg.py --\ndef «def:Tool»(): pass\n"+
		"-- lib/tests/pkg/__init__.py --\n-- lib/tests/one.py --\nimport pkg\npkg.Tool()\n-- pkg.py --\ndef Tool(): pass\n-- main.py --\nimport pkg\npkg.Tool()\n")))
	s := lsptest.Server(t, lsptest.Pool(t, w.root), lsp.Pyright)
	lib, def := filepath.Join(w.root, "lib"), filepath.Join(w.root, "lib/pkg.py")
	own := []lsp.Project{{Dir: w.root, Paths: []string{lib}, Exclude: []string{lib}}, {Dir: lib, Paths: []string{w.root}}}
	open := func() {
		t.Helper()
		if err := s.Open(t.Context(), def, "python", w.texts[def]); err != nil {
			t.Fatal(err)
		}
	}
	expect := func(step string, want ...string) {
		t.Helper()
		if got := w.files(t, s); !slices.Equal(got, want) {
			t.Errorf("%s: references in %v, want %v", step, got, want)
		}
	}
	open()
	expect("the root alone", "lib/pkg.py")
	if err := s.SetProjects(t.Context(), own); err != nil {
		t.Fatal(err)
	}
	if s.Opened(def) {
		t.Error("a document is still open in projects that are new")
	}
	open()
	expect("two projects", "lib/pkg.py", "lib/tests/one.py")
	if err := s.SetProjects(t.Context(), own); err != nil || !s.Opened(def) {
		t.Errorf("told the same again: %v, open %v", err, s.Opened(def))
	}
	w.write(t, "lib/tests/two.py", "import pkg\npkg.Tool()\n")
	w.write(t, "two.py", "import pkg\npkg.Tool()\n")
	w.events(t, s, protocol.FileChangeTypeCreated, "lib/tests/two.py", "two.py")
	expect("files created in both", "lib/pkg.py", "lib/tests/one.py", "lib/tests/two.py")
}

// Servers that find their projects themselves are not told.
func TestSetProjectsUnsupported(t *testing.T) {
	p := projects()[0]
	w := unpack(t, txtar.Parse([]byte(p.archive)))
	s := lsptest.Server(t, lsptest.Pool(t, w.root), p.kind)
	if err := s.SetProjects(t.Context(), nil); !errors.Is(err, lsp.ErrUnsupported) {
		t.Errorf("got %v, want ErrUnsupported", err)
	}
}
