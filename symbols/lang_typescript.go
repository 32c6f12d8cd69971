package symbols

import (
	"maps"
	"strings"
	"sync"
	"unsafe"

	typescript "github.com/tree-sitter/tree-sitter-typescript/bindings/go"

	"codeintel/symbols/syntax"
)

// typescriptSyntax and tsxSyntax load the tables of the two grammars, once. They
// differ only in how they parse < and >.
var (
	typescriptSyntax = sync.OnceValues(func() (*syntaxTable, error) {
		return bind(typescriptSpec("typescript", typescript.LanguageTypescript()))
	})
	tsxSyntax = sync.OnceValues(func() (*syntaxTable, error) {
		spec := typescriptSpec("tsx", typescript.LanguageTSX())
		return bind(spec)
	})
)

func typescriptSpec(name string, language unsafe.Pointer) *languageSpec {
	spec := scriptSpec(name)
	spec.language = language
	spec.prepare, spec.mend = prepareTypeScript, mendTypeScript
	spec.identifiers["type_identifier"] = RolePlain
	spec.members = []string{"nested_type_identifier.name", "nested_identifier.property"}
	spec.definitions = append(spec.definitions,
		definitionRow{node: "abstract_class_declaration", kind: Class},
		definitionRow{node: "function_signature", kind: Function},
		definitionRow{node: "interface_declaration", kind: Interface},
		definitionRow{node: "enum_declaration", kind: Enum},
		definitionRow{node: "type_alias_declaration", kind: Type},
		definitionRow{node: "type_parameter", kind: TypeParameter},
		definitionRow{node: "mapped_type_clause", kind: TypeParameter},
	)
	for node, visit := range map[string]func(*extraction, syntax.Node){
		"public_field_definition":   scriptField("name"),
		"method_signature":          scriptMethod,
		"abstract_method_signature": scriptMethod,
		"property_signature":        typescriptProperty,
		"enum_body":                 typescriptEnum,
		"enum_assignment":           typescriptEnumMember,
		"internal_module":           typescriptModule,
		"module":                    typescriptModule,
		"required_parameter":        typescriptParameter,
		"optional_parameter":        typescriptParameter,
		"infer_type":                typescriptInfer,
	} {
		spec.visits[node] = visit
	}
	maps.Copy(spec.kinds, map[string][]Kind{
		"public_field_definition":   {Property, Method},
		"method_signature":          {Method, Constructor, Property},
		"abstract_method_signature": {Method},
		"property_signature":        {Property},
		"enum_body":                 {EnumMember},
		"enum_assignment":           {EnumMember},
		"internal_module":           {Namespace},
		"module":                    {Namespace},
		"required_parameter":        {Parameter, Property},
		"optional_parameter":        {Parameter},
		"infer_type":                {TypeParameter},
	})
	spec.wrappers = append(spec.wrappers, "ambient_declaration")
	spec.blocks = append(spec.blocks,
		"conditional_type", "mapped_type_clause", "call_signature", "construct_signature", "function_type", "constructor_type")
	spec.bodies = append(spec.bodies, "internal_module", "module", "ambient_declaration")
	spec.statements = append(spec.statements,
		"abstract_class_declaration", "function_signature", "interface_declaration", "enum_declaration", "type_alias_declaration",
		"ambient_declaration", "import_alias", "internal_module", "module", "public_field_definition", "method_signature",
		"abstract_method_signature", "property_signature", "index_signature", "call_signature", "construct_signature", "enum_assignment")
	spec.lists = append(spec.lists, "interface_body", "object_type", "enum_body")
	if name == "typescript" {
		trimJSX(spec)
	}
	return spec
}

// trimJSX takes out what the grammar without JSX lacks.
func trimJSX(spec *languageSpec) {
	isJSX := func(s string) bool { return strings.HasPrefix(s, "jsx_") }
	spec.plain = without(spec.plain, isJSX)
	spec.lists = without(spec.lists, isJSX)
}

func without(all []string, drop func(string) bool) []string {
	var out []string
	for _, s := range all {
		if !drop(s) {
			out = append(out, s)
		}
	}
	return out
}

func typescriptProperty(x *extraction, n syntax.Node) {
	d := definition{node: n, kind: Property, value: x.child(n, "type")}
	d.name, d.text = x.scriptName(x.child(n, "name"))
	x.define(d)
}

// typescriptEnum defines the members of an enum that have no value of their own.
func typescriptEnum(x *extraction, n syntax.Node) {
	name := x.field("name")
	for c := x.tree.First(n); c != syntax.None; c = x.tree.Next(c) {
		if x.tree.Field(c) == name && x.tree.Named(c) {
			x.enumMember(c, c)
		}
	}
}

func typescriptEnumMember(x *extraction, n syntax.Node) { x.enumMember(n, x.child(n, "name")) }

func (x *extraction) enumMember(n, name syntax.Node) {
	d := definition{node: n, kind: EnumMember}
	d.name, d.text = x.scriptName(name)
	x.define(d)
}

// typescriptModule defines a namespace or an ambient module. The name of A.B is B
// in A.
func typescriptModule(x *extraction, n syntax.Node) {
	name := x.child(n, "name")
	if name == syntax.None {
		return
	}
	d := definition{node: n, kind: Namespace}
	d.name, d.text = x.scriptName(name)
	if x.kind(name) == "nested_identifier" {
		container := qualify(x.top().path, x.textOf(x.child(name, "object")))
		d.container = &container
		d.name, d.text = x.rangeOf(x.child(name, "property")), ""
	}
	x.define(d)
}

// typescriptParameter defines a parameter. One with a modifier is a property of
// the class.
func typescriptParameter(x *extraction, n syntax.Node) {
	switch x.kind(x.parent(x.parent(n))) {
	case "function_type", "constructor_type", "call_signature", "construct_signature":
		return // only words
	}
	pattern := x.child(n, "pattern")
	if pattern == syntax.None {
		return
	}
	class := x.around(typeScope)
	if class != nil && x.kind(pattern) == "identifier" && (x.childOfKind(n, "accessibility_modifier") != syntax.None ||
		x.childOfKind(n, "override_modifier") != syntax.None || x.has(n, "readonly")) {
		in := *class
		d := x.newDefinition(n, pattern, Property)
		d.in = &in
		x.define(d)
		return
	}
	scriptBind(x, pattern, definition{kind: Parameter, local: true})
}

// typescriptInfer defines the type that a conditional type infers.
func typescriptInfer(x *extraction, n syntax.Node) {
	if name := x.childOfKind(n, "type_identifier"); name != syntax.None {
		d := x.newDefinition(n, name, TypeParameter)
		d.alone, d.once = true, true
		x.define(d)
	}
}
