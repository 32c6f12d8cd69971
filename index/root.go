package index

import (
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"strings"
)

// Unmarked is what [FindRoot] gives as the reason for a folder that is the root for
// want of a better one.
const Unmarked = "no project marker above it"

// FindRoot returns the root of the workspace that a file or folder belongs to, as
// a real path, and why it was chosen, as a phrase to show ("nearest .git"). It is
// the nearest ancestor with .git (a folder, or the file of a worktree or
// submodule), else the nearest with go.work, else the outermost with go.mod,
// package.json or tsconfig.json, else the folder itself. The file system's root,
// the home folder and what contains it are never chosen; when nothing else is
// left the error is a [*RootError]. start may be relative to the current folder,
// and need not exist.
func FindRoot(start string) (root, why string, err error) {
	dir, err := startFolder(start)
	if err != nil {
		return "", "", fmt.Errorf("finding the workspace of %s: %w", start, err)
	}
	usable := ancestors(dir)
	for _, marker := range []string{".git", "go.work"} {
		for _, d := range usable {
			if exists(filepath.Join(d, marker)) {
				return d, "nearest " + marker, nil
			}
		}
	}
	for i := len(usable) - 1; i >= 0; i-- {
		for _, marker := range []string{"go.mod", "package.json", "tsconfig.json"} {
			if exists(filepath.Join(usable[i], marker)) {
				return usable[i], "outermost " + marker, nil
			}
		}
	}
	if err := checkRoot(dir); err != nil {
		return "", "", err
	}
	return dir, Unmarked, nil
}

// startFolder returns the real path of start, or of the folder it is in. The
// folder that a file's name is in counts, not the one a link leads to.
func startFolder(start string) (string, error) {
	abs, err := filepath.Abs(start)
	if err != nil {
		return "", err
	}
	for {
		info, err := os.Lstat(abs)
		if err == nil && info.Mode()&fs.ModeSymlink != 0 {
			info, err = os.Stat(abs)
		}
		if err == nil && info.IsDir() {
			return filepath.EvalSymlinks(abs)
		}
		if abs == filepath.Dir(abs) {
			return "", err
		}
		abs = filepath.Dir(abs)
	}
}

// ancestors returns dir and what is above it, nearest first, without the folders
// that cannot be a root.
func ancestors(dir string) []string {
	var out []string
	for checkRoot(dir) == nil {
		out = append(out, dir)
		dir = filepath.Dir(dir)
	}
	return out
}

// checkRoot refuses folders that hold everything: a search there would read a
// whole disk, and a server would load it.
func checkRoot(dir string) error {
	if dir == filepath.Dir(dir) {
		return &RootError{dir, "is the root of the file system"}
	}
	home, err := os.UserHomeDir()
	if err != nil || home == "" {
		return nil
	}
	if real, err := filepath.EvalSymlinks(home); err == nil {
		home = real
	}
	switch {
	case home == filepath.Dir(home): // HOME=/ says nothing about folders
		return nil
	case dir == home:
		return &RootError{dir, "is the home folder"}
	case within(dir, home):
		return &RootError{dir, "contains the home folder"}
	}
	return nil
}

func exists(path string) bool {
	_, err := os.Lstat(path)
	return err == nil
}

// within reports whether path is dir or below it. Both are clean and absolute.
func within(dir, path string) bool {
	_, ok := below(dir, path)
	return ok
}

// below returns the slash path of path relative to dir, "." for dir itself, when
// path is dir or below it. Both are clean and absolute.
func below(dir, path string) (string, bool) {
	if path == dir {
		return ".", true
	}
	if !strings.HasSuffix(dir, string(filepath.Separator)) {
		dir += string(filepath.Separator)
	}
	rest, ok := strings.CutPrefix(path, dir)
	return filepath.ToSlash(rest), ok
}

// realPath follows the symbolic links of a clean absolute path as far as it
// exists; what does not exist is appended as it is.
func realPath(abs string) (string, error) {
	real, err := filepath.EvalSymlinks(abs)
	if err == nil {
		return real, nil
	}
	parent := filepath.Dir(abs)
	if !errors.Is(err, fs.ErrNotExist) || parent == abs {
		return "", err
	}
	// A dangling link leads to where its target would be.
	if target, err := os.Readlink(abs); err == nil {
		if !filepath.IsAbs(target) {
			target = filepath.Join(parent, target)
		}
		return realPath(filepath.Clean(target))
	}
	real, err = realPath(parent)
	if err != nil {
		return "", err
	}
	return filepath.Join(real, filepath.Base(abs)), nil
}
