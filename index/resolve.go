package index

import (
	"fmt"
	"path/filepath"
	"strings"
)

// Resolve returns the path for a file or folder that a user or a model has named:
// root-relative with forward slashes ("." for the root) when it is inside the
// workspace, else absolute, which tells the caller to ask before reading it. input
// is absolute or relative to cwd; it may go through a symbolic link to the root,
// and need not exist.
//
// Inside and outside are decided on real paths: a link inside the root that leads
// out is outside, and the absolute path returned is the real one. Inside, the name
// under which [Snapshot.Files] has the file is preferred. The error is an
// [*AccessError] for a blocked path.
func (s *Snapshot) Resolve(cwd, input string) (string, error) {
	if input == "" || strings.ContainsRune(input, 0) {
		return "", fmt.Errorf("%q is not a path", input)
	}
	full := input
	if !filepath.IsAbs(full) {
		full = filepath.Join(cwd, full)
	}
	full = filepath.Clean(full)
	real, err := realPath(full)
	if err != nil {
		return "", fmt.Errorf("%s %w", input, pathReason(err))
	}
	key := s.ws.key(full)
	if by, blocked := s.blocked(key, real); blocked {
		return "", &AccessError{Path: input, By: by}
	}
	rel, inside := below(s.ws.root, real)
	switch {
	case !inside:
		return real, nil
	case filepath.IsAbs(key), !s.listing.lists(key) && s.listing.lists(rel):
		return rel, nil
	}
	return key, nil
}

// Listed returns the name under which [Snapshot.Files] has the file at a path, and
// the path itself if it has none: a symbolic link, or a path through one, gives
// the real name.
func (s *Snapshot) Listed(p string) string {
	key := s.ws.key(p)
	if filepath.IsAbs(key) || s.shown.lists(key) {
		return p
	}
	real, err := realPath(abs(s.ws.root, key))
	if err != nil {
		return p
	}
	if rel, inside := below(s.ws.root, real); inside && s.shown.lists(rel) {
		return rel
	}
	return p
}
