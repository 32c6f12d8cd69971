package index

import (
	"fmt"
	"maps"
	"os"
	"path/filepath"
	"slices"
	"sync/atomic"

	"codeintel/symbols"
)

// Snapshot is an immutable state of a workspace, safe for concurrent use. Texts
// are read on first use and stay as they were first read while they are in use
// (see the package's guarantees); a file that changed between the making of the
// snapshot and that reading shows its newer text, and the next snapshot knows of
// the change. Whoever gets a snapshot releases it.
type Snapshot struct {
	ws         *Workspace
	generation uint64
	listing    *listing            // files on disk
	unsaved    []string            // paths of unsaved texts that are new files, sorted
	shown      *listing            // listing with unsaved
	overlays   map[string]*content // unsaved texts by path
	extras     *extras
	access     *access
	unreadable []string
	special    []string

	references atomic.Int32
}

// newSnapshot returns the empty state that a workspace starts from.
func newSnapshot(w *Workspace) *Snapshot {
	empty := newListing(nil)
	s := &Snapshot{
		ws: w, listing: empty, shown: empty, access: &access{},
		extras: &extras{root: w.root, entries: map[string]*entry{}},
	}
	s.references.Store(1)
	return s
}

// next returns a copy of s to be changed before it is published.
func (s *Snapshot) next() *Snapshot {
	n := &Snapshot{
		ws: s.ws, listing: s.listing, unsaved: s.unsaved, shown: s.shown, overlays: s.overlays,
		extras: s.extras, access: s.access, unreadable: s.unreadable, special: s.special,
	}
	n.references.Store(1)
	return n
}

// after returns the state after a walk, or nil if it is the same.
func (s *Snapshot) after(l *listing, t *tree, x *extras) *Snapshot {
	n := s.next()
	n.listing, n.extras, n.access = l, x, t.access
	n.unreadable, n.special = t.unreadable, t.special
	n.show()
	if n.listing == s.listing && n.extras == s.extras && n.access.equal(s.access) &&
		slices.Equal(n.unreadable, s.unreadable) && slices.Equal(n.special, s.special) && slices.Equal(n.unsaved, s.unsaved) {
		return nil
	}
	return n
}

// overlaid returns the state with other unsaved texts (nil: no more), or nil if
// it is the same.
func (s *Snapshot) overlaid(texts map[string]*content) *Snapshot {
	n := s.next()
	n.overlays = maps.Clone(s.overlays)
	if n.overlays == nil {
		n.overlays = map[string]*content{}
	}
	for p, c := range texts {
		switch {
		case c == nil:
			delete(n.overlays, p)
		case !c.same(n.overlays[p]):
			n.overlays[p] = c
		}
	}
	if maps.Equal(n.overlays, s.overlays) {
		return nil
	}
	n.show()
	return n
}

// show works out which unsaved texts are new files of the workspace: those at
// paths that a walk would have listed.
func (s *Snapshot) show() {
	rules := s.ws.ruleset()
	s.unsaved, s.shown = nil, s.listing
	for p := range s.overlays {
		if filepath.IsAbs(p) || s.listing.find(p) != nil || rules.ignores(p, false) {
			continue
		}
		if _, blocked := s.access.blocks(p, false); !blocked {
			s.unsaved = append(s.unsaved, p)
		}
	}
	if len(s.unsaved) == 0 {
		return
	}
	slices.Sort(s.unsaved)
	added := map[string]*entry{}
	for _, p := range s.unsaved {
		added[p] = &entry{path: p, stamp: stamp{size: int64(len(s.overlays[p].doc.Text()))}}
	}
	s.shown = newListing(s.listing.patched(added))
}

// Retain returns s for one more holder, who releases it too.
func (s *Snapshot) Retain() *Snapshot {
	for {
		n := s.references.Load()
		if n <= 0 {
			panic("index: Retain of a released snapshot")
		}
		if s.references.CompareAndSwap(n, n+1) {
			return s
		}
	}
}

// Release ends one holder's use of s.
func (s *Snapshot) Release() {
	if s.references.Add(-1) < 0 {
		panic("index: Release of a released snapshot")
	}
}

// Generation tells snapshots of one workspace apart; newer ones have greater
// numbers.
func (s *Snapshot) Generation() uint64 { return s.generation }

// Root returns the real path of the workspace root.
func (s *Snapshot) Root() string { return s.ws.root }

// Files returns the files of the workspace, sorted by path: regular files, and
// symbolic links to files inside the root, that are not ignored, not blocked and
// not below .git or node_modules; and unsaved texts of new files. Large and
// binary files are among them. A file with several names is listed once, under
// its own name if that is one of them. The caller does not change the slice.
func (s *Snapshot) Files() []File { return s.shown.files }

// Links returns the second names of listed files: symbolic links, sorted by path,
// that [Snapshot.Files] leaves out. The caller does not change the slice.
func (s *Snapshot) Links() []string { return s.shown.second }

// Has reports whether a path is one of [Snapshot.Files].
func (s *Snapshot) Has(p string) bool { return s.shown.lists(s.ws.key(p)) }

// Exists reports whether [Snapshot.Document] has something to read at a path: also
// an ignored file, also a large or binary one. It reads nothing. A project's
// marker may be ignored and count all the same.
func (s *Snapshot) Exists(p string) bool {
	key := s.ws.key(p)
	if s.shown.find(key) != nil {
		return true
	}
	if s.admit(p, key) != nil {
		return false
	}
	_, err := s.extras.get(key)
	return s.overlays[key] != nil || err == nil
}

// Unreadable returns the folders that could not be listed, root-relative and
// sorted: files in them are missing from every answer.
func (s *Snapshot) Unreadable() []string { return s.unreadable }

// Special returns what is no file though it may have a file's name (FIFOs,
// sockets, devices), root-relative and sorted. Programs that open one may wait
// for ever.
func (s *Snapshot) Special() []string { return s.special }

// Overlays returns the unsaved texts by path (root-relative, or absolute outside
// the root). Blocked ones are not among them.
func (s *Snapshot) Overlays() map[string]*symbols.Document {
	out := make(map[string]*symbols.Document, len(s.overlays))
	for p, c := range s.overlays {
		if _, blocked := s.Blocked(p); !blocked {
			out[p] = c.doc
		}
	}
	return out
}

// Unsaved reports whether a path shows an unsaved text.
func (s *Snapshot) Unsaved(p string) bool { return s.overlays[s.ws.key(p)] != nil }

// Document returns the document of a path: the unsaved text if there is one, else
// the file. The path is root-relative, and may name any readable file below the
// root, also an ignored one; or absolute, and may then be outside the root: who
// asks for it has made sure that this is allowed. The same text gives the same
// document in every snapshot.
//
// Errors are, wrapped: [ErrNotFound], [ErrIsDirectory], [ErrNotRegular],
// [ErrTooLarge], [ErrBinary], [*AccessError], [*OutsideError], and those of
// reading.
func (s *Snapshot) Document(p string) (*symbols.Document, error) {
	c, err := s.content(p)
	if err != nil {
		return nil, err
	}
	return c.doc, c.err
}

// Outline returns the outline of a path's document. Errors are those of
// [Snapshot.Document] and of [symbols.Extract].
func (s *Snapshot) Outline(p string) (*symbols.Outline, error) {
	key := s.ws.key(p)
	if e := s.listed(key); e != nil {
		c, err := e.load(abs(s.ws.root, key))
		if err != nil {
			return nil, err
		}
		return c.extract(e.storedOutline)
	}
	c, err := s.content(p)
	if err != nil {
		return nil, err
	}
	return c.extract(nil)
}

// listed returns the entry of a file of the workspace that has no unsaved text,
// or nil.
func (s *Snapshot) listed(key string) *entry {
	if s.overlays[key] != nil {
		return nil
	}
	return s.listing.find(key)
}

func (s *Snapshot) content(p string) (*content, error) {
	key := s.ws.key(p)
	if e := s.listed(key); e != nil {
		return e.load(abs(s.ws.root, key))
	}
	if err := s.admit(p, key); err != nil {
		return nil, err
	}
	if c := s.overlays[key]; c != nil {
		return c, nil
	}
	e, err := s.extras.get(key)
	if err != nil {
		return nil, fmt.Errorf("%s %w", p, err)
	}
	return e.load(abs(s.ws.root, key))
}

// admit returns the error for a path that may not be read. p is the path as it
// was given, key as snapshots know it.
func (s *Snapshot) admit(p, key string) error {
	full := abs(s.ws.root, key)
	real, err := realPath(full)
	if err != nil {
		return fmt.Errorf("%s %w", p, pathReason(err))
	}
	if by, blocked := s.blocked(key, real); blocked {
		return &AccessError{Path: p, By: by}
	}
	// An absolute path outside was named on purpose; a relative one, or one that
	// looks inside and is not, leads out by accident or by malice.
	if !within(s.ws.root, real) && !(filepath.IsAbs(p) && filepath.IsAbs(key)) {
		return &OutsideError{Path: p, Real: real, Root: s.ws.root}
	}
	return nil
}

// Blocked reports whether an access control file forbids a path (root-relative or
// absolute, existing or not), and which: if it blocks the path itself, a folder
// above it, or what either really is behind symbolic links.
func (s *Snapshot) Blocked(p string) (by string, blocked bool) {
	if len(s.access.files) == 0 {
		return "", false
	}
	key := s.ws.key(p)
	if s.listing.find(key) != nil {
		return "", false // the walk has looked
	}
	real, err := realPath(abs(s.ws.root, key))
	if err != nil {
		real = ""
	}
	return s.blocked(key, real)
}

func (s *Snapshot) blocked(key, real string) (by string, blocked bool) {
	if len(s.access.files) == 0 {
		return "", false
	}
	isFolder := false
	if info, err := os.Stat(abs(s.ws.root, key)); err == nil {
		isFolder = info.IsDir()
	}
	if !filepath.IsAbs(key) {
		if by, blocked := s.access.blocks(key, isFolder); blocked {
			return by, true
		}
	}
	if rel, inside := below(s.ws.root, real); inside {
		return s.access.blocks(rel, isFolder)
	}
	return "", false
}
