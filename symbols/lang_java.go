package symbols

import (
	"sync"

	java "github.com/tree-sitter/tree-sitter-java/bindings/go"

	"codeintel/symbols/syntax"
)

// javaSyntax loads Java's table, once.
var javaSyntax = sync.OnceValues(func() (*syntaxTable, error) {
	return bind(&languageSpec{
		name:     "java",
		language: java.Language(),
		notes: "Members of an anonymous class belong to the variable or the constant that is bound to it, elsewhere they are local. " +
			"The components of a record are its fields; a static final field is a constant. The package is no part of names.",
		identifiers: map[string]Role{"identifier": RolePlain, "type_identifier": RolePlain},
		members: []string{
			"field_access.field", "method_invocation.name with object", "scoped_identifier.name", "element_value_pair.key",
		},
		paths:    []string{"scoped_type_identifier"},
		comments: []string{"line_comment", "block_comment"},
		definitions: []definitionRow{
			{node: "class_declaration", kind: Class},
			{node: "interface_declaration", kind: Interface},
			{node: "annotation_type_declaration", kind: Interface},
			{node: "enum_declaration", kind: Enum},
			{node: "record_declaration", kind: Class},
			{node: "module_declaration", kind: Namespace},
			{node: "method_declaration", kind: Method},
			{node: "annotation_type_element_declaration", kind: Method},
			{node: "constructor_declaration", kind: Constructor},
			{node: "compact_constructor_declaration", kind: Constructor},
			{node: "catch_formal_parameter", kind: Variable},
			{node: "resource", kind: Variable},
		},
		visits: map[string]func(*extraction, syntax.Node){
			"import_declaration":         javaImport,
			"variable_declarator":        javaVariable,
			"enum_constant":              javaEnumConstant,
			"formal_parameter":           javaParameter,
			"type_parameter":             javaTypeParameter,
			"lambda_expression":          javaLambda,
			"object_creation_expression": javaCreation,
			"enhanced_for_statement":     javaForEach,
			"instanceof_expression":      javaInstanceOf,
			"type_pattern":               javaPattern,
			"record_pattern_component":   javaPattern,
			"block":                      javaBlock,
		},
		kinds: map[string][]Kind{
			"variable_declarator":      {Field, Variable, Constant, Parameter},
			"enum_constant":            {EnumMember},
			"formal_parameter":         {Field, Parameter},
			"type_parameter":           {TypeParameter},
			"lambda_expression":        {Parameter},
			"enhanced_for_statement":   {Variable},
			"instanceof_expression":    {Variable},
			"type_pattern":             {Variable},
			"record_pattern_component": {Variable},
		},
		wrappers:  []string{"field_declaration", "constant_declaration", "local_variable_declaration", "spread_parameter"},
		functions: []string{"lambda_expression", "static_initializer"},
		blocks: []string{
			"block", "constructor_body", "for_statement", "enhanced_for_statement", "try_with_resources_statement", "catch_clause", "if_statement",
			"switch_rule", "switch_block_statement_group",
		},
		bodies: []string{"catch_clause"},
		statements: []string{
			"class_declaration", "interface_declaration", "annotation_type_declaration", "enum_declaration", "record_declaration",
			"module_declaration", "package_declaration", "import_declaration", "method_declaration", "annotation_type_element_declaration",
			"constructor_declaration", "compact_constructor_declaration", "field_declaration", "constant_declaration", "enum_constant",
			"static_initializer", "explicit_constructor_invocation", "local_variable_declaration", "expression_statement", "if_statement",
			"for_statement", "enhanced_for_statement", "while_statement", "do_statement", "switch_rule", "switch_block_statement_group",
			"try_statement", "try_with_resources_statement", "catch_clause", "finally_clause", "return_statement", "throw_statement",
			"break_statement", "continue_statement", "yield_statement", "assert_statement", "labeled_statement", "synchronized_statement",
			"resource",
		},
		lists: []string{
			"program", "block", "constructor_body", "class_body", "interface_body", "annotation_type_body", "enum_body",
			"enum_body_declarations", "switch_block", "module_body", "array_initializer",
		},
	})
})

// javaImport records what an import takes from a package, or from a class when it
// is static.
func javaImport(x *extraction, n syntax.Node) {
	x.importing = x.tree.After(n)
	path := x.childOfKind(n, "scoped_identifier")
	if path == syntax.None {
		path = x.childOfKind(n, "identifier")
	}
	if path == syntax.None {
		return
	}
	im := Import{Module: x.textOf(path), Range: x.rangeOf(n), ModuleRange: x.rangeOf(path)}
	if x.childOfKind(n, "asterisk") != syntax.None {
		im.Wildcard = true
	} else if scope, name := x.child(path, "scope"), x.child(path, "name"); scope != syntax.None && name != syntax.None {
		im.Module, im.ModuleRange = x.textOf(scope), x.rangeOf(scope)
		im.Names = []ImportName{{Name: x.textOf(name), Range: x.rangeOf(name)}}
	}
	x.imports = append(x.imports, im)
}

// javaVariable defines a field, a constant, a local variable or the last parameter
// by the declaration around it. Members of an anonymous class that it is bound to
// belong to it.
func javaVariable(x *extraction, n syntax.Node) {
	name := x.child(n, "name")
	if name == syntax.None {
		return
	}
	d := x.newDefinition(n, name, Variable)
	p := x.parent(n)
	switch x.kind(p) {
	case "field_declaration":
		d.kind = Field
		if m := x.childOfKind(p, "modifiers"); x.has(m, "static") && x.has(m, "final") {
			d.kind = Constant
		}
	case "constant_declaration":
		d.kind = Constant
	case "spread_parameter":
		d.kind = Parameter
	}
	switch value := x.child(n, "value"); x.kind(value) {
	case "lambda_expression":
		d.function = value
	case "object_creation_expression":
		if x.childOfKind(value, "class_body") != syntax.None {
			d.value = value
		}
	}
	x.define(d)
}

// javaEnumConstant defines a constant, which may have members of its own.
func javaEnumConstant(x *extraction, n syntax.Node) {
	if name := x.child(n, "name"); name != syntax.None {
		d := x.newDefinition(n, name, EnumMember)
		d.value = x.child(n, "body")
		x.define(d)
	}
}

// javaParameter defines a parameter. Those of a record are its fields.
func javaParameter(x *extraction, n syntax.Node) {
	if name := x.child(n, "name"); name != syntax.None {
		d := x.newDefinition(n, name, Parameter)
		if x.kind(x.parent(x.parent(n))) == "record_declaration" {
			d.kind = Field
		}
		x.define(d)
	}
}

func javaTypeParameter(x *extraction, n syntax.Node) {
	if name := x.childOfKind(n, "type_identifier"); name != syntax.None {
		x.define(x.newDefinition(n, name, TypeParameter))
	}
}

// javaLambda opens a lambda and defines its parameters without a type.
func javaLambda(x *extraction, n syntax.Node) {
	if !x.taken(n) {
		x.function(n)
	}
	switch list := x.child(n, "parameters"); x.kind(list) {
	case "identifier", "inferred_parameters":
		x.bindNames(list, definition{kind: Parameter}, []string{"identifier"}, nil)
	}
}

// javaCreation opens an anonymous class, unless it is what a variable is bound to.
func javaCreation(x *extraction, n syntax.Node) {
	if x.childOfKind(n, "class_body") == syntax.None {
		return
	}
	if top := x.top(); top.kind != valueScope || x.parent(n) != top.node {
		x.unnamedType(n)
	}
}

// javaLocal defines a variable that has only its name.
func (x *extraction) javaLocal(name syntax.Node) {
	if x.kind(name) == "identifier" {
		d := x.newDefinition(name, name, Variable)
		d.alone, d.local = true, true
		x.define(d)
	}
}

func javaForEach(x *extraction, n syntax.Node) { x.javaLocal(x.child(n, "name")) }

func javaInstanceOf(x *extraction, n syntax.Node) { x.javaLocal(x.child(n, "name")) }

// javaPattern defines the name that follows the type of a pattern.
func javaPattern(x *extraction, n syntax.Node) {
	last := syntax.None
	for c := x.tree.First(n); c != syntax.None; c = x.tree.Next(c) {
		if last = c; x.tree.Next(c) == syntax.None && c == x.tree.First(n) {
			return // a type alone
		}
	}
	x.javaLocal(last)
}

// javaBlock makes the block of an initializer a function without a name.
func javaBlock(x *extraction, n syntax.Node) {
	switch x.kind(x.parent(n)) {
	case "class_body", "enum_body_declarations":
		x.function(n)
	}
}
