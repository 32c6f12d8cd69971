package refs_test

import (
	"errors"
	"fmt"
	"path/filepath"
	"strings"
	"testing"

	"codeintel/index"
	"codeintel/refs"
	"codeintel/symbols"
)

// resolveFiles are asked about without a server: which places a question means
// shows in the declarations and the errors.
var resolveFiles = map[string]string{
	"a.go": `package shop

import (
	"fmt"

	"example.com/other/fmt2"
)

type Cart struct{ total int }

func (c *Cart) Total() int { return c.total }

type Order struct{}

func (o Order) Total() int { return 0 }

func Only() { fmt.Println("Only", fmt2.Sprint(Only)) }
`,
	"b.ts": `export function over(a: string): void;
export function over(a: number): void;
export function over(a: any) { return a; }
export class A { same() {} }
export class B { same() {} }
import { thing } from "./c";
thing(thing);
`,
	"notes.txt": "the word and the Word\n",
}

func TestResolve(t *testing.T) {
	root := tempRoot(t)
	for name, text := range resolveFiles {
		writeFile(t, filepath.Join(root, name), text)
	}
	tests := []struct {
		name  string
		query refs.Query
		want  string // "line:column" of the declarations, or the start of the error
	}{
		{"qualified", refs.Query{Path: "a.go", Symbol: "Cart.Total"}, "11:16"},
		{"package qualifier", refs.Query{Path: "a.go", Symbol: "shop.Only"}, "17:6"},
		{"two containers", refs.Query{Path: "a.go", Symbol: "Total"}, "'Total' is ambiguous in a.go:\n  a.go:11:16 method Cart.Total\n  a.go:15:16 method Order.Total"},
		{"on a line", refs.Query{Path: "a.go", Symbol: "Total", Point: symbols.Point{Line: 15}}, "15:16"},
		{"nearest on the line", refs.Query{Path: "a.go", Symbol: "Only", Point: symbols.Point{Line: 17, Column: 40}}, "17:6"},
		{"at a position", refs.Query{Path: "a.go", Point: symbols.Point{Line: 17, Column: 7}}, "17:6"},
		{"not on that line", refs.Query{Path: "a.go", Symbol: "Total", Point: symbols.Point{Line: 3}}, "Symbol 'Total' not found in a.go on line 3; it occurs on lines 11, 15"},
		{"no identifier there", refs.Query{Path: "a.go", Point: symbols.Point{Line: 2, Column: 1}}, "a.go:2:1 is not on an identifier"},
		{"past the end", refs.Query{Path: "a.go", Point: symbols.Point{Line: 99, Column: 1}}, "a.go has 18 lines; line 99 is past its end"},
		{"unknown", refs.Query{Path: "a.go", Symbol: "Totl"}, "Symbol 'Totl' not found in a.go; nearest names: total, Total"},
		{"unknown qualifier", refs.Query{Path: "a.go", Symbol: "Nope.Total"}, "Symbol 'Nope.Total' not found in a.go; it occurs on lines 11, 15"},
		{"case counts", refs.Query{Path: "a.go", Symbol: "only"}, "Symbol 'only' not found in a.go"},
		{"in a string only", refs.Query{Path: "b.ts", Symbol: "c"}, "Symbol 'c' not found in b.ts"},
		{"overloads are one", refs.Query{Path: "b.ts", Symbol: "over"}, "1:17 2:17 3:17"},
		{"members of two classes", refs.Query{Path: "b.ts", Symbol: "same"}, "'same' is ambiguous in b.ts:"},
		{"an import", refs.Query{Path: "b.ts", Symbol: "thing"}, ""},
		{"no grammar", refs.Query{Path: "notes.txt", Symbol: "word"}, ""},
		{"no grammar, absent", refs.Query{Path: "notes.txt", Symbol: "nothing"}, "Symbol 'nothing' not found in notes.txt"},
		{"no file", refs.Query{Path: "none.go", Symbol: "x"}, "none.go"},
		{"nothing asked", refs.Query{Path: "a.go"}, "references in a.go: neither a symbol nor a position was given"},
	}
	ws, f := engine(t, root, refs.Options{})
	s := ws.Snapshot()
	defer s.Release()
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			tt.query.Tier = refs.Syntactic
			r, err := f.Find(t.Context(), s, tt.query)
			got := ""
			switch {
			case err != nil:
				got = err.Error()
			default:
				var at []string
				for _, d := range r.Declarations {
					at = append(at, strings.TrimPrefix(mark("", d.Line, d.Column, ""), ":"))
				}
				got = strings.ReplaceAll(strings.Join(at, ""), "  ", " ")
			}
			if got = strings.TrimSpace(got); got != tt.want && (err == nil || tt.want == "" || !strings.HasPrefix(got, tt.want)) {
				t.Errorf("got  %q\nwant %q", got, tt.want)
			}
		})
	}
}

func TestAmbiguousIsTyped(t *testing.T) {
	root := tempRoot(t)
	writeFile(t, filepath.Join(root, "a.go"), resolveFiles["a.go"])
	ws, f := engine(t, root, refs.Options{})
	s := ws.Snapshot()
	defer s.Release()
	_, err := f.Find(t.Context(), s, refs.Query{Path: "a.go", Symbol: "Total"})
	var ambiguous *refs.AmbiguousError
	if !errors.As(err, &ambiguous) || len(ambiguous.Candidates) != 2 {
		t.Fatalf("error %v, want an AmbiguousError with two candidates", err)
	}
}

// TestNoNameThere asks at places that hold no name. A bar stands before the place.
func TestNoNameThere(t *testing.T) {
	tests := []struct{ path, text, instead string }{
		{"a.go", "package m\n\n// see |Target and return\nfunc Target() int { return 1 }\n", "a comment"},
		{"a.go", "package m\n\n/* see\n |Target */\nfunc Target() int { return 1 }\n", "a comment"},
		{"a.go", "package m\n\n// see| ! \nfunc Target() int { return 1 }\n", "a comment"},
		{"a.go", "package m\n\nfunc Target() string { return \"a |Target\" }\n", "a string"},
		{"a.go", "package m\n\nfunc Target() int { |return 1 }\n", "the keyword 'return'"},
		{"a.go", "package m\n\nfunc Target() int { ret|urn 1 }\n", "the keyword 'return'"},
		{"a.go", "package m\n\nfunc Target() int { return| 1 }\n", "the keyword 'return'"},
		{"a.go", "package m\n\nimport \"f|mt\"\n", "a string"},
		{"a.ts", "export |function Target() { return 'x'; }\n", "the keyword 'function'"},
		{"a.ts", "export function Target() { return '|x'; }\n", "a string"},
		{"a.ts", "export const t = `a |Target ${1}`;\n", "a string"},
		{"a.py", "def Target(): |return 'x'\n", "the keyword 'return'"},
		{"a.py", "def Target(): return {'|x': 1}\n", "a string"},
		{"a.py", "def Target(): pass # |x\n", "a comment"},
		// Names, though some are in strings or spelt like keywords.
		{"a.ts", "export const t = { '|name': 1 };\n", ""},
		{"a.ts", "const t = { name: 1 };\nt['|name'];\n", ""},
		{"a.ts", "export const t = { de|fault: 1 };\n", ""},
		{"a.ts", "export const t = `a ${|n}`; const n = 1;\n", ""},
		{"a.ts", "class A { constr|uctor() {} }\n", ""},
		{"a.ts", "export d|efault function () {}\n", ""},
		{"a.ts", "class A { m() { return t|his; } }\n", ""},
		{"a.py", "x = f'a {|x}'\n", ""},
		// Names in comments that the compiler reads.
		{"a.js", "/** @type {import('./b').|Foo} */\nvar x;\n", ""},
		{"a.js", "/** @typedef {number} |Foo */\n", ""},
		{"a.js", "/**\n * @typedef {{\n *   a: |Foo,\n * }} Bar\n */\n", ""},
		{"a.ts", "/** See {@link |Foo}. */\nfunction f() {}\n", ""},
		{"a.ts", "/** @param |a what it is */\nfunction f(a) {}\n", ""},
		{"a.ts", "/// <reference types=\"|foo\" />\nfoo;\n", ""},
		{"a.ts", "/** @param a |what it is */\nfunction f(a) {}\n", "a comment"},
		{"a.ts", "/** See {@link Foo} for |more. */\nfunction f() {}\n", "a comment"},
		{"a.ts", "/* @param |a */\nfunction f(a) {}\n", "a comment"},
	}
	for _, tt := range tests {
		before, after, _ := strings.Cut(tt.text, "|")
		root := lay(t, map[string]string{tt.path: before + after})
		ws, err := index.Open(t.Context(), root, index.Options{})
		if err != nil {
			t.Fatal(err)
		}
		s := ws.Snapshot()
		lines := strings.Split(before, "\n")
		q := refs.Query{Path: tt.path, Point: symbols.Point{Line: len(lines), Column: len(lines[len(lines)-1]) + 1}, Tier: refs.Syntactic}
		_, err = refs.New(refs.Options{}).Find(t.Context(), s, q)
		var none *refs.SymbolNotFoundError
		errors.As(err, &none)
		switch {
		case tt.instead == "" && err != nil:
			t.Errorf("%q: %v", tt.text, err)
		case tt.instead != "" && (none == nil || none.Instead != tt.instead || !strings.HasPrefix(err.Error(), fmt.Sprintf("Symbol not found at %s:%v: %s stands there", tt.path, q.Point, tt.instead))):
			t.Errorf("%q: %v, want %s", tt.text, err, tt.instead)
		}
		s.Release()
		ws.Close()
	}
}

// TestModuleDefinition asks where an import leads.
func TestModuleDefinition(t *testing.T) {
	root := lay(t, map[string]string{"tsconfig.json": modern, "a.ts": "export const a = 1;\n", "b.ts": "import { a } from './a';\n"})
	ws, f := engine(t, root, refs.Options{})
	s := ws.Snapshot()
	defer s.Release()
	p, err := f.Definition(t.Context(), s, refs.Query{Path: "b.ts", Point: symbols.Point{Line: 1, Column: 22}, Tier: refs.Exact})
	if err != nil || len(p.Locations) != 1 || p.Locations[0].Path != "a.ts" {
		t.Errorf("got %+v, %v; want a.ts", p, err)
	}
}
