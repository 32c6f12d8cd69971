package bind

import "codeintel/symbols/syntax"

// value returns the type of an expression.
func (l *script) value(b *Binder, at place) *shape {
	f, n := at.file, at.node
	switch f.Kind(n) {
	case "identifier", "shorthand_property_identifier", "type_identifier", "nested_identifier":
		m := l.resolve(b, at)
		if len(m.syms) == 0 {
			return &shape{} // a name of the standard library
		}
		return b.typeOf(m.syms[len(m.syms)-1])
	case "this":
		return l.this(b, at)
	case "super":
		return l.super(b, at)
	case "member_expression":
		return l.memberValue(b, at)
	case "subscript_expression":
		return l.element(b, at)
	case "call_expression":
		return l.call(b, at)
	case "new_expression":
		return l.newValue(b, at)
	case "object":
		return l.objectType(b, at)
	case "array":
		var parts []*shape
		for _, c := range f.children(n) {
			parts = append(parts, b.value(f.at(c)))
		}
		return &shape{kind: list, elem: newUnion(union, parts...)}
	case "as_expression", "satisfies_expression":
		return l.asserted(b, at)
	case "type_assertion":
		return l.typeFrom(b, f.at(f.first(f.first(n))))
	case "parenthesized_expression", "non_null_expression", "instantiation_expression":
		return b.value(f.at(f.first(n)))
	case "spread_element":
		if t := b.value(f.at(f.first(n))); t != nil && t.kind == list {
			return t.elem
		}
		return nil
	case "await_expression":
		return awaited(b.value(f.at(f.first(n))))
	case "ternary_expression":
		return newUnion(union, b.value(f.at(f.Child(n, "consequence"))), b.value(f.at(f.Child(n, "alternative"))))
	case "assignment_expression":
		return b.value(f.at(f.Child(n, "right")))
	case "binary_expression":
		return l.binary(b, at)
	case "arrow_function", "function_expression", "generator_function":
		return &shape{kind: callable, at: at}
	case "class":
		return &shape{kind: static, sym: f.literals[n]}
	case "program":
		return &shape{kind: static, sym: f.module}
	case "string", "number", "template_string", "true", "false", "null", "undefined", "regex", "unary_expression", "update_expression":
		return &shape{}
	}
	return nil
}

// asserted returns the type that an expression is said to have.
func (l *script) asserted(b *Binder, at place) *shape {
	f := at.file
	parts := f.children(at.node)
	if len(parts) == 2 && f.is(at.node, "as_expression") {
		return l.typeFrom(b, f.at(parts[1]))
	}
	return b.value(f.at(parts[0])) // as const, satisfies
}

func (l *script) super(b *Binder, at place) *shape {
	t := l.this(b, at)
	if t == nil || t.sym == nil {
		return nil
	}
	bases := b.extended(t.sym)
	if len(bases) == 0 || bases[0] == nil {
		return nil
	}
	if t.kind == static {
		return &shape{kind: static, sym: bases[0].sym}
	}
	return bases[0]
}

func (l *script) memberValue(b *Binder, at place) *shape {
	f := at.file
	property := f.Child(at.node, "property")
	object := b.value(f.at(f.Child(at.node, "object")))
	return b.memberType(object, f.Text(property))
}

// memberType returns the type of a member.
func (b *Binder) memberType(t *shape, name string) *shape {
	found := b.find(t, name, 0)
	if found.unknown {
		return nil
	}
	if t.kind == plain && t.elem != nil {
		return t.elem // a record
	}
	if t.kind == plain {
		return t
	}
	var parts []*shape
	for _, m := range found.syms {
		parts = append(parts, subst(b.typeOf(m.sym), m.args, 0))
	}
	if len(parts) == 0 {
		return nil
	}
	return newUnion(union, parts...)
}

// element returns the type of a[i].
func (l *script) element(b *Binder, at place) *shape {
	f := at.file
	t := b.value(f.at(f.Child(at.node, "object")))
	index := f.Child(at.node, "index")
	if t == nil {
		return nil
	}
	if t.kind == list {
		return t.elem
	}
	if t.elem != nil {
		return t.elem
	}
	if name, ok := f.propertyName(index); ok && f.is(index, "string", "number") {
		return b.memberType(t, name)
	}
	return nil
}

func (l *script) newValue(b *Binder, at place) *shape {
	f := at.file
	callee := f.Child(at.node, "constructor")
	args := l.typeArguments(b, at)
	if t := l.constructed(b, b.value(f.at(callee)), args); t != nil {
		return t
	}
	if f.is(callee, "identifier") && len(l.resolve(b, f.at(callee)).syms) == 0 {
		return l.library(b, f.Text(callee), args)
	}
	return nil
}

func (l *script) binary(b *Binder, at place) *shape {
	f := at.file
	left, right := f.at(f.Child(at.node, "left")), f.at(f.Child(at.node, "right"))
	switch f.Text(f.Child(at.node, "operator")) {
	case "||", "??":
		return newUnion(union, b.value(left), b.value(right))
	case "&&":
		return b.value(right)
	}
	return &shape{}
}

// call returns what a call gives.
func (l *script) call(b *Binder, at place) *shape {
	f := at.file
	callee := f.Child(at.node, "function")
	if f.is(callee, "import") {
		return l.imported(b, at)
	}
	if f.Text(callee) == "require" {
		return awaited(l.imported(b, at))
	}
	if f.is(callee, "member_expression") {
		if t, ok := l.libraryCall(b, at, callee); ok {
			return t
		}
	}
	t := b.value(f.at(callee))
	if f.is(callee, "super") || t == nil {
		return nil
	}
	fn, ok := b.functionOf(t)
	if !ok {
		return nil
	}
	args := l.typeArguments(b, at)
	return subst(l.result(b, fn), l.inferred(b, at, fn, args), 0)
}

// imported returns the module that import or require gives.
func (l *script) imported(b *Binder, at place) *shape {
	f := at.file
	arg := f.first(f.Child(at.node, "arguments"))
	if !f.is(arg, "string") {
		return nil
	}
	name, _ := f.propertyName(arg)
	m := b.module(moduleRef{f, name})
	if m == nil {
		return nil
	}
	t := &shape{kind: static, sym: m}
	if l.inType(at) {
		return t
	}
	return &shape{kind: promise, elem: t}
}

// inType reports whether a call of import is part of a type, as in import("m").T.
func (l *script) inType(at place) bool {
	f := at.file
	n := at.node
	for f.is(f.Parent(n), "member_expression") {
		n = f.Parent(n)
	}
	return f.is(f.Parent(n), "type_annotation", "type_alias_declaration", "union_type", "intersection_type", "array_type", "type_arguments",
		"generic_type", "type_query", "parenthesized_type", "lookup_type", "readonly_type", "tuple_type", "function_type", "index_type_query")
}

// inferred maps the type parameters of a called function to types: those given, or
// those of the arguments whose parameter is the type parameter itself.
func (l *script) inferred(b *Binder, call, fn place, args []*shape) map[*symbol]*shape {
	f := fn.file
	out := l.arguments(b, decl{place: fn}, args)
	if len(args) > 0 || f.Child(fn.node, "type_parameters") == syntax.None {
		return out
	}
	given := call.file.children(call.file.Child(call.node, "arguments"))
	for i, g := range given {
		l.unify(b, l.parameterType(b, fn, i), b.value(call.file.at(g)), out, 0)
	}
	return out
}

// unify notes what the type parameters in one type stand for when a value of
// another type is given for it.
func (l *script) unify(b *Binder, t, given *shape, out map[*symbol]*shape, deep int) {
	if t == nil || given == nil || deep > depth {
		return
	}
	switch {
	case t.kind == parameter:
		if out[t.sym] == nil {
			out[t.sym] = given
		}
	case t.kind == union:
		for _, p := range t.parts {
			l.unify(b, p, given, out, deep+1)
		}
	case t.kind == callable:
		want, _ := b.functionOf(t)
		have, ok := b.functionOf(given)
		if ok && want.file != nil {
			l.unify(b, subst(l.result(b, want), t.args, 0), subst(l.result(b, have), given.args, 0), out, deep+1)
		}
	case t.kind == given.kind && t.elem != nil:
		l.unify(b, t.elem, given.elem, out, deep+1)
	case t.kind == instance && given.kind == instance && t.sym == given.sym:
		for p, a := range t.args {
			l.unify(b, a, given.args[p], out, deep+1)
		}
	}
}

// functionOf returns the declaration of the function that a value is.
func (b *Binder) functionOf(t *shape) (place, bool) {
	if t == nil {
		return place{}, false
	}
	if t.kind == callable {
		return t.at, t.at.file != nil
	}
	if t.sym == nil {
		return place{}, false
	}
	for _, d := range t.sym.decls {
		if d.file != nil && d.file.Child(d.node, "parameters") != syntax.None {
			return d.place, true
		}
	}
	return place{}, false
}

// result returns what a function gives back: as declared, or as it returns.
func (l *script) result(b *Binder, fn place) *shape {
	f := fn.file
	for _, field := range []string{"return_type", "type"} {
		if t := f.Child(fn.node, field); t != syntax.None {
			return l.typeFrom(b, f.at(t))
		}
	}
	body := f.Child(fn.node, "body")
	if body == syntax.None {
		return nil
	}
	t := l.returned(b, f, body)
	if t != nil && f.has(fn.node, "async") && t.kind != promise {
		return &shape{kind: promise, elem: t}
	}
	return t
}

func (l *script) returned(b *Binder, f *file, body syntax.Node) *shape {
	if !f.is(body, "statement_block") {
		return b.value(f.at(body))
	}
	var parts []*shape
	for n := body + 1; n < f.After(body); n++ {
		if f.is(n, scriptFunctions...) || f.is(n, scriptClasses...) {
			n = f.After(n) - 1
			continue
		}
		if f.is(n, "return_statement") && f.first(n) != syntax.None {
			parts = append(parts, b.value(f.at(f.first(n))))
		}
	}
	if len(parts) == 0 {
		return &shape{}
	}
	return newUnion(union, parts...)
}
