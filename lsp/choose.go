package lsp

import (
	"encoding/json"
	"os"
	"path/filepath"
	"strings"

	"codeintel/lsp/tsconfig"
)

// Choose says which server judges the document at an absolute path below root
// with the given text, and why; ok is false when none does. For many documents
// use a [Chooser], which reads project files once.
func Choose(root, path string, text []byte) (kind Kind, reason string, ok bool) {
	return NewChooser(root).Choose(path, text)
}

// Chooser chooses servers for documents below one root. It remembers the project
// files that it has read, so it is for one question only. It is not safe for
// concurrent use.
type Chooser struct {
	root     string
	configs  *tsconfig.Reader
	packages map[string]bool // whether the nearest package.json of a folder says "module"
}

// NewChooser returns a Chooser for an absolute root.
func NewChooser(root string) *Chooser {
	root = filepath.Clean(root)
	return &Chooser{root: root, configs: tsconfig.NewReader(root), packages: map[string]bool{}}
}

// Choose says which server judges a document, as [Choose] does.
func (c *Chooser) Choose(path string, text []byte) (kind Kind, reason string, ok bool) {
	path = filepath.Clean(path)
	switch ext := strings.ToLower(filepath.Ext(path)); ext {
	case ".go":
		return Gopls, "Go", true
	case ".py", ".pyi":
		return Pyright, "Python", true
	case ".ts", ".tsx", ".mts", ".cts", ".mjs":
		kind, reason = c.project(path)
		return kind, reason, true
	case ".cjs":
		return TSServer, "TypeScript 7 misses uses of CommonJS exports", true
	case ".js", ".jsx":
		if !c.module(filepath.Dir(path)) && !modular(text) {
			return TSServer, "TypeScript 7 misses uses of CommonJS exports", true
		}
		kind, reason = c.project(path)
		return kind, reason, true
	}
	return "", "no language server for this kind of file", false
}

// project chooses by the configuration that governs path.
func (c *Chooser) project(path string) (Kind, string) {
	for _, config := range c.configs.For(path) {
		if options := config.Removed(); len(options) > 0 {
			name, err := filepath.Rel(c.root, config.Path)
			if err != nil {
				name = config.Path
			}
			return TSServer, filepath.ToSlash(name) + " uses " + strings.Join(options, ", ") + ", removed in TypeScript 7"
		}
	}
	return TypeScript, "TypeScript 7 judges this project"
}

// module reports whether the nearest package.json at or above dir, not above
// the root, has "type": "module".
func (c *Chooser) module(dir string) bool {
	if known, ok := c.packages[dir]; ok {
		return known
	}
	var manifest struct{ Type string }
	text, err := os.ReadFile(filepath.Join(dir, "package.json"))
	is := false
	switch {
	case err == nil:
		is = json.Unmarshal(text, &manifest) == nil && manifest.Type == "module"
	case dir != c.root && dir != filepath.Dir(dir):
		is = c.module(filepath.Dir(dir))
	}
	c.packages[dir] = is
	return is
}
