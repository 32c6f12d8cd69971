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
	// Cell says that Line counts in a code cell of a notebook: the cell's number
	// among all cells, from 1; 0 means that it counts in the document's text.
	Cell int `json:"cell,omitempty"`
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
	if p.Cell != 0 && p.Line == 0 {
		return fail(InvalidParam, "cell %d: a cell needs a line in it", p.Cell)
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
		line, err := lineIn(d, p.Cell, p.Line)
		if err != nil {
			return symbols.Point{}, err
		}
		p.Line = line
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

// lineIn returns the line of a document's text that a line of a cell is; the line
// itself without a cell.
func lineIn(d *symbols.Document, cell, line int) (int, error) {
	if cell == 0 {
		return line, nil
	}
	at := symbols.Cell{Number: cell, Line: line}
	found, ok := d.CellLine(at)
	if !ok || line < 1 {
		return 0, fail(InvalidParam, "%s has no line %d in a code cell %d; cells are counted from 1 over all cells", d.Path(), line, cell)
	}
	return found, nil
}

// inCell renders a place in a notebook as it stands behind the place in its text;
// "" for the zero Cell.
func inCell(c symbols.Cell) string {
	if c == (symbols.Cell{}) {
		return ""
	}
	return " " + c.String()
}
