package index

import (
	"maps"
	"os"
	"slices"
	"sync"
	"time"
)

// extras are the files that were asked for by name without being files of the
// workspace: ignored ones, ones in skipped folders, ones outside the root. A
// refresh looks at them too, so that they are not stale either. Shared by
// snapshots between which none of them changed.
type extras struct {
	root string

	mu      sync.Mutex // guards entries
	entries map[string]*entry
}

// get returns the entry of a readable file.
func (x *extras) get(p string) (*entry, error) {
	x.mu.Lock()
	defer x.mu.Unlock()
	if e := x.entries[p]; e != nil {
		return e, nil
	}
	e, err := x.look(p)
	if err == nil {
		x.entries[p] = e
	}
	return e, err
}

// known returns the entry of a file that has been asked for, or nil.
func (x *extras) known(p string) *entry {
	x.mu.Lock()
	defer x.mu.Unlock()
	return x.entries[p]
}

// look returns a new entry of a readable file.
func (x *extras) look(p string) (*entry, error) {
	now := time.Now()
	info, err := os.Stat(abs(x.root, p))
	if err != nil {
		return nil, pathReason(err)
	}
	if info.IsDir() {
		return nil, ErrIsDirectory
	}
	if !info.Mode().IsRegular() {
		return nil, ErrNotRegular
	}
	return newEntry(p, info, now), nil
}

// paths returns the paths, sorted.
func (x *extras) paths() []string {
	x.mu.Lock()
	defer x.mu.Unlock()
	return slices.Sorted(maps.Keys(x.entries))
}

// update looks at every file again. It returns x if all are as they were.
func (x *extras) update(suspects map[string]bool) *extras {
	x.mu.Lock()
	old := maps.Clone(x.entries)
	x.mu.Unlock()
	next := &extras{root: x.root, entries: map[string]*entry{}}
	changed := false
	for p, e := range old {
		now, err := x.look(p)
		switch {
		case err != nil:
			changed = true
		case e.unchanged(now, x.root, suspects[p]):
			next.entries[p] = e
		default:
			now.follows(e)
			next.entries[p] = now
			changed = true
		}
	}
	if !changed {
		return x
	}
	return next
}
