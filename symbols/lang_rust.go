package symbols

import (
	"sync"
	"unicode"
	"unicode/utf8"

	rust "github.com/tree-sitter/tree-sitter-rust/bindings/go"

	"codeintel/symbols/syntax"
)

// rustSyntax loads Rust's table, once.
var rustSyntax = sync.OnceValues(func() (*syntaxTable, error) {
	return bind(&languageSpec{
		name:     "rust",
		language: rust.Language(),
		notes: "What an impl holds belongs to the implemented type, whatever the trait; a function there is a method. " +
			"A macro is a function, and what its rules hold is not looked into. A union is a struct.",
		identifiers: map[string]Role{
			"identifier": RolePlain, "type_identifier": RolePlain, "shorthand_field_identifier": RolePlain,
			"field_identifier": RoleMember,
		},
		members:    []string{"scoped_identifier.name", "scoped_type_identifier.name", "type_binding.name"},
		blank:      "_",
		comments:   []string{"line_comment", "block_comment"},
		inner:      func(x *extraction, n syntax.Node) bool { return x.child(n, "inner") != syntax.None },
		attributes: []string{"attribute_item"},
		definitions: []definitionRow{
			{node: "function_item", kind: Function, member: Method},
			{node: "function_signature_item", kind: Function, member: Method},
			{node: "struct_item", kind: Struct},
			{node: "union_item", kind: Struct},
			{node: "enum_item", kind: Enum},
			{node: "trait_item", kind: Interface},
			{node: "type_item", kind: Type},
			{node: "associated_type", kind: Type},
			{node: "mod_item", kind: Namespace},
			{node: "const_item", kind: Constant},
			{node: "static_item", kind: Variable},
			{node: "field_declaration", kind: Field},
			{node: "type_parameter", kind: TypeParameter},
			{node: "const_parameter", kind: TypeParameter},
		},
		visits: map[string]func(*extraction, syntax.Node){
			"impl_item":                rustImpl,
			"enum_variant":             rustVariant,
			"macro_definition":         rustMacro,
			"parameter":                rustParameter,
			"closure_parameters":       rustClosureParameters,
			"let_declaration":          rustLet,
			"let_condition":            rustPattern,
			"for_expression":           rustPattern,
			"match_arm":                rustArm,
			"use_declaration":          rustUse,
			"extern_crate_declaration": rustCrate,
		},
		kinds: map[string][]Kind{
			"enum_variant":       {EnumMember},
			"macro_definition":   {Function},
			"parameter":          {Parameter},
			"closure_parameters": {Parameter},
			"let_declaration":    {Function, Variable},
			"let_condition":      {Variable},
			"for_expression":     {Variable},
			"match_arm":          {Variable},
		},
		functions: []string{"closure_expression"},
		blocks:    []string{"block", "match_arm", "if_expression", "while_expression", "for_expression", "function_type"},
		statements: []string{
			"function_item", "function_signature_item", "struct_item", "union_item", "enum_item", "trait_item", "impl_item", "type_item",
			"associated_type", "mod_item", "const_item", "static_item", "field_declaration", "enum_variant", "macro_definition", "macro_rule",
			"use_declaration", "extern_crate_declaration", "foreign_mod_item", "attribute_item", "inner_attribute_item", "let_declaration",
			"expression_statement", "match_arm", "field_initializer",
		},
		lists: []string{
			"source_file", "block", "declaration_list", "field_declaration_list", "enum_variant_list", "match_block", "field_initializer_list",
			"use_list",
		},
	})
})

// rustImpl opens the type that is implemented: what stands in an impl belongs to
// it, whatever the trait.
func rustImpl(x *extraction, n syntax.Node) {
	x.open(typeScope, n, x.rustTypeName(x.child(n, "type")))
}

// rustTypeName returns the name of a type less its path, arguments, and what makes
// it a reference or a slice.
func (x *extraction) rustTypeName(n syntax.Node) string {
	for range maxDepth {
		switch x.kind(n) {
		case "generic_type", "reference_type", "pointer_type":
			n = x.child(n, "type")
		case "scoped_type_identifier":
			n = x.child(n, "name")
		case "dynamic_type", "abstract_type":
			n = x.child(n, "trait")
		case "array_type":
			n = x.child(n, "element")
		case "type_identifier", "primitive_type":
			return x.textOf(n)
		default:
			return ""
		}
	}
	return ""
}

// rustVariant defines a variant; its fields belong to it.
func rustVariant(x *extraction, n syntax.Node) {
	if name := x.child(n, "name"); name != syntax.None {
		d := x.newDefinition(n, name, EnumMember)
		d.value = x.child(n, "body")
		x.define(d)
	}
}

func rustMacro(x *extraction, n syntax.Node) {
	if name := x.child(n, "name"); name != syntax.None {
		d := x.newDefinition(n, name, Function)
		d.bodied = true
		x.define(d)
	}
}

// rustParameter defines what a parameter binds. Those of a function type are only
// words.
func rustParameter(x *extraction, n syntax.Node) {
	if x.kind(x.parent(x.parent(n))) != "function_type" {
		x.rustBind(x.child(n, "pattern"), definition{kind: Parameter})
	}
}

// rustClosureParameters defines the parameters without a type; the others are
// nodes of their own.
func rustClosureParameters(x *extraction, n syntax.Node) {
	for c := x.tree.First(n); c != syntax.None; c = x.tree.Next(c) {
		if x.kind(c) != "parameter" {
			x.rustBind(c, definition{kind: Parameter})
		}
	}
}

// rustLet defines what a let binds. One that has the name of another in the same
// block is a new variable.
func rustLet(x *extraction, n syntax.Node) {
	in := *x.top()
	in.block = x.tree.Start(n) + 1
	pattern, value := x.child(n, "pattern"), x.child(n, "value")
	if x.kind(pattern) != "identifier" {
		x.rustBind(pattern, definition{kind: Variable, in: &in, local: true})
		return
	}
	d := x.newDefinition(n, pattern, Variable)
	d.in, d.local = &in, true
	if x.kind(value) == "closure_expression" {
		d.kind, d.function, d.local = Function, value, false
	}
	x.define(d)
}

func rustPattern(x *extraction, n syntax.Node) {
	x.rustBind(x.child(n, "pattern"), definition{kind: Variable, local: true})
}

// rustArm defines what the pattern of an arm binds, less its condition.
func rustArm(x *extraction, n syntax.Node) {
	pattern := x.child(n, "pattern")
	condition := x.child(pattern, "condition")
	for c := x.firstNamed(pattern); c != syntax.None && c != condition; c = x.tree.Next(c) {
		x.rustBind(c, definition{kind: Variable, once: true, local: true})
	}
}

// rustBind defines every name that a pattern binds. A name with a capital letter
// is a constant or a variant to compare with.
func (x *extraction) rustBind(pattern syntax.Node, d definition) {
	typ := x.field("type")
	x.bindNames(pattern, d, []string{"identifier", "shorthand_field_identifier"}, func(c syntax.Node) bool {
		switch x.kind(c) {
		case "scoped_identifier", "range_pattern", "const_block", "macro_invocation", "generic_pattern":
			return true
		case "identifier":
			first, _ := utf8.DecodeRune(x.text[x.tree.Start(c):])
			return unicode.IsUpper(first) || c != pattern && x.tree.Field(c) == typ
		}
		return false
	})
}

// rustUse records a use declaration: one import for each module that it takes
// names from.
func rustUse(x *extraction, n syntax.Node) {
	x.importing = x.tree.After(n)
	u := rustImports{x: x, whole: x.rangeOf(n), export: x.childOfKind(n, "visibility_modifier") != syntax.None}
	u.add(x.child(n, "argument"), "", Range{}, 0)
}

// rustImports collects the imports of one use declaration.
type rustImports struct {
	x      *extraction
	whole  Range
	export bool
}

// add records what a part of a use declaration takes from a module.
func (u rustImports) add(n syntax.Node, module string, at Range, depth int) {
	x := u.x
	if n == syntax.None || depth > maxDepth {
		return
	}
	switch x.kind(n) {
	case "scoped_use_list":
		if path := x.child(n, "path"); path != syntax.None {
			module, at = rustPath(module, x.textOf(path)), x.rangeOf(path)
		}
		u.list(x.child(n, "list"), module, at, depth)
	case "use_list":
		u.list(n, module, at, depth)
	case "use_wildcard":
		if path := x.firstNamed(n); path != syntax.None {
			module, at = rustPath(module, x.textOf(path)), x.rangeOf(path)
		}
		u.record(Import{Module: module, ModuleRange: at, Wildcard: true})
	default:
		if name, path, from := u.name(n, module, at); name.Name != "" {
			u.record(Import{Module: path, ModuleRange: from, Names: []ImportName{name}})
		}
	}
}

// list records the names that a list takes from one module together, and the
// lists in it apart.
func (u rustImports) list(list syntax.Node, module string, at Range, depth int) {
	x := u.x
	if list == syntax.None {
		return
	}
	var names []ImportName
	for c := x.tree.First(list); c != syntax.None; c = x.tree.Next(c) {
		switch kind := x.kind(c); {
		case !x.tree.Named(c) || x.rule(c).flags&isComment != 0 || x.tree.IsError(c):
		case kind == "scoped_use_list", kind == "use_list", kind == "use_wildcard":
			u.add(c, module, at, depth+1)
		default:
			name, path, from := u.name(c, module, at)
			if path == module && module != "" {
				names = append(names, name)
			} else if name.Name != "" {
				u.record(Import{Module: path, ModuleRange: from, Names: []ImportName{name}})
			}
		}
	}
	if len(names) > 0 {
		u.record(Import{Module: module, ModuleRange: at, Names: names})
	}
}

// name returns the name that a path takes, and the module that it is in.
func (u rustImports) name(n syntax.Node, module string, at Range) (ImportName, string, Range) {
	x := u.x
	name := ImportName{Range: x.rangeOf(n)}
	path := n
	if x.kind(n) == "use_as_clause" {
		path, name.Alias = x.child(n, "path"), x.textOf(x.child(n, "alias"))
	}
	switch x.kind(path) {
	case "scoped_identifier":
		name.Name = x.textOf(x.child(path, "name"))
		if inner := x.child(path, "path"); inner != syntax.None {
			module, at = rustPath(module, x.textOf(inner)), x.rangeOf(inner)
		}
	case "self":
		name.Name = "*"
		if name.Alias == "" {
			name.Alias = lastOf(module)
		}
	default:
		name.Name = x.textOf(path)
		if module == "" {
			if name.Alias == "" {
				name.Alias = name.Name
			}
			module, at, name.Name = name.Name, x.rangeOf(path), "*"
		}
	}
	return name, module, at
}

func (u rustImports) record(im Import) {
	im.Range, im.Export = u.whole, u.export
	if im.Module != "" {
		u.x.imports = append(u.x.imports, im)
	}
}

func rustPath(module, path string) string {
	if module == "" {
		return path
	}
	return module + "::" + path
}

// lastOf returns what follows the last :: or dot of a path.
func lastOf(path string) string {
	for i := len(path) - 1; i >= 0; i-- {
		if path[i] == ':' || path[i] == '.' {
			return path[i+1:]
		}
	}
	return path
}

// rustCrate records an extern crate as an import of the module as a whole.
func rustCrate(x *extraction, n syntax.Node) {
	x.importing = x.tree.After(n)
	name, last := x.child(n, "name"), x.child(n, "name")
	if name == syntax.None {
		return
	}
	alias := x.textOf(name)
	if as := x.child(n, "alias"); as != syntax.None {
		alias, last = x.textOf(as), as
	}
	x.imports = append(x.imports, Import{
		Module: x.textOf(name), Range: x.rangeOf(n), ModuleRange: x.rangeOf(name),
		Names: []ImportName{{Name: "*", Alias: alias, Range: Range{x.tree.Start(name), x.tree.End(last)}}},
	})
}
