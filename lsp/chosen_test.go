package lsp_test

import (
	"context"
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"time"
	"unicode/utf16"

	"github.com/rogpeppe/go-internal/txtar"
	"go.lsp.dev/protocol"

	"codeintel/lsp"
	"codeintel/lsp/lsptest"
)

// workspace is an archive on disk, its marks taken out. «name» marks an
// occurrence, «def:name» the one that is asked about.
type workspace struct {
	root  string
	texts map[string]string // by absolute path
	def   protocol.Location
	marks []string // "path:line:character", sorted, of all marks
}

func unpack(t *testing.T, a *txtar.Archive) *workspace {
	t.Helper()
	return unpackIn(t, t.TempDir(), a)
}

func unpackIn(t *testing.T, dir string, a *txtar.Archive) *workspace {
	t.Helper()
	root, err := filepath.EvalSymlinks(dir)
	if err != nil {
		t.Fatal(err)
	}
	w := &workspace{root: root, texts: map[string]string{}}
	for _, f := range a.Files {
		path := filepath.Join(root, filepath.FromSlash(f.Name))
		text := w.unmark(t, path, string(f.Data))
		if err := os.MkdirAll(filepath.Dir(path), 0o777); err != nil {
			t.Fatal(err)
		}
		if err := os.WriteFile(path, []byte(text), 0o666); err != nil {
			t.Fatal(err)
		}
		w.texts[path] = text
	}
	slices.Sort(w.marks)
	return w
}

// unmark takes the marks out of a text and notes where they stood.
func (w *workspace) unmark(t *testing.T, path, text string) string {
	t.Helper()
	var out strings.Builder
	for {
		before, rest, marked := strings.Cut(text, "«")
		out.WriteString(before)
		if !marked {
			return out.String()
		}
		name, after, closed := strings.Cut(rest, "»")
		if !closed {
			t.Fatalf("%s: a mark is not closed", path)
		}
		name, def := strings.CutPrefix(name, "def:")
		so := out.String()
		line := so[strings.LastIndexByte(so, '\n')+1:]
		pos := protocol.Position{Line: uint32(strings.Count(so, "\n")), Character: uint32(len(utf16.Encode([]rune(line))))}
		if def {
			u, err := lsp.URIOf(path)
			if err != nil {
				t.Fatal(err)
			}
			w.def = protocol.Location{URI: u, Range: protocol.Range{Start: pos}}
		}
		w.marks = append(w.marks, w.shown(path, pos))
		out.WriteString(name)
		text = after
	}
}

func (w *workspace) shown(path string, pos protocol.Position) string {
	rel, err := filepath.Rel(w.root, path)
	if err != nil {
		rel = path
	}
	return fmt.Sprintf("%s:%d:%d", filepath.ToSlash(rel), pos.Line, pos.Character)
}

// open opens all source files of the workspace in a server.
func (w *workspace) open(t *testing.T, s *lsp.Server) {
	t.Helper()
	for path, text := range w.texts {
		if id := languageID(path); id != "" {
			if err := s.Open(t.Context(), path, id, text); err != nil {
				t.Fatal(err)
			}
		}
	}
}

func languageID(path string) string {
	switch filepath.Ext(path) {
	case ".ts", ".mts", ".cts":
		return "typescript"
	case ".tsx":
		return "typescriptreact"
	case ".js", ".mjs", ".cjs":
		return "javascript"
	case ".go":
		return "go"
	case ".py":
		return "python"
	}
	return ""
}

// defPath is the file of the definition that is asked about.
func (w *workspace) defPath(t *testing.T) string {
	t.Helper()
	path, err := lsp.PathOf(w.def.URI)
	if err != nil {
		t.Fatal(err)
	}
	return path
}

// references asks for the references to the definition, as marks are shown.
func (w *workspace) references(ctx context.Context, t *testing.T, s *lsp.Server) []string {
	t.Helper()
	found, err := s.References(ctx, w.defPath(t), w.def.Range.Start, true)
	if err != nil {
		t.Fatal(err)
	}
	var out []string
	for _, l := range found {
		path, err := lsp.PathOf(l.URI)
		if err != nil {
			t.Fatal(err)
		}
		out = append(out, w.shown(path, l.Range.Start))
	}
	slices.Sort(out)
	return slices.Compact(out) // tsserver lists some locations twice
}

// In each workspace of testdata/chosen the server that is chosen answers
// completely.
func TestChosenServerIsComplete(t *testing.T) {
	archives, err := filepath.Glob("testdata/chosen/*.txtar")
	if err != nil || len(archives) == 0 {
		t.Fatal("no archives", err)
	}
	for _, name := range archives {
		t.Run(strings.TrimSuffix(filepath.Base(name), ".txtar"), func(t *testing.T) {
			a, err := txtar.ParseFile(name)
			if err != nil {
				t.Fatal(err)
			}
			_, server, _ := strings.Cut(string(a.Comment), "server: ")
			want := lsp.Kind(strings.TrimSpace(server))
			w := unpack(t, a)
			kind, reason, _ := lsp.Choose(w.root, w.defPath(t), []byte(w.texts[w.defPath(t)]))
			if kind != want {
				t.Fatalf("chose %s (%s), want %s", kind, reason, want)
			}
			s := lsptest.Server(t, lsptest.Pool(t, w.root), kind)
			w.open(t, s)
			if got := w.references(t.Context(), t, s); !slices.Equal(got, w.marks) {
				t.Errorf("%s (%s) gives %v\nwant %v", kind, reason, got, w.marks)
			}
			if testing.Verbose() && kind == lsp.TSServer {
				ts7 := lsptest.Server(t, lsptest.Pool(t, w.root), lsp.TypeScript)
				w.open(t, ts7)
				t.Logf("TypeScript 7 gives %d of %d", len(w.references(t.Context(), t, ts7)), len(w.marks))
			}
		})
	}
}

// use is the position of the first mark in the file of the definition that is
// not the definition.
func (w *workspace) use(t *testing.T) protocol.Position {
	t.Helper()
	def := w.shown(w.defPath(t), w.def.Range.Start)
	for _, mark := range w.marks {
		var p protocol.Position
		at := mark[len(mark)-len(positionOf(mark)):]
		if _, err := fmt.Sscanf(at, "%d:%d", &p.Line, &p.Character); err != nil {
			t.Fatal(err)
		}
		if mark != def && strings.TrimSuffix(mark, at) == strings.TrimSuffix(def, positionOf(def)) {
			return p
		}
	}
	t.Fatal("there is no use")
	return protocol.Position{}
}

// positionOf is the "line:character" at the end of a shown mark.
func positionOf(mark string) string {
	parts := strings.Split(mark, ":")
	return strings.Join(parts[len(parts)-2:], ":")
}

// eventually waits until a condition holds.
func eventually(t *testing.T, what string, holds func() bool) {
	t.Helper()
	for deadline := time.Now().Add(20 * time.Second); !holds(); {
		if time.Now().After(deadline) {
			t.Fatal("never: " + what)
		}
		<-time.After(5 * time.Millisecond)
	}
}
