package store

import (
	"cmp"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"slices"
	"time"

	"github.com/gofrs/flock"
)

// Folder is the stored index of one repository by one version of the extractors.
type Folder struct {
	Path  string
	Bytes int64
	Used  time.Time // the last use
	Roots []string  // of its worktrees, sorted
	// Gone reports that no root exists any more.
	Gone bool
}

// Folders returns what is stored below a cache folder, the latest used first. A
// cache folder that does not exist has none.
func Folders(cache string) ([]Folder, error) {
	dirs, err := filepath.Glob(filepath.Join(cache, "index", "*", "*"))
	if err != nil {
		return nil, fmt.Errorf("listing the cache: %w", err)
	}
	var out []Folder
	for _, dir := range dirs {
		f, err := folder(dir)
		if errors.Is(err, fs.ErrNotExist) {
			continue // somebody else removes it
		}
		if err != nil {
			return nil, fmt.Errorf("listing the cache: %w", err)
		}
		out = append(out, f)
	}
	slices.SortFunc(out, func(a, b Folder) int { return cmp.Or(b.Used.Compare(a.Used), cmp.Compare(a.Path, b.Path)) })
	return out, nil
}

func folder(dir string) (Folder, error) {
	f := Folder{Path: dir, Gone: true}
	entries, err := os.ReadDir(dir)
	if err != nil {
		return f, err
	}
	for _, e := range entries {
		info, err := e.Info()
		if err != nil {
			continue // removed meanwhile
		}
		f.Bytes += info.Size()
		if e.Name() == usedName {
			f.Used = info.ModTime()
		}
		if filepath.Ext(e.Name()) != ".view" {
			continue
		}
		if _, meta, err := readMeta(filepath.Join(dir, e.Name())); err == nil {
			f.Roots = append(f.Roots, meta.Root)
			if _, err := os.Stat(meta.Root); !errors.Is(err, fs.ErrNotExist) {
				f.Gone = false
			}
		}
	}
	slices.Sort(f.Roots)
	return f, nil
}

// Prune removes folders whose roots are all gone, then the least recently used
// ones until the rest has at most limit bytes. It returns what was removed. A
// folder that is being written to stays.
func Prune(cache string, limit int64) ([]Folder, error) {
	all, err := Folders(cache)
	if err != nil {
		return nil, err
	}
	var size int64
	var removed []Folder
	for _, f := range all {
		if size += f.Bytes; !f.Gone && size <= limit {
			continue
		}
		size -= f.Bytes
		ok, err := f.remove()
		if err != nil {
			return removed, err
		}
		if ok {
			removed = append(removed, f)
		}
	}
	return removed, nil
}

// remove removes a folder unless somebody holds its lock.
func (f Folder) remove() (bool, error) {
	lock := flock.New(filepath.Join(f.Path, lockName))
	held, err := lock.TryLock()
	if err != nil || !held {
		return false, nil
	}
	defer lock.Unlock()
	if err := os.RemoveAll(f.Path); err != nil {
		return false, fmt.Errorf("pruning the cache: %w", err)
	}
	_ = os.Remove(filepath.Dir(f.Path)) // if it is empty now
	return true, nil
}
