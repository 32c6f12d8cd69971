package symbols

import (
	"bytes"
	"regexp"
	"slices"
	"strings"
	"sync"

	cpp "github.com/tree-sitter/tree-sitter-cpp/bindings/go"

	"codeintel/symbols/syntax"
)

// cppSyntax loads C++'s table, once: C's and more.
var cppSyntax = sync.OnceValues(func() (*syntaxTable, error) {
	spec := cSpec()
	spec.name, spec.language = "cpp", cpp.Language()
	spec.notes = "A function that is defined outside of its class belongs to what its qualified name says. " +
		"A friend belongs to the namespace, and what a namespace without a name holds to what is around it. A concept is a type."
	spec.identifiers["namespace_identifier"] = RolePlain
	spec.members = []string{"qualified_identifier.name"}
	spec.definitions = append(spec.definitions,
		definitionRow{node: "alias_declaration", kind: Type},
		definitionRow{node: "concept_definition", kind: Type},
		definitionRow{node: "namespace_alias_definition", kind: Namespace},
	)
	for node, visit := range map[string]func(*extraction, syntax.Node){
		"class_specifier":                     cType(Class),
		"namespace_definition":                cppNamespace,
		"optional_parameter_declaration":      cParameter,
		"variadic_parameter_declaration":      cParameter,
		"type_parameter_declaration":          cppTypeParameter,
		"variadic_type_parameter_declaration": cppTypeParameter,
		"optional_type_parameter_declaration": cppTypeParameter,
		"for_range_loop":                      cppRange,
		"qualified_identifier":                cppQualified,
	} {
		spec.visits[node] = visit
	}
	for node, kinds := range map[string][]Kind{
		"function_definition":                 {Function, Method, Constructor},
		"declaration":                         {Function, Method, Constructor, Field, Variable, Constant},
		"field_declaration":                   {Method, Field, Constant},
		"parameter_declaration":               {Variable, Parameter, TypeParameter},
		"class_specifier":                     {Class},
		"namespace_definition":                {Namespace},
		"optional_parameter_declaration":      {Parameter, TypeParameter},
		"variadic_parameter_declaration":      {Parameter},
		"type_parameter_declaration":          {TypeParameter},
		"variadic_type_parameter_declaration": {TypeParameter},
		"for_range_loop":                      {Variable},
	} {
		spec.kinds[node] = kinds
	}
	spec.wrappers = append(spec.wrappers, "template_declaration", "friend_declaration")
	spec.functions = []string{"lambda_expression"}
	spec.blocks = append(spec.blocks, "for_range_loop", "catch_clause")
	spec.bodies = append(spec.bodies, "catch_clause")
	spec.statements = append(spec.statements,
		"alias_declaration", "concept_definition", "namespace_definition", "namespace_alias_definition", "using_declaration",
		"template_declaration", "template_instantiation", "friend_declaration", "static_assert_declaration", "for_range_loop",
		"try_statement", "catch_clause", "throw_statement", "co_return_statement", "co_yield_statement", "access_specifier")
	spec.prepare = prepareCPP
	return bind(spec)
})

// cppExport is a class with a macro before its name, from after the keyword: the
// macro in capitals, as what says how a library shows the class, and what follows.
var cppExport = regexp.MustCompile(`^[ \t]+([A-Z][A-Z0-9_]+)[ \t]+(\w+)[^;(){}=]*[{:]`)

// prepareCPP blanks macros between the keyword of a class and its name, beside what
// is done for C.
func prepareCPP(text []byte) []edit {
	out := prepareC(text)
	for _, keyword := range []string{"class", "struct"} {
		for at := 0; ; {
			i := bytes.Index(text[at:], []byte(keyword))
			if i < 0 {
				break
			}
			at += i + len(keyword)
			m := cppExport.FindSubmatchIndex(text[at:])
			if m == nil || string(text[at+m[4]:at+m[5]]) == "final" || at > len(keyword) && isWord(text[at-len(keyword)-1]) {
				continue
			}
			out = append(out, blank(at+m[2], at+m[3]))
		}
	}
	return out
}

// A cppMark is a line that C++ has and C has not: what begins a class, a namespace
// or a template, or says who may see members.
var cppMark = regexp.MustCompile(`(?m)^[ \t]*(?:` +
	`(?:inline[ \t]+)?namespace(?:[ \t]+[\w:]+)?[ \t]*(?:\{|$)` +
	`|class[ \t]+[^;(]*[{:]` +
	`|class[ \t]+\w+[ \t]*(?:;|$)` +
	`|template[ \t]*<` +
	`|(?:public|private|protected)[ \t]*:` +
	`|using[ \t]+(?:namespace[ \t]|\w+[ \t]*=|\w+::)` +
	`|extern[ \t]+"C\+\+")`)

// isCPP reports whether a header is C++ by what is in it: the ending .h does not
// say.
func isCPP(text []byte) bool { return cppMark.Match(text) }

// cppNamespace defines a namespace. What is in one without a name belongs to what
// is around it.
func cppNamespace(x *extraction, n syntax.Node) {
	name := x.child(n, "name")
	if name == syntax.None {
		return
	}
	d := x.newDefinition(n, name, Namespace)
	d.text = strings.Join(x.cppPath(name), ".")
	x.define(d)
}

// cppPath returns the names of a path of namespaces and types, without template
// arguments.
func (x *extraction) cppPath(n syntax.Node) []string {
	var out []string
	for c := n; c < x.tree.After(n); c++ {
		switch x.kind(c) {
		case "template_argument_list", "decltype":
			c = x.tree.After(c) - 1
		case "namespace_identifier", "type_identifier", "identifier":
			out = append(out, x.textOf(c))
		}
	}
	return out[:min(len(out), maxDepth)]
}

// cQualified returns the last name of a qualified one.
func (x *extraction) cQualified(n syntax.Node) syntax.Node {
	for range maxDeclarator {
		if x.kind(n) != "qualified_identifier" {
			return n
		}
		n = x.child(n, "name")
	}
	return syntax.None
}

// cppNamed completes a definition: a qualified name says the container, the form of
// the name and the class around say the kind of a function.
func (x *extraction) cppNamed(d definition, name syntax.Node) definition {
	class := ""
	if x.inType() {
		class = lastOf(x.top().path)
	}
	if x.kind(x.parent(d.node)) == "friend_declaration" {
		class = ""
		d.in = x.cppOutside()
	}
	last := x.cQualified(name)
	if last != name && last != syntax.None {
		path := x.cppScopes(name)
		container := strings.Join(path, ".")
		if len(path) > 0 {
			class = path[len(path)-1]
			container = qualify(x.top().path, container)
		}
		d.container = &container
	}
	d.name, d.text = x.cppName(last)
	switch {
	case d.kind == Function && d.function <= 0 && class != "" && d.text == class:
		d.kind = Constructor
	case d.kind == Function && d.function <= 0 && class != "":
		d.kind = Method
	case d.kind == Variable && class != "" && !x.top().inFunction:
		d.kind = Field
	}
	d.bodied = x.childOfKind(d.node, "default_method_clause") != syntax.None
	return d
}

// cppQualified marks the middle names of a::b::c as members: the first scope in a
// qualified name that is the name of another.
func cppQualified(x *extraction, n syntax.Node) {
	scope := x.child(n, "scope")
	if x.kind(x.parent(n)) != "qualified_identifier" || scope == syntax.None {
		return
	}
	if x.kind(scope) == "template_type" {
		scope = x.child(scope, "name")
	}
	x.member = scope
}

// cppScopes returns the names before the last of a qualified one.
func (x *extraction) cppScopes(n syntax.Node) []string {
	var out []string
	for range maxDepth {
		if x.kind(n) != "qualified_identifier" {
			break
		}
		if scope := x.child(n, "scope"); scope != syntax.None {
			out = append(out, x.cppPath(scope)...)
		}
		n = x.child(n, "name")
	}
	return out
}

// cppOutside returns the scope that the friend of a class belongs to.
func (x *extraction) cppOutside() *scope {
	for i := len(x.scopes) - 1; i >= 0; i-- {
		if s := x.scopes[i]; s.kind == fileScope || s.namespace {
			return &s
		}
	}
	return nil
}

// cppName returns the place and the text of a name: of an operator, a conversion
// or a destructor as written, without template arguments.
func (x *extraction) cppName(n syntax.Node) (Range, string) {
	switch x.kind(n) {
	case "":
		return Range{}, ""
	case "template_function", "template_method", "template_type":
		if inner := x.child(n, "name"); inner != syntax.None {
			return x.cppName(inner)
		}
	case "operator_cast":
		r := x.rangeOf(n)
		if typ := x.child(n, "type"); typ != syntax.None {
			r.End = x.tree.End(typ)
		}
		return r, strings.Join(strings.Fields(x.content(r)), " ")
	case "operator_name", "destructor_name":
		text := strings.Join(strings.Fields(x.textOf(n)), " ")
		if rest, ok := strings.CutPrefix(text, "operator "); ok && !isWord(rest[0]) {
			text = "operator" + rest
		}
		return x.rangeOf(n), strings.ReplaceAll(text, "~ ", "~")
	}
	return x.rangeOf(n), x.textOf(n)
}

// cppTypeParameter defines a parameter of a template.
func cppTypeParameter(x *extraction, n syntax.Node) {
	name := x.child(n, "name")
	if name == syntax.None {
		name = x.childOfKind(n, "type_identifier")
	}
	if name == syntax.None {
		return
	}
	d := x.newDefinition(n, name, TypeParameter)
	d.in = x.cppTemplate(x.parent(n))
	x.define(d)
}

// cppTemplate returns the scope of a template's parameters, which stand before the
// name of what is declared.
func (x *extraction) cppTemplate(list syntax.Node) *scope {
	in := *x.top()
	if p := x.parent(list); p != syntax.None {
		in.block = x.tree.Start(p) + 1
	}
	return &in
}

// cppRange defines the variables of a range-based for.
func cppRange(x *extraction, n syntax.Node) {
	found := x.cDeclarator(x.child(n, "declarator"))
	if slices.Contains([]string{"identifier", "structured_binding_declarator"}, x.kind(found.name)) {
		x.bindNames(found.name, definition{kind: Variable}, []string{"identifier"}, nil)
	}
}
