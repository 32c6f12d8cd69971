package lsp

import (
	"os"
	"path/filepath"
	"testing"

	"go.lsp.dev/protocol"
)

func TestGopls(t *testing.T) {
	present(t, Gopls)
	root := t.TempDir()
	const text = "package a\n\nfunc F() {}\n\nfunc g() { F(); F() }\n"
	write(t, filepath.Join(root, "go.mod"), "module a\n\ngo 1.20\n")
	file := filepath.Join(root, "a.go")
	write(t, file, text)
	pool := NewPool(Options{Root: root, DataDir: testData(t)})
	defer pool.Close()
	s, err := pool.Server(t.Context(), Gopls)
	if err != nil {
		t.Fatal(err)
	}
	if err := s.Open(t.Context(), file, "go", text); err != nil {
		t.Fatal(err)
	}
	found, err := s.References(t.Context(), file, protocol.Position{Line: 2, Character: 5}, true)
	if err != nil || len(found) != 3 {
		t.Errorf("references: got %v, %v; want 3", found, err)
	}
	found, err = s.Definition(t.Context(), file, protocol.Position{Line: 4, Character: 11})
	if err != nil || len(found) != 1 || found[0].Range.Start.Line != 2 {
		t.Errorf("definition: got %v, %v; want line 2", found, err)
	}
}

func write(t *testing.T, path, text string) {
	t.Helper()
	if err := os.MkdirAll(filepath.Dir(path), 0o777); err != nil {
		t.Fatal(err)
	}
	if err := os.WriteFile(path, []byte(text), 0o666); err != nil {
		t.Fatal(err)
	}
}
