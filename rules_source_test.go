package codeintel_test

import (
	"go/ast"
	"go/parser"
	"go/token"
	"io/fs"
	"os"
	"path"
	"path/filepath"
	"regexp"
	"slices"
	"strconv"
	"strings"
	"testing"
)

// sourceFile is a parsed Go file of this module.
type sourceFile struct {
	name  string // slash path
	lines int
	ast   *ast.File
	fset  *token.FileSet
}

func (f sourceFile) test() bool { return strings.HasSuffix(f.name, "_test.go") }

func (f sourceFile) at(n ast.Node) string {
	return f.name + ":" + strconv.Itoa(f.fset.Position(n.Pos()).Line)
}

// sources parses every Go file of the module, whatever system it is for.
func sources(t *testing.T) []sourceFile {
	t.Helper()
	var out []sourceFile
	err := filepath.WalkDir(".", func(name string, d fs.DirEntry, err error) error {
		if err != nil {
			return err
		}
		base := d.Name()
		if d.IsDir() && name != "." && (base == "testdata" || base == "node_modules" || strings.HasPrefix(base, ".") || strings.HasPrefix(base, "_")) {
			return filepath.SkipDir
		}
		if d.IsDir() || !strings.HasSuffix(base, ".go") {
			return nil
		}
		text, err := os.ReadFile(name)
		if err != nil {
			return err
		}
		f := sourceFile{name: filepath.ToSlash(name), lines: strings.Count(string(text), "\n"), fset: token.NewFileSet()}
		f.ast, err = parser.ParseFile(f.fset, name, text, parser.ParseComments)
		out = append(out, f)
		return err
	})
	if err != nil {
		t.Fatal(err)
	}
	return out
}

// TestImportsOfFiles checks the imports of every file against the layer table:
// also of tests, and of files for other systems, which go list passes over.
func TestImportsOfFiles(t *testing.T) {
	for _, f := range sources(t) {
		folder := path.Dir(f.name)
		if folder == "." {
			continue
		}
		r, ok := roomOf(folder)
		if !ok {
			t.Errorf("%s is in no room", f.name)
			continue
		}
		allowed := exceptions()[f.name]
		if f.test() {
			allowed = forTests()
		}
		for _, spec := range f.ast.Imports {
			imported, err := strconv.Unquote(spec.Path.Value)
			if err != nil {
				t.Fatal(err)
			}
			if !strings.HasPrefix(imported, module+"/") && !strings.Contains(strings.Split(imported, "/")[0], ".") {
				continue // the standard library
			}
			checkImport(t, f.name, r, imported, allowed)
		}
	}
}

// TestForbiddenCalls looks for what hides waiting, and where contexts begin.
func TestForbiddenCalls(t *testing.T) {
	for _, f := range sources(t) {
		if f.test() {
			continue
		}
		isMain := f.ast.Name.Name == "main"
		ast.Inspect(f.ast, func(n ast.Node) bool {
			switch n := n.(type) {
			case *ast.FuncDecl:
				if n.Name.Name == "init" && n.Recv == nil {
					t.Errorf("%s: init function: call it from where it is needed", f.at(n))
				}
			case *ast.SelectorExpr:
				if x, ok := n.X.(*ast.Ident); ok {
					checkCall(t, f, n, x.Name+"."+n.Sel.Name, isMain)
				}
			}
			return true
		})
	}
}

func checkCall(t *testing.T, f sourceFile, n ast.Node, name string, isMain bool) {
	t.Helper()
	switch name {
	case "time.Sleep":
		t.Errorf("%s: %s: wait for a condition instead", f.at(n), name)
	case "context.Background", "context.TODO":
		if !isMain {
			t.Errorf("%s: %s: take the caller's context", f.at(n), name)
		}
	}
}

// TestDocumentation checks that every package has its documentation in doc.go, or
// in its only file, and that every exported name has a comment.
func TestDocumentation(t *testing.T) {
	files, documented := map[string]int{}, map[string]bool{}
	for _, f := range sources(t) {
		if f.test() {
			continue
		}
		folder := path.Dir(f.name)
		files[folder]++
		if f.ast.Doc != nil {
			documented[f.name] = true
			documented[folder] = true
		}
		for _, d := range f.ast.Decls {
			for _, n := range undocumented(d) {
				t.Errorf("%s: exported %s has no comment", f.at(n), n.Name)
			}
		}
	}
	for folder, n := range files {
		if !documented[folder] || n > 1 && !documented[folder+"/doc.go"] {
			t.Errorf("%s: no package documentation in doc.go", folder)
		}
	}
}

// undocumented returns the exported names of a declaration that have no comment.
func undocumented(d ast.Decl) []*ast.Ident {
	var out []*ast.Ident
	switch d := d.(type) {
	case *ast.FuncDecl:
		if d.Name.IsExported() && d.Doc == nil && (d.Recv == nil || ast.IsExported(receiver(d.Recv.List[0].Type))) && !isStandardMethod(d) {
			out = append(out, d.Name)
		}
	case *ast.GenDecl:
		for _, spec := range d.Specs {
			switch s := spec.(type) {
			case *ast.TypeSpec:
				if s.Name.IsExported() && d.Doc == nil && s.Doc == nil {
					out = append(out, s.Name)
				}
			case *ast.ValueSpec:
				for _, name := range s.Names {
					if name.IsExported() && d.Doc == nil && s.Doc == nil && s.Comment == nil {
						out = append(out, name)
					}
				}
			}
		}
	}
	return out
}

// isStandardMethod reports whether a method's name and form say all there is.
func isStandardMethod(d *ast.FuncDecl) bool {
	return d.Recv != nil && slices.Contains([]string{"Error", "Unwrap", "String"}, d.Name.Name)
}

// receiver returns the name of a receiver's type.
func receiver(e ast.Expr) string {
	switch e := e.(type) {
	case *ast.StarExpr:
		return receiver(e.X)
	case *ast.IndexExpr:
		return receiver(e.X)
	case *ast.IndexListExpr:
		return receiver(e.X)
	case *ast.Ident:
		return e.Name
	}
	return ""
}

// TestSizeAndNames checks the length of files and the names of packages.
func TestSizeAndNames(t *testing.T) {
	const most = 600
	vague := []string{"util", "utils", "common", "helper", "helpers", "manager", "managers", "misc", "base", "shared", "lib"}
	for _, f := range sources(t) {
		if f.lines > most {
			t.Errorf("%s has %d lines, more than %d: cut it along its things", f.name, f.lines, most)
		}
		if name := strings.TrimSuffix(f.ast.Name.Name, "_test"); slices.Contains(vague, name) {
			t.Errorf("%s: package %s is named for nothing", f.name, name)
		}
	}
}

// TestPins checks go.mod against the versions that are known to work together.
// Others compile and then fail, or do not compile: jsonrpc2 1.x does not with
// protocol 0.12, bleve 2.6.3 needs what cannot be had, grammars must fit the
// library's ABI.
func TestPins(t *testing.T) {
	text, err := os.ReadFile("go.mod")
	if err != nil {
		t.Fatal(err)
	}
	required := map[string]string{}
	for _, m := range regexp.MustCompile(`(?m)^(?:require)?\s+(\S+\.\S+) (v\S+)`).FindAllStringSubmatch(string(text), -1) {
		required[m[1]] = m[2]
	}
	for name, pin := range map[string]struct {
		version string
		needed  bool // false for modules of rooms that may not exist yet
	}{
		"go.lsp.dev/jsonrpc2":                           {"v0.10.0", true},
		"go.lsp.dev/protocol":                           {"v0.12.0", true},
		"go.lsp.dev/uri":                                {"v0.3.0", true},
		"go.uber.org/zap":                               {"v1.27.0", true},
		"github.com/tree-sitter/go-tree-sitter":         {"v0.25.0", true},
		"github.com/tree-sitter/tree-sitter-go":         {"v0.25.0", true},
		"github.com/tree-sitter/tree-sitter-typescript": {"v0.23.2", true},
		"github.com/tree-sitter/tree-sitter-javascript": {"v0.25.0", true},
		"github.com/tree-sitter/tree-sitter-python":     {"v0.25.0", true},
		"github.com/blevesearch/bleve/v2":               {"v2.6.1", false},
		"github.com/philippgille/chromem-go":            {"v0.7.0", false},
		"github.com/fsnotify/fsnotify":                  {"v1.10.1", false},
		"github.com/modelcontextprotocol/go-sdk":        {"v1.8.0", false},
	} {
		if got, there := required[name]; got != pin.version && (there || pin.needed) {
			t.Errorf("go.mod requires %s %q, want %s", name, got, pin.version)
		}
	}
}

func TestLicense(t *testing.T) {
	text, err := os.ReadFile("LICENSE")
	if err != nil {
		t.Fatal(err)
	}
	for _, part := range []string{"Apache License", "Version 2.0, January 2004", "END OF TERMS AND CONDITIONS"} {
		if !strings.Contains(string(text), part) {
			t.Errorf("LICENSE lacks %q", part)
		}
	}
}
