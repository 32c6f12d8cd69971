package symbols_test

import (
	"cmp"
	"fmt"
	"go/ast"
	"go/parser"
	"go/token"
	"os"
	"path/filepath"
	"reflect"
	"runtime"
	"slices"
	"strings"
	"sync"
	"sync/atomic"
	"testing"

	"codeintel/symbols"
)

// Go's own parser and the grammar must give the same outlines, and the same
// definitions as a walk over the syntax tree of go/ast gives that knows nothing of
// the table. All of Go's own sources are compared, every sixteenth with -short.
func TestAgreesWithGoParser(t *testing.T) {
	step := 1
	if testing.Short() {
		step = 16
	}
	var names []string
	err := filepath.WalkDir(corpus(t, ""), func(path string, e os.DirEntry, err error) error {
		if err == nil && e.Type().IsRegular() && strings.HasSuffix(path, ".go") {
			names = append(names, path)
		}
		return err
	})
	if err != nil || len(names) == 0 {
		t.Fatalf("%d Go sources: %v", len(names), err)
	}
	var next, definitions, compared atomic.Int64
	var group sync.WaitGroup
	for range runtime.GOMAXPROCS(0) {
		group.Go(func() {
			for i := next.Add(1) - 1; i < int64(len(names)); i = next.Add(1) - 1 {
				if int(i)%step == 0 {
					if n, ok := compareFile(t, names[i]); ok {
						definitions.Add(int64(n))
						compared.Add(1)
					}
				}
			}
		})
	}
	group.Wait()
	t.Logf("%d definitions in %d files; %d files have errors or are misread by the grammar", definitions.Load(), compared.Load(), len(names)/step-int(compared.Load()))
	if compared.Load()*100 < int64(len(names)/step)*95 {
		t.Errorf("only %d of %d files could be compared", compared.Load(), len(names)/step)
	}
}

// compareFile compares three outlines of a file and returns the number of
// definitions that can be reached by name; ok is false when they need not agree.
func compareFile(t *testing.T, name string) (n int, ok bool) {
	t.Helper()
	text, err := os.ReadFile(name)
	if err != nil {
		t.Error(err)
		return 0, false
	}
	files := token.NewFileSet()
	parsed, err := parser.ParseFile(files, name, text, parser.ParseComments|parser.SkipObjectResolution)
	if err != nil {
		return 0, false
	}
	o, err := symbols.Extract(symbols.NewDocument(name, text))
	if err != nil || len(o.Errors()) > 0 || o.Package() != parsed.Name.Name {
		t.Errorf("%s: %v, errors at %v, package %s", name, err, o.Errors(), o.Package())
		return 0, false
	}
	if !strings.Contains(name, "testdata") { // where the code is odd, the walk is too simple
		n = compareDefinitions(t, o, files, parsed)
	}
	return n, agrees(t, o, parsed)
}

// compareDefinitions compares the definitions that can be reached by name and
// returns their number.
func compareDefinitions(t *testing.T, o *symbols.Outline, files *token.FileSet, parsed *ast.File) int {
	t.Helper()
	var got []string
	for _, s := range o.Symbols() {
		if !s.Local && s.Scope == 0 {
			p, _ := o.Document().OffsetPoint(s.Selection.Start)
			got = append(got, fmt.Sprintf("%s %s %s", s.Qualified(), s.Kind, p))
		}
	}
	w := &goDefinitions{files: files}
	for _, d := range parsed.Decls {
		w.declaration(d)
	}
	slices.Sort(got)
	slices.Sort(w.found)
	if !slices.Equal(got, w.found) {
		t.Errorf("%s:\nonly here:\n%s\nonly there:\n%s", o.Document().Path(), missing(got, w.found), missing(w.found, got))
	}
	return len(got)
}

// agrees compares an outline with the one by the grammar. It returns false when
// the grammar finds a fault in correct code or is known to misread it.
func agrees(t testing.TB, o *symbols.Outline, parsed *ast.File) bool {
	t.Helper()
	want, err := symbols.ExtractByGrammar(o.Document())
	if err != nil {
		t.Error(err)
		return false
	}
	if len(want.Errors()) > 0 || misread(parsed) {
		return false
	}
	if d := difference(o, want); d != "" {
		t.Errorf("%s: %s", o.Document().Path(), d)
	}
	return true
}

// misread reports whether the grammar reads a source in another way without
// finding a fault: it takes names for types when more than nine parameters share
// one, and no literal for one when its type is nil, true, false or iota.
func misread(parsed *ast.File) bool {
	found := false
	ast.Inspect(parsed, func(n ast.Node) bool {
		switch n := n.(type) {
		case *ast.FuncType:
			for _, f := range slices.Concat(n.Params.List, resultsOf(n)) {
				found = found || len(f.Names) > 9
			}
		case *ast.CompositeLit:
			id, ok := n.Type.(*ast.Ident)
			found = found || ok && slices.Contains([]string{"nil", "true", "false", "iota"}, id.Name)
		}
		return !found
	})
	return found
}

func resultsOf(f *ast.FuncType) []*ast.Field {
	if f.Results == nil {
		return nil
	}
	return f.Results.List
}

// difference returns the first difference of two outlines, "" when they are equal.
func difference(got, want *symbols.Outline) string {
	if got.Package() != want.Package() {
		return fmt.Sprintf("package %q, want %q", got.Package(), want.Package())
	}
	return cmp.Or(
		firstDifference(got.Symbols(), want.Symbols()),
		firstDifference(got.Identifiers(), want.Identifiers()),
		firstDifference(got.Imports(), want.Imports()),
	)
}

func firstDifference[T any](got, want []T) string {
	for i := range max(len(got), len(want)) {
		switch {
		case i >= len(got):
			return fmt.Sprintf("lacks %+v", want[i])
		case i >= len(want):
			return fmt.Sprintf("has %+v", got[i])
		case !reflect.DeepEqual(got[i], want[i]):
			return fmt.Sprintf("has %+v, want %+v", got[i], want[i])
		}
	}
	return ""
}

func missing(from, in []string) string {
	var out []string
	for _, s := range from {
		if !slices.Contains(in, s) {
			out = append(out, s)
		}
	}
	return strings.Join(out, "\n")
}

// goDefinitions collects what a file's declarations define.
type goDefinitions struct {
	files *token.FileSet
	found []string
}

func (w *goDefinitions) add(container string, name *ast.Ident, kind symbols.Kind) {
	if name.Name == "_" && kind != symbols.Function {
		return
	}
	qualified := name.Name
	if container != "" {
		qualified = container + "." + qualified
	}
	p := w.files.PositionFor(name.Pos(), false)
	w.found = append(w.found, fmt.Sprintf("%s %s %d:%d", qualified, kind, p.Line, p.Column))
}

func (w *goDefinitions) declaration(d ast.Decl) {
	switch d := d.(type) {
	case *ast.FuncDecl:
		if d.Recv == nil {
			w.add("", d.Name, symbols.Function)
			return
		}
		w.add(receiver(d.Recv.List[0].Type), d.Name, symbols.Method)
	case *ast.GenDecl:
		for _, spec := range d.Specs {
			w.spec(d.Tok, spec)
		}
	}
}

func receiver(e ast.Expr) string {
	name := ""
	ast.Inspect(e, func(n ast.Node) bool {
		if id, ok := n.(*ast.Ident); ok && name == "" {
			name = id.Name
		}
		return name == ""
	})
	return name
}

func (w *goDefinitions) spec(tok token.Token, spec ast.Spec) {
	switch s := spec.(type) {
	case *ast.TypeSpec:
		kind := symbols.Type
		switch s.Type.(type) {
		case *ast.StructType:
			kind = symbols.Struct
		case *ast.InterfaceType:
			kind = symbols.Interface
		}
		if s.Assign.IsValid() {
			kind = symbols.Type
		}
		w.add("", s.Name, kind)
		w.members(s.Name.Name, s.Type)
	case *ast.ValueSpec:
		kind := symbols.Variable
		if tok == token.CONST {
			kind = symbols.Constant
		} else if len(s.Names) == 1 && len(s.Values) > 0 {
			if _, ok := s.Values[0].(*ast.FuncLit); ok {
				kind = symbols.Function
			}
		}
		for _, name := range s.Names {
			w.add("", name, kind)
		}
		container := ""
		if len(s.Names) == 1 && s.Names[0].Name != "_" {
			container = s.Names[0].Name
		}
		if s.Type != nil {
			w.members(container, s.Type)
		}
		for _, v := range s.Values {
			w.members(container, v)
		}
	}
}

// members collects the fields and methods of the types written in an expression,
// those in function bodies apart.
func (w *goDefinitions) members(container string, e ast.Expr) {
	ast.Inspect(e, func(n ast.Node) bool {
		switch n := n.(type) {
		case *ast.FuncLit, *ast.FuncType:
			return false
		case *ast.StructType:
			w.fields(container, n.Fields, symbols.Field)
			return false
		case *ast.InterfaceType:
			w.fields(container, n.Methods, symbols.Method)
			return false
		}
		return true
	})
}

func (w *goDefinitions) fields(container string, list *ast.FieldList, kind symbols.Kind) {
	for _, f := range list.List {
		for _, name := range f.Names {
			w.add(container, name, kind)
		}
		inner := container
		if len(f.Names) == 1 && f.Names[0].Name != "_" {
			inner = container + "." + f.Names[0].Name
			if container == "" {
				inner = f.Names[0].Name
			}
		}
		if _, isFunc := f.Type.(*ast.FuncType); !isFunc {
			w.members(inner, f.Type)
		}
	}
}
