package index

import (
	"slices"
	"strings"
	"sync/atomic"
)

// Change is one document that is different: what [Snapshot.Diff] finds, and what
// [Workspace.Apply] is told.
type Change struct {
	// Path is root-relative, or absolute outside the root.
	Path string
	// Created and Removed are set by Diff: only the newer, only the older snapshot
	// has the document, or lists it. Neither is set when the text differs.
	Created, Removed bool
	// Text, if not nil, is the document's unsaved text from now on. For Apply.
	Text []byte
	// Closed ends the unsaved text: the file on disk counts again. For Apply.
	Closed bool
}

// Diff returns what is different in s compared with an older snapshot of the same
// workspace, sorted by path: files created, removed and changed, unsaved texts,
// and other files that were read through old (ignored ones, ones outside the
// root). A file that was touched and then never read counts as changed.
func (s *Snapshot) Diff(old *Snapshot) []Change {
	if s == old {
		return nil
	}
	paths := s.listing.differing(old.listing)
	if s.listing != old.listing {
		// What a link leads to may have come or gone, and the link be listed or not.
		paths = append(append(paths, s.listing.links...), old.listing.links...)
	}
	for _, overlays := range []map[string]*content{s.overlays, old.overlays} {
		for p := range overlays {
			paths = append(paths, p)
		}
	}
	if s.extras != old.extras {
		paths = append(paths, old.extras.paths()...)
	}
	slices.Sort(paths)
	var out []Change
	for _, p := range slices.Compact(paths) {
		a, b := old.version(p), s.version(p)
		if !b.exists() && a.file != nil && old.listing.find(p) == nil {
			b = s.later(p)
		}
		was, is := old.listing.lists(p), s.listing.lists(p)
		switch {
		case a.same(b) && was == is:
		case !a.exists(), is && !was && old.listing.find(p) != nil:
			out = append(out, Change{Path: p, Created: true})
		case !b.exists(), was && !is && s.listing.find(p) != nil:
			out = append(out, Change{Path: p, Removed: true})
		default:
			out = append(out, Change{Path: p})
		}
	}
	return out
}

// version is what a snapshot shows under a path: an unsaved text, a version of a
// file, or neither.
type version struct {
	text *content
	file *entry
}

// version returns what the snapshot shows under a path, without reading files.
func (s *Snapshot) version(p string) version {
	if c := s.overlays[p]; c != nil {
		return version{text: c}
	}
	if e := s.listing.find(p); e != nil {
		return version{file: e}
	}
	return version{file: s.extras.known(p)}
}

// later returns what s shows under the path of another file that an older
// snapshot has read and s has not yet.
func (s *Snapshot) later(p string) version {
	e, err := s.extras.get(p)
	if err != nil {
		return version{}
	}
	return version{file: e}
}

func (v version) exists() bool { return v != version{} }

// content returns the version's content if it is in memory.
func (v version) content() *content {
	if v.file != nil {
		return v.file.loaded()
	}
	return v.text
}

// same reports whether two versions are known to show the same text.
func (v version) same(w version) bool {
	if v == w {
		return true
	}
	if v.file != nil && w.file != nil && v.file.stamp == w.file.stamp && !v.file.racy.Load() {
		return true
	}
	return v.content().same(w.content())
}

// listing is a list of files by path. Immutable, but for the lookup.
type listing struct {
	entries []*entry
	files   []File                 // of entries, each file once
	links   []string               // paths of the entries that are symbolic links
	second  []string               // those of links that are not in files
	lookup  atomic.Pointer[lookup] // nil until it is needed
}

func newListing(entries []*entry) *listing {
	l := &listing{entries: entries, files: make([]File, 0, len(entries))}
	linked := map[string]bool{}
	for _, e := range entries {
		if e.link != "" {
			l.links = append(l.links, e.path)
			if linked[e.link] || l.find(e.link) != nil {
				l.second = append(l.second, e.path)
				continue
			}
			linked[e.link] = true
		}
		l.files = append(l.files, e.file())
	}
	return l
}

// lists reports whether a path is one of the listed files. A symbolic link to
// another of them is not: it is that file under a second name.
func (l *listing) lists(p string) bool {
	_, ok := slices.BinarySearchFunc(l.files, p, func(f File, p string) int { return strings.Compare(f.Path, p) })
	return ok
}

// find returns the entry of a path, or nil.
func (l *listing) find(p string) *entry {
	i, ok := slices.BinarySearchFunc(l.entries, p, func(e *entry, p string) int { return strings.Compare(e.path, p) })
	if !ok {
		return nil
	}
	return l.entries[i]
}

// update returns the listing after a walk: l itself if nothing is different, else
// a new one that shares the entries of unchanged files. Files of which the stamp
// cannot be trusted are read again.
func (l *listing) update(root string, walked []*entry, suspects map[string]bool) *listing {
	out := make([]*entry, 0, len(walked))
	changed := len(walked) != len(l.entries)
	rest := l.entries
	for _, e := range walked {
		for len(rest) > 0 && rest[0].path < e.path {
			rest, changed = rest[1:], true
		}
		if len(rest) > 0 && rest[0].path == e.path {
			old := rest[0]
			rest = rest[1:]
			if old == e && !suspects[e.path] || old.unchanged(e, root, suspects[e.path]) {
				out = append(out, old)
				continue
			}
			e.follows(old)
		}
		if e.racy.Load() {
			// Reading now allows comparing later. An error shows when somebody asks.
			_, _ = e.load(abs(root, e.path))
		}
		out, changed = append(out, e), true
	}
	if !changed {
		return l
	}
	return newListing(out)
}

// unchanged reports whether a file is known to be as it was. now is its entry of
// the latest look.
func (e *entry) unchanged(now *entry, root string, suspect bool) bool {
	if e.stamp != now.stamp {
		return false
	}
	if !suspect && !e.racy.Load() {
		return true
	}
	c, err := readContent(e.path, abs(root, e.path))
	if err != nil || !c.same(e.loaded()) {
		return false
	}
	e.racy.Store(now.racy.Load())
	return true
}

// differing returns the paths that are not the same entry in both listings.
func (l *listing) differing(m *listing) []string {
	if l == m {
		return nil
	}
	var out []string
	a, b := l.entries, m.entries
	for len(a) > 0 || len(b) > 0 {
		switch {
		case len(b) == 0 || len(a) > 0 && a[0].path < b[0].path:
			out, a = append(out, a[0].path), a[1:]
		case len(a) == 0 || b[0].path < a[0].path:
			out, b = append(out, b[0].path), b[1:]
		default:
			if a[0] != b[0] {
				out = append(out, a[0].path)
			}
			a, b = a[1:], b[1:]
		}
	}
	return out
}
