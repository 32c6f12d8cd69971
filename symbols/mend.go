package symbols

import (
	"bytes"
	"sort"

	"codeintel/symbols/syntax"
)

// Some correct code is not in a grammar. Where an error stands at such a place,
// the text is parsed again with bytes replaced by others of the same number that
// mean the same to this package. Offsets stay what they are, and names are always
// read from the true text.

// An edit replaces the bytes at an offset by as many others.
type edit struct {
	at   int
	with string
	// name says that the bytes are a name, which is one of the text's identifiers
	// though the grammar does not see it.
	name bool
}

// maxMends is the number of times that a text is parsed again: one error can hide
// the next.
const maxMends = 4

// parse parses a text, mended where the language's table says how.
func (t *syntaxTable) parse(text []byte) (*syntax.Tree, error) {
	if t.native != nil {
		if tree := t.native(text); tree != nil {
			return tree, nil
		}
	}
	return t.parseByGrammar(text)
}

// parseByGrammar parses a text with its grammar.
func (t *syntaxTable) parseByGrammar(text []byte) (*syntax.Tree, error) {
	if t.spec.prepare != nil {
		text = apply(text, t.spec.prepare(text))
	}
	draft, err := t.grammar.Draft(text)
	if err != nil {
		return nil, err
	}
	m := &mending{spec: t.spec, draft: draft, text: text}
	defer func() { m.draft.Close() }()
	if t.spec.mend != nil {
		m.faults, m.left = draft.Faults(maxFaultsJudged)
	}
	for n := 0; n < maxMends && m.left > 0; n++ {
		if !m.again() {
			break
		}
	}
	return m.draft.Tree(), nil
}

// A mending is a text that is parsed again and again.
type mending struct {
	spec  *languageSpec
	draft *syntax.Draft // the best so far
	text  []byte
	// faults are the first faults of the draft, left is the number of all.
	faults []syntax.Place
	left   int
}

// again mends what the faults allow and reports whether fewer are left.
func (m *mending) again() bool {
	var edits []edit
	for _, f := range m.faults {
		edits = append(edits, m.spec.mend(m.text, Range(f))...)
	}
	if len(edits) == 0 {
		return false
	}
	changes := make([]syntax.Place, len(edits))
	for i, e := range edits {
		changes[i] = syntax.Place{Start: e.at, End: e.at + len(e.with)}
	}
	text := apply(m.text, edits)
	draft, err := m.draft.Change(text, changes)
	if err != nil {
		return false // the text as it is will do
	}
	faults, left := draft.Faults(maxFaultsJudged)
	if left >= m.left {
		draft.Close()
		return false
	}
	m.draft.Close()
	m.draft, m.text, m.faults, m.left = draft, text, faults, left
	return true
}

// names returns the places of the names that edits hide, in source order.
func names(edits []edit) []Range {
	var out []Range
	for _, e := range edits {
		if e.name {
			out = append(out, Range{e.at, e.at + len(e.with)})
		}
	}
	sort.Slice(out, func(i, j int) bool { return out[i].Start < out[j].Start })
	return out
}

// apply returns a text with edits made; the text itself when there are none.
func apply(text []byte, all []edit) []byte {
	if len(all) == 0 {
		return text
	}
	out := bytes.Clone(text)
	for _, e := range all {
		copy(out[e.at:], e.with)
	}
	return out
}

// mendScript mends what the JavaScript and the TypeScript grammars lack: a plain &
// in the text and the attributes of JSX.
func mendScript(text []byte, fault Range) []edit {
	if bytes.HasPrefix(text[fault.Start:], []byte("&")) {
		return []edit{{at: fault.Start, with: " "}}
	}
	return nil
}

// prepareTypeScript makes declarations with using ones with const. The grammar
// knows no using, but reads it without an error as something else.
func prepareTypeScript(text []byte) []edit {
	var out []edit
	for at := 0; ; {
		i := bytes.Index(text[at:], []byte("using "))
		if i < 0 {
			return out
		}
		start := at + i
		at = start + len("using ")
		name := wordAt(text, at+len(text[at:])-len(bytes.TrimLeft(text[at:], " \t")))
		if start > 0 && (isWord(text[start-1]) || text[start-1] == '.') || name.Len() == 0 {
			continue
		}
		switch rest := bytes.TrimLeft(text[name.End:], " \t"); {
		case bytes.HasPrefix(rest, []byte("of ")), bytes.HasPrefix(rest, []byte(":")):
		case bytes.HasPrefix(rest, []byte("=")) && !bytes.HasPrefix(rest, []byte("==")) && !bytes.HasPrefix(rest, []byte("=>")):
		default:
			continue
		}
		out = append(out, edit{at: start, with: "const"})
		if before := wordAt(text, lastByte(text, start)); string(text[before.Start:before.End]) == "await" {
			out = append(out, edit{at: before.Start, with: "     "})
		}
	}
}

// mendTypeScript mends what the TypeScript grammar lacks, besides: the variance of
// type parameters (in T, out T), exports of types from a module (export type * from),
// and call signatures that follow another without a mark between them.
func mendTypeScript(text []byte, fault Range) []edit {
	word := wordAt(text, fault.Start)
	before := wordAt(text, lastByte(text, word.Start))
	for _, r := range []Range{word, before} {
		switch string(text[r.Start:r.End]) {
		case "in", "out":
			switch previous(text, r.Start) {
			case '<', ',', 'n', '/': // in out T; the end of a comment
				return []edit{{at: r.Start, with: "   "[:r.Len()]}}
			}
		case "type":
			if next(text, r.End) == '*' && previous(text, r.Start) == 't' { // t of export
				return []edit{{at: r.Start, with: "    "}}
			}
		}
	}
	if edits := mendSignature(text, fault); edits != nil {
		return edits
	}
	return mendScript(text, fault)
}

// mendSignature ends the line before a ( or < that begins a line: in a type, that
// begins a new member.
func mendSignature(text []byte, fault Range) []edit {
	at := fault.Start
	if fault.Len() == 0 || at < len(text) && (text[at] == '\n' || text[at] == '\r') {
		at += len(text[at:]) - len(bytes.TrimLeft(text[at:], " \t\r\n"))
	}
	if at >= len(text) || text[at] != '<' && text[at] != '(' || !startsLine(text, at) {
		return nil
	}
	end := codeEnd(text, at)
	switch previous(text, max(0, end)) {
	case 0, '{', ';', ',', '/':
		return nil
	}
	return []edit{{at: end, with: ";"}}
}

// codeEnd returns the offset of the line break that ends the nearest line of code
// before the line of an offset, or -1. Lines of comment and blank lines are passed
// over; a comment behind code has no place for a mark.
func codeEnd(text []byte, at int) int {
	for range maxCommentLines {
		end := bytes.LastIndexByte(text[:at], '\n')
		if end < 0 {
			return -1
		}
		at = bytes.LastIndexByte(text[:end], '\n') + 1
		line := bytes.TrimSpace(text[at:end])
		if len(line) == 0 || bytes.HasPrefix(line, []byte("//")) || line[0] == '*' || bytes.HasPrefix(line, []byte("/*")) {
			continue
		}
		if bytes.Contains(line, []byte("//")) {
			return -1
		}
		return end
	}
	return -1
}

// maxCommentLines is the number of lines of comment that a mend looks behind.
const maxCommentLines = 50

// wordAt returns the word that an offset lies in or before which it stands.
func wordAt(text []byte, at int) Range {
	r := Range{at, at}
	for r.Start > 0 && isWord(text[r.Start-1]) {
		r.Start--
	}
	for r.End < len(text) && isWord(text[r.End]) {
		r.End++
	}
	return r
}

func isWord(c byte) bool {
	return c == '_' || c == '$' || 'a' <= c && c <= 'z' || 'A' <= c && c <= 'Z' || '0' <= c && c <= '9'
}

// lastByte returns the offset of the last byte before another that is not blank,
// or 0.
func lastByte(text []byte, at int) int {
	return max(0, len(bytes.TrimRight(text[:at], " \t\r\n"))-1)
}

// previous and next return the byte before and after an offset that is not blank,
// or 0.
func previous(text []byte, at int) byte {
	if rest := bytes.TrimRight(text[:at], " \t\r\n"); len(rest) > 0 {
		return rest[len(rest)-1]
	}
	return 0
}

func next(text []byte, at int) byte {
	if rest := bytes.TrimLeft(text[at:], " \t\r\n"); len(rest) > 0 {
		return rest[0]
	}
	return 0
}
