package bind

import (
	"codeintel/symbols"
	"codeintel/symbols/syntax"
)

// meaning is a set of the name spaces that a name can be looked up in: one name
// can be a type, a value and a namespace at once.
type meaning uint8

const (
	asValue meaning = 1 << iota
	asType
	asNamespace

	anyMeaning = asValue | asType | asNamespace
)

// place is a node of a file.
type place struct {
	file *file
	node syntax.Node
}

// A decl is one declaration of a symbol.
type decl struct {
	place             // the declaration
	name  syntax.Node // its name, or None
	means meaning
}

// A symbol is what names stand for: one or more declarations that belong
// together.
type symbol struct {
	name   string
	means  meaning
	decls  []decl
	parent *symbol // the type or namespace that it is a member of
	// members are reached through a value of the symbol's type, exports through its
	// name: static members, what a namespace or a module exports, enum members.
	members, exports table
	static           bool
	// local is the node that the uses of a parameter stand in.
	local place
	// alias leads on to what the symbol is another name for; nil for the rest.
	alias *alias
	// also is the property that a parameter declares with itself.
	also *symbol
	// stars are the modules all of whose names are exported again.
	stars []moduleRef
	kind  kind
	// hidden says that the name is seen outside of the module only.
	hidden bool
	// file is the file that a Python module is.
	file *file
	// pkg is the package that a Go symbol is declared in, or is.
	pkg *goPackage
	// from is the offset from which a Go local is seen; abstract marks interfaces,
	// method the members that are methods.
	from             int
	abstract, method bool
}

// kind is what the evaluation of types needs to know of a symbol.
type kind uint8

const (
	variable kind = iota
	function
	class // a class, an interface or a struct
	typeAlias
	typeParameter
	member
	enumMember
	namespace // a namespace, an enum or a module
	label
)

// A moduleRef is a module as a file names it.
type moduleRef struct {
	from      *file
	specifier string
}

// An alias is what leads from an import or an export to what is meant.
type alias struct {
	module moduleRef
	name   string // in the module; "*" for the module as a whole
	// target is an expression or a name in the alias's own file, in place of a
	// module.
	target place
	// own says that references of one name are none of the other.
	own bool
}

type table map[string]*symbol

// A scope holds the names that can be seen in a node, and those around.
type scope struct {
	outer *scope
	names table
	// owner is the namespace or module whose exports are seen in the scope, too.
	owner *symbol
	node  place
	// opaque scopes are looked into while the code runs: with.
	opaque bool
	// function says that hoisted names belong here.
	function bool
	// class says that functions inside do not see the names.
	class bool
	// elsewhere are the scopes of names that are declared to be those of others.
	elsewhere map[string]*scope
	// stars are the modules whose names are seen here.
	stars []moduleRef
}

// lookup returns the innermost symbol of a name and a meaning. ok is false when
// the text cannot tell.
func (s *scope) lookup(name string, m meaning, means func(*symbol) meaning) (found *symbol, ok bool) {
	for ; s != nil; s = s.outer {
		if s.opaque {
			return nil, false
		}
		if sym := s.names[name]; sym != nil && means(sym)&m != 0 {
			return sym, true
		}
		if s.owner == nil {
			continue
		}
		if sym := s.owner.exports[name]; sym != nil && !sym.hidden && means(sym)&m != 0 {
			return sym, true
		}
	}
	return nil, true
}

// A file is a document that was read.
type file struct {
	*symbols.Tree
	path string
	doc  *symbols.Document
	lang language
	// scopes are the scopes that nodes open, declared the symbols that names
	// declare, literals the symbols without a name that objects and type literals
	// are.
	scopes   map[syntax.Node]*scope
	declared map[syntax.Node]*symbol
	literals map[syntax.Node]*symbol
	// embedded are the fields that types declare by being embedded.
	embedded map[syntax.Node]*symbol
	// classOf are the classes that the scopes of their bodies belong to.
	classOf map[*scope]*symbol
	// inComments are the symbols that comments declare, by the place of the name.
	inComments map[symbols.Range]*symbol
	top        *scope
	aliases    []*symbol
	// module holds what the file exports; nil for a script, whose names are global.
	module *symbol
}

// A language says how documents of a language declare and what their names stand
// for.
type language interface {
	// declare fills the file's scopes.
	declare(b *Binder, f *file)
	// resolve returns what the name at a node stands for.
	resolve(b *Binder, at place) meant
	// value returns the type of an expression, typeOf that of a declaration.
	value(b *Binder, at place) *shape
	typeOf(b *Binder, d decl) *shape
	// expand adds to a symbol that is asked about those whose uses can be its own.
	expand(b *Binder, s *symbol) []*symbol
	// bases returns the types whose members a declared type has, and those that it
	// says to implement.
	bases(b *Binder, d decl) (extended, implemented []*shape)
	// comment returns what a name in a comment stands for.
	comment(b *Binder, at place, r symbols.Range) meant
	// meaning returns what kind of thing the name at a node can stand for.
	meaning(at place) meaning
}

// scopeAt returns the innermost scope around a node.
func (f *file) scopeAt(n syntax.Node) *scope {
	for ; n != syntax.None; n = f.Parent(n) {
		if s := f.scopes[n]; s != nil {
			return s
		}
	}
	return f.top
}

// enclosing returns the innermost node around n of one of the kinds.
func (f *file) enclosing(n syntax.Node, kinds ...string) syntax.Node {
	for n = f.Parent(n); n != syntax.None; n = f.Parent(n) {
		if f.is(n, kinds...) {
			return n
		}
	}
	return syntax.None
}

// is reports whether a node is of one of the kinds.
func (f *file) is(n syntax.Node, kinds ...string) bool {
	k := f.Kind(n)
	for _, want := range kinds {
		if k == want {
			return true
		}
	}
	return false
}

// first returns the first child of one of the kinds; of any named one when none
// are given.
func (f *file) first(n syntax.Node, kinds ...string) syntax.Node {
	if n == syntax.None {
		return n
	}
	for c := f.First(n); c != syntax.None; c = f.Next(c) {
		if len(kinds) == 0 && f.Named(c) && !f.is(c, "comment") || len(kinds) > 0 && f.is(c, kinds...) {
			return c
		}
	}
	return syntax.None
}

// children returns the named children of a node, less comments.
func (f *file) children(n syntax.Node) []syntax.Node {
	var out []syntax.Node
	if n == syntax.None {
		return nil
	}
	for c := f.First(n); c != syntax.None; c = f.Next(c) {
		if f.Named(c) && !f.is(c, "comment") {
			out = append(out, c)
		}
	}
	return out
}

// has reports whether a node has a child of a kind, such as a keyword.
func (f *file) has(n syntax.Node, kind string) bool {
	return f.first(n, kind) != syntax.None
}

func (f *file) at(n syntax.Node) place { return place{f, n} }

func (p place) text() string { return p.file.Text(p.node) }

// newSymbol declares a name. It joins a symbol of the same name in the table.
func (f *file) newSymbol(in table, name string, k kind, d decl) *symbol {
	s := in[name]
	if s == nil {
		s = &symbol{name: name, kind: k}
		in[name] = s
	}
	f.join(s, k, d)
	return s
}

// join adds a declaration to a symbol. A class among its declarations says what
// it is, then a function.
func (f *file) join(s *symbol, k kind, d decl) {
	if k == class || k == function && s.kind != class || k == typeAlias && s.kind == variable {
		s.kind = k
	}
	s.decls = append(s.decls, d)
	s.means |= d.means
	if d.name != syntax.None {
		f.declared[d.name] = s
	}
}

// member declares a member in one of the tables of a symbol.
func (f *file) member(owner *symbol, static bool, name string, k kind, d decl) *symbol {
	t := &owner.members
	if static {
		t = &owner.exports
	}
	if *t == nil {
		*t = table{}
	}
	s := f.newSymbol(*t, name, k, d)
	s.parent, s.static = owner, static
	return s
}
