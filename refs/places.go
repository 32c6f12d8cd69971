package refs

import (
	"context"
	"errors"
	"fmt"
	"sort"

	"codeintel/index"
	"codeintel/lsp"
	"codeintel/symbols"
)

// question asks one server about a resolved symbol.
type question func(ctx context.Context, v *server, path string, offset int) ([]Location, error)

// Definition returns where the symbol is defined, also outside the root.
// At the module of an import it
// is where that module is. Without a server, the definitions of that name in the
// workspace are given as syntactic. Errors as [Finder.Find].
func (f *Finder) Definition(ctx context.Context, s *index.Snapshot, q Query) (*Places, error) {
	q.specifiers = true
	return f.places(ctx, s, q, func(ctx context.Context, v *server, path string, offset int) ([]Location, error) {
		return v.definition(ctx, s, path, offset, nil)
	}, f.definitionsByName)
}

// Implementations returns what implements the symbol. Only a server can say.
func (f *Finder) Implementations(ctx context.Context, s *index.Snapshot, q Query) (*Places, error) {
	return f.places(ctx, s, q, func(ctx context.Context, v *server, path string, offset int) ([]Location, error) {
		return v.implementations(ctx, s, path, offset, nil)
	}, nil)
}

// lower is the tier below a server's answer.
type lower func(ctx context.Context, s *index.Snapshot, t *target) ([]Location, error)

func (f *Finder) places(ctx context.Context, s *index.Snapshot, q Query, ask question, below lower) (*Places, error) {
	t, err := resolve(s, q)
	if err != nil {
		return nil, err
	}
	p := &Places{Symbol: t.asked, Path: t.path}
	if q.Tier == "" || q.Tier == Exact {
		err := f.askPlaces(ctx, s, t, p, ask, below)
		if err == nil || q.Tier == Exact || below == nil || ctx.Err() != nil || errors.Is(err, ErrOutdated) {
			return p, err
		}
		p.Reason = whyNot(err)
	}
	if below == nil {
		return nil, &NoServerError{Path: t.path, Why: "only a language server can answer this"}
	}
	*p = Places{Symbol: p.Symbol, Path: p.Path, Reason: p.Reason, Precision: Syntactic}
	p.Locations, err = below(ctx, s, t)
	p.Reason = orElse(p.Reason, "no language server was asked")
	return p, err
}

// askPlaces fills p from the server, at every united declaration.
func (f *Finder) askPlaces(ctx context.Context, s *index.Snapshot, t *target, p *Places, ask question, below lower) error {
	return f.withServer(ctx, s, t, below == nil, func(ctx context.Context, v *server, gap string) error {
		p.Locations, p.Servers = nil, []Server{v.info()}
		p.Precision = Exact
		p.Coverage.Complete, p.Reason = gap == "", gap
		seen := map[place]bool{}
		for _, r := range t.asks {
			locs, err := ask(ctx, v, t.path, r.Start)
			if err != nil {
				return err
			}
			for _, l := range locs {
				if _, blocked := s.Blocked(l.Path); !blocked && !seen[l.place()] {
					seen[l.place()] = true
					p.Locations = append(p.Locations, l)
				}
			}
		}
		sort.SliceStable(p.Locations, func(i, j int) bool { return before(p.Locations[i], p.Locations[j], t.path) })
		return nil
	})
}

// serverQuestion asks a server that has the target's projects open. gap says what
// its answer may leave out; empty when nothing.
type serverQuestion func(ctx context.Context, v *server, gap string) error

// gap says why one question to one server may not reach every mention: the
// relation is asked of the declaring project alone, unlike references.
func (f *Finder) gap(s *index.Snapshot, t *target, kind lsp.Kind, p *projects, ms []mention) string {
	files := 0
	for _, m := range ms {
		_, _, excluded := excludedGo(m.path, m.doc.Text(), f.opts.BuildTags)
		if m.path != t.path && (excluded || kind == lsp.TSServer || p.marker(m.path) != p.marker(t.path)) {
			files++
		}
	}
	if files == 0 {
		return ""
	}
	return fmt.Sprintf("only the project of %s was asked, and %s elsewhere; codeintel refs asks them all", t.path, count(files, "file mentions the name", "files mention the name"))
}

// withServer runs ask on the target's server with its document open, and if wide
// one of every project that mentions the name; once more on a fresh server when it dies.
func (f *Finder) withServer(ctx context.Context, s *index.Snapshot, t *target, wide bool, ask serverQuestion) error {
	kind, err := f.kindOf(s, lsp.NewChooser(s.Root()), t.path)
	if err != nil {
		return err
	}
	ctx, cancel := f.limited(ctx)
	defer cancel()
	return f.retried(ctx, func() error { return f.once(ctx, s, t, kind, wide, ask) }, func() {})
}

// Callers returns the functions that call the symbol, by the server's call
// hierarchy; without a server, the functions that hold syntactic references.
func (f *Finder) Callers(ctx context.Context, s *index.Snapshot, q Query) (*Places, error) {
	return f.hierarchy(ctx, s, q, true)
}

// Callees returns the functions that the symbol calls. Only a server can say.
func (f *Finder) Callees(ctx context.Context, s *index.Snapshot, q Query) (*Places, error) {
	return f.hierarchy(ctx, s, q, false)
}

func (f *Finder) hierarchy(ctx context.Context, s *index.Snapshot, q Query, incoming bool) (*Places, error) {
	t, err := resolve(s, q)
	if err != nil {
		return nil, err
	}
	p := &Places{Symbol: t.asked, Path: t.path}
	if q.Tier == "" || q.Tier == Exact {
		err := f.withServer(ctx, s, t, true, func(ctx context.Context, v *server, gap string) error {
			if !incoming {
				gap = "" // what a function calls stands in its own document
			}
			return f.askCalls(ctx, s, t, v, p, incoming, gap)
		})
		if err == nil || q.Tier == Exact || !incoming || ctx.Err() != nil || errors.Is(err, ErrOutdated) {
			return p, err
		}
		p.Reason = whyNot(err)
	}
	if !incoming {
		return nil, &NoServerError{Path: t.path, Why: "only a language server can answer this"}
	}
	return p, f.callersBySyntax(ctx, s, t, p)
}

func (f *Finder) askCalls(ctx context.Context, s *index.Snapshot, t *target, v *server, p *Places, incoming bool, gap string) error {
	p.Calls, p.External, p.Servers = nil, 0, []Server{v.info()}
	p.Precision, p.Coverage.Complete, p.Reason = Exact, gap == "", gap
	seen := map[place]int{}
	for _, r := range t.asks {
		calls, err := v.calls(ctx, s, t.path, r.Start, incoming)
		if err != nil {
			return err
		}
		for _, c := range calls {
			if _, blocked := s.Blocked(c.Path); blocked {
				continue
			}
			if outside(c.Path) {
				p.External++
				continue
			}
			if i, known := seen[c.place()]; known {
				p.Calls[i].Sites = append(p.Calls[i].Sites, c.Sites...)
				continue
			}
			seen[c.place()] = len(p.Calls)
			p.Calls = append(p.Calls, named(s, c))
		}
	}
	sort.SliceStable(p.Calls, func(i, j int) bool { return before(p.Calls[i].Location, p.Calls[j].Location, t.path) })
	return nil
}

// named takes name, container and kind from the symbols of the document, which
// are uniform where servers differ.
func named(s *index.Snapshot, c Call) Call {
	if d, ok := declarationAt(s, c.Location, c.Name); ok {
		c.Name, c.Container, c.Kind = d.Symbol.Name, d.Symbol.Container, d.Symbol.Kind
	}
	return c
}

// callersBySyntax fills p with the functions around syntactic references.
func (f *Finder) callersBySyntax(ctx context.Context, s *index.Snapshot, t *target, p *Places) error {
	r, err := f.syntactic(ctx, s, t)
	if err != nil {
		return err
	}
	*p = Places{Symbol: p.Symbol, Path: p.Path, Reason: p.Reason, Precision: Syntactic}
	p.Reason = orElse(p.Reason, "no language server was asked")
	seen := map[place]int{}
	for _, ref := range r.References {
		if ref.Declaration {
			continue
		}
		call, ok := callAround(s, ref.Location)
		if !ok {
			continue
		}
		i, known := seen[call.place()]
		if !known {
			i = len(p.Calls)
			seen[call.place()] = i
			p.Calls = append(p.Calls, call)
		}
		p.Calls[i].Sites = append(p.Calls[i].Sites, ref.Location)
	}
	return nil
}

func callAround(s *index.Snapshot, at Location) (Call, bool) {
	outline, err := s.Outline(at.Path)
	if err != nil {
		return Call{}, false
	}
	doc, err := s.Document(at.Path)
	if err != nil {
		return Call{}, false
	}
	around, ok := outline.Enclosing(at.Range.Start)
	if !ok {
		return Call{}, false
	}
	l, err := locate(doc, at.Path, around.Selection)
	return Call{Location: l, Name: around.Name, Container: around.Container, Kind: around.Kind}, err == nil
}

// once is one attempt of withServer.
func (f *Finder) once(ctx context.Context, s *index.Snapshot, t *target, kind lsp.Kind, wide bool, ask serverQuestion) error {
	v, leave, err := f.server(ctx, s, kind)
	if err != nil {
		return err
	}
	defer leave()
	if !wide {
		if err := v.ensureOpen(ctx, s, t.path); err != nil {
			return err
		}
		return ask(ctx, v, "")
	}
	ms, err := f.mentions(ctx, s, t)
	if err != nil {
		return err
	}
	p := newProjects(s, family(symbols.LanguageOf(t.path)))
	for _, file := range p.plan(s, t.path, ms) {
		if err := v.ensureOpen(ctx, s, file); err != nil && !unreadable(err) {
			return err
		}
	}
	return ask(ctx, v, f.gap(s, t, kind, p, ms))
}
