package bind

import (
	"slices"
	"strings"

	"codeintel/symbols/syntax"
)

// resolve returns what the name at a node stands for.
func (l *python) resolve(b *Binder, at place) meant {
	f, n := at.file, at.node
	if f.is(n, "string_content") {
		return l.forward(b, at)
	}
	p := f.Parent(n)
	switch f.Kind(p) {
	case "attribute":
		if f.In(n, "attribute") {
			if m := l.attribute(b, f.at(p), f.Text(n)); len(m.syms) > 0 || f.declared[n] == nil {
				return m
			}
		}
	case "keyword_argument":
		if f.In(n, "name") {
			return l.keyword(b, f.at(f.Parent(f.Parent(p))), f.Text(n))
		}
	case "keyword_pattern":
		if f.first(p) == n {
			class := f.first(f.enclosing(n, "class_pattern"))
			return b.membersOf(l.instanceOf(b.value(f.at(class))), f.Text(n))
		}
	case "dotted_name":
		if m, ok := l.imported(b, at, p); ok {
			return m
		}
	}
	if s := f.declared[n]; s != nil {
		return one(s)
	}
	if !f.is(n, "identifier") {
		return meant{}
	}
	return l.lookup(b, l.scopeOf(f, n), f.Text(n))
}

// scopeOf returns the scope that a name is looked up from: what a parameter has by
// default is evaluated outside of the function.
func (l *python) scopeOf(f *file, n syntax.Node) *scope {
	for p := n; p != syntax.None && !f.is(p, "block"); p = f.Parent(p) {
		if f.In(p, "value") && f.is(f.Parent(p), "default_parameter", "typed_default_parameter") {
			return f.scopeAt(f.Parent(f.enclosing(p, "function_definition", "lambda")))
		}
	}
	return f.scopeAt(n)
}

// forward resolves a name in quotes where a type is expected.
func (l *python) forward(b *Binder, at place) meant {
	f := at.file
	for p := f.Parent(at.node); p != syntax.None; p = f.Parent(p) {
		if f.is(p, "type") {
			return l.lookup(b, f.scopeAt(at.node), f.Text(at.node))
		}
		if !f.is(p, "string") {
			break
		}
	}
	return meant{}
}

// imported resolves a name inside of an import statement: a name that another
// module has, or the first of a dotted module.
func (l *python) imported(b *Binder, at place, dotted syntax.Node) (meant, bool) {
	f := at.file
	outer := f.Parent(dotted)
	aliased := f.is(outer, "aliased_import")
	if aliased {
		outer = f.Parent(outer)
	}
	if !f.is(outer, "import_from_statement") || f.In(dotted, "module_name") || !aliased {
		return meant{}, f.is(outer, "import_statement", "relative_import") && f.declared[at.node] == nil
	}
	module := moduleRef{f, f.Text(f.Child(outer, "module_name"))}
	found, _ := b.memberOfModule(module, at.text())
	return one(found), true
}

// lookup binds a name to the innermost scope that has it. The names of a class are
// not seen in its functions.
func (l *python) lookup(b *Binder, s *scope, name string) meant {
	start := s
	for ; s != nil; s = s.outer {
		if s.class && s != start {
			continue
		}
		if to := s.elsewhere[name]; to != nil {
			s = to
		}
		if sym := s.names[name]; sym != nil {
			return one(sym)
		}
		for _, star := range s.stars {
			if found, _ := b.memberOfModule(star, name); found != nil {
				return one(found)
			}
		}
	}
	return meant{}
}

// memberOfModule returns what a module has under a name: what it defines or
// imports, or a module in its folder.
func (b *Binder) memberOfModule(r moduleRef, name string) (*symbol, bool) {
	if m := b.module(r); m != nil {
		if found, ok := b.exportOf(m, name, 0); found != nil || !ok {
			return found, ok
		}
	}
	sep := "."
	if strings.HasSuffix(r.specifier, ".") {
		sep = ""
	}
	m := b.module(moduleRef{r.from, r.specifier + sep + name})
	return m, m != nil
}

// attribute resolves the last name of a.b.c.
func (l *python) attribute(b *Binder, at place, name string) meant {
	f := at.file
	object := f.Child(at.node, "object")
	if m := l.module(b, f.at(object)); m != nil {
		if found, _ := b.exportOf(m, name, 0); found != nil {
			return one(found)
		}
		return meant{}
	}
	return b.membersOf(b.value(f.at(object)), name)
}

// module returns the module that an expression is: a name that an import binds, or
// the dotted name of an import a.b.c.
func (l *python) module(b *Binder, at place) *symbol {
	f := at.file
	switch f.Kind(at.node) {
	case "identifier":
		m := l.resolve(b, at)
		if len(m.syms) > 0 {
			if last := b.last(m.syms[0]); last != nil && last.file != nil {
				return last
			}
		}
	case "attribute":
		if f.Text(at.node) == "" {
			return nil
		}
		root := at.node
		for f.is(root, "attribute") {
			root = f.Child(root, "object")
		}
		m := l.resolve(b, f.at(root))
		if len(m.syms) > 0 && m.syms[0].alias != nil && m.syms[0].alias.name == "*" && m.syms[0].alias.module.specifier == f.Text(root) {
			if found := b.module(moduleRef{f, f.Text(at.node)}); found != nil {
				return found
			}
		}
		if m := l.attribute(b, at, f.Text(f.Child(at.node, "attribute"))); len(m.syms) > 0 {
			if last := b.last(m.syms[0]); last != nil && last.file != nil {
				return last
			}
		}
	}
	return nil
}

// keyword resolves the name of an argument in what the called function declares.
func (l *python) keyword(b *Binder, call place, name string) meant {
	f := call.file
	if !f.is(call.node, "call") {
		return meant{}
	}
	t := b.value(f.at(f.Child(call.node, "function")))
	if t == nil {
		return meant{}
	}
	if t.kind == static && t.sym != nil && t.sym.kind == class {
		if init := b.find(&shape{kind: instance, sym: t.sym}, "__init__", 0); len(init.syms) > 0 {
			t = b.typeOf(init.syms[0].sym)
		} else {
			return b.membersOf(&shape{kind: instance, sym: t.sym}, name) // a data class
		}
	}
	fn, ok := b.functionOf(t)
	if !ok {
		return meant{}
	}
	if s := fn.file.scopes[fn.node]; s != nil {
		return one(s.names[name])
	}
	return meant{}
}

// bases returns what a class extends.
func (l *python) bases(b *Binder, d decl) (extended, implemented []*shape) {
	f := d.file
	if !f.is(d.node, "class_definition") {
		return nil, nil
	}
	for _, c := range f.children(f.Child(d.node, "superclasses")) {
		if f.is(c, "keyword_argument") {
			continue
		}
		if f.is(c, "subscript") {
			c = f.Child(c, "value")
		}
		if slices.Contains([]string{"object", "ABC", "Protocol", "Generic", "Enum"}, f.Text(c)) && len(l.lookup(b, f.scopeAt(d.node), f.Text(c)).syms) == 0 {
			continue
		}
		extended = append(extended, l.instanceOf(b.value(f.at(c))))
	}
	return extended, nil
}

// python reports whether a class is one of Python.
func (s *symbol) python() bool {
	for _, d := range s.decls {
		if d.file != nil {
			_, ok := d.file.lang.(*python)
			return ok
		}
	}
	return false
}
