package index

import (
	"context"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"sync"
	"time"
)

// walk reads the tree of a workspace: folders in parallel by a bounded number of
// workers, each entry by one lstat. Nothing is opened but folders and the rule
// files themselves.
type walk struct {
	ctx     context.Context
	root    string
	global  string // core.excludesFile
	access  *access
	started time.Time
	watcher *watcher      // nil if nothing is watched
	workers chan struct{} // one token per worker beside the first
	wait    sync.WaitGroup

	failed error // why the root could not be listed

	mu         sync.Mutex // guards the rest
	rules      ruleset
	unreadable []string
	special    []string
}

// tree is what a walk has found.
type tree struct {
	entries    []*entry // regular files, by path
	rules      ruleset
	access     *access
	unreadable []string // folders that could not be listed, by path
	special    []string // FIFOs, sockets and devices, by path
}

// folder is a folder under way: its path relative to the root and with a slash at
// its end ("" for the root), and the rules of the folder above it.
type folder struct {
	rel   string
	above *rules
}

// found is one entry of a folder: a file, or a folder with what is in it. key is
// its name, a folder's with a slash, which sorts whole paths in byte order.
type found struct {
	key  string
	file *entry
	sub  *contents
}

// contents are the entries of a folder, by key.
type contents struct{ entries []found }

// readTree walks the tree of root. The watcher, which may be nil, is told of every
// folder before it is listed.
func readTree(ctx context.Context, root, global string, workers int, watcher *watcher) (*tree, error) {
	a, err := readAccess(root)
	if err != nil {
		return nil, err
	}
	w := &walk{
		ctx: ctx, root: root, global: global, access: a, started: time.Now(),
		workers: make(chan struct{}, workers-1), watcher: watcher,
		rules: ruleset{folders: map[string]*rules{}, outside: map[string]stamp{}},
	}
	above := w.rulesAbove()
	top := &contents{}
	w.list(folder{above: above}, top)
	w.wait.Wait()
	if err := ctx.Err(); err != nil {
		return nil, err
	}
	if w.failed != nil {
		return nil, fmt.Errorf("listing the workspace: %w", w.failed)
	}
	slices.Sort(w.unreadable)
	slices.Sort(w.special)
	t := &tree{rules: w.rules, access: a, unreadable: w.unreadable, special: w.special}
	top.flatten(&t.entries)
	return t, nil
}

// rulesAbove returns the rules that stand above the root folder's own: the user's,
// and those of the repository that the root is a part of.
func (w *walk) rulesAbove() *rules {
	r := &rules{}
	w.outside(w.global)
	for _, dir := range ancestors(w.root) {
		w.outside(filepath.Join(dir, ".git"))
	}
	if data, err := readSmall(w.global); err == nil {
		r.global = parsePatterns(data)
	}
	top, ok := repositoryTop(w.root)
	if !ok || top == w.root {
		return r
	}
	rel, _ := below(top, w.root)
	w.rules.prefix = rel + "/"
	r = w.rulesOutside(r, top, 0, true)
	for i := range rel {
		if rel[i] == '/' {
			r = w.rulesOutside(r, filepath.Join(top, filepath.FromSlash(rel[:i])), i+1, false)
		}
	}
	return r
}

// rulesOutside is enter for a folder above the root.
func (w *walk) rulesOutside(r *rules, dir string, skip int, repository bool) *rules {
	w.outside(filepath.Join(dir, ".ignore"), filepath.Join(dir, ".gitignore"))
	if repository {
		w.outside(excludeFile(dir))
	}
	return r.enter(dir, skip, repository)
}

// enter returns the rules of the folder dir: r, which stand above it, or new ones
// when it has rules of its own. skip is the length of its path as rules see paths.
func (r *rules) enter(dir string, skip int, repository bool) *rules {
	own := &rules{parent: r, skip: skip, repository: repository,
		ignore: readRules(dir, ".ignore"), git: readRules(dir, ".gitignore")}
	if repository {
		own.exclude = excludePatterns(dir)
	} else if len(own.ignore)+len(own.git) == 0 {
		return r
	}
	return own
}

// list reads one folder into c, and the folders below it.
func (w *walk) list(f folder, c *contents) {
	if w.ctx.Err() != nil {
		return
	}
	dir := filepath.Join(w.root, filepath.FromSlash(f.rel))
	w.watcher.add(dir)
	listed, err := os.ReadDir(dir)
	switch {
	case err != nil && f.rel == "":
		w.failed = err
	case err != nil && !notExist(err):
		w.note(f.rel)
	}
	in := w.enter(f, dir, listed)
	for _, d := range listed {
		name := d.Name()
		if skipped(name) {
			continue
		}
		rel, isFolder := f.rel+name, d.IsDir()
		if in.ignores(w.rules.prefix+rel, isFolder) || w.access.blocksEntry(rel, name, isFolder) {
			continue
		}
		if isFolder {
			sub := &contents{}
			c.entries = append(c.entries, found{key: name + "/", sub: sub})
			w.descend(folder{rel: rel + "/", above: in}, sub)
		} else if e := w.look(rel, d); e != nil {
			c.entries = append(c.entries, found{key: name, file: e})
		}
	}
	slices.SortFunc(c.entries, func(a, b found) int { return strings.Compare(a.key, b.key) })
}

// enter returns the rules in force in a folder that has been listed.
func (w *walk) enter(f folder, dir string, listed []fs.DirEntry) *rules {
	var own, repository bool
	for _, d := range listed {
		switch d.Name() {
		case ".git":
			own, repository = true, true
		case ".gitignore", ".ignore":
			own = true
		}
	}
	in := f.above
	if repository {
		w.outside(excludeFile(dir))
	}
	if own {
		in = f.above.enter(dir, len(w.rules.prefix)+len(f.rel), repository)
	}
	switch {
	case f.rel == "":
		w.rules.top = in // before any other worker runs
	case in != f.above:
		w.mu.Lock()
		w.rules.folders[strings.TrimSuffix(f.rel, "/")] = in
		w.mu.Unlock()
	}
	return in
}

// descend lists a folder by a worker of its own if one is free, else at once.
func (w *walk) descend(f folder, c *contents) {
	select {
	case w.workers <- struct{}{}:
		w.wait.Go(func() {
			w.list(f, c)
			<-w.workers
		})
	default:
		w.list(f, c)
	}
}

// look returns the entry of a file, or nil for what is none: a link to a folder,
// to nothing or out of the workspace, a FIFO, a device, a file just deleted.
func (w *walk) look(rel string, d fs.DirEntry) *entry {
	switch {
	case d.Type().IsRegular():
		info, err := d.Info()
		if err != nil || !info.Mode().IsRegular() {
			return nil
		}
		return newEntry(rel, info, w.started)
	case d.Type()&fs.ModeSymlink != 0:
		return w.lookThrough(rel)
	default:
		w.noteSpecial(rel)
	}
	return nil
}

// lookThrough returns the entry of a symbolic link to a file.
func (w *walk) lookThrough(rel string) *entry {
	full := filepath.Join(w.root, filepath.FromSlash(rel))
	info, err := os.Stat(full)
	switch {
	case err != nil || info.IsDir():
		return nil
	case !info.Mode().IsRegular():
		w.noteSpecial(rel)
		return nil
	}
	real, err := filepath.EvalSymlinks(full)
	if err != nil {
		return nil
	}
	target, inside := below(w.root, real)
	if !inside {
		return nil
	}
	if _, blocked := w.access.blocks(target, false); blocked {
		return nil
	}
	e := newEntry(rel, info, w.started)
	e.link = target
	return e
}

func (w *walk) noteSpecial(rel string) {
	w.mu.Lock()
	defer w.mu.Unlock()
	w.special = append(w.special, rel)
}

func (w *walk) note(rel string) {
	w.mu.Lock()
	defer w.mu.Unlock()
	w.unreadable = append(w.unreadable, strings.TrimSuffix(rel, "/"))
}

// flatten appends the files of a folder and of those below it, by path.
func (c *contents) flatten(out *[]*entry) {
	for _, f := range c.entries {
		if f.sub != nil {
			f.sub.flatten(out)
		} else {
			*out = append(*out, f.file)
		}
	}
}
