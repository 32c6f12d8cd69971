package bind

import (
	"slices"

	"codeintel/symbols/syntax"
)

// typeOf returns the type of what a declaration declares, as a value.
func (l *script) typeOf(b *Binder, d decl) *shape {
	f := d.file
	switch f.Kind(d.node) {
	case "method_definition", "method_signature", "abstract_method_signature":
		return l.methodType(b, d)
	case "public_field_definition", "field_definition", "property_signature":
		if t := f.Child(d.node, "type"); t != syntax.None {
			return l.typeFrom(b, f.at(t))
		}
		if v := f.Child(d.node, "value"); v != syntax.None {
			return b.value(f.at(v))
		}
		return &shape{}
	case "pair":
		return b.value(f.at(f.Child(d.node, "value")))
	case "shorthand_property_identifier":
		if m := l.lookup(b, d.place, f.Text(d.node), asValue); len(m.syms) > 0 {
			return b.typeOf(m.syms[0])
		}
		return nil
	case "assignment_expression":
		return b.value(f.at(f.Child(d.node, "right")))
	case "type_parameter":
		if c := f.Child(d.node, "constraint"); c != syntax.None {
			return l.typeFrom(b, f.at(c))
		}
		return &shape{}
	case "catch_clause", "enum_assignment":
		return &shape{}
	case "function_signature", "function_declaration":
		return &shape{kind: callable, at: d.place}
	}
	return l.slotType(b, f.at(d.name))
}

func (l *script) methodType(b *Binder, d decl) *shape {
	f := d.file
	switch {
	case f.has(d.node, "get"):
		return l.result(b, d.place)
	case f.has(d.node, "set"):
		return l.parameterType(b, d.place, 0)
	}
	return &shape{kind: callable, at: d.place}
}

// patternType returns the type of what a pattern takes apart.
func (l *script) patternType(b *Binder, pattern place) *shape { return l.slotType(b, pattern) }

// slotType returns the type of the value that a name or a pattern is bound to.
func (l *script) slotType(b *Binder, at place) *shape {
	return b.once(b.slots, at, func() *shape { return l.slot(b, at) })
}

func (l *script) slot(b *Binder, at place) *shape {
	f, n := at.file, at.node
	p := f.Parent(n)
	switch f.Kind(p) {
	case "variable_declarator":
		if t := f.Child(p, "type"); t != syntax.None {
			return l.typeFrom(b, f.at(t))
		}
		if v := f.Child(p, "value"); v != syntax.None {
			return b.value(f.at(v))
		}
		if f.is(f.enclosing(p, "for_in_statement"), "for_in_statement") {
			return nil
		}
		return nil // what is assigned to it later is not followed
	case "required_parameter", "optional_parameter", "formal_parameters", "arrow_function":
		return l.parameterSlot(b, at, p)
	case "pair_pattern":
		name, ok := f.propertyName(f.Child(p, "key"))
		if !ok {
			return nil
		}
		return b.memberType(l.slotType(b, f.at(f.Parent(p))), name)
	case "object_assignment_pattern", "assignment_pattern":
		if f.is(n, "shorthand_property_identifier_pattern") {
			return b.memberType(l.slotType(b, f.at(f.Parent(p))), f.Text(n))
		}
		return l.slotType(b, f.at(p))
	case "object_pattern":
		if f.is(n, "shorthand_property_identifier_pattern") {
			return b.memberType(l.slotType(b, f.at(p)), f.Text(n))
		}
		return l.slotType(b, f.at(p))
	case "array_pattern":
		return elementOf(l.slotType(b, f.at(p)), slices.Index(f.children(p), n))
	case "rest_pattern":
		return l.slotType(b, f.at(p))
	case "for_in_statement":
		if f.has(p, "of") {
			return elementOf(b.value(f.at(f.Child(p, "right"))), -1)
		}
		return &shape{}
	case "assignment_expression":
		return b.value(f.at(f.Child(p, "right")))
	}
	return nil
}

// elementOf returns the type of a list's element, by number for a tuple.
func elementOf(t *shape, i int) *shape {
	if t == nil || t.kind != list {
		return nil
	}
	if i >= 0 && i < len(t.parts) {
		return t.parts[i]
	}
	return t.elem
}

// parameterSlot returns the type of a parameter: as declared, by its default, or
// as what the function is given to expects.
func (l *script) parameterSlot(b *Binder, at place, p syntax.Node) *shape {
	f := at.file
	param := at.node
	if f.is(p, "required_parameter", "optional_parameter") {
		param = p
		if t := f.Child(p, "type"); t != syntax.None {
			return l.typeFrom(b, f.at(t))
		}
		if v := f.Child(p, "value"); v != syntax.None {
			return b.value(f.at(v))
		}
		p = f.Parent(p)
	}
	fn := p
	i := 0
	if f.is(p, "formal_parameters") {
		fn = f.Parent(p)
		i = slices.Index(f.children(p), param)
	}
	return l.expectedParameter(b, f.at(fn), i)
}

// expectedParameter returns the type of a parameter of a function expression, as
// what takes the function expects it. Without any it is any.
func (l *script) expectedParameter(b *Binder, fn place, i int) *shape {
	f := fn.file
	if !f.is(fn.node, "arrow_function", "function_expression") && !(f.is(fn.node, "method_definition") && f.is(f.Parent(fn.node), "object")) {
		return &shape{}
	}
	if p := f.Parent(fn.node); f.is(p, "arguments") {
		call := f.Parent(p)
		if t, ok := l.libraryParameter(b, f.at(call), i); ok {
			return t
		}
	}
	t := l.expected(b, fn)
	if f.is(fn.node, "method_definition") {
		name, _ := f.propertyName(f.Child(fn.node, "name"))
		t = b.memberType(l.expected(b, f.at(f.Parent(fn.node))), name)
	}
	target, ok := b.functionOf(t)
	if !ok {
		if f.is(f.Parent(fn.node), "variable_declarator") && f.Child(f.Parent(fn.node), "type") == syntax.None {
			return &shape{}
		}
		return nil
	}
	return subst(l.parameterType(b, target, i), t.args, 0)
}

// parameterType returns the type of a function's i-th parameter, counted from 0.
func (l *script) parameterType(b *Binder, fn place, i int) *shape {
	f := fn.file
	if p := f.Child(fn.node, "parameter"); p != syntax.None && i == 0 {
		return l.slotType(b, f.at(p))
	}
	params := f.children(f.Child(fn.node, "parameters"))
	if len(params) > 0 && f.is(f.Child(params[0], "pattern"), "this") {
		params = params[1:]
	}
	if len(params) == 0 {
		return nil
	}
	last := params[len(params)-1]
	if f.is(f.Child(last, "pattern"), "rest_pattern") && i >= len(params)-1 {
		return elementOf(l.slotType(b, f.at(f.Child(last, "pattern"))), i-len(params)+1)
	}
	if i >= len(params) {
		return nil
	}
	if pattern := f.Child(params[i], "pattern"); pattern != syntax.None {
		return l.slotType(b, f.at(pattern))
	}
	return l.slotType(b, f.at(params[i]))
}

// expected returns the type that is expected of an expression where it stands; nil
// when nothing is, or it is not known.
func (l *script) expected(b *Binder, at place) *shape {
	return b.once(b.wanted, at, func() *shape { return l.expectation(b, at) })
}

func (l *script) expectation(b *Binder, at place) *shape {
	f, n := at.file, at.node
	p := f.Parent(n)
	switch f.Kind(p) {
	case "variable_declarator", "public_field_definition", "required_parameter", "optional_parameter":
		if t := f.Child(p, "type"); t != syntax.None && f.In(n, "value") {
			return l.typeFrom(b, f.at(t))
		}
	case "assignment_expression":
		if f.In(n, "right") {
			return b.value(f.at(f.Child(p, "left")))
		}
	case "arguments":
		return l.expectedArgument(b, f.at(f.Parent(p)), slices.Index(f.children(p), n))
	case "return_statement":
		return l.expectedResult(b, f.at(f.enclosing(p, scriptFunctions...)))
	case "arrow_function":
		return l.expectedResult(b, f.at(p))
	case "as_expression", "satisfies_expression":
		if parts := f.children(p); len(parts) == 2 && parts[0] == n {
			return l.typeFrom(b, f.at(parts[1]))
		}
	case "type_assertion":
		return l.typeFrom(b, f.at(f.first(f.first(p))))
	case "pair":
		if name, ok := f.propertyName(f.Child(p, "key")); ok {
			return b.memberType(l.expected(b, f.at(f.Parent(p))), name)
		}
	case "array":
		return elementOf(l.expected(b, f.at(p)), slices.Index(f.children(p), n))
	case "parenthesized_expression", "ternary_expression", "await_expression":
		return l.expected(b, f.at(p))
	case "binary_expression":
		if t := l.expected(b, f.at(p)); t != nil {
			return t
		}
		return b.value(f.at(f.Child(p, "left")))
	case "jsx_expression":
		return l.expectedAttribute(b, f.at(p))
	}
	return nil
}

func (l *script) expectedAttribute(b *Binder, at place) *shape {
	f := at.file
	attribute := f.Parent(at.node)
	if !f.is(attribute, "jsx_attribute") {
		return nil
	}
	m := l.attribute(b, f.at(f.first(attribute)), attribute)
	if len(m.syms) == 0 {
		return nil
	}
	return b.typeOf(m.syms[0])
}

// expectedArgument returns the type of the parameter that an argument is given to.
func (l *script) expectedArgument(b *Binder, call place, i int) *shape {
	f := call.file
	if f.is(call.node, "new_expression") {
		return l.constructorParameter(b, b.value(f.at(f.Child(call.node, "constructor"))), i, 0)
	}
	t := b.value(f.at(f.Child(call.node, "function")))
	fn, ok := b.functionOf(t)
	if !ok {
		return nil
	}
	got := subst(l.parameterType(b, fn, i), t.args, 0)
	if args := l.typeArguments(b, call); len(args) > 0 {
		got = subst(got, l.arguments(b, decl{place: fn}, args), 0)
	}
	return got
}

// constructorParameter returns the type of a parameter of a class's constructor,
// or of that of the class it extends.
func (l *script) constructorParameter(b *Binder, class *shape, i, deep int) *shape {
	if class == nil || class.sym == nil || deep > depth {
		return nil
	}
	for _, d := range class.sym.decls {
		if d.file == nil {
			continue
		}
		for _, m := range d.file.children(d.file.Child(d.node, "body")) {
			if d.file.Text(d.file.Child(m, "name")) == "constructor" {
				return l.parameterType(b, d.file.at(m), i)
			}
		}
	}
	for _, base := range b.extended(class.sym) {
		return l.constructorParameter(b, base, i, deep+1)
	}
	return nil
}

// expectedResult returns the type that a function is expected to return.
func (l *script) expectedResult(b *Binder, fn place) *shape {
	f := fn.file
	if fn.node == syntax.None {
		return nil
	}
	var t *shape
	if declared := f.Child(fn.node, "return_type"); declared != syntax.None {
		t = l.typeFrom(b, f.at(declared))
	} else {
		outer := l.expected(b, fn)
		target, ok := b.functionOf(outer)
		if !ok {
			return nil
		}
		t = subst(l.result(b, target), outer.args, 0)
	}
	if f.has(fn.node, "async") {
		return awaited(t)
	}
	return t
}
