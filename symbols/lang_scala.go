package symbols

import (
	"bytes"
	"sync"
	"unicode"
	"unicode/utf8"

	scala "github.com/tree-sitter/tree-sitter-scala/bindings/go"

	"codeintel/symbols/syntax"
)

// scalaSyntax loads Scala's table, once. It is that of Scala 2 and 3.
var scalaSyntax = sync.OnceValues(func() (*syntaxTable, error) {
	return bind(&languageSpec{
		name:     "scala",
		language: scala.Language(),
		notes: "An extension at the top level belongs to the type that it extends, one in an object to that. " +
			"The members of a given without a name belong to the name of its type. The first parameters of a case class are fields. " +
			"A package clause without a body is no part of names.",
		identifiers: map[string]Role{
			"identifier": RolePlain, "type_identifier": RolePlain, "operator_identifier": RolePlain,
		},
		members:  []string{"field_expression.field", "projected_type.selector"},
		blank:    "_",
		paths:    []string{"stable_identifier", "stable_type_identifier"},
		comments: []string{"comment", "block_comment"},
		definitions: []definitionRow{
			{node: "class_definition", kind: Class},
			{node: "object_definition", kind: Class},
			{node: "trait_definition", kind: Interface},
			{node: "enum_definition", kind: Enum},
			{node: "type_definition", kind: Type},
			{node: "package_object", kind: Namespace},
			{node: "val_declaration", kind: Field},
			{node: "var_declaration", kind: Field},
			{node: "parameter", kind: Parameter},
			{node: "binding", kind: Parameter},
			{node: "covariant_type_parameter", kind: TypeParameter},
			{node: "contravariant_type_parameter", kind: TypeParameter},
		},
		visits: map[string]func(*extraction, syntax.Node){
			"import_declaration":    scalaImport,
			"export_declaration":    scalaImport,
			"package_clause":        scalaPackage,
			"function_definition":   scalaFunction,
			"function_declaration":  scalaFunction,
			"val_definition":        scalaValue,
			"var_definition":        scalaValue,
			"given_definition":      scalaGiven,
			"extension_definition":  scalaExtension,
			"simple_enum_case":      scalaCase,
			"full_enum_case":        scalaCase,
			"class_parameter":       scalaClassParameter,
			"type_parameters":       scalaTypeParameters,
			"lambda_expression":     scalaLambda,
			"instance_expression":   scalaInstance,
			"structural_type":       scalaStructure,
			"refinement":            scalaStructure,
			"case_clause":           scalaPattern,
			"enumerator":            scalaEnumerator,
			"assignment_expression": scalaArgument,
		},
		kinds: map[string][]Kind{
			"package_clause":       {Namespace},
			"function_definition":  {Function, Method, Constructor},
			"function_declaration": {Method},
			"val_definition":       {Field, Variable},
			"var_definition":       {Field, Variable},
			"given_definition":     {Variable, Class},
			"simple_enum_case":     {EnumMember},
			"full_enum_case":       {EnumMember},
			"class_parameter":      {Field, Parameter},
			"type_parameters":      {TypeParameter},
			"lambda_expression":    {Parameter},
			"case_clause":          {Variable},
			"enumerator":           {Variable},
		},
		wrappers:  []string{"enum_case_definitions"},
		functions: []string{"lambda_expression"},
		blocks:    []string{"block", "indented_block", "case_clause", "for_expression"},
		bodies:    []string{"function_definition"},
		statements: []string{
			"package_clause", "import_declaration", "export_declaration", "class_definition", "object_definition", "trait_definition",
			"enum_definition", "enum_case_definitions", "package_object", "function_definition", "function_declaration", "val_definition",
			"var_definition", "val_declaration", "var_declaration", "type_definition", "given_definition", "extension_definition",
			"case_clause", "call_expression", "assignment_expression", "infix_expression", "if_expression", "for_expression",
			"while_expression", "return_expression", "throw_expression", "try_expression", "match_expression",
		},
		lists: []string{
			"compilation_unit", "template_body", "enum_body", "block", "indented_block", "case_block", "indented_cases", "with_template_body",
		},
	})
})

// scalaPackage defines a package with a body. Without one it says where the file
// is, which is no part of the names in it.
func scalaPackage(x *extraction, n syntax.Node) {
	if x.child(n, "body") != syntax.None {
		x.defineRow(definitionRow{kind: Namespace, name: "name"}, n)
	}
}

// scalaImport records an import or an export. Each of several, between commas, is
// one of its own.
func scalaImport(x *extraction, n syntax.Node) {
	x.importing = x.tree.After(n)
	i := scalaImports{x: x, whole: x.rangeOf(n), export: x.kind(n) == "export_declaration"}
	before := x.tree.Start(n)
	for c := x.tree.First(n); c != syntax.None; c = x.tree.Next(c) {
		if bytes.IndexByte(x.text[before:x.tree.Start(c)], ',') >= 0 {
			i.flush()
		}
		before = x.tree.End(c)
		switch x.kind(c) {
		case "identifier", "operator_identifier":
			i.path = append(i.path, c)
		case "as_renamed_identifier":
			i.named = append(i.named, x.scalaRenamed(c))
		case "namespace_wildcard":
			i.all = true
		case "namespace_selectors":
			i.choose(c)
		}
	}
	i.flush()
}

// scalaImports collects one import of a declaration.
type scalaImports struct {
	x      *extraction
	whole  Range
	export bool
	path   []syntax.Node
	named  []ImportName
	all    bool
}

// choose reads the names in braces.
func (i *scalaImports) choose(list syntax.Node) {
	x := i.x
	for c := x.tree.First(list); c != syntax.None; c = x.tree.Next(c) {
		switch x.kind(c) {
		case "identifier", "operator_identifier":
			i.named = append(i.named, ImportName{Name: x.content(x.nameRange(c)), Range: x.rangeOf(c)})
		case "arrow_renamed_identifier", "as_renamed_identifier":
			i.named = append(i.named, x.scalaRenamed(c))
		case "namespace_wildcard":
			i.all = true
		}
	}
}

func (x *extraction) scalaRenamed(n syntax.Node) ImportName {
	return ImportName{Name: x.textOf(x.child(n, "name")), Alias: x.textOf(x.child(n, "alias")), Range: x.rangeOf(n)}
}

// flush records what has been read. The last name of a path is what is imported
// when nothing follows it.
func (i *scalaImports) flush() {
	x, path := i.x, i.path
	if len(i.named) == 0 && !i.all && len(path) > 1 {
		last := path[len(path)-1]
		path = path[:len(path)-1]
		i.named = []ImportName{{Name: x.content(x.nameRange(last)), Range: x.rangeOf(last)}}
	}
	if len(path) > 0 {
		at := Range{x.tree.Start(path[0]), x.tree.End(path[len(path)-1])}
		x.imports = append(x.imports, Import{
			Module: x.content(at), Range: i.whole, ModuleRange: at, Names: i.named, Wildcard: i.all, Export: i.export,
		})
	}
	i.path, i.named, i.all = nil, nil, false
}

// scalaFunction defines a function or a method; one that is called this makes an
// object.
func scalaFunction(x *extraction, n syntax.Node) {
	kind := Method
	if x.textOf(x.child(n, "name")) == "this" {
		kind = Constructor
	}
	x.defineRow(definitionRow{kind: Function, member: kind, name: "name"}, n)
}

// scalaValue defines what a val or var binds. Members of the object that it is
// bound to belong to it.
func scalaValue(x *extraction, n syntax.Node) {
	pattern, value := x.child(n, "pattern"), x.child(n, "value")
	kind := Variable
	if x.inType() {
		kind = Field
	}
	if k := x.kind(pattern); k != "identifier" && k != "operator_identifier" {
		x.scalaBind(pattern, definition{kind: kind, local: x.top().kind == blockScope})
		return
	}
	d := x.newDefinition(n, pattern, kind)
	d.local = x.top().kind == blockScope
	switch {
	case x.kind(value) == "lambda_expression":
		d.function = value
		if kind == Variable {
			d.kind, d.local = Function, false
		}
	case x.scalaBody(value):
		d.value = value
	}
	x.define(d)
}

// scalaBody reports whether a node makes an object of a class of its own.
func (x *extraction) scalaBody(n syntax.Node) bool {
	return x.kind(n) == "instance_expression" && x.childOfKind(n, "template_body") != syntax.None
}

// scalaGiven defines a given with a name: as a class when it has members. Those of
// one without a name belong to the name of its type, as in Syntax.Ord.compare.
func scalaGiven(x *extraction, n syntax.Node) {
	members := x.kind(x.child(n, "body")) == "with_template_body"
	name := x.child(n, "name")
	switch {
	case name == syntax.None && members:
		x.open(typeScope, n, x.scalaTypeName(x.child(n, "return_type")))
	case name != syntax.None && members:
		x.define(x.newDefinition(n, name, Class))
	case name != syntax.None:
		x.defineRow(definitionRow{kind: Variable, member: Field, name: "name"}, n)
	}
}

// scalaExtension opens an extension. At the top level its methods belong to the type
// that is extended, elsewhere to what is around.
func scalaExtension(x *extraction, n syntax.Node) {
	receiver := ""
	if top := x.top(); top.kind == fileScope || top.namespace {
		for _, c := range x.childrenIn(n, "parameters") {
			if p := x.childOfKind(c, "parameter"); p != syntax.None && receiver == "" {
				receiver = x.scalaTypeName(x.child(p, "type"))
			}
		}
	}
	x.open(typeScope, n, receiver)
}

// scalaTypeName returns the name of a type less its path and arguments.
func (x *extraction) scalaTypeName(n syntax.Node) string {
	name := ""
	if n == syntax.None {
		return ""
	}
	for c := n; c < x.tree.After(n); c++ {
		switch x.kind(c) {
		case "type_arguments":
			return name
		case "identifier", "type_identifier":
			name = x.content(x.nameRange(c))
		}
	}
	return name
}

// scalaCase defines a case of an enum; its parameters belong to it.
func scalaCase(x *extraction, n syntax.Node) {
	if name := x.child(n, "name"); name != syntax.None {
		d := x.newDefinition(n, name, EnumMember)
		d.value = x.child(n, "class_parameters")
		x.define(d)
	}
}

// scalaClassParameter defines a parameter of a class: a field when it has val or
// var, or when it is in the first list of a case class.
func scalaClassParameter(x *extraction, n syntax.Node) {
	name := x.child(n, "name")
	if name == syntax.None {
		return
	}
	list := x.parent(n)
	class := x.parent(list)
	d := x.newDefinition(n, name, Parameter)
	if x.has(n, "val") || x.has(n, "var") {
		d.kind = Field
	}
	isCase := x.kind(class) == "full_enum_case" || x.has(class, "case")
	if isCase && x.child(class, "class_parameters") == list {
		d.kind = Field
	}
	x.define(d)
}

func scalaTypeParameters(x *extraction, n syntax.Node) {
	for _, name := range x.childrenIn(n, "name") {
		if x.kind(name) != "wildcard" {
			d := x.newDefinition(name, name, TypeParameter)
			d.alone = true
			x.define(d)
		}
	}
}

// scalaLambda opens a lambda and defines its one parameter without parentheses.
func scalaLambda(x *extraction, n syntax.Node) {
	if !x.taken(n) {
		x.function(n)
	}
	if name := x.child(n, "parameters"); x.kind(name) == "identifier" {
		d := x.newDefinition(name, name, Parameter)
		d.alone = true
		x.define(d)
	}
}

// scalaInstance opens the class of an object that is made where it stands.
func scalaInstance(x *extraction, n syntax.Node) {
	if !x.scalaBody(n) {
		return
	}
	if top := x.top(); top.kind == valueScope && x.parent(n) == top.node {
		x.open(typeScope, n, "")
		return
	}
	x.unnamedType(n)
}

func scalaStructure(x *extraction, n syntax.Node) { x.unnamedType(n) }

func scalaPattern(x *extraction, n syntax.Node) {
	x.scalaBind(x.child(n, "pattern"), definition{kind: Variable, local: true})
}

// scalaEnumerator defines what a part of a for expression binds.
func scalaEnumerator(x *extraction, n syntax.Node) {
	if x.has(n, "<-") || x.has(n, "=") || x.has(n, "case") {
		x.scalaBind(x.firstNamed(n), definition{kind: Variable, local: true})
	}
}

// scalaBind defines every name that a pattern binds. A name with a capital letter or
// in backquotes is a value to compare with.
func (x *extraction) scalaBind(pattern syntax.Node, d definition) {
	typ, operator := x.field("type"), x.field("operator")
	names := x.kind(pattern) == "identifiers"
	x.bindNames(pattern, d, []string{"identifier"}, func(c syntax.Node) bool {
		if f := x.tree.Field(c); c != pattern && f != 0 && (f == typ || f == operator) {
			return true
		}
		switch x.kind(c) {
		case "stable_identifier", "interpolated_string_expression", "quote_expression", "given_pattern":
			return true
		case "identifier":
			first, _ := utf8.DecodeRune(x.text[x.tree.Start(c):])
			return !names && (unicode.IsUpper(first) || first == '`')
		}
		return false
	})
}

// scalaArgument marks the name of a named argument as a member.
func scalaArgument(x *extraction, n syntax.Node) {
	if left := x.child(n, "left"); x.kind(x.parent(n)) == "arguments" && x.kind(left) == "identifier" {
		x.member = left
	}
}
