package lsp

import (
	"path/filepath"
	"strings"
)

// Choose says which server judges the document at an absolute path below root
// with the given text, and why; ok is false when none does.
func Choose(root, path string, text []byte) (kind Kind, reason string, ok bool) {
	switch ext := strings.ToLower(filepath.Ext(path)); ext {
	case ".go":
		return Gopls, "Go", true
	case ".py", ".pyi":
		return Pyright, "Python", true
	case ".ts", ".tsx", ".mts", ".cts", ".mjs", ".js", ".jsx":
		return TypeScript, "TypeScript", true
	case ".cjs":
		return TSServer, "CommonJS JavaScript", true
	}
	return "", "no language server for this kind of file", false
}
