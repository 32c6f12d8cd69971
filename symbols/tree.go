package symbols

import (
	"sort"

	"fmt"

	"codeintel/symbols/syntax"
)

// A Tree is the syntax tree of a document, for readers that need more of it than
// the [Outline] holds. It costs the document to be parsed again: an outline does
// not keep its tree.
type Tree struct {
	*syntax.Tree
	grammar *syntax.Grammar
	text    []byte
}

// ParseTree parses a document. The nodes' offsets are those of the document's
// text. It returns [ErrNoGrammar] when the document's language has none.
func ParseTree(d *Document) (*Tree, error) {
	table, err := d.table()
	if err != nil {
		return nil, err
	}
	tree, err := table.parseByGrammar(d.code()) // what another parser leaves out may be asked for
	if err != nil {
		return nil, fmt.Errorf("%s: %w", d.path, err)
	}
	return &Tree{Tree: tree, grammar: table.grammar, text: d.text}, nil
}

// Kind returns the name that the grammar gives a node, "" for [syntax.None].
func (t *Tree) Kind(n syntax.Node) string {
	if n == syntax.None {
		return ""
	}
	return t.grammar.KindName(t.Tree.Kind(n))
}

// Child returns the first child of n in a field of the grammar, or [syntax.None].
func (t *Tree) Child(n syntax.Node, field string) syntax.Node {
	if n == syntax.None {
		return syntax.None
	}
	f, _ := t.grammar.Field(field)
	return t.Tree.Child(n, f)
}

// In reports whether a node stands in a field of its parent.
func (t *Tree) In(n syntax.Node, field string) bool {
	f, ok := t.grammar.Field(field)
	return ok && n != syntax.None && t.Field(n) == f
}

// Range returns the bytes of a node.
func (t *Tree) Range(n syntax.Node) Range { return Range{t.Start(n), t.End(n)} }

// Text returns the text of a node, "" for [syntax.None].
func (t *Tree) Text(n syntax.Node) string {
	if n == syntax.None {
		return ""
	}
	return string(t.text[t.Start(n):t.End(n)])
}

// At returns the innermost node that covers the bytes of r, which is not empty; the
// root when none does. Nodes begin in the order of their numbers, so the search is
// binary: a document may have hundreds of thousands of statements.
func (t *Tree) At(r Range) syntax.Node {
	after := sort.Search(t.Len(), func(n int) bool { return t.Start(syntax.Node(n)) > r.Start })
	n := syntax.Node(max(0, after-1))
	for n != 0 && !t.Range(n).Covers(r) {
		n = t.Parent(n)
	}
	return n
}
