package tools

import (
	"context"
	"errors"
	"flag"
	"os"
	"path/filepath"
	"strings"
	"sync"
	"testing"

	"github.com/google/go-cmp/cmp"

	"codeintel/index"
	"codeintel/refs"
	"codeintel/symbols"
)

var update = flag.Bool("update", false, "rewrite the golden files")

// workspace writes files below a new root and opens it.
func workspace(t *testing.T, files map[string]string) *index.Workspace {
	t.Helper()
	root := t.TempDir()
	for name, text := range files {
		writeFile(t, filepath.Join(root, name), text)
	}
	ws, err := index.Open(t.Context(), root, index.Options{})
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { ws.Close() })
	return ws
}

func writeFile(t *testing.T, path, text string) {
	t.Helper()
	if err := os.MkdirAll(filepath.Dir(path), 0o755); err != nil {
		t.Fatal(err)
	}
	if err := os.WriteFile(path, []byte(text), 0o644); err != nil {
		t.Fatal(err)
	}
}

// words is a finder whose references are all identifiers of the name in files
// with a grammar, and whose declarations are the definitions of the name in the
// asked file. It stands for a server that binds every one of them; what servers
// really bind is tested in package refs.
type words struct {
	// finish changes the result before it is returned; may be nil.
	finish func(*refs.Result)
	places refs.Places
	err    error

	mu    sync.Mutex
	asked []refs.Query // guarded by mu
}

func (w *words) note(q refs.Query) {
	w.mu.Lock()
	defer w.mu.Unlock()
	w.asked = append(w.asked, q)
}

func (w *words) Find(_ context.Context, s *index.Snapshot, q refs.Query) (*refs.Result, error) {
	w.note(q)
	if w.err != nil {
		return nil, w.err
	}
	name := bare(q.Symbol)
	r := &refs.Result{
		Symbol: q.Symbol, Path: q.Path, Precision: refs.Exact,
		Coverage: refs.Coverage{Complete: true, Loaded: []string{"tsconfig.json"}},
		Servers:  []refs.Server{{Name: "fake-server", Version: "1.2.3"}},
	}
	declared := map[symbols.Range]bool{}
	for _, f := range s.Files() {
		o, err := s.Outline(f.Path)
		if err != nil {
			continue
		}
		doc, err := s.Document(f.Path)
		if err != nil {
			return nil, err
		}
		if f.Path == q.Path {
			for _, sym := range o.Lookup(q.Symbol) {
				declared[sym.Selection] = true
				p, _ := doc.OffsetPoint(sym.Selection.Start)
				end, _ := doc.OffsetPoint(sym.Range.End)
				r.Declarations = append(r.Declarations, refs.Declaration{Path: f.Path, Symbol: sym, Line: p.Line, Column: p.Column, EndLine: end.Line})
			}
		}
		for _, id := range o.Named(name) {
			r.References = append(r.References, refs.Reference{
				Location: located(doc, f.Path, id.Range), Precision: refs.Exact,
				Declaration: f.Path == q.Path && declared[id.Range],
			})
		}
	}
	r.Sort()
	if w.finish != nil {
		w.finish(r)
	}
	return r, nil
}

func located(doc *symbols.Document, path string, r symbols.Range) refs.Location {
	p, err := doc.OffsetPoint(r.Start)
	if err != nil {
		panic(err)
	}
	return refs.Location{Path: path, Range: r, Line: p.Line, Column: p.Column, EndColumn: p.Column + r.Len()}
}

func (w *words) answer(q refs.Query) (*refs.Places, error) {
	w.note(q)
	if w.err != nil {
		return nil, w.err
	}
	p := w.places
	p.Symbol, p.Path = q.Symbol, q.Path
	return &p, nil
}

func (w *words) Definition(_ context.Context, _ *index.Snapshot, q refs.Query) (*refs.Places, error) {
	return w.answer(q)
}

func (w *words) Implementations(_ context.Context, _ *index.Snapshot, q refs.Query) (*refs.Places, error) {
	return w.answer(q)
}

func (w *words) Callers(_ context.Context, _ *index.Snapshot, q refs.Query) (*refs.Places, error) {
	return w.answer(q)
}

func (w *words) Callees(_ context.Context, _ *index.Snapshot, q refs.Query) (*refs.Places, error) {
	return w.answer(q)
}

// code fails the test unless err is an *Error with a code, and returns it.
func code(t *testing.T, err error, want Code) *Error {
	t.Helper()
	var e *Error
	if !errors.As(err, &e) || e.Code != want {
		t.Fatalf("error %v, want one with code %s", err, want)
	}
	return e
}

func diff(t *testing.T, got, want string) {
	t.Helper()
	if d := cmp.Diff(strings.SplitAfter(want, "\n"), strings.SplitAfter(got, "\n")); d != "" {
		t.Errorf("differs from what is wanted (-want +got):\n%s", d)
	}
}
