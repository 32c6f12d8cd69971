package syntax

/*
#cgo darwin LDFLAGS: -Wl,-undefined,dynamic_lookup
#include "flatten.h"
*/
import "C"

import (
	"errors"
	"fmt"
	"math"
	"strings"
	"sync"
	"unsafe"

	treesitter "github.com/tree-sitter/go-tree-sitter"
)

// Kind is the number that a grammar gives a kind of node.
type Kind uint16

// KindError is the kind of a node that stands for text that fits no rule.
const KindError Kind = math.MaxUint16

// Field is the number that a grammar gives the place of a child in its parent;
// 0 is none.
type Field uint16

// maxText is the longest text that can be parsed, in bytes: offsets and node
// numbers must fit in 31 bits.
const maxText = math.MaxInt32 / 2

// ErrTooLarge says that a text is longer than a grammar can take.
var ErrTooLarge = errors.New("text is too large to be parsed")

// ErrTooSlow says that parsing was given up. Only text that is no code of its
// language takes so long: the time that tree-sitter needs to get over errors
// grows with the square of what stands around them.
var ErrTooSlow = errors.New("text takes too long to be parsed")

// timeLimit returns the CPU time in microseconds after which a parse is given up:
// ten times what code takes (6 MB a second, measured), and two seconds for what
// is small.
func timeLimit(bytes int) int64 { return 2_000_000 + 2*int64(bytes) }

// A Grammar parses one language. It is immutable and safe for concurrent use.
type Grammar struct {
	name     string
	language unsafe.Pointer
	kinds    []string // by Kind
	named    []bool   // by Kind
	known    []uint8  // by Kind: what flat_copy must know of it
	fields   map[string]Field
	pool     sync.Pool // of *Tree, to be used again
}

// separators are the tokens that a [Tree] leaves out, as they say nothing that the
// nodes beside them do not say: about a third of all nodes. One that is missing in
// the text is there.
const separators = " , ; . ) ] } "

// NewGrammar returns the grammar behind a pointer as the Language function of a
// grammar's Go binding returns it. The name is used in messages.
func NewGrammar(name string, language unsafe.Pointer) (*Grammar, error) {
	l := treesitter.NewLanguage(language)
	if l == nil {
		return nil, fmt.Errorf("grammar %s: no language", name)
	}
	if v := l.AbiVersion(); v < treesitter.MIN_COMPATIBLE_LANGUAGE_VERSION || v > treesitter.LANGUAGE_VERSION {
		return nil, fmt.Errorf("grammar %s: its version %d is not between %d and %d", name, v,
			treesitter.MIN_COMPATIBLE_LANGUAGE_VERSION, treesitter.LANGUAGE_VERSION)
	}
	g := &Grammar{name: name, language: language, fields: map[string]Field{}}
	for id := range l.NodeKindCount() {
		g.kinds = append(g.kinds, l.NodeKindForId(uint16(id)))
		g.named = append(g.named, l.NodeKindIsNamed(uint16(id)))
		switch {
		case g.named[id]:
			g.known = append(g.known, C.FLAT_KIND_NAMED)
		case strings.Contains(separators, " "+g.kinds[id]+" "):
			g.known = append(g.known, C.FLAT_KIND_SKIPPED)
		default:
			g.known = append(g.known, 0)
		}
	}
	for id := 1; id <= int(l.FieldCount()); id++ {
		g.fields[l.FieldNameForId(uint16(id))] = Field(id)
	}
	return g, nil
}

// Name returns the name that the grammar was made with.
func (g *Grammar) Name() string { return g.name }

// KindCount returns the number of kinds; a [Kind] other than [KindError] is
// below it.
func (g *Grammar) KindCount() int { return len(g.kinds) }

// KindName returns the name of a kind.
func (g *Grammar) KindName(k Kind) string {
	if int(k) >= len(g.kinds) {
		return "ERROR"
	}
	return g.kinds[k]
}

// Kinds returns the kinds of that name that are named nodes, or those that are
// not (keywords and punctuation). There may be several, or none.
func (g *Grammar) Kinds(name string, named bool) []Kind {
	var out []Kind
	for id, n := range g.kinds {
		if n == name && g.named[id] == named {
			out = append(out, Kind(id))
		}
	}
	return out
}

// Field returns the field of that name; ok is false when the grammar has none.
func (g *Grammar) Field(name string) (f Field, ok bool) {
	f, ok = g.fields[name]
	return f, ok
}

// Parse returns the tree of a text. Text that is not in the language gives a
// tree with errors in it, not an error; an error means that there is no tree
// ([ErrTooLarge], [ErrTooSlow], or a grammar that does not fit the runtime).
// The text must not change during the call and is not kept. [Tree.Release] makes
// the next call cheaper.
func (g *Grammar) Parse(text []byte) (*Tree, error) {
	d, err := g.Draft(text)
	if err != nil {
		return nil, err
	}
	defer d.Close()
	return d.Tree(), nil
}

// tree returns an empty tree with room for that many nodes.
func (g *Grammar) tree(count int) *Tree {
	t, _ := g.pool.Get().(*Tree)
	if t == nil {
		t = &Tree{grammar: g}
	}
	if cap(t.nodes) < count {
		t.nodes = make([]node, 0, count)
	}
	t.nodes = t.nodes[:0]
	return t
}

func reason(why C.int) string {
	switch why {
	case C.FLAT_NO_RUNTIME:
		return "the tree-sitter runtime is not linked in"
	case C.FLAT_BAD_LANGUAGE:
		return "the runtime refuses the grammar"
	}
	return "the parser gave no tree"
}
