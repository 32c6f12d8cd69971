package refs

import (
	"bytes"
	"context"
	"fmt"
	"slices"

	"codeintel/symbols"
)

// maxQuestions bounds the definitions asked for to tell other symbols of the
// name from what the server could not judge. A question costs about a
// millisecond on a warm server.
const maxQuestions = 800

// comparison tells the mentions that one server left out apart: other symbols
// of the same name, and places that the server could not judge.
type comparison struct {
	*hunt
	v         *server
	questions int
	united    map[string]bool            // documents at which references were asked too
	modules   map[string]map[string]bool // document → module → resolved
}

// compare looks at every identifier of the name that the answer leaves out.
// Identifiers of one document that hang on the same first name (pkg in
// pkg.Name) stand or fall together, so one question settles a group.
func (h *hunt) compare(ctx context.Context, v *server, ms []mention) error {
	c := &comparison{hunt: h, v: v, united: map[string]bool{}, modules: map[string]map[string]bool{}}
	for _, m := range ms {
		if why, cure, excluded := excludedGo(m.path, m.doc.Text(), h.f.opts.BuildTags); excluded {
			for _, tok := range c.left(m, m.tokens) {
				c.doubt(m, tok.Range, details{cause: why, cure: cure})
			}
			continue
		}
		if err := c.document(ctx, m); err != nil {
			return err
		}
	}
	return nil
}

// document settles all groups of one document. When another server can judge
// what is left open, the document is handed on instead of doubted.
func (c *comparison) document(ctx context.Context, m mention) error {
	doubts, others := len(c.unconfirmed), len(c.others)
	for _, group := range groups(m, c.left(m, m.tokens)) {
		if err := c.settle(ctx, m, group); err != nil {
			return err
		}
	}
	if m.defers && slices.ContainsFunc(c.unconfirmed[doubts:], func(u Unconfirmed) bool { return !u.final }) {
		c.unconfirmed, c.others = c.unconfirmed[:doubts], c.others[:others]
		m.defers = false
		c.deferred = append(c.deferred, m)
	}
	return nil
}

// left returns the tokens that are not in the answer yet.
func (h *hunt) left(m mention, tokens []symbols.Identifier) []symbols.Identifier {
	var out []symbols.Identifier
	for _, tok := range tokens {
		if !h.listed(m.path, tok.Range) {
			out = append(out, tok)
		}
	}
	return out
}

// listed reports whether the answer holds a range; servers include the quotes
// or the sigil of some names, so touching the start or the end is enough.
func (h *hunt) listed(path string, r symbols.Range) bool {
	if _, ok := h.found[place{path, r.Start, r.End}]; ok {
		return true
	}
	_, ok := h.found[place{path, r.Start - 1, r.End + 1}]
	return ok
}

// groups splits tokens by the first name of their member chain. Tokens in a
// region with errors stand alone: each can be judged differently.
func groups(m mention, tokens []symbols.Identifier) [][]symbols.Identifier {
	var out [][]symbols.Identifier
	at := map[string]int{}
	for _, tok := range tokens {
		key := groupKey(m, tok)
		i, known := at[key]
		if !known {
			i = len(out)
			at[key] = i
			out = append(out, nil)
		}
		out[i] = append(out[i], tok)
	}
	return out
}

// groupKey is equal for identifiers that mean the same if the syntax tells
// anything: those reached by the same way within one definition. Keys of
// literals and declarations stand alone, their type is not in the text.
func groupKey(m mention, tok symbols.Identifier) string {
	start := tok.Range.Start
	root, chained := chainRoot(m.doc.Text(), start)
	switch {
	case m.outline.InError(start), !chained && tok.Role != symbols.RolePlain && tok.Role != symbols.RoleImport:
		return fmt.Sprintf("\x01%d", start)
	case !chained:
		root.Start = start
	}
	scope := 0
	if around, ok := m.outline.Enclosing(start); ok {
		scope = around.Range.Start
	}
	return fmt.Sprintf("%d %s", scope, m.doc.Text()[root.Start:start])
}

// verdict is what a definition question says about an identifier.
type verdict int

const (
	other   verdict = iota // bound to another symbol
	ours                   // bound to the symbol that is asked about
	typings                // bound to the built typings of the symbol's package
	doubted                // not judged, for a cause
	unbound                // judged, and bound to nothing
)

// settle judges the tokens of one group.
func (c *comparison) settle(ctx context.Context, m mention, group []symbols.Identifier) error {
	for i, tok := range group {
		if c.listed(m.path, tok.Range) || c.bound[place{m.path, tok.Range.Start, tok.Range.End}] {
			continue // united or followed by an earlier question
		}
		if c.questions >= maxQuestions {
			c.unchecked += len(group) - i
			return nil
		}
		v, d, err := c.judge(ctx, m, tok)
		if err != nil {
			return err
		}
		switch v {
		case other:
			for _, rest := range c.left(m, group[i:]) {
				c.others = append(c.others, place{m.path, rest.Range.Start, rest.Range.End})
			}
			return nil
		case doubted:
			c.doubt(m, tok.Range, d)
			if d.whole {
				for _, rest := range c.left(m, group[i+1:]) {
					c.doubt(m, rest.Range, d)
				}
				return nil
			}
		case unbound:
			c.untypedUses = append(c.untypedUses, place{m.path, tok.Range.Start, tok.Range.End})
		case ours, typings:
			if !d.followed {
				c.others = append(c.others, place{m.path, tok.Range.Start, tok.Range.End})
			}
		}
	}
	return nil
}

// doubt records an occurrence that could not be judged.
func (h *hunt) doubt(m mention, r symbols.Range, d details) {
	if l, err := locate(m.doc, m.path, r); err == nil {
		h.unconfirmed = append(h.unconfirmed, Unconfirmed{Location: l, Cause: d.cause, Cure: d.cure, final: d.final})
	}
}

// details go with a verdict.
type details struct {
	cause, cure string
	whole       bool // the cause holds for the whole group
	followed    bool // listed by following an import, not by the server
	final       bool // no other server could judge it either
}

// judge asks for the definition of one identifier.
func (c *comparison) judge(ctx context.Context, m mention, tok symbols.Identifier) (verdict, details, error) {
	if err := c.v.ensureOpen(ctx, c.s, m.path); err != nil {
		if unreadable(err) {
			return doubted, details{cause: fmt.Sprintf("the file could not be read: %v", err), whole: true}, nil
		}
		return 0, details{}, err
	}
	c.questions++
	var hidden losses
	defs, err := c.v.definition(ctx, c.s, m.path, tok.Range.Start, &hidden)
	if err != nil && (ctx.Err() != nil || crashed(err)) {
		return 0, details{}, err
	}
	if len(defs) == 0 && hidden.blocked+hidden.unreadable > 0 {
		return other, details{}, nil // defined where we must not or cannot look
	}
	if len(defs) == 0 {
		return c.undefined(ctx, m, tok, err)
	}
	if c.allOurs(defs) {
		return c.unite(ctx, m, tok)
	}
	if module, in := importAt(m, defs); in {
		return c.viaImport(ctx, m, tok, module)
	}
	for _, d := range defs {
		if c.builtTypings(d.Path) {
			return c.typings(ctx, m, tok, d)
		}
	}
	return other, details{}, nil
}

// allOurs reports whether definitions are the symbol's and nobody else's. An
// interface and a constant of one name are two symbols to a server; a use that
// is bound to both says nothing about the one that was asked about.
func (c *comparison) allOurs(defs []Location) bool {
	for _, d := range defs {
		if _, is := c.decls[d.place()]; !is && !c.exported(d) {
			return false
		}
	}
	return true
}

// exported reports whether a definition is a place of the answer in an object of
// CommonJS exports (module.exports = { name }). tsserver lists that place, but
// not what imports it.
func (c *comparison) exported(d Location) bool {
	if _, known := c.found[d.place()]; !known || !isScript(d.Path) {
		return false
	}
	doc, err := c.s.Document(d.Path)
	if err != nil {
		return false
	}
	before := doc.Text()[:d.Range.Start]
	at := bytes.LastIndex(before, []byte("module.exports"))
	if at < 0 {
		return false
	}
	rest := bytes.TrimLeft(before[at+len("module.exports"):], " \t\r\n")
	rest, assigned := bytes.CutPrefix(rest, []byte("="))
	rest, object := bytes.CutPrefix(bytes.TrimLeft(rest, " \t\r\n"), []byte("{"))
	return assigned && object && !bytes.Contains(rest, []byte("}"))
}

// unite asks for references at a mention that the server binds to the symbol
// but did not list: its project is another view of the workspace (a second
// module, a project loaded later). Both answers are the symbol's.
func (c *comparison) unite(ctx context.Context, m mention, tok symbols.Identifier) (verdict, details, error) {
	if c.united[m.path] {
		return ours, details{}, nil
	}
	if c.answered(m.path) {
		// The view that answered knows this document, and left this place out.
		c.united[m.path] = true
		if m.outline.InError(tok.Range.Start) {
			return doubted, details{cause: "the statement has syntax errors", cure: "mend the syntax of " + m.path}, nil
		}
		return ours, details{}, nil
	}
	c.questions++
	locs, err := c.v.references(ctx, c.s, m.path, tok.Range.Start, &c.lost)
	if err != nil && (ctx.Err() != nil || crashed(err)) {
		return 0, details{}, err
	}
	if !holds(locs, m.path, tok.Range) {
		// Bound to the symbol, yet in no answer: a folder that is no package, say.
		return doubted, details{cause: c.v.info().Name + " binds the name to the symbol but does not list the place"}, nil
	}
	if !c.sameSymbol(locs) {
		return other, details{}, nil
	}
	c.united[m.path] = true
	for _, l := range locs {
		c.add(l)
	}
	return ours, details{}, nil
}

// holds reports whether locations include a range of a document.
func holds(locs []Location, path string, r symbols.Range) bool {
	return slices.ContainsFunc(locs, func(l Location) bool { return l.Path == path && l.Range == r })
}

// sameSymbol reports whether references asked at a mention are the symbol's:
// they share its declaration, or any place of the answer. A definition alone
// does not prove it, since a variable's can be the function that it holds.
func (h *hunt) sameSymbol(locs []Location) bool {
	for _, l := range locs {
		_, declares := h.decls[l.place()]
		if _, known := h.found[l.place()]; known || declares {
			return true
		}
	}
	return false
}

// answered reports whether the answer lists anything in a document.
func (h *hunt) answered(path string) bool { return h.in[path] > 0 }

// undefined finds out why an identifier has no definition. No cause means that
// the server judged it and it is bound to nothing it knows (a dynamic access).
func (c *comparison) undefined(ctx context.Context, m mention, tok symbols.Identifier, asked error) (verdict, details, error) {
	module, imported := importOf(m, tok)
	if imported {
		v, d, err := c.viaImport(ctx, m, tok, module)
		if err != nil || v != unbound {
			return v, d, err
		}
	}
	if !imported && tok.Role == symbols.RoleMember {
		if d, err := c.untyped(ctx, m); err != nil || d.cause != "" {
			return doubted, d, err
		}
	}
	if line, broken := firstError(m); broken {
		return doubted, details{cause: fmt.Sprintf("the file has syntax errors, the first on line %d", line), cure: "mend the syntax of " + m.path}, nil
	}
	if asked != nil {
		return doubted, details{cause: fmt.Sprintf("the file is not part of a project that %s loaded (%v)", c.v.info().Name, asked), whole: true}, nil
	}
	return unbound, details{}, nil
}

// untyped finds an import of a document that the server did not resolve: values
// that come from it have no type, so nothing is known of their members.
func (c *comparison) untyped(ctx context.Context, m mention) (details, error) {
	for _, im := range m.outline.Imports() {
		known, err := c.resolved(ctx, m, im.Module)
		if err != nil {
			return details{}, err
		}
		if !known {
			return details{
				cause: fmt.Sprintf("the type may hang on the import %q, which is unresolved", im.Module),
				cure:  c.cureImport(m.path, im.Module),
				final: !c.elsewhereResolvable(m.path, im.Module),
			}, nil
		}
	}
	return details{}, nil
}

// firstError returns the line of the first syntax error of a document.
func firstError(m mention) (int, bool) {
	errs := m.outline.Errors()
	if len(errs) == 0 {
		return 0, false
	}
	p, err := m.doc.OffsetPoint(errs[0].Start)
	return p.Line, err == nil
}
