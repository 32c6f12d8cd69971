package symbols

import (
	"bytes"
	"slices"
	"sort"
	"strings"

	"codeintel/symbols/syntax"
)

// A definition is what a visit found, before its place is worked out.
type definition struct {
	node syntax.Node // the definition as a whole
	kind Kind
	// name is the place of the name; text is the name where it is not just what
	// stands there.
	name Range
	text string

	// in is the scope that the symbol belongs to, the innermost when nil; container
	// replaces the container that it says.
	in        *scope
	container *string
	// function or class is what the name is bound to, when it is one; value is
	// anything it is bound to: members in it belong to the name. 0 is none.
	function, class, value syntax.Node
	callable               bool
	// hoisted says that the name belongs to the whole function, not to the block.
	hoisted bool
	// once says that a name bound again in the same scope is no second definition.
	once bool
	// local says that the symbol is local whatever the scopes say.
	local bool
	// signature says that this is callable but has no body.
	signature bool
	// span is the range of the definition without its comment where that is not the
	// node's: one that several nodes make.
	span Range
	// bodied says that there is a body which the grammar names otherwise; leaf that
	// what is inside does not belong to the symbol.
	bodied, leaf bool
	// alone says that the range is the node itself, without comment and wrappers.
	alone bool
}

// bindNames defines every name of some kinds in a pattern, each for itself. What
// pass reports is passed over with all that is in it.
func (x *extraction) bindNames(pattern syntax.Node, d definition, kinds []string, pass func(syntax.Node) bool) {
	if pattern == syntax.None {
		return
	}
	d.alone = true
	for c := pattern; c < x.tree.After(pattern); c++ {
		if pass != nil && pass(c) {
			c = x.tree.After(c) - 1
			continue
		}
		if slices.Contains(kinds, x.kind(c)) {
			d.node, d.name = c, x.nameRange(c)
			x.define(d)
		}
	}
}

// childrenIn returns the children of a node in a field.
func (x *extraction) childrenIn(n syntax.Node, field string) []syntax.Node {
	var out []syntax.Node
	f := x.field(field)
	for c := x.tree.First(n); c != syntax.None; c = x.tree.Next(c) {
		if x.tree.Field(c) == f && x.tree.Named(c) {
			out = append(out, c)
		}
	}
	return out
}

// unnamedType opens the scope of a type that no name reaches.
func (x *extraction) unnamedType(n syntax.Node) {
	x.open(typeScope, n, "")
	x.top().block = x.tree.Start(n) + 1
	x.top().inUnnamed = true
}

// newDefinition returns the definition of node n named by another node.
func (x *extraction) newDefinition(n, name syntax.Node, kind Kind) definition {
	return definition{node: n, kind: kind, name: x.nameRange(name)}
}

// defineRow defines what a row of a table says.
func (x *extraction) defineRow(row definitionRow, n syntax.Node) {
	name := x.child(n, row.name)
	if name == syntax.None {
		return
	}
	d := x.newDefinition(n, name, row.kind)
	if row.member != "" && x.inType() {
		d.kind = row.member
	}
	x.define(d)
}

// define records a symbol and opens the scope of what is inside it.
func (x *extraction) define(d definition) {
	if d.name.Len() == 0 {
		return
	}
	if d.text == "" {
		d.text = x.content(d.name)
	}
	if d.text == x.table.spec.blank && !d.kind.IsCallable() {
		return
	}
	if s, ok := x.symbol(d); ok {
		x.symbols = append(x.symbols, s)
	}
	if !d.leaf {
		x.enter(d)
	}
}

// symbol works out the symbol of a definition; ok is false when its name is
// defined already.
func (x *extraction) symbol(d definition) (s Symbol, ok bool) {
	in := d.in
	if in == nil {
		in = x.top()
	}
	s = Symbol{Name: d.text, Container: in.path, Kind: d.kind, Selection: d.name, Scope: in.block}
	if d.container != nil {
		s.Container = *d.container
	}
	if d.hoisted {
		s.Scope = in.function
	}
	s.Callable = d.callable || d.function > 0 || d.kind.IsCallable()
	s.Signature = d.signature || !x.table.spec.whole && d.kind.IsCallable() && d.function <= 0 && !d.bodied && x.child(d.node, "body") == syntax.None
	s.Local = d.local || in.isLocal(d.kind)
	if d.once && !x.see(binding{s.Scope, s.Container, s.Name}) {
		return s, false
	}
	s.Range, s.Header = x.extent(d)
	return s, true
}

// see remembers a binding and reports whether it is new.
func (x *extraction) see(b binding) bool {
	if x.seen[b] {
		return false
	}
	if x.seen == nil {
		x.seen = map[binding]bool{}
	}
	x.seen[b] = true
	return true
}

// isLocal reports whether a definition of a kind in the scope is local.
func (in *scope) isLocal(k Kind) bool {
	switch {
	case k == Parameter, k == TypeParameter, in.inUnnamed:
		return true
	case k == Variable, k == Constant:
		return in.inFunction
	case k == Property, k == Field:
		return in.inFunction && in.kind != typeScope
	}
	return false
}

// enter opens the scope that a definition makes, if any.
func (x *extraction) enter(d definition) {
	if bound := max(d.function, d.class); bound > 0 {
		x.take(bound)
	}
	kind := valueScope
	switch {
	case d.callable, d.function > 0, d.kind.IsCallable():
		kind = functionScope
	case d.kind.IsType(), d.kind == Namespace:
		kind = typeScope
	case d.value <= 0:
		return
	}
	x.open(kind, d.node, d.text)
	top := x.top()
	top.namespace = d.kind == Namespace
	if d.container != nil && top.depth <= maxDepth {
		top.path = qualify(*d.container, d.text)
	} else if d.in != nil && d.in.depth < maxDepth {
		top.path = qualify(d.in.path, d.text)
	}
}

// tooDeep reports whether a container as it is written has more names than a
// container may have.
func tooDeep(container string) bool { return strings.Count(container, ".") >= maxDepth }

// extent returns the range of a definition and where it begins after its comment.
func (x *extraction) extent(d definition) (r Range, header int) {
	if d.alone {
		r = x.trimmed(d.node)
		return r, r.Start
	}
	outer := x.outer(d.node)
	r = d.span
	if r.Len() == 0 {
		r = x.trimmed(outer)
	}
	if top := x.top(); top.kind == typeScope && top.decorated >= 0 {
		r.Start = min(r.Start, top.decorated)
		top.decorated = -1
	}
	r.Start = x.unhidden(r.Start)
	header = x.attributed(outer, r.Start)
	r.Start = x.docStart(outer, header)
	return r, header
}

// unhidden returns where the hidden name directly before an offset on its line
// starts, or the offset.
func (x *extraction) unhidden(offset int) int {
	i := sort.Search(len(x.hidden), func(i int) bool { return x.hidden[i].End > offset }) - 1
	if i < 0 || len(bytes.Trim(x.text[x.hidden[i].End:offset], " \t")) > 0 {
		return offset
	}
	return x.hidden[i].Start
}

// trimmed returns the range of a node without the blanks and line breaks that some
// grammars count as its end.
func (x *extraction) trimmed(n syntax.Node) Range {
	r := x.rangeOf(n)
	r.End = r.Start + len(bytes.TrimRight(x.text[r.Start:r.End], " \t\r\n"))
	return r
}

// attributed returns where the attributes directly before a definition start, or
// the definition's own start. Only comments may stand between.
func (x *extraction) attributed(n syntax.Node, start int) int {
	for i := len(x.attributes) - 1; i >= 0; i-- {
		a := x.attributes[i]
		if a >= n {
			continue
		}
		if x.tree.Parent(a) != x.tree.Parent(n) || !x.onlyComments(x.tree.After(a), n) {
			break
		}
		n, start = a, x.tree.Start(a)
	}
	return start
}

// onlyComments reports whether there are no siblings but comments from a node to
// one before another.
func (x *extraction) onlyComments(from, to syntax.Node) bool {
	for from < to && x.rule(from).flags&isComment != 0 {
		from = x.tree.After(from)
	}
	return from == to
}

// outer climbs from a definition over the nodes that belong to it alone.
func (x *extraction) outer(n syntax.Node) syntax.Node {
	for {
		p := x.tree.Parent(n)
		if p == syntax.None || x.rule(p).flags&isWrapper == 0 || !x.sole(p, n) {
			return n
		}
		n = p
	}
}

// sole reports whether a wrapper holds only this definition: no other of its kind
// and no parentheses for more. It looks at no more children than it must, as a
// declaration may have thousands.
func (x *extraction) sole(wrapper, n syntax.Node) bool {
	same := 0
	for c := x.tree.First(wrapper); c != syntax.None; c = x.tree.Next(c) {
		if !x.tree.Named(c) {
			if x.kind(c) == "(" {
				return false
			}
			continue
		}
		if x.tree.Kind(c) == x.tree.Kind(n) {
			same++
		}
		if same > 1 {
			return false
		}
	}
	return true
}

// decorator remembers a decorator that stands beside the member it belongs to.
func (x *extraction) decorator(n syntax.Node) {
	if top := x.top(); top.kind == typeScope && top.decorated < 0 {
		top.decorated = x.tree.Start(n)
	}
}

// docStart returns where the comments directly above the offset of a definition
// start, or the offset. Directly above means whole lines and no blank line between.
func (x *extraction) docStart(n syntax.Node, offset int) int {
	at := offset
	for i := len(x.comments) - 1; i >= 0; i-- {
		c := x.trimmed(x.comments[i])
		if c.Start >= at {
			continue
		}
		if c.End > at || !adjacent(x.text[c.End:at]) || !startsLine(x.text, c.Start) || x.apart(x.comments[i], n) {
			break
		}
		at = c.Start
	}
	return at
}

// apart reports whether a comment stands in a definition that a later node is no
// part of.
func (x *extraction) apart(comment, n syntax.Node) bool {
	for p := x.parent(comment); p != syntax.None && x.tree.After(p) <= n; p = x.parent(p) {
		if x.rule(p).visit != nil {
			return true
		}
	}
	return false
}

// adjacent reports whether there is only blank space with at most one line break.
func adjacent(gap []byte) bool {
	return len(bytes.TrimSpace(gap)) == 0 && bytes.Count(gap, []byte{'\n'}) <= 1
}

// startsLine reports whether only blanks stand before an offset in its line.
func startsLine(text []byte, offset int) bool {
	for offset > 0 {
		switch text[offset-1] {
		case ' ', '\t':
			offset--
		case '\n':
			return true
		default:
			return false
		}
	}
	return true
}
