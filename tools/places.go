package tools

import (
	"cmp"
	"context"
	"fmt"
	"path/filepath"
	"slices"
	"strings"

	"codeintel/index"
	"codeintel/refs"
	"codeintel/symbols"
)

// PlacesParams are the arguments of [Engine.Definition],
// [Engine.Implementations], [Engine.Callers] and [Engine.Callees].
type PlacesParams struct {
	// Symbol, FilePath and Place are those of [FindReferencesParams].
	Symbol   string `json:"symbol"`
	FilePath string `json:"file_path"`
	Place
	// Tier names a source: refs.Exact and no other, or a lower one; empty means
	// the best there is.
	Tier refs.Precision `json:"tier,omitempty"`
}

// PlacesAnswer lists places, one per line of its text.
type PlacesAnswer struct {
	// What says what was looked for, in the plural: definitions, callers.
	What             string
	Symbol, FilePath string
	Rows             []PlaceRow
	Precision        refs.Precision
	Coverage         refs.Coverage
	Reason           string
	Servers          []refs.Server
	// External counts places outside the root that were left out.
	External int
}

// PlaceRow is one place.
type PlaceRow struct {
	// Path is root-relative, absolute outside the root. Line, Column and
	// EndColumn are 1-based, columns in bytes, EndColumn exclusive.
	Path                    string
	Line, Column, EndColumn int
	// Cell is where Line stands in a notebook.
	Cell symbols.Cell
	// Container and Name name the definition: the one that stands there, the
	// caller (empty outside functions, with the kind "module"), or the callee.
	Container, Name string
	Kind            symbols.Kind
	// Text is the line as printed, without indentation.
	Text string
}

// Definition returns where a symbol is defined.
func (e *Engine) Definition(ctx context.Context, p PlacesParams) (*PlacesAnswer, error) {
	return e.places(ctx, p, question{tool: "go_to_definition", what: "definitions", ask: e.finder.Definition, rows: definitionRows})
}

// Implementations returns what implements an interface or a method.
func (e *Engine) Implementations(ctx context.Context, p PlacesParams) (*PlacesAnswer, error) {
	return e.places(ctx, p, question{tool: "find_implementations", what: "implementations", ask: e.finder.Implementations, rows: definitionRows})
}

// Callers returns the calls of a function: a row per call, named by the calling
// function.
func (e *Engine) Callers(ctx context.Context, p PlacesParams) (*PlacesAnswer, error) {
	return e.places(ctx, p, question{tool: "find_callers", what: "callers", ask: e.finder.Callers, rows: callerRows})
}

// Callees returns the functions that a function calls: a row per function, at
// its definition.
func (e *Engine) Callees(ctx context.Context, p PlacesParams) (*PlacesAnswer, error) {
	return e.places(ctx, p, question{tool: "find_callees", what: "callees", ask: e.finder.Callees, rows: calleeRows})
}

// question is one kind of places call.
type question struct {
	tool, what string
	ask        func(context.Context, *index.Snapshot, refs.Query) (*refs.Places, error)
	rows       func(*refs.Places) []PlaceRow
}

func (e *Engine) places(ctx context.Context, p PlacesParams, q question) (*PlacesAnswer, error) {
	a, err := e.findPlaces(ctx, p, q)
	if err != nil {
		return nil, failure(ctx, fmt.Sprintf("finding %s of '%s'", q.what, p.Symbol), err)
	}
	return a, nil
}

func (e *Engine) findPlaces(ctx context.Context, p PlacesParams, q question) (*PlacesAnswer, error) {
	t := target{tool: q.tool, call: q.tool + " {symbol, file_path, position?}", symbol: p.Symbol, file: p.FilePath, place: p.Place, tier: p.Tier}
	var found *refs.Places
	s, err := e.ask(ctx, t, func(s *index.Snapshot, asked refs.Query) (err error) {
		found, err = q.ask(ctx, s, asked)
		return err
	})
	if err != nil {
		return nil, err
	}
	defer s.Release()
	a := &PlacesAnswer{
		What: q.what, Symbol: found.Symbol, FilePath: found.Path, Precision: found.Precision,
		Coverage: found.Coverage, Reason: found.Reason, Servers: found.Servers, External: found.External,
	}
	for _, row := range q.rows(found) {
		if !e.hidden(s, row.Path) {
			a.Rows = append(a.Rows, row)
		}
	}
	sortRows(a.Rows, a.FilePath)
	if err := e.settlePlaces(ctx, a, p, q.tool); err != nil {
		return nil, err
	}
	e.fill(s, a)
	return a, nil
}

// sortRows puts rows into the order of references: the asked file first, other
// files by path, each by line and column.
func sortRows(rows []PlaceRow, first string) {
	slices.SortStableFunc(rows, func(a, b PlaceRow) int {
		if a.Path != b.Path && (a.Path == first || b.Path == first) {
			return map[bool]int{true: -1, false: 1}[a.Path == first]
		}
		return cmp.Or(cmp.Compare(a.Path, b.Path), cmp.Compare(a.Line, b.Line), cmp.Compare(a.Column, b.Column))
	})
}

// settlePlaces asks for approval when there are more rows than the threshold.
func (e *Engine) settlePlaces(ctx context.Context, a *PlacesAnswer, p PlacesParams, tool string) error {
	if !over(len(a.Rows), e.threshold()) {
		return nil
	}
	var perFile []refs.FileCount
	for _, r := range a.Rows {
		if n := len(perFile); n == 0 || perFile[n-1].Path != r.Path {
			perFile = append(perFile, refs.FileCount{Path: r.Path})
		}
		perFile[len(perFile)-1].Count++
	}
	v, err := e.approveLarge(ctx, largeRequest(tool, a.What, a.FilePath, a.Symbol, p, perFile, e.threshold()))
	if err == nil && v == showFirst && len(a.Rows) > truncated {
		a.Reason = fmt.Sprintf("the first %d of %d %s are shown", truncated, len(a.Rows), a.What)
		a.Rows, a.Coverage.Complete = a.Rows[:truncated], false
	}
	return err
}

func row(l refs.Location) PlaceRow {
	return PlaceRow{Path: l.Path, Line: l.Line, Column: l.Column, EndColumn: l.EndColumn}
}

func definitionRows(p *refs.Places) []PlaceRow {
	var out []PlaceRow
	for _, l := range p.Locations {
		out = append(out, row(l))
	}
	return out
}

// module is the kind of a caller outside functions.
const module symbols.Kind = "module"

func callerRows(p *refs.Places) []PlaceRow {
	var out []PlaceRow
	for _, c := range p.Calls {
		sites := c.Sites
		if len(sites) == 0 {
			sites = []refs.Location{c.Location}
		}
		for _, site := range sites {
			r := row(site)
			r.Container, r.Name, r.Kind = c.Container, c.Name, c.Kind
			if filepath.IsAbs(c.Name) { // servers name code outside functions by its file
				r.Container, r.Name, r.Kind = "", "", module
			}
			out = append(out, r)
		}
	}
	return out
}

func calleeRows(p *refs.Places) []PlaceRow {
	var out []PlaceRow
	for _, c := range p.Calls {
		r := row(c.Location)
		r.Container, r.Name, r.Kind = c.Container, c.Name, c.Kind
		out = append(out, r)
	}
	return out
}

// fill reads the rows' texts, and names those that have no name from what is
// defined at their place.
func (e *Engine) fill(s *index.Snapshot, a *PlacesAnswer) {
	files := map[string]*file{}
	for i := range a.Rows {
		r := &a.Rows[i]
		f := files[r.Path]
		if f == nil {
			f = e.openFile(s, r.Path)
			files[r.Path] = f
		}
		r.Text = strings.TrimSpace(f.line(r.Line))
		r.Cell = f.cell(r.Line)
		if r.Name == "" && r.Kind == "" {
			r.Name, r.Container, r.Kind = f.named(r.Line, r.Column, r.EndColumn)
		}
		if r.Name == "" && r.Kind == "" {
			r.Name = bare(a.Symbol) // of a file that is not read
		}
	}
}

// named returns the definition whose name stands at a place, else the text
// there.
func (f *file) named(line, column, endColumn int) (name, container string, kind symbols.Kind) {
	if f.doc == nil {
		return "", "", ""
	}
	at, err := f.doc.PointOffset(symbols.Point{Line: line, Column: column})
	if err != nil {
		return "", "", ""
	}
	if f.outline != nil {
		for _, s := range f.outline.Symbols() {
			if s.Selection.Start == at {
				return s.Name, s.Container, s.Kind
			}
		}
	}
	end := min(at+max(endColumn-column, 0), len(f.doc.Text()))
	return string(f.doc.Text()[at:end]), "", ""
}

// QualifiedName is Container.Name, or Name alone.
func (r PlaceRow) QualifiedName() string {
	if r.Name == "" {
		return "(top level)"
	}
	if r.Container == "" {
		return r.Name
	}
	return r.Container + "." + r.Name
}

// Text renders one path:line:column, name and source line per row, and a
// sentence when there is none.
func (a *PlacesAnswer) Text() string {
	if len(a.Rows) == 0 {
		return fmt.Sprintf("No %s found for '%s' in %s (%s)\n", a.What, a.Symbol, a.FilePath, a.provenance())
	}
	var b strings.Builder
	for _, r := range a.Rows {
		line := fmt.Sprintf("%s:%d:%d%s  %s  %s", r.Path, r.Line, r.Column, inCell(r.Cell), r.QualifiedName(), r.Text)
		b.WriteString(strings.TrimRight(line, " ") + "\n")
	}
	return b.String()
}

// Note says what keeps the answer from being exact and complete; empty when
// nothing does.
func (a *PlacesAnswer) Note() string {
	var parts []string
	if a.Precision != refs.Exact || !a.Coverage.Complete {
		parts = append(parts, label(a.Precision, a.Coverage, a.Servers, a.Reason))
	}
	if a.External > 0 {
		parts = append(parts, fmt.Sprintf("%d more outside the workspace", a.External))
	}
	return strings.Join(parts, "; ")
}

func (a *PlacesAnswer) provenance() string {
	out := provenance(a.Precision, a.Coverage, a.Servers, a.Reason)
	if a.External > 0 {
		out += fmt.Sprintf("; %d outside the workspace", a.External)
	}
	return out
}

// PlacesJSON is the JSON form of a [PlacesAnswer].
type PlacesJSON struct {
	Results   []PlaceJSON    `json:"results"`
	Precision refs.Precision `json:"precision"`
	Server    *refs.Server   `json:"server"`
	Coverage  CoverageJSON   `json:"coverage"`
	Reason    string         `json:"reason"`
	External  int            `json:"external"`
}

// PlaceJSON is one place: numbers 1-based, columns in bytes, EndColumn
// exclusive.
type PlaceJSON struct {
	File      string `json:"file"`
	Line      int    `json:"line"`
	Column    int    `json:"column"`
	EndColumn int    `json:"endColumn"`
	Cell      string `json:"cell,omitempty"` // of Line in a notebook
	Kind      string `json:"kind"`
	Name      string `json:"name"`
	Container string `json:"container"`
	Text      string `json:"text"`
}

// JSON returns the answer in its JSON form.
func (a *PlacesAnswer) JSON() PlacesJSON {
	out := PlacesJSON{Results: []PlaceJSON{}, Precision: a.Precision, Coverage: coverageJSON(a.Coverage), Reason: a.Reason, External: a.External}
	out.Server, _ = serverJSON(a.Servers)
	for _, r := range a.Rows {
		out.Results = append(out.Results, PlaceJSON{
			File: r.Path, Line: r.Line, Column: r.Column, EndColumn: r.EndColumn, Cell: r.Cell.String(),
			Kind: string(r.Kind), Name: r.Name, Container: r.Container, Text: r.Text,
		})
	}
	return out
}
