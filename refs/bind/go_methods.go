package bind

import "sort"

// A method of a type stands for the methods of the interfaces that the type
// satisfies, and a method of an interface for those of the types that satisfy it:
// whoever calls the one may run the other. Two types that satisfy one interface
// have nothing in common, so only what is asked about is expanded.
//
// A type satisfies an interface when it has methods of all its names. The
// parameters are not compared.

// expand returns the methods that correspond to a method.
func (l *golang) expand(b *Binder, s *symbol) []*symbol {
	if !s.method || s.parent == nil {
		return nil
	}
	var out []*symbol
	for _, t := range b.typesWith(s.name) {
		if t == s.parent {
			continue
		}
		switch {
		case !s.parent.abstract && t.abstract && b.satisfies(s.parent, t), s.parent.abstract && b.satisfies(t, s.parent):
			out = append(out, t.members[s.name])
		}
	}
	return out
}

// typesWith returns the types that were read and declare a method, by file.
func (b *Binder) typesWith(name string) []*symbol {
	seen := map[*symbol]bool{}
	var out []*symbol
	add := func(s *symbol) {
		if m := s.members[name]; m != nil && m.method && !seen[s] {
			seen[s] = true
			out = append(out, s)
		}
	}
	for _, s := range b.goUniverse() {
		add(s)
	}
	var paths []string
	for p, f := range b.files {
		if f != nil {
			paths = append(paths, p)
		}
	}
	sort.Strings(paths)
	for _, p := range paths {
		for _, s := range b.files[p].declared {
			if s.parent != nil && s.name == name {
				add(s.parent)
			}
		}
	}
	return out
}

// satisfies reports whether a type has methods of all names that an interface has.
func (b *Binder) satisfies(t, iface *symbol) bool {
	names := map[string]bool{}
	if !b.methodNames(iface, names, 0) || len(names) == 0 {
		return false
	}
	for name := range names {
		found := b.find(&shape{kind: instance, sym: t}, name, 0)
		if len(found.syms) == 0 || !found.syms[0].sym.method {
			return false
		}
	}
	return true
}

// methodNames adds the names of an interface's methods. It reports false when some
// are not known.
func (b *Binder) methodNames(iface *symbol, names map[string]bool, deep int) bool {
	if deep > depth {
		return false
	}
	for name, m := range iface.members {
		if m.method {
			names[name] = true
		}
	}
	for _, base := range b.extended(iface) {
		if base == nil || base.sym == nil {
			return false
		}
		if base.sym.abstract && !b.methodNames(base.sym, names, deep+1) {
			return false
		}
	}
	return true
}
