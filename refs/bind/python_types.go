package bind

import (
	"slices"

	"codeintel/symbols/syntax"
)

// instanceOf returns what a call of a class gives.
func (l *python) instanceOf(t *shape) *shape {
	if t != nil && t.kind == static && t.sym != nil && t.sym.kind == class {
		return &shape{kind: instance, sym: t.sym}
	}
	return nil
}

// typeFrom returns what is known of a type as it is written.
func (l *python) typeFrom(b *Binder, at place) *shape {
	if at.node == syntax.None || b.deep > depth {
		return nil
	}
	b.deep++
	defer func() { b.deep-- }()
	f, n := at.file, at.node
	switch f.Kind(n) {
	case "type":
		return l.typeFrom(b, f.at(f.first(n)))
	case "string":
		m := l.lookup(b, f.scopeAt(n), f.Text(f.first(n, "string_content")))
		if len(m.syms) > 0 {
			return l.instanceOf(b.typeOf(m.syms[0]))
		}
	case "identifier":
		switch f.Text(n) {
		case "int", "str", "float", "bool", "bytes", "None", "complex", "object":
			return &shape{}
		}
		return l.instanceOf(b.value(at))
	case "attribute":
		return l.instanceOf(b.value(at))
	case "none":
		return &shape{}
	case "binary_operator":
		return newUnion(union, l.typeFrom(b, f.at(f.Child(n, "left"))), l.typeFrom(b, f.at(f.Child(n, "right"))))
	case "generic_type":
		return l.generic(b, at, f.Text(f.first(n)), f.children(f.first(n, "type_parameter")))
	case "subscript":
		return l.generic(b, at, f.Text(f.Child(n, "value")), f.children(n)[1:])
	}
	return nil
}

// generic returns the type of a name with arguments in brackets.
func (l *python) generic(b *Binder, at place, name string, args []syntax.Node) *shape {
	f := at.file
	var types []*shape
	for _, a := range args {
		types = append(types, l.typeFrom(b, f.at(a)))
	}
	if len(types) == 0 {
		return nil
	}
	switch name {
	case "Optional", "Annotated", "ClassVar", "Final", "typing.Optional":
		return types[0]
	case "Union", "typing.Union":
		return newUnion(union, types...)
	case "List", "list", "Set", "set", "Sequence", "Iterable", "Iterator", "Tuple", "tuple", "FrozenSet", "frozenset", "typing.List", "Collection", "Generator", "AsyncIterator":
		return &shape{kind: list, elem: types[0]}
	case "Dict", "dict", "Mapping", "MutableMapping", "typing.Dict", "DefaultDict", "defaultdict":
		return &shape{kind: list, elem: types[len(types)-1], parts: types[:1]}
	case "Awaitable", "Coroutine":
		return &shape{kind: promise, elem: types[len(types)-1]}
	case "Type", "type":
		if types[0] != nil {
			return &shape{kind: static, sym: types[0].sym}
		}
		return nil
	}
	m := l.lookup(b, f.scopeAt(at.node), name)
	if len(m.syms) > 0 {
		return l.instanceOf(b.typeOf(m.syms[0]))
	}
	return nil
}

// typeOf returns the type of what a declaration declares.
func (l *python) typeOf(b *Binder, d decl) *shape {
	f := d.file
	switch f.Kind(d.node) {
	case "function_definition":
		return l.function(b, d)
	case "assignment":
		if t := f.Child(d.node, "type"); t != syntax.None {
			return l.typeFrom(b, f.at(t))
		}
		left := f.Child(d.node, "left")
		right := b.value(f.at(f.Child(d.node, "right")))
		if left == d.name || f.is(left, "attribute") {
			return right
		}
		return elementOf(right, slices.Index(f.children(left), d.name))
	case "named_expression":
		return b.value(f.at(f.Child(d.node, "value")))
	case "for_statement", "for_in_clause":
		t := b.value(f.at(f.Child(d.node, "right")))
		if t != nil && t.kind == list && len(t.parts) == 1 {
			return t.parts[0] // the keys of a dictionary
		}
		return elementOf(t, -1)
	case "as_pattern":
		return l.with(b, d)
	case "typed_parameter", "typed_default_parameter":
		t := l.typeFrom(b, f.at(f.Child(d.node, "type")))
		if f.is(f.first(d.node), "list_splat_pattern") {
			return &shape{kind: list, elem: t}
		}
		return t
	case "default_parameter":
		return b.value(f.at(f.Child(d.node, "value")))
	case "identifier":
		return l.receiver(d)
	}
	return nil
}

// function returns the type of a function as a member: a property is what it
// returns.
func (l *python) function(b *Binder, d decl) *shape {
	f := d.file
	for _, c := range f.children(f.Parent(d.node)) {
		if f.is(c, "decorator") && (f.Text(c) == "@property" || f.Text(c) == "@cached_property" || f.Text(c) == "@functools.cached_property") {
			return l.result(b, d.place)
		}
	}
	return &shape{kind: callable, at: d.place}
}

// receiver returns the type of a method's first parameter.
func (l *python) receiver(d decl) *shape {
	f := d.file
	params := f.Parent(d.node)
	fn := f.Parent(params)
	c := pythonClass(f, fn)
	if c == syntax.None || len(f.children(params)) == 0 || f.children(params)[0] != d.node {
		return nil
	}
	for _, dec := range f.children(f.Parent(fn)) {
		switch {
		case !f.is(dec, "decorator"):
		case f.Text(dec) == "@staticmethod":
			return nil
		case f.Text(dec) == "@classmethod":
			return &shape{kind: static, sym: f.literals[c]}
		}
	}
	return &shape{kind: instance, sym: f.literals[c]}
}

// with returns the type of the name in with x as name and except X as name.
func (l *python) with(b *Binder, d decl) *shape {
	f := d.file
	value := f.first(d.node)
	if f.is(f.Parent(d.node), "except_clause") {
		return l.instanceOf(b.value(f.at(value)))
	}
	t := b.value(f.at(value))
	found := b.find(t, "__enter__", 0)
	if len(found.syms) == 0 {
		return nil
	}
	if fn, ok := b.functionOf(b.typeOf(found.syms[0].sym)); ok {
		return l.result(b, fn)
	}
	return nil
}

// value returns the type of an expression.
func (l *python) value(b *Binder, at place) *shape {
	f, n := at.file, at.node
	switch f.Kind(n) {
	case "identifier":
		m := l.resolve(b, at)
		if len(m.syms) == 0 {
			return nil
		}
		return b.typeOf(m.syms[0])
	case "attribute":
		if m := l.module(b, at); m != nil {
			return &shape{kind: static, sym: m}
		}
		name := f.Text(f.Child(n, "attribute"))
		if m := l.module(b, f.at(f.Child(n, "object"))); m != nil {
			found, _ := b.exportOf(m, name, 0)
			return b.typeOf(found)
		}
		return b.memberType(b.value(f.at(f.Child(n, "object"))), name)
	case "call":
		return l.call(b, at)
	case "await":
		return awaited(b.value(f.at(f.first(n))))
	case "parenthesized_expression":
		return b.value(f.at(f.first(n)))
	case "subscript":
		t := b.value(f.at(f.Child(n, "value")))
		if t != nil && t.kind == static {
			return t // a generic class
		}
		return elementOf(t, -1)
	case "list", "tuple", "set", "expression_list":
		t := &shape{kind: list}
		for _, c := range f.children(n) {
			t.parts = append(t.parts, b.value(f.at(c)))
		}
		t.elem = newUnion(union, t.parts...)
		if f.is(n, "list", "set") {
			t.parts = nil
		}
		return t
	case "list_comprehension", "set_comprehension", "generator_expression":
		return &shape{kind: list, elem: b.value(f.at(f.Child(n, "body")))}
	case "conditional_expression":
		parts := f.children(n)
		return newUnion(union, b.value(f.at(parts[0])), b.value(f.at(parts[len(parts)-1])))
	case "boolean_operator":
		return newUnion(union, b.value(f.at(f.Child(n, "left"))), b.value(f.at(f.Child(n, "right"))))
	case "integer", "float", "string", "true", "false", "none", "comparison_operator", "not_operator", "concatenated_string":
		return &shape{}
	}
	return nil
}

func (l *python) call(b *Binder, at place) *shape {
	f := at.file
	callee := f.Child(at.node, "function")
	if f.Text(callee) == "super" {
		return l.super(b, at)
	}
	t := b.value(f.at(callee))
	if made := l.instanceOf(t); made != nil {
		return made
	}
	fn, ok := b.functionOf(t)
	if !ok {
		return nil
	}
	return l.result(b, fn)
}

// super returns the first class that the class around extends.
func (l *python) super(b *Binder, at place) *shape {
	f := at.file
	c := f.enclosing(at.node, "class_definition")
	if c == syntax.None {
		return nil
	}
	for _, base := range b.extended(f.literals[c]) {
		return base
	}
	return nil
}

// result returns what a function returns: as declared, or as it returns.
func (l *python) result(b *Binder, fn place) *shape {
	f := fn.file
	var t *shape
	if declared := f.Child(fn.node, "return_type"); declared != syntax.None {
		t = l.typeFrom(b, f.at(declared))
	} else {
		t = l.returned(b, fn)
	}
	if f.has(fn.node, "async") {
		return &shape{kind: promise, elem: t}
	}
	return t
}

func (l *python) returned(b *Binder, fn place) *shape {
	f := fn.file
	body := f.Child(fn.node, "body")
	if body == syntax.None {
		return nil
	}
	var parts []*shape
	for n := body; n < f.After(body); n++ {
		if n != body && f.is(n, "function_definition", "class_definition", "lambda") {
			n = f.After(n) - 1
			continue
		}
		if f.is(n, "return_statement") && f.first(n) != syntax.None {
			t := b.value(f.at(f.first(n)))
			if c := f.first(n); f.is(c, "call") && t == nil && f.Text(f.Child(c, "function")) == "cls" {
				t = l.instanceOf(b.value(f.at(f.Child(c, "function"))))
			}
			parts = append(parts, t)
		}
	}
	if len(parts) == 0 {
		return &shape{}
	}
	return newUnion(union, parts...)
}
