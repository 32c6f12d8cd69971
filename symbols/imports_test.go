package symbols_test

import (
	"fmt"
	"strings"
	"testing"

	"codeintel/symbols"
)

// An import is written as its module, then its names as name or name=alias, then
// "all" for a wildcard and "export".
func importText(text string, im symbols.Import) string {
	words := []string{im.Module}
	for _, n := range im.Names {
		if n.Alias != "" {
			words = append(words, n.Name+"="+n.Alias)
		} else {
			words = append(words, n.Name)
		}
		if r := text[n.Range.Start:n.Range.End]; !strings.Contains(r, n.Alias) || n.Alias == "" && !strings.Contains(r, n.Name) {
			words = append(words, fmt.Sprintf("at %q", r))
		}
	}
	if im.Wildcard {
		words = append(words, "all")
	}
	if im.Export {
		words = append(words, "export")
	}
	if m := strings.Trim(text[im.ModuleRange.Start:im.ModuleRange.End], "`'\""); m != im.Module {
		words = append(words, fmt.Sprintf("module at %q", m))
	}
	return strings.Join(words, " ")
}

func TestImports(t *testing.T) {
	for _, c := range []struct {
		path, text string
		want       []string
	}{
		{"a.go", "package p\nimport \"fmt\"", []string{"fmt"}},
		{"a.go", "package p\nimport (\n\tx \"net/http\"\n\t_ \"embed\"\n\t. \"math\"\n\t`raw`\n)\nimport \"C\"", []string{"net/http *=x", "embed", "math all", "raw", "C"}},
		{"a.ts", "import 'side'", []string{"side"}},
		{"a.ts", "import d, { a as b, type C, default as e, 'q r' as s } from \"m\"", []string{"m default=d a=b C default=e q r=s"}},
		{"a.ts", "import * as ns from 'm' with { type: 'json' }", []string{"m *=ns"}},
		{"a.ts", "import type { T } from './t.js'", []string{"./t.js T"}},
		{"a.ts", "import x = require('m')", []string{"m *=x"}},
		{"a.ts", "export { a, b as c } from 'm'", []string{"m a b=c export"}},
		{"a.ts", "export * from 'm'\nexport * as ns from 'n'\nexport type { T } from 'o'", []string{"m all export", "n *=ns export", "o T export"}},
		{"a.ts", "export type * from 'm'", []string{"m all export"}},
		{"a.ts", "const m = await import('m')\nconst { a, b: c } = await import('n')\nimport('o').then(f)", []string{"m *=m", "n a b=c", "o"}},
		{"a.ts", "const m = import('m')\nconst n = (await import('n')).default", []string{"m", "n default=n"}},
		{"a.ts", "type T = import('m').U\ntype V = typeof import('n')", []string{"m", "n"}},
		{"a.js", "const a = require('m')\nconst { b, c: d, e = 1 } = require('n')\nvar f = require('o').g\nrequire('p')", []string{"m *=a", "n b c=d e", "o g=f", "p"}},
		{"a.js", "function f() { const a = require('m'); return a(require('n')) }", []string{"m *=a", "n"}},
		{"a.js", "require(name); other('x'); import(name); require(`a${b}`)", nil},
		{"a.py", "import a\nimport b.c, d as e, f.g as h", []string{"a *=a", "b.c *=b", "d *=e", "f.g *=h"}},
		{"a.py", "from a import b, c as d\nfrom e.f import (g,\n  h)\nfrom i import *", []string{"a b c=d", "e.f g h", "i all"}},
		{"a.py", "from . import a\nfrom .. import b\nfrom .c.d import e", []string{". a", ".. b", ".c.d e"}},
		{"a.py", "from __future__ import annotations", []string{"__future__ annotations"}},
		{"a.py", "def f():\n  import a\ntry:\n  import b\nexcept ImportError: pass", []string{"a *=a", "b *=b"}},
		{"a.rs", "use a::b::C;\nuse d;\nuse e as f;\npub use crate::g::*;", []string{"a::b C", "d *=d", "e *=f", "crate::g all export"}},
		{"a.rs", "use a::{B, c::{self, D as E}, f::*, g::H};", []string{"a::c *=c at \"self\" D=E module at \"c\"", "a::f all module at \"f\"", "a::g H module at \"g\"", "a B"}},
		{"a.rs", "extern crate a as b;\nextern crate c;", []string{"a *=b", "c *=c"}},
		{"a.c", "#include <a/b.h>\n#  include \"c.h\" // why\n", []string{"a/b.h all module at \"<a/b.h>\"", "c.h all"}},
		{"a.cpp", "#include <vector>\nusing namespace std;", []string{"vector all module at \"<vector>\""}},
		{"A.java", "import a.b.C;\nimport d.*;\nimport static e.F.g;\nimport static h.I.*;", []string{"a.b C", "d all", "e.F g", "h.I all"}},
		{"a.cs", "using System;\nusing static System.Math;\nusing A = B.C<int>;\nglobal using D.E;", []string{"System all", "System.Math all", "B.C<int> *=A", "D.E all"}},
		{"a.kt", "import a.b.C\nimport d.E as F\nimport g.*\nimport h\n", []string{"a.b C", "d E=F", "g all", "h *=h"}},
		{"a.scala", "import a.b.C\nimport d.{E, F => G, H as I, _}, j.*\nexport k.l", []string{"a.b C", "d E F=G H=I all", "j all", "k l export"}},
	} {
		var got []string
		for _, im := range extract(t, c.path, c.text).Imports() {
			got = append(got, importText(c.text, im))
		}
		if g, w := strings.Join(got, "\n"), strings.Join(c.want, "\n"); g != w {
			t.Errorf("%s:\n%s\nwant\n%s", c.text, g, w)
		}
	}
}

// Names that an import binds are no definitions: asking for one leads to where it
// comes from.
func TestImportsDefineNothing(t *testing.T) {
	for path, text := range map[string]string{
		"a.go": "package p\nimport x \"y\"",
		"a.ts": "import x, { y } from 'm'\nimport z = require('z')",
		"a.js": "const x = require('m'), { y } = require('n')\nvar z = require('o').z",
		"a.py": "import x\nfrom m import y as z",
	} {
		if s := extract(t, path, text).Symbols(); len(s) != 0 {
			t.Errorf("%s defines %v", text, s)
		}
	}
}

func TestImportRange(t *testing.T) {
	for _, c := range []struct{ path, text, want string }{
		{"a.ts", "a();\nimport { b } from 'm';\nc();", "import { b } from 'm';"},
		{"a.js", "a();\nconst b = require('m');\nc();", "const b = require('m');"},
		{"a.js", "a(require('m'));", "require('m')"},
		{"a.go", "package p\nimport (\n\tx \"y\"\n)", "x \"y\""},
		{"a.py", "a()\nfrom b import c\nd()", "from b import c"},
	} {
		im := extract(t, c.path, c.text).Imports()
		if len(im) != 1 || c.text[im[0].Range.Start:im[0].Range.End] != c.want {
			t.Errorf("%q: %+v, want %q", c.text, im, c.want)
		}
	}
}
