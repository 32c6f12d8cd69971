package bind

import (
	"strconv"
	"strings"

	"codeintel/symbols"
	"codeintel/symbols/syntax"
)

// A Source is the workspace that names are bound in.
type Source interface {
	// Document returns a document by its root-relative path.
	Document(path string) (*symbols.Document, error)
	// Module returns the document that a module specifier in a document stands for, in
	// Go the folder of an import path. ok is false when it is none of the workspace.
	Module(from, specifier string) (path string, ok bool)
	// Holding returns the documents that hold a text as a whole word, sorted.
	Holding(word string) ([]string, error)
	// Beside returns the documents of a folder, sorted; of the root for ".".
	Beside(folder string) []string
	// Global returns documents of the same languages as a document's whose names may
	// be seen everywhere, sorted.
	Global(path string) []string
}

// A Binder binds names. It answers one question and is not safe for concurrent
// use.
type Binder struct {
	source Source
	files  map[string]*file // nil for what cannot be read
	// global is the scope of scripts, ambient the modules that are declared by name.
	global  *scope
	ambient map[string]*symbol
	modules map[string]*symbol // Go packages and Python modules

	shapes map[*symbol]*shape
	values map[place]*shape
	// slots are the types of what names and patterns are bound to, wanted those
	// that are expected where an expression stands. What is being worked out is
	// there and nil, so that circles end.
	slots, wanted map[place]*shape
	// bases are the types that a type extends, extends the same as it is written.
	bases, extends map[*symbol][]*shape
	deep           int
}

// New returns a Binder that reads from a source.
func New(s Source) *Binder {
	return &Binder{
		source: s, files: map[string]*file{}, global: &scope{names: table{}, function: true},
		ambient: map[string]*symbol{}, modules: map[string]*symbol{},
		shapes: map[*symbol]*shape{}, values: map[place]*shape{}, slots: map[place]*shape{}, wanted: map[place]*shape{}, bases: map[*symbol][]*shape{}, extends: map[*symbol][]*shape{},
	}
}

// languageOf returns the rules of a document's language, nil when there are none.
func languageOf(l symbols.Language) language {
	switch l {
	case symbols.TypeScript, symbols.TypeScriptReact:
		return &script{}
	case symbols.Go:
		return &golang{}
	case symbols.Python:
		return &python{}
	case symbols.JavaScript, symbols.JavaScriptReact:
		return &script{javascript: true}
	}
	return nil
}

// Knows reports whether names of a language can be bound.
func Knows(l symbols.Language) bool { return languageOf(l) != nil }

// load reads a document; nil when it cannot be read.
func (b *Binder) load(path string) *file {
	if f, ok := b.files[path]; ok {
		return f
	}
	b.files[path] = nil
	doc, err := b.source.Document(path)
	if err != nil {
		return nil
	}
	lang := languageOf(doc.Language())
	tree, err := symbols.ParseTree(doc)
	if err != nil || lang == nil {
		return nil
	}
	f := &file{
		Tree: tree, path: path, doc: doc, lang: lang, scopes: map[syntax.Node]*scope{},
		declared: map[syntax.Node]*symbol{}, literals: map[syntax.Node]*symbol{},
		classOf: map[*scope]*symbol{}, embedded: map[syntax.Node]*symbol{}, inComments: map[symbols.Range]*symbol{},
	}
	b.files[path] = f
	lang.declare(b, f)
	return f
}

// ambientModule returns the module that is declared under a name.
func (b *Binder) ambientModule(name string) *symbol {
	s := b.ambient[name]
	if s == nil {
		s = &symbol{name: strconv.Quote(name), kind: namespace, exports: table{}}
		b.ambient[name] = s
	}
	return s
}

// module returns the symbol of a module; nil when it is not known.
func (b *Binder) module(r moduleRef) *symbol {
	if r.from == nil {
		return nil
	}
	if path, ok := b.source.Module(r.from.path, r.specifier); ok {
		if _, isGo := r.from.lang.(*golang); isGo {
			return b.goPackage(path, b.clauseOf(path)).sym
		}
		if f := b.load(path); f != nil && f.module != nil {
			return f.module
		}
	}
	return b.ambient[r.specifier]
}

// next returns what an alias is another name for; ok is false when it cannot be
// told.
func (b *Binder) next(s *symbol) (next *symbol, ok bool) {
	a := s.alias
	if a.module.from == nil {
		return b.nextInFile(s, a)
	}
	if _, isPython := a.module.from.lang.(*python); isPython && a.name != "*" {
		found, ok := b.memberOfModule(a.module, a.name)
		return found, ok && found != nil
	}
	m := b.module(a.module)
	if m == nil {
		return nil, false
	}
	whole := m.exports["export="]
	switch a.name {
	case "*", "*=":
		if whole != nil {
			return whole, true
		}
		return m, true
	case "default":
		if d := m.exports["default"]; d != nil {
			return d, true
		}
		if whole != nil {
			return whole, true
		}
	}
	found, ok := b.exportOf(m, a.name, 0)
	return found, ok && found != nil
}

func (b *Binder) nextInFile(s *symbol, a *alias) (*symbol, bool) {
	f := a.target.file
	if f == nil {
		return nil, false
	}
	if a.target.node == 0 {
		return f.module, f.module != nil
	}
	for _, sym := range f.lang.resolve(b, a.target).syms {
		if sym != s {
			return sym, true
		}
	}
	if t := b.value(a.target); t != nil && t.sym != nil {
		return t.sym, true
	}
	return nil, false
}

// last follows aliases to their end; nil when the end is not known.
func (b *Binder) last(s *symbol) *symbol {
	for range depth {
		if s == nil || s.alias == nil {
			return s
		}
		s, _ = b.next(s)
	}
	return nil
}

// meaningOf returns what kind of thing a symbol is; that of an alias is what it
// leads to.
func (b *Binder) meaningOf(s *symbol) meaning {
	if s.alias == nil {
		return s.means
	}
	if last := b.last(s); last != nil {
		return last.means
	}
	return anyMeaning
}

// exportOf returns what a module, a namespace or a class exports under a name: nil
// when nothing, ok is false when it re-exports a module that is not known.
func (b *Binder) exportOf(s *symbol, name string, deep int) (found *symbol, ok bool) {
	if s == nil || deep > depth {
		return nil, false
	}
	if s.alias != nil {
		return b.exportOf(b.last(s), name, deep+1)
	}
	s.pkg.complete(b, name)
	if e := s.exports[name]; e != nil {
		return e, true
	}
	if whole := s.exports["export="]; whole != nil {
		return b.exportOfWhole(whole, name, deep)
	}
	if s.file != nil && strings.HasSuffix(s.file.path, "/__init__.py") {
		if m := b.module(moduleRef{s.file, "." + name}); m != nil {
			return m, true
		}
	}
	ok = true
	for _, star := range s.stars {
		m := b.module(star)
		if m == nil {
			ok = false
			continue
		}
		if name == "default" {
			continue
		}
		if found, known := b.exportOf(m, name, deep+1); found != nil {
			return found, true
		} else if !known {
			ok = false
		}
	}
	return nil, ok
}

// exportOfWhole looks for a name in what a module exports as a whole.
func (b *Binder) exportOfWhole(whole *symbol, name string, deep int) (*symbol, bool) {
	if whole.alias != nil && whole.alias.target.file != nil && whole.name == "" {
		return b.memberOfWhole(b.value(whole.alias.target), name, deep)
	}
	if last := b.last(whole); last != nil && last != whole {
		if e, ok := b.exportOf(last, name, deep+1); e != nil || !ok {
			return e, ok
		}
		whole = last
	}
	return b.memberOfWhole(b.typeOf(whole), name, deep)
}

func (b *Binder) memberOfWhole(t *shape, name string, deep int) (*symbol, bool) {
	if t == nil {
		return nil, false
	}
	found := b.find(t, name, deep+1)
	if len(found.syms) > 0 {
		return found.syms[0].sym, true
	}
	return nil, !found.unknown
}

// value returns the type of an expression; nil when it is not known.
func (b *Binder) value(at place) *shape {
	return b.once(b.values, at, func() *shape { return at.file.lang.value(b, at) })
}

// once returns what a place has in known, working it out the first time. It is nil
// where that leads in a circle or too deep.
func (b *Binder) once(known map[place]*shape, at place, work func() *shape) *shape {
	if at.node == syntax.None || b.deep > depth {
		return nil
	}
	if t, ok := known[at]; ok {
		return t
	}
	known[at] = nil
	b.deep++
	t := work()
	b.deep--
	known[at] = t
	return t
}
