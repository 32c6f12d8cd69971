package bind

import "codeintel/symbols/syntax"

// imports declares the names of an import statement.
func (w *scriptWalk) imports(n syntax.Node, s *scope) {
	f := w.f
	if r := f.first(n, "import_require_clause"); r != syntax.None {
		name := f.first(r, "identifier")
		w.alias(n, name, s.names, f.Text(name), &alias{module: w.module(f.Child(r, "source")), name: "*="})
		return
	}
	module := w.module(f.Child(n, "source"))
	for _, c := range f.children(f.first(n, "import_clause")) {
		switch f.Kind(c) {
		case "identifier":
			w.alias(n, c, s.names, f.Text(c), &alias{module: module, name: "default"})
		case "namespace_import":
			name := f.first(c, "identifier")
			w.alias(n, name, s.names, f.Text(name), &alias{module: module, name: "*"})
		case "named_imports":
			for _, spec := range f.children(c) {
				name, local := f.Child(spec, "name"), f.Child(spec, "alias")
				if local == syntax.None {
					local = name
				}
				text, _ := f.propertyName(name)
				w.alias(spec, local, s.names, f.Text(local), &alias{module: module, name: text})
			}
		}
	}
}

func (w *scriptWalk) module(source syntax.Node) moduleRef {
	text, _ := w.f.propertyName(source)
	return moduleRef{w.f, text}
}

// alias declares a name for something else. The second import of a name is a
// symbol of its own.
func (w *scriptWalk) alias(n, name syntax.Node, in table, text string, a *alias) *symbol {
	sym := &symbol{name: text, means: anyMeaning, alias: a}
	sym.decls = []decl{{place: w.f.at(n), name: name, means: anyMeaning}}
	if old := in[text]; old == nil || old.alias == nil {
		if old != nil { // an import beside a declaration
			sym.members, sym.exports = old.members, old.exports
		}
		in[text] = sym
	}
	if name != syntax.None {
		w.f.declared[name] = sym
	}
	w.f.aliases = append(w.f.aliases, sym)
	return sym
}

// importAlias declares import a = b.c.
func (w *scriptWalk) importAlias(n syntax.Node, s *scope) {
	f := w.f
	parts := f.children(n)
	if len(parts) < 2 {
		return
	}
	in, _ := w.home(n, s)
	w.alias(n, parts[0], in, f.Text(parts[0]), &alias{target: f.at(parts[1]), own: true})
}

// export declares what an export statement exports.
func (w *scriptWalk) export(n syntax.Node, s *scope) {
	f := w.f
	owner := s.owner
	if owner == nil {
		owner = &symbol{exports: table{}}
	}
	source := f.Child(n, "source")
	clause := f.first(n, "export_clause")
	switch {
	case clause != syntax.None:
		for _, spec := range f.children(clause) {
			w.exportSpecifier(spec, source, owner)
		}
	case f.has(n, "namespace_export"):
		name := f.first(f.first(n, "namespace_export"))
		text, _ := f.propertyName(name)
		w.alias(n, name, owner.exports, text, &alias{module: w.module(source), name: "*"}).hidden = true
	case source != syntax.None:
		owner.stars = append(owner.stars, w.module(source))
	case f.has(n, "namespace") && f.has(n, "as"):
		name := f.first(n, "identifier")
		sym := w.alias(n, name, w.b.global.names, f.Text(name), &alias{target: f.at(0)})
		sym.kind = namespace
	case f.has(n, "="):
		w.exportEquals(f.first(n), "export=", owner, s)
	case f.has(n, "default") && f.Child(n, "value") != syntax.None:
		w.exportEquals(f.Child(n, "value"), "default", owner, s)
	default:
		w.children(n, s)
	}
}

func (w *scriptWalk) exportSpecifier(spec, source syntax.Node, owner *symbol) {
	f := w.f
	name, outer := f.Child(spec, "name"), f.Child(spec, "alias")
	if outer == syntax.None {
		outer = name
	}
	inside, _ := f.propertyName(name)
	outside, _ := f.propertyName(outer)
	a := &alias{target: f.at(name), name: inside}
	if source != syntax.None {
		a = &alias{module: w.module(source), name: inside}
	}
	sym := w.alias(spec, outer, owner.exports, outside, a)
	sym.hidden, sym.parent = true, owner
}

// exportEquals exports an expression as the default, or as the whole module.
func (w *scriptWalk) exportEquals(value syntax.Node, as string, owner *symbol, s *scope) {
	f := w.f
	w.visit(value, s)
	if owner.exports["default"] != nil && as == "default" {
		return // a class
	}
	sym := &symbol{means: anyMeaning, alias: &alias{target: f.at(value)}, hidden: true}
	if f.is(value, "identifier", "member_expression") {
		sym.name = f.Text(value)
		if f.is(value, "member_expression") {
			sym.name = f.Text(f.Child(value, "property"))
		}
		f.aliases = append(f.aliases, sym)
	}
	owner.exports[as] = sym
}

// required returns the module of a call of require.
func (w *scriptWalk) required(value syntax.Node) (syntax.Node, bool) {
	f := w.f
	if !f.is(value, "call_expression") || f.Text(f.Child(value, "function")) != "require" {
		return syntax.None, false
	}
	arg := f.first(f.Child(value, "arguments"))
	return arg, f.is(arg, "string")
}

// require declares the names of const a = require(m) and const { a } = require(m).
func (w *scriptWalk) require(n, name, spec syntax.Node, s *scope) {
	f := w.f
	if f.is(name, "identifier") {
		w.alias(n, name, s.names, f.Text(name), &alias{module: w.module(spec), name: "*="})
		return
	}
	for _, c := range f.children(name) {
		switch f.Kind(c) {
		case "shorthand_property_identifier_pattern":
			w.alias(n, c, s.names, f.Text(c), &alias{module: w.module(spec), name: f.Text(c)})
		case "pair_pattern":
			local, key := f.Child(c, "value"), f.Child(c, "key")
			if f.is(local, "identifier") {
				text, _ := f.propertyName(key)
				w.alias(n, local, s.names, f.Text(local), &alias{module: w.module(spec), name: text})
			}
		}
	}
}
