package lsp

import (
	"path/filepath"
	"testing"
)

func TestChoose(t *testing.T) {
	root := t.TempDir()
	write(t, filepath.Join(root, "old", "tsconfig.json"), `{"compilerOptions": {"baseUrl": ".", "moduleResolution": "node"}}`)
	write(t, filepath.Join(root, "esm", "package.json"), `{"type": "module"}`)
	write(t, filepath.Join(root, "esm", "inner", "package.json"), `{"name": "x"}`)
	const both = "TypeScript 7 judges this project"
	const commonJS = "TypeScript 7 misses uses of CommonJS exports"
	const removed = "old/tsconfig.json uses baseUrl, moduleResolution=node, removed in TypeScript 7"
	for _, test := range []struct {
		path, text string
		kind       Kind
		reason     string
	}{
		{"a.go", "", Gopls, "Go"},
		{"a.py", "", Pyright, "Python"},
		{"a.pyi", "", Pyright, "Python"},
		{"a.ts", "", TypeScript, both},
		{"a.TSX", "", TypeScript, both},
		{"a.mts", "", TypeScript, both},
		{"a.cts", "", TypeScript, both},
		{"a.d.ts", "", TypeScript, both},
		{"a.mjs", "", TypeScript, both},
		{"a.cjs", "import a from 'a'", TSServer, commonJS},
		{"a.js", "", TSServer, commonJS},
		{"a.js", "import a from 'a'", TypeScript, both},
		{"a.jsx", "export const a = require('a')", TSServer, commonJS},
		{"esm/a.js", "const a = 1", TypeScript, both},
		{"esm/deep/a.js", "const a = 1", TypeScript, both},
		{"esm/inner/a.js", "const a = 1", TSServer, commonJS},
		{"old/a.ts", "", TSServer, removed},
		{"old/deep/a.tsx", "", TSServer, removed},
		{"old/a.js", "import a from 'a'", TSServer, removed},
		{"old/a.go", "", Gopls, "Go"},
		{"a.rs", "", "", "no language server for this kind of file"},
		{"Makefile", "", "", "no language server for this kind of file"},
	} {
		kind, reason, ok := Choose(root, filepath.Join(root, filepath.FromSlash(test.path)), []byte(test.text))
		if kind != test.kind || reason != test.reason || ok != (test.kind != "") {
			t.Errorf("%s: got %s, %q, %v", test.path, kind, reason, ok)
		}
	}
}
