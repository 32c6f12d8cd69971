package index

import (
	"context"
	"runtime"
	"slices"
	"strings"
	"sync"
	"sync/atomic"

	"codeintel/index/store"
	"codeintel/symbols"
)

// Definition is a symbol and the document that defines it.
type Definition struct {
	Path string
	symbols.Symbol
}

// lookup leads from stored records to the files that have them.
type lookup struct {
	changes int64 // of records, when it was made
	entries []*entry
	// first is, for each segment, the number of the first file of each record, and
	// next that of the next file with the same record; -1 is none.
	first map[*store.Segment][]int32
	next  []int32
	// rest are the files without a record.
	rest []*entry
}

// lookup returns the lookup of the listing, made on first use and after records
// have come or gone, which may be long after the listing was made.
func (s *Snapshot) lookup() *lookup {
	l := s.listing
	var changes int64
	if s.ws.disk != nil {
		changes = s.ws.disk.changes.Load()
	}
	if k := l.lookup.Load(); k != nil && k.changes == changes {
		return k
	}
	k := &lookup{changes: changes, entries: l.entries, first: map[*store.Segment][]int32{}, next: make([]int32, len(l.entries))}
	for i, e := range l.entries {
		if e.link != "" && !l.lists(e.path) {
			continue // a second name
		}
		r := e.record.Load()
		if r == nil {
			if e.indexable() {
				k.rest = append(k.rest, e)
			}
			continue
		}
		first := k.first[r.Segment]
		if first == nil {
			first = slices.Repeat([]int32{-1}, r.Segment.Len())
			k.first[r.Segment] = first
		}
		k.next[i] = first[r.Number]
		first[r.Number] = int32(i)
	}
	l.lookup.Store(k)
	return k
}

// files calls f for every file that has a record.
func (k *lookup) files(s *store.Segment, record int, f func(*entry)) {
	for i := k.first[s][record]; i >= 0; i = k.next[i] {
		f(k.entries[i])
	}
}

// Unindexed returns the number of files that have a grammar and no stored
// outline. A lookup parses them, so it is fast only when they are few.
func (s *Snapshot) Unindexed() int { return len(s.lookup().rest) }

// fewUnindexed is the number of files that a lookup may parse before searching
// all files for the text would be faster.
const fewUnindexed = 8

// Indexed reports whether lookups are fast: all files but a few have a stored
// outline.
func (s *Snapshot) Indexed() bool { return s.Unindexed() <= fewUnindexed }

// Unoutlined returns the paths, sorted, of the files that have a grammar and are
// in no lookup, since they are too large, minified or cannot be parsed.
func (s *Snapshot) Unoutlined() []string {
	var out []string
	for _, e := range s.listing.entries {
		r := e.record.Load()
		if r != nil && (r.Status == store.Minified || r.Status == store.Unparsed) || r == nil && e.oversized() {
			out = append(out, e.path)
		}
	}
	if !s.Indexed() {
		return out // who asks then searches everything
	}
	for _, e := range s.lookup().rest {
		d, err := s.Document(e.path)
		if err != nil {
			continue
		}
		if _, err := s.Outline(e.path); err != nil || symbols.Minified(d.Text()) {
			out = append(out, e.path)
		}
	}
	slices.Sort(out)
	return out
}

// Mentions returns the paths of the documents that hold a name as an identifier,
// sorted: those with a grammar and at most [MaxOutlined] bytes that are not
// minified. The error is the context's.
func (s *Snapshot) Mentions(ctx context.Context, name string) ([]string, error) {
	var out []string
	err := s.find(ctx, finding{
		stored: func(k *lookup, seg *store.Segment) error {
			n, ok, err := seg.Name(name)
			if err != nil || !ok {
				return err
			}
			_, holding, err := seg.Posting(n)
			for _, record := range holding {
				k.files(seg, record, func(e *entry) {
					if s.overlays[e.path] == nil {
						out = append(out, e.path)
					}
				})
			}
			return err
		},
		parsed: func(path string, o *symbols.Outline) {
			if len(o.Named(name)) > 0 {
				out = append(out, path)
			}
		},
		reset: func() { out = nil },
	})
	slices.Sort(out)
	return out, err
}

// Definitions returns the symbols of a bare name that are not local, by path and
// place: those of the documents that [Snapshot.Mentions] knows. The error is the
// context's.
func (s *Snapshot) Definitions(ctx context.Context, name string) ([]Definition, error) {
	var out []Definition
	add := func(path string, all []symbols.Symbol) {
		for _, sym := range all {
			if sym.Name == name && !sym.Local {
				out = append(out, Definition{path, sym})
			}
		}
	}
	err := s.find(ctx, finding{
		stored: func(k *lookup, seg *store.Segment) error {
			n, ok, err := seg.Name(name)
			if err != nil || !ok {
				return err
			}
			return s.defining(k, seg, n, func(e *entry, all []symbols.Symbol) { add(e.path, all) })
		},
		parsed: func(path string, o *symbols.Outline) { add(path, o.Symbols()) },
		reset:  func() { out = nil },
	})
	slices.SortFunc(out, func(a, b Definition) int {
		if c := strings.Compare(a.Path, b.Path); c != 0 {
			return c
		}
		return a.Range.Start - b.Range.Start
	})
	return out, err
}

// defining calls add with the symbols of the files that define a name, given by
// its number in a segment.
func (s *Snapshot) defining(k *lookup, seg *store.Segment, name int, add func(e *entry, all []symbols.Symbol)) error {
	defining, _, err := seg.Posting(name)
	if err != nil {
		return err
	}
	for _, record := range defining {
		var all []symbols.Symbol
		k.files(seg, record, func(e *entry) {
			if s.overlays[e.path] != nil || err != nil {
				return
			}
			if all == nil {
				all, err = symbolsOf(seg, record)
			}
			add(e, all)
		})
		if err != nil {
			return err
		}
	}
	return nil
}

func symbolsOf(seg *store.Segment, record int) ([]symbols.Symbol, error) {
	e, err := seg.Outline(record)
	if err != nil {
		return nil, err
	}
	return e.Symbols()
}

// finding is a question to all outlines of a snapshot.
type finding struct {
	stored func(*lookup, *store.Segment) error   // asks a segment
	parsed func(path string, o *symbols.Outline) // asks an outline that is not stored
	reset  func()                                // forgets what stored has said
}

// find asks what is stored, then what is not: files that changed since, and
// unsaved texts. If what is stored is damaged, all files are parsed.
func (s *Snapshot) find(ctx context.Context, f finding) error {
	k := s.lookup()
	for seg := range k.first {
		if err := f.stored(k, seg); err != nil {
			s.ws.disk.damaged(s.listing, err)
			k = s.lookup()
			f.reset()
			break
		}
	}
	var paths []string
	for _, e := range k.rest {
		if s.overlays[e.path] == nil {
			paths = append(paths, e.path)
		}
	}
	for p, c := range s.overlays {
		if s.shown.find(p) != nil && c.doc.Language().HasGrammar() {
			paths = append(paths, p)
		}
	}
	return s.outlines(ctx, paths, f.parsed)
}

// outlines calls f with the outline of each path, one at a time.
func (s *Snapshot) outlines(ctx context.Context, paths []string, f func(string, *symbols.Outline)) error {
	var mu sync.Mutex
	var next atomic.Int64
	var workers sync.WaitGroup
	for range min(runtime.GOMAXPROCS(0), len(paths)) {
		workers.Go(func() {
			for i := int(next.Add(1)) - 1; i < len(paths) && ctx.Err() == nil; i = int(next.Add(1)) - 1 {
				// A file that cannot be read or parsed has nothing to find.
				d, err := s.Document(paths[i])
				if err != nil || symbols.Minified(d.Text()) {
					continue
				}
				if o, err := s.Outline(paths[i]); err == nil {
					mu.Lock()
					f(paths[i], o)
					mu.Unlock()
				}
			}
		})
	}
	workers.Wait()
	return ctx.Err()
}
