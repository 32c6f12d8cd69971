package bind

import "codeintel/symbols/syntax"

// resolve returns what the name at a node stands for.
func (l *golang) resolve(b *Binder, at place) meant {
	f, n := at.file, at.node
	p := f.Parent(n)
	if s := f.embedded[n]; s != nil { // the field and its type
		m := l.named(b, at, p)
		m.syms = append(m.syms, s)
		return m
	}
	if s := f.declared[n]; s != nil {
		return one(s)
	}
	switch f.Kind(n) {
	case "label_name":
		return l.label(at)
	case "identifier", "type_identifier", "field_identifier", "package_identifier":
		return l.named(b, at, p)
	}
	return meant{}
}

func (l *golang) named(b *Binder, at place, p syntax.Node) meant {
	f, n := at.file, at.node
	switch f.Kind(p) {
	case "selector_expression":
		if f.In(n, "field") {
			return l.selected(b, f.at(f.Child(p, "operand")), f.Text(n))
		}
	case "qualified_type":
		if f.In(n, "name") {
			return l.selected(b, f.at(f.Child(p, "package")), f.Text(n))
		}
	case "literal_element":
		if k := f.Parent(p); f.is(k, "keyed_element") && f.In(p, "key") {
			return l.key(b, at, f.Parent(k))
		}
	}
	return l.lookup(b, at, f.Text(n))
}

// lookup binds a plain name, also to what dot imports make seen.
func (l *golang) lookup(b *Binder, at place, name string) meant {
	f := at.file
	f.module.pkg.complete(b, name)
	start := f.Start(at.node)
	for s := f.scopeAt(at.node); s != nil; s = s.outer {
		if sym := s.names[name]; sym != nil && sym.means != 0 && sym.from <= start {
			return one(sym)
		}
		if s.owner == nil {
			continue
		}
		if sym := s.owner.exports[name]; sym != nil && sym.means != 0 {
			return one(sym)
		}
		for _, star := range f.top.stars {
			if m := b.module(star); m != nil {
				if sym, _ := b.exportOf(m, name, 0); sym != nil {
					return one(sym)
				}
			}
		}
	}
	return meant{}
}

// selected resolves x.name: a name of a package, or a member of a value or a type.
func (l *golang) selected(b *Binder, x place, name string) meant {
	if x.file.is(x.node, "identifier", "package_identifier") {
		m := l.lookup(b, x, x.text())
		if len(m.syms) > 0 && m.syms[0].alias != nil {
			pkg, ok := b.next(m.syms[0])
			if !ok {
				return meant{} // from outside of the workspace
			}
			found, _ := b.exportOf(pkg, name, 0)
			return one(found)
		}
	}
	t := b.value(x)
	if t != nil && t.kind == static { // a method expression
		t = &shape{kind: instance, sym: t.sym}
	}
	return b.membersOf(t, name)
}

// key resolves a key in a composite literal: a field in one of a struct, else a
// plain name.
func (l *golang) key(b *Binder, at place, literal syntax.Node) meant {
	t := l.literalType(b, at.file.at(literal), 0)
	switch {
	case t == nil:
		return meant{unknown: true}
	case t.kind == instance:
		return b.membersOf(t, at.text())
	}
	return l.lookup(b, at, at.text())
}

// literalType returns the type of a composite literal's body, whose type may be
// left out inside of another.
func (l *golang) literalType(b *Binder, at place, deep int) *shape {
	f := at.file
	p := f.Parent(at.node)
	if deep > depth {
		return nil
	}
	if f.is(p, "composite_literal") {
		return l.underlying(b, l.typeFrom(b, f.at(f.Child(p, "type"))), 0)
	}
	outer := f.Parent(p)
	isKey := f.is(outer, "keyed_element") && f.In(p, "key")
	key := f.Child(outer, "key")
	if f.is(outer, "keyed_element") {
		outer = f.Parent(outer)
	}
	t := l.literalType(b, f.at(outer), deep+1)
	if t == nil || isKey {
		return nil
	}
	if t.kind == instance {
		return l.underlying(b, b.memberType(t, f.Text(key)), 0)
	}
	return l.underlying(b, t.elem, 0)
}

// underlying leads from a named type of a list or a map to that.
func (l *golang) underlying(b *Binder, t *shape, deep int) *shape {
	if t == nil || t.kind != instance || deep > depth {
		return t
	}
	for _, d := range t.sym.decls {
		if under := d.file.Child(d.node, "type"); d.file.is(d.node, "type_spec") && !d.file.is(under, "struct_type", "interface_type") {
			inner := l.underlying(b, l.typeFrom(b, d.file.at(under)), deep+1)
			if inner == nil || inner.kind != instance {
				return inner
			}
		}
	}
	return t
}

func (l *golang) label(at place) meant {
	f := at.file
	for n := f.Parent(at.node); n != syntax.None; n = f.Parent(n) {
		if f.is(n, "func_literal", "function_declaration", "method_declaration") {
			for c := n; c < f.After(n); c++ {
				if f.is(c, "labeled_statement") && f.Text(f.Child(c, "label")) == at.text() {
					return one(f.declared[f.Child(c, "label")])
				}
			}
			break
		}
	}
	return meant{}
}

// bases returns what a type embeds, and what another type is defined as.
func (l *golang) bases(b *Binder, d decl) (extended, implemented []*shape) {
	f := d.file
	t := d.node
	if f.is(t, "type_spec", "type_alias") {
		t = f.Child(t, "type")
	}
	switch f.Kind(t) {
	case "struct_type":
		for _, m := range f.children(f.first(t, "field_declaration_list")) {
			if f.Child(m, "name") == syntax.None {
				extended = append(extended, l.typeFrom(b, f.at(f.Child(m, "type"))))
			}
		}
	case "interface_type":
		for _, m := range f.children(t) {
			if f.is(m, "type_elem") && len(f.children(m)) == 1 {
				extended = append(extended, l.typeFrom(b, f.at(f.first(m))))
			}
		}
	case "type_identifier", "qualified_type", "generic_type", "pointer_type":
		extended = append(extended, l.typeFrom(b, f.at(t)))
	}
	return extended, nil
}
