package symbols

import (
	"bytes"
	"cmp"
	"fmt"
	"slices"
	"sort"
	"strings"

	"codeintel/symbols/syntax"
)

// Extract parses a document and returns its outline. Syntax errors do not make it
// fail: what can be read is in the outline, and [Outline.InError] says where not
// to trust it. It returns [ErrNoGrammar] when the document's language has none,
// [ErrNotebook] for a notebook that cannot be read, and [syntax.ErrTooSlow] for the
// rare text that is no code and would take minutes.
func Extract(d *Document) (*Outline, error) {
	if d.Language() == Markdown {
		x := &extraction{text: d.text}
		markdownScan(x)
		return x.outline(d), nil
	}
	return extract(d, (*syntaxTable).parse)
}

// extractByGrammar does the same without the parsers that languages have besides
// their grammars. Both must agree: it is what tests compare with.
func extractByGrammar(d *Document) (*Outline, error) {
	return extract(d, (*syntaxTable).parseByGrammar)
}

func extract(d *Document, parse func(*syntaxTable, []byte) (*syntax.Tree, error)) (*Outline, error) {
	table, err := d.table()
	if err != nil {
		return nil, err
	}
	if d.Language() == C && strings.HasSuffix(strings.ToLower(d.path), ".h") && isCPP(d.text) {
		if table, err = cppSyntax(); err != nil {
			return nil, fmt.Errorf("%s: %w", d.path, err)
		}
	}
	tree, err := parse(table, d.code())
	if err != nil {
		return nil, fmt.Errorf("%s: %w", d.path, err)
	}
	defer tree.Release()
	x := table.begin(tree, d.text)
	defer x.end()
	if table.spec.hides {
		x.hidden = names(table.spec.prepare(d.code()))
	}
	x.walk()
	x.reveal()
	return x.outline(d), nil
}

// begin returns an extraction in the memory of an earlier one.
func (t *syntaxTable) begin(tree *syntax.Tree, text []byte) *extraction {
	x, _ := t.extractions.Get().(*extraction)
	if x == nil {
		x = &extraction{}
	}
	x.table, x.tree, x.text, x.member = t, tree, text, syntax.None
	return x
}

// maxSeen is the number of names above which the memory of an extraction is not
// kept: it grows with the names of one document, and hardly any has more.
const maxSeen = 10_000

// end leaves the memory to a later extraction, without what the outline holds.
func (x *extraction) end() {
	if len(x.seen) > maxSeen || len(x.symbols) > maxSeen {
		return
	}
	clear(x.seen)
	clear(x.symbols)
	clear(x.scopes[:cap(x.scopes)])
	x.table.extractions.Put(&extraction{
		seen: x.seen, scopes: x.scopes[:0], comments: x.comments[:0],
		symbols: x.symbols[:0], tokens: x.tokens[:0],
	})
}

// An extraction is one walk over one tree.
type extraction struct {
	table *syntaxTable
	tree  *syntax.Tree
	text  []byte
	// hidden holds the names that the tree lacks, in source order.
	hidden []Range

	// scopes holds the scopes around the node of the walk, the file's first.
	scopes []scope
	// comments holds the comments met so far.
	comments []syntax.Node
	// attributes holds the attributes met so far.
	attributes []syntax.Node
	// ahead holds nodes to come that have been dealt with.
	ahead []syntax.Node
	// importing is the number after the last node of the import being walked,
	// member an identifier ahead that is a member.
	importing, member syntax.Node
	// seen holds the names that are defined once however often they are bound.
	seen map[binding]bool

	symbols []Symbol
	tokens  []token
	imports []Import
	faults  []Range // errors and missing tokens
	broken  []Range // what they spoil
	spoiled Range   // the lines that were spoiled last
	pkg     string
}

type binding struct {
	scope           int
	container, name string
}

// A scope is what definitions below a node belong to.
type scope struct {
	kind  scopeKind
	node  syntax.Node
	after syntax.Node // the scope ends before this node
	path  string      // the container of what is defined in it
	depth int         // the number of names in path
	// block and function are the [Symbol.Scope] of names that belong to the
	// innermost block and function.
	block, function int
	// inFunction reports a function around, inUnnamed one without a name.
	inFunction, inUnnamed bool
	// namespace says that the type scope is one of a namespace: a function in it is
	// no method.
	namespace bool
	// exports says that members here are those of the module.
	exports bool
	// decorated is the start of decorators that stand before the next member,
	// -1 when there are none.
	decorated int
}

type scopeKind uint8

const (
	fileScope scopeKind = iota
	functionScope
	typeScope
	valueScope // a variable or property: members of the object that it is bound to
	blockScope
	plainScope // inside a value, but what stands in it is no member of the value
)

// maxDepth is the number of names in a container, so that hostile nesting cannot
// make the names longer than the text.
const maxDepth = 32

// walk visits every node once, in source order. It neither recurses nor calls
// into C.
func (x *extraction) walk() {
	end := syntax.Node(x.tree.Len())
	x.scopes = append(x.scopes, scope{after: end, decorated: -1})
	flawed := x.tree.HasError(0)
	for n := syntax.Node(0); n < end; n++ {
		for x.top().after <= n {
			x.scopes = x.scopes[:len(x.scopes)-1]
		}
		kind := x.tree.Kind(n)
		if flawed && (kind == syntax.KindError || x.tree.Missing(n)) {
			x.fault(n)
			continue
		}
		if int(kind) >= len(x.table.rules) {
			continue
		}
		r := &x.table.rules[kind]
		if r.flags != 0 {
			x.note(r, n)
		}
		if r.visit != nil {
			r.visit(x, n)
		}
	}
}

// note does what a node's flags say.
func (x *extraction) note(r *rule, n syntax.Node) {
	switch {
	case r.flags&isIdentifier != 0:
		x.token(r, n)
	case r.flags&isComment != 0:
		if inner := x.table.spec.inner; inner == nil || !inner(x, n) {
			x.comments = append(x.comments, n)
		}
	case r.flags&isAttribute != 0:
		x.attributes = append(x.attributes, n)
	case r.flags&isFunction != 0 && r.visit == nil:
		if !x.taken(n) {
			x.function(n)
		}
	case r.flags&isBlock != 0:
		if p := x.tree.Parent(n); p == syntax.None || x.rule(p).flags&hasBody == 0 {
			x.open(blockScope, n, "")
		}
	case r.flags&isPlain != 0:
		if k := x.top().kind; k == valueScope || k == typeScope {
			x.open(plainScope, n, "")
		}
	}
}

// token records an identifier.
func (x *extraction) token(r *rule, n syntax.Node) {
	at := x.nameRange(n)
	if at.Len() == 0 {
		return
	}
	role := r.role
	if n < x.importing {
		role = RoleImport
	} else if n == x.member {
		role = RoleMember
	} else if x.isMember(n) {
		role = RoleMember
	}
	if x.excluded(x.text[at.Start:at.End]) {
		return
	}
	x.tokens = append(x.tokens, newToken(at.Start, at.End, role))
}

// reveal adds names that the tree lacks to the identifiers.
func (x *extraction) reveal() {
	for _, r := range x.hidden {
		x.tokens = append(x.tokens, newToken(r.Start, r.End, RolePlain))
	}
	if len(x.hidden) > 0 {
		slices.SortFunc(x.tokens, func(a, b token) int { return int(a.start) - int(b.start) })
	}
}

// nameRange returns the range of a name without the backquotes around it.
func (x *extraction) nameRange(n syntax.Node) Range {
	r := x.rangeOf(n)
	if r.Len() > 2 && x.text[r.Start] == '`' && x.text[r.End-1] == '`' {
		r = Range{r.Start + 1, r.End - 1}
	}
	return r
}

// excluded reports whether the language's table says that an identifier by its
// form is none.
func (x *extraction) excluded(name []byte) bool {
	spec := x.table.spec
	return spec.words != nil && slices.Contains(spec.words, string(name)) || spec.marks != "" && bytes.ContainsAny(name, spec.marks)
}

// isMember reports whether an identifier stands where the table says a member
// does.
func (x *extraction) isMember(n syntax.Node) bool {
	p := x.tree.Parent(n)
	if p == syntax.None {
		return false
	}
	r := x.rule(p)
	if r.flags&isPath != 0 {
		return n != x.tree.First(p)
	}
	return r.member != 0 && r.member == x.tree.Field(n) && (r.with == 0 || x.tree.Child(p, r.with) != syntax.None)
}

// word records a part of the node of the walk as an identifier.
func (x *extraction) word(r Range, role Role) {
	if r.Len() > 0 {
		x.tokens = append(x.tokens, newToken(r.Start, r.End, role))
	}
}

// function opens the scope of a function without a name.
func (x *extraction) function(n syntax.Node) {
	if immediate := x.table.spec.immediate; immediate != nil && !x.top().inFunction && immediate(x, n) {
		x.open(blockScope, n, "")
		return
	}
	x.open(functionScope, n, "")
	x.top().inUnnamed = true
}

// take says that a node ahead has been dealt with: a function by the name that it
// is bound to, the call of an import by its declaration.
func (x *extraction) take(n syntax.Node) { x.ahead = append(x.ahead, n) }

// taken reports whether a node has been dealt with.
func (x *extraction) taken(n syntax.Node) bool {
	for i := len(x.ahead) - 1; i >= 0; i-- {
		if x.ahead[i] == n {
			x.ahead = slices.Delete(x.ahead, i, i+1)
			return true
		}
	}
	return false
}

// open starts a scope that ends with node n. A name adds to the path.
func (x *extraction) open(kind scopeKind, n syntax.Node, name string) {
	s := *x.top()
	s.kind, s.node, s.after, s.decorated, s.exports, s.namespace = kind, n, x.tree.After(n), -1, false, false
	if name != "" && s.depth < maxDepth {
		s.path = qualify(s.path, name)
		s.depth++
	}
	switch kind {
	case functionScope:
		s.inFunction = true
		s.block = x.tree.Start(n) + 1
		s.function = s.block
	case blockScope:
		s.block = x.tree.Start(n) + 1
	}
	x.scopes = append(x.scopes, s)
}

func (x *extraction) top() *scope { return &x.scopes[len(x.scopes)-1] }

// inType reports whether the innermost scope is that of a type.
func (x *extraction) inType() bool {
	top := x.top()
	return top.kind == typeScope && !top.namespace
}

// around returns the innermost scope of a kind, nil when there is none.
func (x *extraction) around(kind scopeKind) *scope {
	for i := len(x.scopes) - 1; i >= 0; i-- {
		if x.scopes[i].kind == kind {
			return &x.scopes[i]
		}
	}
	return nil
}

// rule returns the rule of a node.
func (x *extraction) rule(n syntax.Node) *rule {
	k := x.tree.Kind(n)
	if int(k) >= len(x.table.rules) {
		return &rule{}
	}
	return &x.table.rules[k]
}

// kind returns the name of a node's kind, "" for no node.
func (x *extraction) kind(n syntax.Node) string {
	if n == syntax.None {
		return ""
	}
	return x.table.grammar.KindName(x.tree.Kind(n))
}

// parent returns the parent of a node, or none.
func (x *extraction) parent(n syntax.Node) syntax.Node {
	if n == syntax.None {
		return syntax.None
	}
	return x.tree.Parent(n)
}

// child returns the first child in a field, or none.
func (x *extraction) child(n syntax.Node, field string) syntax.Node {
	if n == syntax.None {
		return syntax.None
	}
	return x.tree.Child(n, x.field(field))
}

// field returns the number of a field, 0 when the grammar has none.
func (x *extraction) field(name string) syntax.Field {
	f, _ := x.table.grammar.Field(name)
	return f
}

// has reports whether a node has a child that is this keyword or mark.
func (x *extraction) has(n syntax.Node, token string) bool {
	return x.childOfKind(n, token) != syntax.None
}

// childOfKind returns the first child of a kind, or none.
func (x *extraction) childOfKind(n syntax.Node, kind string) syntax.Node {
	if n == syntax.None {
		return syntax.None
	}
	for c := x.tree.First(n); c != syntax.None; c = x.tree.Next(c) {
		if x.kind(c) == kind {
			return c
		}
	}
	return syntax.None
}

func (x *extraction) rangeOf(n syntax.Node) Range {
	return Range{x.tree.Start(n), x.tree.End(n)}
}

func (x *extraction) content(r Range) string { return string(x.text[r.Start:r.End]) }

func (x *extraction) textOf(n syntax.Node) string {
	if n == syntax.None {
		return ""
	}
	return x.content(x.rangeOf(n))
}

// outline puts what was found in order.
func (x *extraction) outline(d *Document) *Outline {
	if !slices.IsSortedFunc(x.symbols, inOrder) {
		slices.SortStableFunc(x.symbols, inOrder)
	}
	sort.Slice(x.imports, func(i, j int) bool { return x.imports[i].Range.Start < x.imports[j].Range.Start })
	o := &Outline{
		document: d, pkg: x.pkg, symbols: slices.Clone(x.symbols), tokens: slices.Clone(x.tokens), imports: x.imports,
		faults: x.faults, broken: merge(x.broken),
	}
	o.declare()
	o.nest()
	return o
}

// inOrder compares symbols by their starts, those around others first.
func inOrder(a, b Symbol) int {
	return cmp.Or(a.Range.Start-b.Range.Start, b.Range.End-a.Range.End)
}
