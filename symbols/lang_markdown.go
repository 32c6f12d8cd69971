package symbols

import (
	"bytes"
	"strings"
	"sync"

	markdown "github.com/tree-sitter-grammars/tree-sitter-markdown/bindings/go"

	"codeintel/symbols/syntax"
)

// markdownSyntax loads Markdown's table, once. Outlines are made without it, by
// markdownScan; tests compare the two.
var markdownSyntax = sync.OnceValues(func() (*syntaxTable, error) {
	return bind(&languageSpec{
		name:     "markdown",
		language: markdown.Language(),
		notes: "A section reaches from its heading to the next of the same or a higher level; the sections around it are its container. " +
			"Both forms of headings count, but none in quotes and lists. Nothing in the text is an identifier.",
		visits:  map[string]func(*extraction, syntax.Node){"document": markdownDocument},
		kinds:   map[string][]Kind{"document": {Section}},
		prepare: prepareMarkdown,
	})
})

// markdownDocument defines the sections of a document: each reaches from its
// heading to the next of the same or a higher level. The grammar's own sections do
// not end at underlined headings. Headings in quotes and lists are none of the
// document's.
func markdownDocument(x *extraction, n syntax.Node) {
	var open []int // the symbols of the sections around, outermost first
	var levels []int
	for c := n; c < x.tree.After(n); {
		switch x.kind(c) {
		case "document", "section":
			c++
			continue
		case "atx_heading", "setext_heading":
			level, name := x.markdownHeading(c)
			for len(open) > 0 && levels[len(open)-1] >= level {
				x.symbols[open[len(open)-1]].Range.End = x.tree.Start(c)
				open, levels = open[:len(open)-1], levels[:len(open)-1]
			}
			if name.Len() == 0 {
				break
			}
			s := Symbol{Name: strings.Join(strings.Fields(x.content(name)), " "), Kind: Section, Selection: name}
			if len(open) > 0 {
				s.Container = x.symbols[open[len(open)-1]].Qualified()
			}
			s.Range = Range{x.tree.Start(c), len(x.text)}
			s.Header = s.Range.Start
			open, levels = append(open, len(x.symbols)), append(levels, level)
			x.symbols = append(x.symbols, s)
		}
		c = x.tree.After(c)
	}
}

// maxBlocks is the number of columns that the marks of quotes and lists around a
// line may have. The grammar's scanner keeps the blocks in a buffer with room for
// 254 of them and does not look whether they fit; each takes a column or more.
const maxBlocks = 200

// prepareMarkdown makes words of the marks that are too deep in their line.
func prepareMarkdown(text []byte) []edit {
	var edits []edit
	for start := 0; start < len(text); {
		end := len(text)
		if i := bytes.IndexAny(text[start:], "\r\n"); i >= 0 {
			end = start + i
		}
		column := 0
		for at := start; at < end; at++ {
			c := text[at]
			if column > maxBlocks {
				edits = append(edits, edit{at: at, with: strings.Repeat("x", end-at)})
				break
			}
			if c == '\t' {
				column += 4
			} else if c == ' ' || c == '>' || c == '-' || c == '+' || c == '*' || c == '.' || c == ')' || '0' <= c && c <= '9' {
				column++
			} else {
				break
			}
		}
		start = end + 1
	}
	return edits
}

// markdownHeading returns the level of a heading, 1 to 6, and the place of its
// text: without marks and blanks around, empty when there is none.
func (x *extraction) markdownHeading(n syntax.Node) (level int, name Range) {
	for c := x.tree.First(n); c != syntax.None; c = x.tree.Next(c) {
		kind := x.kind(c)
		if len(kind) > len("atx_h1_") && strings.HasPrefix(kind, "atx_h") {
			level = int(kind[len("atx_h")] - '0')
		} else if strings.HasPrefix(kind, "setext_h") {
			level = int(kind[len("setext_h")] - '0')
		}
	}
	content := x.child(n, "heading_content")
	if content == syntax.None {
		return level, Range{}
	}
	r := x.rangeOf(content)
	text := x.text[r.Start:r.End]
	if x.kind(n) == "atx_heading" {
		text = bytes.TrimRight(text, " \t\r\n")
		if rest := bytes.TrimRight(text, "#"); len(rest) == 0 || rest[len(rest)-1] == ' ' || rest[len(rest)-1] == '\t' {
			text = rest
		}
	}
	r.Start += len(text) - len(bytes.TrimLeft(text, " \t\r\n"))
	r.End = r.Start + len(bytes.TrimSpace(text))
	return level, r
}
