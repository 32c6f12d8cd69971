package index

import (
	"context"
	"errors"
	"fmt"
	"maps"
	"os"
	"path"
	"path/filepath"
	"runtime"
	"strings"
	"sync"
	"time"

	"github.com/fsnotify/fsnotify"
)

// Options are the settings of a workspace. The zero value is ready to use.
type Options struct {
	// Workers is how many folders are read at a time; 0 means one per processor,
	// and at least four because reading waits for the disk.
	Workers int
	// Unread leaves the reading of the tree to the first [Workspace.Refresh]: until
	// then there are no files. For who refreshes before each question anyway.
	Unread bool
	// Cache is the folder below which outlines are kept for the next time; empty
	// keeps none.
	Cache string
}

// Workspace is the changing state of one root: its files on disk and the unsaved
// texts above them. It is safe for concurrent use. Questions are answered from a
// [Snapshot]; [Workspace.Refresh] and [Workspace.Apply] make new ones.
type Workspace struct {
	root   string // real path
	given  string // the root as it was given to Open, clean and absolute
	global string // core.excludesFile
	opts   Options
	disk   *disk // nil without a cache folder

	walking   chan struct{} // held during a walk: one at a time
	swept     time.Time     // the last sweep of texts; guarded by walking
	advancing sync.Mutex    // held while a new state is computed, in memory only

	mu       sync.Mutex // guards the rest; held for pointer swaps only
	current  *Snapshot  // nil after Close
	watcher  *watcher   // nil until Watch
	timing   Timing
	rules    ruleset // of the last walk
	suspects map[string]bool
}

// ErrClosed is returned by a workspace after Close.
var ErrClosed = errors.New("the workspace is closed")

// Open reads the tree below root and returns its workspace. root may be any path
// of the folder; the workspace's own is the real one. The error is a [*RootError]
// for a folder that may not be a root (see [FindRoot]).
func Open(ctx context.Context, root string, o Options) (*Workspace, error) {
	given, err := filepath.Abs(root)
	if err != nil {
		return nil, fmt.Errorf("opening the workspace %s: %w", root, err)
	}
	real, err := filepath.EvalSymlinks(given)
	if err != nil {
		return nil, fmt.Errorf("opening the workspace %s: %w", root, err)
	}
	if info, err := os.Stat(real); err != nil || !info.IsDir() {
		return nil, &RootError{root, "is not a folder"}
	}
	if err := checkRoot(real); err != nil {
		return nil, err
	}
	if o.Workers <= 0 {
		o.Workers = max(4, runtime.GOMAXPROCS(0))
	}
	began := time.Now()
	w := &Workspace{
		root: real, given: given, global: excludesFile(ctx, real), opts: o,
		walking: make(chan struct{}, 1), suspects: map[string]bool{},
		disk: openDisk(o.Cache, real),
	}
	w.timing.Open = time.Since(began)
	w.current = newSnapshot(w)
	if !o.Unread {
		if err := w.Refresh(ctx); err != nil {
			return nil, err
		}
	}
	return w, nil
}

// Timing is where time went before a question.
type Timing struct {
	Open time.Duration // opening the workspace: finding what is stored
	Scan time.Duration // the last refresh: comparing it with the tree
}

// Timing returns where time went.
func (w *Workspace) Timing() Timing {
	w.mu.Lock()
	defer w.mu.Unlock()
	return w.timing
}

// Root returns the real path of the root.
func (w *Workspace) Root() string { return w.root }

// Snapshot returns the state of the last [Workspace.Refresh] or
// [Workspace.Apply]. The caller releases it. It panics after Close.
func (w *Workspace) Snapshot() *Snapshot {
	w.mu.Lock()
	defer w.mu.Unlock()
	if w.current == nil {
		panic("index: Snapshot of a closed workspace")
	}
	return w.current.Retain()
}

// Close ends the workspace. Snapshots that are held stay usable until they are
// released. Closing twice is allowed.
func (w *Workspace) Close() {
	w.mu.Lock()
	last, watcher := w.current, w.watcher
	w.current, w.watcher = nil, nil
	w.mu.Unlock()
	watcher.close()
	if last != nil {
		last.Release()
	}
}

// Refresh compares the tree on disk with the current snapshot, by path, size,
// modification time, change time and inode, and makes a new one if anything is
// different. What was on disk when Refresh was called is in the snapshot after
// it. A folder that cannot be listed is not an error ([Snapshot.Unreadable]).
func (w *Workspace) Refresh(ctx context.Context) error {
	select {
	case w.walking <- struct{}{}:
		defer func() { <-w.walking }()
	case <-ctx.Done():
		return ctx.Err()
	}
	began := time.Now()
	defer func() {
		w.mu.Lock()
		defer w.mu.Unlock()
		w.timing.Scan = time.Since(began)
	}()
	w.mu.Lock()
	suspects, watcher := w.suspects, w.watcher
	w.suspects = map[string]bool{}
	w.mu.Unlock()

	base, err := w.retain()
	if err != nil {
		return err
	}
	defer base.Release()
	if now := time.Now(); now.Sub(w.swept) > sweepEvery {
		w.swept = now
		base.listing.sweep(now.Add(-keptFor), keptBytes)
	}
	if watcher != nil {
		if touched, ok := watcher.take(ctx); ok {
			if done, err := w.refreshTouched(watcher, base, touched, suspects); done {
				return err
			}
		}
	}
	t, err := readTree(ctx, w.root, w.global, w.opts.Workers, watcher)
	if err != nil {
		w.suspect(suspects)
		watcher.lose()
		return fmt.Errorf("reading the workspace %s: %w", w.root, err)
	}
	listing := base.listing.update(w.root, t.entries, suspects)
	if listing != base.listing {
		w.disk.attach(w.root, listing)
	}
	extras := base.extras.update(suspects)
	return w.advance(func(old *Snapshot) *Snapshot {
		return old.after(listing, t, extras)
	}, &t.rules)
}

// refreshTouched is a refresh that looks only at paths of which the watcher has
// heard; done is false when the tree must be walked.
func (w *Workspace) refreshTouched(v *watcher, base *Snapshot, touched map[string]fsnotify.Op, suspects map[string]bool) (done bool, err error) {
	listing, ok := w.glance(v, base, touched, suspects)
	if !ok {
		return false, nil
	}
	if listing != base.listing {
		w.disk.attach(w.root, listing)
	}
	extras := base.extras.update(suspects)
	return true, w.advance(func(old *Snapshot) *Snapshot {
		return old.after(listing, &tree{access: base.access, unreadable: base.unreadable, special: base.special}, extras)
	}, nil)
}

// retain returns the current snapshot for the caller to release.
func (w *Workspace) retain() (*Snapshot, error) {
	w.mu.Lock()
	defer w.mu.Unlock()
	if w.current == nil {
		return nil, ErrClosed
	}
	return w.current.Retain(), nil
}

func (w *Workspace) suspect(paths map[string]bool) {
	w.mu.Lock()
	defer w.mu.Unlock()
	maps.Copy(w.suspects, paths)
}

// Apply takes note of changes that somebody has seen: an editor's unsaved texts
// ([Change.Text], [Change.Closed]) count at once; a change without either is a
// hint that the file may be different, and the next [Workspace.Refresh] reads it
// again even if its times look unchanged. The paths may be root-relative or
// absolute. After Close it does nothing.
func (w *Workspace) Apply(changes ...Change) {
	texts := map[string]*content{} // nil: closed
	hints := map[string]bool{}
	for _, c := range changes {
		p := w.key(c.Path)
		switch {
		case c.Closed:
			texts[p] = nil
			hints[p] = true
		case c.Text != nil:
			texts[p] = textContent(p, c.Text)
		default:
			hints[p] = true
		}
	}
	w.suspect(hints)
	if len(texts) > 0 {
		_ = w.advance(func(old *Snapshot) *Snapshot { return old.overlaid(texts) }, nil)
	}
}

// ruleset returns the ignore rules of the last walk.
func (w *Workspace) ruleset() ruleset {
	w.mu.Lock()
	defer w.mu.Unlock()
	return w.rules
}

// key returns the path by which snapshots know a root-relative or absolute one:
// root-relative if it is below the root by its name, else absolute.
func (w *Workspace) key(p string) string {
	if !filepath.IsAbs(p) {
		rel := path.Clean(filepath.ToSlash(p))
		if rel != ".." && !strings.HasPrefix(rel, "../") {
			return rel
		}
		p = abs(w.root, rel)
	}
	p = filepath.Clean(p)
	for _, root := range []string{w.root, w.given} {
		if rel, ok := below(root, p); ok {
			return rel
		}
	}
	return p
}

// advance is the only place where the state changes: it replaces the current
// snapshot by what next makes of it, or keeps it if next returns nil.
func (w *Workspace) advance(next func(*Snapshot) *Snapshot, r *ruleset) error {
	w.advancing.Lock()
	defer w.advancing.Unlock()
	old, err := w.retain()
	if err != nil {
		return err
	}
	defer old.Release()
	if r != nil {
		w.mu.Lock()
		w.rules = *r
		w.mu.Unlock()
	}
	s := next(old)
	if s == nil {
		return nil
	}
	s.generation = old.generation + 1
	w.mu.Lock()
	defer w.mu.Unlock()
	if w.current == nil { // closed meanwhile
		s.Release()
		return ErrClosed
	}
	w.current.Release()
	w.current = s
	return nil
}
