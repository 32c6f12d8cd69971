package refs

import (
	"context"
	"errors"
	"slices"
	"sort"

	"codeintel/index"
	"codeintel/lsp"
)

// Definition returns where the symbol is defined, also outside the root.
// At the module of an import it
// is where that module is. Without a server, the definitions of that name in the
// workspace are given as syntactic. Errors as [Finder.Find].
func (f *Finder) Definition(ctx context.Context, s *index.Snapshot, q Query) (*Places, error) {
	q.specifiers = true
	t, err := resolve(s, q)
	if err != nil {
		return nil, err
	}
	p := &Places{Symbol: t.asked, Path: t.path}
	if q.Tier == "" || q.Tier == Exact {
		err := f.asked(ctx, func(ctx context.Context) error { return f.askDefinition(ctx, s, t, p) })
		if final(ctx, q, err) {
			return p, err
		}
		p.Reason = whyNot(err)
	}
	*p = Places{Symbol: t.asked, Path: t.path, Reason: orElse(p.Reason, "no language server was asked"), Precision: Syntactic}
	p.Locations, err = f.definitionsByName(ctx, s, t)
	return p, err
}

// asked runs a question to servers within the server time-out, once more when one
// dies.
func (f *Finder) asked(ctx context.Context, question func(context.Context) error) error {
	ctx, cancel := f.limited(ctx)
	defer cancel()
	return f.retried(ctx, func() error { return question(ctx) }, func() {})
}

// final reports whether no lower tier is to answer after err.
func final(ctx context.Context, q Query, err error) bool {
	return err == nil || q.Tier == Exact || ctx.Err() != nil || errors.Is(err, ErrOutdated)
}

// askDefinition fills p from the server of the target's document, at every united
// declaration.
func (f *Finder) askDefinition(ctx context.Context, s *index.Snapshot, t *target, p *Places) error {
	kind, err := f.kindOf(s, lsp.NewChooser(s.Root()), t.path)
	if err != nil {
		return err
	}
	v, leave, err := f.server(ctx, s, kind)
	if err != nil {
		return err
	}
	defer leave()
	if err := v.pin(ctx, s, t.path); err != nil {
		return err
	}
	defer v.unpin([]string{t.path})
	*p = Places{Symbol: t.asked, Path: t.path, Precision: Exact, Coverage: Coverage{Complete: true}, Servers: []Server{v.info()}}
	for _, r := range t.asks {
		locs, err := v.definition(ctx, s, t.path, r.Start, nil)
		if err != nil {
			return err
		}
		p.addLocations(s, locs)
	}
	p.sort()
	return nil
}

// addLocations adds places that are new and may be shown.
func (p *Places) addLocations(s *index.Snapshot, locs []Location) {
	for _, l := range locs {
		if _, blocked := s.Blocked(l.Path); !blocked && !slices.Contains(p.Locations, l) {
			p.Locations = append(p.Locations, l)
		}
	}
}

// addCalls adds calls to functions that may be shown, and the sites of known ones.
func (p *Places) addCalls(s *index.Snapshot, calls []Call) {
	for _, c := range calls {
		if _, blocked := s.Blocked(c.Path); blocked {
			continue
		}
		if outside(c.Path) {
			p.External++
			continue
		}
		i := slices.IndexFunc(p.Calls, func(known Call) bool { return known.place() == c.place() })
		if i < 0 {
			p.Calls = append(p.Calls, named(s, c))
			continue
		}
		for _, site := range c.Sites {
			if !slices.Contains(p.Calls[i].Sites, site) {
				p.Calls[i].Sites = append(p.Calls[i].Sites, site)
			}
		}
	}
}

// sort puts places into answer order.
func (p *Places) sort() {
	sort.SliceStable(p.Locations, func(i, j int) bool { return before(p.Locations[i], p.Locations[j], p.Path) })
	sort.SliceStable(p.Calls, func(i, j int) bool { return before(p.Calls[i].Location, p.Calls[j].Location, p.Path) })
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
