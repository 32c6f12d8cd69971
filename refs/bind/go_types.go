package bind

import (
	"slices"

	"codeintel/symbols/syntax"
)

// typeFrom returns what is known of a type as it is written. A pointer counts as
// what it leads to.
func (l *golang) typeFrom(b *Binder, at place) *shape {
	if at.node == syntax.None || b.deep > depth {
		return nil
	}
	b.deep++
	defer func() { b.deep-- }()
	f, n := at.file, at.node
	switch f.Kind(n) {
	case "type_identifier", "identifier":
		return l.namedType(b, at, nil)
	case "qualified_type", "selector_expression":
		return l.qualifiedType(b, at, nil)
	case "generic_type", "type_instantiation_expression":
		var args []*shape
		for _, a := range f.children(f.Child(n, "type_arguments")) {
			args = append(args, l.typeFrom(b, f.at(a)))
		}
		inner := f.at(f.Child(n, "type"))
		if f.is(inner.node, "qualified_type") {
			return l.qualifiedType(b, inner, args)
		}
		return l.namedType(b, inner, args)
	case "pointer_type", "parenthesized_type", "type_elem", "type_constraint":
		return l.typeFrom(b, f.at(f.first(n)))
	case "slice_type", "array_type", "implicit_length_array_type":
		return &shape{kind: list, elem: l.typeFrom(b, f.at(f.Child(n, "element")))}
	case "map_type":
		return &shape{kind: list, elem: l.typeFrom(b, f.at(f.Child(n, "value"))), parts: []*shape{l.typeFrom(b, f.at(f.Child(n, "key")))}}
	case "channel_type":
		return &shape{kind: promise, elem: l.typeFrom(b, f.at(f.Child(n, "value")))}
	case "struct_type", "interface_type":
		return &shape{kind: instance, sym: f.literals[n]}
	case "function_type":
		return &shape{kind: callable, at: at}
	}
	return nil
}

func (l *golang) namedType(b *Binder, at place, args []*shape) *shape {
	m := l.lookup(b, at, at.text())
	if len(m.syms) == 0 {
		return l.basic(at.text())
	}
	return l.instantiate(b, m.syms[0], args)
}

// basic returns the predeclared types, which have no members.
func (l *golang) basic(name string) *shape {
	switch name {
	case "bool", "string", "int", "int8", "int16", "int32", "int64", "uint", "uint8", "uint16", "uint32", "uint64", "uintptr",
		"byte", "rune", "float32", "float64", "complex64", "complex128", "any", "comparable":
		return &shape{}
	}
	return nil
}

func (l *golang) qualifiedType(b *Binder, at place, args []*shape) *shape {
	f := at.file
	name := f.Child(at.node, "name")
	if name == syntax.None {
		name = f.Child(at.node, "field")
	}
	m := l.resolve(b, f.at(name))
	if len(m.syms) == 0 {
		return l.foreign(b, at)
	}
	return l.instantiate(b, m.syms[0], args)
}

// instantiate returns the type that a symbol is.
func (l *golang) instantiate(b *Binder, s *symbol, args []*shape) *shape {
	switch s.kind {
	case typeParameter:
		return &shape{kind: parameter, sym: s}
	case typeAlias:
		for _, d := range s.decls {
			return l.typeFrom(b, d.file.at(d.file.Child(d.node, "type")))
		}
	case class:
		t := &shape{kind: instance, sym: s}
		for _, d := range s.decls {
			if d.file == nil || len(args) == 0 {
				continue
			}
			t.args = l.arguments(d.place, args)
			if under := d.file.Child(d.node, "type"); !d.file.is(under, "struct_type", "interface_type") {
				return t
			}
		}
		return t
	}
	return nil
}

// arguments maps the type parameters of a declaration to types.
func (l *golang) arguments(at place, args []*shape) map[*symbol]*shape {
	f := at.file
	out := map[*symbol]*shape{}
	i := 0
	for _, p := range f.children(f.Child(at.node, "type_parameters")) {
		for _, c := range f.children(p) {
			if f.In(c, "name") {
				if i < len(args) {
					out[f.declared[c]] = args[i]
				}
				i++
			}
		}
	}
	return out
}

// typeOf returns the type of what a declaration declares.
func (l *golang) typeOf(b *Binder, d decl) *shape {
	f := d.file
	switch f.Kind(d.node) {
	case "method_declaration", "method_elem":
		return &shape{kind: callable, at: d.place}
	case "field_declaration", "parameter_declaration":
		return l.typeFrom(b, f.at(f.Child(d.node, "type")))
	case "variadic_parameter_declaration":
		return &shape{kind: list, elem: l.typeFrom(b, f.at(f.Child(d.node, "type")))}
	case "type_parameter_declaration":
		return l.typeFrom(b, f.at(f.Child(d.node, "type")))
	case "var_spec", "const_spec":
		if t := f.Child(d.node, "type"); t != syntax.None {
			return l.typeFrom(b, f.at(t))
		}
		var names []syntax.Node
		for _, c := range f.children(d.node) {
			if f.In(c, "name") {
				names = append(names, c)
			}
		}
		return l.assigned(b, f, f.Child(d.node, "value"), slices.Index(names, d.name), len(names))
	case "short_var_declaration", "receive_statement":
		left := f.children(f.Child(d.node, "left"))
		return l.assigned(b, f, f.Child(d.node, "right"), slices.Index(left, d.name), len(left))
	case "range_clause":
		return l.ranged(b, d)
	case "type_switch_statement":
		return b.value(f.at(f.Child(d.node, "value")))
	}
	return nil
}

// assigned returns the type of the i-th of several values.
func (l *golang) assigned(b *Binder, f *file, right syntax.Node, i, of int) *shape {
	if i < 0 {
		return nil
	}
	values := []syntax.Node{right}
	if f.is(right, "expression_list") {
		values = f.children(right)
	}
	if len(values) == of && i < of {
		return first(b.value(f.at(values[i])))
	}
	if len(values) != 1 || right == syntax.None {
		return nil
	}
	t := b.value(f.at(values[0]))
	if t != nil && t.kind == tuple {
		if i < len(t.parts) {
			return t.parts[i]
		}
		return nil
	}
	if i == 0 { // v, ok := m[k]
		return t
	}
	return &shape{}
}

// first returns the first of several results.
func first(t *shape) *shape {
	if t != nil && t.kind == tuple && len(t.parts) > 0 {
		return t.parts[0]
	}
	return t
}

func (l *golang) ranged(b *Binder, d decl) *shape {
	f := d.file
	t := l.underlying(b, b.value(f.at(f.Child(d.node, "right"))), 0)
	if t == nil {
		return nil
	}
	i := slices.Index(f.children(f.Child(d.node, "left")), d.name)
	switch {
	case t.kind == promise:
		return t.elem
	case t.kind == list && i == 1:
		return t.elem
	case t.kind == list && len(t.parts) > 0:
		return t.parts[0]
	case t.kind == list, t.kind == plain:
		return &shape{}
	}
	return nil
}

// value returns the type of an expression.
func (l *golang) value(b *Binder, at place) *shape {
	f, n := at.file, at.node
	switch f.Kind(n) {
	case "identifier":
		return l.identifier(b, at)
	case "selector_expression":
		return l.selector(b, at)
	case "call_expression":
		return l.call(b, at)
	case "composite_literal", "type_conversion_expression", "type_assertion_expression":
		return l.typeFrom(b, f.at(f.Child(n, "type")))
	case "unary_expression":
		t := b.value(f.at(f.Child(n, "operand")))
		if f.Text(f.Child(n, "operator")) == "<-" {
			if t = l.underlying(b, t, 0); t != nil {
				return t.elem
			}
		}
		return t
	case "parenthesized_expression", "literal_element", "expression_list":
		return b.value(f.at(f.first(n)))
	case "index_expression":
		t := l.underlying(b, b.value(f.at(f.Child(n, "operand"))), 0)
		if t == nil || t.kind == callable || t.kind == static {
			return t
		}
		return t.elem
	case "slice_expression":
		return b.value(f.at(f.Child(n, "operand")))
	case "func_literal":
		return &shape{kind: callable, at: at}
	case "binary_expression":
		return b.value(f.at(f.Child(n, "left")))
	case "type_identifier", "qualified_type", "generic_type", "slice_type", "map_type", "pointer_type", "array_type", "function_type", "interface_type", "struct_type", "type_instantiation_expression":
		return l.typeFrom(b, at)
	case "int_literal", "float_literal", "interpreted_string_literal", "raw_string_literal", "rune_literal", "true", "false", "nil", "iota":
		return &shape{}
	}
	return nil
}

func (l *golang) identifier(b *Binder, at place) *shape {
	m := l.lookup(b, at, at.text())
	if len(m.syms) == 0 {
		if t := l.basic(at.text()); t != nil {
			return t
		}
		return nil
	}
	s := m.syms[0]
	if s.kind == typeAlias {
		return l.instantiate(b, s, nil)
	}
	if s.kind == typeParameter {
		return &shape{kind: parameter, sym: s}
	}
	for _, d := range s.decls {
		if d.file == at.file && d.file.is(d.node, "type_switch_statement") {
			return l.switched(b, at, d)
		}
	}
	return b.typeOf(s)
}

// switched returns the type of a type switch's variable in the case around a place.
func (l *golang) switched(b *Binder, at place, d decl) *shape {
	f := at.file
	c := f.enclosing(at.node, "type_case", "default_case")
	for c != syntax.None && f.Parent(c) != d.node {
		c = f.enclosing(c, "type_case", "default_case")
	}
	var types []syntax.Node
	for _, t := range f.children(c) {
		if f.In(t, "type") {
			types = append(types, t)
		}
	}
	if len(types) == 1 {
		return l.typeFrom(b, f.at(types[0]))
	}
	return b.value(f.at(f.Child(d.node, "value")))
}

func (l *golang) selector(b *Binder, at place) *shape {
	f := at.file
	operand, field := f.at(f.Child(at.node, "operand")), f.Child(at.node, "field")
	m := l.selected(b, operand, f.Text(field))
	if len(m.syms) == 0 {
		return l.foreign(b, at)
	}
	if s := m.syms[0]; s.parent == nil {
		if s.kind == typeAlias {
			return l.instantiate(b, s, nil)
		}
		return b.typeOf(s)
	}
	t := b.value(operand)
	if t != nil && t.kind == static {
		t = &shape{kind: instance, sym: t.sym}
	}
	return b.memberType(t, f.Text(field))
}

// call returns what a call gives: a conversion, a built-in function's result, or
// the function's results.
func (l *golang) call(b *Binder, at place) *shape {
	f := at.file
	callee := f.Child(at.node, "function")
	args := f.children(f.Child(at.node, "arguments"))
	if f.is(callee, "identifier") && len(l.lookup(b, f.at(callee), f.Text(callee)).syms) == 0 {
		return l.builtin(b, f, f.Text(callee), args)
	}
	for f.is(callee, "parenthesized_expression") {
		callee = f.first(callee)
	}
	t := b.value(f.at(callee))
	if t == nil {
		return nil
	}
	if t.kind == static && t.sym != nil && t.sym.kind == class {
		return &shape{kind: instance, sym: t.sym}
	}
	if under := l.underlying(b, t, 0); under != nil && under.kind == callable {
		t = under
	}
	fn, ok := b.functionOf(t)
	if !ok && t.kind == plain {
		return t // of a package outside: it cannot know our types
	}
	if !ok {
		if f.is(callee, "pointer_type", "slice_type", "unary_expression") || t.kind == list {
			return t // a conversion
		}
		return nil
	}
	return subst(l.result(b, fn), l.inferred(b, f, fn, args, t.args), 0)
}

func (l *golang) builtin(b *Binder, f *file, name string, args []syntax.Node) *shape {
	switch {
	case len(args) == 0:
		return &shape{}
	case name == "new", name == "make":
		if f.is(args[0], "identifier", "selector_expression") {
			return l.instanceOf(b.value(f.at(args[0])))
		}
		return l.typeFrom(b, f.at(args[0]))
	case name == "append", name == "min", name == "max":
		return b.value(f.at(args[0]))
	}
	return l.basic(name)
}

func (l *golang) instanceOf(t *shape) *shape {
	if t != nil && t.kind == static {
		return &shape{kind: instance, sym: t.sym}
	}
	return t
}

// inferred maps a generic function's type parameters to the arguments' types.
func (l *golang) inferred(b *Binder, f *file, fn place, args []syntax.Node, known map[*symbol]*shape) map[*symbol]*shape {
	out := map[*symbol]*shape{}
	for k, v := range known {
		out[k] = v
	}
	if fn.file.Child(fn.node, "type_parameters") == syntax.None {
		return out
	}
	i := 0
	for _, p := range fn.file.children(fn.file.Child(fn.node, "parameters")) {
		t := l.typeFrom(b, fn.file.at(fn.file.Child(p, "type")))
		for _, c := range fn.file.children(p) {
			if fn.file.In(c, "name") && i < len(args) {
				l.infer(b, t, b.value(f.at(args[i])), out, 0)
				i++
			}
		}
	}
	return out
}

// infer notes what type parameters stand for when a value is given for a type.
func (l *golang) infer(b *Binder, t, given *shape, out map[*symbol]*shape, deep int) {
	if t == nil || given == nil || deep > depth {
		return
	}
	if t.kind == parameter && out[t.sym] == nil {
		out[t.sym] = given
		return
	}
	if t.kind != instance {
		given = l.underlying(b, given, 0)
	}
	if given != nil && t.kind == given.kind {
		l.infer(b, t.elem, given.elem, out, deep+1)
	}
}

// result returns what a function returns.
func (l *golang) result(b *Binder, fn place) *shape {
	f := fn.file
	r := f.Child(fn.node, "result")
	if r == syntax.None {
		return &shape{}
	}
	if !f.is(r, "parameter_list") {
		return l.typeFrom(b, f.at(r))
	}
	t := &shape{kind: tuple}
	for _, p := range f.children(r) {
		one := l.typeFrom(b, f.at(f.Child(p, "type")))
		count := 0
		for _, c := range f.children(p) {
			if f.In(c, "name") {
				count++
			}
		}
		for range max(1, count) {
			t.parts = append(t.parts, one)
		}
	}
	if len(t.parts) == 1 {
		return t.parts[0]
	}
	return t
}

// foreign returns the type of what a package outside of the workspace exports, or of
// a member of such a thing: one that has no members of ours.
func (l *golang) foreign(b *Binder, at place) *shape {
	f := at.file
	x := f.first(at.node)
	if f.is(x, "identifier", "package_identifier") {
		m := l.lookup(b, f.at(x), f.Text(x))
		if len(m.syms) > 0 && m.syms[0].alias != nil {
			if _, known := b.next(m.syms[0]); !known {
				return &shape{}
			}
			return nil
		}
	}
	if t := b.value(f.at(x)); t != nil && t.kind == plain {
		return t
	}
	return nil
}
