package symbols

import (
	"bytes"
	"regexp"
	"slices"
)

// IPython takes lines in cells that are no Python: %magic, !command, name?. Where
// such a line stands for a statement or a value, a 0 is parsed in its place; it is
// right at every depth of indentation and names nothing.

// bodyMagics are the magics of a whole cell of which the rest is Python
// (https://ipython.readthedocs.io/en/stable/interactive/magics.html). The cells of
// all others hold something else, or code of another file or process.
var bodyMagics = []string{"%%time", "%%timeit", "%%capture", "%%prun", "%%debug"}

// assignedMagic finds the ! or % that stands for the value of an assignment.
var assignedMagic = regexp.MustCompile(`^[\pL_][\pL\pN_.,\[\] ]*=\s*()(?:!|%[\pL])`)

// withoutMagics returns the source of a cell in which IPython's own syntax is
// replaced by as many bytes of Python. Line breaks stay.
func withoutMagics(source []byte) []byte {
	out := bytes.Clone(source)
	var state pythonLines
	first := true
	for at := 0; at < len(source); {
		end := lineEnd(source, at)
		line := bytes.TrimSpace(source[at:end])
		start := at + bytes.Index(source[at:end], line)
		if len(line) == 0 {
			at = end
			continue
		}
		switch {
		case first && bytes.HasPrefix(line, []byte("%%")):
			if !slices.Contains(bodyMagics, string(bytes.Fields(line)[0])) {
				return blanked(source)
			}
			copy(out[at:], blanked(source[at:end]))
		case state.inside():
			state.pass(source[at:end])
		case magicLine(line):
			end = replaceMagic(out, start, end)
		case assignedMagic.Match(line):
			value := start + assignedMagic.FindSubmatchIndex(line)[2]
			end = replaceMagic(out, value, end)
		default:
			state.pass(source[at:end])
		}
		first = false
		at = end
	}
	return out
}

// lineEnd returns the offset behind the line break that ends the line of an
// offset.
func lineEnd(text []byte, at int) int {
	if i := bytes.IndexByte(text[at:], '\n'); i >= 0 {
		return at + i + 1
	}
	return len(text)
}

// magicLine reports whether a line at which a statement begins is a magic, a
// command or a question for help.
func magicLine(line []byte) bool {
	switch line[0] {
	case '%', '!', '?':
		return true
	}
	return line[len(line)-1] == '?' && !bytes.ContainsAny(line, "#'\"")
}

// replaceMagic puts a 0 for what stands from an offset to the end of its line, and
// blanks for the lines that it goes on in. It returns the end of the last.
func replaceMagic(text []byte, start, end int) int {
	for end < len(text) && bytes.HasSuffix(bytes.TrimRight(text[start:end], "\r\n"), []byte(`\`)) {
		end = lineEnd(text, end)
	}
	copy(text[start:end], blanked(text[start:end]))
	text[start] = '0'
	return end
}

// pythonLines follows lines of Python as far as needed to know whether a line
// begins a statement: one in brackets or in a long string does not, there % is an
// operator or text.
type pythonLines struct {
	depth     int
	quote     string // what ends the long string that is open, "" for none
	continued bool   // by a backslash
}

// inside reports whether the next line goes on with what the lines before began.
func (p *pythonLines) inside() bool { return p.depth > 0 || p.quote != "" || p.continued }

// pass reads a line with its line break.
func (p *pythonLines) pass(line []byte) {
	line = bytes.TrimRight(line, "\r\n")
	p.continued = false
	for i := 0; i < len(line); i++ {
		switch c := line[i]; {
		case p.quote != "":
			i = p.passString(line, i)
		case c == '#':
			return
		case c == '\'' || c == '"':
			i = p.openString(line, i)
		case c == '(' || c == '[' || c == '{':
			p.depth++
		case c == ')' || c == ']' || c == '}':
			p.depth = max(0, p.depth-1)
		}
	}
	p.continued = len(line) > 0 && line[len(line)-1] == '\\'
	if len(p.quote) == 1 && !p.continued {
		p.quote = "" // a short string ends with its line, if by mistake
	}
}

// openString returns the offset of the last byte of the quotes at an offset.
func (p *pythonLines) openString(line []byte, i int) int {
	p.quote = string(line[i])
	if long := bytes.Repeat(line[i:i+1], 3); bytes.HasPrefix(line[i:], long) {
		p.quote = string(long)
	}
	return i + len(p.quote) - 1
}

// passString returns the offset of the last byte of what stands at an offset in a
// string: an escape, the quotes that end it, or a character.
func (p *pythonLines) passString(line []byte, i int) int {
	switch {
	case line[i] == '\\':
		return i + 1
	case bytes.HasPrefix(line[i:], []byte(p.quote)):
		i += len(p.quote) - 1
		p.quote = ""
	}
	return i
}
