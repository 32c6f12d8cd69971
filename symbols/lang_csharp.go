package symbols

import (
	"sync"

	csharp "github.com/tree-sitter/tree-sitter-c-sharp/bindings/go"

	"codeintel/symbols/syntax"
)

// csharpSyntax loads C#'s table, once.
var csharpSyntax = sync.OnceValues(func() (*syntaxTable, error) {
	return bind(&languageSpec{
		name:     "csharp",
		language: csharp.Language(),
		notes: "A namespace without a body holds the rest of the file. An event is a property, a delegate a type; " +
			"an indexer is called this, an operator as it is written. The parameters of a record are its properties.",
		identifiers: map[string]Role{"identifier": RolePlain, "implicit_parameter": RolePlain},
		members: []string{
			"member_access_expression.name", "member_binding_expression.name", "qualified_name.name", "alias_qualified_name.name",
			"argument.name", "attribute_argument.name",
		},
		blank:    "_",
		comments: []string{"comment"},
		definitions: []definitionRow{
			{node: "namespace_declaration", kind: Namespace},
			{node: "class_declaration", kind: Class},
			{node: "struct_declaration", kind: Struct},
			{node: "interface_declaration", kind: Interface},
			{node: "enum_declaration", kind: Enum},
			{node: "enum_member_declaration", kind: EnumMember},
			{node: "delegate_declaration", kind: Type},
			{node: "method_declaration", kind: Method},
			{node: "constructor_declaration", kind: Constructor},
			{node: "local_function_statement", kind: Function},
			{node: "type_parameter", kind: TypeParameter},
		},
		visits: map[string]func(*extraction, syntax.Node){
			"file_scoped_namespace_declaration":  csharpFileNamespace,
			"using_directive":                    csharpUsing,
			"record_declaration":                 csharpRecord,
			"property_declaration":               csharpProperty,
			"event_declaration":                  csharpProperty,
			"indexer_declaration":                csharpIndexer,
			"operator_declaration":               csharpOperator,
			"conversion_operator_declaration":    csharpOperator,
			"destructor_declaration":             csharpDestructor,
			"variable_declarator":                csharpVariable,
			"parameter":                          csharpParameter,
			"parameter_list":                     csharpRest,
			"implicit_parameter":                 csharpImplicit,
			"foreach_statement":                  csharpForEach,
			"catch_declaration":                  csharpNames,
			"declaration_pattern":                csharpNames,
			"recursive_pattern":                  csharpNames,
			"list_pattern":                       csharpNames,
			"var_pattern":                        csharpNames,
			"declaration_expression":             csharpNames,
			"tuple_pattern":                      csharpNames,
			"parenthesized_variable_designation": csharpNames,
			"from_clause":                        csharpNames,
			"let_clause":                         csharpLet,
			"generic_name":                       csharpGeneric,
			"assignment_expression":              csharpInitializer,
		},
		kinds: map[string][]Kind{
			"file_scoped_namespace_declaration": {Namespace},
			"record_declaration":                {Class, Struct},
			"property_declaration":              {Property},
			"event_declaration":                 {Property},
			"indexer_declaration":               {Property},
			"operator_declaration":              {Method},
			"conversion_operator_declaration":   {Method},
			"destructor_declaration":            {Method},
			"variable_declarator":               {Function, Property, Field, Variable, Constant},
			"parameter":                         {Property, Parameter},
			"parameter_list":                    {Parameter},
			"implicit_parameter":                {Parameter},
			"foreach_statement":                 {Variable},
			"catch_declaration":                 {Variable},
			"declaration_pattern":               {Variable},
			"declaration_expression":            {Variable},
			"tuple_pattern":                     {Variable},
			"from_clause":                       {Variable},
			"let_clause":                        {Variable},
		},
		wrappers: []string{
			"variable_declaration", "field_declaration", "event_field_declaration", "local_declaration_statement", "global_statement",
		},
		functions: []string{"lambda_expression", "anonymous_method_expression"},
		blocks: []string{
			"block", "for_statement", "foreach_statement", "using_statement", "fixed_statement", "catch_clause", "switch_section",
			"switch_expression_arm", "query_expression",
		},
		bodies: []string{
			"catch_clause", "destructor_declaration", "operator_declaration", "conversion_operator_declaration",
		},
		statements: []string{
			"namespace_declaration", "file_scoped_namespace_declaration", "using_directive", "extern_alias_directive", "class_declaration",
			"struct_declaration", "interface_declaration", "enum_declaration", "record_declaration", "delegate_declaration",
			"enum_member_declaration", "method_declaration", "constructor_declaration", "destructor_declaration", "property_declaration",
			"indexer_declaration", "event_declaration", "event_field_declaration", "field_declaration", "operator_declaration",
			"conversion_operator_declaration", "accessor_declaration", "local_function_statement", "local_declaration_statement",
			"expression_statement", "if_statement", "for_statement", "foreach_statement", "while_statement", "do_statement",
			"switch_statement", "switch_section", "switch_expression_arm", "try_statement", "catch_clause", "finally_clause",
			"return_statement", "throw_statement", "break_statement", "continue_statement", "goto_statement", "yield_statement",
			"lock_statement", "using_statement", "fixed_statement", "checked_statement", "unsafe_statement", "labeled_statement",
			"global_statement",
		},
		lists: []string{
			"compilation_unit", "block", "declaration_list", "enum_member_declaration_list", "accessor_list", "switch_body",
			"initializer_expression", "preproc_if", "preproc_else", "preproc_elif",
		},
	})
})

// csharpFileNamespace defines a namespace that holds the rest of the file.
func csharpFileNamespace(x *extraction, n syntax.Node) {
	name, file := x.child(n, "name"), x.parent(n)
	if name == syntax.None || file == syntax.None {
		return
	}
	x.define(x.newDefinition(n, name, Namespace))
	x.top().after = x.tree.After(file)
	x.symbols[len(x.symbols)-1].Range.End = x.tree.End(file)
}

// csharpUsing records a using directive: of a namespace or a class with all that is
// in it, or of one thing under another name.
func csharpUsing(x *extraction, n syntax.Node) {
	x.importing = x.tree.After(n)
	alias := x.child(n, "name")
	var path syntax.Node = syntax.None
	for c := x.tree.First(n); c != syntax.None; c = x.tree.Next(c) {
		if c != alias && x.tree.Named(c) && x.rule(c).flags&isComment == 0 {
			path = c
		}
	}
	if path == syntax.None {
		return
	}
	im := Import{Module: x.textOf(path), Range: x.rangeOf(n), ModuleRange: x.rangeOf(path), Wildcard: alias == syntax.None}
	if alias != syntax.None {
		im.Names = []ImportName{{Name: "*", Alias: x.textOf(alias), Range: x.rangeOf(alias)}}
	}
	x.imports = append(x.imports, im)
}

func csharpRecord(x *extraction, n syntax.Node) {
	kind := Class
	if x.has(n, "struct") {
		kind = Struct
	}
	x.defineRow(definitionRow{kind: kind, name: "name"}, n)
}

// csharpProperty defines a property or an event. One with code is a function.
func csharpProperty(x *extraction, n syntax.Node) {
	if name := x.child(n, "name"); name != syntax.None {
		d := x.newDefinition(n, name, Property)
		d.callable = x.csharpAccess(n)
		x.define(d)
	}
}

// csharpAccess reports whether there is code for reading or writing a property.
func (x *extraction) csharpAccess(n syntax.Node) bool {
	if x.kind(x.child(n, "value")) == "arrow_expression_clause" {
		return true
	}
	list := x.child(n, "accessors")
	if list == syntax.None {
		return false
	}
	for c := x.tree.First(list); c != syntax.None; c = x.tree.Next(c) {
		if x.child(c, "body") != syntax.None {
			return true
		}
	}
	return false
}

func csharpIndexer(x *extraction, n syntax.Node) {
	if name := x.childOfKind(n, "this"); name != syntax.None {
		d := x.newDefinition(n, name, Property)
		d.callable = x.csharpAccess(n)
		x.define(d)
	}
}

// csharpOperator defines an operator, named as it is written: "operator +".
func csharpOperator(x *extraction, n syntax.Node) {
	first, last := x.childOfKind(n, "operator"), x.child(n, "operator")
	if last == syntax.None {
		last = x.child(n, "type")
	}
	if first != syntax.None && last != syntax.None {
		x.define(definition{node: n, kind: Method, name: Range{x.tree.Start(first), max(x.tree.End(first), x.tree.End(last))}})
	}
}

func csharpDestructor(x *extraction, n syntax.Node) {
	first, name := x.childOfKind(n, "~"), x.child(n, "name")
	if first != syntax.None && name != syntax.None {
		x.define(definition{node: n, kind: Method, name: Range{x.tree.Start(first), x.tree.End(name)}, text: "~" + x.textOf(name)})
	}
}

// csharpVariable defines a field, an event or a variable by the declaration around
// it.
func csharpVariable(x *extraction, n syntax.Node) {
	name := x.child(n, "name")
	if name == syntax.None {
		return
	}
	d := x.newDefinition(n, name, Variable)
	p := x.parent(x.parent(n))
	switch x.kind(p) {
	case "field_declaration":
		d.kind = Field
	case "event_field_declaration":
		d.kind = Property
	}
	if x.csharpConst(p) {
		d.kind = Constant
	}
	for _, node := range []string{"lambda_expression", "anonymous_method_expression"} {
		if f := x.childOfKind(n, node); f != syntax.None {
			d.function = f
			if d.kind == Variable {
				d.kind = Function
			}
		}
	}
	x.define(d)
}

func (x *extraction) csharpConst(declaration syntax.Node) bool {
	if declaration == syntax.None {
		return false
	}
	for c := x.tree.First(declaration); c != syntax.None; c = x.tree.Next(c) {
		if x.kind(c) == "modifier" && x.textOf(c) == "const" {
			return true
		}
	}
	return false
}

// csharpParameter defines a parameter. Those of a record are its properties.
func csharpParameter(x *extraction, n syntax.Node) {
	name, owner := x.child(n, "name"), x.parent(x.parent(n))
	if name == syntax.None {
		return
	}
	d := x.newDefinition(n, name, Parameter)
	if x.kind(owner) == "record_declaration" {
		d.kind = Property
	}
	x.define(d)
}

// csharpRest defines a last parameter with params, which is no node of its own.
func csharpRest(x *extraction, n syntax.Node) {
	if name := x.child(n, "name"); name != syntax.None {
		d := x.newDefinition(name, name, Parameter)
		d.alone = true
		x.define(d)
	}
}

func csharpImplicit(x *extraction, n syntax.Node) {
	d := x.newDefinition(n, n, Parameter)
	d.alone = true
	x.define(d)
}

func csharpForEach(x *extraction, n syntax.Node) {
	if left := x.child(n, "left"); x.kind(left) == "identifier" {
		x.csharpLocal(left)
	}
}

// csharpNames defines the names of a pattern or of what declares where it stands.
func csharpNames(x *extraction, n syntax.Node) {
	for _, name := range x.childrenIn(n, "name") {
		x.csharpLocal(name)
	}
}

func csharpLet(x *extraction, n syntax.Node) { x.csharpLocal(x.childOfKind(n, "identifier")) }

func (x *extraction) csharpLocal(name syntax.Node) {
	if x.kind(name) == "identifier" {
		d := x.newDefinition(name, name, Variable)
		d.alone, d.local = true, true
		x.define(d)
	}
}

// csharpGeneric marks the name before type arguments as a member where it follows a
// dot.
func csharpGeneric(x *extraction, n syntax.Node) {
	if p := x.parent(n); p != syntax.None && x.rule(p).member == x.tree.Field(n) && x.rule(p).member != 0 {
		x.member = x.childOfKind(n, "identifier")
	}
}

// csharpInitializer marks what an object initializer sets as a member.
func csharpInitializer(x *extraction, n syntax.Node) {
	if left := x.child(n, "left"); x.kind(x.parent(n)) == "initializer_expression" && x.kind(left) == "identifier" {
		x.member = left
	}
}
