package bind

import (
	"strings"

	"codeintel/symbols/syntax"
)

// script is TypeScript and JavaScript.
type script struct {
	javascript bool
}

// scriptFunctions are the nodes that a function is.
var scriptFunctions = []string{
	"function_declaration", "generator_function_declaration", "function_expression", "generator_function",
	"arrow_function", "method_definition", "function_signature",
}

// scriptSignatures are functions without a body.
var scriptSignatures = []string{
	"method_signature", "abstract_method_signature", "call_signature", "construct_signature", "function_type", "constructor_type",
}

var scriptClasses = []string{"class_declaration", "abstract_class_declaration", "class", "interface_declaration"}

// A scriptWalk declares the names of one file.
type scriptWalk struct {
	b *Binder
	f *file
	*script
	// ambient says that everything here is exported: in declarations of namespaces
	// and modules.
	ambient bool
}

func (l *script) declare(b *Binder, f *file) {
	w := &scriptWalk{b: b, f: f, script: l}
	if w.isModule() {
		f.module = &symbol{name: f.path, kind: namespace, means: asValue | asNamespace, exports: table{}}
		f.top = &scope{outer: b.global, names: table{}, owner: f.module, function: true, node: f.at(0)}
	} else {
		f.top = &scope{names: b.global.names, function: true, node: f.at(0)}
	}
	f.scopes[0] = f.top
	w.children(0, f.top)
	if w.javascript {
		w.typedefs()
	}
}

// isModule reports whether a file is a module: it imports or exports, or is
// CommonJS.
func (w *scriptWalk) isModule() bool {
	f := w.f
	for _, c := range f.children(0) {
		if f.is(c, "import_statement", "export_statement") && !f.is(f.first(c), "import_alias") {
			return true
		}
		if f.is(c, "import_alias") && strings.HasPrefix(f.Text(c), "export") {
			return true
		}
	}
	if !w.javascript {
		return false
	}
	text := string(f.doc.Text())
	return strings.Contains(text, "require(") || strings.Contains(text, "module.exports") || strings.Contains(text, "exports.")
}

func (w *scriptWalk) children(n syntax.Node, s *scope) {
	for _, c := range w.f.children(n) {
		w.visit(c, s)
	}
}

// inner opens a scope at a node.
func (w *scriptWalk) inner(n syntax.Node, outer *scope, isFunction bool) *scope {
	s := &scope{outer: outer, names: table{}, node: w.f.at(n), function: isFunction}
	w.f.scopes[n] = s
	return s
}

// visit declares what a node declares, and what is below it.
func (w *scriptWalk) visit(n syntax.Node, s *scope) {
	f := w.f
	switch k := f.Kind(n); k {
	case "import_statement":
		w.imports(n, s)
	case "import_alias":
		w.importAlias(n, s)
	case "export_statement":
		w.export(n, s)
	case "ambient_declaration":
		w.ambientDeclaration(n, s)
	case "internal_module", "module":
		w.namespace(n, s)
	case "class_declaration", "abstract_class_declaration", "class", "interface_declaration":
		w.class(n, s)
	case "enum_declaration":
		w.enum(n, s)
	case "type_alias_declaration":
		w.typeAlias(n, s)
	case "function_declaration", "generator_function_declaration", "function_signature",
		"function_expression", "generator_function", "arrow_function", "method_definition":
		w.function(n, s)
	case "method_signature", "abstract_method_signature", "call_signature", "construct_signature", "function_type", "constructor_type":
		w.parameters(n, w.inner(n, s, true))
	case "variable_declarator":
		w.variable(n, s)
	case "statement_block", "for_statement", "switch_body", "class_static_block":
		w.children(n, w.inner(n, s, k == "class_static_block"))
	case "for_in_statement":
		w.forIn(n, s)
	case "catch_clause":
		c := w.inner(n, s, false)
		w.pattern(f.Child(n, "parameter"), c, decl{place: f.at(n), means: asValue}, variable)
		w.children(n, c)
	case "with_statement":
		w.visit(f.Child(n, "object"), s)
		c := w.inner(f.Child(n, "body"), s, false)
		c.opaque = true
		w.children(f.Child(n, "body"), c)
	case "labeled_statement":
		w.label(n, s)
	case "object":
		w.object(n, s)
	case "object_type":
		w.literalType(n, s)
	case "assignment_expression":
		w.children(n, s)
		w.assignment(n, s)
	case "mapped_type_clause", "infer_type":
		w.typeVariable(n, s)
	default:
		w.children(n, s)
	}
}

// home returns the table that a declaration in a scope belongs to, and whether the
// scope's owner exports it.
func (w *scriptWalk) home(n syntax.Node, s *scope) (table, *symbol) {
	if s.owner != nil && (w.exported(n) || w.ambient) {
		if s.owner.exports == nil {
			s.owner.exports = table{}
		}
		return s.owner.exports, s.owner
	}
	return s.names, nil
}

// exported reports whether a declaration stands in an export statement.
func (w *scriptWalk) exported(n syntax.Node) bool {
	f := w.f
	for p := f.Parent(n); p != syntax.None; p = f.Parent(p) {
		switch f.Kind(p) {
		case "export_statement":
			return true
		case "lexical_declaration", "variable_declaration", "variable_declarator", "ambient_declaration", "expression_statement",
			"object_pattern", "array_pattern", "pair_pattern", "rest_pattern", "object_assignment_pattern", "assignment_pattern":
		default:
			return false
		}
	}
	return false
}

// add declares a name in a scope. A default export is known by its name inside of
// the module, and as default outside.
func (w *scriptWalk) add(n, name syntax.Node, s *scope, k kind, means meaning) *symbol {
	f := w.f
	d := decl{place: f.at(n), name: name, means: means}
	if p := f.Parent(n); f.is(p, "export_statement") && f.has(p, "default") && f.module != nil {
		return w.defaultExport(d, s, k)
	}
	text := f.Text(name)
	in, owner := w.home(n, s)
	sym := f.newSymbol(in, text, k, d)
	if owner != nil {
		sym.parent = owner
	}
	return sym
}

func (w *scriptWalk) defaultExport(d decl, s *scope, k kind) *symbol {
	name := w.f.Text(d.name)
	sym := w.f.newSymbol(s.names, name, k, d)
	if name == "" {
		delete(s.names, "")
	}
	w.f.module.exports["default"] = sym
	return sym
}

func (w *scriptWalk) typeAlias(n syntax.Node, s *scope) {
	w.add(n, w.f.Child(n, "name"), s, typeAlias, asType)
	inner := w.inner(n, s, false)
	w.typeParameters(n, inner)
	w.visit(w.f.Child(n, "value"), inner)
}

// typeParameters declares the type parameters of a node.
func (w *scriptWalk) typeParameters(n syntax.Node, s *scope) {
	f := w.f
	for _, p := range f.children(f.Child(n, "type_parameters")) {
		name := f.Child(p, "name")
		f.newSymbol(s.names, f.Text(name), typeParameter, decl{place: f.at(p), name: name, means: asType})
		w.children(p, s)
	}
}

// typeVariable declares the key of a mapped type, or what infer binds.
func (w *scriptWalk) typeVariable(n syntax.Node, s *scope) {
	f := w.f
	name := f.Child(n, "name")
	if name == syntax.None {
		name = f.first(n, "type_identifier")
	}
	if t := f.enclosing(n, "object_type", "conditional_type", "type_alias_declaration"); t != syntax.None {
		if f.scopes[t] == nil {
			w.inner(t, s, false)
		}
		f.newSymbol(f.scopes[t].names, f.Text(name), typeParameter, decl{place: f.at(n), name: name, means: asType})
	}
	w.children(n, s)
}

func (w *scriptWalk) function(n syntax.Node, s *scope) {
	f := w.f
	name := f.Child(n, "name")
	inner := w.inner(n, s, true)
	switch f.Kind(n) {
	case "function_declaration", "generator_function_declaration", "function_signature":
		w.add(n, name, s, function, asValue)
	case "function_expression", "generator_function":
		if name != syntax.None {
			f.newSymbol(inner.names, f.Text(name), function, decl{place: f.at(n), name: name, means: asValue})
			inner = &scope{outer: inner, names: table{}, node: f.at(n), function: true}
			f.scopes[n] = inner
		}
	case "method_definition":
		if f.is(name, "computed_property_name") {
			w.visit(name, s)
		}
	}
	w.parameters(n, inner)
	body := f.Child(n, "body")
	if f.is(body, "statement_block") {
		w.children(body, inner) // parameters and body are one scope
	} else if body != syntax.None {
		w.visit(body, inner)
	}
}

// parameters declares the parameters of a function or a signature and visits its
// types.
func (w *scriptWalk) parameters(n syntax.Node, s *scope) {
	f := w.f
	w.typeParameters(n, s)
	if p := f.Child(n, "parameter"); p != syntax.None {
		w.parameter(p, p, n, s)
	}
	for _, p := range f.children(f.Child(n, "parameters")) {
		w.parameter(p, f.Child(p, "pattern"), n, s)
		if f.is(p, "identifier", "object_pattern", "array_pattern", "assignment_pattern", "rest_pattern") { // JavaScript
			w.parameter(p, p, n, s)
			continue
		}
		for _, c := range f.children(p) {
			if !f.In(c, "pattern") {
				w.visit(c, s)
			}
		}
	}
	for _, field := range []string{"return_type", "type"} {
		if t := f.Child(n, field); t != syntax.None {
			w.visit(t, s)
		}
	}
}

func (w *scriptWalk) parameter(p, pattern, in syntax.Node, s *scope) {
	f := w.f
	if pattern == syntax.None {
		return
	}
	d := decl{place: f.at(p), name: pattern, means: asValue}
	if !f.is(pattern, "identifier") {
		w.pattern(pattern, s, d, variable)
		return
	}
	sym := f.newSymbol(s.names, f.Text(pattern), variable, d)
	sym.local = f.at(in)
	c := f.enclosing(in, scriptClasses...)
	if (f.has(p, "accessibility_modifier") || f.has(p, "readonly") || f.has(p, "override_modifier")) && c != syntax.None {
		if owner := w.classSymbol(c); owner != nil {
			sym.also = f.member(owner, false, sym.name, member, d)
			sym.also.also = sym
		}
	}
}

// classSymbol returns the symbol that a class node declares.
func (w *scriptWalk) classSymbol(c syntax.Node) *symbol {
	if s := w.f.literals[c]; s != nil {
		return s
	}
	return w.f.declared[w.f.Child(c, "name")]
}

// pattern declares the names that a pattern binds.
func (w *scriptWalk) pattern(p syntax.Node, s *scope, d decl, k kind) {
	f := w.f
	switch f.Kind(p) {
	case "identifier", "shorthand_property_identifier_pattern":
		d.name = p
		in, owner := w.home(p, s)
		if sym := f.newSymbol(in, f.Text(p), k, d); owner != nil {
			sym.parent = owner
		}
	case "pair_pattern":
		if key := f.Child(p, "key"); f.is(key, "computed_property_name") {
			w.visit(key, s)
		}
		w.pattern(f.Child(p, "value"), s, d, k)
	case "object_assignment_pattern", "assignment_pattern":
		w.pattern(f.Child(p, "left"), s, d, k)
		w.visit(f.Child(p, "right"), s)
	case "object_pattern", "array_pattern", "rest_pattern":
		for _, c := range f.children(p) {
			w.pattern(c, s, d, k)
		}
	}
}

func (w *scriptWalk) variable(n syntax.Node, s *scope) {
	f := w.f
	name, value := f.Child(n, "name"), f.Child(n, "value")
	if f.is(f.Parent(n), "variable_declaration") { // var belongs to the function
		for s.outer != nil && !s.function {
			s = s.outer
		}
	}
	if spec, ok := w.required(value); ok && w.javascript {
		w.require(n, name, spec, s)
	} else {
		w.pattern(name, s, decl{place: f.at(n), means: asValue}, variable)
	}
	for _, c := range f.children(n) {
		if c != name {
			w.visit(c, f.scopeAt(n))
		}
	}
}

func (w *scriptWalk) forIn(n syntax.Node, s *scope) {
	f := w.f
	inner := w.inner(n, s, false)
	if kind := f.Child(n, "kind"); kind != syntax.None {
		to := inner
		for f.Text(kind) == "var" && to.outer != nil && !to.function {
			to = to.outer
		}
		w.pattern(f.Child(n, "left"), to, decl{place: f.at(n), means: asValue}, variable)
	}
	w.visit(f.Child(n, "right"), s)
	w.visit(f.Child(n, "body"), inner)
}

// label declares a label. Its uses are found by walking up, so it is in no scope.
func (w *scriptWalk) label(n syntax.Node, s *scope) {
	f := w.f
	name := f.Child(n, "label")
	f.newSymbol(table{}, f.Text(name), label, decl{place: f.at(n), name: name})
	w.visit(f.Child(n, "body"), s)
}
