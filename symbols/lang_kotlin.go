package symbols

import (
	"bytes"
	"regexp"
	"strings"
	"sync"

	kotlin "github.com/tree-sitter-grammars/tree-sitter-kotlin/bindings/go"

	"codeintel/symbols/syntax"
)

// kotlinSyntax loads Kotlin's table, once.
var kotlinSyntax = sync.OnceValues(func() (*syntaxTable, error) {
	return bind(&languageSpec{
		name:     "kotlin",
		language: kotlin.Language(),
		notes: "An extension at the top level belongs to the type that it extends, one in a class or an object to that. " +
			"The members of a companion without a name belong to its class. A constructor's parameter with val or var is a property; " +
			"a secondary constructor is called constructor. The package is no part of names.",
		identifiers: map[string]Role{"identifier": RolePlain},

		blank:    "_",
		paths:    []string{"navigation_expression", "user_type"},
		comments: []string{"line_comment", "block_comment"},
		definitions: []definitionRow{
			{node: "object_declaration", kind: Class},
			{node: "type_alias", kind: Type, name: "type"},
		},
		visits: map[string]func(*extraction, syntax.Node){
			"import":                kotlinImport,
			"class_declaration":     kotlinClass,
			"companion_object":      kotlinCompanion,
			"object_literal":        kotlinObject,
			"enum_entry":            kotlinEntry,
			"function_declaration":  kotlinFunction,
			"secondary_constructor": kotlinConstructor,
			"property_declaration":  kotlinProperty,
			"variable_declaration":  kotlinVariable,
			"class_parameter":       kotlinClassParameter,
			"parameter":             kotlinParameter,
			"setter":                kotlinSetter,
			"type_parameter":        kotlinTypeParameter,
			"catch_block":           kotlinCatch,
			"value_argument":        kotlinArgument,
		},
		kinds: map[string][]Kind{
			"class_declaration":     {Class, Interface, Enum},
			"companion_object":      {Class},
			"enum_entry":            {EnumMember},
			"function_declaration":  {Function, Method},
			"secondary_constructor": {Constructor},
			"property_declaration":  {Function, Property, Variable, Constant},
			"variable_declaration":  {Variable, Parameter},
			"class_parameter":       {Property, Parameter},
			"parameter":             {Parameter},
			"setter":                {Parameter},
			"type_parameter":        {TypeParameter},
			"catch_block":           {Variable},
		},
		functions: []string{"lambda_literal", "anonymous_function", "anonymous_initializer"},
		blocks:    []string{"block", "for_statement", "catch_block", "when_expression", "when_entry", "getter", "setter"},
		bodies:    []string{"function_body", "secondary_constructor", "catch_block"},
		statements: []string{
			"package_header", "import", "class_declaration", "object_declaration", "companion_object", "function_declaration",
			"property_declaration", "secondary_constructor", "anonymous_initializer", "type_alias", "enum_entry", "getter", "setter",
			"assignment", "for_statement", "while_statement", "do_while_statement", "when_entry", "return_expression", "throw_expression",
			"if_expression", "try_expression", "call_expression",
		},
		lists:   []string{"source_file", "block", "function_body", "class_body", "enum_class_body", "lambda_literal", "when_expression"},
		prepare: prepareKotlin,
	})
})

// oneLine is what stands before the brace of a class body on its line.
var oneLine = regexp.MustCompile(`\b(?:class|interface|object)\b[^{};]*$`)

// prepareKotlin breaks the line after the last member of a class body that is on one
// line. The grammar wants that; the language does not.
func prepareKotlin(text []byte) []edit {
	var out []edit
	for at := 0; ; {
		i := bytes.Index(text[at:], []byte(" }"))
		if i < 0 {
			return out
		}
		at += i + 1
		start := bytes.LastIndexByte(text[:at], '\n') + 1
		open := openBrace(text[start:at])
		if open < 0 || len(bytes.TrimRight(text[start+open+1:at], " \t;")) == 0 {
			continue
		}
		if oneLine.Match(text[start : start+open]) {
			out = append(out, edit{at: at - 1, with: "\n"})
		}
	}
}

// openBrace returns the offset of the last { that is not closed, or -1.
func openBrace(line []byte) int {
	depth := 0
	for i := len(line) - 1; i >= 0; i-- {
		switch line[i] {
		case '}':
			depth++
		case '{':
			if depth == 0 {
				return i
			}
			depth--
		}
	}
	return -1
}

// kotlinImport records one imported name, or all of a package.
func kotlinImport(x *extraction, n syntax.Node) {
	x.importing = x.tree.After(n)
	path := x.childOfKind(n, "qualified_identifier")
	if path == syntax.None {
		return
	}
	im := Import{Module: x.textOf(path), Range: x.rangeOf(n), ModuleRange: x.rangeOf(path)}
	im.Range.End = im.Range.Start + len(strings.TrimRight(x.content(im.Range), " \t\r\n"))
	dot := strings.LastIndexByte(im.Module, '.')
	switch {
	case x.has(n, "*"):
		im.Wildcard = true
	case dot > 0:
		name := ImportName{Name: im.Module[dot+1:], Range: Range{im.ModuleRange.Start + dot + 1, im.ModuleRange.End}}
		if alias := x.childOfKind(n, "identifier"); alias != syntax.None {
			name.Alias, name.Range.End = x.textOf(alias), x.tree.End(alias)
		}
		im.Names = []ImportName{name}
		im.Module, im.ModuleRange.End = im.Module[:dot], im.ModuleRange.Start+dot
	default:
		im.Names = []ImportName{{Name: "*", Alias: im.Module, Range: im.ModuleRange}}
	}
	x.imports = append(x.imports, im)
}

func kotlinClass(x *extraction, n syntax.Node) {
	kind := Class
	switch {
	case x.has(n, "interface"):
		kind = Interface
	case x.childOfKind(n, "enum_class_body") != syntax.None, x.kotlinModifier(n, "enum"):
		kind = Enum
	}
	x.defineRow(definitionRow{kind: kind, name: "name"}, n)
}

// kotlinModifier reports whether a declaration has a modifier.
func (x *extraction) kotlinModifier(n syntax.Node, word string) bool {
	list := x.childOfKind(n, "modifiers")
	if list == syntax.None {
		return false
	}
	for c := x.tree.First(list); c != syntax.None; c = x.tree.Next(c) {
		if x.textOf(c) == word {
			return true
		}
	}
	return false
}

// kotlinCompanion defines a companion that has a name. The members of one without
// are reached by the name of the class, and belong to it.
func kotlinCompanion(x *extraction, n syntax.Node) {
	if x.child(n, "name") != syntax.None {
		x.defineRow(definitionRow{kind: Class, name: "name"}, n)
		return
	}
	x.open(typeScope, n, "")
}

// kotlinObject opens an object without a name. Where a property is bound to it, its
// members belong to the property.
func kotlinObject(x *extraction, n syntax.Node) {
	if top := x.top(); top.kind == valueScope && x.parent(n) == top.node {
		x.open(typeScope, n, "")
		return
	}
	x.unnamedType(n)
}

func kotlinEntry(x *extraction, n syntax.Node) {
	if name := x.childOfKind(n, "identifier"); name != syntax.None {
		d := x.newDefinition(n, name, EnumMember)
		d.value = x.childOfKind(n, "class_body")
		x.define(d)
		if d.value != syntax.None {
			x.open(typeScope, n, "")
		}
	}
}

// kotlinFunction defines a function or a method. An extension at the top level is a
// method of what it extends.
func kotlinFunction(x *extraction, n syntax.Node) {
	name := x.child(n, "name")
	if name == syntax.None {
		return
	}
	d := x.newDefinition(n, name, Function)
	d.bodied = x.childOfKind(n, "function_body") != syntax.None
	if x.inType() {
		d.kind = Method
	} else if receiver := x.kotlinReceiver(n, name); receiver != "" && x.top().path == "" {
		d.kind, d.container = Method, &receiver
	}
	x.define(d)
}

// kotlinReceiver returns the name of the type that a function or a property extends,
// which stands before its name.
func (x *extraction) kotlinReceiver(n, name syntax.Node) string {
	for c := x.tree.First(n); c != syntax.None && c < name; c = x.tree.Next(c) {
		switch x.kind(c) {
		case "user_type", "nullable_type", "parenthesized_type", "non_nullable_type":
			return x.kotlinTypeName(c)
		}
	}
	return ""
}

// kotlinTypeName returns the name of a type less its path, arguments and marks.
func (x *extraction) kotlinTypeName(n syntax.Node) string {
	name := ""
	for c := n; c < x.tree.After(n); c++ {
		switch x.kind(c) {
		case "type_arguments", "function_type", "type_modifiers":
			c = x.tree.After(c) - 1
		case "identifier":
			name = x.content(x.nameRange(c))
		}
	}
	return name
}

func kotlinConstructor(x *extraction, n syntax.Node) {
	if name := x.childOfKind(n, "constructor"); name != syntax.None {
		d := x.newDefinition(n, name, Constructor)
		d.bodied = true
		x.define(d)
	}
}

// kotlinProperty defines a property, or a variable in a function.
func kotlinProperty(x *extraction, n syntax.Node) {
	declared := x.childOfKind(n, "variable_declaration")
	name := x.childOfKind(declared, "identifier")
	if name == syntax.None {
		return
	}
	d := x.newDefinition(n, name, x.kotlinKind(n))
	if receiver := x.kotlinReceiver(n, declared); receiver != "" && x.top().path == "" {
		d.container = &receiver
	}
	d.callable = x.childOfKind(n, "getter") != syntax.None || x.childOfKind(n, "setter") != syntax.None
	for _, node := range []string{"lambda_literal", "anonymous_function"} {
		if f := x.childOfKind(n, node); f != syntax.None {
			d.function = f
			if d.kind == Variable {
				d.kind = Function
			}
		}
	}
	d.value = x.childOfKind(n, "object_literal")
	d.local = d.kind == Variable
	x.define(d)
}

func (x *extraction) kotlinKind(n syntax.Node) Kind {
	switch {
	case x.kotlinModifier(n, "const"):
		return Constant
	case x.top().kind == blockScope, x.top().inFunction && !x.inType():
		return Variable
	}
	return Property
}

// kotlinVariable defines what is declared elsewhere than by itself: the parts of a
// value, the parameters of a lambda, the variable of a loop.
func kotlinVariable(x *extraction, n syntax.Node) {
	name, p := x.childOfKind(n, "identifier"), x.parent(n)
	several := x.kind(p) == "multi_variable_declaration"
	if several {
		p = x.parent(p)
	}
	if name == syntax.None {
		return
	}
	d := x.newDefinition(n, name, Variable)
	d.alone = true
	switch x.kind(p) {
	case "property_declaration":
		if !several {
			return
		}
		d.kind = x.kotlinKind(p)
	case "lambda_parameters":
		d.kind = Parameter
	default:
		d.local = true
	}
	x.define(d)
}

// kotlinClassParameter defines a parameter of a class: a property when it has val
// or var.
func kotlinClassParameter(x *extraction, n syntax.Node) {
	if name := x.childOfKind(n, "identifier"); name != syntax.None {
		d := x.newDefinition(n, name, Parameter)
		if x.has(n, "val") || x.has(n, "var") {
			d.kind = Property
		}
		x.define(d)
	}
}

// kotlinParameter defines a parameter. Those of a function type are only words.
func kotlinParameter(x *extraction, n syntax.Node) {
	if name := x.childOfKind(n, "identifier"); name != syntax.None && x.kind(x.parent(n)) == "function_value_parameters" {
		x.define(x.newDefinition(n, name, Parameter))
	}
}

func kotlinSetter(x *extraction, n syntax.Node) {
	if name := x.childOfKind(n, "identifier"); name != syntax.None {
		d := x.newDefinition(name, name, Parameter)
		d.alone = true
		x.define(d)
	}
}

func kotlinTypeParameter(x *extraction, n syntax.Node) {
	if name := x.childOfKind(n, "identifier"); name != syntax.None {
		x.define(x.newDefinition(n, name, TypeParameter))
	}
}

func kotlinCatch(x *extraction, n syntax.Node) {
	if name := x.childOfKind(n, "identifier"); name != syntax.None {
		d := x.newDefinition(name, name, Variable)
		d.alone, d.local = true, true
		x.define(d)
	}
}

// kotlinArgument marks the name of a named argument as a member.
func kotlinArgument(x *extraction, n syntax.Node) {
	if x.has(n, "=") {
		x.member = x.childOfKind(n, "identifier")
	}
}
