package symbols_test

import (
	"fmt"
	"go/ast"
	"go/parser"
	"go/token"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"codeintel/symbols"
)

// Go's own parser must find the same definitions, with the same containers, at
// the same places.
func TestAgreesWithGoParser(t *testing.T) {
	root := corpus(t, "")
	dirs := []string{"net/http", "go/types", "encoding/json", "sync/atomic", "cmp", "slices", "iter", "reflect", "os", "text/template"}
	if os.Getenv("CODEINTEL_CORPUS") != "" {
		dirs = goFolders(t, root)
	}
	files, definitions := 0, 0
	for _, dir := range dirs {
		names, err := filepath.Glob(filepath.Join(root, dir, "*.go"))
		if err != nil {
			t.Fatal(err)
		}
		for _, name := range names {
			definitions += compareWithGoParser(t, name)
			files++
		}
	}
	t.Logf("%d definitions in %d files", definitions, files)
	if files == 0 {
		t.Error("no Go sources")
	}
}

func goFolders(t *testing.T, root string) []string {
	t.Helper()
	var out []string
	err := filepath.WalkDir(root, func(path string, e os.DirEntry, err error) error {
		if err == nil && e.IsDir() {
			rel, _ := filepath.Rel(root, path)
			out = append(out, rel)
		}
		return err
	})
	if err != nil {
		t.Fatal(err)
	}
	return out
}

func compareWithGoParser(t *testing.T, name string) int {
	t.Helper()
	text, err := os.ReadFile(name)
	if err != nil {
		t.Fatal(err)
	}
	files := token.NewFileSet()
	parsed, err := parser.ParseFile(files, name, text, parser.ParseComments|parser.SkipObjectResolution)
	if err != nil {
		return 0
	}
	var got []string
	o := extract(t, name, string(text))
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
	if g, want := strings.Join(got, "\n"), strings.Join(w.found, "\n"); g != want {
		t.Errorf("%s:\nonly here:\n%s\nonly there:\n%s", name, missing(got, w.found), missing(w.found, got))
	}
	if len(o.Errors()) > 0 || o.Package() != parsed.Name.Name {
		t.Errorf("%s: errors at %v, package %s", name, o.Errors(), o.Package())
	}
	return len(got)
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
