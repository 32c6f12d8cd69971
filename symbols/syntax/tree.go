package syntax

// Node is the number of a node in its tree, in preorder: the root is 0, the first
// child of a node is the next number.
type Node int32

// None is no node.
const None Node = -1

// node mirrors flat_node of flatten.h.
type node struct {
	start, end   uint32
	next, parent int32
	kind, field  uint16
	flags        uint32
}

const (
	flagNamed    = 1
	flagMissing  = 2
	flagHasError = 4
)

// A Tree is the syntax tree of one text, less its separators: commas, semicolons,
// dots and closing brackets. It is immutable. Its methods take numbers of its own
// nodes and panic on others.
type Tree struct {
	grammar *Grammar
	nodes   []node
}

// maxKept is the number of nodes above which the memory of a tree is not kept: 7 MB.
const maxKept = 1 << 18

// Release gives the tree's memory to trees to come. The tree must not be used
// afterwards. A tree need not be released.
func (t *Tree) Release() {
	if cap(t.nodes) <= maxKept {
		t.grammar.pool.Put(t)
	}
}

// Len returns the number of nodes: node numbers are below it.
func (t *Tree) Len() int { return len(t.nodes) }

// Kind returns the kind of a node.
func (t *Tree) Kind(n Node) Kind { return Kind(t.nodes[n].kind) }

// Field returns the field that a node has in its parent.
func (t *Tree) Field(n Node) Field { return Field(t.nodes[n].field) }

// Start returns the offset of a node's first byte.
func (t *Tree) Start(n Node) int { return int(t.nodes[n].start) }

// End returns the offset after a node's last byte.
func (t *Tree) End(n Node) int { return int(t.nodes[n].end) }

// Parent returns the parent of a node, [None] for the root.
func (t *Tree) Parent(n Node) Node { return Node(t.nodes[n].parent) }

// After returns the number after the last node below n, which is the next
// sibling of n when it has one.
func (t *Tree) After(n Node) Node { return Node(t.nodes[n].next) }

// First returns the first child of a node, or [None].
func (t *Tree) First(n Node) Node {
	if t.After(n) == n+1 {
		return None
	}
	return n + 1
}

// Next returns the next sibling of a node, or [None].
func (t *Tree) Next(n Node) Node {
	next := t.After(n)
	if p := t.Parent(n); p == None || next >= t.After(p) {
		return None
	}
	return next
}

// Child returns the first child of n in a field, or [None].
func (t *Tree) Child(n Node, f Field) Node {
	if f == 0 {
		return None
	}
	for c := t.First(n); c != None; c = t.Next(c) {
		if t.Field(c) == f {
			return c
		}
	}
	return None
}

// Named reports whether a node is more than a keyword or punctuation.
func (t *Tree) Named(n Node) bool { return t.nodes[n].flags&flagNamed != 0 }

// Missing reports whether a node stands for a token that the text lacks.
func (t *Tree) Missing(n Node) bool { return t.nodes[n].flags&flagMissing != 0 }

// HasError reports whether a node, or one below it, is an error or missing.
func (t *Tree) HasError(n Node) bool { return t.nodes[n].flags&flagHasError != 0 }

// IsError reports whether a node stands for text that fits no rule.
func (t *Tree) IsError(n Node) bool { return t.Kind(n) == KindError }
