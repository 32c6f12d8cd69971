package tsconfig

import (
	"os"
	"path/filepath"
	"slices"
	"sort"
	"strings"
)

// Reader finds configurations of files below one root. It remembers what it has
// read, so it is for one question only. It is not safe for concurrent use.
type Reader struct {
	root    string
	configs map[string]*Config // by path; nil for an unreadable one
	nearest map[string]string  // configuration of a folder or above, by folder
}

// NewReader returns a Reader for files below root, an absolute path.
func NewReader(root string) *Reader {
	return &Reader{root: filepath.Clean(root), configs: map[string]*Config{}, nearest: map[string]string{}}
}

// For returns the configurations that may govern the file at an absolute path
// below the root. It is the one that names the file: the nearest tsconfig.json
// (else jsconfig.json) at or above it, a configuration that this references, or
// one further up. If none names the file, it is all that the nearest leads to:
// the file may belong to one of them by being imported. It is empty without any
// configuration.
func (r *Reader) For(file string) []*Config {
	file = filepath.Clean(file)
	var fallback []*Config
	for path := r.at(filepath.Dir(file)); path != ""; path = r.at(filepath.Dir(filepath.Dir(path))) {
		family := r.family(path, nil)
		for _, c := range family {
			if c.includes(file) {
				return []*Config{c}
			}
		}
		if fallback == nil {
			fallback = family
		}
		if filepath.Dir(path) == r.root {
			break
		}
	}
	return fallback
}

// at returns the configuration file of the nearest folder at or above dir that
// has one, not above the root, "" for none.
func (r *Reader) at(dir string) string {
	if !within(r.root, dir) {
		return ""
	}
	if path, known := r.nearest[dir]; known {
		return path
	}
	path := ""
	for _, name := range []string{"tsconfig.json", "jsconfig.json"} {
		if p := filepath.Join(dir, name); isFile(p) {
			path = p
			break
		}
	}
	if path == "" && dir != r.root {
		path = r.at(filepath.Dir(dir))
	}
	r.nearest[dir] = path
	return path
}

// family is the configuration at path and all that it references, each once.
func (r *Reader) family(path string, seen []*Config) []*Config {
	c := r.config(path)
	if c == nil || slices.Contains(seen, c) {
		return seen
	}
	seen = append(seen, c)
	for _, ref := range c.References {
		if isDir(ref) {
			ref = filepath.Join(ref, "tsconfig.json")
		}
		seen = r.family(ref, seen)
	}
	return seen
}

// config returns the configuration at path, nil if it cannot be read.
func (r *Reader) config(path string) *Config {
	c, known := r.configs[path]
	if !known {
		c, _ = load(path, nil) // an unreadable one sets nothing, as for the servers
		r.configs[path] = c
	}
	return c
}

// Projects returns the TypeScript configuration files (tsconfig*.json and
// jsconfig*.json) in the folder of the file at an absolute path and in each
// folder above it, not above root, nearest folder first, sorted within it.
func Projects(root, path string) []string {
	return above(root, path, func(name string) bool {
		return strings.HasSuffix(name, ".json") && (strings.HasPrefix(name, "tsconfig") || strings.HasPrefix(name, "jsconfig"))
	})
}

// Modules returns the go.mod files in the folder of the file at an absolute path
// and in each folder above it, not above root, nearest first.
func Modules(root, path string) []string {
	return above(root, path, func(name string) bool { return name == "go.mod" })
}

func above(root, path string, want func(name string) bool) []string {
	root = filepath.Clean(root)
	var out []string
	for dir := filepath.Dir(filepath.Clean(path)); within(root, dir); dir = filepath.Dir(dir) {
		entries, _ := os.ReadDir(dir)
		var here []string
		for _, e := range entries {
			if p := filepath.Join(dir, e.Name()); want(e.Name()) && isFile(p) {
				here = append(here, p)
			}
		}
		sort.Strings(here)
		out = append(out, here...)
		if dir == filepath.Dir(dir) {
			break
		}
	}
	return out
}

// within reports whether path is dir or below it, by name.
func within(dir, path string) bool {
	rel, err := filepath.Rel(dir, path)
	return err == nil && rel != ".." && !strings.HasPrefix(rel, ".."+string(filepath.Separator))
}

func isFile(path string) bool {
	info, err := os.Stat(path)
	return err == nil && info.Mode().IsRegular()
}
