package syntax_test

import (
	"errors"
	"fmt"
	"strings"
	"sync"
	"testing"
	"unsafe"

	treesitter "github.com/tree-sitter/go-tree-sitter"
	golang "github.com/tree-sitter/tree-sitter-go/bindings/go"

	"codeintel/symbols/syntax"
)

func grammar(t testing.TB) *syntax.Grammar {
	t.Helper()
	g, err := syntax.NewGrammar("go", golang.Language())
	if err != nil {
		t.Fatal(err)
	}
	return g
}

const sample = "package p\n\n// F is é.\nfunc F(a, b int) (x []string) {\n\tif a > b { return nil }\n\treturn append(x, `raw`, \"s\\n\")\n}\n"

// The flattened tree must be the tree that the binding shows.
func TestParseAgreesWithBinding(t *testing.T) {
	for _, text := range []string{
		sample, "", "\n", "package", "package p; func {", "func f( { ) }}}}", "package p\nvar x = \xff\xfe",
		"package p\n" + strings.Repeat("var x = (", 50), strings.Repeat("type T struct { A int }\n", 200),
	} {
		tree, err := grammar(t).Parse([]byte(text))
		if err != nil {
			t.Fatalf("%q: %v", text, err)
		}
		if got, want := dump(grammar(t), tree), dumpBinding(t, golang.Language(), text); got != want {
			t.Errorf("%.40q: flattened\n%s\nwant\n%s", text, got, want)
		}
	}
}

func dump(g *syntax.Grammar, t *syntax.Tree) string {
	var b strings.Builder
	depth := map[syntax.Node]int{syntax.None: -1}
	for n := syntax.Node(0); int(n) < t.Len(); n++ {
		depth[n] = depth[t.Parent(n)] + 1
		line(&b, depth[n], g.KindName(t.Kind(n)), uint16(t.Field(n)), t.Start(n), t.End(n), t.Named(n), t.Missing(n), t.HasError(n))
	}
	return b.String()
}

func dumpBinding(t *testing.T, language unsafe.Pointer, text string) string {
	p := treesitter.NewParser()
	defer p.Close()
	if err := p.SetLanguage(treesitter.NewLanguage(language)); err != nil {
		t.Fatal(err)
	}
	tree := p.Parse([]byte(text), nil)
	defer tree.Close()
	c := tree.Walk()
	defer c.Close()
	var b strings.Builder
	for {
		n := c.Node()
		separator := !n.IsNamed() && strings.Contains(",;.)]}", n.Kind()) && n.Kind() != "" && !n.IsMissing()
		if !separator {
			line(&b, int(c.Depth()), n.Kind(), c.FieldId(), int(n.StartByte()), int(n.EndByte()), n.IsNamed(), n.IsMissing(), n.HasError())
		}
		if c.GotoFirstChild() {
			continue
		}
		for !c.GotoNextSibling() {
			if !c.GotoParent() {
				return b.String()
			}
		}
	}
}

func line(b *strings.Builder, depth int, kind string, field uint16, start, end int, flags ...bool) {
	fmt.Fprintf(b, "%s%s %d %d-%d %v\n", strings.Repeat(" ", depth), kind, field, start, end, flags)
}

func TestNavigation(t *testing.T) {
	g := grammar(t)
	tree, err := g.Parse([]byte(sample))
	if err != nil {
		t.Fatal(err)
	}
	function := g.Kinds("function_declaration", true)[0]
	name, _ := g.Field("name")
	for n := syntax.Node(0); int(n) < tree.Len(); n++ {
		for c := tree.First(n); c != syntax.None; c = tree.Next(c) {
			if tree.Parent(c) != n {
				t.Fatalf("node %d is listed below %d but its parent is %d", c, n, tree.Parent(c))
			}
		}
		if tree.Kind(n) == function {
			id := tree.Child(n, name)
			if got := sample[tree.Start(id):tree.End(id)]; got != "F" {
				t.Errorf("name of the function is %q", got)
			}
			return
		}
	}
	t.Error("no function found")
}

func TestUnknownNames(t *testing.T) {
	g := grammar(t)
	if k := g.Kinds("no_such_node", true); len(k) != 0 {
		t.Errorf("kinds of an unknown name: %v", k)
	}
	if _, ok := g.Field("no_such_field"); ok {
		t.Error("an unknown field is known")
	}
	if g.KindName(syntax.KindError) != "ERROR" {
		t.Error("the error kind has no name")
	}
}

// A million brackets must cost neither stack nor much time.
func TestDeepNesting(t *testing.T) {
	text := []byte("package p\nvar x = " + strings.Repeat("(", 200_000) + "1" + strings.Repeat(")", 200_000) + "\n")
	tree, err := grammar(t).Parse(text)
	if err != nil {
		t.Fatal(err)
	}
	if tree.Len() < 200_000 {
		t.Errorf("%d nodes", tree.Len())
	}
}

// Noise costs time with the square of its size. Parsing it is given up, and what
// is parsed next is parsed as ever.
func TestGivesUp(t *testing.T) {
	g := grammar(t)
	noise := []byte("package p\n" + strings.Repeat(") a ", 100_000)) // minutes, if it is let
	if _, err := g.Parse(noise); !errors.Is(err, syntax.ErrTooSlow) {
		t.Errorf("error %v, want ErrTooSlow", err)
	}
	if tree, err := g.Parse([]byte(sample)); err != nil || tree.HasError(0) {
		t.Errorf("code after noise: error %v", err)
	}
}

func TestConcurrentParse(t *testing.T) {
	g := grammar(t)
	var all sync.WaitGroup
	for range 8 {
		all.Go(func() {
			for range 20 {
				if tree, err := g.Parse([]byte(sample)); err != nil || tree.HasError(0) {
					t.Errorf("parse: %v", err)
				}
			}
		})
	}
	all.Wait()
}

func BenchmarkParse(b *testing.B) {
	g := grammar(b)
	text := []byte(strings.Repeat(strings.TrimPrefix(sample, "package p\n"), 500))
	b.SetBytes(int64(len(text)))
	for b.Loop() {
		if _, err := g.Parse(text); err != nil {
			b.Fatal(err)
		}
	}
}
