package tools

import (
	"context"
	"fmt"
	"path/filepath"
	"slices"
	"strings"

	"codeintel/index"
	"codeintel/refs"
	"codeintel/refs/text"
	"codeintel/symbols"
)

// candidatesShown is how many candidates an ambiguity across files lists.
const candidatesShown = 20

// lookup resolves a target that names no file: the one definition of that name
// in the workspace. Several in different files or containers are ambiguous.
func (e *Engine) lookup(ctx context.Context, s *index.Snapshot, t target) (refs.Query, error) {
	found, err := e.definitions(ctx, s, t.symbol)
	if err != nil {
		return refs.Query{}, err
	}
	if len(found) == 0 {
		return refs.Query{}, &Error{Code: SymbolNotFound, Detail: SymbolDetail{Symbol: t.symbol},
			Message: fmt.Sprintf("Symbol '%s' is not defined in the workspace %s; name a file that uses it", t.symbol, filepath.Base(s.Root()))}
	}
	for _, c := range found[1:] {
		if c.Path != found[0].Path || !c.Symbol.SameAs(found[0].Symbol) {
			return refs.Query{}, ambiguousWorkspace(t.symbol, found)
		}
	}
	return refs.Query{Path: found[0].Path, Symbol: t.symbol, Tier: t.tier}, nil
}

// definitions returns the definitions of a name in the whole workspace, in path
// and source order. Parameters and variables inside functions do not count.
func (e *Engine) definitions(ctx context.Context, s *index.Snapshot, name string) ([]refs.Candidate, error) {
	paths, err := e.defining(ctx, s, bare(name))
	if err != nil {
		return nil, err
	}
	var out []refs.Candidate
	for _, p := range paths {
		if !e.excluded(p) {
			out = append(out, definitionsIn(s, p, name)...)
		}
	}
	return codeFirst(out), ctx.Err()
}

// codeFirst leaves the sections of documentation out unless there is nothing else:
// a heading says what a definition is called.
func codeFirst(all []refs.Candidate) []refs.Candidate {
	var out []refs.Candidate
	for _, c := range all {
		if c.Symbol.Kind != symbols.Section {
			out = append(out, c)
		}
	}
	if len(out) == 0 {
		return all
	}
	return out
}

// defining returns the paths of documents that may define a bare name, sorted: by
// the index, or by the text while the index is not there.
func (e *Engine) defining(ctx context.Context, s *index.Snapshot, name string) ([]string, error) {
	var paths, rest []string
	if s.Indexed() {
		found, err := s.Definitions(ctx, name)
		if err != nil {
			return nil, err
		}
		for _, d := range found {
			paths = append(paths, d.Path)
		}
		rest = s.Unoutlined()
	} else {
		for _, f := range s.Files() {
			if symbols.LanguageOf(f.Path).HasGrammar() {
				rest = append(rest, f.Path)
			}
		}
	}
	matches, err := text.Search(ctx, text.Options{RG: e.opts.RG, Overlays: s.Overlays()}, s.Root(), rest, name)
	for _, m := range matches {
		paths = append(paths, m.Path)
	}
	slices.Sort(paths)
	return slices.Compact(paths), err
}

func definitionsIn(s *index.Snapshot, path, name string) []refs.Candidate {
	f := open(s, path)
	if f.outline == nil {
		return nil
	}
	var out []refs.Candidate
	for _, sym := range f.outline.Lookup(name) {
		if sym.Local {
			continue
		}
		p, err := f.doc.OffsetPoint(sym.Selection.Start)
		if err != nil {
			continue
		}
		out = append(out, refs.Candidate{Path: path, Line: p.Line, Column: p.Column, Symbol: sym})
	}
	return out
}

// bare returns the last component of a qualified name.
func bare(name string) string {
	return name[strings.LastIndexAny(name, ".:")+1:]
}

func ambiguousWorkspace(symbol string, found []refs.Candidate) *Error {
	e := ambiguousError(&refs.AmbiguousError{Symbol: symbol, Candidates: found})
	var b strings.Builder
	fmt.Fprintf(&b, "'%s' is ambiguous in the workspace; name the file too:", symbol)
	for _, c := range found[:min(len(found), candidatesShown)] {
		b.WriteString("\n  " + c.String())
	}
	if more := len(found) - candidatesShown; more > 0 {
		fmt.Fprintf(&b, "\n  and %d more", more)
	}
	e.Message = b.String()
	return e
}
