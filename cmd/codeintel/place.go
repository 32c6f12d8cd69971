package main

import (
	"os"
	"path/filepath"
	"regexp"
	"strconv"
	"strings"

	"codeintel/symbols"
	"codeintel/tools"
)

// spot is a file argument with an optional line, column and end line, as typed;
// the lines are those of a notebook's cell when there is one.
type spot struct {
	file                      string
	cell, line, column, until int
}

var (
	pointForm = regexp.MustCompile(`^(.+?):(\d+)(?::(\d+))?:?$`)
	rangeForm = regexp.MustCompile(`^(.+?):(\d+)-(\d+)$`)
	// cellForm ends the file of a place in a notebook.
	cellForm = regexp.MustCompile(`^(.+)#(\d+)$`)
)

// parseSpot reads FILE, FILE:LINE, FILE:LINE:COL and FILE:A-B, in notebooks also
// FILE#CELL:LINE and so on. A file whose name really ends like that is taken as it
// is.
func (a *app) parseSpot(arg string) spot {
	if a.isFile(arg) {
		return spot{file: arg}
	}
	if m := rangeForm.FindStringSubmatch(arg); m != nil {
		return a.inCell(spot{file: m[1], line: number(m[2]), until: number(m[3])})
	}
	if m := pointForm.FindStringSubmatch(arg); m != nil {
		return a.inCell(spot{file: m[1], line: number(m[2]), column: number(m[3])})
	}
	return spot{file: arg}
}

// inCell takes the cell from the file of a place in a notebook.
func (a *app) inCell(s spot) spot {
	m := cellForm.FindStringSubmatch(s.file)
	if m == nil || symbols.LanguageOf(m[1]) != symbols.Notebook || a.isFile(s.file) {
		return s
	}
	s.file, s.cell = m[1], number(m[2])
	return s
}

// number reads digits; too many of them give a line no file has.
func number(digits string) int {
	if digits == "" {
		return 0
	}
	n, err := strconv.Atoi(digits)
	if err != nil {
		return int(^uint(0) >> 1)
	}
	return n
}

func (a *app) abs(path string) string {
	if filepath.IsAbs(path) {
		return path
	}
	return filepath.Join(a.dir, path)
}

func (a *app) isFile(path string) bool {
	info, err := os.Stat(a.abs(path))
	return err == nil && info.Mode().IsRegular()
}

func (a *app) isFolder(path string) bool {
	info, err := os.Stat(a.abs(path))
	return err == nil && info.IsDir()
}

func (a *app) exists(path string) bool {
	_, err := os.Stat(a.abs(path))
	return err == nil
}

// request is what the arguments of refs, def and their like name.
type request struct {
	symbol string
	spot   spot
	pos    string // --pos
	byName bool   // no file: the workspace is searched for the symbol
}

// placeFlags are --at, --pos and --line.
type placeFlags struct {
	at, pos string
	line    int
}

// parseRequest reads SYMBOL FILE, FILE:LINE:COL, SYMBOL, and the place flags.
func (a *app) parseRequest(args []string, f placeFlags) (request, error) {
	if f.at != "" {
		return a.requestAt(args, f)
	}
	var r request
	switch len(args) {
	case 0:
		return r, usageError("name a SYMBOL and a FILE, or a place as FILE:LINE:COL")
	case 1:
		r.spot = a.parseSpot(args[0])
		switch {
		case r.spot.column > 0:
		case r.spot.line > 0:
			return r, usageError("%s names a line but no symbol: give SYMBOL %s, or a column", args[0], args[0])
		case a.isFile(args[0]) || strings.ContainsAny(args[0], `/\`):
			return r, usageError("%s is a file: give SYMBOL %s, or a place in it as %s:LINE:COL", args[0], args[0], args[0])
		default:
			r = request{symbol: args[0], byName: true}
		}
	case 2:
		r.symbol, r.spot = args[0], a.parseSpot(args[1])
		if r.symbol == "" {
			return r, usageError("the symbol is empty")
		}
		if a.isFile(args[0]) && !a.exists(a.locate(r.spot.file)) {
			return r, usageError("%s is a file: the order is SYMBOL FILE, as in %s %s", args[0], args[1], args[0])
		}
	}
	return r, r.add(f)
}

func (a *app) requestAt(args []string, f placeFlags) (request, error) {
	r := request{spot: a.parseSpot(f.at)}
	if r.spot.column == 0 {
		return r, usageError("--at %s: the form is FILE:LINE:COL, counted from 1", f.at)
	}
	if f.pos != "" || f.line != 0 || len(args) > 1 {
		return r, usageError("--at names the place; a second FILE, --pos and --line do not go with it")
	}
	if len(args) == 1 {
		r.symbol = args[0]
	}
	return r, nil
}

// add puts --pos and --line into the request.
func (r *request) add(f placeFlags) error {
	if f.pos == "" && f.line == 0 {
		return nil
	}
	if r.byName {
		return usageError("--pos and --line need a FILE")
	}
	if f.pos != "" && f.line != 0 || r.spot.line != 0 {
		return usageError("the place is given twice: use one of FILE:LINE:COL, --pos and --line")
	}
	if f.line < 0 {
		return usageError("--line %d: lines are counted from 1", f.line)
	}
	r.pos, r.spot.line = f.pos, f.line
	return nil
}

// place returns the request's place in the form the tools take.
func (r request) place() tools.Place {
	return tools.Place{Position: r.pos, Line: r.spot.line, Cell: r.spot.cell, Column: r.spot.column}
}
