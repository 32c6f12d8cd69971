package symbols

import (
	"bytes"
	"fmt"
	"sort"
	"strings"
	"sync"
	"unicode/utf8"
)

// A Document is one version of a file's text. It is immutable and safe for
// concurrent use.
//
// Lines end with \n or \r\n, which are no part of the line; a \r elsewhere is
// text. A byte that is not part of valid UTF-8 counts as one U+FFFD: one
// character in positions, one byte in offsets and columns.
type Document struct {
	path     string
	text     []byte
	marked   bool
	notebook *notebook // nil for documents that are none

	once  sync.Once // guards the computation of what follows
	lines []int     // offset of each line's first byte
	units units
}

// NewDocument returns the document of a path and its raw bytes as [Decode] reads
// them; that of a notebook has the text of its code cells (see [Document.Cell]), or
// that of the file when it cannot be read as one. It takes the bytes over: they
// must not be changed afterwards.
func NewDocument(path string, raw []byte) *Document {
	d := &Document{path: path, text: Decode(raw), marked: bytes.HasPrefix(raw, []byte(byteOrderMark))}
	if LanguageOf(path) == Notebook {
		d.text, d.notebook = readNotebook(d.text)
	}
	return d
}

// Same reports whether two documents show the same: the text, and of notebooks
// the cells and the language.
func (d *Document) Same(o *Document) bool {
	return d == o || bytes.Equal(d.text, o.text) && d.notebook.equal(o.notebook)
}

// Marked reports whether a UTF-8 byte order mark stands before the text.
func (d *Document) Marked() bool { return d.marked }

// Path returns the path that the document was made with.
func (d *Document) Path() string { return d.path }

// Text returns the bytes that all offsets count. They must not be changed.
func (d *Document) Text() []byte { return d.text }

// UTF8 returns the text as it is sent to a server: valid UTF-8, with one U+FFFD
// for each invalid byte. Positions are the same in both.
func (d *Document) UTF8() string { return validUTF8(d.text) }

// Language returns the language that the path says, for a notebook that of its
// code; "" for one that cannot be read.
func (d *Document) Language() Language {
	if d.notebook != nil {
		return d.notebook.language
	}
	return LanguageOf(d.path)
}

// table returns the syntax of the document's language. Errors are [ErrNoGrammar]
// and [ErrNotebook], with the path.
func (d *Document) table() (*syntaxTable, error) {
	load := d.Language().syntax()
	switch {
	case d.notebook != nil && d.notebook.err != nil:
		return nil, fmt.Errorf("%s %w", d.path, d.notebook.err)
	case load == nil:
		return nil, fmt.Errorf("%s: %w", d.path, ErrNoGrammar)
	}
	table, err := load()
	if err != nil {
		return nil, fmt.Errorf("%s: %w", d.path, err)
	}
	return table, nil
}

// LineCount returns the number of lines. The empty text has one; a text that ends
// with a line terminator has an empty last line.
func (d *Document) LineCount() int {
	d.measure()
	return len(d.lines)
}

// LineRange returns the range of a 1-based line without its terminator. For a
// line that does not exist it is the empty range at the nearer end of the text.
func (d *Document) LineRange(n int) Range {
	d.measure()
	if n < 1 {
		return Range{}
	}
	if n > len(d.lines) {
		return Range{len(d.text), len(d.text)}
	}
	end := len(d.text)
	if n < len(d.lines) {
		end = d.lines[n] - 1 // the \n
		if end > d.lines[n-1] && d.text[end-1] == '\r' {
			end--
		}
	}
	return Range{d.lines[n-1], end}
}

// Line returns the text of a 1-based line without its terminator, each invalid
// byte as U+FFFD; "" when there is no such line.
func (d *Document) Line(n int) string {
	r := d.LineRange(n)
	return validUTF8(d.text[r.Start:r.End])
}

// OffsetPoint returns the line and the column of an offset, which may be the end
// of the text.
func (d *Document) OffsetPoint(offset int) (Point, error) {
	if err := d.check(offset); err != nil {
		return Point{}, err
	}
	n := d.lineOf(offset)
	return Point{n, offset - d.lines[n-1] + 1}, nil
}

// PointOffset returns the offset of a point. A column past the end of the line
// means the end of the line; a line or a column below 1 or a line past the end of
// the text is an error.
func (d *Document) PointOffset(p Point) (int, error) {
	if p.Line < 1 || p.Line > d.LineCount() || p.Column < 1 {
		return 0, fmt.Errorf("%s: no place %d:%d: the file has lines 1 to %d, columns count from 1", d.path, p.Line, p.Column, d.LineCount())
	}
	r := d.LineRange(p.Line)
	return r.Start + min(p.Column-1, r.Len()), nil
}

// OffsetPosition returns the position of an offset, which may be the end of the
// text. An offset inside a character counts as its start, one inside a line
// terminator as the end of the line.
func (d *Document) OffsetPosition(offset int) (Position, error) {
	if err := d.check(offset); err != nil {
		return Position{}, err
	}
	n := d.lineOf(offset)
	r := d.LineRange(n)
	return Position{n - 1, d.units.between(d.text, r.Start, min(offset, r.End))}, nil
}

// PositionOffset returns the offset of a position. A character past the end of
// the line means the end of the line, one inside a surrogate pair the start of
// that character; a line that does not exist or a negative number is an error.
func (d *Document) PositionOffset(p Position) (int, error) {
	if p.Line < 0 || p.Line >= d.LineCount() || p.Character < 0 {
		return 0, fmt.Errorf("%s: no position %d,%d: the file has lines 0 to %d", d.path, p.Line, p.Character, d.LineCount()-1)
	}
	r := d.LineRange(p.Line + 1)
	if p.Character >= r.Len() { // a character is at least a byte
		return r.End, nil
	}
	return min(d.units.after(d.text, r.Start, p.Character), r.End), nil
}

// check reports an offset outside the text.
func (d *Document) check(offset int) error {
	if offset < 0 || offset > len(d.text) {
		return fmt.Errorf("%s: no offset %d: the file has %d bytes", d.path, offset, len(d.text))
	}
	return nil
}

// lineOf returns the 1-based line of an offset in the text.
func (d *Document) lineOf(offset int) int {
	d.measure()
	return sort.Search(len(d.lines), func(i int) bool { return d.lines[i] > offset })
}

// measure computes the tables on first use: most documents are never asked.
func (d *Document) measure() {
	d.once.Do(func() {
		d.lines = make([]int, 1, 1+bytes.Count(d.text, []byte{'\n'}))
		for at := 0; ; {
			i := bytes.IndexByte(d.text[at:], '\n')
			if i < 0 {
				break
			}
			at += i + 1
			d.lines = append(d.lines, at)
		}
		d.units = newUnits(d.text)
	})
}

// validUTF8 returns text with one U+FFFD for every invalid byte.
// strings.ToValidUTF8 would give one for a run of them.
func validUTF8(text []byte) string {
	if utf8.Valid(text) {
		return string(text)
	}
	var b strings.Builder
	b.Grow(len(text) + 16)
	for i := 0; i < len(text); {
		r, n := utf8.DecodeRune(text[i:])
		b.WriteRune(r)
		i += n
	}
	return b.String()
}
