package symbols

import (
	"fmt"
	"slices"
	"sort"
	"strings"

	"codeintel/symbols/syntax"
)

// A Passage is a piece of a document's text in which there are no names.
type Passage struct {
	Range Range
	Kind  PassageKind
}

// PassageKind says what a passage is.
type PassageKind uint8

const (
	// Comment is a comment.
	Comment PassageKind = iota
	// Quotation is a string, or the part of one between two substitutions; also a
	// regular expression and the text in JSX.
	Quotation
	// Keyword is a word of the language itself.
	Keyword
)

// Passages are the passages of one document, in source order. No two overlap; a
// string may be several.
type Passages []Passage

// ReadPassages parses a document for its comments, strings and keywords. An
// outline does not keep them, since few questions need them. The error is
// [ErrNoGrammar] when the document's language has no grammar.
func ReadPassages(d *Document) (Passages, error) {
	table, err := d.table()
	if err != nil {
		return nil, err
	}
	tree, err := table.parseByGrammar(d.code()) // the only one with keywords
	if err != nil {
		return nil, fmt.Errorf("%s: %w", d.path, err)
	}
	var out Passages
	for n := syntax.Node(0); n < syntax.Node(tree.Len()); n++ {
		r := Range{tree.Start(n), tree.End(n)}
		kind := table.grammar.KindName(tree.Kind(n))
		switch {
		case !tree.Named(n):
			if isKeyword(d.text[r.Start:r.End]) {
				out = append(out, Passage{r, Keyword})
			}
		case strings.Contains(kind, "comment"):
			out = append(out, Passage{r, Comment})
			n = tree.After(n) - 1
		case isQuotation(kind):
			out = appendQuotation(out, tree, n)
		}
	}
	sort.SliceStable(out, func(i, j int) bool { return out[i].Range.Start < out[j].Range.Start })
	return out, nil
}

// appendQuotation appends what of a string is not part of nodes in it, which speak
// for themselves.
func appendQuotation(out Passages, tree *syntax.Tree, n syntax.Node) Passages {
	at := tree.Start(n)
	add := func(end int) {
		if end > at {
			out = append(out, Passage{Range{at, end}, Quotation})
		}
	}
	for c := tree.First(n); c != syntax.None; c = tree.Next(c) {
		if tree.Named(c) {
			add(tree.Start(c))
			at = tree.End(c)
		}
	}
	add(tree.End(n))
	return out
}

// isQuotation reports whether nodes of a kind are strings or parts of them. Nearly
// all grammars have the word in the kind's name.
func isQuotation(kind string) bool {
	switch kind {
	case "concatenated_string":
		return false
	case "rune_literal", "char_literal", "character_literal", "character", "regex", "regex_pattern", "regex_flags",
		"heredoc_body", "heredoc_content", "text_block", "jsx_text", "escape_sequence", "escape_interpolation":
		return true
	}
	return strings.Contains(kind, "string")
}

// isKeyword reports whether a token that is no name is a word.
func isKeyword(text []byte) bool {
	return len(text) > 0 && !slices.ContainsFunc(text, func(b byte) bool {
		return (b < 'a' || b > 'z') && (b < 'A' || b > 'Z') && b != '_'
	})
}

// At returns the passage that the byte at an offset is in.
func (p Passages) At(offset int) (Passage, bool) {
	i := sort.Search(len(p), func(i int) bool { return p[i].Range.End > offset })
	if i < len(p) && p[i].Range.Contains(offset) {
		return p[i], true
	}
	return Passage{}, false
}
