package symbols

import (
	"sort"
	"unicode/utf8"
)

// unitStep is the distance of the marks in a [units] table, in bytes: what is
// read at most to convert one offset.
const unitStep = 1024

// units converts between byte offsets and UTF-16 code units counted from the
// start of a text. A text of ASCII only has no marks. Any other has the count at
// every step, so that a place in a line of a megabyte costs as little as one in a
// short line.
type units struct {
	marks []mark
}

// mark says that the code units before a character's offset number units.
type mark struct{ offset, units int }

func newUnits(text []byte) units {
	if isASCII(text) {
		return units{}
	}
	marks := make([]mark, 1, 2+len(text)/unitStep)
	next := unitStep
	for offset, n := 0, 0; offset < len(text); {
		if offset >= next {
			marks = append(marks, mark{offset, n})
			next = offset + unitStep
		}
		size, width := character(text[offset:])
		offset += size
		n += width
	}
	return units{marks}
}

func isASCII(text []byte) bool {
	for _, c := range text {
		if c >= utf8.RuneSelf {
			return false
		}
	}
	return true
}

// character returns the bytes and the code units of the first character.
func character(text []byte) (size, width int) {
	if text[0] < utf8.RuneSelf {
		return 1, 1
	}
	r, size := utf8.DecodeRune(text)
	if r > 0xffff {
		return size, 2
	}
	return size, 1
}

// at returns the number of code units before an offset; an offset inside a
// character counts as its start.
func (u units) at(text []byte, offset int) int {
	if u.marks == nil {
		return offset
	}
	m := u.marks[sort.Search(len(u.marks), func(i int) bool { return u.marks[i].offset > offset })-1]
	for m.offset < offset {
		size, width := character(text[m.offset:])
		if m.offset+size > offset {
			break
		}
		m.offset += size
		m.units += width
	}
	return m.units
}

// offset returns the offset of a number of code units, at most the text's end; a
// number inside a surrogate pair counts as the character's start.
func (u units) offset(text []byte, n int) int {
	if u.marks == nil {
		return min(n, len(text))
	}
	m := u.marks[sort.Search(len(u.marks), func(i int) bool { return u.marks[i].units > n })-1]
	for m.offset < len(text) && m.units < n {
		size, width := character(text[m.offset:])
		if m.units+width > n {
			break
		}
		m.offset += size
		m.units += width
	}
	return m.offset
}
