package refs

import (
	"bytes"
	"errors"
	"fmt"
	"slices"
	"sort"

	"codeintel/index"
	"codeintel/refs/text"
	"codeintel/symbols"
)

// target is a resolved query: the places in one document at which a server is
// asked.
type target struct {
	// asked is the name as the user gave it, or the token at the point; name is
	// its last component.
	asked, name string
	path        string
	doc         *symbols.Document
	outline     *symbols.Outline // nil when the language has no grammar
	// asks are the name ranges to ask at: one, or one per united declaration.
	asks []symbols.Range
	// declared are the definitions that asks stand on; empty when the asked
	// place is a use.
	declared []symbols.Symbol
	// specifiers allows to ask at the module of an import.
	specifiers bool
}

// resolve finds what q names, in the order of the contract (§4.8.2): the token
// at the point, the definitions of that name, the import or first use of it.
func resolve(s *index.Snapshot, q Query) (*target, error) {
	doc, err := s.Document(q.Path)
	if err != nil {
		return nil, err
	}
	outline, err := s.Outline(q.Path)
	if err != nil && !errors.Is(err, symbols.ErrNoGrammar) {
		return nil, err
	}
	t := &target{asked: q.Symbol, name: lastComponent(q.Symbol), path: q.Path, doc: doc, outline: outline, specifiers: q.specifiers}
	if q.Point.Line > 0 {
		return t, t.atPoint(q.Point)
	}
	if t.name == "" {
		return nil, fmt.Errorf("references in %s: neither a symbol nor a position was given", q.Path)
	}
	if outline == nil {
		return t, t.firstWord()
	}
	return t, t.byName()
}

// lastComponent returns the bare name of a qualified one.
func lastComponent(name string) string {
	for i := len(name) - 1; i >= 0; i-- {
		switch name[i] {
		case '.', ':':
			return name[i+1:]
		}
	}
	return name
}

// atPoint resolves a line, or a line and column. A column that does not hold
// the name falls to the nearest occurrence on the same line, never to another
// line and never to another name.
func (t *target) atPoint(p symbols.Point) error {
	if p.Line > t.doc.LineCount() {
		return fmt.Errorf("%s has %d lines; line %d is past its end: %w", t.path, t.doc.LineCount(), p.Line, ErrPosition)
	}
	line := t.doc.LineRange(p.Line)
	if t.name == "" {
		return t.tokenAt(p)
	}
	at := line.Start
	if p.Column > 0 {
		var err error
		if at, err = t.doc.PointOffset(p); err != nil {
			return fmt.Errorf("%s: %w: %w", t.path, err, ErrPosition)
		}
	}
	best := symbols.Range{Start: -1}
	for _, r := range t.occurrences() {
		if r.Start < line.Start || r.Start >= line.End {
			continue
		}
		if best.Start < 0 || distance(r, at) < distance(best, at) {
			best = r
		}
	}
	if best.Start < 0 {
		return t.notFound(p.Line)
	}
	t.stand(best)
	return nil
}

// distance is the number of bytes between an offset and a range; 0 inside it.
func distance(r symbols.Range, at int) int {
	switch {
	case at < r.Start:
		return r.Start - at
	case at > r.End:
		return at - r.End
	}
	return 0
}

// tokenAt takes the identifier at p as the symbol. Where the syntax tree has
// none (a quoted property name, say) the word in the text is taken: the server
// decides what it is. What cannot be a name for any server is refused.
func (t *target) tokenAt(p symbols.Point) error {
	at, err := t.doc.PointOffset(p)
	if err != nil {
		return fmt.Errorf("%s: %w: %w", t.path, err, ErrPosition)
	}
	r := wordAt(t.doc.Text(), at)
	if t.outline != nil {
		if id, ok := t.outline.IdentifierAt(at); ok {
			r = id.Range
		} else if what := t.instead(r, at); what != "" {
			return &SymbolNotFoundError{Path: t.path, Line: p.Line, Column: p.Column, Instead: what}
		}
	}
	if r.Len() == 0 {
		return fmt.Errorf("%s:%d:%d is not on an identifier; give a symbol or another column: %w", t.path, p.Line, p.Column, ErrPosition)
	}
	t.name = string(t.doc.Text()[r.Start:r.End])
	t.asked = t.name
	t.stand(r)
	return nil
}

// instead says what stands at an offset that is no name: a comment, a string or a
// keyword. It is empty for what may be a name all the same: r is where a symbol
// has its name, or a property's name in quotes, or the syntax has errors there.
func (t *target) instead(r symbols.Range, at int) string {
	for _, sym := range t.outline.Symbols() {
		if sym.Selection.Touches(at) {
			return ""
		}
	}
	for _, im := range t.outline.Imports() {
		if t.specifiers && im.ModuleRange.Touches(at) {
			return ""
		}
	}
	passages, err := symbols.ReadPassages(t.doc)
	if err != nil {
		return ""
	}
	if r.Len() > 0 {
		at = r.Start
	}
	found, ok := passages.At(at)
	switch {
	case !ok:
		return ""
	case found.Kind == symbols.Comment && t.namedInComment(found.Range, r):
		return ""
	case found.Kind == symbols.Comment:
		return "a comment"
	case t.outline.InError(at):
		return ""
	case found.Kind == symbols.Keyword:
		return fmt.Sprintf("the keyword '%s'", t.doc.Text()[found.Range.Start:found.Range.End])
	case t.quotedName(r):
		return ""
	}
	return "a string"
}

// namedInComment reports whether the word at r is a name although it stands in a
// comment, in TypeScript or JavaScript: in the braces behind a tag of JSDoc or as
// the first word behind it (@param {Type} name, {@link Name}), or in a directive
// (/// <reference types="name" />).
func (t *target) namedInComment(comment, r symbols.Range) bool {
	text := t.doc.Text()
	if family(t.doc.Language()) != "typescript" || r.Len() == 0 {
		return false
	}
	if whole := text[comment.Start:comment.End]; !bytes.HasPrefix(whole, []byte("/**")) {
		return bytes.HasPrefix(whole, []byte("///")) && bytes.Contains(whole, []byte("<reference"))
	}
	before := text[comment.Start:r.Start]
	tag := bytes.LastIndexByte(before, '@')
	if tag < 0 {
		return false
	}
	before = before[tag:]
	open, shut := bytes.Count(before, []byte("{")), bytes.Count(before, []byte("}"))
	if open > shut {
		return true
	}
	end := bytes.IndexAny(before, " \t\r\n")
	if shut > 0 {
		end = bytes.LastIndexByte(before, '}') + 1
	}
	return end >= 0 && len(bytes.Trim(before[end:], " \t[")) == 0
}

// quotedName reports whether the word at r is a property's name in quotes, in
// TypeScript or JavaScript: object["name"], { "name": value }.
func (t *target) quotedName(r symbols.Range) bool {
	text := t.doc.Text()
	if family(t.doc.Language()) != "typescript" || r.Len() == 0 || r.Start == 0 || r.End == len(text) {
		return false
	}
	quote := text[r.Start-1]
	if quote != '\'' && quote != '"' || text[r.End] != quote {
		return false
	}
	before := bytes.TrimRight(text[:r.Start-1], " \t\r\n")
	after := bytes.TrimLeft(text[r.End+1:], " \t\r\n")
	return bytes.HasSuffix(before, []byte("[")) && bytes.HasPrefix(after, []byte("]")) || bytes.HasPrefix(after, []byte(":"))
}

// stand makes r the only place to ask at.
func (t *target) stand(r symbols.Range) {
	t.asks = []symbols.Range{r}
	if t.outline == nil {
		return
	}
	for _, sym := range t.outline.Symbols() {
		if sym.Selection == r {
			t.declared = []symbols.Symbol{sym}
			return
		}
	}
}

// byName resolves a name through the document's definitions.
func (t *target) byName() error {
	found := t.outline.Lookup(t.asked)
	if len(found) == 0 {
		return t.byUse()
	}
	if slices.ContainsFunc(found, func(s symbols.Symbol) bool { return !s.SameAs(found[0]) }) {
		return t.ambiguous(found)
	}
	for _, sym := range found {
		t.asks = append(t.asks, sym.Selection)
		t.declared = append(t.declared, sym)
	}
	return nil
}

func (t *target) ambiguous(syms []symbols.Symbol) error {
	e := &AmbiguousError{Symbol: t.asked, Path: t.path}
	for _, s := range syms {
		e.Candidates = append(e.Candidates, candidate(t.path, t.doc, s))
	}
	return e
}

func candidate(path string, doc *symbols.Document, s symbols.Symbol) Candidate {
	p, err := doc.OffsetPoint(s.Selection.Start)
	if err != nil {
		p = symbols.Point{Line: 1, Column: 1}
	}
	return Candidate{Path: path, Line: p.Line, Column: p.Column, Symbol: s}
}

// byUse resolves a name that the document does not define: its import, else its
// first use. Only a bare name can be resolved so; a qualified one must match a
// definition, or a member access written exactly so.
func (t *target) byUse() error {
	if t.asked != t.name {
		if r, ok := t.qualifiedUse(); ok {
			t.stand(r)
			return nil
		}
		return t.notFound(0)
	}
	imports := map[string]symbols.Range{}
	for _, im := range t.outline.Imports() {
		for _, n := range im.Names {
			if n.Name == t.name || n.Alias == t.name {
				if _, seen := imports[im.Module]; !seen {
					imports[im.Module] = n.Range
				}
			}
		}
	}
	if len(imports) > 1 {
		return t.ambiguousImports(imports)
	}
	for _, r := range imports {
		t.stand(t.within(r))
		return nil
	}
	uses := t.outline.Named(t.name)
	if len(uses) == 0 {
		return t.notFound(0)
	}
	t.stand(uses[0].Range)
	return nil
}

// qualifiedUse finds the first use written exactly as asked (pkg.Name).
func (t *target) qualifiedUse() (symbols.Range, bool) {
	qualifier := len(t.asked) - len(t.name)
	for _, id := range t.outline.Named(t.name) {
		start := id.Range.Start - qualifier
		if start >= 0 && string(t.doc.Text()[start:id.Range.End]) == t.asked {
			return id.Range, true
		}
	}
	return symbols.Range{}, false
}

// within narrows the range of an import clause to the name itself.
func (t *target) within(r symbols.Range) symbols.Range {
	for _, id := range t.outline.Named(t.name) {
		if id.Range.Start >= r.Start && id.Range.End <= r.End {
			return id.Range
		}
	}
	return r
}

func (t *target) ambiguousImports(imports map[string]symbols.Range) error {
	e := &AmbiguousError{Symbol: t.asked, Path: t.path}
	for module, r := range imports {
		e.Candidates = append(e.Candidates, candidate(t.path, t.doc, symbols.Symbol{
			Name: t.name, Container: module, Kind: "import", Selection: t.within(r),
		}))
	}
	sort.Slice(e.Candidates, func(i, j int) bool {
		a, b := e.Candidates[i], e.Candidates[j]
		return a.Line < b.Line || a.Line == b.Line && a.Column < b.Column
	})
	return e
}

// firstWord resolves a name in a document without a grammar.
func (t *target) firstWord() error {
	words := t.occurrences()
	if len(words) == 0 {
		return t.notFound(0)
	}
	t.stand(words[0])
	return nil
}

// occurrences returns the name's identifiers, or its whole words where there is
// no grammar, in order.
func (t *target) occurrences() []symbols.Range {
	var out []symbols.Range
	if t.outline != nil {
		for _, id := range t.outline.Named(t.name) {
			out = append(out, id.Range)
		}
		return out
	}
	return text.Words(t.doc.Text(), t.name)
}

func (t *target) notFound(line int) error {
	e := &SymbolNotFoundError{Symbol: t.asked, Path: t.path, Line: line}
	for _, r := range t.occurrences() {
		p, err := t.doc.OffsetPoint(r.Start)
		if err != nil || len(e.Lines) == 5 {
			break
		}
		if len(e.Lines) == 0 || e.Lines[len(e.Lines)-1] != p.Line {
			e.Lines = append(e.Lines, p.Line)
		}
	}
	if len(e.Lines) == 0 && t.outline != nil {
		e.Nearest = t.outline.Nearest(t.name, 5)
	}
	return e
}
