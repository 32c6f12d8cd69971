package bind

import "slices"

// A shape is what is known of a type. The nil shape is not known.
type shape struct {
	kind shapeKind
	// sym is the type for an instance, the thing itself for a static shape.
	sym *symbol
	// at is the function's or the array's place.
	at place
	// elem is what an array holds, a promise gives, or a pointer leads to.
	elem *shape
	// parts are the alternatives of a union, or what an intersection unites.
	parts []*shape
	// args are the types that stand for type parameters.
	args map[*symbol]*shape
}

type shapeKind uint8

const (
	// plain has no members that a workspace defines: numbers, strings, any.
	plain shapeKind = iota
	instance
	static
	callable
	list // an array, a slice, a set: its elements are of one type
	promise
	union
	intersection
	tuple     // several results of a function
	parameter // a type parameter that nothing is known to stand for
)

// depth bounds the evaluation of types, which can lead in circles.
const depth = 24

// meant is what a place stands for.
type meant struct {
	syms []*symbol
	// unknown says that the place is a member of something whose type the text does
	// not tell.
	unknown bool
	// receivers are the types that members are reached through, when they are not
	// those that declare them.
	receivers []*symbol
}

func one(s *symbol) meant {
	if s == nil {
		return meant{}
	}
	return meant{syms: []*symbol{s}}
}

// newUnion returns the shape of one of several types. It is not known when one of
// them is not.
func newUnion(k shapeKind, parts ...*shape) *shape {
	var out []*shape
	for _, p := range parts {
		switch {
		case p == nil:
			return nil
		case p.kind == k:
			out = append(out, p.parts...)
		case p.kind == plain && k == union:
		default:
			out = append(out, p)
		}
	}
	switch len(out) {
	case 0:
		return &shape{}
	case 1:
		return out[0]
	}
	return &shape{kind: k, parts: out}
}

// subst puts types in the place of type parameters.
func subst(t *shape, args map[*symbol]*shape, deep int) *shape {
	if t == nil || len(args) == 0 || deep > depth {
		return t
	}
	if t.kind == parameter {
		if a, ok := args[t.sym]; ok {
			return a
		}
		return t
	}
	c := *t
	c.elem = subst(t.elem, args, deep+1)
	if t.kind == tuple || t.kind == list {
		c.parts = nil
		for _, p := range t.parts {
			c.parts = append(c.parts, subst(p, args, deep+1))
		}
	} else if len(t.parts) > 0 {
		c.parts = nil
		for _, p := range t.parts {
			c.parts = append(c.parts, subst(p, args, deep+1))
		}
		c = shapeOr(newUnion(t.kind, c.parts...))
	}
	// A function and a type literal use the type parameters around them.
	open := t.kind == callable || t.kind == instance && t.sym != nil && t.sym.name == ""
	if open || len(t.args) > 0 {
		c.args = map[*symbol]*shape{}
		for k, v := range t.args {
			c.args[k] = subst(v, args, deep+1)
		}
		if open {
			for k, v := range args {
				if _, own := c.args[k]; !own {
					c.args[k] = v
				}
			}
		}
	}
	return &c
}

func shapeOr(t *shape) shape {
	if t == nil {
		return shape{kind: union, parts: []*shape{nil}}
	}
	return *t
}

// membersOf returns what a name stands for in a type.
func (b *Binder) membersOf(t *shape, name string) meant {
	found := b.find(t, name, 0)
	m := meant{unknown: found.unknown}
	for _, s := range found.syms {
		if !slices.Contains(m.syms, s.sym) {
			m.syms = append(m.syms, s.sym)
		}
	}
	m.receivers = found.receivers
	return m
}

// A foundMember is a member with the types that stand for type parameters in the
// type that was looked into.
type foundMember struct {
	sym  *symbol
	args map[*symbol]*shape
}

type foundMembers struct {
	syms      []foundMember
	unknown   bool
	receivers []*symbol
}

func (m *foundMembers) add(o foundMembers) {
	m.syms = append(m.syms, o.syms...)
	m.unknown = m.unknown || o.unknown
	m.receivers = append(m.receivers, o.receivers...)
}

func (b *Binder) find(t *shape, name string, deep int) foundMembers {
	if t == nil || deep > depth {
		return foundMembers{unknown: true}
	}
	switch t.kind {
	case union, intersection:
		var all foundMembers
		for _, p := range t.parts {
			all.add(b.find(p, name, deep+1))
		}
		if len(all.syms) > 0 && t.kind == intersection {
			all.unknown = false
		}
		return all
	case instance:
		return b.findInstance(t, name, deep)
	case static, callable:
		if t.sym == nil {
			return foundMembers{}
		}
		if sym, ok := b.exportOf(t.sym, name, deep); sym != nil || !ok {
			return foundMembers{syms: someMember(sym), unknown: !ok}
		}
		return b.findStatic(t, name, deep)
	case parameter:
		return b.find(b.constraint(t.sym), name, deep+1)
	}
	return foundMembers{}
}

func someMember(s *symbol) []foundMember {
	if s == nil {
		return nil
	}
	return []foundMember{{sym: s}}
}

// findInstance looks for a member in a type and in what it extends.
func (b *Binder) findInstance(t *shape, name string, deep int) foundMembers {
	t.sym.pkg.complete(b, name)
	if s := t.sym.members[name]; s != nil {
		return foundMembers{syms: []foundMember{{s, t.args}}, receivers: []*symbol{t.sym}}
	}
	all := foundMembers{receivers: []*symbol{t.sym}}
	for _, base := range b.extended(t.sym) {
		inner := b.find(subst(base, t.args, 0), name, deep+1)
		all.unknown = all.unknown || inner.unknown
		all.syms = append(all.syms, inner.syms...)
		if len(all.syms) > 0 {
			all.unknown = false
			return all
		}
	}
	return all
}

func (b *Binder) findStatic(t *shape, name string, deep int) foundMembers {
	var all foundMembers
	for _, base := range b.extended(t.sym) {
		if base == nil {
			return foundMembers{unknown: true}
		}
		if base.sym != nil && base.kind == instance {
			all.add(b.find(&shape{kind: static, sym: base.sym}, name, deep+1))
		}
		if len(all.syms) > 0 {
			return all
		}
	}
	return all
}

// extended returns the types whose members a type has. A type that extends itself
// is an error and has none.
func (b *Binder) extended(s *symbol) []*shape {
	if known, ok := b.bases[s]; ok {
		return known
	}
	b.bases[s] = nil
	out := b.written(s)
	if b.above(s, s, 0) {
		out = nil
	}
	b.bases[s] = out
	return out
}

// written returns the types that a type says to extend.
func (b *Binder) written(s *symbol) []*shape {
	if known, ok := b.extends[s]; ok {
		return known
	}
	b.extends[s] = nil
	var out []*shape
	for _, d := range s.decls {
		if d.file != nil {
			extended, _ := d.file.lang.bases(b, d)
			out = append(out, extended...)
		}
	}
	b.extends[s] = out
	return out
}

// above reports whether a type is among those that another one extends.
func (b *Binder) above(s, from *symbol, deep int) bool {
	if deep > depth {
		return false
	}
	for _, base := range b.written(from) {
		if base != nil && base.sym != nil && (base.sym == s || b.above(s, base.sym, deep+1)) {
			return true
		}
	}
	return false
}

// declaredBases are the types that a type names as its bases: extended, also
// where an error keeps them from being, or implemented.
func (b *Binder) declaredBases(s *symbol) []*shape {
	var out []*shape
	for _, d := range s.decls {
		if d.file != nil {
			extended, implemented := d.file.lang.bases(b, d)
			out = append(append(out, extended...), implemented...)
		}
	}
	return out
}

// typeOf returns the type of a value that a symbol stands for.
func (b *Binder) typeOf(s *symbol) *shape {
	if s == nil {
		return nil
	}
	if t, ok := b.shapes[s]; ok {
		return t
	}
	if b.deep > depth {
		return nil
	}
	b.deep++
	b.shapes[s] = nil
	t := b.evaluate(s)
	b.shapes[s] = t
	b.deep--
	return t
}

func (b *Binder) evaluate(s *symbol) *shape {
	if s.alias != nil && s.name == "" && s.alias.target.file != nil {
		return b.value(s.alias.target)
	}
	if s.alias != nil {
		next, ok := b.next(s)
		if !ok {
			return nil
		}
		return b.typeOf(next)
	}
	switch s.kind {
	case class, namespace, function:
		return &shape{kind: static, sym: s}
	case enumMember:
		return &shape{}
	}
	for _, d := range s.decls {
		if d.file == nil {
			continue
		}
		if t := d.file.lang.typeOf(b, d); t != nil {
			return t
		}
	}
	return nil
}

// constraint returns what a type parameter extends.
func (b *Binder) constraint(s *symbol) *shape {
	for _, d := range s.decls {
		return d.file.lang.typeOf(b, d)
	}
	return nil
}
