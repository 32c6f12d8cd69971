package syntax

// #include "flatten.h"
import "C"

import (
	"bytes"
	"fmt"
	"runtime"
	"unsafe"
)

// A Draft is a parsed text before it becomes a [Tree]: it can be parsed again after
// a change, which costs little more than the change. It must be closed, and is not
// safe for concurrent use.
type Draft struct {
	grammar *Grammar
	tree    unsafe.Pointer
	text    []byte
}

// A Place is a part of a text: half-open, in bytes.
type Place struct{ Start, End int }

// Draft parses a text as [Grammar.Parse] does. The text must not change before the
// draft is closed.
func (g *Grammar) Draft(text []byte) (*Draft, error) { return g.draft(nil, text) }

func (g *Grammar) draft(old unsafe.Pointer, text []byte) (*Draft, error) {
	if len(text) > maxText {
		return nil, fmt.Errorf("%d bytes of %s: %w", len(text), g.name, ErrTooLarge)
	}
	var why C.int
	tree := C.flat_parse(g.language, old, (*C.char)(unsafe.Pointer(unsafe.SliceData(text))), C.uint32_t(len(text)), C.int64_t(timeLimit(len(text))), &why)
	runtime.KeepAlive(text)
	if tree == nil && why == C.FLAT_OUT_OF_TIME {
		return nil, fmt.Errorf("%d bytes of %s: %w", len(text), g.name, ErrTooSlow)
	}
	if tree == nil {
		return nil, fmt.Errorf("grammar %s: %s", g.name, reason(why))
	}
	return &Draft{grammar: g, tree: tree, text: text}, nil
}

// Tree returns the tree.
func (d *Draft) Tree() *Tree {
	t := d.grammar.tree(max(1, int(C.flat_count(d.tree))))
	nodes := t.nodes[:cap(t.nodes)]
	known := d.grammar.known
	n := C.flat_copy(d.tree, (*C.uint8_t)(&known[0]), C.uint16_t(len(known)), (*C.flat_node)(unsafe.Pointer(&nodes[0])), C.uint32_t(len(nodes)))
	t.nodes = nodes[:n]
	return t
}

// Faults returns the places of the first errors and missing tokens in preorder, at
// most that many, and the number of all.
func (d *Draft) Faults(most int) (first []Place, all int) {
	found := make([]C.flat_range, max(1, most))
	all = int(C.flat_faults(d.tree, &found[0], C.uint32_t(most)))
	for _, f := range found[:min(most, all)] {
		first = append(first, Place{int(f.start), int(f.end)})
	}
	return first, all
}

// Change parses a text of the same length that differs only in these places. Both
// drafts must be closed.
func (d *Draft) Change(text []byte, changes []Place) (*Draft, error) {
	if len(text) != len(d.text) {
		return nil, fmt.Errorf("grammar %s: a change from %d to %d bytes", d.grammar.name, len(d.text), len(text))
	}
	old := C.flat_same(d.tree)
	defer C.flat_delete(old)
	for _, c := range changes {
		C.flat_edit(old, C.uint32_t(c.Start), C.uint32_t(c.End), point(d.text, c.Start), point(d.text, c.End), point(text, c.End))
	}
	return d.grammar.draft(old, text)
}

// point returns the place of an offset as tree-sitter counts.
func point(text []byte, offset int) C.flat_point {
	before := text[:offset]
	column := offset - (bytes.LastIndexByte(before, '\n') + 1)
	return C.flat_point{row: C.uint32_t(bytes.Count(before, []byte{'\n'})), column: C.uint32_t(column)}
}

// Close frees the draft.
func (d *Draft) Close() {
	C.flat_delete(d.tree)
	d.tree = nil
}
