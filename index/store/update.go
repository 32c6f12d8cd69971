package store

import (
	"context"
	"crypto/rand"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"slices"
	"sort"
	"strings"
	"sync"
	"time"

	"github.com/gofrs/flock"

	"codeintel/symbols"
)

const (
	lockName = "lock"
	usedName = "used"

	// flushBytes is about how much of a segment is kept in memory before it is
	// written and another one begun.
	flushBytes = 64 << 20
	// smallBytes is the size of a file below which a segment is a small one. Those
	// that were written because they were full are not.
	smallBytes = flushBytes / 4
	// manySegments is the number above which small segments are merged: each is
	// asked for every name.
	manySegments = 8
	// lockPoll is how often a lock that another process holds is tried.
	lockPoll = 50 * time.Millisecond
)

// ErrLocked says that another process writes to the store.
var ErrLocked = errors.New("another process is writing the index")

// Update is a change of a store by its one writer. [Update.Close] ends it. Find
// and Add may be called concurrently.
type Update struct {
	s    *Store
	lock *flock.Flock
	all  []*Segment // of the repository, when the update began

	mu      sync.Mutex // guards the rest
	pending *builder
	flushed []*Segment
}

// Begin starts an update. While another process has one under way it returns
// [ErrLocked], or waits for it, up to the end of ctx, if wait is true.
func (s *Store) Begin(ctx context.Context, wait bool) (*Update, error) {
	if err := os.MkdirAll(s.dir, 0o700); err != nil {
		return nil, fmt.Errorf("making the index folder: %w", err)
	}
	lock := flock.New(filepath.Join(s.dir, lockName))
	held, err := false, error(nil)
	if wait {
		held, err = lock.TryLockContext(ctx, lockPoll)
	} else {
		held, err = lock.TryLock()
	}
	if err != nil {
		return nil, fmt.Errorf("locking the index: %w", err)
	}
	if !held {
		return nil, ErrLocked
	}
	u := &Update{s: s, lock: lock, pending: newBuilder()}
	if err := os.WriteFile(filepath.Join(s.dir, usedName), nil, 0o600); err != nil {
		u.Close()
		return nil, fmt.Errorf("writing the index: %w", err)
	}
	names, _ := filepath.Glob(filepath.Join(s.dir, "*.segment")) // the pattern is right
	for _, name := range names {
		// One that cannot be opened is of no use, and removed at the end.
		if segment, err := s.segment(baseOf(name)); err == nil {
			u.all = append(u.all, segment)
		}
	}
	return u, nil
}

// Close ends the update. What was not committed is lost, but for segments that
// were written on the way, which the next update finds.
func (u *Update) Close() error {
	left, _ := filepath.Glob(filepath.Join(u.s.dir, temporary))
	removeAll(left)
	return u.lock.Unlock()
}

// Find returns the record of a key, of this worktree or of another one.
func (u *Update) Find(k Key) (Record, bool) {
	u.mu.Lock()
	flushed := u.flushed
	u.mu.Unlock()
	return findIn(k, u.all, flushed)
}

// findIn looks for a key in segments. A damaged segment has nothing.
func findIn(k Key, lists ...[]*Segment) (Record, bool) {
	for _, segments := range lists {
		for _, s := range segments {
			n, ok, err := s.Find(k)
			if err != nil || !ok {
				continue
			}
			if status, _, err := s.Status(n); err == nil {
				return Record{s, n, status}, true
			}
		}
	}
	return Record{}, false
}

// Add stores the outline of a key, or that it has none and why.
func (u *Update) Add(k Key, status Status, e symbols.Encoded, count int) error {
	u.mu.Lock()
	defer u.mu.Unlock()
	return u.add(k, status, e, count)
}

func (u *Update) add(k Key, status Status, e symbols.Encoded, count int) error {
	u.pending.add(k, status, e, count)
	if u.pending.bytes < flushBytes {
		return nil
	}
	return u.flush()
}

// flush writes what is pending as a segment.
func (u *Update) flush() error {
	if len(u.pending.records) == 0 {
		return nil
	}
	id := strings.ToLower(rand.Text()) + ".segment"
	if err := writeFile(filepath.Join(u.s.dir, id), u.pending.write); err != nil {
		return err
	}
	segment, err := u.s.segment(id)
	if err != nil {
		return err
	}
	u.flushed = append(u.flushed, segment)
	u.pending = newBuilder()
	return nil
}

// Keyed is a file whose record is one of this update, known by its key.
type Keyed struct {
	File
	Key Key
}

// Commit writes the view of a worktree: files that have their records, and files
// whose records are known by their keys. It merges small segments and removes
// what no view needs any more. It returns the new view. The old view stays in
// force when there is an error.
func (u *Update) Commit(root string, files []File, keyed []Keyed) (*View, error) {
	u.mu.Lock()
	defer u.mu.Unlock()
	if err := u.flush(); err != nil {
		return nil, err
	}
	all := slices.Clone(files)
	for _, f := range keyed {
		var ok bool
		if f.Record, ok = findIn(f.Key, u.flushed, u.all); !ok {
			return nil, fmt.Errorf("%s: its record is not in the index", f.Path)
		}
		all = append(all, f.File)
	}
	sort.Slice(all, func(i, j int) bool { return all[i].Path < all[j].Path })
	if err := u.compact(all); err != nil {
		return nil, err
	}
	if err := writeFile(u.s.viewName(root), func(w *pageWriter) error { return writeView(w, root, all) }); err != nil {
		return nil, err
	}
	u.clean()
	return u.s.openView(root)
}

// compact moves records into new segments: those of segments of which less than
// half is used, those of small segments when they are many, and those of segments
// that another writer has removed since, which can still be read by who had opened
// them.
func (u *Update) compact(files []File) error {
	live := map[*Segment]int{}
	for _, f := range files {
		live[f.Segment]++
	}
	moved := crowded(live)
	for s := range live {
		if !slices.Contains(u.all, s) && !slices.Contains(u.flushed, s) {
			moved[s] = true
		}
	}
	if len(moved) == 0 {
		return nil
	}
	keys := make([]Key, len(files))
	for i, f := range files {
		if !moved[f.Segment] {
			continue
		}
		k, err := u.move(f.Record)
		if err != nil {
			return err
		}
		keys[i] = k
	}
	from := len(u.flushed)
	if err := u.flush(); err != nil {
		return err
	}
	for i := range files {
		if !moved[files[i].Segment] {
			continue
		}
		r, ok := findIn(keys[i], u.flushed[from:])
		if !ok {
			return fmt.Errorf("%s: %w", files[i].Path, ErrCorrupt)
		}
		files[i].Record = r
	}
	return nil
}

// move adds a record to what is pending.
func (u *Update) move(r Record) (Key, error) {
	k, err := r.Segment.Key(r.Number)
	if err != nil {
		return k, err
	}
	status, count, err := r.Segment.Status(r.Number)
	if err != nil {
		return k, err
	}
	e, err := r.Segment.Outline(r.Number)
	if err != nil {
		return k, err
	}
	return k, u.add(k, status, e, count)
}

// crowded returns the segments to give up. live counts the files that use each.
func crowded(live map[*Segment]int) map[*Segment]bool {
	out := map[*Segment]bool{}
	var small []*Segment
	for s, n := range live {
		switch {
		case 2*n < s.Len() && s.Bytes() > 1<<20:
			out[s] = true
		case s.Bytes() < smallBytes:
			small = append(small, s)
		}
	}
	if len(small) <= manySegments {
		return out
	}
	sort.Slice(small, func(i, j int) bool { return small[i].Bytes() < small[j].Bytes() })
	for _, s := range small[:len(small)-manySegments/2] {
		out[s] = true
	}
	return out
}

// clean removes views of folders that are gone, and segments that no view names.
// What cannot be removed stays, and costs only space.
func (u *Update) clean() {
	used := map[string]bool{}
	kept := map[*Segment]bool{}
	views, _ := filepath.Glob(filepath.Join(u.s.dir, "*.view"))
	for _, name := range views {
		_, meta, err := readMeta(name)
		if err == nil {
			_, err = os.Stat(meta.Root)
		}
		if errors.Is(err, fs.ErrNotExist) || errors.Is(err, ErrCorrupt) || errors.Is(err, ErrFormat) {
			removeAll([]string{name})
			continue
		}
		if err != nil {
			return // it may name any segment
		}
		for _, id := range meta.Segments {
			used[id] = true
		}
	}
	segments, _ := filepath.Glob(filepath.Join(u.s.dir, "*.segment"))
	for _, name := range segments {
		if id := baseOf(name); !used[id] {
			removeAll([]string{name})
		} else if segment, err := u.s.segment(id); err == nil {
			kept[segment] = true
		}
	}
	u.s.forget(kept)
}
