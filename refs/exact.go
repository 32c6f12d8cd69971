package refs

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"slices"
	"sort"

	"codeintel/index"
	"codeintel/lsp"
	"codeintel/lsp/tsconfig"
	"codeintel/symbols"
)

// hunt is one exact references query in progress.
type hunt struct {
	f        *Finder
	s        *index.Snapshot
	t        *target
	projects *projects
	chooser  *lsp.Chooser
	configs  *tsconfig.Reader
	mentions []mention

	found map[place]Location // every distinct location the servers gave
	in    map[string]int     // how many of them each document holds
	order []place            // keys of found, as they came
	decls map[place]Location // where the symbol is defined
	asked []*server

	deferred    []mention // left open by TypeScript 7, to be judged by tsserver
	unconfirmed []Unconfirmed
	others      []place // bound to other symbols
	untypedUses []place // judged, and bound to nothing: the type is unknown
	unchecked   int
	unknown     string         // says that the server has no definition of the symbol; empty if it has
	hidden      bool           // a definition lies where we must not or cannot look
	lost        losses         // references that could not be taken over
	bound       map[place]bool // the places of syntactic
	syntactic   []Location     // bound by following imports, see linked.go
	notes       []string
}

// place identifies a location.
type place struct {
	path       string
	start, end int
}

func (l Location) place() place { return place{l.Path, l.Range.Start, l.Range.End} }

// exact answers from the language servers of the target's language, within the
// server time-out. A server that dies is tried once more, fresh.
func (f *Finder) exact(ctx context.Context, s *index.Snapshot, t *target) (*Result, error) {
	ctx, cancel := f.limited(ctx)
	defer cancel()
	var r *Result
	err := f.retried(ctx, func() (err error) {
		r, err = f.hunt(ctx, s, t)
		return err
	}, func() {})
	return r, err
}

func (f *Finder) hunt(ctx context.Context, s *index.Snapshot, t *target) (*Result, error) {
	chooser := lsp.NewChooser(s.Root())
	kind, err := f.kindOf(s, chooser, t.path)
	if err != nil {
		return nil, err
	}
	h := &hunt{
		f: f, s: s, t: t, chooser: chooser, configs: tsconfig.NewReader(s.Root()),
		projects: newProjects(s, family(symbols.LanguageOf(t.path))),
		found:    map[place]Location{}, in: map[string]int{}, decls: map[place]Location{}, bound: map[place]bool{},
	}
	// The server starts and loads while the documents are read.
	started := make(chan error, 1)
	go func() {
		_, err := f.opts.Servers.Server(ctx, kind)
		started <- err
	}()
	h.mentions, err = f.mentions(ctx, s, t)
	if serr := <-started; serr != nil {
		return nil, serr
	}
	if err != nil {
		return nil, err
	}
	own, second := h.split(kind)
	if err := h.askKind(ctx, kind, own); err != nil {
		return nil, err
	}
	if second = append(second, h.deferred...); len(second) > 0 {
		if err := h.askSecond(ctx, lsp.TSServer, second); err != nil {
			return nil, err
		}
	}
	return h.result(), nil
}

// askSecond asks another server about the documents that are left to it. What the
// first one found stays when this one does not answer, in time or at all.
func (h *hunt) askSecond(ctx context.Context, k lsp.Kind, ms []mention) error {
	before := *h
	undo := func() {
		h.asked, h.deferred, h.unconfirmed = before.asked, before.deferred, before.unconfirmed
		h.others, h.untypedUses, h.unchecked = before.others, before.untypedUses, before.unchecked
		h.lost, h.notes, h.unknown = before.lost, before.notes, before.unknown
	}
	err := h.f.retried(ctx, func() error { return h.askKind(ctx, k, ms) }, undo)
	switch {
	case err == nil:
	case errors.Is(err, ErrOutdated), ctx.Err() != nil && !errors.Is(context.Cause(ctx), errServerTimeout):
		return err
	default:
		undo()
		h.missing(k, ms, err)
	}
	return nil
}

// kindOf returns the server kind for a document.
func (f *Finder) kindOf(s *index.Snapshot, c *lsp.Chooser, path string) (lsp.Kind, error) {
	if f.opts.Servers == nil {
		return "", &NoServerError{Path: path, Why: "language servers are not in use"}
	}
	if isNotebook(path) {
		return "", &NoServerError{Path: path, Language: symbols.Notebook, Why: notebookReason}
	}
	doc, err := s.Document(path)
	if err != nil {
		return "", err
	}
	kind, _, ok := c.Choose(absolute(s.Root(), path), doc.Text())
	if !ok {
		return "", &NoServerError{Path: path, Language: symbols.LanguageOf(path), Why: "no language server for this kind of file"}
	}
	if why := endless(s, kind); why != "" {
		return "", &NoServerError{Path: path, Language: symbols.LanguageOf(path), Why: why}
	}
	return kind, nil
}

// split says which mentions the first server judges and which are for tsserver
// alone. tsserver judges everything. TypeScript 7 does not see CommonJS exports,
// so those scripts are for tsserver; in projects with options that it has
// removed it is right where imports resolve all the same (a target of es5, say),
// so it goes first there and tsserver is started only for what it leaves open.
// No server judges notebooks.
func (h *hunt) split(first lsp.Kind) (own, second []mention) {
	for _, m := range h.mentions {
		k, err := h.f.kindOf(h.s, h.chooser, m.path)
		switch {
		case isNotebook(m.path):
			h.leaveOpen(m)
		case err != nil:
		case first != lsp.TypeScript || k == first:
			own = append(own, m)
		case isScript(m.path):
			second = append(second, m)
		default:
			m.defers = true
			own = append(own, m)
		}
	}
	return own, second
}

// leaveOpen records the mentions in a notebook as not judged, but those that the
// syntax shows to be of something else: a definition of the notebook's own, a name
// that it does not import. In one that runs another file every name may come from
// there.
func (h *hunt) leaveOpen(m mention) {
	meant := h.t.meant()
	runs := bytes.Contains(m.doc.Text(), []byte("%run "))
	for _, tok := range m.tokens {
		if runs || h.t.mayBe(meant, m, tok) {
			h.doubt(m, tok.Range, details{cause: notebookReason, final: true})
			continue
		}
		h.others = append(h.others, place{m.path, tok.Range.Start, tok.Range.End})
	}
}

func isScript(path string) bool {
	switch symbols.LanguageOf(path) {
	case "javascript", "javascriptreact":
		return true
	}
	return false
}

// missing records that a second server could not judge its documents.
func (h *hunt) missing(k lsp.Kind, ms []mention, err error) {
	cure, why := "", fmt.Sprintf("did not answer: %v", err)
	var m *lsp.MissingError
	if errors.As(err, &m) {
		cure = m.Install
	}
	if errors.Is(err, context.DeadlineExceeded) {
		why = "did not answer in time"
	}
	for _, m := range ms {
		for _, tok := range h.left(m, m.tokens) {
			h.doubt(m, tok.Range, details{cause: fmt.Sprintf("%s, which judges this file, %s", k, why), cure: cure})
		}
	}
}

// askKind asks one server, with its mentions open, and compares its answer with
// them.
func (h *hunt) askKind(ctx context.Context, k lsp.Kind, ms []mention) error {
	v, leave, err := h.f.server(ctx, h.s, k)
	if err != nil {
		return err
	}
	defer leave()
	h.asked = append(h.asked, v)
	if err := v.pin(ctx, h.s, h.t.path); err != nil {
		return err
	}
	defer v.unpin([]string{h.t.path})
	if err := h.askInTurn(ctx, v, h.projects.plan(h.s, h.t.path, ms)); err != nil {
		return err
	}
	if err := h.locateDeclarations(ctx, v); err != nil {
		return err
	}
	h.addDeclared()
	if err := h.followAliases(ctx, v, ms); err != nil {
		return err
	}
	if err := h.compare(ctx, v, ms); err != nil {
		return err
	}
	h.doubtUnknown(v, ms)
	return nil
}

// doubtUnknown leaves every mention open when the server has neither a definition
// of the identifier that was asked about nor a reference to it: it cannot tell
// which of them are the symbol's, nor that there are none.
func (h *hunt) doubtUnknown(v *server, ms []mention) {
	h.unknown = ""
	if h.hidden || len(h.decls)+len(h.found)+len(h.syntactic)+h.lost.blocked+h.lost.unreadable > 0 {
		return
	}
	h.unknown = fmt.Sprintf("%s does not know what '%s' is here", v.info().Name, h.t.asked)
	open := map[place]bool{}
	for _, p := range slices.Concat(h.others, h.untypedUses) {
		open[p] = true
	}
	for _, m := range ms {
		for _, tok := range m.tokens {
			if open[place{m.path, tok.Range.Start, tok.Range.End}] {
				h.doubt(m, tok.Range, details{cause: h.unknown})
			}
		}
	}
	h.others, h.untypedUses = nil, nil
}

// projectsAtOnce is how many projects are opened before the server is asked and
// its memory looked at.
const projectsAtOnce = 40

// defaultMemoryLimit is the resident size above which projects are asked in
// turn (the bound for trpc and vitest).
const defaultMemoryLimit = 3 << 30

// askInTurn opens the planned files, the declaring one first, and asks. When
// the server has grown past the limit the files are closed and the next
// projects asked alone; the answers are united.
func (h *hunt) askInTurn(ctx context.Context, v *server, files []string) error {
	limit := h.f.opts.MemoryLimit
	if limit <= 0 {
		limit = defaultMemoryLimit
	}
	grown := false
	for len(files) > 0 {
		n := h.projects.first(files, projectsAtOnce)
		if err := h.askBatch(ctx, v, files[:n]); err != nil {
			return err
		}
		if files = files[n:]; len(files) > 0 && v.lsp.Memory() > limit {
			grown = true
			if err := v.closeAll(ctx); err != nil {
				return err
			}
		}
	}
	if grown {
		h.notes = append(h.notes, fmt.Sprintf("%s grew past %d MB; the projects were asked in turn", v.info().Name, limit>>20))
	}
	return nil
}

// askBatch asks with these files open.
func (h *hunt) askBatch(ctx context.Context, v *server, files []string) error {
	var pinned []string
	defer func() { v.unpin(pinned) }()
	for _, file := range files {
		err := v.pin(ctx, h.s, file)
		if err == nil {
			pinned = append(pinned, file)
		} else if !unreadable(err) {
			return err
		}
	}
	return h.askAll(ctx, v)
}

// askAll asks at every united declaration. One that an answer of another lists
// is the same symbol for the server and needs no question of its own.
func (h *hunt) askAll(ctx context.Context, v *server) error {
	united := map[place]bool{}
	for _, r := range h.t.asks {
		if united[place{h.t.path, r.Start, r.End}] {
			continue
		}
		locs, err := v.references(ctx, h.s, h.t.path, r.Start, &h.lost)
		if err != nil {
			return fmt.Errorf("references to %s: %w", h.t.asked, err)
		}
		for _, l := range locs {
			united[l.place()] = true
			h.add(l)
		}
	}
	return nil
}

// unreadable reports whether a document could not be had, which excludes it
// from the answer without ending the query.
func unreadable(err error) bool {
	return errors.Is(err, index.ErrNotFound) || errors.Is(err, index.ErrBinary) ||
		errors.Is(err, index.ErrTooLarge) || errors.Is(err, index.ErrNotRegular) || errors.Is(err, index.ErrIsDirectory)
}

func (h *hunt) add(l Location) {
	if _, blocked := h.s.Blocked(l.Path); blocked {
		return
	}
	if _, known := h.found[l.place()]; !known {
		h.found[l.place()] = l
		h.in[l.Path]++
		h.order = append(h.order, l.place())
	}
}

// locateDeclarations finds where the symbol is defined: the definitions that
// were named, else where the server says.
func (h *hunt) locateDeclarations(ctx context.Context, v *server) error {
	if len(h.decls) > 0 {
		return nil
	}
	for _, sym := range h.t.declared {
		if l, err := locate(h.t.doc, h.t.path, sym.Selection); err == nil {
			h.decls[l.place()] = l
		}
	}
	if len(h.decls) > 0 {
		return nil
	}
	for _, r := range h.t.asks {
		var hidden losses
		locs, err := v.definition(ctx, h.s, h.t.path, r.Start, &hidden)
		if err != nil {
			if ctx.Err() != nil || crashed(err) {
				return err
			}
			continue // the server has no definition for it; references may still exist
		}
		h.hidden = h.hidden || hidden.blocked+hidden.unreadable > 0
		for _, l := range locs {
			h.decls[l.place()] = l
		}
	}
	return nil
}

// addDeclared adds the definitions that were named: a server does not list one
// whose object has no type for it (res.send = function in JavaScript).
func (h *hunt) addDeclared() {
	for _, sym := range h.t.declared {
		if l, err := locate(h.t.doc, h.t.path, sym.Selection); err == nil && !h.listed(l.Path, l.Range) {
			h.add(l)
		}
	}
}

// result puts the findings into the form that callers get.
func (h *hunt) result() *Result {
	r := &Result{Symbol: h.t.asked, Path: h.t.path, Precision: Exact, Notes: h.notes}
	// A later question may have listed what an earlier one left open.
	for _, u := range h.unconfirmed {
		if !h.listed(u.Path, u.Range) {
			r.Unconfirmed = append(r.Unconfirmed, u)
		}
	}
	for _, o := range h.others {
		if !h.listed(o.path, symbols.Range{Start: o.start, End: o.end}) {
			r.Elsewhere++
		}
	}
	for _, u := range h.untypedUses {
		if !h.listed(u.path, symbols.Range{Start: u.start, End: u.end}) {
			r.Untyped++
		}
	}
	for _, v := range h.asked {
		r.Servers = append(r.Servers, v.info())
	}
	h.declarations(r)
	for _, key := range h.order {
		h.append(r, h.found[key], Exact)
	}
	for _, l := range h.syntactic {
		if _, known := h.found[l.place()]; !known {
			h.append(r, l, Syntactic)
		}
	}
	h.coverage(r)
	r.Sort()
	return r
}

func (h *hunt) append(r *Result, l Location, p Precision) {
	_, declared := h.decls[l.place()]
	ref := Reference{Location: l, Declaration: declared, Precision: p}
	if outside(l.Path) {
		r.External++
		r.ExternalReferences = append(r.ExternalReferences, ref)
		return
	}
	r.References = append(r.References, ref)
}

// declarations fills r.Declarations, first those in the asked document.
func (h *hunt) declarations(r *Result) {
	keys := make([]place, 0, len(h.decls))
	for key := range h.decls {
		keys = append(keys, key)
	}
	sort.Slice(keys, func(i, j int) bool {
		return before(h.decls[keys[i]], h.decls[keys[j]], h.t.path)
	})
	for _, key := range keys {
		if d, ok := declarationAt(h.s, h.decls[key], h.t.name); ok {
			r.Declarations = append(r.Declarations, d)
		}
	}
}

// declarationAt finds the definition whose name is at l.
func declarationAt(s *index.Snapshot, l Location, name string) (Declaration, bool) {
	doc, err := s.Document(l.Path)
	if err != nil {
		return Declaration{}, false
	}
	d := Declaration{Path: l.Path, Line: l.Line, Column: l.Column, EndLine: l.Line,
		Symbol: symbols.Symbol{Name: name, Kind: "symbol", Range: l.Range, Selection: l.Range}}
	outline, err := s.Outline(l.Path)
	if err != nil {
		return d, true
	}
	for _, sym := range outline.Symbols() {
		if sym.Selection != l.Range {
			continue
		}
		d.Symbol = sym
		if end, err := doc.OffsetPoint(max(sym.Range.Start, sym.Range.End-1)); err == nil {
			d.EndLine = end.Line
		}
		break
	}
	return d, true
}
