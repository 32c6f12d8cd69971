package symbols

import (
	"strings"
	"sync"
	"unicode"

	python "github.com/tree-sitter/tree-sitter-python/bindings/go"

	"codeintel/symbols/syntax"
)

// pythonSyntax loads Python's table, once.
var pythonSyntax = sync.OnceValues(func() (*syntaxTable, error) {
	return bind(&languageSpec{
		name:        "python",
		language:    python.Language(),
		identifiers: map[string]Role{"identifier": RolePlain},
		members:     []string{"attribute.attribute", "keyword_argument.name"},
		comments:    []string{"comment"},
		definitions: []definitionRow{{node: "class_definition", kind: Class}},
		visits: map[string]func(*extraction, syntax.Node){
			"function_definition":     pythonFunction,
			"assignment":              pythonAssignment,
			"named_expression":        pythonNamed,
			"type_alias_statement":    pythonTypeAlias,
			"type_parameter":          pythonTypeParameter,
			"parameters":              pythonParameters,
			"lambda_parameters":       pythonParameters,
			"for_statement":           pythonFor,
			"for_in_clause":           pythonComprehension,
			"as_pattern_target":       pythonAs,
			"global_statement":        pythonGlobal,
			"nonlocal_statement":      pythonGlobal,
			"import_statement":        pythonImport,
			"import_from_statement":   pythonFrom,
			"future_import_statement": pythonFuture,
		},
		kinds: map[string][]Kind{
			"function_definition":  {Function, Method, Constructor, Property},
			"assignment":           {Variable, Constant, Field, Function},
			"named_expression":     {Variable},
			"type_alias_statement": {Type},
			"type_parameter":       {TypeParameter},
			"parameters":           {Parameter},
			"lambda_parameters":    {Parameter},
			"for_statement":        {Variable},
			"for_in_clause":        {Variable},
			"as_pattern_target":    {Variable, Field},
		},
		wrappers:  []string{"decorated_definition", "expression_statement"},
		functions: []string{"lambda"},
		statements: []string{
			"expression_statement", "import_statement", "import_from_statement", "future_import_statement", "assert_statement",
			"break_statement", "continue_statement", "delete_statement", "exec_statement", "global_statement", "nonlocal_statement",
			"pass_statement", "print_statement", "raise_statement", "return_statement", "type_alias_statement",
			"class_definition", "function_definition", "decorated_definition", "decorator", "for_statement", "if_statement", "elif_clause",
			"else_clause", "match_statement", "case_clause", "try_statement", "except_clause", "finally_clause", "while_statement", "with_statement",
		},
		lists: []string{"module", "block", "dictionary", "list", "set"},
	})
})

// pythonFunction defines a function, or a method when a class is directly around
// it. A property is one, though it is written as a method.
func pythonFunction(x *extraction, n syntax.Node) {
	name := x.child(n, "name")
	if name == syntax.None {
		return
	}
	d := x.newDefinition(n, name, Function)
	if x.top().kind == typeScope {
		d.kind = Method
		switch {
		case x.textOf(name) == "__init__":
			d.kind = Constructor
		case x.pythonAccessor(n):
			d.kind, d.callable = Property, true
		}
	}
	x.define(d)
}

// pythonAccessor reports whether a decorator makes a method a property.
func (x *extraction) pythonAccessor(n syntax.Node) bool {
	p := x.parent(n)
	if x.kind(p) != "decorated_definition" {
		return false
	}
	for c := x.tree.First(p); c != syntax.None; c = x.tree.Next(c) {
		if x.kind(c) != "decorator" {
			continue
		}
		text := strings.TrimSpace(strings.TrimPrefix(x.textOf(c), "@"))
		switch text[strings.LastIndexByte(text, '.')+1:] {
		case "property", "cached_property", "setter", "getter", "deleter", "abstractproperty":
			return true
		}
	}
	return false
}

// pythonAssignment defines the names that are bound for the first time: variables,
// attributes of a class, and attributes of self.
func pythonAssignment(x *extraction, n syntax.Node) {
	left, right := x.child(n, "left"), x.child(n, "right")
	if left == syntax.None {
		return
	}
	switch x.kind(left) {
	case "identifier":
		d := x.newDefinition(n, left, x.pythonKind(x.textOf(left)))
		d.once = true
		if x.kind(right) == "lambda" {
			d.function = right
			if d.kind != Field {
				d.kind = Function
			}
		}
		x.define(d)
	case "attribute":
		d := definition{node: n}
		if x.kind(right) == "lambda" {
			d.function = right
		}
		x.pythonAttribute(d, left)
	default:
		x.pythonBind(left)
	}
}

// pythonKind returns the kind of a variable by where it stands and how it is
// written.
func (x *extraction) pythonKind(name string) Kind {
	if x.top().kind == typeScope {
		return Field
	}
	upper := strings.IndexFunc(name, unicode.IsUpper) >= 0 && strings.ToUpper(name) == name
	if upper && !x.top().inFunction {
		return Constant
	}
	return Variable
}

// pythonAttribute defines self.name in a method as a field of the class, the first
// time that it is assigned.
func (x *extraction) pythonAttribute(d definition, left syntax.Node) {
	name := x.child(left, "attribute")
	object := x.textOf(x.child(left, "object"))
	class := x.around(typeScope)
	if name == syntax.None || class == nil || object != "self" && object != "cls" {
		return
	}
	in := *class
	d.kind, d.name, d.in, d.once = Field, x.rangeOf(name), &in, true
	x.define(d)
}

// pythonBind defines every name that a pattern binds.
func (x *extraction) pythonBind(pattern syntax.Node) {
	if pattern == syntax.None {
		return
	}
	for c := pattern; c < x.tree.After(pattern); {
		switch x.kind(c) {
		case "attribute":
			x.pythonAttribute(definition{node: c, alone: true}, c)
			c = x.tree.After(c)
			continue
		case "subscript", "call":
			c = x.tree.After(c)
			continue
		case "identifier":
			d := x.newDefinition(c, c, x.pythonKind(x.textOf(c)))
			d.once, d.alone = true, true
			x.define(d)
		}
		c++
	}
}

func pythonNamed(x *extraction, n syntax.Node) { x.pythonBind(x.child(n, "name")) }

func pythonFor(x *extraction, n syntax.Node) { x.pythonBind(x.child(n, "left")) }

func pythonAs(x *extraction, n syntax.Node) { x.pythonBind(n) }

// pythonComprehension defines the names of a comprehension, which nothing outside
// of it sees.
func pythonComprehension(x *extraction, n syntax.Node) {
	left := x.child(n, "left")
	if left == syntax.None {
		return
	}
	in := *x.top()
	in.block = x.tree.Start(max(0, x.parent(n))) + 1
	for c := left; c < x.tree.After(left); c++ {
		if x.kind(c) == "identifier" {
			d := x.newDefinition(c, c, Variable)
			d.in, d.local, d.alone = &in, true, true
			x.define(d)
		}
	}
}

// pythonGlobal says that names of an outer scope are assigned here, not defined.
func pythonGlobal(x *extraction, n syntax.Node) {
	top := x.top()
	for c := x.tree.First(n); c != syntax.None; c = x.tree.Next(c) {
		if x.kind(c) == "identifier" {
			x.see(binding{top.block, top.path, x.textOf(c)})
		}
	}
}

func pythonParameters(x *extraction, n syntax.Node) {
	for c := x.tree.First(n); c != syntax.None; c = x.tree.Next(c) {
		name := c
		switch x.kind(c) {
		case "default_parameter", "typed_default_parameter":
			name = x.child(c, "name")
		case "typed_parameter":
			name = x.firstNamed(c)
		}
		x.pythonParameter(name)
	}
}

func (x *extraction) pythonParameter(pattern syntax.Node) {
	if pattern == syntax.None {
		return
	}
	for c := pattern; c < x.tree.After(pattern); c++ {
		if x.kind(c) == "identifier" {
			d := x.newDefinition(c, c, Parameter)
			d.once, d.alone = true, true
			x.define(d)
		}
	}
}

// pythonTypeAlias defines type A = B. The grammar takes type(a).b = c for one, too.
func pythonTypeAlias(x *extraction, n syntax.Node) {
	left := x.child(n, "left")
	if left == syntax.None || strings.HasPrefix(x.textOf(left), "(") {
		return
	}
	for c := left; c < x.tree.After(left); c++ {
		if x.kind(c) == "identifier" {
			x.define(x.newDefinition(n, c, Type))
			return
		}
	}
}

// pythonTypeParameter defines the type parameters of a function, a class or a type;
// the same node holds the arguments of a type elsewhere.
func pythonTypeParameter(x *extraction, n syntax.Node) {
	if x.tree.Field(n) != x.field("type_parameters") {
		return
	}
	for c := x.tree.First(n); c != syntax.None; c = x.tree.Next(c) {
		for name := c; x.kind(c) == "type" && name < x.tree.After(c); name++ {
			if x.kind(name) == "identifier" {
				d := x.newDefinition(name, name, TypeParameter)
				d.alone = true
				x.define(d)
				break
			}
		}
	}
}

// pythonImport records import a, b.c as d. What import b.c binds is b.
func pythonImport(x *extraction, n syntax.Node) {
	x.importing = x.tree.After(n)
	for c := x.tree.First(n); c != syntax.None; c = x.tree.Next(c) {
		module, alias := c, syntax.None
		switch x.kind(c) {
		case "aliased_import":
			module, alias = x.child(c, "name"), x.child(c, "alias")
		case "dotted_name":
		default:
			continue
		}
		bound, _, _ := strings.Cut(x.textOf(module), ".")
		if alias != syntax.None {
			bound = x.textOf(alias)
		}
		if module == syntax.None {
			continue
		}
		x.imports = append(x.imports, Import{
			Module: x.textOf(module), Range: x.rangeOf(n), ModuleRange: x.rangeOf(module),
			Names: []ImportName{{Name: "*", Alias: bound, Range: x.rangeOf(c)}},
		})
	}
}

func pythonFrom(x *extraction, n syntax.Node) {
	module := x.child(n, "module_name")
	if module == syntax.None {
		return
	}
	x.pythonNames(n, Import{Module: x.textOf(module), Range: x.rangeOf(n), ModuleRange: x.rangeOf(module)})
}

func pythonFuture(x *extraction, n syntax.Node) {
	im := Import{Module: "__future__", Range: x.rangeOf(n)}
	if module := x.childOfKind(n, "__future__"); module != syntax.None {
		im.ModuleRange = x.rangeOf(module)
	}
	x.pythonNames(n, im)
}

// pythonNames completes an import with the names that it takes.
func (x *extraction) pythonNames(n syntax.Node, im Import) {
	x.importing = x.tree.After(n)
	field := x.field("name")
	for c := x.tree.First(n); c != syntax.None; c = x.tree.Next(c) {
		switch {
		case x.kind(c) == "wildcard_import":
			im.Wildcard = true
		case x.tree.Field(c) != field:
		case x.kind(c) == "aliased_import":
			im.Names = append(im.Names, ImportName{Name: x.textOf(x.child(c, "name")), Alias: x.textOf(x.child(c, "alias")), Range: x.rangeOf(c)})
		case x.kind(c) == "dotted_name":
			im.Names = append(im.Names, ImportName{Name: x.textOf(c), Range: x.rangeOf(c)})
		}
	}
	x.imports = append(x.imports, im)
}
