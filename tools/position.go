package tools

import (
	"regexp"
	"strconv"

	"codeintel/symbols"
)

// Place says where in a file a symbol stands. At most one of Position and Line
// may be set; the zero value means nowhere in particular.
type Place struct {
	// Position is "line,character", both 0-based, the character in UTF-16 units.
	Position string `json:"position,omitempty"`
	// Line is 1-based; 0 means unset.
	Line int `json:"line,omitempty"`
	// Column narrows Line: 1-based, in bytes; 0 means the whole line.
	Column int `json:"column,omitempty"`
}

func (p Place) empty() bool { return p == Place{} }

var positionForm = regexp.MustCompile(`^\s*(\d+)\s*,\s*(\d+)\s*$`)

// check reports what is wrong with p before any file is read.
func (p Place) check() error {
	if p.Position != "" && (p.Line != 0 || p.Column != 0) {
		return fail(InvalidParam, "position %q and line %d exclude each other: give one of them", p.Position, p.Line)
	}
	if p.Position != "" && !positionForm.MatchString(p.Position) {
		return fail(InvalidParam, `position %q is not of the form "line,character" (both 0-based, for example "11,4")`, p.Position)
	}
	if p.Line < 0 || p.Column < 0 || p.Column > 0 && p.Line == 0 {
		return fail(InvalidParam, "line %d, column %d: lines and columns are counted from 1, and a column needs a line", p.Line, p.Column)
	}
	return nil
}

// point converts p, which has been checked, to a line and column of d. The zero
// Point means nowhere in particular.
func (p Place) point(d *symbols.Document) (symbols.Point, error) {
	if p.Position == "" {
		if p.Line > d.LineCount() {
			return symbols.Point{}, fail(InvalidParam, "line %d is past the end of %s, which has %s", p.Line, d.Path(), count(d.LineCount(), "line", "lines"))
		}
		return symbols.Point{Line: p.Line, Column: p.Column}, nil
	}
	m := positionForm.FindStringSubmatch(p.Position)
	line, lineErr := strconv.Atoi(m[1])
	char, charErr := strconv.Atoi(m[2])
	if lineErr != nil || charErr != nil || line >= d.LineCount() {
		return symbols.Point{}, fail(InvalidParam, "position %q is past the end of %s, which has %s (positions count lines from 0)",
			p.Position, d.Path(), count(d.LineCount(), "line", "lines"))
	}
	at, err := d.PositionOffset(symbols.Position{Line: line, Character: char})
	if err != nil {
		return symbols.Point{}, fail(InvalidParam, "position %q: %v", p.Position, err)
	}
	return d.OffsetPoint(at)
}
