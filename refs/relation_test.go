package refs_test

import (
	"context"
	"errors"
	"strings"
	"testing"

	"codeintel/index"
	"codeintel/refs"
	"codeintel/symbols"
)

const subModule = "module example.com/sub\n\ngo 1.26\n\nrequire example.com/m v0.0.0\n\nreplace example.com/m => ../\n"

// relationFiles are workspaces in which a relation leaves the declaring project.
var relationFiles = map[string]map[string]string{
	"go modules": {
		"go.mod":     "module example.com/m\n\ngo 1.26\n",
		"a/a.go":     "package a\n\ntype Shape interface{ Area() int }\n\ntype One struct{}\n\nfunc (One) Area() int { return 1 }\n",
		"sub/go.mod": subModule,
		"sub/s.go":   "package sub\n\nimport \"example.com/m/a\"\n\nvar _ a.Shape = Two{}\n\ntype Two struct{}\n\nfunc (Two) Area() int { return 2 }\n",
	},
	"go silent module": {
		"go.mod":     "module example.com/m\n\ngo 1.26\n",
		"a/a.go":     "package a\n\ntype Shape interface{ Area() int }\n\ntype One struct{}\n\nfunc (One) Area() int { return 1 }\n",
		"sub/go.mod": subModule,
		"sub/s.go":   "package sub\n\ntype Two struct{}\n\nfunc (Two) Area() int { return 2 }\n",
	},
	"ts projects": {
		"core/tsconfig.json": modern,
		"core/shape.ts":      "export interface Shape { area(): number }\nexport function draw(s: Shape) { return s.area(); }\nexport function twice(s: Shape) { return draw(s) + draw(s); }\n",
		"app/tsconfig.json":  modern,
		"app/square.ts":      "import { Shape, draw } from \"../core/shape\";\nexport class Square implements Shape { area() { return 1; } }\nexport const go = () => draw(new Square());\ndraw(new Square());\nexport const held = draw;\n",
	},
	"commonjs": {
		"package.json": "{}",
		"a.js":         "exports.run = function run() { return 1; };\nexports.walk = () => 2;\n",
		"b.js":         "const a = require('./a');\nfunction main(options) {\n  a.run();\n  a.walk();\n  options.go();\n  return () => a.run();\n}\nfunction plain() { return a.run(); }\nmodule.exports = { main, plain };\n",
	},
	"mixed": {
		"package.json": `{"type": "module"}`,
		"a.mjs":        "export function run() { return 1; }\n",
		"b.cjs":        "async function later() { const a = await import('./a.mjs'); return a.run(); }\nmodule.exports = { later };\n",
	},
}

func TestRelations(t *testing.T) {
	tests := []struct {
		workspace, kind, symbol, path string
		want                          string
		reason                        string // empty: complete
	}{
		{"go modules", "implementations", "Shape", "a/a.go", "a/a.go:5:6 sub/s.go:7:6", ""},
		{"go silent module", "implementations", "Shape", "a/a.go", "a/a.go:5:6", "1 other module was not asked"},
		{"ts projects", "implementations", "Shape", "core/shape.ts", "app/square.ts:2:14", ""},
		{"ts projects", "implementations", "Shape.area", "core/shape.ts", "app/square.ts:2:40", ""},
		{"ts projects", "callers", "draw", "core/shape.ts", "core/shape.ts:3:17 twice x2, app/square.ts:1:1 FILE x1, app/square.ts:3:14 go x1", ""},
		{"ts projects", "callees", "twice", "core/shape.ts", "core/shape.ts:2:17 draw x2", ""},
		{"commonjs", "callees", "main", "b.js", "a.js:1:9 run x2, a.js:2:9 walk x1", "1 call in it leads to no definition"},
		{"commonjs", "callees", "plain", "b.js", "a.js:1:9 run x1", ""},
		{"mixed", "callers", "run", "a.mjs", "b.cjs:1:16 later x1", ""},
	}
	for _, tt := range tests {
		t.Run(tt.workspace+" "+tt.kind+" "+tt.symbol, func(t *testing.T) {
			root := lay(t, relationFiles[tt.workspace])
			ws, f := engine(t, root, refs.Options{})
			s := ws.Snapshot()
			defer s.Release()
			ask := map[string]func(context.Context, *index.Snapshot, refs.Query) (*refs.Places, error){
				"implementations": f.Implementations, "callers": f.Callers, "callees": f.Callees,
			}[tt.kind]
			p, err := ask(t.Context(), s, refs.Query{Symbol: tt.symbol, Path: tt.path, Tier: refs.Exact})
			if err != nil {
				t.Fatal(err)
			}
			separator := " "
			if tt.kind != "implementations" {
				separator = ", "
			}
			got := strings.ReplaceAll(strings.Join(shown(p), separator), root+"/app/square.ts", "FILE")
			if got != tt.want || p.Coverage.Complete != (tt.reason == "") || !strings.Contains(p.Reason, tt.reason) {
				t.Errorf("got  %s (complete %v: %q)\nwant %s (%q)", got, p.Coverage.Complete, p.Reason, tt.want, tt.reason)
			}
		})
	}
}

// TestUnsupported asks pyright a question that it does not know.
func TestUnsupported(t *testing.T) {
	root := lay(t, placesFiles["py"])
	ws, f := engine(t, root, refs.Options{})
	s := ws.Snapshot()
	defer s.Release()
	for _, tier := range []refs.Precision{"", refs.Exact} {
		_, err := f.Implementations(t.Context(), s, refs.Query{Symbol: "total", Path: "a.py", Tier: tier})
		var none *refs.NoServerError
		if !errors.As(err, &none) || none.Language != symbols.Python || strings.Contains(err.Error(), "Unhandled") {
			t.Errorf("tier %q: %v, want that pyright does not answer this question", tier, err)
		}
	}
}
