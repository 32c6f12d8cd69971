package refs

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"path/filepath"
	"slices"
	"strings"
	"sync"

	"go.lsp.dev/protocol"
	"golang.org/x/sync/semaphore"

	"codeintel/index"
	"codeintel/lsp"
	"codeintel/symbols"
)

// This file is the only one of the package that names protocol types: it
// converts between them and ours, where the documents are at hand.

// maxOpen bounds the documents kept open in one server. Closing one can shrink
// later answers, so it is far above what a question usually opens.
const maxOpen = 2000

// server asks one language server about the documents of snapshots. It keeps
// the server's idea of the workspace equal to the snapshot that is asked about.
type server struct {
	lsp  *lsp.Server
	root string

	// turn lets questions about one state of the workspace run side by side; who
	// brings the server to another state waits until they have ended.
	turn *semaphore.Weighted

	mu     sync.Mutex
	synced *index.Snapshot // guarded by mu: what the server was last brought to; retained
	ended  bool            // guarded by mu: the server is no longer in use
	open   []string        // guarded by mu: open paths, oldest use first
	pins   map[string]int  // guarded by mu: by path, how many questions need it open
}

// wholeTurn is the weight of bringing a server to another state.
const wholeTurn = 1 << 20

func newServer(running *lsp.Server, root string) *server {
	return &server{lsp: running, root: root, pins: map[string]int{}, turn: semaphore.NewWeighted(wholeTurn)}
}

// enter brings the server to s and keeps it there until leave is called. A
// server cannot be brought back: one that is ahead of s gives [ErrOutdated],
// unless nothing is different.
func (v *server) enter(ctx context.Context, s *index.Snapshot) (leave func(), err error) {
	for {
		arrived, err := v.at(s)
		if err != nil {
			return nil, err
		}
		if arrived {
			if err := v.turn.Acquire(ctx, 1); err != nil {
				return nil, err
			}
			if arrived, err = v.at(s); arrived && err == nil {
				return func() { v.turn.Release(1) }, nil
			}
			v.turn.Release(1) // moved on in between
			continue
		}
		if err := v.turn.Acquire(ctx, wholeTurn); err != nil {
			return nil, err
		}
		err = v.sync(ctx, s)
		v.turn.Release(wholeTurn)
		if err != nil {
			return nil, err
		}
	}
}

// at reports whether the server is at s; false means that it is behind. The
// error is [ErrOutdated] when it is ahead, with other texts.
func (v *server) at(s *index.Snapshot) (bool, error) {
	v.mu.Lock()
	defer v.mu.Unlock()
	switch {
	case v.synced == nil || v.synced.Generation() < s.Generation():
		return false, nil
	case v.synced.Generation() > s.Generation() && len(v.synced.Diff(s)) > 0:
		return false, ErrOutdated
	}
	return true, nil
}

// forgetState releases what is kept of the workspace, for good.
func (v *server) forgetState() {
	v.mu.Lock()
	defer v.mu.Unlock()
	v.ended = true
	if v.synced != nil {
		v.synced.Release()
		v.synced = nil
	}
}

// info names the server for answers.
func (v *server) info() Server {
	return Server{Name: v.lsp.Name(), Version: v.lsp.Version()}
}

// abs returns the absolute path of a root-relative or absolute one.
func (v *server) abs(path string) string { return absolute(v.root, path) }

func absolute(root, path string) string {
	if filepath.IsAbs(path) {
		return path
	}
	return filepath.Join(root, filepath.FromSlash(path))
}

// rel returns the root-relative slash path, or the absolute one outside root.
func (v *server) rel(abs string) string {
	if r, err := filepath.Rel(v.root, abs); err == nil && r != ".." && !strings.HasPrefix(r, ".."+string(filepath.Separator)) {
		return filepath.ToSlash(r)
	}
	return abs
}

// sync brings the server to s: changed open documents by their text, everything
// else as file events, before anything is asked.
func (v *server) sync(ctx context.Context, s *index.Snapshot) error {
	v.mu.Lock()
	defer v.mu.Unlock()
	if v.ended {
		return cmp.Or(v.lsp.Err(), lsp.ErrClosed)
	}
	if v.synced == nil {
		if err := v.setProjects(ctx, s); err != nil {
			return err
		}
		if err := v.openUnsaved(ctx, s); err != nil {
			return err
		}
		v.synced = s.Retain()
		return nil
	}
	if v.synced.Generation() >= s.Generation() {
		return nil
	}
	var events []*protocol.FileEvent
	changes := s.Diff(v.synced)
	if slices.ContainsFunc(changes, concernsPyProjects) {
		if err := v.setProjects(ctx, s); err != nil {
			return err
		}
	}
	for _, c := range changes {
		if event, err := v.apply(ctx, s, c); err != nil {
			return err
		} else if event != nil {
			events = append(events, event)
		}
	}
	if len(events) > 0 {
		if err := v.lsp.WatchedFiles(ctx, events); err != nil {
			return err
		}
	}
	if err := v.openUnsaved(ctx, s); err != nil {
		return err
	}
	v.synced.Release()
	v.synced = s.Retain()
	return nil
}

// setProjects tells pyright of the workspace's projects; other servers find them.
// Documents may be closed by it.
func (v *server) setProjects(ctx context.Context, s *index.Snapshot) error {
	if v.lsp.Kind() != lsp.Pyright {
		return nil
	}
	if err := v.lsp.SetProjects(ctx, pyProjects(s)); err != nil {
		return err
	}
	v.open = slices.DeleteFunc(v.open, func(path string) bool { return !v.lsp.Opened(v.abs(path)) })
	return nil
}

// openUnsaved tells the server of texts that are not on disk; it reads every
// other file by itself.
func (v *server) openUnsaved(ctx context.Context, s *index.Snapshot) error {
	for path, doc := range s.Overlays() {
		if !v.speaks(symbols.LanguageOf(path)) {
			continue
		}
		if err := v.lsp.Open(ctx, v.abs(path), string(symbols.LanguageOf(path)), doc.UTF8()); err != nil {
			return err
		}
	}
	return nil
}

func (v *server) speaks(l symbols.Language) bool {
	switch v.lsp.Kind() {
	case lsp.Gopls:
		return family(l) == "go"
	case lsp.Pyright:
		return family(l) == "python"
	}
	return family(l) == "typescript"
}

// apply tells the server of one change; an open document is changed or closed,
// and the event is returned for every change of a file.
func (v *server) apply(ctx context.Context, s *index.Snapshot, c index.Change) (*protocol.FileEvent, error) {
	abs := v.abs(c.Path)
	kind := protocol.FileChangeTypeChanged
	switch {
	case c.Removed && !s.Exists(c.Path):
		kind = protocol.FileChangeTypeDeleted
	case c.Created:
		kind = protocol.FileChangeTypeCreated
	}
	if v.lsp.Opened(abs) {
		doc, err := s.Document(c.Path)
		if err != nil {
			v.forget(c.Path)
			if err := v.lsp.Close(ctx, abs); err != nil {
				return nil, err
			}
		} else if err := v.lsp.Change(ctx, abs, doc.UTF8()); err != nil {
			return nil, err
		}
	}
	u, err := lsp.URIOf(abs)
	if err != nil {
		return nil, fmt.Errorf("telling %s of %s: %w", v.lsp.Name(), c.Path, err)
	}
	return &protocol.FileEvent{URI: u, Type: kind}, nil
}

func (v *server) forget(path string) {
	for i, p := range v.open {
		if p == path {
			v.open = append(v.open[:i], v.open[i+1:]...)
			return
		}
	}
}

// ensureOpen opens the document of path in the server, closing the least
// recently used one that can be spared when too many are open.
func (v *server) ensureOpen(ctx context.Context, s *index.Snapshot, path string) error {
	v.mu.Lock()
	defer v.mu.Unlock()
	return v.openDocument(ctx, s, path)
}

// pin opens the document of path and keeps it open until unpin: closing it would
// shrink the answer to the question that needs it.
func (v *server) pin(ctx context.Context, s *index.Snapshot, path string) error {
	v.mu.Lock()
	defer v.mu.Unlock()
	if err := v.openDocument(ctx, s, path); err != nil {
		return err
	}
	v.pins[path]++
	return nil
}

// unpin ends what pin began, for each of the paths.
func (v *server) unpin(paths []string) {
	v.mu.Lock()
	defer v.mu.Unlock()
	for _, path := range paths {
		if v.pins[path]--; v.pins[path] <= 0 {
			delete(v.pins, path)
		}
	}
}

// openDocument opens a document; the caller holds mu.
func (v *server) openDocument(ctx context.Context, s *index.Snapshot, path string) error {
	doc, err := s.Document(path)
	if err != nil {
		return err
	}
	v.forget(path)
	v.open = append(v.open, path)
	if err := v.lsp.Open(ctx, v.abs(path), string(symbols.LanguageOf(path)), doc.UTF8()); err != nil {
		return err
	}
	if len(v.open) <= maxOpen {
		return nil
	}
	for _, oldest := range v.open[:len(v.open)-1] {
		if v.spared(oldest) {
			v.forget(oldest)
			return v.lsp.Close(ctx, v.abs(oldest))
		}
	}
	return nil
}

// spared reports whether an open document may be closed: no question needs it,
// and the server finds its text on disk. The caller holds mu.
func (v *server) spared(path string) bool {
	return v.pins[path] == 0 && (v.synced == nil || !v.synced.Unsaved(path))
}

// closeAll closes every open document that can be spared.
func (v *server) closeAll(ctx context.Context) error {
	v.mu.Lock()
	defer v.mu.Unlock()
	var kept []string
	for _, p := range v.open {
		if !v.spared(p) {
			kept = append(kept, p)
			continue
		}
		if err := v.lsp.Close(ctx, v.abs(p)); err != nil {
			return err
		}
	}
	v.open = kept
	return nil
}

// position converts an offset in a document for a request.
func position(s *index.Snapshot, path string, offset int) (protocol.Position, error) {
	doc, err := s.Document(path)
	if err != nil {
		return protocol.Position{}, err
	}
	p, err := doc.OffsetPosition(offset)
	if err != nil {
		return protocol.Position{}, err
	}
	return protocol.Position{Line: uint32(p.Line), Character: uint32(p.Character)}, nil
}

// request is one of the position requests that answer locations.
type request func(ctx context.Context, path string, pos protocol.Position) ([]protocol.Location, error)

// references asks for all references, declarations included.
func (v *server) references(ctx context.Context, s *index.Snapshot, path string, offset int, lost *losses) ([]Location, error) {
	return v.ask(ctx, s, path, offset, lost, func(ctx context.Context, path string, pos protocol.Position) ([]protocol.Location, error) {
		return v.lsp.References(ctx, path, pos, true)
	})
}

// definition asks where the identifier is defined.
func (v *server) definition(ctx context.Context, s *index.Snapshot, path string, offset int, lost *losses) ([]Location, error) {
	return v.ask(ctx, s, path, offset, lost, v.lsp.Definition)
}

// implementations asks what implements the identifier.
func (v *server) implementations(ctx context.Context, s *index.Snapshot, path string, offset int, lost *losses) ([]Location, error) {
	return v.ask(ctx, s, path, offset, lost, v.lsp.Implementation)
}

func (v *server) ask(ctx context.Context, s *index.Snapshot, path string, offset int, lost *losses, r request) ([]Location, error) {
	pos, err := position(s, path, offset)
	if err != nil {
		return nil, err
	}
	found, err := r(ctx, v.abs(path), pos)
	if err != nil {
		return nil, err
	}
	return v.locations(s, found, lost), nil
}

// losses counts locations of a server's answer that cannot be taken over: in
// access-blocked files, and in files that cannot be read (too large, binary).
type losses struct{ blocked, unreadable int }

// note counts one loss; a nil receiver counts nothing.
func (l *losses) note(err error) {
	switch {
	case l == nil || errors.Is(err, index.ErrNotFound): // deleted since: no loss
	case errors.Is(err, index.ErrBlocked):
		l.blocked++
	default:
		l.unreadable++
	}
}

// locations converts, drops what cannot be read and removes repetitions; servers
// list some locations twice.
func (v *server) locations(s *index.Snapshot, found []protocol.Location, lost *losses) []Location {
	out := make([]Location, 0, len(found))
	seen := map[Location]bool{}
	for _, l := range found {
		loc, err := v.location(s, l)
		if err != nil {
			lost.note(err)
			continue
		}
		if seen[loc] {
			continue
		}
		seen[loc] = true
		out = append(out, loc)
	}
	return out
}

func (v *server) location(s *index.Snapshot, l protocol.Location) (Location, error) {
	abs, err := lsp.PathOf(l.URI)
	if err != nil {
		return Location{}, err
	}
	path := s.Listed(v.rel(abs))
	doc, err := s.Document(path)
	if err != nil {
		return Location{}, err
	}
	r, err := fromProtocol(doc, v.unmarked(doc, abs, l.Range))
	if err != nil {
		return Location{}, err
	}
	return locate(doc, path, r)
}

// unmarked takes the byte order mark off the first line's characters, which gopls
// and pyright count in files that they read themselves. Texts that they are given
// have none.
func (v *server) unmarked(doc *symbols.Document, abs string, r protocol.Range) protocol.Range {
	if kind := v.lsp.Kind(); !doc.Marked() || kind != lsp.Gopls && kind != lsp.Pyright || v.lsp.Opened(abs) {
		return r
	}
	for _, p := range []*protocol.Position{&r.Start, &r.End} {
		if p.Line == 0 && p.Character > 0 {
			p.Character--
		}
	}
	return r
}

func fromProtocol(doc *symbols.Document, r protocol.Range) (symbols.Range, error) {
	start, err := doc.PositionOffset(symbols.Position{Line: int(r.Start.Line), Character: int(r.Start.Character)})
	if err != nil {
		return symbols.Range{}, err
	}
	end, err := doc.PositionOffset(symbols.Position{Line: int(r.End.Line), Character: int(r.End.Character)})
	if err != nil {
		return symbols.Range{}, err
	}
	return symbols.Range{Start: start, End: end}, nil
}

// locate adds the numbers that are shown to a byte range. A range over several
// lines is shown to end on its first line.
func locate(doc *symbols.Document, path string, r symbols.Range) (Location, error) {
	start, err := doc.OffsetPoint(r.Start)
	if err != nil {
		return Location{}, err
	}
	end := start.Column + r.Len()
	if limit := start.Column + doc.LineRange(start.Line).End - r.Start; end > limit {
		end = limit
	}
	return Location{Path: path, Range: r, Line: start.Line, Column: start.Column, EndColumn: end}, nil
}

// calls asks the call hierarchy of the function at offset: who calls it, or
// whom it calls.
func (v *server) calls(ctx context.Context, s *index.Snapshot, path string, offset int, incoming bool) ([]Call, error) {
	pos, err := position(s, path, offset)
	if err != nil {
		return nil, err
	}
	items, err := v.lsp.PrepareCallHierarchy(ctx, v.abs(path), pos)
	if err != nil {
		return nil, err
	}
	var out []Call
	for _, item := range items {
		edges, err := v.edges(ctx, s, item, incoming)
		if err != nil {
			return nil, err
		}
		out = append(out, edges...)
	}
	return out, nil
}

func (v *server) edges(ctx context.Context, s *index.Snapshot, item protocol.CallHierarchyItem, incoming bool) ([]Call, error) {
	var out []Call
	if incoming {
		calls, err := v.lsp.IncomingCalls(ctx, item)
		if err != nil {
			return nil, err
		}
		for _, c := range calls {
			out = v.appendCall(out, s, c.From, c.From.URI, c.FromRanges)
		}
		return out, nil
	}
	calls, err := v.lsp.OutgoingCalls(ctx, item)
	if err != nil {
		return nil, err
	}
	for _, c := range calls {
		out = v.appendCall(out, s, c.To, item.URI, c.FromRanges)
	}
	return out, nil
}

// appendCall converts one edge. Its sites stand in the caller's document.
func (v *server) appendCall(out []Call, s *index.Snapshot, to protocol.CallHierarchyItem, sites protocol.DocumentURI, ranges []protocol.Range) []Call {
	loc, err := v.location(s, protocol.Location{URI: to.URI, Range: to.SelectionRange})
	if err != nil {
		return out
	}
	c := Call{Location: loc, Name: to.Name}
	for _, r := range ranges {
		if site, err := v.location(s, protocol.Location{URI: sites, Range: r}); err == nil {
			c.Sites = append(c.Sites, site)
		}
	}
	return append(out, c)
}

// crashed reports whether err means that the server died just now.
func crashed(err error) bool {
	var c *lsp.CrashError
	var r *lsp.RestingError
	return errors.As(err, &c) && !errors.As(err, &r)
}
