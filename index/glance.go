package index

import (
	"io/fs"
	"maps"
	"os"
	"path"
	"slices"
	"strings"
	"time"

	"github.com/fsnotify/fsnotify"
)

// glance returns the listing after changes of these paths alone; ok is false when
// only a walk can tell: folders came or went, rules changed.
func (w *Workspace) glance(v *watcher, base *Snapshot, touched map[string]fsnotify.Op, suspects map[string]bool) (l *listing, ok bool) {
	look := &walk{root: w.root, access: base.access, started: time.Now()}
	rules := w.ruleset()
	access, err := readAccess(w.root)
	if err != nil || !access.equal(base.access) || !rules.current() {
		return nil, false
	}
	now := map[string]*entry{} // nil: gone
	for name := range touched {
		rel, inside := below(w.root, name)
		if !inside {
			continue
		}
		e, ok := (*entry)(nil), false
		if !v.isWatched(name) {
			e, ok = look.glance(base, &rules, rel, name)
		}
		if !ok {
			return nil, false
		}
		now[rel] = e
	}
	// What a link leads to may be in a folder that is not watched.
	for _, p := range base.listing.links {
		now[p] = look.lookThrough(p)
	}
	if len(now) == 0 && len(suspects) == 0 {
		return base.listing, true
	}
	return base.listing.update(w.root, base.listing.patched(now), suspects), true
}

// glance returns the entry of a path as it is now, nil if it is none; ok is false
// when that is not all.
func (w *walk) glance(base *Snapshot, rules *ruleset, rel, full string) (e *entry, ok bool) {
	if isRuleFile(path.Base(rel)) || base.listing.hasBelow(rel) {
		return nil, false
	}
	info, err := os.Lstat(full)
	if err != nil {
		return nil, notExist(err)
	}
	switch {
	case rules.ignores(rel, info.IsDir()):
		return nil, true
	case info.Mode().IsRegular(), info.Mode()&fs.ModeSymlink != 0:
	default:
		return nil, false
	}
	if _, blocked := base.access.blocks(rel, false); blocked {
		return nil, true
	}
	return w.look(rel, fs.FileInfoToDirEntry(info)), true
}

// isRuleFile reports whether a file or folder of this name decides about others.
func isRuleFile(name string) bool {
	switch name {
	case ".gitignore", ".ignore", ".git", ".rooignore", ".clineignore":
		return true
	}
	return false
}

// hasBelow reports whether there are files below a path.
func (l *listing) hasBelow(p string) bool {
	i, _ := slices.BinarySearchFunc(l.entries, p+"/", func(e *entry, p string) int { return strings.Compare(e.path, p) })
	return i < len(l.entries) && strings.HasPrefix(l.entries[i].path, p+"/")
}

// patched returns the entries with others at the paths named, nil for none. They
// stay in order without being sorted: there are many, and few are named.
func (l *listing) patched(now map[string]*entry) []*entry {
	out := make([]*entry, 0, len(l.entries)+len(now))
	rest := l.entries
	for _, p := range slices.Sorted(maps.Keys(now)) {
		i, found := slices.BinarySearchFunc(rest, p, func(e *entry, p string) int { return strings.Compare(e.path, p) })
		out = append(out, rest[:i]...)
		if rest = rest[i:]; found {
			rest = rest[1:]
		}
		if e := now[p]; e != nil {
			out = append(out, e)
		}
	}
	return append(out, rest...)
}

// current reports whether the rule files that are not in watched folders are as
// they were.
func (s *ruleset) current() bool {
	for name, was := range s.outside {
		if stampAt(name) != was {
			return false
		}
	}
	return true
}

// stampAt returns the stamp of a file, the zero stamp if there is none. Of a folder
// only that it is there counts.
func stampAt(name string) stamp {
	info, err := os.Stat(name)
	switch {
	case err != nil:
		return stamp{}
	case info.IsDir():
		return stamp{size: -1}
	}
	return stampOf(info)
}

// outside notes a rule file that no watch of the tree covers, before it is read.
func (w *walk) outside(names ...string) {
	w.mu.Lock()
	defer w.mu.Unlock()
	for _, name := range names {
		w.rules.outside[name] = stampAt(name)
	}
}
