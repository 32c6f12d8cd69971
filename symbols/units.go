package symbols

import (
	"sort"
	"unicode/utf8"
)

// unitStep is the distance of the marks in a [units] table, in bytes: what is
// read at most to convert one offset.
const unitStep = 1024

// units converts between byte offsets and UTF-16 code units. A text of ASCII only
// has no marks. Any other has the count from its start at every step, so that a
// place in a line of a megabyte costs little more than one in a short line.
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

// between returns the number of code units from one offset, where a character
// starts, to another; an offset inside a character counts as its start.
func (u units) between(text []byte, from, to int) int {
	if u.marks == nil {
		return to - from
	}
	if to-from > unitStep {
		return u.before(text, to) - u.before(text, from)
	}
	_, n := walk(text, from, to, to-from)
	return n
}

// after returns the offset of the nth code unit after an offset, at most the end
// of the text; a number inside a surrogate pair counts as the character's start.
func (u units) after(text []byte, from, n int) int {
	if u.marks == nil {
		return min(from+n, len(text))
	}
	if n <= unitStep {
		offset, _ := walk(text, from, len(text), n)
		return offset
	}
	n += u.before(text, from)
	m := u.marks[sort.Search(len(u.marks), func(i int) bool { return u.marks[i].units > n })-1]
	offset, _ := walk(text, m.offset, len(text), n-m.units)
	return offset
}

// before returns the number of code units before an offset.
func (u units) before(text []byte, offset int) int {
	m := u.marks[sort.Search(len(u.marks), func(i int) bool { return u.marks[i].offset > offset })-1]
	_, n := walk(text, m.offset, offset, offset-m.offset)
	return m.units + n
}

// walk goes from an offset over whole characters, not beyond end and not over more
// than n code units. It returns where it stopped and the code units passed.
func walk(text []byte, offset, end, n int) (stopped, passed int) {
	for offset < end && passed < n {
		size, width := character(text[offset:])
		if offset+size > end || passed+width > n {
			break
		}
		offset += size
		passed += width
	}
	return offset, passed
}
