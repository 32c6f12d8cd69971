package index

import (
	"bytes"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"
	"path/filepath"
	"sync"
	"sync/atomic"
	"syscall"
	"time"

	"codeintel/index/store"
	"codeintel/symbols"
)

const (
	// maxSize is the largest file that is read, in bytes.
	maxSize = 20_480_000
	// binaryWindow is how many bytes at the start are searched for a NUL.
	binaryWindow = 8 << 10
)

// File is a file of the workspace.
type File struct {
	Path    string    // root-relative, with forward slashes
	Size    int64     // bytes, on disk
	ModTime time.Time // on disk
}

// entry is one version of one file. Its content is read on first use and shared by
// all snapshots in which the file has this version.
type entry struct {
	path  string // root-relative, or absolute outside the root
	link  string // of a symbolic link: the root-relative path of the file it leads to
	stamp stamp
	racy  atomic.Bool // the stamp may fail to show the next edit
	// record is where its outline is stored, nil when that is not known.
	record atomic.Pointer[store.Record]

	mu      sync.Mutex // guards the rest; held while the file is read
	content *content   // nil until read, and after a sweep
	used    time.Time  // when content was last asked for
	was     *content   // of the version before, kept if the bytes are the same
}

func newEntry(path string, info fs.FileInfo, looked time.Time) *entry {
	e := &entry{path: path, stamp: stampOf(info)}
	e.racy.Store(e.stamp.racy(looked))
	return e
}

func (e *entry) file() File {
	return File{Path: e.path, Size: e.stamp.size, ModTime: time.Unix(0, e.stamp.mtime)}
}

// content is the text of a document, or why it has none, and its outline.
type content struct {
	doc *symbols.Document
	err error // ErrTooLarge or ErrBinary, with the path

	mu         sync.Mutex // guards the rest; held while the outline is made
	made       bool
	outline    *symbols.Outline
	outlineErr error
}

func textContent(path string, text []byte) *content {
	return &content{doc: symbols.NewDocument(path, text)}
}

// extract returns the outline, which is made at most once: of what stored returns,
// else by parsing. stored may be nil, and return nil.
func (c *content) extract(stored func(*symbols.Document) *symbols.Outline) (*symbols.Outline, error) {
	if c.err != nil {
		return nil, c.err
	}
	c.mu.Lock()
	defer c.mu.Unlock()
	if c.made {
		return c.outline, c.outlineErr
	}
	if stored != nil {
		c.outline = stored(c.doc)
	}
	if c.outline == nil {
		c.outline, c.outlineErr = symbols.Extract(c.doc)
	}
	c.made = true
	return c.outline, c.outlineErr
}

// known returns the outline if it has been made, else nil.
func (c *content) known() *symbols.Outline {
	if c == nil || c.err != nil {
		return nil
	}
	c.mu.Lock()
	defer c.mu.Unlock()
	return c.outline
}

// same reports whether two contents show the same text. Notebooks of which only
// the outputs differ do.
func (c *content) same(d *content) bool {
	if c == nil || d == nil || c.err != nil || d.err != nil {
		return false
	}
	return c == d || c.doc.Same(d.doc)
}

// loaded returns the content if it has been read.
func (e *entry) loaded() *content {
	e.mu.Lock()
	defer e.mu.Unlock()
	return e.content
}

// load returns the content, reading the file at full on first use. Errors of
// reading are not kept: the next call tries again.
func (e *entry) load(full string) (*content, error) {
	e.mu.Lock()
	defer e.mu.Unlock()
	e.used = time.Now()
	if e.content != nil {
		return e.content, nil
	}
	c, err := readContent(e.path, full)
	if err != nil {
		return nil, err
	}
	if c.same(e.was) {
		c = e.was
	}
	e.content, e.was = c, nil
	return c, nil
}

// follows prepares e, a new version of old, to share what is known of old.
func (e *entry) follows(old *entry) {
	if c := old.loaded(); c != nil && c.err == nil {
		e.was = c
	}
}

// readContent reads a document from disk.
func readContent(path, full string) (*content, error) {
	data, _, err := readText(full)
	switch {
	case errors.Is(err, ErrTooLarge), errors.Is(err, ErrBinary):
		return &content{err: fmt.Errorf("%s %w", path, err)}, nil
	case err != nil:
		return nil, fmt.Errorf("%s %w", path, err)
	}
	return textContent(path, data), nil
}

// readText reads a regular file of at most maxSize bytes without a NUL at its
// start, UTF-16 apart. A file that is written to meanwhile is read again, so that
// halves of two versions do not meet in one text. It returns the stamp of what was
// read, the zero stamp if that is not known.
func readText(full string) ([]byte, stamp, error) {
	for attempt := 0; ; attempt++ {
		data, before, after, err := readOnce(full)
		if err != nil || before == after || attempt == 3 {
			return data, after, err
		}
	}
}

func readOnce(full string) (data []byte, before, after stamp, err error) {
	info, err := os.Stat(full)
	if err != nil {
		return nil, before, after, pathReason(err)
	}
	if err := readable(info); err != nil {
		return nil, before, after, err
	}
	// O_NONBLOCK: should a FIFO have come in the file's place, opening it must not
	// wait for a writer.
	f, err := os.OpenFile(full, os.O_RDONLY|syscall.O_NONBLOCK, 0)
	if err != nil {
		return nil, before, after, pathReason(err)
	}
	defer f.Close()
	if info, err = f.Stat(); err != nil {
		return nil, before, after, pathReason(err)
	}
	if err := readable(info); err != nil {
		return nil, before, after, err
	}
	before = stampOf(info)
	data = make([]byte, 0, info.Size()+1)
	if data, err = readAll(f, data); err != nil {
		return nil, before, after, pathReason(err)
	}
	if info, err = f.Stat(); err == nil {
		after = stampOf(info)
	}
	switch {
	case len(data) > maxSize:
		return nil, before, after, ErrTooLarge
	case bytes.IndexByte(data[:min(len(data), binaryWindow)], 0) >= 0 && !symbols.IsUTF16(data):
		return nil, before, after, ErrBinary
	}
	return data, before, after, nil
}

// readAll reads r to its end, but little more than maxSize bytes of it.
func readAll(r io.Reader, data []byte) ([]byte, error) {
	for {
		if len(data) == cap(data) {
			data = append(data, 0)[:len(data)]
		}
		n, err := r.Read(data[len(data):cap(data)])
		data = data[:len(data)+n]
		if err == io.EOF || len(data) > maxSize {
			return data, nil
		}
		if err != nil {
			return nil, err
		}
	}
}

// readable says why a file of this status is not read.
func readable(info fs.FileInfo) error {
	switch {
	case info.IsDir():
		return ErrIsDirectory
	case !info.Mode().IsRegular():
		return ErrNotRegular
	case info.Size() > maxSize:
		return ErrTooLarge
	}
	return nil
}

// pathReason replaces an error of the file system by what it means here.
func pathReason(err error) error {
	if notExist(err) {
		return ErrNotFound
	}
	var p *fs.PathError
	if errors.As(err, &p) {
		err = p.Err // the path is named by the caller
	}
	return fmt.Errorf("cannot be read: %w", err)
}

// abs returns the absolute path of a root-relative or absolute one.
func abs(root, path string) string {
	if filepath.IsAbs(path) {
		return path
	}
	return filepath.Join(root, filepath.FromSlash(path))
}
