package refs

import (
	"bytes"
	"context"
	"slices"
	"sort"

	"codeintel/index"
	"codeintel/refs/bind"
	"codeintel/refs/text"
	"codeintel/symbols"
)

// syntactic answers with the identifiers of the name, told apart from comments
// and strings, and from other symbols where the syntax shows it: by binding the
// names in languages that package bind knows, by the form of the place in others.
func (f *Finder) syntactic(ctx context.Context, s *index.Snapshot, t *target) (*Result, error) {
	if t.outline == nil {
		return nil, symbols.ErrNoGrammar
	}
	r := &Result{Symbol: t.asked, Path: t.path, Precision: Syntactic}
	if bind.Knows(t.doc.Language()) {
		return r, f.bound(ctx, s, t, r)
	}
	ms, err := f.mentions(ctx, s, t)
	if err != nil {
		return nil, err
	}
	for _, d := range t.declared {
		if l, err := locate(t.doc, t.path, d.Selection); err == nil {
			if decl, ok := declarationAt(s, l, t.name); ok {
				r.Declarations = append(r.Declarations, decl)
			}
		}
	}
	meant := t.meant()
	for _, m := range ms {
		for _, tok := range m.tokens {
			if !t.mayBe(meant, m, tok) {
				r.Elsewhere++
				continue
			}
			l, err := locate(m.doc, m.path, tok.Range)
			if err != nil {
				continue
			}
			r.References = append(r.References, Reference{Location: l, Precision: Syntactic, Declaration: m.path == t.path && declares(meant, tok.Range)})
		}
	}
	r.Sort()
	return r, nil
}

// meant returns the definitions that the syntax alone takes the target for: the
// ones that were asked about with all that is merged with them, or the one thing
// of that name that the document defines when a use was asked about.
func (t *target) meant() []symbols.Symbol {
	found := t.declared
	if len(found) == 0 {
		found = t.outline.Lookup(t.name)
	}
	if len(found) == 0 || slices.ContainsFunc(found, func(s symbols.Symbol) bool { return !s.SameAs(found[0]) }) {
		return nil
	}
	var out []symbols.Symbol
	for _, sym := range t.outline.Symbols() {
		if sym.SameAs(found[0]) {
			out = append(out, sym)
		}
	}
	return out
}

func declares(meant []symbols.Symbol, r symbols.Range) bool {
	return slices.ContainsFunc(meant, func(s symbols.Symbol) bool { return s.Selection == r })
}

// mayBe reports whether an identifier can be one of the meant definitions by its
// syntax alone.
func (t *target) mayBe(meant []symbols.Symbol, m mention, tok symbols.Identifier) bool {
	if len(meant) == 0 || m.path == t.path && declares(meant, tok.Range) {
		return true
	}
	d := meant[0]
	if d.Local {
		return m.path == t.path && t.inScope(d, tok)
	}
	_, access := chainRoot(m.doc.Text(), tok.Range.Start)
	member := access || tok.Role == symbols.RoleMember
	if kind, defined := definition(m, tok); defined {
		// A member of the same name elsewhere can implement or override this one.
		return isMember(d.Kind) && isMember(kind)
	}
	if isMember(d.Kind) {
		return member || tok.Role == symbols.RoleDeclaration
	}
	if !member {
		return t.sameScope(m)
	}
	return t.viaModule(m, tok)
}

// isMember reports whether symbols of a kind are reached through a value.
func isMember(k symbols.Kind) bool {
	switch k {
	case symbols.Method, symbols.Property, symbols.Field, symbols.EnumMember:
		return true
	}
	return false
}

// inScope reports whether a token lies in the innermost function around the
// local that is asked about; a local function's uses stand outside itself.
func (t *target) inScope(d symbols.Symbol, tok symbols.Identifier) bool {
	local := d.Selection
	scope := symbols.Range{Start: 0, End: len(t.doc.Text())}
	for _, s := range t.outline.Symbols() {
		if s.IsCallable() && s.Selection != local && s.Range.Covers(local) && s.Range.Len() < scope.Len() {
			scope = s.Range
		}
	}
	return scope.Contains(tok.Range.Start)
}

// definition returns the kind of what the token names the definition of.
func definition(m mention, tok symbols.Identifier) (symbols.Kind, bool) {
	for _, sym := range m.outline.Symbols() {
		if sym.Selection == tok.Range {
			return sym.Kind, true
		}
	}
	return "", false
}

// sameScope reports whether a plain name in a document can mean the target: it
// is imported by name or by wildcard, or is in the declaring document itself. A
// top-level definition of the same name in the
// document takes it.
func (t *target) sameScope(m mention) bool {
	if m.path == t.path {
		return true
	}
	if defines(m.outline, t.name) {
		return false
	}
	for _, im := range m.outline.Imports() {
		if im.Wildcard {
			return true
		}
		for _, n := range im.Names {
			if n.Name == t.name || n.Alias == t.name {
				return true
			}
		}
	}
	return false
}

// isGlobal reports whether a TypeScript or JavaScript document is no module, so
// that its names are seen by all others.
func isGlobal(doc *symbols.Document) bool {
	for line := range bytes.Lines(doc.Text()) {
		line = bytes.TrimLeft(line, " \t")
		if bytes.HasPrefix(line, []byte("export ")) || bytes.HasPrefix(line, []byte("import ")) || bytes.Contains(line, []byte("require(")) {
			return false
		}
	}
	return true
}

// viaModule reports whether a member access goes through an imported module or
// namespace, which is how a top-level symbol of another document is reached.
func (t *target) viaModule(m mention, tok symbols.Identifier) bool {
	_, imported := importOf(m, tok)
	return imported
}

// textual answers with whole words of every file that can be searched, not those
// in comments and strings where there is a grammar.
func (f *Finder) textual(ctx context.Context, s *index.Snapshot, t *target) (*Result, error) {
	files := make([]string, 0, len(s.Files()))
	for _, file := range s.Files() {
		files = append(files, file.Path)
	}
	found, err := text.Search(ctx, text.Options{RG: f.opts.RG, Overlays: s.Overlays()}, s.Root(), files, t.name)
	if err != nil {
		return nil, err
	}
	r := &Result{Symbol: t.asked, Path: t.path, Precision: Textual}
	for _, m := range spoken(s, found) {
		l := Location{Path: m.Path, Range: symbols.Range{Start: m.Start, End: m.End},
			Line: m.Line, Column: m.Column, EndColumn: m.Column + m.End - m.Start}
		r.References = append(r.References, Reference{Location: l, Precision: Textual})
	}
	r.Sort()
	return r, nil
}

// definitionsByName finds definitions of the target's name in the workspace:
// the tier below a server's answer to "where is it defined".
func (f *Finder) definitionsByName(ctx context.Context, s *index.Snapshot, t *target) ([]Location, error) {
	if t.outline == nil {
		return nil, &NoServerError{Path: t.path, Language: symbols.LanguageOf(t.path), Why: "there is no grammar for this kind of file either"}
	}
	ms, err := f.mentions(ctx, s, t)
	if err != nil {
		return nil, err
	}
	var out []Location
	for _, m := range ms {
		for _, sym := range m.outline.Symbols() {
			if sym.Name != t.name || sym.Local {
				continue
			}
			if l, err := locate(m.doc, m.path, sym.Selection); err == nil {
				out = append(out, l)
			}
		}
	}
	sort.SliceStable(out, func(i, j int) bool { return before(out[i], out[j], t.path) })
	return out, nil
}
