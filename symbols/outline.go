package symbols

import (
	"slices"
	"sort"
)

// An Outline is what one document defines, names and imports. It is immutable and
// safe for concurrent use; slices that it returns must not be changed.
type Outline struct {
	document *Document
	pkg      string
	symbols  []Symbol
	tokens   []token
	imports  []Import
	faults   []Range
	broken   []Range
	// nests holds the symbols that may contain places, in source order.
	nests []nest
}

// A token is an [Identifier] in eight bytes: there are millions of them.
type token struct {
	start uint32
	size  uint32 // bytes << 2 | role
}

func newToken(start, end int, role Role) token {
	return token{uint32(start), uint32(end-start)<<2 | uint32(role)}
}

func (t token) rangeOf() Range { return Range{int(t.start), int(t.start) + int(t.size>>2)} }

func (t token) identifier() Identifier { return Identifier{t.rangeOf(), Role(t.size & 3)} }

// A nest is a symbol that may be the containing definition of a place.
type nest struct {
	symbol int // index in symbols
	outer  int // index of the nest around, or -1
}

// Document returns the document that was extracted.
func (o *Outline) Document() *Document { return o.document }

// Package returns the name in a Go package clause, "" elsewhere.
func (o *Outline) Package() string { return o.pkg }

// Symbols returns all definitions in source order, those around others first.
func (o *Outline) Symbols() []Symbol { return o.symbols }

// Imports returns the imports in source order.
func (o *Outline) Imports() []Import { return o.imports }

// Errors returns the places of syntax errors in source order; a range is empty
// where a token is missing.
func (o *Outline) Errors() []Range { return o.faults }

// InError reports whether an offset lies in a statement or member that a syntax
// error spoils, so that neither this outline nor a server can be trusted there.
func (o *Outline) InError(offset int) bool {
	i := sort.Search(len(o.broken), func(i int) bool { return o.broken[i].End > offset })
	return i < len(o.broken) && o.broken[i].Contains(offset)
}

// Identifiers returns all names in the text in source order: none from comments
// or strings, but those in template substitutions.
func (o *Outline) Identifiers() []Identifier {
	out := make([]Identifier, len(o.tokens))
	for i, t := range o.tokens {
		out[i] = t.identifier()
	}
	return out
}

// Named returns the identifiers that are exactly this name, in source order.
func (o *Outline) Named(name string) []Identifier {
	var out []Identifier
	for _, t := range o.tokens {
		if int(t.size>>2) != len(name) {
			continue
		}
		if r := t.rangeOf(); string(o.document.text[r.Start:r.End]) == name {
			out = append(out, t.identifier())
		}
	}
	return out
}

// IdentifierAt returns the identifier that an offset lies in or just behind. Where
// two meet it is the one that starts there.
func (o *Outline) IdentifierAt(offset int) (Identifier, bool) {
	i := sort.Search(len(o.tokens), func(i int) bool { return int(o.tokens[i].start) > offset }) - 1
	if i < 0 || !o.tokens[i].rangeOf().Touches(offset) {
		return Identifier{}, false
	}
	return o.tokens[i].identifier(), true
}

// Enclosing returns the containing definition of an offset: the innermost
// function, method, constructor or accessor around it, or function bound to a
// name; where there is none, the innermost type, namespace or section. Functions without a
// name contain nothing. ok is false at the top level of the file.
func (o *Outline) Enclosing(offset int) (s Symbol, ok bool) {
	i := sort.Search(len(o.nests), func(i int) bool { return o.symbols[o.nests[i].symbol].Range.Start > offset }) - 1
	kind := -1
	for ; i >= 0; i = o.nests[i].outer {
		s := o.symbols[o.nests[i].symbol]
		if !s.Range.Contains(offset) {
			continue
		}
		if s.Callable {
			return s, true
		}
		if kind < 0 {
			kind = o.nests[i].symbol
		}
	}
	if kind < 0 {
		return Symbol{}, false
	}
	return o.symbols[kind], true
}

// nest links each symbol that can contain places to the one around it.
func (o *Outline) nest() {
	inner := -1
	for i, s := range o.symbols {
		if !s.Callable && !s.IsType() && s.Kind != Namespace && s.Kind != Section {
			continue
		}
		for inner >= 0 && !o.symbols[o.nests[inner].symbol].Range.Covers(s.Range) {
			inner = o.nests[inner].outer
		}
		o.nests = append(o.nests, nest{i, inner})
		inner = len(o.nests) - 1
	}
}

// declare marks the identifiers that are names of symbols.
func (o *Outline) declare() {
	for _, s := range o.symbols {
		i, ok := slices.BinarySearchFunc(o.tokens, s.Selection.Start, func(t token, start int) int { return int(t.start) - start })
		if ok && o.tokens[i].rangeOf() == s.Selection {
			o.tokens[i] = newToken(s.Selection.Start, s.Selection.End, RoleDeclaration)
		}
	}
}
