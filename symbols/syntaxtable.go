package symbols

import (
	"fmt"
	"strings"
	"sync"
	"unsafe"

	"codeintel/symbols/syntax"
)

// A languageSpec states what the nodes of a grammar mean. It is the table that a
// language's file holds. Node kinds and fields are named as in the grammar;
// a name that the grammar lacks is an error, so a new version of a grammar cannot
// silently lose definitions.
type languageSpec struct {
	name     string
	language unsafe.Pointer
	// notes says in sentences what users must know of the outline and the table does
	// not say; it stands in the page on languages.
	notes string

	// identifiers are the tokens that are names, with the role that each has where
	// nothing says otherwise.
	identifiers map[string]Role
	// members are the places, as "node.field", where an identifier is a member;
	// "node.field with other" is one only beside a child in the field other.
	members []string
	// paths are the nodes whose names are all members but the first: A::B.
	paths []string
	// words are identifiers by their form that the language itself has defined.
	words []string
	// marks are bytes that no identifier has, where the grammar lets them in.
	marks string
	// blank is the name that defines nothing, except for a function or a method,
	// which still contains places.
	blank string
	// comments are the nodes that a definition directly below takes as its own.
	comments []string
	// inner reports whether a comment is about what it stands in, not about what
	// follows. May be nil.
	inner func(*extraction, syntax.Node) bool
	// attributes are the nodes that belong to the definition after them, beside
	// which they stand.
	attributes []string

	// definitions are the nodes that define what their field says.
	definitions []definitionRow
	// visits are the nodes that need code. A node has a definition or a visit.
	visits map[string]func(*extraction, syntax.Node)
	// kinds are the kinds that the visits of nodes define, none for visits that
	// define nothing.
	kinds map[string][]Kind
	// whole says that a definition without a body is no signature: the language has
	// none.
	whole bool

	// wrappers are the nodes that belong to the one definition in them: export
	// statements, decorated definitions, declarations of a single name.
	wrappers []string
	// functions are the nodes that are a function without a name.
	functions []string
	// blocks are the nodes whose names are their own; bodies are the nodes that a
	// block belongs to without being a scope besides theirs, functions and
	// definitions of functions apart.
	blocks, bodies []string
	// plain are the nodes inside of which the members of a value or a type do not
	// belong to it: arrays.
	plain []string
	// statements are the nodes that an error spoils as a whole, less the lists in
	// them; lists are the nodes that hold statements or members.
	statements, lists []string

	// immediate reports whether an unnamed function only wraps the code in it, as
	// one does that is called where it stands. May be nil.
	immediate func(*extraction, syntax.Node) bool
	// native returns a parser that is faster than the grammar: it gives the tree of
	// a text in the kinds of the grammar, or nil to leave the text to the grammar.
	// May be nil.
	native func(*syntax.Grammar) (func(text []byte) *syntax.Tree, error)
	// prepare returns edits to make before parsing. May be nil.
	prepare func(text []byte) []edit
	// hides says that some of these edits hide names.
	hides bool
	// mend returns edits that make the grammar understand correct code that it has
	// found a fault in. May be nil.
	mend func(text []byte, fault Range) []edit
}

// punctuation is what no identifier holds in most languages; in some the quote,
// which stands first, is a letter.
const punctuation = "'\"` \t\r\n(){}[]<>;,.=*/"

// A definitionRow says that a node is a definition.
type definitionRow struct {
	node string
	kind Kind
	// name is the field of the name: "name" when empty.
	name string
	// member is the kind directly in a type where it is another.
	member Kind
}

// A syntaxTable is a languageSpec bound to the numbers of its grammar.
type syntaxTable struct {
	grammar *syntax.Grammar
	rules   []rule // by syntax.Kind
	spec    *languageSpec
	native  func(text []byte) *syntax.Tree // may be nil

	extractions *sync.Pool // of *extraction, to be used again
}

// A rule is what the table says of one kind of node. The zero rule is a node
// without meaning.
type rule struct {
	flags  ruleFlags
	role   Role
	member syntax.Field
	with   syntax.Field // the field that must be there for member to count
	visit  func(*extraction, syntax.Node)
}

type ruleFlags uint16

const (
	isIdentifier ruleFlags = 1 << iota
	isComment
	isAttribute
	isWrapper
	isFunction
	isBlock
	isPlain
	isStatement
	isList
	isPath
	hasBody // a function in the widest sense: the block in it is its own scope
)

// bind resolves the names of a spec.
func bind(spec *languageSpec) (*syntaxTable, error) {
	g, err := syntax.NewGrammar(spec.name, spec.language)
	if err != nil {
		return nil, err
	}
	t := &syntaxTable{grammar: g, rules: make([]rule, g.KindCount()), spec: spec, extractions: &sync.Pool{}}
	b := binder{t: t}
	for name, role := range spec.identifiers {
		b.each(name, func(r *rule) { r.flags |= isIdentifier; r.role = role })
	}
	b.flag(isComment, spec.comments)
	b.flag(isAttribute, spec.attributes)
	b.flag(isWrapper, spec.wrappers)
	b.flag(isFunction|hasBody, spec.functions)
	b.flag(isBlock, spec.blocks)
	b.flag(hasBody, spec.bodies)
	b.flag(isPlain, spec.plain)
	b.flag(isStatement, spec.statements)
	b.flag(isList, spec.lists)
	b.flag(isPath, spec.paths)
	for _, place := range spec.members {
		place, other, conditional := strings.Cut(place, " with ")
		node, field, _ := strings.Cut(place, ".")
		f, with := b.field(field), syntax.Field(0)
		if conditional {
			with = b.field(other)
		}
		b.each(node, func(r *rule) { r.member, r.with = f, with })
	}
	for _, row := range spec.definitions {
		b.define(row)
	}
	for name, visit := range spec.visits {
		b.each(name, func(r *rule) { r.visit = visit })
	}
	if spec.native != nil && b.err == nil {
		t.native, b.err = spec.native(g)
	}
	return t, b.err
}

// binder applies parts of a spec and keeps the first name it does not find.
type binder struct {
	t   *syntaxTable
	err error
}

func (b *binder) each(name string, change func(*rule)) {
	kinds := b.t.grammar.Kinds(name, true)
	if len(kinds) == 0 && b.err == nil {
		b.err = fmt.Errorf("grammar %s has no node %q", b.t.grammar.Name(), name)
	}
	for _, k := range kinds {
		change(&b.t.rules[k])
	}
}

func (b *binder) flag(f ruleFlags, names []string) {
	for _, name := range names {
		b.each(name, func(r *rule) { r.flags |= f })
	}
}

func (b *binder) field(name string) syntax.Field {
	f, ok := b.t.grammar.Field(name)
	if !ok && b.err == nil {
		b.err = fmt.Errorf("grammar %s has no field %q", b.t.grammar.Name(), name)
	}
	return f
}

func (b *binder) define(row definitionRow) {
	if row.name == "" {
		row.name = "name"
	}
	b.field(row.name)
	b.each(row.node, func(r *rule) {
		if row.kind.IsCallable() {
			r.flags |= hasBody
		}
		r.visit = func(x *extraction, n syntax.Node) { x.defineRow(row, n) }
	})
}
