package tools

import (
	"errors"
	"fmt"
	"path/filepath"
	"sort"

	"codeintel/index"
	"codeintel/refs"
	"codeintel/symbols"
)

// gone stands in for the text of a line that cannot be read any more.
const gone = "[not readable any more]"

// show fills in what is printed of a: groups and texts. From here on files are
// read for their text.
func (e *Engine) show(s *index.Snapshot, a *ReferencesAnswer, unconfirmed []refs.Unconfirmed) {
	a.Files = []FileReferences{}
	for start := 0; start < len(a.References); {
		end := start
		for end < len(a.References) && a.References[end].Path == a.References[start].Path {
			end++
		}
		f := e.openFile(s, a.References[start].Path)
		a.Files = append(a.Files, FileReferences{Path: f.path, Groups: f.groups(a.References[start:end])})
		a.warn(f)
		start = end
	}
	a.showUnconfirmed(s, unconfirmed)
}

func (a *ReferencesAnswer) warn(f *file) {
	switch {
	case f.err == errExternal:
		a.warnings = append(a.warnings, fmt.Sprintf("%s is outside the workspace, its lines are shown without their text", f.path))
	case f.err != nil:
		a.warnings = append(a.warnings, fmt.Sprintf("%s could not be read any more, its lines are shown without their text", f.path))
	}
}

// showUnconfirmed collapses to distinct lines and reads the text of those that
// are printed.
func (a *ReferencesAnswer) showUnconfirmed(s *index.Snapshot, list []refs.Unconfirmed) {
	var f *file
	for i, u := range list {
		if i > 0 && u.Path == list[i-1].Path && u.Line == list[i-1].Line {
			continue
		}
		if f == nil || f.path != u.Path {
			f = open(s, u.Path)
		}
		a.Unconfirmed = append(a.Unconfirmed, UnconfirmedLine{
			Path: u.Path, Line: u.Line, Column: u.Column, Cell: f.cell(u.Line), Text: f.line(u.Line), Cause: u.Cause, Cure: u.Cure,
		})
	}
}

// file is a document that is being printed.
type file struct {
	path    string
	doc     *symbols.Document
	outline *symbols.Outline // nil without a grammar
	err     error            // why doc is nil
}

// errExternal says that a file outside the root is not read for an answer.
var errExternal = errors.New("outside the workspace")

// openFile opens a file of an answer, unless it is outside and may not be shown.
func (e *Engine) openFile(s *index.Snapshot, path string) *file {
	if filepath.IsAbs(path) && !e.opts.ShowExternal {
		return &file{path: path, err: errExternal}
	}
	return open(s, path)
}

func open(s *index.Snapshot, path string) *file {
	f := &file{path: path}
	if f.doc, f.err = s.Document(path); f.err != nil {
		f.doc = nil
		return f
	}
	if o, err := s.Outline(path); err == nil {
		f.outline = o
	}
	return f
}

// line returns a line's text as printed.
func (f *file) line(n int) string {
	switch {
	case f.err == errExternal:
		return ""
	case f.doc == nil || n > f.doc.LineCount():
		return gone
	}
	return clip(f.doc.Line(n))
}

// cell returns the place of a line in a notebook.
func (f *file) cell(n int) symbols.Cell {
	if f.doc == nil {
		return symbols.Cell{}
	}
	return f.doc.Cell(n)
}

// hit is one distinct line with references.
type hit struct {
	first    refs.Reference
	declares bool // one of the references on the line is a declaration
}

func hits(list []refs.Reference) []hit {
	var out []hit
	for _, ref := range list {
		if n := len(out); n == 0 || out[n-1].first.Line != ref.Line {
			out = append(out, hit{first: ref})
		}
		if ref.Declaration {
			out[len(out)-1].declares = true
		}
	}
	return out
}

// groups arranges the references of the file, which are in order, under their
// containing definitions.
func (f *file) groups(list []refs.Reference) []Group {
	var out []Group
	var loose []ReferenceLine
	known := map[int]int{} // start of a definition → its index in out
	for _, h := range hits(list) {
		def, inside := f.enclosing(h.first)
		if !inside {
			loose = append(loose, f.referenceLine(h.first))
			continue
		}
		i, ok := known[def.Range.Start]
		if !ok {
			i = len(out)
			known[def.Range.Start] = i
			out = append(out, f.group(def))
		}
		g := &out[i]
		g.References = append(g.References, f.referenceLine(h.first))
		g.Declaration = g.Declaration || h.declares && h.first.Line == g.Line
	}
	out = append(out, runs(loose, out)...)
	sort.SliceStable(out, func(i, j int) bool { return out[i].Line < out[j].Line })
	return out
}

func (f *file) enclosing(ref refs.Reference) (symbols.Symbol, bool) {
	if f.outline == nil || ref.Range.End > len(f.doc.Text()) {
		return symbols.Symbol{}, false
	}
	return f.outline.Enclosing(ref.Range.Start)
}

// group starts the group of a definition.
func (f *file) group(def symbols.Symbol) Group {
	_, last := f.lines(def, false)
	first := f.headerLine(def)
	return Group{Kind: def.Kind, Name: def.Name, Container: def.Container, Line: first, EndLine: last, Cell: f.cell(first), Header: f.line(first)}
}

// headerLine returns the first line of a definition, after its decorators: a
// header that shows a decorator would not say what contains the references.
func (f *file) headerLine(def symbols.Symbol) int {
	if text := f.doc.Text(); def.Header < len(text) && text[def.Header] == '@' {
		return f.lineOf(def.Selection.Start)
	}
	return f.lineOf(def.Header)
}

// lines returns the first and last line of a definition, with or without its
// doc comment.
func (f *file) lines(def symbols.Symbol, withDoc bool) (first, last int) {
	start := def.Header
	if withDoc {
		start = def.Range.Start
	}
	return f.lineOf(start), f.lineOf(max(start, def.Range.End-1))
}

func (f *file) lineOf(offset int) int {
	p, err := f.doc.OffsetPoint(offset)
	if err != nil {
		return f.doc.LineCount()
	}
	return p.Line
}

func (f *file) referenceLine(ref refs.Reference) ReferenceLine {
	l := ReferenceLine{Line: ref.Line, Column: ref.Column, EndColumn: ref.EndColumn, Cell: f.cell(ref.Line), Text: f.line(ref.Line)}
	if f.doc == nil {
		return l
	}
	start, err := f.doc.OffsetPosition(ref.Range.Start)
	if err != nil {
		return l
	}
	l.Character, l.EndCharacter = start.Character, start.Character
	if end, err := f.doc.OffsetPosition(ref.Range.End); err == nil && end.Line == start.Line {
		l.EndCharacter = end.Character
	}
	return l
}

// runs groups the lines outside definitions: neighbours stay together unless a
// definition's header stands between them, or a cell's end.
func runs(loose []ReferenceLine, defs []Group) []Group {
	var out []Group
	for _, l := range loose {
		if n := len(out); n > 0 && out[n-1].Cell.Number == l.Cell.Number && !headerBetween(defs, out[n-1].EndLine, l.Line) {
			out[n-1].References = append(out[n-1].References, l)
			out[n-1].EndLine = l.Line
			continue
		}
		out = append(out, Group{Line: l.Line, EndLine: l.Line, Cell: l.Cell, References: []ReferenceLine{l}})
	}
	return out
}

func headerBetween(defs []Group, after, before int) bool {
	for _, g := range defs {
		if g.Line > after && g.Line < before {
			return true
		}
	}
	return false
}
