package tools

import (
	"context"
	"errors"
	"fmt"
	"slices"
	"strings"
	"time"

	"codeintel/index"
	"codeintel/symbols"
)

// DefaultFindLimit is the number of definitions that [Engine.FindSymbols] returns
// when no limit is named.
const DefaultFindLimit = 20

// FindSymbolsParams are the arguments of [Engine.FindSymbols].
type FindSymbolsParams struct {
	// Query is a name, a prefix, the beginnings of its words or some of its
	// letters; it may be qualified: "Type.member", "package.Name", "folder/Name".
	Query string `json:"query"`
	// Kinds keeps only symbols of these kinds; empty keeps all.
	Kinds []string `json:"kinds,omitempty"`
	// Path keeps only files in this folder, or this file; absolute or relative to
	// [Options.Dir].
	Path string `json:"path,omitempty"`
	// Limit is the greatest number of definitions; 0 means [DefaultFindLimit].
	Limit int `json:"limit,omitempty"`
}

// FindSymbolsAnswer lists definitions, best first.
type FindSymbolsAnswer struct {
	Query   string
	Symbols []FoundSymbol
	// Total is the number of definitions that fit at least as well as the last one
	// of Symbols; More says that others fit worse.
	Total int
	More  bool
	// Misspelt says that nothing has such a name and these are spelt alike.
	Misspelt bool
	// Took is the time for the lookup alone.
	Took time.Duration
}

// FoundSymbol is one definition. Lines and the column are 1-based, the column
// counts bytes; the lines are those of the whole definition without its comment.
type FoundSymbol struct {
	Name, Container      string
	Kind                 symbols.Kind
	Path                 string
	Line, Column         int
	StartLine, EndLine   int
	Cell                 symbols.Cell // of StartLine in a notebook
	Match                string       // how the name fits, as [index.Match] says it
	Generated, Signature bool
}

// FindSymbols finds definitions by name in the whole workspace. It brings the
// index up to date first, which takes long the first time.
func (e *Engine) FindSymbols(ctx context.Context, p FindSymbolsParams) (*FindSymbolsAnswer, error) {
	a, err := e.findSymbols(ctx, p)
	if err != nil {
		return nil, failure(ctx, fmt.Sprintf("finding %s", p.Query), err)
	}
	return a, nil
}

func (e *Engine) findSymbols(ctx context.Context, p FindSymbolsParams) (*FindSymbolsAnswer, error) {
	q, err := p.query()
	if err != nil {
		return nil, err
	}
	if err := e.bringIndex(ctx); err != nil {
		return nil, err
	}
	s := e.ws.Snapshot()
	defer s.Release()
	if q.Keep, err = e.keep(ctx, s, p.Path); err != nil {
		return nil, err
	}
	began := time.Now()
	found, total, more, err := s.Find(ctx, q)
	if err != nil {
		return nil, err
	}
	a := &FindSymbolsAnswer{Query: p.Query, Total: total, More: more, Took: time.Since(began)}
	a.Misspelt = len(found) > 0 && found[0].Match == index.MatchMisspelt
	for _, f := range found {
		if sym, ok := foundSymbol(s, f); ok {
			a.Symbols = append(a.Symbols, sym)
		}
	}
	return a, nil
}

func (p FindSymbolsParams) query() (index.FindQuery, error) {
	q := index.FindQuery{Name: p.Query, Limit: p.Limit}
	if blank(p.Query) {
		return q, fail(MissingParam, "the name is empty")
	}
	if p.Limit < 0 {
		return q, fail(InvalidParam, "limit %d: it is a number of definitions", p.Limit)
	}
	if q.Limit == 0 {
		q.Limit = DefaultFindLimit
	}
	for _, k := range p.Kinds {
		if !slices.Contains(symbols.Kinds(), symbols.Kind(k)) {
			return q, fail(InvalidParam, "kind %q is unknown: it is one of %s", k, kindNames())
		}
		q.Kinds = append(q.Kinds, symbols.Kind(k))
	}
	return q, nil
}

func kindNames() string {
	var out []string
	for _, k := range symbols.Kinds() {
		out = append(out, string(k))
	}
	return strings.Join(out, ", ")
}

// bringIndex brings the workspace up to the disk, and the stored index too unless
// it lacks only a few documents: to parse them takes less than to write a view of
// all. When it cannot be written, or another process is about it, answers are
// still right, but slow.
func (e *Engine) bringIndex(ctx context.Context) error {
	if err := e.ws.Refresh(ctx); err != nil {
		return err
	}
	s := e.ws.Snapshot()
	indexed := s.Indexed()
	s.Release()
	if indexed {
		return nil
	}
	_, err := e.ws.Index(ctx, index.IndexOptions{Progress: e.opts.Progress})
	switch {
	case err == nil:
		return nil
	case ctx.Err() != nil:
		return ctx.Err()
	case !errors.Is(err, index.ErrLocked) && e.opts.Warn != nil:
		e.opts.Warn(err)
	}
	return e.ws.Refresh(ctx)
}

// keep returns which paths count.
func (e *Engine) keep(ctx context.Context, s *index.Snapshot, in string) (func(string) bool, error) {
	prefix := ""
	if in != "" {
		at, err := e.resolve(ctx, s, "find_symbol", in)
		if err != nil {
			return nil, err
		}
		if _, err := s.Document(at); errors.Is(err, index.ErrNotFound) {
			return nil, &Error{Code: NotFound, Message: in + ": does not exist or cannot be accessed.", cause: err}
		}
		if at != "." {
			prefix = at
		}
	}
	return func(p string) bool {
		return !e.excluded(p) && (prefix == "" || p == prefix || strings.HasPrefix(p, prefix+"/"))
	}, nil
}

func foundSymbol(s *index.Snapshot, f index.Found) (FoundSymbol, bool) {
	doc, err := s.Document(f.Path)
	if err != nil {
		return FoundSymbol{}, false // gone meanwhile
	}
	at, err := doc.OffsetPoint(f.Selection.Start)
	if err != nil {
		return FoundSymbol{}, false
	}
	of := &file{path: f.Path, doc: doc}
	first, last := of.lines(f.Symbol, false)
	return FoundSymbol{
		Name: f.Name, Container: f.Container, Kind: f.Kind, Path: f.Path, Line: at.Line, Column: at.Column,
		StartLine: first, EndLine: last, Cell: doc.Cell(first), Match: f.Match.String(), Generated: f.Generated, Signature: f.Signature,
	}, true
}

// Text renders a line for each definition: its place, kind and qualified name.
func (a *FindSymbolsAnswer) Text() string {
	if len(a.Symbols) == 0 {
		return fmt.Sprintf("No definition found for '%s'\n", a.Query)
	}
	var b strings.Builder
	if a.Misspelt {
		fmt.Fprintf(&b, "No definition found for '%s'; spelt alike:\n", a.Query)
	}
	places := make([]string, len(a.Symbols))
	placeWidth, kindWidth := 0, 0
	for i, s := range a.Symbols {
		places[i] = fmt.Sprintf("%s:%d:%d%s", s.Path, s.Line, s.Column, inCell(s.Cell))
		placeWidth, kindWidth = max(placeWidth, len(places[i])), max(kindWidth, len(s.Kind))
	}
	for i, s := range a.Symbols {
		name := s.Name
		if s.Container != "" {
			name = s.Container + "." + name
		}
		fmt.Fprintf(&b, "%-*s  %-*s  %s\n", placeWidth, places[i], kindWidth, s.Kind, name)
	}
	switch {
	case a.Total > len(a.Symbols):
		fmt.Fprintf(&b, "(shown %d of %d", len(a.Symbols), a.Total)
		if a.More {
			b.WriteString("; others fit worse")
		}
		b.WriteString(")\n")
	case a.More:
		fmt.Fprintf(&b, "(shown %d; others fit worse)\n", len(a.Symbols))
	}
	return b.String()
}

// FindSymbolsJSON is the JSON form of a [FindSymbolsAnswer].
type FindSymbolsJSON struct {
	Query    string            `json:"query"`
	Symbols  []FoundSymbolJSON `json:"symbols"`
	Total    int               `json:"total"`
	More     bool              `json:"more"`
	Misspelt bool              `json:"misspelt"`
}

// FoundSymbolJSON is one definition: lines 1-based and inclusive, the column of
// the name 1-based in bytes.
type FoundSymbolJSON struct {
	SymbolJSON
	File      string `json:"file"`
	Match     string `json:"match"`
	Generated bool   `json:"generated"`
}

// JSON returns the answer in its JSON form.
func (a *FindSymbolsAnswer) JSON() FindSymbolsJSON {
	out := FindSymbolsJSON{Query: a.Query, Symbols: []FoundSymbolJSON{}, Total: a.Total, More: a.More, Misspelt: a.Misspelt}
	for _, s := range a.Symbols {
		out.Symbols = append(out.Symbols, FoundSymbolJSON{
			SymbolJSON: SymbolJSON{
				Name: s.Name, Container: s.Container, Kind: string(s.Kind),
				Line: s.Line, Column: s.Column, StartLine: s.StartLine, EndLine: s.EndLine, Cell: s.Cell.String(),
			},
			File: s.Path, Match: s.Match, Generated: s.Generated,
		})
	}
	return out
}
