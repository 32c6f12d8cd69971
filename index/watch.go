package index

import (
	"context"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"strconv"
	"strings"
	"sync"
	"time"

	"github.com/fsnotify/fsnotify"
)

const (
	// manyTouched is the number of paths with events above which the tree is walked
	// instead: a branch switch, say.
	manyTouched = 1000
	// cookieWait is how long an event that must come is waited for. When it does not,
	// the tree is walked.
	cookieWait = 2 * time.Second
	// fullEvery is how long events alone are believed. What raises none (a file that
	// is mapped and written to) is seen by a walk after that.
	fullEvery = 30 * time.Second
)

// watcher hears of changes below the root. Its events are hints to look: nothing
// is ever taken from them but paths.
//
// Events come in the order of the changes, through one queue of the system. So who
// wants to know what has changed until now makes a change in a folder of the
// watcher's own, the cookie, and waits until that one comes.
type watcher struct {
	events *fsnotify.Watcher
	cookie string // the folder of its own
	done   chan struct{}

	mu      sync.Mutex // guards the rest
	watched map[string]bool
	touched map[string]fsnotify.Op // by absolute path, since the last take
	lost    bool                   // there was more than touched says
	overrun bool                   // and folders may have moved without a word
	cookies int
	waiting map[string]chan struct{} // by the cookie's path
	walked  time.Time                // the last walk of the tree
}

// errUnwatchable says that a file system tells nobody of changes by others.
var errUnwatchable = errors.New("its file system does not tell of all changes")

// Watch starts to listen for changes, which makes [Workspace.Refresh] cheap: it
// looks only at what has changed. After an error all goes on without; for
// example on network file systems, and where the system allows no more watches.
// Close ends it.
func (w *Workspace) Watch(ctx context.Context) error {
	if !watchable(w.root) {
		return fmt.Errorf("watching %s: %w", w.root, errUnwatchable)
	}
	v, err := newWatcher()
	if err != nil {
		return fmt.Errorf("watching %s: %w", w.root, err)
	}
	go v.listen()
	w.mu.Lock()
	closed, other := w.current == nil, w.watcher
	if !closed && other == nil {
		w.watcher = v
	}
	w.mu.Unlock()
	if closed || other != nil {
		v.close()
		if closed {
			return ErrClosed
		}
		return nil
	}
	err = w.Refresh(ctx)
	if err == nil && !v.alive() {
		err = errUnwatchable
	}
	if err != nil {
		// What it watches counts against the user's limit, for nothing.
		w.mu.Lock()
		if w.watcher == v {
			w.watcher = nil
		}
		w.mu.Unlock()
		v.close()
		return fmt.Errorf("watching %s: %w", w.root, err)
	}
	return nil
}

// newWatcher returns a watcher of its own folder alone, to which the others are
// added while the tree is walked.
func newWatcher() (*watcher, error) {
	events, err := fsnotify.NewWatcher()
	if err != nil {
		return nil, err
	}
	cookie, err := os.MkdirTemp("", "codeintel-watch-")
	if err == nil {
		cookie, err = filepath.EvalSymlinks(cookie)
	}
	if err == nil {
		err = events.Add(cookie)
	}
	if err != nil {
		events.Close()
		if cookie != "" {
			_ = os.RemoveAll(cookie) // as in close
		}
		return nil, err
	}
	return &watcher{
		events: events, cookie: cookie, done: make(chan struct{}), lost: true,
		watched: map[string]bool{}, touched: map[string]fsnotify.Op{}, waiting: map[string]chan struct{}{},
	}, nil
}

// Watching reports whether changes are listened for.
func (w *Workspace) Watching() bool {
	w.mu.Lock()
	defer w.mu.Unlock()
	return w.watcher != nil
}

// listen notes events until the watcher is closed. It does nothing that could
// wait, so that the system's queue does not run over.
func (v *watcher) listen() {
	defer close(v.done)
	for {
		select {
		case e, ok := <-v.events.Events:
			if !ok {
				return
			}
			v.note(e)
		case _, ok := <-v.events.Errors: // the queue ran over, or worse
			if !ok {
				return
			}
			v.overran()
		}
	}
}

// overran notes that events were lost, of folders too: no watch can be trusted to
// be of the folder whose name it bears.
func (v *watcher) overran() {
	v.mu.Lock()
	defer v.mu.Unlock()
	v.lost, v.overrun = true, true
}

// lose makes the next look one at the whole tree. A nil watcher always looks so.
func (v *watcher) lose() {
	if v == nil {
		return
	}
	v.mu.Lock()
	defer v.mu.Unlock()
	v.lost = true
}

func (v *watcher) note(e fsnotify.Event) {
	v.mu.Lock()
	defer v.mu.Unlock()
	if filepath.Dir(e.Name) == v.cookie {
		if c := v.waiting[e.Name]; c != nil {
			close(c)
			delete(v.waiting, e.Name)
		}
		return
	}
	if len(v.touched) >= manyTouched {
		// All will be walked. Only folders that go count now: nobody may ask for
		// days, and what is noted meanwhile must not grow.
		v.lost = true
		if !v.watched[e.Name] {
			return
		}
	}
	v.touched[e.Name] |= e.Op
}

// settle waits until the events of all changes made before the call are noted; ok
// is false when that cannot be known.
func (v *watcher) settle(ctx context.Context) (ok bool) {
	v.mu.Lock()
	v.cookies++
	name := filepath.Join(v.cookie, strconv.Itoa(v.cookies))
	c := make(chan struct{})
	v.waiting[name] = c
	v.mu.Unlock()
	defer func() {
		os.Remove(name)
		v.mu.Lock()
		delete(v.waiting, name)
		v.mu.Unlock()
	}()
	// Exclusive: should the folder be somebody else's by now, no link is followed.
	f, err := os.OpenFile(name, os.O_WRONLY|os.O_CREATE|os.O_EXCL, 0o600)
	if err != nil {
		// Old temporary folders are cleaned up; the next look has a new one.
		if os.Mkdir(v.cookie, 0o700) == nil {
			_ = v.events.Add(v.cookie)
		}
		return false
	}
	f.Close()
	timer := time.NewTimer(cookieWait)
	defer timer.Stop()
	select {
	case <-c:
		return true
	case <-timer.C:
	case <-v.done:
	case <-ctx.Done():
	}
	return false
}

// take returns what has been touched since the last call; ok is false when the
// tree must be walked.
func (v *watcher) take(ctx context.Context) (touched map[string]fsnotify.Op, ok bool) {
	ok = v.settle(ctx)
	v.mu.Lock()
	touched, ok = v.touched, ok && !v.lost && time.Since(v.walked) < fullEvery
	gone := v.gone(touched)
	v.touched, v.lost, v.overrun = map[string]fsnotify.Op{}, false, false
	ok = ok && len(gone) == 0
	if !ok {
		v.walked = time.Now()
	}
	v.mu.Unlock()
	for _, dir := range gone {
		_ = v.events.Remove(dir) // it may be gone already
	}
	return touched, ok
}

// gone forgets the folders that were removed or renamed and those below, which are
// known by names that are no longer theirs, and returns them; all folders when
// events were lost.
func (v *watcher) gone(touched map[string]fsnotify.Op) []string {
	left := map[string]bool{}
	for name, op := range touched {
		if op.Has(fsnotify.Rename) || op.Has(fsnotify.Remove) {
			left[name] = v.watched[name]
		}
	}
	var out []string
	for dir := range v.watched {
		if v.overrun || holdsAbove(left, dir) {
			out = append(out, dir)
			delete(v.watched, dir)
		}
	}
	return out
}

// holdsAbove reports whether a set holds a path or one above it.
func holdsAbove(set map[string]bool, path string) bool {
	if len(set) == 0 {
		return false
	}
	for end := len(path); end > 0; end = strings.LastIndexByte(path[:end], filepath.Separator) {
		if set[path[:end]] {
			return true
		}
	}
	return false
}

// add watches a folder. It is called before the folder is listed, so that nothing
// comes between.
func (v *watcher) add(dir string) {
	if v == nil {
		return
	}
	if v.isWatched(dir) {
		return
	}
	// Without the lock: the listener takes it, and must never wait for the system.
	watched := watchable(dir) && v.events.Add(dir) == nil
	if !watched && !exists(dir) {
		return // gone meanwhile
	}
	v.mu.Lock()
	defer v.mu.Unlock()
	v.watched[dir] = watched
	v.lost = v.lost || !watched // for ever: see alive
}

// alive reports whether all folders are watched.
func (v *watcher) alive() bool {
	v.mu.Lock()
	defer v.mu.Unlock()
	for _, watched := range v.watched {
		if !watched {
			return false
		}
	}
	return true
}

func (v *watcher) isWatched(dir string) bool {
	v.mu.Lock()
	defer v.mu.Unlock()
	return v.watched[dir]
}

// close ends the watcher; nil is allowed.
func (v *watcher) close() {
	if v == nil {
		return
	}
	v.events.Close()
	<-v.done
	_ = os.RemoveAll(v.cookie) // a folder for temporary files is cleaned anyway
}
