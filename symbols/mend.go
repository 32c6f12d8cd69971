package symbols

import (
	"bytes"

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
	tree, err := t.grammar.Parse(text)
	if err != nil || t.spec.mend == nil || !tree.HasError(0) {
		return tree, err
	}
	faults := faultsIn(tree)
	for range maxMends {
		mended := t.mended(text, faults)
		if mended == nil {
			break
		}
		next, err := t.grammar.Parse(mended)
		if err != nil {
			break // the tree of the text as it is will do
		}
		left := faultsIn(next)
		if len(left) >= len(faults) {
			next.Release()
			break
		}
		tree.Release()
		tree, faults, text = next, left, mended
	}
	return tree, nil
}

// mended returns the text with all edits for its faults made, nil for none.
func (t *syntaxTable) mended(text []byte, faults []Range) []byte {
	var all []edit
	for _, f := range faults[:min(len(faults), maxFaultsJudged)] {
		all = append(all, t.spec.mend(text, f)...)
	}
	if len(all) == 0 {
		return nil
	}
	return apply(text, all)
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

// faultsIn returns the errors and missing tokens of a tree.
func faultsIn(tree *syntax.Tree) []Range {
	var out []Range
	if !tree.HasError(0) {
		return nil
	}
	for n := syntax.Node(0); int(n) < tree.Len(); n++ {
		if tree.IsError(n) || tree.Missing(n) {
			out = append(out, Range{tree.Start(n), tree.End(n)})
		}
	}
	return out
}

// mendScript mends what the JavaScript and the TypeScript grammars lack: a plain &
// in the text and the attributes of JSX.
func mendScript(text []byte, fault Range) []edit {
	if bytes.HasPrefix(text[fault.Start:], []byte("&")) {
		return []edit{{fault.Start, " "}}
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
		out = append(out, edit{start, "const"})
		if before := wordAt(text, lastByte(text, start)); string(text[before.Start:before.End]) == "await" {
			out = append(out, edit{before.Start, "     "})
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
				return []edit{{r.Start, "   "[:r.Len()]}}
			}
		case "type":
			if next(text, r.End) == '*' && previous(text, r.Start) == 't' { // t of export
				return []edit{{r.Start, "    "}}
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
	return []edit{{end, ";"}}
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
