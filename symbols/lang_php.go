package symbols

import (
	"strings"
	"sync"

	php "github.com/tree-sitter/tree-sitter-php/bindings/go"

	"codeintel/symbols/syntax"
)

// phpSyntax loads PHP's table, once.
var phpSyntax = sync.OnceValues(func() (*syntaxTable, error) {
	return bind(&languageSpec{
		name:     "php",
		language: php.LanguagePHP(),
		notes: "Names are without the `$`: what is declared as `$size` is reached as `->size`. " +
			"The namespace of a whole file is no container of what stands in the file; one with braces is. " +
			"The call that defines is define with a literal name. " +
			"Imports are use outside of classes, and require and include of a literal path, also below `__DIR__`.",
		identifiers: map[string]Role{"name": RolePlain},
		members: []string{
			"member_access_expression.name", "nullsafe_member_access_expression.name", "member_call_expression.name",
			"nullsafe_member_call_expression.name", "scoped_call_expression.name", "argument.name",
		},
		paths:    []string{"class_constant_access_expression"},
		words:    []string{"this", "class", "__DIR__", "__FILE__", "__LINE__", "__CLASS__", "__FUNCTION__", "__METHOD__", "__NAMESPACE__"},
		comments: []string{"comment"},
		definitions: []definitionRow{
			{node: "class_declaration", kind: Class},
			{node: "trait_declaration", kind: Class},
			{node: "interface_declaration", kind: Interface},
			{node: "enum_declaration", kind: Enum},
			{node: "enum_case", kind: EnumMember},
			{node: "function_definition", kind: Function},
		},
		visits: map[string]func(*extraction, syntax.Node){
			"namespace_definition":              phpNamespace,
			"method_declaration":                phpMethod,
			"property_element":                  phpProperty,
			"property_promotion_parameter":      phpPromoted,
			"const_element":                     phpConstant,
			"simple_parameter":                  phpParameter,
			"variadic_parameter":                phpParameter,
			"assignment_expression":             phpAssignment,
			"reference_assignment_expression":   phpAssignment,
			"static_variable_declaration":       phpVariable,
			"catch_clause":                      phpVariable,
			"foreach_statement":                 phpForeach,
			"global_declaration":                phpOuter,
			"anonymous_function_use_clause":     phpOuter,
			"anonymous_class":                   phpClass,
			"function_call_expression":          phpCall,
			"scoped_property_access_expression": phpStatic,
			"namespace_use_declaration":         phpUse,
			"require_expression":                phpRequire,
			"require_once_expression":           phpRequire,
			"include_expression":                phpRequire,
			"include_once_expression":           phpRequire,
		},
		kinds: map[string][]Kind{
			"namespace_definition":            {Namespace},
			"method_declaration":              {Method, Constructor},
			"property_element":                {Property},
			"property_promotion_parameter":    {Property},
			"const_element":                   {Constant},
			"simple_parameter":                {Parameter},
			"variadic_parameter":              {Parameter},
			"assignment_expression":           {Variable, Function},
			"reference_assignment_expression": {Variable},
			"static_variable_declaration":     {Variable},
			"catch_clause":                    {Variable},
			"foreach_statement":               {Variable},
			"function_call_expression":        {Constant},
		},
		wrappers:  []string{"property_declaration", "const_declaration", "expression_statement"},
		functions: []string{"anonymous_function", "arrow_function"},
		statements: []string{
			"expression_statement", "echo_statement", "return_statement", "break_statement", "continue_statement", "goto_statement",
			"namespace_definition", "namespace_use_declaration", "const_declaration", "function_definition", "class_declaration",
			"interface_declaration", "trait_declaration", "enum_declaration", "enum_case", "use_declaration", "property_declaration",
			"method_declaration", "if_statement", "else_clause", "else_if_clause", "switch_statement", "case_statement", "default_statement",
			"while_statement", "do_statement", "for_statement", "foreach_statement", "try_statement", "catch_clause", "finally_clause",
			"declare_statement", "global_declaration", "function_static_declaration", "unset_statement",
		},
		lists: []string{"program", "compound_statement", "declaration_list", "enum_declaration_list", "switch_block", "array_creation_expression", "colon_block"},
	})
})

// phpName returns the name in a node that is one, or a variable of that name.
func (x *extraction) phpName(n syntax.Node) syntax.Node {
	if x.kind(n) == "variable_name" {
		n = x.firstNamed(n)
	}
	if x.kind(n) != "name" {
		return syntax.None
	}
	return n
}

// phpNamespace defines a namespace: A\B is B in A.
func phpNamespace(x *extraction, n syntax.Node) {
	name := x.child(n, "name")
	if name == syntax.None {
		return
	}
	path := strings.ReplaceAll(x.textOf(name), `\`, ".")
	dot := strings.LastIndexByte(path, '.')
	container := path[:max(0, dot)]
	if tooDeep(container) {
		return
	}
	d := definition{node: n, kind: Namespace, name: x.rangeOf(name), container: &container}
	d.name.Start = d.name.End - len(path[dot+1:])
	if x.child(n, "body") == syntax.None {
		x.pkg = path
	}
	x.define(d)
}

func phpMethod(x *extraction, n syntax.Node) {
	name := x.child(n, "name")
	if name == syntax.None {
		return
	}
	d := x.newDefinition(n, name, Method)
	if strings.EqualFold(x.textOf(name), "__construct") {
		d.kind = Constructor
	}
	x.define(d)
}

func phpProperty(x *extraction, n syntax.Node) {
	if name := x.phpName(x.child(n, "name")); name != syntax.None {
		x.define(x.newDefinition(n, name, Property))
	}
}

// phpPromoted defines a parameter that is a property of the class.
func phpPromoted(x *extraction, n syntax.Node) {
	name := x.phpName(x.child(n, "name"))
	if name == syntax.None {
		return
	}
	d := x.newDefinition(n, name, Property)
	if class := x.around(typeScope); class != nil {
		in := *class
		d.in = &in
	}
	x.define(d)
}

func phpConstant(x *extraction, n syntax.Node) {
	if name := x.firstNamed(n); x.kind(name) == "name" {
		x.define(x.newDefinition(n, name, Constant))
	}
}

func phpParameter(x *extraction, n syntax.Node) {
	if name := x.phpName(x.child(n, "name")); name != syntax.None {
		d := x.newDefinition(n, name, Parameter)
		d.once, d.alone = true, true
		x.define(d)
	}
}

// phpAssignment defines the variables that are assigned for the first time.
func phpAssignment(x *extraction, n syntax.Node) {
	left, right := x.child(n, "left"), x.child(n, "right")
	if x.kind(left) == "list_literal" || x.kind(left) == "array_creation_expression" {
		x.phpBind(left)
		return
	}
	name := x.phpName(left)
	if name == syntax.None || x.textOf(name) == "this" {
		return
	}
	d := x.newDefinition(n, name, Variable)
	d.once, d.hoisted = true, true
	switch x.kind(right) {
	case "anonymous_function", "arrow_function":
		d.kind, d.function = Function, right
	}
	x.define(d)
}

func phpVariable(x *extraction, n syntax.Node) { x.phpBind(x.child(n, "name")) }

// phpForeach defines the variables between as and the end of the head.
func phpForeach(x *extraction, n syntax.Node) {
	as := x.childOfKind(n, "as")
	if as != syntax.None {
		x.phpBind(x.nextNamed(as))
	}
}

// phpBind defines the variables in a pattern.
func (x *extraction) phpBind(pattern syntax.Node) {
	if pattern == syntax.None {
		return
	}
	for c := pattern; c < x.tree.After(pattern); {
		switch x.kind(c) {
		case "member_access_expression", "subscript_expression", "scoped_property_access_expression":
			c = x.tree.After(c)
			continue
		case "variable_name":
			if name := x.phpName(c); name != syntax.None {
				d := x.newDefinition(c, name, Variable)
				d.once, d.hoisted, d.alone = true, true, true
				x.define(d)
			}
		}
		c++
	}
}

// phpOuter says that variables are those of an outer scope.
func phpOuter(x *extraction, n syntax.Node) {
	top := x.top()
	for c := n; c < x.tree.After(n); c++ {
		if x.kind(c) == "name" {
			x.see(binding{top.function, top.path, x.textOf(c)})
		}
	}
}

// phpClass opens a class without a name.
func phpClass(x *extraction, n syntax.Node) {
	x.open(typeScope, n, "")
	x.top().block = x.tree.Start(n) + 1
	x.top().inUnnamed = true
}

// phpCall defines the constant of define('NAME', value).
func phpCall(x *extraction, n syntax.Node) {
	if x.textOf(x.child(n, "function")) != "define" {
		return
	}
	argument := x.firstNamed(max(0, x.child(n, "arguments")))
	if name := x.phpString(x.firstNamed(max(0, argument))); name != syntax.None && x.kind(argument) == "argument" {
		file := x.scopes[0]
		d := x.newDefinition(n, name, Constant)
		d.in = &file
		x.define(d)
	}
}

// phpString returns the content of a string without substitutions.
func (x *extraction) phpString(n syntax.Node) syntax.Node {
	if k := x.kind(n); k != "string" && k != "encapsed_string" {
		return syntax.None
	}
	content := x.firstNamed(n)
	if x.kind(content) != "string_content" || x.nextNamed(content) != syntax.None {
		return syntax.None
	}
	return content
}

// phpStatic marks the name of Class::$name as a member.
func phpStatic(x *extraction, n syntax.Node) {
	if name := x.phpName(x.child(n, "name")); name != syntax.None {
		x.member = name
	}
}

// phpUse records each name of a use declaration.
func phpUse(x *extraction, n syntax.Node) {
	x.importing = x.tree.After(n)
	prefix := ""
	if p := x.childOfKind(n, "namespace_name"); p != syntax.None {
		prefix = x.textOf(p) + `\`
	}
	for c := n; c < x.tree.After(n); c++ {
		if x.kind(c) != "namespace_use_clause" {
			continue
		}
		name := x.firstNamed(c)
		if k := x.kind(name); k != "name" && k != "qualified_name" && k != "namespace_name" {
			continue
		}
		module := strings.TrimPrefix(prefix+x.textOf(name), `\`)
		bound := ImportName{Name: module[strings.LastIndexByte(module, '\\')+1:], Range: x.rangeOf(c)}
		bound.Alias = x.textOf(x.child(c, "alias"))
		x.imports = append(x.imports, Import{
			Module: module, Range: x.rangeOf(n), ModuleRange: x.rangeOf(name), Names: []ImportName{bound},
		})
	}
}

// phpRequire records a required file. __DIR__ . '/a.php' is ./a.php.
func phpRequire(x *extraction, n syntax.Node) {
	path, here := x.firstNamed(n), ""
	if x.kind(path) == "parenthesized_expression" {
		path = x.firstNamed(path)
	}
	if x.kind(path) == "binary_expression" {
		if x.textOf(x.child(path, "left")) != "__DIR__" {
			return
		}
		path, here = x.child(path, "right"), "."
	}
	if content := x.phpString(path); content != syntax.None {
		x.imports = append(x.imports, Import{Module: here + x.textOf(content), Range: x.rangeOf(n), ModuleRange: x.rangeOf(path)})
	}
}
