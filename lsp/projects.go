package lsp

import (
	"context"
	"errors"
	"fmt"
	"maps"
	"path/filepath"
	"slices"
	"strings"

	"go.lsp.dev/protocol"
)

// Project is a folder that a server takes for the root of the imports of the
// files below it. Paths are absolute and clean.
type Project struct {
	Dir     string
	Paths   []string // what else its files import from, in order, behind Dir and its src folder
	Exclude []string // folders below Dir that are projects of their own
}

// has reports whether the project judges the file at an absolute path.
func (p Project) has(path string) bool {
	return below(p.Dir, path) && !slices.ContainsFunc(p.Exclude, func(dir string) bool { return below(dir, path) })
}

// below reports whether path is dir or below it.
func below(dir, path string) bool {
	return path == dir || strings.HasPrefix(path, strings.TrimSuffix(dir, string(filepath.Separator))+string(filepath.Separator))
}

// equal reports whether both say the same.
func (p Project) equal(q Project) bool {
	return p.Dir == q.Dir && slices.Equal(p.Paths, q.Paths) && slices.Equal(p.Exclude, q.Exclude)
}

// SetProjects makes the server take these folders for the projects of the
// workspace, instead of its root alone. Where that changes anything all open
// documents are closed, so nothing may be asked meanwhile. Only pyright has to be
// told; the other kinds find their projects themselves, and give [ErrUnsupported].
func (s *Server) SetProjects(ctx context.Context, projects []Project) error {
	if s.kind != Pyright {
		return fmt.Errorf("setting the projects of %s: %w", s.kind, ErrUnsupported)
	}
	if slices.EqualFunc(s.in.projects(), projects, Project.equal) {
		return nil
	}
	var added []protocol.WorkspaceFolder
	for _, p := range projects {
		u, err := URIOf(p.Dir)
		if err != nil {
			return fmt.Errorf("setting the projects of %s: %w", s.kind, err)
		}
		added = append(added, protocol.WorkspaceFolder{URI: string(u), Name: filepath.Base(p.Dir)})
	}
	if err := s.closeAll(ctx); err != nil {
		return err
	}
	// A listing that is in progress would be taken for one of the new folders'.
	s.in.listing.wait(ctx)
	removed := s.in.setProjects(projects, added)
	s.in.listing.begin(firstListing, foldersOf(projects)...)
	err := s.client.notify(ctx, protocol.MethodWorkspaceDidChangeWorkspaceFolders,
		&protocol.DidChangeWorkspaceFoldersParams{
			Event: protocol.WorkspaceFoldersChangeEvent{Added: added, Removed: removed}})
	if err != nil {
		return fmt.Errorf("setting the projects of %s: %w", s.kind, err)
	}
	return nil
}

// closeAll closes every open document.
func (s *Server) closeAll(ctx context.Context) error {
	s.docs.mu.Lock()
	open := slices.Sorted(maps.Keys(s.docs.open))
	s.docs.mu.Unlock()
	var errs []error
	for _, path := range open {
		errs = append(errs, s.Close(ctx, path))
	}
	return errors.Join(errs...)
}

// foldersOf returns the folders of projects.
func foldersOf(projects []Project) []string {
	var dirs []string
	for _, p := range projects {
		dirs = append(dirs, p.Dir)
	}
	return dirs
}

// listedAgain returns the folders of the projects that list their files again
// when one of these comes or goes.
func listedAgain(projects []Project, paths []string) []string {
	return foldersOf(slices.DeleteFunc(slices.Clone(projects), func(p Project) bool {
		return !slices.ContainsFunc(paths, p.has)
	}))
}
