package tools

import (
	"context"
	"errors"
	"fmt"
	"strings"

	"codeintel/index"
	"codeintel/symbols"
)

// OutlineParams are the arguments of [Engine.Outline].
type OutlineParams struct {
	// Path is a file or a folder, absolute or relative to [Options.Dir]. Of a
	// folder all files below it are taken that have a grammar and are not
	// ignored.
	Path string `json:"path"`
	// IncludeLocal lists parameters and variables inside functions too.
	IncludeLocal bool `json:"include_local,omitempty"`
}

// OutlineAnswer lists what files define.
type OutlineAnswer struct {
	// Path is the file or folder, root-relative; "." is the root.
	Path  string
	Files []FileOutline
	// Skipped names files of a folder that could not be read, with the reason.
	Skipped []SkippedFile
}

// FileOutline lists what one file defines, in source order.
type FileOutline struct {
	Path     string
	Language symbols.Language
	Entries  []OutlineEntry
}

// OutlineEntry is one definition.
type OutlineEntry struct {
	Name, Container string
	Kind            symbols.Kind
	// Line and Column are where the name stands, StartLine and EndLine the whole
	// definition without its doc comment; all 1-based, the column in bytes.
	Line, Column, StartLine, EndLine int
	// Depth is the number of listed definitions around this one.
	Depth int
	// Cell is where StartLine stands in a notebook.
	Cell symbols.Cell
}

// SkippedFile is a file that an outline of a folder leaves out.
type SkippedFile struct{ Path, Reason string }

// Outline lists the definitions of a file or of all files below a folder.
func (e *Engine) Outline(ctx context.Context, p OutlineParams) (*OutlineAnswer, error) {
	a, err := e.outline(ctx, p)
	if err != nil {
		return nil, failure(ctx, fmt.Sprintf("listing the symbols of %s", p.Path), err)
	}
	return a, nil
}

func (e *Engine) outline(ctx context.Context, p OutlineParams) (*OutlineAnswer, error) {
	if blank(p.Path) {
		return nil, missing("path", "list_code_definition_names {path}")
	}
	s, err := e.snapshot(ctx)
	if err != nil {
		return nil, err
	}
	defer s.Release()
	at, err := e.resolve(ctx, s, "list_code_definition_names", p.Path)
	if err != nil {
		return nil, err
	}
	a := &OutlineAnswer{Path: at}
	_, err = s.Document(at)
	switch {
	case errors.Is(err, index.ErrIsDirectory):
		return a, e.folder(ctx, s, a, p)
	case errors.Is(err, index.ErrNotFound):
		return nil, &Error{Code: NotFound, Message: p.Path + ": does not exist or cannot be accessed.", cause: err}
	case err != nil:
		return nil, err
	}
	f, err := fileOutline(s, at, p.IncludeLocal)
	if errors.Is(err, symbols.ErrNoGrammar) {
		return nil, noGrammarFor(at, f.Language)
	}
	a.Files = append(a.Files, f)
	return a, err
}

// folder lists all files below a.Path.
func (e *Engine) folder(ctx context.Context, s *index.Snapshot, a *OutlineAnswer, p OutlineParams) error {
	prefix := a.Path + "/"
	if a.Path == "." || a.Path == "" {
		a.Path, prefix = ".", ""
	}
	for _, file := range s.Files() {
		if !strings.HasPrefix(file.Path, prefix) || !symbols.LanguageOf(file.Path).HasGrammar() || e.excluded(file.Path) {
			continue
		}
		if err := ctx.Err(); err != nil {
			return err
		}
		f, err := fileOutline(s, file.Path, p.IncludeLocal)
		if err != nil {
			a.Skipped = append(a.Skipped, SkippedFile{file.Path, err.Error()})
			continue
		}
		if len(f.Entries) > 0 {
			a.Files = append(a.Files, f)
		}
	}
	return nil
}

func fileOutline(s *index.Snapshot, path string, locals bool) (FileOutline, error) {
	out := FileOutline{Path: path, Language: symbols.LanguageOf(path)}
	doc, err := s.Document(path)
	if err != nil {
		return out, err
	}
	out.Language = doc.Language()
	outline, err := s.Outline(path)
	if err != nil {
		return out, err
	}
	f := &file{path: path, doc: doc, outline: outline}
	var around []symbols.Range
	for _, sym := range outline.Symbols() {
		if sym.Local && !locals {
			continue
		}
		for len(around) > 0 && sym.Range.Start >= around[len(around)-1].End {
			around = around[:len(around)-1]
		}
		p, err := doc.OffsetPoint(sym.Selection.Start)
		if err != nil {
			return out, err
		}
		first, last := f.lines(sym, false)
		out.Entries = append(out.Entries, OutlineEntry{
			Name: sym.Name, Container: sym.Container, Kind: sym.Kind,
			Line: p.Line, Column: p.Column, StartLine: first, EndLine: last, Depth: len(around), Cell: doc.Cell(first),
		})
		around = append(around, sym.Range)
	}
	return out, nil
}

// Total returns the number of definitions.
func (a *OutlineAnswer) Total() int {
	n := 0
	for _, f := range a.Files {
		n += len(f.Entries)
	}
	return n
}

// Text renders a block per file: its path, then a line per definition with its
// lines, kind and name, members indented.
func (a *OutlineAnswer) Text() string {
	var b strings.Builder
	for i, f := range a.Files {
		if i > 0 {
			b.WriteString("\n")
		}
		f.write(&b)
	}
	if len(a.Files) == 0 || a.Total() == 0 {
		return fmt.Sprintf("No symbols found in %s\n", a.Path)
	}
	return b.String()
}

func (f FileOutline) write(b *strings.Builder) {
	fmt.Fprintf(b, "%s\n", f.Path)
	spans := make([]string, len(f.Entries))
	spanWidth, kindWidth := 0, 0
	for i, s := range f.Entries {
		spans[i] = fmt.Sprint(s.StartLine)
		if s.EndLine > s.StartLine {
			spans[i] = fmt.Sprintf("%d-%d", s.StartLine, s.EndLine)
		}
		spans[i] += inCell(s.Cell)
		spanWidth, kindWidth = max(spanWidth, len(spans[i])), max(kindWidth, len(s.Kind))
	}
	for i, s := range f.Entries {
		name := s.Name
		if s.Depth == 0 && s.Container != "" {
			name = s.Container + "." + name // Go methods stand beside their type
		}
		fmt.Fprintf(b, "  %-*s  %-*s  %s%s\n", spanWidth, spans[i], kindWidth, s.Kind, strings.Repeat("  ", s.Depth), name)
	}
}

// OutlineJSON is the JSON form of an [OutlineAnswer].
type OutlineJSON struct {
	Path    string            `json:"path"`
	Files   []FileOutlineJSON `json:"files"`
	Skipped []SkippedJSON     `json:"skipped"`
}

// FileOutlineJSON lists what one file defines.
type FileOutlineJSON struct {
	File     string       `json:"file"`
	Language string       `json:"language"`
	Symbols  []SymbolJSON `json:"symbols"`
}

// SymbolJSON is one definition: lines 1-based and inclusive, the column of the
// name 1-based in bytes.
type SymbolJSON struct {
	Name      string `json:"name"`
	Container string `json:"container"`
	Kind      string `json:"kind"`
	Line      int    `json:"line"`
	Column    int    `json:"column"`
	StartLine int    `json:"startLine"`
	EndLine   int    `json:"endLine"`
	// Cell is where StartLine stands in a notebook: "#3:2" is the second line of the
	// third cell.
	Cell string `json:"cell,omitempty"`
}

// SkippedJSON is a file that was left out.
type SkippedJSON struct {
	File   string `json:"file"`
	Reason string `json:"reason"`
}

// JSON returns the answer in its JSON form.
func (a *OutlineAnswer) JSON() OutlineJSON {
	out := OutlineJSON{Path: a.Path, Files: []FileOutlineJSON{}, Skipped: []SkippedJSON{}}
	for _, f := range a.Files {
		j := FileOutlineJSON{File: f.Path, Language: string(f.Language), Symbols: []SymbolJSON{}}
		for _, s := range f.Entries {
			j.Symbols = append(j.Symbols, SymbolJSON{
				Name: s.Name, Container: s.Container, Kind: string(s.Kind),
				Line: s.Line, Column: s.Column, StartLine: s.StartLine, EndLine: s.EndLine, Cell: s.Cell.String(),
			})
		}
		out.Files = append(out.Files, j)
	}
	for _, s := range a.Skipped {
		out.Skipped = append(out.Skipped, SkippedJSON{s.Path, s.Reason})
	}
	return out
}
