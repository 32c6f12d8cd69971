package index

import (
	"context"
	"errors"
	"fmt"
	"slices"
	"sync"
	"sync/atomic"

	"codeintel/index/store"
	"codeintel/symbols"
)

// MaxOutlined is the size in bytes above which a file is not outlined for the
// index (contract §1.4's cap). It can still be read, searched and outlined when
// it is asked for by name. Notebooks are outlined whatever their size.
const MaxOutlined = 1 << 20

// State says what is known of a workspace from earlier runs.
type State = store.State

// disk is what is stored of a workspace. Nil where nothing may be stored.
type disk struct {
	store *store.Store

	mu    sync.Mutex // guards the rest
	view  *store.View
	racy  int   // the files in it that will have to be read again
	state State // when the workspace was opened
	err   error // what is damaged

	// changes counts how often records were given to entries or taken from them.
	changes atomic.Int64
}

// openDisk opens what is stored of the workspace at root, a real path.
func openDisk(cache, root string) *disk {
	if cache == "" {
		return nil
	}
	repository := root
	if top, ok := repositoryTop(root); ok {
		repository = commonDir(top)
	}
	d := &disk{store: store.Open(cache, repository)}
	d.view, d.state, d.err = d.store.View(root)
	return d
}

// damaged notes that a stored file cannot be used, and takes their records from
// the files of a listing.
func (d *disk) damaged(l *listing, err error) {
	d.store.Discard()
	d.mu.Lock()
	d.view, d.state, d.err = nil, store.Corrupt, err
	d.mu.Unlock()
	for _, e := range l.entries {
		e.record.Store(nil)
	}
	d.changes.Add(1)
}

// attach gives the entries that have none their stored records: those of files
// that are known to be as they were. root is the workspace's.
func (d *disk) attach(root string, l *listing) {
	if d == nil {
		return
	}
	d.mu.Lock()
	view := d.view
	d.mu.Unlock()
	if view == nil {
		return
	}
	racy := 0
	err := l.meet(view, func(e *entry, f store.File) {
		if e.stamp != stampFrom(f.Stamp) || e.record.Load() != nil {
			return
		}
		if f.Racy {
			racy++
		}
		if !f.Racy && !e.racy.Load() || e.holds(root, f.Record) {
			e.keep(f.Record)
		}
	})
	d.mu.Lock()
	d.racy = max(d.racy, racy)
	d.mu.Unlock()
	d.changes.Add(1)
	if err != nil {
		d.damaged(l, err)
	}
}

// meet calls f for every path that is both in the listing and in a view.
func (l *listing) meet(view *store.View, f func(*entry, store.File)) error {
	rest := l.entries
	return view.Each(func(path []byte, file store.File) bool {
		for len(rest) > 0 && rest[0].path < string(path) {
			rest = rest[1:]
		}
		if len(rest) > 0 && rest[0].path == string(path) {
			f(rest[0], file)
		}
		return len(rest) > 0
	})
}

// keep makes r, and no more for as long as e, the record of e.
func (e *entry) keep(r store.Record) { e.record.Store(&r) }

// holds reports whether a file, whose stamp does not tell, is what a record was
// made from.
func (e *entry) holds(root string, r store.Record) bool {
	c, err := e.load(abs(root, e.path))
	if err != nil || c.err != nil {
		return false
	}
	key, err := r.Segment.Key(r.Number)
	return err == nil && key == keyOf(c.doc)
}

func stampFrom(s store.Stamp) stamp {
	return stamp{size: s.Size, mtime: s.ModTime, ctime: s.ChangeTime, device: s.Device, inode: s.Inode}
}

func (s stamp) stored() store.Stamp {
	return store.Stamp{Size: s.size, ModTime: s.mtime, ChangeTime: s.ctime, Device: s.device, Inode: s.inode}
}

// keyOf returns the key of what is extracted of a document. A notebook's text is
// parsed otherwise than the same text in a file of its language.
func keyOf(d *symbols.Document) store.Key {
	l := d.Language()
	if symbols.LanguageOf(d.Path()) == symbols.Notebook {
		l = symbols.Notebook + " " + l
	}
	return store.KeyOf(l, d.Text())
}

// indexable reports whether the index has an outline of the file, by its name and
// size.
func (e *entry) indexable() bool { return symbols.LanguageOf(e.path).HasGrammar() && !e.oversized() }

// oversized reports whether a file with a grammar is too large to be outlined for
// the index. Most of a large notebook are the pictures that it has put out.
func (e *entry) oversized() bool {
	l := symbols.LanguageOf(e.path)
	return e.stamp.size > MaxOutlined && l.HasGrammar() && (l != symbols.Notebook || e.stamp.size > maxSize)
}

// storedOutline returns the stored outline of a document that has been read, or
// nil. The file may have changed since it was looked at, so the text decides.
func (e *entry) storedOutline(doc *symbols.Document) *symbols.Outline {
	r := e.record.Load()
	if r == nil {
		return nil
	}
	key, err := r.Segment.Key(r.Number)
	if err != nil || key != keyOf(doc) {
		return nil
	}
	stored, err := r.Segment.Outline(r.Number)
	if err != nil || len(stored.Data) == 0 {
		return nil
	}
	o, err := stored.Decode(doc)
	if err != nil {
		return nil
	}
	return o
}

// classify says what is kept of a document.
func classify(d *symbols.Document) store.Status {
	if !d.Language().HasGrammar() {
		return store.Foreign
	}
	if symbols.Minified(d.Text()) {
		return store.Minified
	}
	if _, ok := symbols.Generated(d); ok {
		return store.Generated
	}
	return store.Outlined
}

// IndexOptions are the settings of [Workspace.Index]. The zero value is ready to
// use.
type IndexOptions struct {
	// Wait waits for another process that is writing the index; without it the work
	// is left to that one.
	Wait bool
	// Known stores only outlines that have been made already, of the workspace as it
	// was last seen.
	Known bool
	// Progress is called after each file, by one goroutine at a time. May be nil.
	Progress func(Progress)
}

// Progress is how far indexing has come.
type Progress struct {
	Files, AllFiles int   // done, and to do
	Bytes, AllBytes int64 // of these files
	Symbols         int   // found so far
}

// ErrLocked says that another process is writing the index.
var ErrLocked = store.ErrLocked

// Index brings what is stored to the current state of the workspace: the outlines
// of all files that are new or changed since. It returns how much there was to do.
// It refreshes the workspace first; without a cache folder it does no more. Errors
// are [ErrLocked], those of writing, and the context's; the index as it was stays
// in force then.
func (w *Workspace) Index(ctx context.Context, o IndexOptions) (Progress, error) {
	var done Progress
	if !o.Known {
		if err := w.Refresh(ctx); err != nil {
			return done, err
		}
	}
	if w.disk == nil {
		return done, nil
	}
	s, err := w.retain()
	if err != nil {
		return done, err
	}
	defer s.Release()
	if len(s.listing.unstored(o.Known)) == 0 && w.disk.serves(s.listing, o.Known) {
		return done, nil
	}
	u, err := w.disk.store.Begin(ctx, o.Wait)
	if err != nil {
		return done, err
	}
	defer u.Close()
	work := s.listing.unstored(o.Known) // less if another call has ended meanwhile
	x := &indexing{root: w.root, update: u, keys: make([]store.Key, len(work)), done: make([]bool, len(work)), report: o.Progress}
	x.progress.AllFiles = len(work)
	for _, e := range work {
		x.progress.AllBytes += e.stamp.size
	}
	if err := x.run(ctx, work); err != nil {
		return x.progress, err
	}
	if !slices.Contains(x.done, true) && w.disk.serves(s.listing, o.Known) {
		return x.progress, nil // files that cannot be read: writing helps nobody
	}
	return x.progress, w.commit(s, u, x, work)
}

// commit writes the view and publishes a snapshot that knows of it.
func (w *Workspace) commit(s *Snapshot, u *store.Update, x *indexing, work []*entry) error {
	racy := 0
	file := func(e *entry) store.File {
		f := store.File{Path: e.path, Stamp: e.stamp.stored(), Racy: e.racy.Load()}
		if f.Racy {
			racy++
		}
		return f
	}
	var files []store.File
	var keyed []store.Keyed
	i := 0 // of the next entry of work, which is in the order of the listing
	for _, e := range s.listing.entries {
		worked := i < len(work) && work[i] == e
		if r := e.record.Load(); worked && x.done[i] {
			keyed = append(keyed, store.Keyed{Key: x.keys[i], File: file(e)})
		} else if r != nil {
			f := file(e)
			f.Record = *r
			files = append(files, f)
		}
		if worked {
			i++
		}
	}
	view, err := u.Commit(w.root, files, keyed)
	if errors.Is(err, store.ErrCorrupt) {
		w.disk.damaged(s.listing, err)
	}
	if err != nil {
		return fmt.Errorf("storing the index: %w", err)
	}
	w.disk.mu.Lock()
	w.disk.view, w.disk.racy, w.disk.state, w.disk.err = view, racy, store.Ready, nil
	w.disk.mu.Unlock()
	return w.disk.reattach(view, s.listing)
}

// reattach gives every entry the record that a new view has for it, since old
// ones may be in segments that are gone.
func (d *disk) reattach(view *store.View, l *listing) error {
	err := l.meet(view, func(e *entry, f store.File) { e.keep(f.Record) })
	d.changes.Add(1)
	if err != nil {
		d.damaged(l, err)
	}
	return err
}

// serves reports whether the stored view need not be written again for what it
// says of files that have their records; if known is true only much counts.
func (d *disk) serves(l *listing, known bool) bool {
	d.mu.Lock()
	few := d.racy <= fewUnindexed
	d.mu.Unlock()
	return known && few || d.covers(l)
}

// covers reports whether the stored view is of these files and no others, and
// would not be better if it were written again.
func (d *disk) covers(l *listing) bool {
	d.mu.Lock()
	defer d.mu.Unlock()
	if d.view == nil {
		return false
	}
	n, racy := 0, 0
	for _, e := range l.entries {
		if e.record.Load() != nil {
			n++
			if e.racy.Load() {
				racy++
			}
		}
	}
	return d.view.Len() == n && d.racy <= racy
}

// unstored returns the entries that the index should have and has not; if known
// is true those of which the outline is in memory.
func (l *listing) unstored(known bool) []*entry {
	var out []*entry
	for _, e := range l.entries {
		if e.record.Load() == nil && e.indexable() && (!known || e.loaded().known() != nil) {
			out = append(out, e)
		}
	}
	return out
}
