package index

import (
	"errors"
	"fmt"
)

// Reasons why a path has no document. They come wrapped with the path; test for
// them with [errors.Is].
var (
	ErrNotFound    = errors.New("does not exist")
	ErrIsDirectory = errors.New("is a directory; name a file in it")
	ErrNotRegular  = errors.New("is neither a file nor a directory")
	ErrTooLarge    = errors.New("is too large to be read as source text (limit 20,480,000 bytes)")
	ErrBinary      = errors.New("is binary")
	ErrBlocked     = errors.New("access is blocked")        // every [AccessError]
	ErrOutside     = errors.New("is outside the workspace") // every [OutsideError]
)

// AccessError is returned for a path that an access control file blocks.
type AccessError struct {
	Path string // as [Snapshot.Resolve] or [Snapshot.Document] was given it
	By   string // the name of the file that blocks it: ".rooignore" or ".clineignore"
}

func (e *AccessError) Error() string {
	return fmt.Sprintf("%s: access is blocked by %s in the workspace root", e.Path, e.By)
}

// Is reports whether target is [ErrBlocked].
func (e *AccessError) Is(target error) bool { return target == ErrBlocked }

// OutsideError is returned for a root-relative path that leaves the workspace,
// by ".." or through a symbolic link.
type OutsideError struct {
	Path string // as it was given
	Real string // the absolute path it leads to
	Root string // the workspace root
}

func (e *OutsideError) Error() string {
	return fmt.Sprintf("%s: is outside the workspace %s (it leads to %s)", e.Path, e.Root, e.Real)
}

// Is reports whether target is [ErrOutside].
func (e *OutsideError) Is(target error) bool { return target == ErrOutside }

// RootError is returned for a folder that cannot be a workspace root.
type RootError struct {
	Path string
	Why  string // completes "Path …"
}

func (e *RootError) Error() string {
	return fmt.Sprintf("%s %s; name the project's folder (--root) or work in it", e.Path, e.Why)
}
