package symbols

import (
	"strings"
	"sync"

	ruby "github.com/tree-sitter/tree-sitter-ruby/bindings/go"

	"codeintel/symbols/syntax"
)

// rubySyntax loads Ruby's table, once.
var rubySyntax = sync.OnceValues(func() (*syntaxTable, error) {
	return bind(&languageSpec{
		name:     "ruby",
		language: ruby.Language(),
		notes: "A method `name=` is a property, name without the sign, so that it is one with the reader of that name. " +
			"The names of variables keep their signs (`@size`, `@@all`, `$stdout`), as Ruby knows them by no other. " +
			"A symbol is an identifier, as methods are named by symbols. " +
			"Calls that define are `attr_accessor` and its like, `define_method` and `alias_method` with literal names; " +
			"constants that Class.new, Struct.new, Data.define or Module.new make are classes and namespaces. " +
			"Imports are require, require_relative, load and autoload.",
		identifiers: map[string]Role{
			"identifier": RolePlain, "constant": RolePlain, "instance_variable": RolePlain, "class_variable": RolePlain,
			"global_variable": RolePlain, "hash_key_symbol": RoleMember,
		},
		members:  []string{"call.method with receiver", "scope_resolution.name"},
		marks:    punctuation,
		comments: []string{"comment"},
		whole:    true,
		visits: map[string]func(*extraction, syntax.Node){
			"module":              rubyModule,
			"class":               rubyModule,
			"method":              rubyMethod,
			"singleton_method":    rubyMethod,
			"alias":               rubyAlias,
			"call":                rubyCall,
			"assignment":          rubyAssignment,
			"operator_assignment": rubyAssignment,
			"method_parameters":   rubyParameters,
			"block_parameters":    rubyParameters,
			"lambda_parameters":   rubyParameters,
			"for":                 rubyFor,
			"exception_variable":  rubyException,
			"simple_symbol":       rubySymbol,
		},
		kinds: map[string][]Kind{
			"module":              {Namespace},
			"class":               {Class},
			"method":              {Function, Method, Constructor, Property},
			"singleton_method":    {Method, Property},
			"alias":               {Method},
			"call":                {Method, Property},
			"assignment":          {Constant, Class, Namespace, Property, Variable, Field, Function},
			"operator_assignment": {Constant, Variable, Field, Function},
			"method_parameters":   {Parameter},
			"block_parameters":    {Parameter},
			"lambda_parameters":   {Parameter},
			"for":                 {Variable},
			"exception_variable":  {Variable},
		},
		functions: []string{"lambda"},
		blocks:    []string{"block", "do_block"},
		statements: []string{
			"assignment", "operator_assignment", "call", "alias", "undef", "return", "yield", "break", "next", "redo", "retry",
			"module", "class", "singleton_class", "method", "singleton_method", "if", "unless", "while", "until", "for", "case", "case_match",
			"when", "in_clause", "elsif", "else", "rescue", "ensure", "begin", "if_modifier", "unless_modifier", "while_modifier", "until_modifier",
			"rescue_modifier",
		},
		lists: []string{"program", "body_statement", "block_body", "then", "do", "array", "hash", "begin_block", "end_block"},
	})
})

// rubyModule defines a class or a module. The name of A::B is B in A.
func rubyModule(x *extraction, n syntax.Node) {
	d := definition{node: n, kind: Class}
	if x.kind(n) == "module" {
		d.kind = Namespace
	}
	if x.rubyConstant(&d, x.child(n, "name")) {
		x.define(d)
	}
}

// rubyConstant completes a definition with the place of a constant's name. A::B
// stands in A, ::B at the top.
func (x *extraction) rubyConstant(d *definition, name syntax.Node) bool {
	if x.kind(name) == "scope_resolution" {
		container := ""
		if scope := x.child(name, "scope"); scope != syntax.None {
			container = strings.ReplaceAll(x.textOf(scope), "::", ".")
			if !strings.HasPrefix(container, ".") {
				container = qualify(x.top().path, container)
			}
			container = strings.TrimPrefix(container, ".")
		}
		d.container = &container
		name = x.child(name, "name")
	}
	if x.kind(name) != "constant" || d.container != nil && tooDeep(*d.container) {
		return false
	}
	d.name = x.rangeOf(name)
	return true
}

// rubyMethod defines a method, a function where no class is around. That of
// another object than self is one of the object.
func rubyMethod(x *extraction, n syntax.Node) {
	name := x.child(n, "name")
	d := definition{node: n, kind: Function, span: x.rubyStatement(n)}
	if x.around(typeScope) != nil {
		d.kind = Method
	}
	if object := x.child(n, "object"); object != syntax.None {
		d.kind = Method
		if x.kind(object) == "identifier" || x.kind(object) == "constant" {
			container := x.textOf(object)
			if path := x.top().path; path != container && !strings.HasSuffix(path, "."+container) {
				container = qualify(path, container)
			} else {
				container = path
			}
			d.container = &container
		}
	}
	switch {
	case name == syntax.None:
		return
	case x.kind(name) == "setter":
		name = x.child(name, "name")
		d.kind, d.callable = Property, true
	case d.kind == Method && x.kind(n) == "method" && x.textOf(name) == "initialize":
		d.kind = Constructor
	}
	if name != syntax.None {
		d.name = x.rangeOf(name)
		x.define(d)
	}
}

// rubyStatement returns the range of the call that a definition is the argument
// of, as in private def f, and none elsewhere.
func (x *extraction) rubyStatement(n syntax.Node) Range {
	arguments := x.parent(n)
	call := x.parent(arguments)
	if x.kind(arguments) != "argument_list" || x.kind(call) != "call" || x.child(call, "receiver") != syntax.None {
		return Range{}
	}
	return x.rangeOf(call)
}

func rubyAlias(x *extraction, n syntax.Node) {
	name := x.child(n, "name")
	switch x.kind(name) {
	case "identifier", "constant":
		x.define(x.newDefinition(n, name, Method))
	case "simple_symbol":
		x.define(definition{node: n, kind: Method, name: x.rubyName(name)})
	}
}

// rubySymbol records a symbol that is a word as a name.
func rubySymbol(x *extraction, n syntax.Node) {
	if r := x.rubyName(n); r.Len() > 0 && rubyWord(x.text[r.Start:r.End]) {
		x.word(r, RoleMember)
	}
}

// rubyWord reports whether a text is the name of a method that is a word.
func rubyWord(text []byte) bool {
	for i, c := range text {
		mark := i == len(text)-1 && (c == '?' || c == '!')
		if !isWord(c) && c < 0x80 && !mark {
			return false
		}
	}
	return len(text) > 0
}

// rubyName returns the place of the name in a symbol or a string, empty when it is
// no literal.
func (x *extraction) rubyName(n syntax.Node) Range {
	switch x.kind(n) {
	case "simple_symbol":
		r := x.rangeOf(n)
		return Range{r.Start + 1, max(r.Start+1, r.End)}
	case "string":
		if c := x.firstNamed(n); x.kind(c) == "string_content" && x.tree.After(c) >= x.tree.After(n)-1 {
			return x.rangeOf(c)
		}
	}
	return Range{}
}

// rubyCall reads the calls that import or define.
func rubyCall(x *extraction, n syntax.Node) {
	arguments := x.child(n, "arguments")
	if arguments == syntax.None || x.child(n, "receiver") != syntax.None {
		return
	}
	switch x.textOf(x.child(n, "method")) {
	case "require", "require_relative", "load":
		x.rubyImport(n, x.firstNamed(arguments), syntax.None)
	case "autoload":
		if name := x.firstNamed(arguments); name != syntax.None {
			x.rubyImport(n, x.nextNamed(name), name)
		}
	case "attr_accessor", "attr_reader", "attr_writer", "attr":
		x.rubyAttributes(n, arguments)
	case "alias_method":
		x.define(definition{node: n, kind: Method, name: x.rubyName(x.firstNamed(arguments))})
	case "define_method", "define_singleton_method":
		x.define(definition{node: n, kind: Method, name: x.rubyName(x.firstNamed(arguments))})
	}
}

// nextNamed returns the next sibling that is no mark and no comment.
func (x *extraction) nextNamed(n syntax.Node) syntax.Node {
	for c := x.tree.Next(n); c != syntax.None; c = x.tree.Next(c) {
		if x.tree.Named(c) && x.rule(c).flags&isComment == 0 {
			return c
		}
	}
	return syntax.None
}

func (x *extraction) rubyImport(n, module, name syntax.Node) {
	place := Range{}
	if x.kind(module) == "string" {
		place = x.rubyName(module)
	}
	if place.Len() == 0 {
		return
	}
	im := Import{Module: x.content(place), Range: x.rangeOf(n), ModuleRange: x.rangeOf(module)}
	if r := x.rubyName(name); r.Len() > 0 {
		im.Names = []ImportName{{Name: x.content(r), Range: r}}
	}
	x.imports = append(x.imports, im)
}

// rubyAttributes defines the properties that attr_accessor and its like make.
func (x *extraction) rubyAttributes(n, arguments syntax.Node) {
	names := x.rubyNames(arguments)
	for _, name := range names {
		d := definition{node: n, kind: Property, name: x.rubyName(name), span: x.rubyStatement(n)}
		if len(names) > 1 {
			d.node, d.alone = name, true
		}
		x.define(d)
	}
}

// rubyNames returns the arguments that are literal names.
func (x *extraction) rubyNames(arguments syntax.Node) []syntax.Node {
	var out []syntax.Node
	if arguments == syntax.None {
		return nil
	}
	for c := x.tree.First(arguments); c != syntax.None; c = x.tree.Next(c) {
		if x.rubyName(c).Len() > 0 {
			out = append(out, c)
		}
	}
	return out
}

// rubyAssignment defines what is assigned for the first time.
func rubyAssignment(x *extraction, n syntax.Node) {
	left, right := x.child(n, "left"), x.child(n, "right")
	if x.kind(left) != "left_assignment_list" {
		x.rubyAssign(definition{node: n}, left, right)
		return
	}
	for c := left; c < x.tree.After(left); {
		switch x.kind(c) {
		case "call", "element_reference", "scope_resolution":
			c = x.tree.After(c)
			continue
		}
		x.rubyAssign(definition{node: c, alone: true}, c, syntax.None)
		c++
	}
}

func (x *extraction) rubyAssign(d definition, left, right syntax.Node) {
	if x.kind(right) == "lambda" {
		d.function = right
	}
	switch x.kind(left) {
	case "constant", "scope_resolution":
		if !x.rubyConstant(&d, left) {
			return
		}
		d.kind = Constant
		x.rubyMade(d, right)
	case "identifier":
		d.kind = Variable
		if d.function > 0 {
			d.kind = Function
		}
		d.name, d.hoisted, d.once = x.rangeOf(left), true, true
		d.local = d.kind == Variable && x.top().kind != fileScope
		x.define(d)
	case "global_variable":
		file := x.scopes[0]
		d.kind, d.name, d.in, d.once = Variable, x.rangeOf(left), &file, true
		x.define(d)
	case "instance_variable", "class_variable":
		if class := x.around(typeScope); class != nil {
			in := *class
			d.kind, d.name, d.in, d.once = Field, x.rangeOf(left), &in, true
			x.define(d)
		}
	}
}

// rubyMade defines a constant. What Class.new, Struct.new and their like make is a
// class, with the members that a struct is made with.
func (x *extraction) rubyMade(d definition, value syntax.Node) {
	maker := ""
	if x.kind(value) == "call" {
		maker = x.textOf(x.child(value, "receiver")) + "." + x.textOf(x.child(value, "method"))
	}
	switch maker {
	case "Class.new", "Struct.new", "Data.define":
		d.kind = Class
	case "Module.new":
		d.kind = Namespace
	default:
		d.value = max(value, 0)
		if d.alone {
			d.value = 0
		}
	}
	x.define(d)
	if maker == "Struct.new" || maker == "Data.define" {
		for _, name := range x.rubyNames(x.child(value, "arguments")) {
			if x.kind(name) == "simple_symbol" {
				x.define(definition{node: name, kind: Property, name: x.rubyName(name), alone: true})
			}
		}
	}
}

// rubyParameters defines the parameters of a method, a block or a lambda.
func rubyParameters(x *extraction, n syntax.Node) {
	value := x.field("value")
	for c := n; c < x.tree.After(n); {
		if x.tree.Field(c) == value && c != n {
			c = x.tree.After(c)
			continue
		}
		if x.kind(c) == "identifier" {
			d := x.newDefinition(c, c, Parameter)
			d.once, d.alone = true, true
			x.define(d)
		}
		c++
	}
}

func rubyFor(x *extraction, n syntax.Node) { x.rubyBind(x.child(n, "pattern")) }

func rubyException(x *extraction, n syntax.Node) { x.rubyBind(x.firstNamed(n)) }

// rubyBind defines the local variables of a pattern of names.
func (x *extraction) rubyBind(pattern syntax.Node) {
	if pattern == syntax.None {
		return
	}
	for c := pattern; c < x.tree.After(pattern); c++ {
		if x.kind(c) == "identifier" {
			x.rubyAssign(definition{node: c, alone: true}, c, syntax.None)
		}
	}
}
