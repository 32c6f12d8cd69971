package symbols

import (
	"bytes"
	"strings"
)

// Markdown's headings are read line by line: the grammar takes a second for two
// megabytes, and looks into every emphasis on the way to them.

// heading is a heading of a document: its level from 1 to 6, where it stands, and
// its text without marks, which may be empty.
type heading struct {
	level int
	start int
	name  Range
}

// markdownScan defines the sections of a document: each reaches from its heading
// to the next of the same or a higher level.
func markdownScan(x *extraction) {
	var open []int // the symbols of the sections around, outermost first
	var levels []int
	for _, h := range markdownHeadings(x.text) {
		for len(open) > 0 && levels[len(open)-1] >= h.level {
			x.symbols[open[len(open)-1]].Range.End = h.start
			open, levels = open[:len(open)-1], levels[:len(open)-1]
		}
		if h.name.Len() == 0 {
			continue
		}
		s := Symbol{Name: strings.Join(strings.Fields(x.content(h.name)), " "), Kind: Section, Selection: h.name}
		if len(open) > 0 {
			s.Container = x.symbols[open[len(open)-1]].Qualified()
		}
		s.Range = Range{h.start, len(x.text)}
		s.Header = s.Range.Start
		open, levels = append(open, len(x.symbols)), append(levels, h.level)
		x.symbols = append(x.symbols, s)
	}
}

// markdownReader reads the blocks of a document, as far as headings need it
// (CommonMark 0.31, chapters 4 and 5).
type markdownReader struct {
	text     []byte
	headings []heading

	fence     []byte // the marks that opened the fenced code around, nil outside
	fenceIn   int    // the column of the list item that the code is in, 0 for none
	html      string // what ends the HTML block around; "\n" is a blank line, "" none
	list      int    // the column of what stands in the innermost list item, 0 outside
	paragraph Range  // the lines of a paragraph so far, which an underline makes a heading
	inText    bool   // there is such a paragraph
}

func markdownHeadings(text []byte) []heading {
	r := &markdownReader{text: text}
	start := markdownMatter(text)
	for start < len(text) {
		end := len(text)
		if i := bytes.IndexByte(text[start:], '\n'); i >= 0 {
			end = start + i
		}
		r.line(start, len(bytes.TrimRight(text[:end], "\r")))
		start = end + 1
	}
	return r.headings
}

// markdownMatter returns where the document begins after settings between lines of
// three dashes or plus signs.
func markdownMatter(text []byte) int {
	for _, mark := range []string{"---", "+++"} {
		first, rest, ok := bytes.Cut(text, []byte{'\n'})
		if !ok || string(bytes.TrimRight(first, " \t\r")) != mark {
			continue
		}
		at := len(first) + 1
		for line := range bytes.Lines(rest) {
			at += len(line)
			if string(bytes.TrimRight(line, " \t\r\n")) == mark {
				return at
			}
		}
	}
	return 0
}

// line reads the line text[start:end].
func (r *markdownReader) line(start, end int) {
	line := r.text[start:end]
	body := bytes.TrimLeft(line, " \t")
	indent := markdownColumns(line[:len(line)-len(body)])
	blank := len(body) == 0
	if !blank && indent < r.fenceIn { // the list item ends, and so does its code
		r.fence, r.fenceIn, r.list = nil, 0, 0
	}
	switch {
	case r.fence != nil:
		r.closeFence(body)
	case r.html != "":
		if r.html == "\n" && blank || r.html != "\n" && bytes.Contains(bytes.ToLower(body), []byte(r.html)) {
			r.html = ""
		}
	case blank:
		r.inText = false
	case r.list > 0 && indent >= r.list && !r.inText:
		r.inItem(body)
	case indent >= 4 && !r.inText: // indented code
	default:
		r.block(start+len(line)-len(body), start, body, indent)
	}
}

// inItem reads a line of a list item: only what may hide later lines counts.
func (r *markdownReader) inItem(body []byte) {
	if mark := markdownFence(body); mark != nil {
		r.fence, r.fenceIn = mark, r.list
	}
}

// block reads a line of the document itself. at is where its body stands.
func (r *markdownReader) block(at, start int, body []byte, indent int) {
	if indent >= 4 { // a paragraph goes on
		r.paragraph.End = at + len(body)
		return
	}
	if level, name := markdownATX(body); level > 0 {
		r.add(heading{level: level, start: start, name: Range{at + name.Start, at + name.End}})
		return
	}
	if level := markdownUnderline(body); level > 0 && r.inText {
		r.add(heading{level: level, start: markdownLineStart(r.text, r.paragraph.Start), name: r.paragraph})
		return
	}
	switch {
	case markdownFence(body) != nil:
		r.fence, r.inText = markdownFence(body), false
	case markdownRule(body), body[0] == '>':
		r.inText, r.list = false, 0
	case markdownItem(body) > 0:
		r.list, r.inText = indent+markdownItem(body), false
		r.inItem(bytes.TrimLeft(body[min(len(body), markdownItem(body)):], " \t"))
	case r.html == "" && !r.inText && markdownHTML(body) != "":
		r.html = markdownHTML(body)
		if r.html != "\n" && bytes.Contains(bytes.ToLower(body[1:]), []byte(r.html)) {
			r.html = ""
		}
	case r.inText:
		r.paragraph.End = at + len(bytes.TrimRight(body, " \t"))
	case r.list > 0 && indent > 0 && indent < r.list: // lazily goes on
	default:
		r.list, r.inText = 0, true
		r.paragraph = Range{at, at + len(bytes.TrimRight(body, " \t"))}
	}
}

func (r *markdownReader) add(h heading) {
	r.headings = append(r.headings, h)
	r.inText, r.list = false, 0
}

// closeFence ends fenced code at marks of the kind that opened it, at least as
// many, alone in their line.
func (r *markdownReader) closeFence(body []byte) {
	marks := bytes.TrimRight(body, " \t")
	if len(marks) >= len(r.fence) && len(bytes.Trim(marks, string(r.fence[:1]))) == 0 {
		r.fence, r.fenceIn = nil, 0
	}
}

// markdownColumns counts the columns of blanks; tabs stop at every fourth.
func markdownColumns(blanks []byte) int {
	n := 0
	for _, c := range blanks {
		if c == '\t' {
			n += 4 - n%4
		} else {
			n++
		}
	}
	return n
}

func markdownLineStart(text []byte, at int) int {
	return bytes.LastIndexByte(text[:at], '\n') + 1
}

// markdownATX returns the level of a heading with marks before it and the place of
// its text in the line; 0 for any other line.
func markdownATX(body []byte) (level int, name Range) {
	rest := bytes.TrimLeft(body, "#")
	level = len(body) - len(rest)
	if level == 0 || level > 6 || len(rest) > 0 && rest[0] != ' ' && rest[0] != '\t' {
		return 0, Range{}
	}
	text := bytes.TrimRight(rest, " \t")
	if open := bytes.TrimRight(text, "#"); len(open) == 0 || open[len(open)-1] == ' ' || open[len(open)-1] == '\t' {
		text = open
	}
	name.End = level + len(bytes.TrimRight(text, " \t"))
	name.Start = min(name.End, len(body)-len(bytes.TrimLeft(rest, " \t")))
	return level, name
}

// markdownUnderline returns the level of the heading that a line underlines, 0 if
// it is none.
func markdownUnderline(body []byte) int {
	marks := bytes.TrimRight(body, " \t")
	switch {
	case len(bytes.Trim(marks, "=")) == 0:
		return 1
	case len(bytes.Trim(marks, "-")) == 0:
		return 2
	}
	return 0
}

// markdownFence returns the marks that open fenced code, nil if the line opens
// none.
func markdownFence(body []byte) []byte {
	for _, c := range []byte{'`', '~'} {
		rest := bytes.TrimLeft(body, string(c))
		if n := len(body) - len(rest); n >= 3 && (c == '~' || bytes.IndexByte(rest, '`') < 0) {
			return body[:n]
		}
	}
	return nil
}

// markdownRule reports a line across the page: three or more of one mark.
func markdownRule(body []byte) bool {
	for _, c := range []byte{'*', '-', '_'} {
		if n := bytes.Count(body, []byte{c}); n >= 3 && len(bytes.Trim(body, string(c)+" \t")) == 0 {
			return true
		}
	}
	return false
}

// markdownItem returns how many columns the mark of a list item and the blanks
// behind it take, 0 if the line begins none.
func markdownItem(body []byte) int {
	n := 0
	if c := body[0]; c == '-' || c == '+' || c == '*' {
		n = 1
	} else {
		for n < len(body) && n < 9 && '0' <= body[n] && body[n] <= '9' {
			n++
		}
		if n == 0 || n == len(body) || body[n] != '.' && body[n] != ')' {
			return 0
		}
		n++
	}
	rest := body[n:]
	text := bytes.TrimLeft(rest, " \t")
	blanks := markdownColumns(rest[:len(rest)-len(text)])
	switch {
	case len(rest) > 0 && blanks == 0:
		return 0
	case len(text) == 0 || blanks > 4:
		return n + 1
	}
	return n + blanks
}

// markdownHTML returns what ends the block of HTML that a line begins: a text, or
// a line break for a blank line; empty if it begins none.
func markdownHTML(body []byte) string {
	if body[0] != '<' || len(body) < 2 {
		return ""
	}
	low := bytes.ToLower(body)
	for _, b := range [][2]string{
		{"<!--", "-->"}, {"<?", "?>"}, {"<![cdata[", "]]>"}, {"<!", ">"},
		{"<script", "</script>"}, {"<pre", "</pre>"}, {"<style", "</style>"}, {"<textarea", "</textarea>"},
	} {
		if bytes.HasPrefix(low, []byte(b[0])) {
			return b[1]
		}
	}
	if c := low[1]; c == '/' || 'a' <= c && c <= 'z' {
		if bytes.Contains(low, []byte("://")) && bytes.IndexByte(low, ' ') < 0 {
			return "" // an address in angle brackets
		}
		return "\n"
	}
	return ""
}
