package syntax

import "fmt"

// A Builder makes a tree node by node, for a parser that is not tree-sitter. The
// nodes come in preorder, in the kinds and fields of the builder's grammar. The
// zero Builder is of no use; see [Grammar.Build].
type Builder struct {
	tree   *Tree
	nodes  []node
	parent int32
}

// Build returns a builder of a tree of a text with that many bytes. It returns
// [ErrTooLarge] when the text is longer than a tree can say.
func (g *Grammar) Build(size int) (*Builder, error) {
	if size > maxText {
		return nil, fmt.Errorf("%d bytes of %s: %w", size, g.name, ErrTooLarge)
	}
	t := g.tree(minNodes + size/bytesPerNode)
	return &Builder{tree: t, nodes: t.nodes, parent: int32(None)}, nil
}

// minNodes is the number of nodes that even the smallest text has room for.
const minNodes = 64

// bytesPerNode is about the least number of bytes of text that a node stands for:
// measured on Go's own sources, where it is 8 to 12.
const bytesPerNode = 8

// Open adds a node below the last one that is open. What is added until it is
// closed is below it. The range is half-open, in bytes; it grows with what is below.
func (b *Builder) Open(kind Kind, field Field, start, end int) {
	b.Leaf(kind, field, start, end)
	b.parent = int32(len(b.nodes) - 1)
}

// Close ends the node that was opened last.
func (b *Builder) Close() {
	n := &b.nodes[b.parent]
	n.next = int32(len(b.nodes))
	n.end = max(n.end, b.nodes[len(b.nodes)-1].end)
	if b.parent = n.parent; b.parent >= 0 {
		outer := &b.nodes[b.parent]
		outer.end = max(outer.end, n.end)
	}
}

// Leaf adds a node that has none below it.
func (b *Builder) Leaf(kind Kind, field Field, start, end int) {
	flags := uint32(0)
	if b.tree.grammar.named[kind] {
		flags = flagNamed
	}
	b.nodes = append(b.nodes, node{
		start: uint32(start), end: uint32(end), next: int32(len(b.nodes) + 1), parent: b.parent,
		kind: uint16(kind), field: uint16(field), flags: flags,
	})
}

// Tree returns the tree. The first node is its root, so there must be one, and
// all that were opened must be closed.
func (b *Builder) Tree() *Tree {
	b.tree.nodes = b.nodes
	return b.tree
}
