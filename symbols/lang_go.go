package symbols

import (
	"strings"
	"sync"

	golang "github.com/tree-sitter/tree-sitter-go/bindings/go"

	"codeintel/symbols/syntax"
)

// goSyntax loads Go's table, once.
var goSyntax = sync.OnceValues(func() (*syntaxTable, error) {
	return bind(&languageSpec{
		name:     "go",
		language: golang.Language(),
		native:   goParser,
		identifiers: map[string]Role{
			"identifier": RolePlain, "type_identifier": RolePlain, "package_identifier": RolePlain, "label_name": RolePlain,
			"field_identifier": RoleMember,
		},
		members:  []string{"qualified_type.name"},
		blank:    "_",
		comments: []string{"comment"},
		definitions: []definitionRow{
			{node: "function_declaration", kind: Function},
			{node: "method_elem", kind: Method},
			{node: "type_alias", kind: Type},
		},
		visits: map[string]func(*extraction, syntax.Node){
			"package_clause":                 goPackage,
			"import_spec":                    goImport,
			"method_declaration":             goMethod,
			"type_spec":                      goType,
			"field_declaration":              goField,
			"const_spec":                     goConst,
			"var_spec":                       goVar,
			"short_var_declaration":          goShortVar,
			"range_clause":                   goReceived,
			"receive_statement":              goReceived,
			"type_switch_statement":          goTypeSwitch,
			"parameter_declaration":          goParameter,
			"variadic_parameter_declaration": goParameter,
			"type_parameter_declaration":     goTypeParameter,
			"keyed_element":                  goKey,
		},
		kinds: map[string][]Kind{
			"method_declaration":             {Method},
			"type_spec":                      {Type, Struct, Interface},
			"field_declaration":              {Field},
			"const_spec":                     {Constant},
			"var_spec":                       {Variable, Function},
			"short_var_declaration":          {Variable, Function},
			"range_clause":                   {Variable},
			"receive_statement":              {Variable},
			"type_switch_statement":          {Variable},
			"parameter_declaration":          {Parameter},
			"variadic_parameter_declaration": {Parameter},
			"type_parameter_declaration":     {TypeParameter},
		},
		wrappers:  []string{"type_declaration", "const_declaration", "var_declaration"},
		functions: []string{"func_literal"},
		blocks: []string{
			"block", "if_statement", "for_statement", "expression_switch_statement", "type_switch_statement", "select_statement",
			"expression_case", "type_case", "default_case", "communication_case",
		},
		bodies: []string{"method_declaration"},
		statements: []string{
			"function_declaration", "method_declaration", "type_declaration", "const_declaration", "var_declaration", "import_declaration",
			"package_clause", "import_spec", "type_spec", "type_alias", "const_spec", "var_spec", "field_declaration", "method_elem",
			"expression_statement", "send_statement", "inc_statement", "dec_statement", "assignment_statement", "short_var_declaration",
			"break_statement", "continue_statement", "goto_statement", "fallthrough_statement", "return_statement", "go_statement", "defer_statement",
			"if_statement", "for_statement", "expression_switch_statement", "type_switch_statement", "select_statement", "labeled_statement",
			"expression_case", "type_case", "default_case", "communication_case",
		},
		lists: []string{
			"source_file", "block", "statement_list", "field_declaration_list", "interface_type", "import_spec_list", "var_spec_list", "literal_value",
		},
	})
})

func goPackage(x *extraction, n syntax.Node) {
	x.pkg = x.textOf(x.childOfKind(n, "package_identifier"))
}

// goImport records one line of an import declaration. A package without a name of
// its own here has no names: what it is called stands in the package.
func goImport(x *extraction, n syntax.Node) {
	path := x.child(n, "path")
	if path == syntax.None {
		return
	}
	x.importing = x.tree.After(n)
	im := Import{Module: strings.Trim(x.textOf(path), "`\""), Range: x.rangeOf(n), ModuleRange: x.rangeOf(path)}
	name := x.child(n, "name")
	switch x.kind(name) {
	case "dot":
		im.Wildcard = true
	case "package_identifier":
		im.Names = []ImportName{{Name: "*", Alias: x.textOf(name), Range: x.rangeOf(name)}}
	}
	x.imports = append(x.imports, im)
}

// goMethod defines a method in its receiver's base type: *List[T] is List.
func goMethod(x *extraction, n syntax.Node) {
	name := x.child(n, "name")
	if name == syntax.None {
		return
	}
	d := x.newDefinition(n, name, Method)
	container := ""
	if receiver := x.child(n, "receiver"); receiver != syntax.None {
		for c := receiver; c < x.tree.After(receiver); c++ {
			if x.kind(c) == "type_identifier" {
				container = x.textOf(c)
				break
			}
		}
	}
	d.container = &container
	x.define(d)
}

func goType(x *extraction, n syntax.Node) {
	kind := Type
	switch x.kind(x.child(n, "type")) {
	case "struct_type":
		kind = Struct
	case "interface_type":
		kind = Interface
	}
	x.defineRow(definitionRow{kind: kind, name: "name"}, n)
}

// goField defines the fields of a line. An embedded type is no definition: its
// name is a use of the type.
func goField(x *extraction, n syntax.Node) {
	goNames(x, n, definition{kind: Field, value: x.child(n, "type")})
}

func goConst(x *extraction, n syntax.Node) {
	goNames(x, n, definition{kind: Constant, value: x.child(n, "value")})
}

func goVar(x *extraction, n syntax.Node) {
	goNames(x, n, goBound(x, x.child(n, "value"), x.child(n, "type")))
}

// goNames defines every name of a node. A name on its own has the node's range,
// several share it: each has its own part only.
func goNames(x *extraction, n syntax.Node, d definition) {
	var names []syntax.Node
	field := x.field("name")
	for c := x.tree.First(n); c != syntax.None; c = x.tree.Next(c) {
		if x.tree.Field(c) == field && x.tree.Named(c) {
			names = append(names, c)
		}
	}
	goDefine(x, n, names, d)
}

func goDefine(x *extraction, n syntax.Node, names []syntax.Node, d definition) {
	d.node = n
	if len(names) > 1 {
		d.alone, d.function, d.value = true, 0, 0
		if d.kind == Function {
			d.kind = Variable
		}
	}
	for _, name := range names {
		if d.alone {
			d.node = name
		}
		d.name = x.rangeOf(name)
		x.define(d)
	}
}

// goBound returns the definition of a variable by what it is bound to, or by its
// type.
func goBound(x *extraction, values, typ syntax.Node) definition {
	d := definition{kind: Variable, value: values}
	if values == syntax.None {
		d.value = typ
		return d
	}
	if first := x.tree.First(values); first != syntax.None && x.kind(first) == "func_literal" {
		d.kind, d.function = Function, first
	}
	return d
}

// goShortVar defines the names that a := makes; those that the block has already
// are only assigned.
func goShortVar(x *extraction, n syntax.Node) {
	d := goBound(x, x.child(n, "right"), syntax.None)
	d.once = true
	goDefine(x, n, goListed(x, x.child(n, "left")), d)
}

// goReceived defines the names of a range clause or a receive with :=.
func goReceived(x *extraction, n syntax.Node) {
	if x.has(n, ":=") {
		goAlone(x, x.child(n, "left"))
	}
}

func goTypeSwitch(x *extraction, n syntax.Node) { goAlone(x, x.child(n, "alias")) }

func goAlone(x *extraction, list syntax.Node) {
	goDefine(x, list, goListed(x, list), definition{kind: Variable, once: true, alone: true})
}

// goListed returns the identifiers of an expression list.
func goListed(x *extraction, list syntax.Node) []syntax.Node {
	var out []syntax.Node
	if list == syntax.None {
		return nil
	}
	for c := x.tree.First(list); c != syntax.None; c = x.tree.Next(c) {
		if x.kind(c) == "identifier" {
			out = append(out, c)
		}
	}
	return out
}

// goParameter defines parameters and named results. Those of a function type are
// only words.
func goParameter(x *extraction, n syntax.Node) {
	if x.kind(x.parent(x.parent(n))) == "function_type" {
		return
	}
	goNames(x, n, definition{kind: Parameter, once: true})
}

func goTypeParameter(x *extraction, n syntax.Node) {
	goNames(x, n, definition{kind: TypeParameter})
}

// goKey marks the key of a composite literal as a member. Where the literal's own
// type says that it is no struct, the key is an expression.
func goKey(x *extraction, n syntax.Node) {
	if literal := x.parent(x.parent(n)); x.kind(literal) == "composite_literal" {
		switch x.kind(x.child(literal, "type")) {
		case "map_type", "array_type", "slice_type", "implicit_length_array_type":
			return
		}
	}
	key := x.child(n, "key")
	if key == syntax.None {
		return
	}
	if id := x.tree.First(key); id != syntax.None && x.kind(id) == "identifier" {
		x.member = id
	}
}
