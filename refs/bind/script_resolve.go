package bind

import "codeintel/symbols/syntax"

// resolve returns what the name at a node stands for.
func (l *script) resolve(b *Binder, at place) meant {
	f, n := at.file, at.node
	p := f.Parent(n)
	switch f.Kind(n) {
	case "string_fragment":
		return l.resolve(b, f.at(p))
	case "string", "number":
		return l.resolveLiteral(b, at)
	case "shorthand_property_identifier":
		m := l.property(b, f.at(n), f.at(p), f.Text(n))
		m.syms = append(m.syms, l.lookup(b, at, f.Text(n), asValue).syms...)
		return m
	case "shorthand_property_identifier_pattern":
		return l.shorthandPattern(b, at)
	case "statement_identifier":
		return l.resolveLabel(at)
	}
	if m, ok := l.resolveIn(b, at, p); ok {
		return m
	}
	if s := f.declared[n]; s != nil {
		return one(s)
	}
	return l.lookup(b, at, f.Text(n), l.meaning(at))
}

// resolveIn resolves names that are looked up in something else than the scopes
// around.
func (l *script) resolveIn(b *Binder, at place, p syntax.Node) (meant, bool) {
	f, n := at.file, at.node
	switch f.Kind(p) {
	case "member_expression":
		if f.In(n, "property") && l.qualifies(f.at(p)) {
			return l.qualified(b, f.at(p)), true
		}
		if f.In(n, "property") {
			return l.resolveMember(b, f.at(f.Child(p, "object")), at), true
		}
	case "nested_identifier", "nested_type_identifier":
		if f.declared[n] == nil && (f.In(n, "property") || f.In(n, "name")) {
			left := f.Child(p, "object")
			if left == syntax.None {
				left = f.Child(p, "module")
			}
			if f.is(left, "member_expression") {
				return l.inNamespaces(b, l.qualified(b, f.at(left)), f.Text(n), l.meaning(at)), true
			}
			return l.inNamespaces(b, l.resolve(b, f.at(left)), f.Text(n), l.meaning(at)), true
		}
		if f.is(n, "nested_identifier") {
			return l.resolve(b, f.at(f.Child(n, "property"))), true
		}
	case "pair", "method_definition":
		if object := f.Parent(p); f.is(object, "object") && (f.In(n, "key") || f.In(n, "name")) {
			return l.property(b, at, f.at(object), f.Text(n)), true
		}
	case "pair_pattern":
		if f.In(n, "key") {
			return b.membersOf(l.patternType(b, f.at(f.Parent(p))), f.Text(n)), true
		}
	case "import_specifier", "export_specifier":
		return l.specifier(b, at, p), true
	case "jsx_attribute":
		return l.attribute(b, at, p), true
	case "jsx_opening_element", "jsx_closing_element", "jsx_self_closing_element":
		if text := f.Text(n); text != "" && text[0] >= 'a' && text[0] <= 'z' {
			return meant{}, true // an element of HTML
		}
	case "binary_expression":
		if f.is(n, "private_property_identifier") {
			return l.private(at), true
		}
	case "required_parameter", "optional_parameter":
		if s := f.declared[n]; s != nil && s.also != nil {
			return meant{syms: []*symbol{s, s.also}}, true
		}
	}
	if f.is(n, "nested_identifier") {
		return l.resolve(b, f.at(f.Child(n, "property"))), true
	}
	if f.is(n, "nested_type_identifier") {
		return l.resolve(b, f.at(f.Child(n, "name"))), true
	}
	return meant{}, false
}

// lookup binds a plain name to the innermost scope that has it.
func (l *script) lookup(b *Binder, at place, name string, m meaning) meant {
	s, _ := at.file.scopeAt(at.node).lookup(name, m, b.meaningOf)
	if s == nil && m != anyMeaning {
		if s, _ = at.file.scopeAt(at.node).lookup(name, anyMeaning, b.meaningOf); s != nil && s.alias == nil {
			return meant{}
		}
	}
	return one(s)
}

// resolveMember resolves a property in a member expression.
func (l *script) resolveMember(b *Binder, object, at place) meant {
	f := at.file
	name := f.Text(at.node)
	if f.is(at.node, "private_property_identifier") {
		return l.private(at)
	}
	if s := f.declared[at.node]; s != nil && (s.static || s.parent == nil) {
		return one(s)
	}
	return b.membersOf(b.value(object), name)
}

// private resolves a private name: only the classes around it can declare it.
func (l *script) private(at place) meant {
	f := at.file
	name := f.Text(at.node)
	if s := f.declared[at.node]; s != nil {
		return one(s)
	}
	for c := f.enclosing(at.node, scriptClasses...); c != syntax.None; c = f.enclosing(c, scriptClasses...) {
		s := f.classSymbol(c)
		if s == nil {
			continue
		}
		if m := s.members[name]; m != nil {
			return one(m)
		}
		if m := s.exports[name]; m != nil {
			return one(m)
		}
	}
	return meant{}
}

// classSymbol returns the symbol that a class node declares.
func (f *file) classSymbol(c syntax.Node) *symbol {
	if s := f.literals[c]; s != nil {
		return s
	}
	return f.declared[f.Child(c, "name")]
}

// qualifies reports whether a member expression is a name in namespaces: in import
// a = b.c.d, or in the type import("m").a.B.
func (l *script) qualifies(at place) bool {
	f := at.file
	n := at.node
	for f.is(f.Parent(n), "member_expression") {
		n = f.Parent(n)
	}
	if f.is(f.Parent(n), "nested_identifier") {
		return true
	}
	inner := at.node
	for f.is(inner, "member_expression") {
		inner = f.Child(inner, "object")
	}
	return f.is(inner, "call_expression") && f.is(f.Child(inner, "function"), "import") && l.inType(f.at(inner))
}

// qualified resolves a member expression that is a name in namespaces.
func (l *script) qualified(b *Binder, at place) meant {
	f := at.file
	object, property := f.Child(at.node, "object"), f.Child(at.node, "property")
	var left meant
	switch f.Kind(object) {
	case "call_expression":
		if t := l.imported(b, f.at(object)); t != nil {
			left = one(t.sym)
		}
	case "member_expression":
		left = l.qualified(b, f.at(object))
	default:
		left = l.lookup(b, f.at(object), f.Text(object), asNamespace)
	}
	return l.inNamespaces(b, left, f.Text(property), l.meaning(f.at(property)))
}

// inNamespaces looks a name up in what namespaces export.
func (l *script) inNamespaces(b *Binder, left meant, name string, m meaning) meant {
	for _, s := range left.syms {
		if found, _ := b.exportOf(s, name, 0); found != nil && b.meaningOf(found)&m != 0 {
			return one(found)
		}
	}
	return meant{}
}

// property resolves the name of a property in an object: what the object declares,
// and what the type that is expected of it declares.
func (l *script) property(b *Binder, at, object place, name string) meant {
	m := one(at.file.declared[at.node])
	if t := l.expected(b, object); t != nil {
		m.syms = append(m.syms, b.membersOf(t, name).syms...)
	}
	return m
}

// shorthandPattern resolves a name in an object pattern, which is a property and a
// variable.
func (l *script) shorthandPattern(b *Binder, at place) meant {
	f := at.file
	pattern := f.Parent(at.node)
	if f.is(pattern, "object_assignment_pattern") {
		pattern = f.Parent(pattern)
	}
	m := one(f.declared[at.node])
	if len(m.syms) == 0 {
		m = l.lookup(b, at, f.Text(at.node), asValue)
	}
	for _, s := range m.syms {
		if s.alias != nil {
			return m
		}
	}
	props := b.membersOf(l.patternType(b, f.at(pattern)), f.Text(at.node))
	m.syms = append(m.syms, props.syms...)
	m.unknown = props.unknown
	return m
}

// resolveLiteral resolves a string or a number that names a property.
func (l *script) resolveLiteral(b *Binder, at place) meant {
	f, n := at.file, at.node
	p := f.Parent(n)
	name, _ := f.propertyName(n)
	if s := f.declared[n]; s != nil && !f.is(p, "pair") {
		return one(s)
	}
	switch f.Kind(p) {
	case "computed_property_name":
		outer := f.Parent(p)
		if s := f.declared[p]; s != nil && !f.is(outer, "pair") {
			return one(s)
		}
		if f.is(outer, "pair") {
			return l.named(b, f.at(p), f.at(f.Parent(outer)), name)
		}
	case "pair", "method_definition":
		if f.is(f.Parent(p), "object") && (f.In(n, "key") || f.In(n, "name")) {
			return l.named(b, at, f.at(f.Parent(p)), name)
		}
	case "subscript_expression":
		if f.In(n, "index") {
			return b.membersOf(b.value(f.at(f.Child(p, "object"))), name)
		}
	case "literal_type":
		if t := f.Parent(p); f.is(t, "lookup_type") && f.first(t) != p {
			return b.membersOf(l.typeFrom(b, f.at(f.first(t))), name)
		}
	case "pair_pattern":
		if f.In(n, "key") {
			return b.membersOf(l.patternType(b, f.at(f.Parent(p))), name)
		}
	case "import_specifier", "export_specifier":
		return l.specifier(b, at, p)
	}
	return meant{}
}

func (l *script) named(b *Binder, key, object place, name string) meant {
	return l.property(b, key, object, name)
}

// specifier resolves a name in the braces of an import or an export.
func (l *script) specifier(b *Binder, at place, spec syntax.Node) meant {
	f := at.file
	if s := f.declared[at.node]; s != nil && (f.Child(spec, "alias") == at.node || f.Child(spec, "alias") == syntax.None) {
		if f.is(spec, "export_specifier") && s.alias != nil && s.alias.module.from == nil {
			m := l.lookup(b, at, f.Text(at.node), anyMeaning)
			m.syms = append(m.syms, s)
			return m
		}
		return one(s)
	}
	outer := f.declared[f.Child(spec, "alias")]
	if outer == nil || outer.alias == nil {
		return meant{}
	}
	if outer.alias.module.from == nil {
		return l.lookup(b, at, f.Text(at.node), anyMeaning)
	}
	next, _ := b.next(outer)
	return one(next)
}

// attribute resolves an attribute of a component in the type of its properties.
func (l *script) attribute(b *Binder, at place, attribute syntax.Node) meant {
	f := at.file
	tag := f.Child(f.Parent(attribute), "name")
	if text := f.Text(tag); text != "" && text[0] >= 'a' && text[0] <= 'z' && f.is(tag, "identifier") {
		return meant{syms: l.intrinsic(b, at.file, text, f.Text(at.node))}
	}
	return b.membersOf(l.props(b, b.value(f.at(tag))), f.Text(at.node))
}

// intrinsic resolves an attribute of an element in JSX.IntrinsicElements, where the
// workspace declares it.
func (l *script) intrinsic(b *Binder, f *file, element, name string) []*symbol {
	jsx, _ := f.top.lookup("JSX", asNamespace, b.meaningOf)
	if jsx == nil {
		return nil
	}
	elements, _ := b.exportOf(jsx, "IntrinsicElements", 0)
	if elements == nil || elements.members[element] == nil {
		return nil
	}
	return b.membersOf(b.typeOf(elements.members[element]), name).syms
}

// props returns the type of a component's properties: its function's first
// parameter, or its class's props.
func (l *script) props(b *Binder, component *shape) *shape {
	if component == nil || component.sym == nil && component.at.file == nil {
		return nil
	}
	if component.sym != nil && component.sym.kind == class {
		found := b.find(&shape{kind: instance, sym: component.sym}, "props", 0)
		if len(found.syms) == 1 {
			return subst(b.typeOf(found.syms[0].sym), found.syms[0].args, 0)
		}
		return nil
	}
	fn, ok := b.functionOf(component)
	if !ok {
		return nil
	}
	return l.parameterType(b, fn, 0)
}

// resolveLabel resolves a label or a jump to one.
func (l *script) resolveLabel(at place) meant {
	f := at.file
	for n := f.Parent(at.node); n != syntax.None; n = f.Parent(n) {
		if f.is(n, "labeled_statement") && f.Text(f.Child(n, "label")) == f.Text(at.node) {
			return one(f.declared[f.Child(n, "label")])
		}
		if f.is(n, scriptFunctions...) {
			break
		}
	}
	return meant{}
}

// meaning returns what kind of thing a name can stand for where it stands.
func (l *script) meaning(at place) meaning {
	f, n := at.file, at.node
	p := f.Parent(n)
	if s := f.declared[n]; s != nil {
		if s.alias != nil {
			return anyMeaning
		}
		var m meaning
		for _, d := range s.decls {
			if d.file == f && d.name == n {
				m |= d.means
			}
		}
		return m
	}
	switch f.Kind(p) {
	case "import_specifier", "export_specifier", "import_clause", "namespace_import":
		return anyMeaning
	case "import_alias":
		return asNamespace | asType | asValue
	case "nested_type_identifier":
		if f.In(n, "module") {
			return asNamespace
		}
		return asType
	case "nested_identifier":
		if f.In(n, "object") {
			return asNamespace
		}
		return l.meaning(f.at(p))
	case "extends_clause":
		return asValue | asType
	case "export_statement":
		return anyMeaning
	case "member_expression":
		if f.In(n, "object") && !f.is(f.Parent(p), "nested_identifier") {
			return asValue
		}
		if l.qualifies(f.at(p)) {
			return l.qualifiedMeaning(f, p)
		}
	}
	if f.is(n, "type_identifier", "nested_type_identifier") {
		return asType
	}
	return asValue
}

// qualifiedMeaning is that of the last name of a member expression that is a name in
// namespaces.
func (l *script) qualifiedMeaning(f *file, member syntax.Node) meaning {
	switch p := f.Parent(member); {
	case f.is(p, "member_expression", "nested_identifier"):
		return asNamespace
	case f.is(p, "type_query"):
		return asValue
	}
	return asType
}
