package lsp

import (
	"context"
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"sync"
	"time"

	"go.lsp.dev/protocol"
)

// Servers that need more than a notification to know of a change:
//
// Gopls v0.23.0 never looks for packages in folders that had none when it
// loaded the workspace: a new file there is in no answer about other files, not
// even when it is open, until a question is asked in that file.
//
// Pyright 1.1.414 lists the workspace's files after it has said that it is
// ready, and again after files come or go; an answer given before that leaves
// out what is not open. When it has listed them it says so in its log.

// reloadAbove is the number of new package folders from which gopls loads the
// whole workspace again instead of each folder: both cost one go list.
const reloadAbove = 3

// How long a listing of files is waited for. It is over in a fraction of that,
// but nothing says that one has begun.
const (
	firstListing = 10 * time.Second
	laterListing = 2 * time.Second
)

// changed does what a server needs after files were created or deleted.
func (s *Server) changed(ctx context.Context, created, deleted []string) error {
	switch s.kind {
	case Gopls:
		return s.loadPackages(ctx, packageFolders(created))
	case Pyright:
		python := func(path string) bool { return strings.HasPrefix(filepath.Ext(path), ".py") }
		files := slices.DeleteFunc(slices.Concat(created, deleted), func(path string) bool { return !python(path) })
		if dirs := listedAgain(s.in.projects(), files); len(dirs) > 0 {
			s.in.listing.begin(laterListing, dirs...)
		}
	}
	return nil
}

// packageFolders picks, for each folder whose Go files are all new, one of
// these.
func packageFolders(created []string) []string {
	isNew := map[string]bool{}
	for _, path := range created {
		isNew[path] = strings.HasSuffix(path, ".go")
	}
	seen := map[string]bool{}
	var out []string
	for _, path := range created {
		dir := filepath.Dir(path)
		if !isNew[path] || seen[dir] {
			continue
		}
		seen[dir] = true
		entries, _ := os.ReadDir(dir)
		if !slices.ContainsFunc(entries, func(e os.DirEntry) bool {
			return strings.HasSuffix(e.Name(), ".go") && !isNew[filepath.Join(dir, e.Name())]
		}) {
			out = append(out, path)
		}
	}
	return out
}

// loadPackages makes gopls load the packages of the given files.
func (s *Server) loadPackages(ctx context.Context, files []string) error {
	if len(files) > reloadAbove {
		folders := s.in.workspaceFolders()
		err := s.client.notify(ctx, protocol.MethodWorkspaceDidChangeWorkspaceFolders,
			&protocol.DidChangeWorkspaceFoldersParams{
				Event: protocol.WorkspaceFoldersChangeEvent{Added: folders, Removed: folders}})
		if err != nil {
			return fmt.Errorf("making %s load new packages: %w", s.kind, err)
		}
		return nil
	}
	for _, file := range files {
		// Any question will do that needs the file's package. An error is an
		// answer, too: the file may be gone again, or have no package.
		if _, err := s.Definition(ctx, file, protocol.Position{}); err != nil && (ctx.Err() != nil || s.Err() != nil) {
			return err
		}
	}
	return nil
}

// listing is a server's listing of the workspace's files, which questions about
// other files than the open ones wait for. Each folder is listed by itself, and
// what tells of the end does not say of which.
type listing struct {
	mu    sync.Mutex
	ended chan struct{}   // guarded by mu; nil when there is nothing to wait for
	until time.Time       // guarded by mu; when waiting is given up
	due   map[string]bool // guarded by mu; the folders
	left  int             // guarded by mu; how many of them are not listed yet
}

// begin says that listings of these folders are due.
func (l *listing) begin(limit time.Duration, folders ...string) {
	l.mu.Lock()
	defer l.mu.Unlock()
	if l.ended == nil {
		l.ended, l.due = make(chan struct{}), map[string]bool{}
	}
	for _, dir := range folders {
		l.due[dir] = true
	}
	l.left = len(l.due)
	l.until = time.Now().Add(limit)
}

// end says that the listing of a folder is complete.
func (l *listing) end() {
	l.mu.Lock()
	defer l.mu.Unlock()
	if l.left--; l.left <= 0 {
		l.stop()
	}
}

// stop ends the waiting; the caller holds mu.
func (l *listing) stop() {
	if l.ended != nil {
		close(l.ended)
		l.ended = nil
	}
}

// giveUp ends the waiting for listings that nothing is heard of.
func (l *listing) giveUp() {
	l.mu.Lock()
	defer l.mu.Unlock()
	l.stop()
}

// wait waits for the listing that is due, if any.
func (l *listing) wait(ctx context.Context) {
	l.mu.Lock()
	ended, limit := l.ended, time.Until(l.until)
	l.mu.Unlock()
	if ended == nil {
		return
	}
	select {
	case <-ended:
	case <-ctx.Done():
	case <-time.After(limit):
		l.giveUp()
	}
}

// listed reports whether a log message of pyright says that it has listed the
// workspace's files.
func listed(message string) bool {
	return message == "No source files found." ||
		strings.HasPrefix(message, "Found ") && strings.Contains(message, " source file")
}
