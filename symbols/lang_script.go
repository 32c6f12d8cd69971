package symbols

import (
	"slices"
	"strings"

	"codeintel/symbols/syntax"
)

// This file reads the definitions that JavaScript and TypeScript share.

// scriptName returns the place and the text of a member's name: a string without
// its quotes, a computed name as written.
func (x *extraction) scriptName(n syntax.Node) (Range, string) {
	if n == syntax.None {
		return Range{}, ""
	}
	r := x.rangeOf(n)
	if x.kind(n) == "string" && r.Len() > 2 {
		r = Range{r.Start + 1, r.End - 1}
	}
	return r, x.content(r)
}

// scriptValue looks through what does not change which value an expression gives,
// as deep as anyone writes it.
func (x *extraction) scriptValue(n syntax.Node) syntax.Node {
	for range maxDepth {
		switch x.kind(n) {
		case "parenthesized_expression", "as_expression", "satisfies_expression", "non_null_expression":
			n = x.firstNamed(n)
		case "assignment_expression":
			n = x.child(n, "right")
		default:
			return n
		}
	}
	return n
}

// firstNamed returns the first child that is no mark and no comment.
func (x *extraction) firstNamed(n syntax.Node) syntax.Node {
	for c := x.tree.First(n); c != syntax.None; c = x.tree.Next(c) {
		if x.tree.Named(c) && x.rule(c).flags&isComment == 0 {
			return c
		}
	}
	return syntax.None
}

// scriptBound completes a definition by the value that it is bound to: a function
// makes it one, a class too, anything else gives it members.
func (x *extraction) scriptBound(d definition, value syntax.Node) definition {
	d.value = value
	inner := x.scriptValue(value)
	switch x.kind(inner) {
	case "function_expression", "generator_function", "arrow_function":
		d.function = inner
		switch d.kind {
		case Variable, Constant:
			d.kind = Function
		case Property:
			d.kind = Method
		}
	case "class":
		d.kind, d.class = Class, inner
	}
	return d
}

func scriptMethod(x *extraction, n syntax.Node) {
	name := x.child(n, "name")
	d := definition{node: n, kind: Method}
	d.name, d.text = x.scriptName(name)
	switch {
	case x.has(n, "get"), x.has(n, "set"):
		d.kind, d.callable = Property, true
	case d.text == "constructor" && x.top().kind == typeScope:
		d.kind = Constructor
	}
	x.defineMember(d)
}

// scriptField returns the visit of a class field whose name is in a field of the
// grammar.
func scriptField(name string) func(*extraction, syntax.Node) {
	return func(x *extraction, n syntax.Node) {
		d := definition{node: n, kind: Property}
		d.name, d.text = x.scriptName(x.child(n, name))
		x.define(x.scriptBound(d, x.child(n, "value")))
	}
}

// scriptPair defines a property of an object.
func scriptPair(x *extraction, n syntax.Node) {
	key := x.child(n, "key")
	if x.kind(key) == "number" {
		return
	}
	d := definition{node: n, kind: Property}
	d.name, d.text = x.scriptName(key)
	x.defineMember(x.scriptBound(d, x.child(n, "value")))
}

// defineMember defines a member of a class or an object. An object that is bound
// to a name gives its members that name as container. In any other object only
// functions are definitions, and only of the place where they stand.
func (x *extraction) defineMember(d definition) {
	if x.top().exports {
		d.kind = exportKind(d.kind)
	}
	if k := x.top().kind; k == valueScope || k == typeScope {
		x.define(d)
		return
	}
	if d.function <= 0 && !d.callable && !d.kind.IsCallable() {
		return
	}
	in := *x.top()
	in.inUnnamed = in.inUnnamed || in.path == "" || in.kind == plainScope
	if p := x.parent(d.node); p != syntax.None {
		in.block = x.tree.Start(p) + 1
	}
	d.in = &in
	x.define(d)
}

// scriptVariable defines what a declarator declares. Names that are bound to a
// module are imports, not definitions.
func scriptVariable(x *extraction, n syntax.Node) {
	name, value := x.child(n, "name"), x.child(n, "value")
	if name == syntax.None || x.scriptRequired(n, name, value) {
		return
	}
	d := definition{node: n, kind: Variable}
	parent := x.parent(n)
	switch x.kind(parent) {
	case "variable_declaration":
		d.hoisted = true
	case "lexical_declaration":
		if k := x.textOf(x.child(parent, "kind")); k == "const" || k == "using" {
			d.kind = Constant
		}
	case "using_declaration":
		d.kind = Constant
	}
	if x.kind(name) != "identifier" {
		scriptBind(x, name, d)
		if value != syntax.None {
			x.open(plainScope, n, "")
		}
		return
	}
	d.name = x.rangeOf(name)
	x.define(x.scriptBound(d, value))
}

// scriptBind defines every name that a pattern binds. Default values and computed
// keys in it bind nothing.
func scriptBind(x *extraction, pattern syntax.Node, d definition) {
	if pattern == syntax.None {
		return
	}
	d.function, d.class, d.value, d.alone = 0, 0, 0, true
	right, key, value, typ, decorator := x.field("right"), x.field("key"), x.field("value"), x.field("type"), x.field("decorator")
	for c := pattern; c < x.tree.After(pattern); {
		if f := x.tree.Field(c); c != pattern && f != 0 && (f == right || f == key || f == typ || f == decorator || f == value && x.kind(x.parent(c)) != "pair_pattern") {
			c = x.tree.After(c)
			continue
		}
		switch x.kind(c) {
		case "identifier", "shorthand_property_identifier_pattern":
			d.node, d.name = c, x.rangeOf(c)
			x.define(d)
		case "member_expression", "subscript_expression":
			c = x.tree.After(c)
			continue
		}
		c++
	}
}

// scriptFunction opens a function expression. One with a name of its own that is
// bound to no other is a definition where it stands.
func scriptFunction(x *extraction, n syntax.Node) {
	if x.taken(n) {
		return
	}
	name := x.child(n, "name")
	if name == syntax.None {
		x.function(n)
		return
	}
	d := x.newDefinition(n, name, Function)
	d.local, d.alone = true, true
	x.define(d)
	x.top().inUnnamed = true
}

func scriptArrow(x *extraction, n syntax.Node) {
	if !x.taken(n) {
		x.function(n)
	}
	scriptBind(x, x.child(n, "parameter"), definition{kind: Parameter, local: true})
}

// scriptClass opens a class expression. Unlike the name of a function expression,
// its name is how the class is known, though only the place tells two apart.
func scriptClass(x *extraction, n syntax.Node) {
	if x.taken(n) {
		return
	}
	name := x.child(n, "name")
	if name == syntax.None {
		x.open(typeScope, n, "")
		x.top().block = x.tree.Start(n) + 1
		x.top().inUnnamed = true
		return
	}
	d := x.newDefinition(n, name, Class)
	in := *x.top()
	in.block = x.tree.Start(n) + 1
	d.in, d.alone = &in, true
	x.define(d)
	x.top().block = in.block
}

// scriptImmediate reports whether a function expression is called where it stands,
// as wrappers of whole files are.
func scriptImmediate(x *extraction, n syntax.Node) bool {
	p := x.parent(n)
	if x.kind(p) == "parenthesized_expression" {
		n, p = p, x.parent(p)
	}
	if x.kind(p) == "member_expression" { // (function () {}).call(this)
		n, p = p, x.parent(p)
	}
	return x.kind(p) == "call_expression" && x.tree.Field(n) == x.field("function")
}

func scriptCatch(x *extraction, n syntax.Node) {
	scriptBind(x, x.child(n, "parameter"), definition{kind: Variable, local: true})
}

func scriptForIn(x *extraction, n syntax.Node) {
	kind := x.child(n, "kind")
	if kind == syntax.None {
		return
	}
	d := definition{kind: Variable}
	switch x.textOf(kind) {
	case "const", "using":
		d.kind = Constant
	case "var":
		d.hoisted = true
	}
	scriptBind(x, x.child(n, "left"), d)
}

// scriptDecorator remembers a decorator for the member after it, and keeps what
// stands in it out of the class.
func scriptDecorator(x *extraction, n syntax.Node) {
	if x.kind(x.parent(n)) == "class_body" {
		x.decorator(n)
	}
	if x.top().kind == typeScope {
		x.open(plainScope, n, "")
	}
}

// scriptAssignment reads the assignments that define: to exports, to a prototype,
// to this, and of functions to any member.
func scriptAssignment(x *extraction, n syntax.Node) {
	left, right := x.child(n, "left"), x.child(n, "right")
	value := x.scriptValue(right)
	chain, nodes := x.scriptChain(left)
	if len(chain) == 0 || value == syntax.None {
		return
	}
	last := nodes[len(nodes)-1]
	d := x.newDefinition(n, last, Property)
	d = x.scriptBound(d, right)
	defines := d.function > 0 || d.kind == Class
	if exported, ok := exportChain(chain); ok {
		x.scriptExported(d, exported, value)
		return
	}
	if len(chain) == 1 {
		return
	}
	holder := chain[:len(chain)-1]
	at := slices.Index(chain, "prototype")
	switch {
	case holder[0] == "this":
		x.scriptThis(d, holder, defines)
	case at > 0 && at == len(chain)-1:
		x.scriptPrototype(n, chain[:at], value)
	case at > 0 || defines:
		x.scriptAssigned(d, slices.DeleteFunc(holder, func(s string) bool { return s == "prototype" }))
	}
}

// maxChain is the number of names in a member expression that can define.
const maxChain = 6

// scriptChain returns the names of a member expression of names only: a.b.c.
func (x *extraction) scriptChain(n syntax.Node) (names []string, nodes []syntax.Node) {
	for range maxChain {
		switch x.kind(n) {
		case "identifier", "this":
			names, nodes = append(names, x.textOf(n)), append(nodes, n)
			slices.Reverse(names)
			slices.Reverse(nodes)
			return names, nodes
		case "member_expression":
			p := x.child(n, "property")
			if p == syntax.None {
				return nil, nil
			}
			names, nodes = append(names, x.textOf(p)), append(nodes, p)
			n = x.child(n, "object")
		default:
			return nil, nil
		}
	}
	return nil, nil
}

// exportChain cuts exports or module.exports off a chain.
func exportChain(chain []string) ([]string, bool) {
	switch {
	case chain[0] == "exports":
		return chain[1:], true
	case len(chain) > 1 && chain[0] == "module" && chain[1] == "exports":
		return chain[2:], true
	}
	return nil, false
}

// scriptExported defines a CommonJS export: a member of exports, or the module as
// a whole.
func (x *extraction) scriptExported(d definition, chain []string, value syntax.Node) {
	file := x.scopes[0]
	switch {
	case len(chain) > 0:
		if !x.scriptNew(value) {
			return
		}
		container := strings.Join(chain[:len(chain)-1], ".")
		d.in, d.container = &file, &container
		d.kind = exportKind(d.kind)
		d.once = d.kind == Variable
		x.define(d)
	case d.function > 0, d.kind == Class:
		d.kind = exportKind(d.kind)
		if name := x.child(value, "name"); name != syntax.None {
			d.name = x.rangeOf(name)
		}
		d.in = &file
		x.define(d)
	case x.kind(value) == "object":
		x.open(valueScope, d.node, "")
		x.top().path, x.top().depth, x.top().exports = "", 0, true
	}
}

// exportKind returns what a member of exports is as a definition of the module.
func exportKind(k Kind) Kind {
	switch k {
	case Method:
		return Function
	case Property:
		return Variable
	}
	return k
}

// scriptNew reports whether a value is new, not another name for something.
func (x *extraction) scriptNew(value syntax.Node) bool {
	switch x.kind(value) {
	case "", "identifier", "member_expression", "unary_expression", "undefined":
		return false
	}
	return true
}

// scriptThis defines a member that is assigned to this: in JavaScript that is how
// members are declared, in TypeScript only the functions are of interest.
func (x *extraction) scriptThis(d definition, holder []string, function bool) {
	if len(holder) > 1 || !function && x.table.spec.name != "javascript" {
		return
	}
	in := x.around(typeScope)
	if in == nil {
		in = x.constructorFunction()
	}
	if in == nil {
		if function {
			x.define(d)
		}
		return
	}
	class := *in
	class.kind = typeScope
	d.in, d.once = &class, true
	x.define(d)
}

// constructorFunction returns the innermost function with a capital letter.
func (x *extraction) constructorFunction() *scope {
	for i := len(x.scopes) - 1; i >= 0; i-- {
		s := &x.scopes[i]
		name := s.path[strings.LastIndexByte(s.path, '.')+1:]
		if s.kind == functionScope && name != "" && name[0] >= 'A' && name[0] <= 'Z' {
			return s
		}
	}
	return nil
}

// scriptPrototype opens an object that is assigned as the prototype of a function.
func (x *extraction) scriptPrototype(n syntax.Node, chain []string, value syntax.Node) {
	if x.kind(value) != "object" {
		return
	}
	path := qualify(x.top().path, strings.Join(chain, "."))
	x.open(valueScope, n, "")
	x.top().path = path
}

// scriptAssigned defines a member that is assigned to something that has a name.
func (x *extraction) scriptAssigned(d definition, chain []string) {
	container := strings.Join(chain, ".")
	if x.top().inFunction {
		container = qualify(x.top().path, container)
	}
	d.container = &container
	x.define(d)
}
