package symbols

import "fmt"

// Range is a half-open range of bytes in a document's text. The zero value is
// empty.
type Range struct{ Start, End int }

// Len returns the number of bytes.
func (r Range) Len() int { return r.End - r.Start }

// Contains reports whether the byte at an offset is in the range.
func (r Range) Contains(offset int) bool { return r.Start <= offset && offset < r.End }

// Touches reports whether an offset is in the range or just at its end, as a
// cursor behind a word is.
func (r Range) Touches(offset int) bool { return r.Start <= offset && offset <= r.End }

// Covers reports whether all of s lies in r.
func (r Range) Covers(s Range) bool { return r.Start <= s.Start && s.End <= r.End }

// String returns the range as "start-end".
func (r Range) String() string { return fmt.Sprintf("%d-%d", r.Start, r.End) }

// Position is a place as language servers count it: a 0-based line and a 0-based
// character in UTF-16 code units.
type Position struct{ Line, Character int }

// Point is a place as compilers print it: a 1-based line and a 1-based column in
// bytes.
type Point struct{ Line, Column int }

// String returns the point as "line:column".
func (p Point) String() string { return fmt.Sprintf("%d:%d", p.Line, p.Column) }
