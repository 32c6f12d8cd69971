package store

import (
	"crypto/sha256"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"sync"
	"time"

	"codeintel/symbols"
)

// State says what is known of a worktree from earlier.
type State string

// The states of a view when it is opened.
const (
	// Missing: nothing is stored.
	Missing State = "missing"
	// Corrupt: something is, and it is damaged.
	Corrupt State = "corrupt"
	// OldFormat: it was written by a program with another format.
	OldFormat State = "old format"
	// OtherOptions: it was made by other extractors or with other settings.
	OtherOptions State = "other options"
	// Ready: it can be used for the files that have not changed since.
	Ready State = "ready"
)

// Store is the folder of one repository's outlines. It is safe for concurrent
// use.
type Store struct {
	dir string // with the fingerprint

	mu       sync.Mutex
	segments map[string]*Segment // opened, by id
}

// Open returns the store of a repository below a cache folder. The repository is
// named by a path that its worktrees have in common. Nothing is created before
// something is written; there is no error but in using the store.
func Open(cache, repository string) *Store {
	sum := sha256.Sum256([]byte(repository))
	name := fmt.Sprintf("%s-%x", filepath.Base(filepath.Clean(repository)), sum[:8])
	if filepath.Base(repository) == ".git" {
		name = fmt.Sprintf("%s-%x", filepath.Base(filepath.Dir(repository)), sum[:8])
	}
	return &Store{dir: filepath.Join(cache, "index", name, symbols.Fingerprint()), segments: map[string]*Segment{}}
}

// Dir returns the folder.
func (s *Store) Dir() string { return s.dir }

func (s *Store) viewName(root string) string {
	sum := sha256.Sum256([]byte(root))
	return filepath.Join(s.dir, fmt.Sprintf("%x.view", sum[:8]))
}

// View opens the view of a worktree and its segments. In any state but [Ready] it
// returns no view, and for [Corrupt] the reason as an error.
func (s *Store) View(root string) (*View, State, error) {
	// The time of the last use; without it the folder is dropped early.
	now := time.Now()
	_ = os.Chtimes(filepath.Join(s.dir, usedName), now, now)
	// A writer may remove a segment between the reading of a view that names it and
	// its opening: there is a newer view then.
	for range 3 {
		v, err := s.openView(root)
		switch {
		case err == nil:
			return v, Ready, nil
		case errors.Is(err, errGone):
			continue
		case errors.Is(err, fs.ErrNotExist):
			return nil, s.absent(), nil
		case errors.Is(err, ErrFormat):
			return nil, OldFormat, nil
		default:
			return nil, Corrupt, err
		}
	}
	return nil, Corrupt, errGone
}

// errGone says that a view names a segment that does not exist.
var errGone = errors.New("a part of the index is missing")

// absent tells nothing stored from something stored by others.
func (s *Store) absent() State {
	others, err := os.ReadDir(filepath.Dir(s.dir))
	if err != nil {
		return Missing
	}
	for _, o := range others {
		if o.Name() != filepath.Base(s.dir) {
			return OtherOptions
		}
	}
	return Missing
}

func (s *Store) openView(root string) (*View, error) {
	p, meta, err := readMeta(s.viewName(root))
	if err != nil {
		return nil, err
	}
	if meta.Root != root {
		return nil, fmt.Errorf("%s: %w", p.name, ErrCorrupt)
	}
	v := &View{pages: p, meta: meta}
	for _, id := range meta.Segments {
		segment, err := s.segment(id)
		if errors.Is(err, fs.ErrNotExist) {
			return nil, errGone
		}
		if err != nil {
			return nil, err
		}
		v.segments = append(v.segments, segment)
	}
	if v.size(fileSection) != fileSize*v.Len() {
		return nil, fmt.Errorf("%s: %w", p.name, ErrCorrupt)
	}
	return v, nil
}

// segment opens a segment, or returns the one that is open.
func (s *Store) segment(id string) (*Segment, error) {
	if id != filepath.Base(id) || filepath.Ext(id) != ".segment" {
		return nil, ErrCorrupt
	}
	s.mu.Lock()
	defer s.mu.Unlock()
	if open := s.segments[id]; open != nil {
		return open, nil
	}
	segment, err := openSegment(filepath.Join(s.dir, id))
	if err != nil {
		return nil, err
	}
	s.segments[id] = segment
	return segment, nil
}

// Discard removes the segments in which damage has been found, so that nobody
// believes the rest of them: views that name them are corrupt from now on.
func (s *Store) Discard() {
	s.mu.Lock()
	defer s.mu.Unlock()
	for id, segment := range s.segments {
		if segment.damaged.Load() {
			removeAll([]string{segment.name})
			delete(s.segments, id)
		}
	}
}

// forget closes the segments that are not among those kept. They stay mapped
// while anybody reads them.
func (s *Store) forget(kept map[*Segment]bool) {
	s.mu.Lock()
	defer s.mu.Unlock()
	for id, segment := range s.segments {
		if !kept[segment] {
			delete(s.segments, id)
		}
	}
}
