package refs_test

import (
	"errors"
	"fmt"
	"path/filepath"
	"strings"
	"testing"

	"codeintel/refs"
)

// placesFiles are small programs in which every relation occurs once.
var placesFiles = map[string]map[string]string{
	"go": {
		"go.mod": "module example.com/m\n\ngo 1.26\n",
		"a.go": `package m

type Shape interface{ Area() int }

type Square struct{ side int }

func (s Square) Area() int { return s.side * s.side }

func Sum(shapes []Shape) int {
	n := 0
	for _, s := range shapes {
		n += s.Area()
	}
	return n
}
`,
		"b.go": `package m

func Twice() int { return Sum(nil) + Sum(nil) }
`,
	},
	"ts": {
		"tsconfig.json": `{"compilerOptions": {"target": "es2022", "module": "esnext", "moduleResolution": "bundler"}}`,
		"a.ts": `export interface Shape { area(): number }

export class Square implements Shape {
  constructor(private side: number) {}
  area(): number { return this.side ** 2; }
}

export function sum(shapes: Shape[]): number {
  let n = 0;
  for (const s of shapes) n += s.area();
  return n;
}
`,
		"b.ts": `import { sum } from "./a";

export const twice = () => sum([]) + sum([]);
`,
	},
	"py": {
		"a.py": `def total(xs):
    return plus(xs)


def plus(xs):
    return sum(xs)
`,
		"b.py": `from a import total


def twice():
    return total([]) + total([])
`,
	},
}

func TestPlaces(t *testing.T) {
	tests := []struct {
		lang, kind, symbol, path string
		want                     []string
	}{
		{"go", "definition", "Sum", "b.go", []string{"a.go:9:6"}},
		{"go", "implementations", "Shape.Area", "a.go", []string{"a.go:7:17"}},
		{"go", "callers", "Sum", "a.go", []string{"b.go:3:6 Twice x2"}},
		{"go", "callees", "Twice", "b.go", []string{"a.go:9:6 Sum x2"}},
		{"ts", "definition", "sum", "b.ts", []string{"a.ts:8:17"}},
		{"ts", "implementations", "Shape.area", "a.ts", []string{"a.ts:5:3"}},
		{"ts", "callers", "sum", "a.ts", []string{"b.ts:3:14 twice x2"}},
		{"ts", "callees", "twice", "b.ts", []string{"a.ts:8:17 sum x2"}},
		{"py", "definition", "total", "b.py", []string{"a.py:1:5"}},
		{"py", "callers", "total", "a.py", []string{"b.py:4:5 twice x2"}},
		{"py", "callees", "total", "a.py", []string{"a.py:5:5 plus x1"}},
	}
	for _, tt := range tests {
		t.Run(tt.lang+" "+tt.kind, func(t *testing.T) {
			root := tempRoot(t)
			for name, text := range placesFiles[tt.lang] {
				writeFile(t, filepath.Join(root, name), text)
			}
			ws, f := engine(t, root, refs.Options{})
			s := ws.Snapshot()
			defer s.Release()
			ask := map[string]func() (*refs.Places, error){
				"definition": func() (*refs.Places, error) {
					return f.Definition(t.Context(), s, refs.Query{Symbol: tt.symbol, Path: tt.path, Tier: refs.Exact})
				},
				"implementations": func() (*refs.Places, error) {
					return f.Implementations(t.Context(), s, refs.Query{Symbol: tt.symbol, Path: tt.path, Tier: refs.Exact})
				},
				"callers": func() (*refs.Places, error) {
					return f.Callers(t.Context(), s, refs.Query{Symbol: tt.symbol, Path: tt.path, Tier: refs.Exact})
				},
				"callees": func() (*refs.Places, error) {
					return f.Callees(t.Context(), s, refs.Query{Symbol: tt.symbol, Path: tt.path, Tier: refs.Exact})
				},
			}[tt.kind]
			p, err := ask()
			if err != nil {
				t.Fatal(err)
			}
			if got := strings.Join(shown(p), "\n"); got != strings.Join(tt.want, "\n") {
				t.Errorf("got\n%s\nwant\n%s", got, strings.Join(tt.want, "\n"))
			}
		})
	}
}

func shown(p *refs.Places) []string {
	var out []string
	for _, l := range p.Locations {
		out = append(out, fmt.Sprintf("%s:%d:%d", l.Path, l.Line, l.Column))
	}
	for _, c := range p.Calls {
		out = append(out, fmt.Sprintf("%s:%d:%d %s x%d", c.Path, c.Line, c.Column, c.Name, len(c.Sites)))
	}
	return out
}

// TestPlacesWithoutServer answers what syntax can answer and refuses the rest.
func TestPlacesWithoutServer(t *testing.T) {
	root := tempRoot(t)
	for name, text := range placesFiles["go"] {
		writeFile(t, filepath.Join(root, name), text)
	}
	ws, f := engine(t, root, refs.Options{})
	s := ws.Snapshot()
	defer s.Release()
	q := refs.Query{Symbol: "Sum", Path: "b.go", Tier: refs.Syntactic}
	p, err := f.Definition(t.Context(), s, q)
	if err != nil || p.Precision != refs.Syntactic || strings.Join(shown(p), " ") != "a.go:9:6" {
		t.Errorf("definition: %+v, %v", p, err)
	}
	p, err = f.Callers(t.Context(), s, refs.Query{Symbol: "Sum", Path: "a.go", Tier: refs.Syntactic})
	if err != nil || p.Precision != refs.Syntactic || strings.Join(shown(p), " ") != "b.go:3:6 Twice x2" {
		t.Errorf("callers: %v, %v", shown(p), err)
	}
	var none *refs.NoServerError
	if _, err := f.Implementations(t.Context(), s, q); !errors.As(err, &none) {
		t.Errorf("implementations: %v, want a NoServerError", err)
	}
	if _, err := f.Callees(t.Context(), s, q); !errors.As(err, &none) {
		t.Errorf("callees: %v, want a NoServerError", err)
	}
}

// TestPlacesOfModules asks for callers in a workspace of two modules, of which the
// hierarchy covers one.
func TestPlacesOfModules(t *testing.T) {
	root := tempRoot(t)
	for name, text := range placesFiles["go"] {
		writeFile(t, filepath.Join(root, name), text)
	}
	writeFile(t, filepath.Join(root, "sub/go.mod"), "module example.com/sub\n\ngo 1.26\n\nrequire example.com/m v0.0.0\n\nreplace example.com/m => ../\n")
	writeFile(t, filepath.Join(root, "sub/s.go"), "package sub\n\nimport \"example.com/m\"\n\nfunc Other() int { return m.Sum(nil) }\n")
	ws, f := engine(t, root, refs.Options{})
	s := ws.Snapshot()
	defer s.Release()
	p, err := f.Callers(t.Context(), s, refs.Query{Symbol: "Sum", Path: "a.go", Tier: refs.Exact})
	if err != nil {
		t.Fatal(err)
	}
	if got := strings.Join(shown(p), " "); !p.Coverage.Complete || got != "b.go:3:6 Twice x2 sub/s.go:5:6 Other x1" {
		t.Errorf("callers: complete %v, reason %q, %s", p.Coverage.Complete, p.Reason, got)
	}
	d, err := f.Definition(t.Context(), s, refs.Query{Symbol: "Sum", Path: "sub/s.go", Tier: refs.Exact})
	if err != nil || !d.Coverage.Complete || strings.Join(shown(d), " ") != "a.go:9:6" {
		t.Errorf("definition: %+v, %v", d, err)
	}
}
