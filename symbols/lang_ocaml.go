package symbols

import (
	"bytes"
	"strings"
	"sync"
	"unsafe"

	ocaml "github.com/tree-sitter/tree-sitter-ocaml/bindings/go"

	"codeintel/symbols/syntax"
)

// ocamlSyntax and ocamlInterfaceSyntax load the tables of the two grammars, once.
// They know the same nodes.
var (
	ocamlSyntax = sync.OnceValues(func() (*syntaxTable, error) {
		return bind(ocamlSpec("ocaml", ocaml.LanguageOCaml()))
	})
	ocamlInterfaceSyntax = sync.OnceValues(func() (*syntaxTable, error) {
		return bind(ocamlSpec("ocaml_interface", ocaml.LanguageOCamlInterface()))
	})
)

func ocamlSpec(name string, language unsafe.Pointer) *languageSpec {
	return &languageSpec{
		name:     name,
		language: language,
		notes: "What let binds is a function when it has parameters or is bound to one. A record is a struct, a type with constructors an enum; " +
			"a module is a namespace, a module type and a class type are interfaces. Operators are definitions but no identifiers. " +
			"Imports are open and include.",
		identifiers: map[string]Role{
			"value_name": RolePlain, "value_pattern": RolePlain, "type_constructor": RolePlain, "constructor_name": RolePlain,
			"module_name": RolePlain, "module_type_name": RolePlain, "class_name": RolePlain, "class_type_name": RolePlain,
			"instance_variable_name": RolePlain, "field_name": RoleMember, "method_name": RoleMember,
		},
		paths: []string{
			"value_path", "constructor_path", "type_constructor_path", "module_path", "extended_module_path", "module_type_path",
			"class_path", "class_type_path",
		},
		marks:    strings.Trim(punctuation, "'"),
		blank:    "_",
		comments: []string{"comment"},
		whole:    true,
		visits: map[string]func(*extraction, syntax.Node){
			"let_binding":                  ocamlLet,
			"parameter":                    ocamlParameter,
			"match_case":                   ocamlCase,
			"for_expression":               ocamlFor,
			"value_specification":          ocamlValue,
			"external":                     ocamlNamed(Function, "value_name"),
			"type_binding":                 ocamlType,
			"constructor_declaration":      ocamlConstructor,
			"field_declaration":            ocamlNamed(Field, "field_name"),
			"module_binding":               ocamlNamed(Namespace, "module_name"),
			"module_parameter":             ocamlModuleParameter,
			"module_type_definition":       ocamlNamed(Interface, "module_type_name"),
			"class_binding":                ocamlNamed(Class, "class_name"),
			"class_type_binding":           ocamlNamed(Interface, "class_type_name"),
			"method_definition":            ocamlNamed(Method, "method_name"),
			"method_specification":         ocamlNamed(Method, "method_name"),
			"instance_variable_definition": ocamlNamed(Field, "instance_variable_name"),
			"open_module":                  ocamlOpen,
			"include_module":               ocamlOpen,
			"include_module_type":          ocamlOpen,
		},
		kinds: map[string][]Kind{
			"let_binding":                  {Function, Variable},
			"parameter":                    {Parameter},
			"match_case":                   {Variable},
			"for_expression":               {Variable},
			"value_specification":          {Function, Variable},
			"external":                     {Function},
			"type_binding":                 {Type, Struct, Enum},
			"constructor_declaration":      {EnumMember, Type},
			"field_declaration":            {Field},
			"module_binding":               {Namespace},
			"module_parameter":             {Parameter},
			"module_type_definition":       {Interface},
			"class_binding":                {Class},
			"class_type_binding":           {Interface},
			"method_definition":            {Method},
			"method_specification":         {Method},
			"instance_variable_definition": {Field},
		},
		wrappers: []string{
			"value_definition", "type_definition", "module_definition", "class_definition", "class_type_definition", "exception_definition",
		},
		functions: []string{"fun_expression", "function_expression"},
		blocks:    []string{"let_expression", "match_case", "for_expression"},
		statements: []string{
			"value_definition", "let_binding", "value_specification", "external", "type_definition", "type_binding", "constructor_declaration",
			"field_declaration", "module_definition", "module_type_definition", "class_definition", "class_type_definition",
			"exception_definition", "method_definition", "method_specification", "instance_variable_definition", "open_module",
			"include_module", "include_module_type", "expression_item", "match_case",
		},
		lists: []string{
			"compilation_unit", "structure", "signature", "object_expression", "class_body_type", "record_declaration",
			"variant_declaration", "let_expression", "sequence_expression",
		},
	}
}

// ocamlNamed returns the visit of a node whose name is the child of a kind.
func ocamlNamed(kind Kind, child string) func(*extraction, syntax.Node) {
	return func(x *extraction, n syntax.Node) {
		name := x.childOfKind(n, child)
		if name == syntax.None {
			return
		}
		d := x.newDefinition(n, name, kind)
		d.span = x.ocamlSpan(n)
		d.signature = x.kind(n) == "external" || x.kind(n) == "method_specification"
		x.define(d)
	}
}

// ocamlSpan returns the range of one of several bindings that and joins: the first
// with the keyword before all of them, the others from their and. It is empty for
// a binding on its own.
func (x *extraction) ocamlSpan(n syntax.Node) Range {
	p := x.parent(n)
	if p == syntax.None || x.rule(p).flags&isWrapper == 0 || x.sole(p, n) {
		return Range{}
	}
	r := x.rangeOf(n)
	if before := bytes.TrimRight(x.text[:r.Start], " \t\r\n"); bytes.HasSuffix(before, []byte("and")) {
		r.Start = len(before) - len("and")
	} else if first := x.tree.Start(p); x.childOfKind(p, x.kind(n)) == n {
		r.Start = first
	}
	return r
}

// ocamlLet defines what let binds: a function when it has parameters or is bound
// to one, else values.
func ocamlLet(x *extraction, n syntax.Node) {
	pattern, body := x.child(n, "pattern"), x.child(n, "body")
	d := definition{node: n, kind: Variable, span: x.ocamlSpan(n)}
	d.local = x.kind(x.parent(x.parent(n))) == "let_expression"
	switch x.kind(pattern) {
	case "value_name":
		d.name = x.rangeOf(pattern)
	case "parenthesized_operator":
		if operator := x.firstNamed(pattern); operator != syntax.None {
			d.name = x.rangeOf(operator)
		}
	default:
		x.ocamlBind(pattern, definition{kind: Variable, local: d.local})
		return
	}
	switch {
	case x.childOfKind(n, "parameter") != syntax.None:
		d.kind = Function
	case x.rule(max(0, body)).flags&isFunction != 0:
		d.kind, d.function = Function, body
	default:
		d.value = max(body, 0)
	}
	d.local = d.local && (d.kind == Variable || !x.top().inFunction)
	x.define(d)
}

// ocamlBind defines the names in a pattern.
func (x *extraction) ocamlBind(pattern syntax.Node, d definition) {
	if pattern == syntax.None {
		return
	}
	d.alone = true
	for c := pattern; c < x.tree.After(pattern); c++ {
		kind := x.kind(c)
		pun := kind == "field_name" && x.child(x.parent(x.parent(c)), "pattern") == syntax.None
		if kind == "value_pattern" || pun || kind == "value_name" && x.kind(x.parent(c)) != "value_path" {
			d.node, d.name = c, x.rangeOf(c)
			x.define(d)
		}
	}
}

func ocamlParameter(x *extraction, n syntax.Node) {
	x.ocamlBind(x.child(n, "pattern"), definition{kind: Parameter, once: true})
}

func ocamlCase(x *extraction, n syntax.Node) {
	x.ocamlBind(x.child(n, "pattern"), definition{kind: Variable, local: true, once: true})
}

func ocamlFor(x *extraction, n syntax.Node) {
	x.ocamlBind(x.child(n, "name"), definition{kind: Variable, local: true})
}

func ocamlModuleParameter(x *extraction, n syntax.Node) {
	if name := x.childOfKind(n, "module_name"); name != syntax.None {
		d := x.newDefinition(n, name, Parameter)
		d.alone = true
		x.define(d)
	}
}

// ocamlValue defines val name : type, a function when the type is one.
func ocamlValue(x *extraction, n syntax.Node) {
	name := x.childOfKind(n, "value_name")
	if operator := x.childOfKind(n, "parenthesized_operator"); operator != syntax.None {
		name = x.firstNamed(operator)
	}
	if name == syntax.None {
		return
	}
	d := x.newDefinition(n, name, Variable)
	if x.kind(x.child(n, "type")) == "function_type" {
		d.kind, d.signature = Function, true
	}
	x.define(d)
}

// ocamlType defines a type: a struct when it is a record, an enum when it has
// constructors. One that only gets more constructors is defined elsewhere.
func ocamlType(x *extraction, n syntax.Node) {
	name := x.child(n, "name")
	if name == syntax.None {
		return
	}
	if x.kind(name) != "type_constructor" {
		x.open(typeScope, n, x.textOf(name))
		return
	}
	d := x.newDefinition(n, name, Type)
	d.span = x.ocamlSpan(n)
	switch x.kind(x.child(n, "body")) {
	case "record_declaration":
		d.kind = Struct
	case "variant_declaration":
		d.kind = Enum
	}
	x.define(d)
}

// ocamlConstructor defines a constructor of a type, or an exception.
func ocamlConstructor(x *extraction, n syntax.Node) {
	name := x.childOfKind(n, "constructor_name")
	if name == syntax.None {
		return
	}
	d := x.newDefinition(n, name, EnumMember)
	d.span = x.barred(n)
	if x.kind(x.parent(n)) == "exception_definition" {
		d.kind, d.span = Type, Range{}
	}
	x.define(d)
}

// ocamlOpen records a module that is opened or included.
func ocamlOpen(x *extraction, n syntax.Node) {
	module := x.child(n, "module")
	if module == syntax.None {
		module = x.child(n, "module_type")
	}
	if module == syntax.None {
		return
	}
	switch x.kind(module) {
	case "module_path", "extended_module_path", "module_type_path":
		x.importing = x.tree.After(n)
		x.imports = append(x.imports, Import{
			Module: x.textOf(module), Range: x.rangeOf(n), ModuleRange: x.rangeOf(module),
			Wildcard: true, Export: x.kind(n) != "open_module",
		})
	}
}
