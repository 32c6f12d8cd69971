package install

import (
	"os"
	"path/filepath"
	"slices"
	"strings"
)

// getenv returns the last value of a variable, as the system's own rule is.
func getenv(env []string, name string) string {
	for _, entry := range slices.Backward(env) {
		if value, ok := strings.CutPrefix(entry, name+"="); ok {
			return value
		}
	}
	return ""
}

// setenv returns env with name set to value; an empty value removes it.
func setenv(env []string, name, value string) []string {
	out := make([]string, 0, len(env)+1)
	for _, entry := range env {
		if !strings.HasPrefix(entry, name+"=") {
			out = append(out, entry)
		}
	}
	if value != "" {
		out = append(out, name+"="+value)
	}
	return out
}

// Environ returns the environment for servers: that of the finder, with a PATH
// that has none of the folders that [Finder.Find] refuses. Servers run go, node
// and python from it.
func (f *Finder) Environ() []string {
	return setenv(f.Env, "PATH", strings.Join(f.path(), string(os.PathListSeparator)))
}

// path returns the folders of PATH that may be used, in order. Relative ones
// (and the empty one, the current folder) depend on where one stands, so they
// are never used.
func (f *Finder) path() []string {
	var out []string
	for _, dir := range filepath.SplitList(getenv(f.Env, "PATH")) {
		if filepath.IsAbs(dir) && (f.Trusted || !f.inside(dir)) {
			out = append(out, dir)
		}
	}
	return out
}

// inside reports whether path, or what it leads to by symbolic links, is in the
// workspace.
func (f *Finder) inside(path string) bool {
	if f.Root == "" {
		return false
	}
	return within(f.Root, path) || within(real(f.Root), real(path))
}

// within reports whether path is dir or below it, by name.
func within(dir, path string) bool {
	rel, err := filepath.Rel(dir, path)
	return err == nil && rel != ".." && !strings.HasPrefix(rel, ".."+string(filepath.Separator))
}

// real follows symbolic links; what does not exist stays as it is.
func real(path string) string {
	if r, err := filepath.EvalSymlinks(path); err == nil {
		return r
	}
	return filepath.Clean(path)
}

// programs returns the executable files called name in the folders of PATH, in
// order, and a reason for each that is not to be run.
func (f *Finder) programs(name string) (found, skipped []string) {
	for _, dir := range filepath.SplitList(getenv(f.Env, "PATH")) {
		path := filepath.Join(dir, name)
		if !executable(path) || slices.Contains(found, path) {
			continue
		}
		switch {
		case !filepath.IsAbs(dir):
			skipped = append(skipped, path+": its folder in PATH is relative")
		case !f.Trusted && f.inside(path):
			skipped = append(skipped, path+": it is inside the workspace, which is not trusted")
		default:
			found = append(found, path)
		}
	}
	return found, skipped
}

// program returns the first usable program called name, "" for none.
func (f *Finder) program(name string) string {
	found, _ := f.programs(name)
	if len(found) == 0 {
		return ""
	}
	return found[0]
}

func executable(path string) bool {
	info, err := os.Stat(path)
	return err == nil && info.Mode().IsRegular() && info.Mode()&0o111 != 0
}
