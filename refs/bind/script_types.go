package bind

import "codeintel/symbols/syntax"

// typeFrom returns what is known of a type as it is written.
func (l *script) typeFrom(b *Binder, at place) *shape {
	if at.node == syntax.None || b.deep > depth {
		return nil
	}
	b.deep++
	defer func() { b.deep-- }()
	f, n := at.file, at.node
	switch f.Kind(n) {
	case "type_annotation", "parenthesized_type", "readonly_type", "asserts_annotation", "constraint", "optional_type", "rest_type", "default_type":
		return l.typeFrom(b, f.at(f.first(n)))
	case "type_identifier", "nested_type_identifier", "identifier":
		return l.reference(b, at, nil)
	case "generic_type":
		return l.generic(b, at)
	case "object_type":
		if c := f.first(f.first(n, "index_signature"), "mapped_type_clause"); c != syntax.None && f.is(f.Child(c, "type"), "index_type_query") {
			return l.typeFrom(b, f.at(f.first(f.Child(c, "type")))) // the members are those of the type
		}
		return &shape{kind: instance, sym: f.literals[n]}
	case "union_type", "intersection_type":
		var parts []*shape
		for _, c := range f.children(n) {
			parts = append(parts, l.typeFrom(b, f.at(c)))
		}
		if f.is(n, "union_type") {
			return newUnion(union, parts...)
		}
		return newUnion(intersection, parts...)
	case "array_type":
		return &shape{kind: list, elem: l.typeFrom(b, f.at(f.first(n)))}
	case "tuple_type":
		t := &shape{kind: list, elem: &shape{}}
		for _, c := range f.children(n) {
			t.parts = append(t.parts, l.typeFrom(b, f.at(c)))
		}
		return t
	case "function_type", "constructor_type":
		return &shape{kind: callable, at: at}
	case "type_query":
		return b.value(f.at(f.first(n)))
	case "lookup_type":
		return l.lookupType(b, at)
	case "member_expression":
		return l.importType(b, at)
	case "this_type", "this":
		return l.this(b, at)
	case "predefined_type", "literal_type", "template_literal_type", "index_type_query", "type_predicate_annotation", "flow_maybe_type":
		return &shape{}
	}
	return nil
}

// reference returns the type that a name stands for.
func (l *script) reference(b *Binder, at place, args []*shape) *shape {
	f := at.file
	m := l.resolve(b, at)
	if len(m.syms) == 0 {
		return l.library(b, f.Text(at.node), args)
	}
	s := b.last(m.syms[0])
	if s == nil {
		return nil
	}
	return l.instantiate(b, s, args)
}

// instantiate returns the type that a symbol is, with types for its parameters.
func (l *script) instantiate(b *Binder, s *symbol, args []*shape) *shape {
	switch {
	case s.kind == typeParameter:
		return &shape{kind: parameter, sym: s}
	case s.kind == typeAlias:
		for _, d := range s.decls {
			if d.file.is(d.node, "type_alias_declaration") {
				t := l.typeFrom(b, d.file.at(d.file.Child(d.node, "value")))
				return subst(t, l.arguments(b, d, args), 0)
			}
		}
		return nil
	case s.kind == enumMember, s.kind == namespace && s.means&asType != 0:
		return &shape{}
	}
	t := &shape{kind: instance, sym: s}
	for _, d := range s.decls {
		for p, a := range l.arguments(b, d, args) {
			if t.args == nil {
				t.args = map[*symbol]*shape{}
			}
			t.args[p] = a
		}
	}
	return t
}

// arguments maps the type parameters of a declaration to types.
func (l *script) arguments(b *Binder, d decl, args []*shape) map[*symbol]*shape {
	f := d.file
	out := map[*symbol]*shape{}
	for i, p := range f.children(f.Child(d.node, "type_parameters")) {
		s := f.declared[f.Child(p, "name")]
		if s == nil {
			continue
		}
		if i < len(args) {
			out[s] = args[i]
		} else if v := f.Child(p, "value"); v != syntax.None {
			out[s] = l.typeFrom(b, f.at(v))
		}
	}
	return out
}

func (l *script) generic(b *Binder, at place) *shape {
	f := at.file
	name := f.Child(at.node, "name")
	if name == syntax.None {
		name = f.first(at.node)
	}
	return l.reference(b, f.at(name), l.typeArguments(b, at))
}

func (l *script) typeArguments(b *Binder, at place) []*shape {
	f := at.file
	var args []*shape
	for _, a := range f.children(f.Child(at.node, "type_arguments")) {
		args = append(args, l.typeFrom(b, f.at(a)))
	}
	return args
}

// library returns what the types of the standard library are that change nothing
// about members, or hold others.
func (l *script) library(b *Binder, name string, args []*shape) *shape {
	var arg *shape
	if len(args) > 0 {
		arg = args[0]
	}
	switch name {
	case "Array", "ReadonlyArray", "Set", "ReadonlySet", "Iterable", "IterableIterator", "Iterator", "AsyncIterable", "AsyncGenerator", "Generator", "AsyncIterator":
		return &shape{kind: list, elem: arg}
	case "Promise", "PromiseLike":
		return &shape{kind: promise, elem: arg}
	case "Partial", "Required", "Readonly", "NonNullable", "Pick", "Omit":
		return arg
	case "Awaited":
		return awaited(arg)
	case "Map", "ReadonlyMap", "WeakMap":
		if len(args) == 2 {
			return &shape{kind: plain, elem: args[1]}
		}
	case "Record":
		if len(args) == 2 {
			return &shape{kind: plain, elem: args[1]}
		}
	case "Date", "RegExp", "Function", "String", "Number", "Boolean", "Symbol", "Object", "Error":
		return &shape{}
	}
	return nil
}

func awaited(t *shape) *shape {
	if t != nil && t.kind == promise {
		return t.elem
	}
	return t
}

// lookupType returns the type of T["name"].
func (l *script) lookupType(b *Binder, at place) *shape {
	f := at.file
	parts := f.children(at.node)
	if len(parts) != 2 {
		return nil
	}
	t := l.typeFrom(b, f.at(parts[0]))
	if f.is(parts[1], "literal_type") {
		if name, ok := f.propertyName(f.first(parts[1])); ok {
			return b.memberType(t, name)
		}
	}
	if t != nil && t.kind == list {
		return t.elem
	}
	return nil
}

// importType returns the type of import("m").a.B.
func (l *script) importType(b *Binder, at place) *shape {
	m := l.resolve(b, at.file.at(at.file.Child(at.node, "property")))
	if len(m.syms) == 0 {
		return nil
	}
	if s := b.last(m.syms[0]); s != nil {
		return l.instantiate(b, s, nil)
	}
	return nil
}

// this returns the type of this: the class around, its static side in static
// members, the object that a method belongs to.
func (l *script) this(b *Binder, at place) *shape {
	f := at.file
	for n := f.Parent(at.node); n != syntax.None; n = f.Parent(n) {
		p := f.Parent(n)
		switch f.Kind(n) {
		case "method_definition", "public_field_definition", "field_definition", "class_static_block", "method_signature", "property_signature":
			if f.is(p, "object") {
				return l.objectType(b, f.at(p))
			}
			owner := f.classSymbol(f.Parent(p))
			if owner == nil {
				return nil
			}
			if f.has(n, "static") || f.is(n, "class_static_block") {
				return &shape{kind: static, sym: owner}
			}
			return &shape{kind: instance, sym: owner}
		case "function_declaration", "function_expression":
			return l.thisOfFunction(b, f.at(n))
		case "class_body", "interface_body":
			if owner := f.classSymbol(p); owner != nil {
				return &shape{kind: instance, sym: owner}
			}
		}
	}
	return nil
}

func (l *script) thisOfFunction(b *Binder, fn place) *shape {
	f := fn.file
	for _, p := range f.children(f.Child(fn.node, "parameters")) {
		if f.is(f.Child(p, "pattern"), "this") {
			return l.typeFrom(b, f.at(f.Child(p, "type")))
		}
	}
	if p := f.Parent(fn.node); f.is(p, "pair") && f.is(f.Parent(p), "object") {
		return l.objectType(b, f.at(f.Parent(p)))
	}
	if s := f.declared[f.Child(fn.node, "name")]; s != nil && len(s.members) > 0 {
		return &shape{kind: instance, sym: s}
	}
	return nil
}

// objectType returns the type of an object: its own, with the one that is expected
// of it.
func (l *script) objectType(b *Binder, at place) *shape {
	own := &shape{kind: instance, sym: at.file.literals[at.node]}
	if own.sym == nil {
		return nil
	}
	return own
}

// bases returns what a class, an interface or an object takes over, and what it
// says to implement.
func (l *script) bases(b *Binder, d decl) (extended, implemented []*shape) {
	f := d.file
	switch f.Kind(d.node) {
	case "class_declaration", "abstract_class_declaration", "class":
		heritage := f.first(d.node, "class_heritage")
		for _, c := range f.children(heritage) {
			switch f.Kind(c) {
			case "extends_clause":
				extended = append(extended, l.superclass(b, f.at(f.Child(c, "value")), l.typeArguments(b, f.at(c))))
			case "implements_clause":
				for _, t := range f.children(c) {
					implemented = append(implemented, l.typeFrom(b, f.at(t)))
				}
			default: // JavaScript
				extended = append(extended, l.superclass(b, f.at(c), nil))
			}
		}
	case "interface_declaration":
		for _, t := range f.children(f.first(d.node, "extends_type_clause")) {
			extended = append(extended, l.typeFrom(b, f.at(t)))
		}
	case "object":
		for _, c := range f.children(d.node) {
			if f.is(c, "spread_element") {
				extended = append(extended, b.value(f.at(f.first(c))))
			}
		}
	}
	return extended, implemented
}

// superclass returns the instances of the class that an expression gives.
func (l *script) superclass(b *Binder, at place, args []*shape) *shape {
	return l.constructed(b, b.value(at), args)
}

// constructed returns what new gives for a class.
func (l *script) constructed(b *Binder, t *shape, args []*shape) *shape {
	if t == nil {
		return nil
	}
	if t.kind == static && t.sym != nil {
		switch t.sym.kind {
		case class, function:
			return l.instantiate(b, t.sym, args)
		}
	}
	return nil
}

// expand: what TypeScript unites are the members of the types above, which every
// place has in common.
func (l *script) expand(*Binder, *symbol) []*symbol { return nil }
