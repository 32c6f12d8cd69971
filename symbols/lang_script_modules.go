package symbols

import "codeintel/symbols/syntax"

// This file reads the imports and exports that JavaScript and TypeScript share.

// scriptModule returns the module that a string names.
func (x *extraction) scriptModule(n syntax.Node) (string, Range) {
	if n == syntax.None {
		return "", Range{}
	}
	r := x.rangeOf(n)
	if r.Len() < 2 {
		return "", r
	}
	return x.content(Range{r.Start + 1, r.End - 1}), r
}

func scriptImport(x *extraction, n syntax.Node) {
	source := x.child(n, "source")
	required := x.childOfKind(n, "import_require_clause")
	if source == syntax.None {
		source = x.child(required, "source")
	}
	if source == syntax.None {
		return
	}
	x.importing = x.tree.After(n)
	im := Import{Range: x.rangeOf(n)}
	im.Module, im.ModuleRange = x.scriptModule(source)
	if id := x.childOfKind(required, "identifier"); id != syntax.None {
		im.Names = []ImportName{{Name: "*", Alias: x.textOf(id), Range: x.rangeOf(id)}}
	}
	clause := x.childOfKind(n, "import_clause")
	if clause != syntax.None {
		im.Names = append(im.Names, x.scriptClause(clause)...)
	}
	x.imports = append(x.imports, im)
}

// scriptClause returns the names of an import clause.
func (x *extraction) scriptClause(clause syntax.Node) []ImportName {
	var out []ImportName
	for c := x.tree.First(clause); c != syntax.None; c = x.tree.Next(c) {
		switch x.kind(c) {
		case "identifier":
			out = append(out, ImportName{Name: "default", Alias: x.textOf(c), Range: x.rangeOf(c)})
		case "namespace_import":
			out = append(out, ImportName{Name: "*", Alias: x.textOf(x.childOfKind(c, "identifier")), Range: x.rangeOf(c)})
		case "named_imports":
			out = append(out, x.scriptSpecifiers(c, "import_specifier")...)
		}
	}
	return out
}

// scriptSpecifiers returns the names in braces.
func (x *extraction) scriptSpecifiers(list syntax.Node, kind string) []ImportName {
	var out []ImportName
	for c := x.tree.First(list); c != syntax.None; c = x.tree.Next(c) {
		if x.kind(c) != kind {
			continue
		}
		_, name := x.scriptName(x.child(c, "name"))
		_, alias := x.scriptName(x.child(c, "alias"))
		if name != "" {
			out = append(out, ImportName{Name: name, Alias: alias, Range: x.rangeOf(c)})
		}
	}
	return out
}

// scriptExport reads an export from another module, or a default export without a
// name of its own.
func scriptExport(x *extraction, n syntax.Node) {
	if source := x.child(n, "source"); source != syntax.None {
		x.importing = x.tree.After(n)
		im := Import{Range: x.rangeOf(n), Export: true}
		im.Module, im.ModuleRange = x.scriptModule(source)
		if clause := x.childOfKind(n, "export_clause"); clause != syntax.None {
			im.Names = x.scriptSpecifiers(clause, "export_specifier")
		} else if all := x.childOfKind(n, "namespace_export"); all != syntax.None {
			_, alias := x.scriptName(x.firstNamed(all))
			im.Names = []ImportName{{Name: "*", Alias: alias, Range: x.rangeOf(all)}}
		} else {
			im.Wildcard = x.has(n, "*")
		}
		x.imports = append(x.imports, im)
		return
	}
	if keyword := x.childOfKind(n, "default"); keyword != syntax.None {
		x.scriptDefault(n, keyword)
	}
}

// scriptDefault defines an unnamed default export under the name default.
func (x *extraction) scriptDefault(n, keyword syntax.Node) {
	value := x.child(n, "value")
	inner := x.scriptValue(value)
	d := x.newDefinition(n, keyword, Constant)
	switch x.kind(inner) {
	case "", "identifier", "member_expression":
		return
	case "function_expression", "generator_function", "class":
		if name := x.child(inner, "name"); name != syntax.None {
			d.name = x.rangeOf(name)
		}
	}
	x.define(x.scriptBound(d, value))
}

// scriptCall records require and dynamic imports that no declaration has taken.
func scriptCall(x *extraction, n syntax.Node) {
	module := x.moduleCall(n)
	if module == syntax.None || x.taken(n) {
		return
	}
	im := Import{Range: x.rangeOf(n)}
	im.Module, im.ModuleRange = x.scriptModule(module)
	x.imports = append(x.imports, im)
}

// moduleCall returns the string in require("m") or import("m"), or none.
func (x *extraction) moduleCall(n syntax.Node) syntax.Node {
	if x.kind(n) != "call_expression" {
		return syntax.None
	}
	function := x.child(n, "function")
	if k := x.kind(function); k != "import" && (k != "identifier" || x.textOf(function) != "require") {
		return syntax.None
	}
	arguments := x.child(n, "arguments")
	if arguments == syntax.None {
		return syntax.None
	}
	if first := x.firstNamed(arguments); x.kind(first) == "string" {
		return first
	}
	return syntax.None
}

// scriptRequired records a declarator whose value is a module, or a member of one,
// as the import that it is.
func (x *extraction) scriptRequired(n, name, value syntax.Node) bool {
	if value == syntax.None {
		return false
	}
	call, member := value, syntax.None
	if x.kind(call) == "member_expression" {
		member, call = x.child(call, "property"), x.child(call, "object")
	}
	call, awaited := x.awaited(call)
	module := x.moduleCall(call)
	if module == syntax.None || !awaited && x.kind(x.child(call, "function")) == "import" {
		return false // not a module, or not yet
	}
	x.take(call)
	im := Import{Range: x.rangeOf(x.outer(n)), Names: x.requiredNames(name)}
	im.Module, im.ModuleRange = x.scriptModule(module)
	if member != syntax.None && x.kind(name) == "identifier" {
		im.Names = []ImportName{{Name: x.textOf(member), Alias: x.textOf(name), Range: x.rangeOf(name)}}
	}
	x.imports = append(x.imports, im)
	x.importing = x.tree.After(name)
	return true
}

// awaited looks through await and parentheses.
func (x *extraction) awaited(n syntax.Node) (inner syntax.Node, found bool) {
	for range maxDepth {
		switch x.kind(n) {
		case "await_expression":
			found = true
		case "parenthesized_expression":
		default:
			return n, found
		}
		n = x.firstNamed(n)
	}
	return n, found
}

// requiredNames returns the names that a pattern takes from a module.
func (x *extraction) requiredNames(pattern syntax.Node) []ImportName {
	if x.kind(pattern) == "identifier" {
		return []ImportName{{Name: "*", Alias: x.textOf(pattern), Range: x.rangeOf(pattern)}}
	}
	var out []ImportName
	for c := x.tree.First(pattern); c != syntax.None; c = x.tree.Next(c) {
		switch x.kind(c) {
		case "shorthand_property_identifier_pattern":
			out = append(out, ImportName{Name: x.textOf(c), Range: x.rangeOf(c)})
		case "object_assignment_pattern":
			left := x.child(c, "left")
			out = append(out, ImportName{Name: x.textOf(left), Range: x.rangeOf(c)})
		case "pair_pattern":
			_, key := x.scriptName(x.child(c, "key"))
			out = append(out, ImportName{Name: key, Alias: x.textOf(x.child(c, "value")), Range: x.rangeOf(c)})
		}
	}
	return out
}
