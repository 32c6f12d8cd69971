package refs

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"slices"
	"strings"

	"codeintel/index"
	"codeintel/lsp"
	"codeintel/symbols"
)

// This file asks for what a symbol is related to: implementations, callers and
// callees. One question to one server reaches one project only, so other projects
// that mention the name are asked as well.

// Implementations returns what implements the symbol. Only servers can say.
func (f *Finder) Implementations(ctx context.Context, s *index.Snapshot, q Query) (*Places, error) {
	return f.related(ctx, s, q, func(ctx context.Context, r *relation) error { return r.implementations(ctx) }, nil)
}

// Callers returns the functions that call the symbol: by the call hierarchy of the
// declaring project, and in all others by the calls among the references. Without
// a server they are the functions that hold syntactic references.
func (f *Finder) Callers(ctx context.Context, s *index.Snapshot, q Query) (*Places, error) {
	return f.related(ctx, s, q, func(ctx context.Context, r *relation) error { return r.callers(ctx) }, f.callersBySyntax)
}

// Callees returns the functions that the symbol calls. Only servers can say.
func (f *Finder) Callees(ctx context.Context, s *index.Snapshot, q Query) (*Places, error) {
	return f.related(ctx, s, q, func(ctx context.Context, r *relation) error { return r.callees(ctx) }, nil)
}

// related asks servers, and if they cannot answer the tier below, if there is one.
func (f *Finder) related(ctx context.Context, s *index.Snapshot, q Query, ask func(context.Context, *relation) error,
	below func(context.Context, *index.Snapshot, *target, *Places) error) (*Places, error) {
	t, err := resolve(s, q)
	if err != nil {
		return nil, err
	}
	p := &Places{Symbol: t.asked, Path: t.path}
	if q.Tier == "" || q.Tier == Exact {
		err := f.asked(ctx, func(ctx context.Context) error {
			r, err := f.relation(ctx, s, t, p)
			if err != nil {
				return err
			}
			return ask(ctx, r)
		})
		if errors.Is(err, lsp.ErrUnsupported) {
			err = &NoServerError{Path: t.path, Language: symbols.LanguageOf(t.path), Why: "the language server for this kind of file does not answer this question"}
		}
		if final(ctx, q, err) || below == nil {
			return p, err
		}
		p.Reason = whyNot(err)
	}
	if below == nil {
		return nil, &NoServerError{Path: t.path, Why: "only a language server can answer this"}
	}
	return p, below(ctx, s, t, p)
}

// relation is one question under way.
type relation struct {
	f        *Finder
	s        *index.Snapshot
	t        *target
	p        *Places
	kind     lsp.Kind // of the target's document
	chooser  *lsp.Chooser
	projects *projects
	mentions []mention

	questions int
	doubts    []string // what keeps the answer from being complete
}

func (f *Finder) relation(ctx context.Context, s *index.Snapshot, t *target, p *Places) (*relation, error) {
	chooser := lsp.NewChooser(s.Root())
	kind, err := f.kindOf(s, chooser, t.path)
	if err != nil {
		return nil, err
	}
	*p = Places{Symbol: t.asked, Path: t.path, Precision: Exact}
	r := &relation{f: f, s: s, t: t, p: p, kind: kind, chooser: chooser, projects: newProjects(s, family(symbols.LanguageOf(t.path)))}
	r.mentions, err = f.mentions(ctx, s, t)
	return r, err
}

// on runs a question on a server that has files open.
func (r *relation) on(ctx context.Context, kind lsp.Kind, files []string, ask func(*server) error) error {
	v, leave, err := r.f.server(ctx, r.s, kind)
	if err != nil {
		return err
	}
	defer leave()
	var pinned []string
	defer func() { v.unpin(pinned) }()
	for _, file := range files {
		err := v.pin(ctx, r.s, file)
		if err == nil {
			pinned = append(pinned, file)
		} else if !unreadable(err) {
			return err
		}
	}
	if info := v.info(); !slices.Contains(r.p.Servers, info) {
		r.p.Servers = append(r.p.Servers, info)
	}
	return ask(v)
}

// view is a part of the workspace that one question reaches: the files of one
// project that one kind of server judges.
type view struct {
	kind   lsp.Kind
	marker string
}

func (r *relation) viewOf(path string) (view, error) {
	kind, err := r.f.kindOf(r.s, r.chooser, path)
	return view{kind, r.projects.marker(path)}, err
}

// here returns the files to open for the target's own view.
func (r *relation) here() []string {
	var own []mention
	for _, m := range r.mentions {
		if v, err := r.viewOf(m.path); err == nil && v.kind == r.kind {
			own = append(own, m)
		}
	}
	return r.projects.plan(r.s, r.t.path, own)
}

// elsewhere returns the mentions in other views than the target's, by view, and
// the views in order. Files that the build leaves out are no part of any.
func (r *relation) elsewhere() ([]view, map[view][]mention) {
	own := view{r.kind, r.projects.marker(r.t.path)}
	byView := map[view][]mention{}
	var order []view
	excluded, notebooks := 0, 0
	for _, m := range r.mentions {
		if isNotebook(m.path) {
			notebooks++
			continue
		}
		v, err := r.viewOf(m.path)
		if _, _, out := excludedGo(m.path, m.doc.Text(), r.f.opts.BuildTags); out {
			excluded++
			continue
		}
		if err != nil || v == own {
			continue
		}
		if byView[v] == nil {
			order = append(order, v)
		}
		byView[v] = append(byView[v], m)
	}
	if excluded > 0 {
		r.doubts = append(r.doubts, count(excluded, "file that mentions the name is", "files that mention the name are")+" excluded from the build on this machine")
	}
	if notebooks > 0 {
		r.doubts = append(r.doubts, count(notebooks, "notebook mentions", "notebooks mention")+" the name; "+notebookReason)
	}
	return order, byView
}

// finish states what is complete.
func (r *relation) finish() {
	r.p.Coverage.Complete = len(r.doubts) == 0
	r.p.Reason = strings.Join(r.doubts, "; ")
	r.p.sort()
}

// implementations asks at the symbol, and in every other view at a use of it.
func (r *relation) implementations(ctx context.Context) error {
	decls := map[place]bool{}
	err := r.on(ctx, r.kind, r.here(), func(v *server) error {
		if err := r.declared(ctx, v, decls); err != nil {
			return err
		}
		for _, at := range r.t.asks {
			locs, err := v.implementations(ctx, r.s, r.t.path, at.Start, nil)
			if err != nil {
				return err
			}
			r.p.addLocations(r.s, locs)
		}
		return nil
	})
	if err != nil {
		return err
	}
	order, byView := r.elsewhere()
	for _, other := range order {
		ms := byView[other]
		files := make([]string, 0, len(ms))
		for _, m := range ms[:min(len(ms), manyMentions)] {
			files = append(files, m.path)
		}
		err := r.on(ctx, other.kind, files, func(v *server) error { return r.implementationsAt(ctx, v, ms, decls) })
		if err != nil {
			if ctx.Err() != nil || crashed(err) || errors.Is(err, ErrOutdated) {
				return err
			}
			r.doubts = append(r.doubts, fmt.Sprintf("%s, which judges %s, did not answer: %v", other.kind, count(len(ms), "file that mentions the name", "files that mention the name"), err))
		}
	}
	r.unasked(order)
	r.finish()
	return nil
}

// declared collects where the symbol is defined.
func (r *relation) declared(ctx context.Context, v *server, into map[place]bool) error {
	for _, sym := range r.t.declared {
		into[place{r.t.path, sym.Selection.Start, sym.Selection.End}] = true
	}
	if len(into) > 0 {
		return nil
	}
	for _, at := range r.t.asks {
		locs, err := v.definition(ctx, r.s, r.t.path, at.Start, nil)
		if err != nil {
			return err
		}
		for _, l := range locs {
			into[l.place()] = true
		}
	}
	return nil
}

// implementationsAt asks at the first of the mentions that is bound to one of the
// declarations: the view has the same answer at all of them. When none is bound
// and some could not be judged, that is a doubt.
func (r *relation) implementationsAt(ctx context.Context, v *server, ms []mention, decls map[place]bool) error {
	unknown := 0
	for _, m := range ms {
		for _, tok := range m.tokens {
			if r.questions++; r.questions > maxQuestions {
				r.doubts = append(r.doubts, "the name occurs too often to ask about every place")
				return nil
			}
			defs, err := v.definition(ctx, r.s, m.path, tok.Range.Start, nil)
			switch {
			case err != nil && (ctx.Err() != nil || crashed(err)):
				return err
			case err != nil || len(defs) == 0:
				unknown++
			case slices.ContainsFunc(defs, func(l Location) bool { return decls[l.place()] }):
				locs, err := v.implementations(ctx, r.s, m.path, tok.Range.Start, nil)
				if err == nil {
					r.p.addLocations(r.s, locs)
				}
				return err
			}
		}
	}
	if unknown > 0 {
		r.doubts = append(r.doubts, fmt.Sprintf("%s of the name around %s could not be judged", count(unknown, "occurrence", "occurrences"), ms[0].path))
	}
	return nil
}

// unasked notes Go modules in which nothing mentions the name. A type there can
// implement the interface all the same, which nobody has looked for.
func (r *relation) unasked(asked []view) {
	if r.projects.fam != "go" || r.s.Exists("go.work") {
		return
	}
	known := map[string]bool{r.projects.marker(r.t.path): true}
	for _, v := range asked {
		known[v.marker] = true
	}
	n := 0
	for _, marker := range r.projects.markers {
		if !known[marker] {
			n++
		}
	}
	if n > 0 {
		r.doubts = append(r.doubts, count(n, "other module was", "other modules were")+" not asked, since nothing there mentions the name")
	}
}

// hierarchy asks for the calls from or to the symbol in its own view.
func (r *relation) hierarchy(ctx context.Context, incoming bool) error {
	return r.on(ctx, r.kind, r.here(), func(v *server) error {
		for _, at := range r.t.asks {
			calls, err := v.calls(ctx, r.s, r.t.path, at.Start, incoming)
			if err != nil {
				return err
			}
			r.p.addCalls(r.s, calls)
		}
		if !incoming {
			return r.judgeCalls(ctx, v)
		}
		return nil
	})
}

// callers takes the call hierarchy in the symbol's own view. Other views are not
// in it: there the references that are calls count.
func (r *relation) callers(ctx context.Context) error {
	if err := r.hierarchy(ctx, true); err != nil {
		return err
	}
	if order, _ := r.elsewhere(); len(order) > 0 {
		found, err := r.f.hunt(ctx, r.s, r.t)
		if err != nil {
			return err
		}
		r.addReferences(found)
	}
	r.finish()
	return nil
}

// addReferences adds the calls among references in files of which the hierarchy
// knows no call.
func (r *relation) addReferences(found *Result) {
	known := map[string]bool{}
	for _, c := range r.p.Calls {
		for _, site := range c.Sites {
			known[site.Path] = true
		}
	}
	for _, ref := range found.References {
		if ref.Declaration || known[ref.Path] {
			continue
		}
		doc, err := r.s.Document(ref.Path)
		if err != nil || !isCall(doc, ref.Range) {
			continue
		}
		call, ok := callAround(r.s, ref.Location)
		if !ok { // outside functions, which servers name by the file
			call = Call{Location: Location{Path: ref.Path, Line: 1, Column: 1, EndColumn: 1}, Name: absolute(r.s.Root(), ref.Path)}
		}
		call.Sites = []Location{ref.Location}
		r.p.addCalls(r.s, []Call{call})
	}
	for _, v := range found.Servers {
		if !slices.Contains(r.p.Servers, v) {
			r.p.Servers = append(r.p.Servers, v)
		}
	}
	r.p.Coverage = found.Coverage
	r.doubts = nil // the reason of the references names them, too
	if !found.Coverage.Complete {
		r.doubts = []string{cmp.Or(found.Reason, "not all references could be found")}
	}
}

// callees takes the call hierarchy and looks at the calls in the symbol's own text
// that it leaves out.
func (r *relation) callees(ctx context.Context) error {
	if err := r.hierarchy(ctx, false); err != nil {
		return err
	}
	r.finish()
	return nil
}

// judgeCalls asks for the definition of what is called in the symbol's own text and
// is not in the hierarchy: a function that a server does not take for one is added,
// what has no definition is a doubt.
func (r *relation) judgeCalls(ctx context.Context, v *server) error {
	sites := map[place]bool{}
	for _, c := range r.p.Calls {
		for _, site := range c.Sites {
			sites[site.place()] = true
		}
	}
	unknown := 0
	for _, tok := range r.calledIn() {
		at := place{r.t.path, tok.Range.Start, tok.Range.End}
		if r.questions++; sites[at] || r.questions > maxQuestions {
			continue
		}
		defs, err := v.definition(ctx, r.s, r.t.path, tok.Range.Start, nil)
		switch {
		case err != nil && (ctx.Err() != nil || crashed(err)):
			return err
		case err != nil || len(defs) == 0:
			unknown++
			continue
		}
		site, err := locate(r.t.doc, r.t.path, tok.Range)
		if err != nil {
			return err
		}
		for _, d := range defs {
			if l, ok := callableAt(r.s, d); ok {
				r.p.addCalls(r.s, []Call{{Location: l, Name: tokenName(r.t, tok), Sites: []Location{site}}})
			}
		}
	}
	if unknown > 0 {
		r.doubts = append(r.doubts, count(unknown, "call in it leads", "calls in it lead")+" to no definition that "+v.info().Name+" knows")
	}
	return nil
}

// callableAt returns the name of the function that a definition in the workspace is:
// the place itself, or in JavaScript the property that a function of the same name
// is bound to.
func callableAt(s *index.Snapshot, d Location) (Location, bool) {
	if outside(d.Path) {
		return d, false
	}
	doc, err := s.Document(d.Path)
	if err != nil {
		return d, false
	}
	outline, err := s.Outline(d.Path)
	if err != nil {
		return d, false
	}
	name := string(doc.Text()[d.Range.Start:d.Range.End])
	for _, sym := range outline.Symbols() {
		if sym.IsCallable() && (sym.Selection == d.Range || sym.Name == name && sym.Range.Covers(d.Range)) {
			l, err := locate(doc, d.Path, sym.Selection)
			return l, err == nil
		}
	}
	return d, false
}

func tokenName(t *target, tok symbols.Identifier) string {
	return string(t.doc.Text()[tok.Range.Start:tok.Range.End])
}

// calledIn returns the names that are called in the text of the symbol itself, not
// in that of functions with names of their own inside it.
func (r *relation) calledIn() []symbols.Identifier {
	if r.t.outline == nil {
		return nil
	}
	var out []symbols.Identifier
	for _, id := range r.t.outline.Identifiers() {
		if id.Role == symbols.RoleDeclaration || !isCall(r.t.doc, id.Range) {
			continue
		}
		around, ok := r.t.outline.Enclosing(id.Range.Start)
		if ok && slices.ContainsFunc(r.t.declared, func(s symbols.Symbol) bool { return s.Selection == around.Selection }) {
			out = append(out, id)
		}
	}
	return out
}
