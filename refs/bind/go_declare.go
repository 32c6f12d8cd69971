package bind

import (
	"bytes"
	"strings"

	"codeintel/symbols"
	"codeintel/symbols/syntax"
)

// golang is Go.
type golang struct{}

// A goPackage is the files of one folder that have one package clause. They are
// read when a name is looked for that they hold.
type goPackage struct {
	folder, name string
	sym          *symbol
	searched     map[string]bool
}

// goPackage returns a package; its files are read when they are needed.
func (b *Binder) goPackage(folder, name string) *goPackage {
	key := folder + "\x00" + name
	s := b.modules[key]
	if s == nil {
		s = &symbol{name: key, kind: namespace, means: anyMeaning, exports: table{}}
		s.pkg = &goPackage{folder: folder, name: name, sym: s, searched: map[string]bool{}}
		b.modules[key] = s
	}
	return s.pkg
}

// complete reads the files of the package that hold a name.
func (p *goPackage) complete(b *Binder, name string) {
	if p == nil || p.searched[name] {
		return
	}
	p.searched[name] = true
	for _, path := range b.source.Beside(p.folder) {
		if _, read := b.files[path]; read {
			continue
		}
		doc, err := b.source.Document(path)
		if err == nil && bytes.Contains(doc.Text(), []byte(name)) {
			b.load(path)
		}
	}
}

// A goWalk declares the names of one file.
type goWalk struct {
	b   *Binder
	f   *file
	pkg *goPackage
}

func (l *golang) declare(b *Binder, f *file) {
	clause := f.first(f.first(0, "package_clause"), "package_identifier")
	folder, _, _ := cutLast(f.path)
	w := &goWalk{b, f, b.goPackage(folder, f.Text(clause))}
	f.module = w.pkg.sym
	universe := &scope{names: b.goUniverse()}
	packageScope := &scope{outer: universe, owner: w.pkg.sym, names: table{}, node: f.at(0)}
	f.top = &scope{outer: packageScope, names: table{}, node: f.at(0)} // imports
	f.scopes[0] = f.top
	for _, n := range f.children(0) {
		w.visit(n, f.top)
	}
}

// cutLast cuts a path before its last element; "." stands for no folder.
func cutLast(p string) (folder, base string, ok bool) {
	i := strings.LastIndexByte(p, '/')
	if i < 0 {
		return ".", p, false
	}
	return p[:i], p[i+1:], true
}

// goUniverse returns the names that are declared everywhere and have members.
func (b *Binder) goUniverse() table {
	if s := b.modules["\x00universe"]; s != nil {
		return s.exports
	}
	failure := &symbol{name: "error", kind: class, means: anyMeaning}
	failure.members = table{"Error": {name: "Error", kind: member, means: anyMeaning, parent: failure}}
	failure.abstract = true
	u := table{"error": failure}
	b.modules["\x00universe"] = &symbol{exports: u}
	return u
}

func (w *goWalk) inner(n syntax.Node, outer *scope) *scope {
	s := &scope{outer: outer, names: table{}, node: w.f.at(n)}
	w.f.scopes[n] = s
	return s
}

func (w *goWalk) children(n syntax.Node, s *scope) {
	for _, c := range w.f.children(n) {
		w.visit(c, s)
	}
}

func (w *goWalk) visit(n syntax.Node, s *scope) {
	f := w.f
	switch f.Kind(n) {
	case "import_spec":
		w.imports(n)
	case "function_declaration", "method_declaration", "func_literal":
		w.function(n, s)
	case "type_spec", "type_alias":
		w.typeSpec(n, s)
	case "var_spec", "const_spec":
		w.children(n, s)
		w.names(n, "name", s, f.End(n))
	case "short_var_declaration", "range_clause", "receive_statement":
		w.children(n, s)
		if f.is(n, "short_var_declaration") || f.has(n, ":=") {
			w.list(f.Child(n, "left"), n, s)
		}
	case "block", "if_statement", "for_statement", "expression_switch_statement", "select_statement",
		"expression_case", "type_case", "default_case", "communication_case":
		w.children(n, w.inner(n, s))
	case "type_switch_statement":
		c := w.inner(n, s)
		if a := f.Child(n, "alias"); a != syntax.None {
			w.list(a, n, c)
			for _, name := range f.children(a) {
				c.names[f.Text(name)].from = f.End(name)
			}
		}
		w.children(n, c)
	case "labeled_statement":
		name := f.Child(n, "label")
		f.newSymbol(table{}, f.Text(name), label, decl{place: f.at(n), name: name, means: anyMeaning})
		w.children(n, s)
	case "struct_type", "interface_type":
		w.members(n, w.typeOfLiteral(n), s)
	case "function_type":
		w.parameters(n, w.inner(n, s))
	default:
		w.children(n, s)
	}
}

// imports declares the name of an imported package, or makes its names seen.
func (w *goWalk) imports(n syntax.Node) {
	f := w.f
	module := moduleRef{f, strings.Trim(f.Text(f.Child(n, "path")), "\"`")}
	name := f.Child(n, "name")
	text := f.Text(name)
	switch text {
	case "_":
		return
	case ".":
		f.top.stars = append(f.top.stars, module)
		return
	case "":
		text = w.b.goPackageName(module)
	}
	sym := &symbol{name: text, means: anyMeaning, alias: &alias{module: module, name: "*", own: true}}
	sym.decls = []decl{{place: f.at(n), name: name, means: anyMeaning}}
	f.top.names[text] = sym
	if name != syntax.None {
		f.declared[name] = sym
	}
}

// goPackageName returns the name of the package that an import leads to; for one
// outside of the workspace what its path suggests.
func (b *Binder) goPackageName(module moduleRef) string {
	if folder, ok := b.source.Module(module.from.path, module.specifier); ok {
		if name := b.clauseOf(folder); name != "" {
			return name
		}
	}
	folder, base, _ := cutLast(module.specifier)
	if len(base) > 1 && base[0] == 'v' && strings.Trim(base[1:], "0123456789") == "" {
		_, base, _ = cutLast(folder)
	}
	base, _, _ = strings.Cut(base, ".v")
	return strings.TrimPrefix(base, "go-")
}

// clauseOf returns the name in the package clauses of a folder, tests apart.
func (b *Binder) clauseOf(folder string) string {
	for _, path := range b.source.Beside(folder) {
		if strings.HasSuffix(path, "_test.go") {
			continue
		}
		doc, err := b.source.Document(path)
		if err != nil {
			continue
		}
		for line := range bytes.Lines(doc.Text()) {
			if rest, ok := bytes.CutPrefix(line, []byte("package ")); ok {
				if fields := bytes.Fields(rest); len(fields) > 0 {
					return string(fields[0])
				}
			}
		}
	}
	return ""
}

// at returns the table that a declaration in a scope belongs to: the package's at
// the top level.
func (w *goWalk) at(s *scope) table {
	if s == w.f.top {
		return w.pkg.sym.exports
	}
	return s.names
}

// add declares a name. from is where a local begins to be seen.
func (w *goWalk) add(n, name syntax.Node, s *scope, k kind, from int) *symbol {
	text := w.f.Text(name)
	d := decl{place: w.f.at(n), name: name, means: anyMeaning}
	if text == "_" || text == "init" && s == w.f.top && k == function {
		return w.f.newSymbol(table{}, text, k, d)
	}
	sym := w.f.newSymbol(w.at(s), text, k, d)
	if s == w.f.top {
		sym.pkg = w.pkg
		return sym
	}
	if len(sym.decls) == 1 {
		sym.from = from
	}
	return sym
}

// names declares the names in a field of a node.
func (w *goWalk) names(n syntax.Node, field string, s *scope, from int) {
	for _, c := range w.f.children(n) {
		if w.f.In(c, field) && w.f.is(c, "identifier") {
			w.add(n, c, s, variable, from)
		}
	}
}

// list declares the names on the left of := that the block does not have yet.
func (w *goWalk) list(left, n syntax.Node, s *scope) {
	for _, c := range w.f.children(left) {
		if w.f.is(c, "identifier") && s.names[w.f.Text(c)] == nil {
			w.add(n, c, s, variable, w.f.End(n))
		}
	}
}

func (w *goWalk) function(n syntax.Node, s *scope) {
	f := w.f
	name := f.Child(n, "name")
	inner := w.inner(n, s)
	switch f.Kind(n) {
	case "function_declaration":
		w.add(n, name, s, function, 0)
	case "method_declaration":
		w.method(n, name, inner)
	}
	w.parameters(n, inner)
	w.children(f.Child(n, "body"), inner)
}

// method declares a method as a member of its receiver's type.
func (w *goWalk) method(n, name syntax.Node, s *scope) {
	f := w.f
	receiver := f.first(f.Child(n, "receiver"))
	t := f.Child(receiver, "type")
	for f.is(t, "pointer_type", "parenthesized_type") {
		t = f.first(t)
	}
	if f.is(t, "generic_type") {
		for _, a := range f.children(f.Child(t, "type_arguments")) {
			p := f.first(a)
			f.newSymbol(s.names, f.Text(p), typeParameter, decl{place: f.at(a), name: p, means: anyMeaning})
		}
		t = f.Child(t, "type")
	}
	owner := w.pkg.sym.exports[f.Text(t)]
	if owner == nil {
		owner = &symbol{name: f.Text(t), kind: class, pkg: w.pkg}
		w.pkg.sym.exports[owner.name] = owner
	}
	m := f.member(owner, false, f.Text(name), member, decl{place: f.at(n), name: name, means: anyMeaning})
	m.method = true
	w.names(receiver, "name", s, 0)
}

// parameters declares type parameters, parameters and results.
func (w *goWalk) parameters(n syntax.Node, s *scope) {
	f := w.f
	for _, p := range f.children(f.Child(n, "type_parameters")) {
		for _, c := range f.children(p) {
			if f.In(c, "name") {
				w.add(p, c, s, typeParameter, 0)
			}
		}
		w.children(p, s)
	}
	for _, field := range []string{"parameters", "result"} {
		list := f.Child(n, field)
		if field == "result" && !f.is(list, "parameter_list") {
			if list != syntax.None {
				w.visit(list, s)
			}
			continue
		}
		for _, p := range f.children(list) {
			w.names(p, "name", s, 0)
			w.children(p, s)
		}
	}
}

func (w *goWalk) typeSpec(n syntax.Node, s *scope) {
	f := w.f
	k := class
	if f.is(n, "type_alias") {
		k = typeAlias
	}
	sym := w.add(n, f.Child(n, "name"), s, k, 0)
	inner := w.inner(n, s)
	w.parameters(n, inner)
	t := f.Child(n, "type")
	if f.is(t, "struct_type", "interface_type") {
		w.members(t, sym, inner)
		return
	}
	w.visit(t, inner)
}

// typeOfLiteral returns the symbol of a struct or an interface without a name.
func (w *goWalk) typeOfLiteral(n syntax.Node) *symbol {
	s := &symbol{kind: class, means: anyMeaning, decls: []decl{{place: w.f.at(n), name: syntax.None}}}
	w.f.literals[n] = s
	return s
}

// members declares fields and methods.
func (w *goWalk) members(n syntax.Node, owner *symbol, s *scope) {
	f := w.f
	list := n
	if f.is(n, "struct_type") {
		list = f.first(n, "field_declaration_list")
	} else {
		owner.abstract = true
	}
	for _, m := range f.children(list) {
		named := false
		for _, c := range f.children(m) {
			if f.In(c, "name") {
				named = true
				sym := f.member(owner, false, f.Text(c), member, decl{place: f.at(m), name: c, means: anyMeaning})
				sym.method = f.is(m, "method_elem")
			}
		}
		if t := f.Child(m, "type"); f.is(m, "field_declaration") && !named {
			name := embeddedName(f, t)
			sym := f.member(owner, false, f.Text(name), member, decl{place: f.at(m), name: syntax.None, means: anyMeaning})
			f.embedded[name] = sym
		}
		if f.is(m, "method_elem") {
			w.parameters(m, w.inner(m, s))
		} else {
			w.children(m, s)
		}
	}
}

// embeddedName returns the name that an embedded field has by its type.
func embeddedName(f *file, t syntax.Node) syntax.Node {
	for {
		switch f.Kind(t) {
		case "generic_type":
			t = f.Child(t, "type")
		case "qualified_type":
			return f.Child(t, "name")
		case "pointer_type":
			t = f.first(t)
		default:
			return t
		}
	}
}

// comment: names in Go comments are not listed by the server.
func (l *golang) comment(*Binder, place, symbols.Range) meant { return meant{} }

// meaning: Go has one name space.
func (l *golang) meaning(place) meaning { return anyMeaning }
