package symbols

import (
	"strings"
	"sync"

	lua "github.com/tree-sitter-grammars/tree-sitter-lua/bindings/go"

	"codeintel/symbols/syntax"
)

// luaSyntax loads Lua's table, once.
var luaSyntax = sync.OnceValues(func() (*syntaxTable, error) {
	return bind(&languageSpec{
		name:     "lua",
		language: lua.Language(),
		notes: "A function in a table is a function of the table, by whatever form it gets there; " +
			"one that is declared with a colon is a method. The table that a file returns has no name: its functions are those of the file. " +
			"A local name that is bound to a required module is an import and no definition.",
		identifiers: map[string]Role{"identifier": RolePlain},
		members:     []string{"dot_index_expression.field", "method_index_expression.method"},
		marks:       punctuation,
		blank:       "_",
		comments:    []string{"comment"},
		whole:       true,
		visits: map[string]func(*extraction, syntax.Node){
			"function_declaration": luaFunction,
			"variable_declaration": luaDeclaration,
			"assignment_statement": luaAssignment,
			"field":                luaField,
			"parameters":           luaParameters,
			"for_numeric_clause":   luaFor,
			"for_generic_clause":   luaFor,
			"return_statement":     luaReturn,
			"function_call":        luaCall,
		},
		kinds: map[string][]Kind{
			"function_declaration": {Function, Method},
			"variable_declaration": {Variable},
			"assignment_statement": {Variable, Constant, Function, Field},
			"field":                {Function, Field},
			"parameters":           {Parameter},
			"for_numeric_clause":   {Variable},
			"for_generic_clause":   {Variable},
		},
		wrappers:  []string{"variable_declaration"},
		functions: []string{"function_definition"},
		blocks:    []string{"do_statement", "for_statement", "while_statement", "repeat_statement", "if_statement", "else_statement", "elseif_statement"},
		statements: []string{
			"function_declaration", "variable_declaration", "assignment_statement", "function_call", "return_statement", "break_statement",
			"goto_statement", "label_statement", "do_statement", "for_statement", "while_statement", "repeat_statement", "if_statement",
			"else_statement", "elseif_statement", "field",
		},
		lists: []string{"chunk", "block", "table_constructor"},
	})
})

// luaFunction defines function a.b.c(), which belongs to a.b, and function a:b().
func luaFunction(x *extraction, n syntax.Node) {
	name := x.child(n, "name")
	d := definition{node: n, kind: Function}
	switch x.kind(name) {
	case "identifier":
		d.name = x.rangeOf(name)
		x.luaKnow(d.name)
	case "dot_index_expression", "method_index_expression":
		if x.kind(name) == "method_index_expression" {
			d.kind = Method
		}
		if !x.luaMember(&d, name) {
			return
		}
	default:
		return
	}
	x.define(d)
}

// luaMember completes a definition with the name of a member and its container.
// It must be reached by names only.
func (x *extraction) luaMember(d *definition, n syntax.Node) bool {
	member := x.child(n, "field")
	if x.kind(n) == "method_index_expression" {
		member = x.child(n, "method")
	}
	table := x.child(n, "table")
	if member == syntax.None || table == syntax.None {
		return false
	}
	path := x.textOf(table)
	if strings.ContainsAny(path, " \t\r\n()[]{}\"':") || tooDeep(path) {
		return false
	}
	if top := x.top(); top.inFunction {
		path = qualify(top.path, path)
	}
	d.container = &path
	d.name = x.rangeOf(member)
	if x.kind(member) == "string" {
		d.name = x.luaString(member)
	}
	return d.name.Len() > 0
}

// luaString returns the place of what stands in a string.
func (x *extraction) luaString(n syntax.Node) Range {
	if content := x.child(n, "content"); x.kind(n) == "string" && content != syntax.None {
		return x.rangeOf(content)
	}
	return Range{}
}

// luaDeclaration defines local names without values.
func luaDeclaration(x *extraction, n syntax.Node) {
	for c := x.tree.First(n); c != syntax.None; c = x.tree.Next(c) {
		if x.kind(c) == "variable_list" {
			x.luaNames(n, c, definition{kind: Variable})
		}
	}
}

// luaAssignment defines what is assigned: local names always, others once.
func luaAssignment(x *extraction, n syntax.Node) {
	names := x.childOfKind(n, "variable_list")
	values := x.childOfKind(n, "expression_list")
	if names == syntax.None {
		return
	}
	value := syntax.None
	if values != syntax.None {
		value = x.firstNamed(values)
	}
	d := definition{kind: Variable, value: max(value, 0)}
	if x.kind(value) == "function_definition" {
		d.kind, d.function, d.value = Function, value, 0
	}
	if x.kind(x.parent(n)) != "variable_declaration" {
		d.once = true
	} else if x.luaRequired(n, names, value) {
		return
	}
	x.luaNames(n, names, d)
}

// luaNames defines the names of a list. A name on its own has the statement's
// range, of several each has its own part.
func (x *extraction) luaNames(n, list syntax.Node, d definition) {
	var names []syntax.Node
	constants := map[syntax.Node]bool{}
	for c := x.tree.First(list); c != syntax.None; c = x.tree.Next(c) {
		switch x.kind(c) {
		case "identifier", "dot_index_expression", "bracket_index_expression":
			names = append(names, c)
		case "attribute":
			if len(names) > 0 && strings.Contains(x.textOf(c), "const") {
				constants[names[len(names)-1]] = true
			}
		}
	}
	d.node = n
	if len(names) > 1 {
		d.alone, d.function, d.value, d.kind = true, 0, 0, Variable
	}
	for _, name := range names {
		e := d
		if d.alone {
			e.node = name
		}
		if constants[name] && d.kind == Variable {
			e.kind = Constant
		}
		x.luaAssigned(e, name)
	}
}

// luaAssigned defines one name that is assigned.
func (x *extraction) luaAssigned(d definition, name syntax.Node) {
	if x.kind(name) == "identifier" {
		d.name = x.rangeOf(name)
		if !d.once {
			d.local = x.top().kind == blockScope && d.kind != Function
			x.luaKnow(d.name)
		} else if x.luaKnown(d.name) {
			return
		} else {
			file := x.scopes[0]
			d.in = &file
		}
		x.define(d)
		return
	}
	if d.kind == Variable {
		d.kind = Field
	}
	self := x.textOf(x.child(name, "table")) == "self"
	switch {
	case !x.luaMember(&d, name):
		return
	case self:
		if !x.luaSelf(&d) {
			return
		}
	case d.kind == Field && x.top().inFunction:
		return
	}
	if x.kind(name) == "bracket_index_expression" && d.kind == Field {
		return
	}
	x.define(d)
}

// luaKnow remembers a name that the innermost scope has.
func (x *extraction) luaKnow(name Range) {
	top := x.top()
	x.see(binding{top.block, top.path, x.content(name)})
}

// luaKnown reports whether a scope around has a name, so that an assignment
// defines nothing. It looks through as many scopes as anyone nests.
func (x *extraction) luaKnown(name Range) bool {
	text := x.content(name)
	for i := len(x.scopes) - 1; i >= max(0, len(x.scopes)-3*maxDepth); i-- {
		s := &x.scopes[i]
		if x.seen[binding{s.block, s.path, text}] {
			return true
		}
	}
	return false
}

// luaSelf makes self.name a field of the table whose method is around.
func (x *extraction) luaSelf(d *definition) bool {
	in := x.around(functionScope)
	if in == nil {
		return false
	}
	table, _, ok := cutLast(in.path)
	if !ok {
		return false
	}
	class := x.scopes[0]
	d.container, d.in, d.once = &table, &class, true
	return true
}

// cutLast cuts a qualified name before its last component.
func cutLast(name string) (container, last string, ok bool) {
	i := strings.LastIndexByte(name, '.')
	if i < 0 {
		return "", name, false
	}
	return name[:i], name[i+1:], true
}

// luaField defines a member of a table: of one that is bound to a name whatever it
// is, of another only a function.
func luaField(x *extraction, n syntax.Node) {
	name, value := x.child(n, "name"), x.child(n, "value")
	d := definition{node: n, kind: Field, value: max(value, 0)}
	switch x.kind(name) {
	case "identifier":
		if x.has(n, "[") {
			return
		}
		d.name, x.member = x.rangeOf(name), name
	case "string":
		d.name = x.luaString(name)
	}
	if d.name.Len() == 0 {
		return
	}
	if x.kind(value) == "function_definition" {
		d.kind, d.function, d.value = Function, value, 0
	} else if top := x.top(); top.kind == valueScope && top.path == "" {
		return // what a file returns under another name
	}
	x.defineMember(d)
}

func luaParameters(x *extraction, n syntax.Node) { x.luaBind(n, Parameter) }

func luaFor(x *extraction, n syntax.Node) {
	names := n
	if x.kind(n) == "for_generic_clause" {
		names = x.childOfKind(n, "variable_list")
	}
	x.luaBind(names, Variable)
}

// luaBind defines the names directly below a node.
func (x *extraction) luaBind(n syntax.Node, kind Kind) {
	if n == syntax.None {
		return
	}
	field := x.field("name")
	for c := x.tree.First(n); c != syntax.None; c = x.tree.Next(c) {
		if x.tree.Field(c) == field && x.kind(c) == "identifier" {
			d := x.newDefinition(c, c, kind)
			d.alone, d.local = true, kind == Variable
			x.luaKnow(d.name)
			x.define(d)
		}
	}
}

// luaReturn opens the table that a file returns.
func luaReturn(x *extraction, n syntax.Node) {
	if x.top().kind != fileScope {
		return
	}
	list := x.childOfKind(n, "expression_list")
	if list != syntax.None && x.kind(x.firstNamed(list)) == "table_constructor" {
		x.open(valueScope, n, "")
	}
}

// luaRequired records local name = require "module", which defines nothing.
func (x *extraction) luaRequired(n, names, value syntax.Node) bool {
	call, member := value, ""
	if x.kind(value) == "dot_index_expression" {
		call, member = x.child(value, "table"), x.textOf(x.child(value, "field"))
	}
	im, ok := x.luaModule(call)
	name := x.firstNamed(names)
	if !ok || x.kind(name) != "identifier" || x.nextNamed(name) != syntax.None {
		return false
	}
	bound := ImportName{Name: "*", Alias: x.textOf(name), Range: x.rangeOf(name)}
	if member != "" {
		bound.Name = member
		if bound.Alias == member {
			bound.Alias = ""
		}
	}
	im.Range, im.Names = x.rangeOf(x.parent(n)), []ImportName{bound}
	x.imports = append(x.imports, im)
	x.importing = x.tree.After(names)
	x.take(call)
	return true
}

// luaModule returns the import that a call of require is.
func (x *extraction) luaModule(call syntax.Node) (Import, bool) {
	if x.kind(call) != "function_call" || x.textOf(x.child(call, "name")) != "require" {
		return Import{}, false
	}
	argument := x.firstNamed(max(0, x.child(call, "arguments")))
	module := x.luaString(argument)
	if module.Len() == 0 {
		return Import{}, false
	}
	return Import{Module: x.content(module), Range: x.rangeOf(call), ModuleRange: x.rangeOf(argument)}, true
}

func luaCall(x *extraction, n syntax.Node) {
	if x.taken(n) {
		return
	}
	if im, ok := x.luaModule(n); ok {
		x.imports = append(x.imports, im)
	}
}
