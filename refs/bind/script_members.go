package bind

import (
	"strings"

	"codeintel/symbols/syntax"
)

// propertyName returns the name that a property's node gives: an identifier, or a
// string or a number, also in brackets. ok is false for computed names.
func (f *file) propertyName(n syntax.Node) (name string, ok bool) {
	switch f.Kind(n) {
	case "computed_property_name":
		inner := f.first(n)
		if f.is(inner, "string", "number") {
			return f.propertyName(inner)
		}
		return f.Text(n), n != syntax.None
	case "string":
		return strings.Trim(f.Text(n), "\"'`"), true
	case "":
		return "", false
	}
	return f.Text(n), true
}

// class declares a class or an interface, its type parameters and its members.
func (w *scriptWalk) class(n syntax.Node, s *scope) {
	f := w.f
	name := f.Child(n, "name")
	inner := w.inner(n, s, false)
	var sym *symbol
	switch k := f.Kind(n); {
	case k == "interface_declaration":
		sym = w.add(n, name, s, class, asType)
	case k != "class":
		sym = w.add(n, name, s, class, asType|asValue)
	default:
		d := decl{place: f.at(n), name: name, means: asType | asValue}
		if p := f.Parent(n); f.is(p, "export_statement") && f.has(p, "default") && f.module != nil {
			sym = w.defaultExport(d, s, class)
		} else if sym = f.newSymbol(inner.names, f.Text(name), class, d); name == syntax.None {
			delete(inner.names, "")
		}
		f.literals[n] = sym
	}
	w.typeParameters(n, inner)
	for _, c := range f.children(n) {
		if !f.In(c, "name") && !f.In(c, "body") && !f.is(c, "type_parameters") {
			w.visit(c, inner)
		}
	}
	w.members(f.Child(n, "body"), sym, inner)
}

// members declares the members in a body of a class, an interface or an object.
func (w *scriptWalk) members(body syntax.Node, owner *symbol, s *scope) {
	f := w.f
	for _, m := range f.children(body) {
		name := f.Child(m, "name")
		if f.is(m, "field_definition") {
			name = f.Child(m, "property")
		}
		if f.is(m, "pair") {
			name = f.Child(m, "key")
		}
		if f.is(m, "shorthand_property_identifier") {
			name = m
		}
		if f.is(name, "computed_property_name") {
			w.visit(name, s)
		}
		if text, ok := f.propertyName(name); ok && !f.is(m, "index_signature") && text != "constructor" {
			f.member(owner, f.has(m, "static"), text, member, decl{place: f.at(m), name: name, means: asValue})
		}
		w.visit(m, s)
	}
}

// object declares the members of an object.
func (w *scriptWalk) object(n syntax.Node, s *scope) {
	sym := &symbol{kind: class, means: asValue, decls: []decl{{place: w.f.at(n), name: syntax.None, means: asValue}}}
	w.f.literals[n] = sym
	w.members(n, sym, s)
}

// literalType declares the members of a type literal.
func (w *scriptWalk) literalType(n syntax.Node, s *scope) {
	sym := &symbol{kind: class, means: asType, decls: []decl{{place: w.f.at(n), name: syntax.None, means: asType}}}
	w.f.literals[n] = sym
	w.members(n, sym, s)
}

func (w *scriptWalk) enum(n syntax.Node, s *scope) {
	f := w.f
	sym := w.add(n, f.Child(n, "name"), s, namespace, anyMeaning)
	body := f.Child(n, "body")
	inner := w.inner(body, s, false)
	inner.owner = sym
	for _, m := range f.children(body) {
		name := m
		if f.is(m, "enum_assignment") {
			name = f.Child(m, "name")
			w.visit(f.Child(m, "value"), inner)
		}
		if text, ok := f.propertyName(name); ok {
			f.member(sym, true, text, enumMember, decl{place: f.at(m), name: name, means: asValue | asType})
		}
	}
}

// namespace declares a namespace, one per name of a dotted one, or a module that
// is declared by its name.
func (w *scriptWalk) namespace(n syntax.Node, s *scope) {
	f := w.f
	name := f.Child(n, "name")
	body := f.Child(n, "body")
	was := w.ambient
	var sym *symbol
	if f.is(name, "string") {
		text, _ := f.propertyName(name)
		sym = w.b.ambientModule(text)
		f.join(sym, namespace, decl{place: f.at(n), name: name, means: asNamespace})
		w.ambient = true
	} else {
		sym = w.dotted(n, name, s)
	}
	inner := w.inner(n, s, true)
	inner.owner = sym
	if sym.exports == nil {
		sym.exports = table{}
	}
	if body != syntax.None {
		w.children(body, inner)
	}
	w.ambient = was
}

func (w *scriptWalk) dotted(n, name syntax.Node, s *scope) *symbol {
	f := w.f
	means := asNamespace
	if w.instantiated(f.Child(n, "body")) {
		means |= asValue
	}
	if !f.is(name, "nested_identifier") {
		at := n
		if f.is(f.Parent(at), "expression_statement") {
			at = f.Parent(at)
		}
		in, owner := w.home(at, s)
		sym := f.newSymbol(in, f.Text(name), namespace, decl{place: f.at(n), name: name, means: means})
		if owner != nil {
			sym.parent = owner
		}
		return sym
	}
	outer := w.dotted(n, f.Child(name, "object"), s)
	last := f.Child(name, "property")
	return f.member(outer, true, f.Text(last), namespace, decl{place: f.at(n), name: last, means: means})
}

// instantiated reports whether a namespace is a value, too: one that holds only
// types is not.
func (w *scriptWalk) instantiated(body syntax.Node) bool {
	f := w.f
	for _, c := range f.children(body) {
		inner := c
		if f.is(c, "export_statement", "expression_statement", "ambient_declaration") {
			inner = f.first(c)
		}
		switch {
		case f.is(inner, "interface_declaration", "type_alias_declaration"):
		case f.is(inner, "expression_statement") && f.is(f.first(inner), "internal_module"):
			if w.instantiated(f.Child(f.first(inner), "body")) {
				return true
			}
		case f.is(inner, "internal_module"):
			if w.instantiated(f.Child(inner, "body")) {
				return true
			}
		default:
			return true
		}
	}
	return false
}

// ambientDeclaration declares what stands behind declare.
func (w *scriptWalk) ambientDeclaration(n syntax.Node, s *scope) {
	f := w.f
	block := f.first(n, "statement_block")
	if block == syntax.None {
		was := w.ambient
		inner := f.first(n)
		w.ambient = w.ambient || f.is(inner, "internal_module", "module")
		if f.is(inner, "internal_module", "module") && s.owner != nil && !was && !w.exported(n) {
			w.ambientNamespace(inner, s)
		} else {
			w.children(n, s)
		}
		w.ambient = was
		return
	}
	global := &scope{outer: s, names: w.b.global.names, node: f.at(block), function: true}
	f.scopes[block] = global
	w.children(block, global)
}

// ambientNamespace declares a namespace that is not exported itself, but exports
// all that it holds.
func (w *scriptWalk) ambientNamespace(n syntax.Node, s *scope) {
	owner := s.owner
	s.owner = nil
	inner := &scope{outer: s, names: s.names, node: s.node, function: true}
	w.visit(n, inner)
	s.owner = owner
	if sc := w.f.scopes[n]; sc != nil {
		sc.outer = s
	}
}

// assignment declares what assignments define: CommonJS exports, members that are
// assigned to this in JavaScript, members of functions.
func (w *scriptWalk) assignment(n syntax.Node, s *scope) {
	f := w.f
	left := f.Child(n, "left")
	if !f.is(left, "member_expression") {
		return
	}
	object, property := f.Child(left, "object"), f.Child(left, "property")
	d := decl{place: f.at(n), name: property, means: asValue}
	text := f.Text(object)
	switch {
	case w.javascript && f.module != nil && f.Text(left) == "module.exports":
		w.exportsObject(n)
	case w.javascript && f.module != nil && (text == "module.exports" || text == "exports"):
		f.member(f.module, true, f.Text(property), variable, d)
	case w.javascript && text == "this":
		c := f.enclosing(n, scriptClasses...)
		if owner := w.classSymbol(c); owner != nil && c != syntax.None {
			f.member(owner, false, f.Text(property), member, d)
		}
	case strings.HasSuffix(text, ".prototype") && f.is(f.Child(object, "object"), "identifier"):
		if owner := s.names[f.Text(f.Child(object, "object"))]; owner != nil && owner.kind == function {
			f.member(owner, false, f.Text(property), member, d)
		}
	case f.is(object, "identifier"):
		owner, _ := s.lookup(text, asValue, func(s *symbol) meaning { return s.means })
		if owner != nil && owner.kind == function && (w.javascript || owner.exports[f.Text(property)] == nil) {
			f.member(owner, true, f.Text(property), member, d)
		}
	}
}

// exportsObject makes what is assigned to module.exports the module's exports.
func (w *scriptWalk) exportsObject(n syntax.Node) {
	f := w.f
	value := f.Child(n, "right")
	sym := &symbol{name: f.Text(value), means: anyMeaning, alias: &alias{target: f.at(value)}, hidden: true}
	if f.is(value, "identifier") {
		f.aliases = append(f.aliases, sym)
	} else {
		sym.name = ""
	}
	f.module.exports["export="] = sym
	for _, c := range f.children(value) {
		if m := f.declared[c]; m != nil && f.is(c, "shorthand_property_identifier") {
			m.alias = &alias{target: f.at(c)}
			f.aliases = append(f.aliases, m)
		}
	}
}
