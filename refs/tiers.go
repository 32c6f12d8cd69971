package refs

import (
	"context"
	"path"
	"sort"

	"codeintel/index"
	"codeintel/refs/text"
	"codeintel/symbols"
)

// syntactic answers with the identifiers of the name, told apart from comments
// and strings, and from other symbols where the syntax shows it.
func (f *Finder) syntactic(ctx context.Context, s *index.Snapshot, t *target) (*Result, error) {
	if t.outline == nil {
		return nil, symbols.ErrNoGrammar
	}
	ms, err := f.mentions(ctx, s, t)
	if err != nil {
		return nil, err
	}
	r := &Result{Symbol: t.asked, Path: t.path, Precision: Syntactic}
	for _, d := range t.declared {
		if l, err := locate(t.doc, t.path, d.Selection); err == nil {
			if decl, ok := declarationAt(s, l, t.name); ok {
				r.Declarations = append(r.Declarations, decl)
			}
		}
	}
	for _, m := range ms {
		for _, tok := range m.tokens {
			if !t.mayBe(m, tok) {
				r.Elsewhere++
				continue
			}
			l, err := locate(m.doc, m.path, tok.Range)
			if err != nil {
				continue
			}
			r.References = append(r.References, Reference{Location: l, Precision: Syntactic, Declaration: t.declares(m.path, tok.Range)})
		}
	}
	r.Sort()
	return r, nil
}

func (t *target) declares(path string, r symbols.Range) bool {
	for _, d := range t.declared {
		if path == t.path && d.Selection == r {
			return true
		}
	}
	return false
}

// mayBe reports whether an identifier can be the target by its syntax alone.
func (t *target) mayBe(m mention, tok symbols.Identifier) bool {
	if len(t.declared) == 0 || t.declares(m.path, tok.Range) {
		return true
	}
	d := t.declared[0]
	if d.Local {
		return m.path == t.path && t.inScope(tok)
	}
	if definedElsewhere(m, tok) {
		return false
	}
	_, access := chainRoot(m.doc.Text(), tok.Range.Start)
	member := access || tok.Role == symbols.RoleMember
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
func (t *target) inScope(tok symbols.Identifier) bool {
	local := t.declared[0].Selection
	scope := symbols.Range{Start: 0, End: len(t.doc.Text())}
	for _, s := range t.outline.Symbols() {
		if s.IsCallable() && s.Selection != local && s.Range.Covers(local) && s.Range.Len() < scope.Len() {
			scope = s.Range
		}
	}
	return scope.Contains(tok.Range.Start)
}

// definedElsewhere reports whether the token is the name of another definition.
func definedElsewhere(m mention, tok symbols.Identifier) bool {
	for _, sym := range m.outline.Symbols() {
		if sym.Selection == tok.Range {
			return true
		}
	}
	return false
}

// sameScope reports whether a plain name in a document can mean the target: it
// is imported by name or by wildcard, or shares the target's package (Go), or is
// the declaring document itself. A top-level definition of the same name in the
// document takes it.
func (t *target) sameScope(m mention) bool {
	if m.path == t.path {
		return true
	}
	if defines(m.outline, t.name) {
		return false
	}
	if family(symbols.LanguageOf(t.path)) == "go" {
		return path.Dir(m.path) == path.Dir(t.path)
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

// viaModule reports whether a member access goes through an imported module or
// namespace, which is how a top-level symbol of another document is reached.
func (t *target) viaModule(m mention, tok symbols.Identifier) bool {
	_, imported := importOf(m, tok)
	return imported
}

// textual answers with whole words of every file that can be searched.
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
	for _, m := range found {
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
