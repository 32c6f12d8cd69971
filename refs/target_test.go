package refs_test

import (
	"errors"
	"path/filepath"
	"strings"
	"testing"

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
		{"nearest on the line", refs.Query{Path: "a.go", Symbol: "Only", Point: symbols.Point{Line: 17, Column: 40}}, ""},
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
