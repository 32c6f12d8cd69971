package index

import (
	"context"
	"errors"
	"runtime"
	"sync"
	"sync/atomic"

	"codeintel/index/store"
	"codeintel/symbols"
)

// indexing is one run over the files that have no stored outline.
type indexing struct {
	root   string
	update *store.Update
	report func(Progress)

	// keys and done are by the number of the file: its key, and whether the store
	// has what belongs to it.
	keys []store.Key
	done []bool

	mu       sync.Mutex // guards progress and report
	progress Progress
}

// run deals with all files, by as many workers as there are processors.
func (x *indexing) run(ctx context.Context, work []*entry) error {
	ctx, stop := context.WithCancelCause(ctx)
	defer stop(nil)
	var next atomic.Int64
	var workers sync.WaitGroup
	for range min(runtime.GOMAXPROCS(0), len(work)) {
		workers.Go(func() {
			for i := int(next.Add(1)) - 1; i < len(work) && ctx.Err() == nil; i = int(next.Add(1)) - 1 {
				count, err := x.file(i, work[i])
				if err != nil {
					stop(err)
					return
				}
				x.advance(work[i], count)
			}
		})
	}
	workers.Wait()
	return context.Cause(ctx)
}

func (x *indexing) advance(e *entry, count int) {
	x.mu.Lock()
	defer x.mu.Unlock()
	x.progress.Files++
	x.progress.Bytes += e.stamp.size
	x.progress.Symbols += count
	if x.report != nil {
		x.report(x.progress)
	}
}

// file puts what belongs to a file into the store, unless it is there, and
// returns the number of its symbols. A file that cannot be read now has nothing.
func (x *indexing) file(i int, e *entry) (count int, err error) {
	doc, outline, binary := x.read(e)
	switch {
	case doc != nil:
		x.keys[i] = keyOf(doc)
	case binary:
		// In place of all binary texts; no other begins with it.
		x.keys[i] = store.KeyOf(symbols.LanguageOf(e.path), []byte{0})
	default:
		return 0, nil
	}
	x.done[i] = true
	if r, ok := x.update.Find(x.keys[i]); ok {
		_, count, err := r.Segment.Status(r.Number)
		return count, err
	}
	status := store.Binary
	if doc != nil {
		status = classify(doc)
	}
	var encoded symbols.Encoded
	if status == store.Outlined || status == store.Generated {
		if outline == nil {
			outline, err = symbols.Extract(doc)
		}
		if err != nil {
			status = store.Unparsed
		} else {
			encoded, count = outline.Encode(), global(outline)
		}
	}
	return count, x.update.Add(x.keys[i], status, encoded, count)
}

// global counts the symbols that can be found by name from elsewhere.
func global(o *symbols.Outline) int {
	n := 0
	for _, s := range o.Symbols() {
		if !s.Local {
			n++
		}
	}
	return n
}

// read returns the document of a file as it was when it was listed, without
// keeping it, with its outline if there is one in memory. A file that has changed
// since has neither: the next look finds it.
func (x *indexing) read(e *entry) (doc *symbols.Document, outline *symbols.Outline, binary bool) {
	if c := e.loaded(); c != nil {
		return c.doc, c.known(), c.err != nil
	}
	data, now, err := readText(abs(x.root, e.path))
	if now != e.stamp || err != nil {
		return nil, nil, now == e.stamp && errors.Is(err, ErrBinary)
	}
	return symbols.NewDocument(e.path, data), nil, false
}
