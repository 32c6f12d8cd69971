package bind

import "codeintel/symbols/syntax"

// The uses of a constructor are written with other names: those of its class after
// new, and of classes that inherit it, and super in the constructors of classes that
// extend it.

// constructorOf returns the class whose constructor's name a place is.
func (f *file) constructorOf(at place) *symbol {
	m := f.Parent(at.node)
	if !f.is(m, "method_definition") || !f.In(at.node, "name") || f.Text(at.node) != "constructor" {
		return nil
	}
	return f.classSymbol(f.Parent(f.Parent(m)))
}

// constructors returns the names of the constructors that a class declares.
func (s *symbol) constructors() []place {
	var out []place
	for _, d := range s.decls {
		for _, m := range d.file.children(d.file.Child(d.node, "body")) {
			if name := d.file.Child(m, "name"); d.file.is(m, "method_definition", "method_signature") && d.file.Text(name) == "constructor" {
				out = append(out, d.file.at(name))
			}
		}
	}
	return out
}

// construct adds the constructors of the class that is asked about.
func (s *search) construct(class *symbol) {
	s.class, s.name = class, class.name
	s.roots[class], s.means = true, anyMeaning
	for _, c := range class.constructors() {
		s.found[Occurrence{Path: c.file.path, Range: c.file.Range(c.node), Declaration: true}] = true
	}
}

// constructs judges a place that stands for the class: whether it calls the
// constructor, or exports the class by its name. A class that extends it adds its own
// calls.
func (s *search) constructs(at place) bool {
	f := at.file
	n := at.node
	if f.is(f.Parent(n), "member_expression") && f.In(n, "property") {
		n = f.Parent(n)
	}
	p := f.Parent(n)
	switch f.Kind(p) {
	case "new_expression":
		return f.In(n, "constructor")
	case "export_specifier":
		return true
	case "extends_clause", "class_heritage":
		s.extend(f, f.enclosing(n, scriptClasses...))
	}
	return false
}

// extend adds the calls of super in a class, and those of the class itself when it
// inherits the constructor.
func (s *search) extend(f *file, class syntax.Node) {
	sub := f.classSymbol(class)
	if sub == nil {
		return
	}
	own := sub.constructors()
	for _, c := range own {
		fn := f.Parent(c.node)
		for n := fn; n < f.After(fn); n++ {
			if f.is(n, "super") && f.is(f.Parent(n), "call_expression") {
				s.found[Occurrence{Path: f.path, Range: f.Range(n)}] = true
			}
		}
	}
	if len(own) == 0 && !s.roots[sub] && sub.name != "" {
		s.roots[sub] = true
		s.words = append(s.words, sub.name)
	}
}
