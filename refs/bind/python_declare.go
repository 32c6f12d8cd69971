package bind

import (
	"strings"

	"codeintel/symbols"
	"codeintel/symbols/syntax"
)

// python is Python.
type python struct{}

// A pythonWalk declares the names of one file.
type pythonWalk struct {
	b *Binder
	f *file
}

func (l *python) declare(b *Binder, f *file) {
	w := &pythonWalk{b, f}
	f.module = &symbol{name: f.path, kind: namespace, means: anyMeaning, exports: table{}}
	f.module.file = f
	f.top = &scope{names: f.module.exports, node: f.at(0), function: true}
	f.scopes[0] = f.top
	w.children(0, f.top)
}

func (w *pythonWalk) children(n syntax.Node, s *scope) {
	for _, c := range w.f.children(n) {
		w.visit(c, s)
	}
}

func (w *pythonWalk) inner(n syntax.Node, outer *scope) *scope {
	s := &scope{outer: outer, names: table{}, node: w.f.at(n), function: true}
	w.f.scopes[n] = s
	return s
}

func (w *pythonWalk) visit(n syntax.Node, s *scope) {
	f := w.f
	switch f.Kind(n) {
	case "import_statement":
		w.imports(n, s)
	case "import_from_statement":
		w.importsFrom(n, s)
	case "class_definition":
		w.class(n, s)
	case "function_definition", "lambda":
		w.function(n, s)
	case "assignment", "augmented_assignment":
		w.bind(f.Child(n, "left"), n, s)
		w.children(n, s)
	case "named_expression":
		to := s
		for f.is(to.node.node, "list_comprehension", "set_comprehension", "dictionary_comprehension", "generator_expression") {
			to = to.outer
		}
		w.bind(f.Child(n, "name"), n, to)
		w.visit(f.Child(n, "value"), s)
	case "for_statement", "for_in_clause":
		w.bind(f.Child(n, "left"), n, s)
		w.children(n, s)
	case "as_pattern":
		alias := f.Child(n, "alias")
		if alias == syntax.None {
			if parts := f.children(n); len(parts) == 2 {
				alias = parts[1]
			}
		}
		w.bind(alias, n, s)
		w.children(n, s)
	case "list_comprehension", "set_comprehension", "dictionary_comprehension", "generator_expression":
		w.children(n, w.inner(n, s))
	case "case_pattern", "splat_pattern":
		w.capture(n, s)
		w.children(n, s)
	case "type_alias_statement":
		name := f.first(f.Child(n, "left"))
		f.newSymbol(s.names, f.Text(name), typeAlias, decl{place: f.at(n), name: name, means: anyMeaning})
		w.children(n, s)
	default:
		w.children(n, s)
	}
}

// capture declares the name that a pattern of a match statement binds: a plain one
// that is no dotted name.
func (w *pythonWalk) capture(n syntax.Node, s *scope) {
	f := w.f
	c := f.first(n)
	if f.is(n, "splat_pattern") && f.is(c, "identifier") {
		w.bind(c, n, s)
	}
	if f.is(c, "dotted_name") && len(f.children(c)) == 1 {
		w.bind(f.first(c), n, s)
	}
}

// bind declares the names that a target binds, and members that are assigned to
// self.
func (w *pythonWalk) bind(target, n syntax.Node, s *scope) {
	f := w.f
	switch f.Kind(target) {
	case "identifier":
		if f.Text(target) == "_" && f.is(n, "case_pattern") {
			return
		}
		w.add(n, target, s, variable)
	case "pattern_list", "tuple_pattern", "list_pattern", "list_splat_pattern", "as_pattern_target", "tuple", "list", "parenthesized_expression":
		for _, c := range f.children(target) {
			w.bind(c, n, s)
		}
	case "attribute":
		w.attribute(target, n)
	}
}

// add declares a name, where a global or nonlocal statement says.
func (w *pythonWalk) add(n, name syntax.Node, s *scope, k kind) *symbol {
	text := w.f.Text(name)
	if to := s.elsewhere[text]; to != nil {
		s = to
	}
	sym := w.f.newSymbol(s.names, text, k, decl{place: w.f.at(n), name: name, means: anyMeaning})
	if c := w.f.classOf[s]; c != nil {
		sym.parent = c
		if sym.kind == variable || sym.kind == function {
			sym.kind = member
		}
	}
	return sym
}

// attribute declares a member that is assigned to the first parameter of a method.
func (w *pythonWalk) attribute(target, n syntax.Node) {
	f := w.f
	object, name := f.Child(target, "object"), f.Child(target, "attribute")
	fn := f.enclosing(n, "function_definition")
	if !f.is(object, "identifier") || fn == syntax.None {
		return
	}
	params := f.children(f.Child(fn, "parameters"))
	c := pythonClass(f, fn)
	if c == syntax.None || len(params) == 0 || f.Text(params[0]) != f.Text(object) {
		return
	}
	owner := f.literals[c]
	sym := f.newSymbol(owner.members, f.Text(name), member, decl{place: f.at(n), name: name, means: anyMeaning})
	sym.parent = owner
}

// pythonClass returns the class that a function is a method of.
func pythonClass(f *file, fn syntax.Node) syntax.Node {
	p := f.Parent(fn)
	if f.is(p, "decorated_definition") {
		p = f.Parent(p)
	}
	if f.is(p, "block") && f.is(f.Parent(p), "class_definition") {
		return f.Parent(p)
	}
	return syntax.None
}

func (w *pythonWalk) class(n syntax.Node, s *scope) {
	f := w.f
	sym := w.add(n, f.Child(n, "name"), s, class)
	sym.kind = class
	if sym.members == nil {
		sym.members = table{}
		sym.exports = sym.members // members are reached through the class, too
	}
	f.literals[n] = sym
	params := w.inner(n, s)
	w.typeParameters(n, params)
	w.children(f.Child(n, "superclasses"), params)
	body := &scope{outer: params, names: sym.members, node: f.at(f.Child(n, "body")), function: true, class: true}
	f.scopes[f.Child(n, "body")] = body
	f.classOf[body] = sym
	w.children(f.Child(n, "body"), body)
}

func (w *pythonWalk) typeParameters(n syntax.Node, s *scope) {
	f := w.f
	for _, p := range f.children(f.Child(n, "type_parameters")) {
		if name := f.first(p, "identifier"); name != syntax.None {
			f.newSymbol(s.names, f.Text(name), typeParameter, decl{place: f.at(p), name: name, means: anyMeaning})
		}
	}
}

func (w *pythonWalk) function(n syntax.Node, s *scope) {
	f := w.f
	if name := f.Child(n, "name"); name != syntax.None {
		w.add(n, name, s, function)
	}
	inner := w.inner(n, s)
	w.declaredElsewhere(n, inner)
	w.typeParameters(n, inner)
	for _, p := range f.children(f.Child(n, "parameters")) {
		name := p
		switch f.Kind(p) {
		case "default_parameter", "typed_default_parameter":
			name = f.Child(p, "name")
			w.visit(f.Child(p, "value"), s)
		case "typed_parameter":
			name = f.first(p)
		}
		if f.is(name, "list_splat_pattern", "dictionary_splat_pattern") {
			name = f.first(name)
		}
		if f.is(name, "identifier") {
			f.newSymbol(inner.names, f.Text(name), variable, decl{place: f.at(p), name: name, means: anyMeaning})
		}
		if t := f.Child(p, "type"); t != syntax.None {
			w.visit(t, inner)
		}
	}
	w.visit(f.Child(n, "body"), inner)
}

// declaredElsewhere notes the names that global and nonlocal statements take from
// other scopes.
func (w *pythonWalk) declaredElsewhere(n syntax.Node, s *scope) {
	f := w.f
	body := f.Child(n, "body")
	if body == syntax.None {
		return
	}
	for c := body; c < f.After(body); c++ {
		if !f.is(c, "global_statement", "nonlocal_statement") || f.enclosing(c, "function_definition") != n {
			continue
		}
		for _, name := range f.children(c) {
			to := f.top
			for o := s.outer; f.is(c, "nonlocal_statement") && o != nil; o = o.outer {
				if o.names[f.Text(name)] != nil {
					to = o
					break
				}
			}
			if s.elsewhere == nil {
				s.elsewhere = map[string]*scope{}
			}
			s.elsewhere[f.Text(name)] = to
		}
	}
}

func (w *pythonWalk) alias(n, name syntax.Node, s *scope, a *alias) {
	f := w.f
	sym := &symbol{name: f.Text(name), means: anyMeaning, alias: a}
	sym.decls = []decl{{place: f.at(n), name: name, means: anyMeaning}}
	f.declared[name] = sym
	if old := s.names[sym.name]; old == nil || old.alias != nil {
		s.names[sym.name] = sym
	}
	f.aliases = append(f.aliases, sym)
}

// imports declares the names of import a, b.c, d as e.
func (w *pythonWalk) imports(n syntax.Node, s *scope) {
	f := w.f
	for _, c := range f.children(n) {
		module, name := c, syntax.None
		if f.is(c, "aliased_import") {
			module, name = f.Child(c, "name"), f.Child(c, "alias")
		}
		text := f.Text(module)
		if name == syntax.None {
			name = f.first(module)
			text = f.Text(name)
		}
		w.alias(n, name, s, &alias{module: moduleRef{f, text}, name: "*", own: true})
	}
}

func (w *pythonWalk) importsFrom(n syntax.Node, s *scope) {
	f := w.f
	module := moduleRef{f, f.Text(f.Child(n, "module_name"))}
	for _, c := range f.children(n) {
		switch {
		case f.is(c, "wildcard_import"):
			s.stars = append(s.stars, module)
			if s == f.top {
				f.module.stars = append(f.module.stars, module)
			}
		case !f.In(c, "name"):
		case f.is(c, "aliased_import"):
			name, local := f.Child(c, "name"), f.Child(c, "alias")
			w.alias(c, local, s, &alias{module: module, name: f.Text(name), own: f.Text(name) != f.Text(local)})
		default:
			if name := f.first(c); strings.IndexByte(f.Text(c), '.') < 0 {
				w.alias(c, name, s, &alias{module: module, name: f.Text(c)})
			}
		}
	}
}

// comment: names in comments are not listed.
func (l *python) comment(*Binder, place, symbols.Range) meant { return meant{} }

// meaning: Python has one name space.
func (l *python) meaning(place) meaning { return anyMeaning }

// expand: a method that overrides another is a symbol of its own.
func (l *python) expand(*Binder, *symbol) []*symbol { return nil }
