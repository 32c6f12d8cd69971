package tools

import (
	"encoding/json"
	"strings"
	"testing"

	"codeintel/refs"
	"codeintel/symbols"
)

const placesFile = "export class A {\n\trun() {\n\t\thelp()\n\t\thelp()\n\t}\n}\nexport function help() {}\n"

func places() refs.Places {
	help := refs.Location{Path: "a.ts", Range: symbols.Range{Start: 64, End: 68}, Line: 7, Column: 17, EndColumn: 21}
	return refs.Places{
		Precision: refs.Exact, Coverage: refs.Coverage{Complete: true, Loaded: []string{"tsconfig.json"}},
		Servers:   []refs.Server{{Name: "fake-server", Version: "1.2.3"}},
		Locations: []refs.Location{help, {Path: "a.ts", Line: 3, Column: 3, EndColumn: 7}},
		Calls: []refs.Call{{
			Location:  refs.Location{Path: "a.ts", Line: 2, Column: 2, EndColumn: 5},
			Container: "A", Name: "run", Kind: symbols.Method,
			Sites: []refs.Location{{Path: "a.ts", Line: 4, Column: 3, EndColumn: 7}, {Path: "a.ts", Line: 3, Column: 3, EndColumn: 7}},
		}, {
			Location: refs.Location{Path: "a.ts", Line: 1, Column: 1, EndColumn: 1}, Name: "/root/a.ts",
			Sites: []refs.Location{{Path: "0.ts", Line: 9, Column: 1, EndColumn: 5}},
		}},
	}
}

func TestPlaces(t *testing.T) {
	ws := workspace(t, map[string]string{"a.ts": placesFile})
	found := places()
	e := New(ws, &words{places: found}, Options{})
	p := PlacesParams{Symbol: "help", FilePath: "a.ts"}
	a, err := e.Definition(t.Context(), p)
	if err != nil {
		t.Fatal(err)
	}
	diff(t, a.Text(), "a.ts:3:3  help  help()\na.ts:7:17  help  export function help() {}\n")
	a, err = e.Callers(t.Context(), p)
	if err != nil {
		t.Fatal(err)
	}
	diff(t, a.Text(), "a.ts:3:3  A.run  help()\na.ts:4:3  A.run  help()\n0.ts:9:1  (top level)  [not readable any more]\n")
	found.Calls = found.Calls[:1]
	e = New(ws, &words{places: found}, Options{})
	a, err = e.Callees(t.Context(), p)
	if err != nil {
		t.Fatal(err)
	}
	diff(t, a.Text(), "a.ts:2:2  A.run  run() {\n")
	text, err := json.Marshal(a.JSON())
	if err != nil {
		t.Fatal(err)
	}
	diff(t, string(text), `{"results":[{"file":"a.ts","line":2,"column":2,"endColumn":5,"kind":"method","name":"run","container":"A","text":"run() {"}],`+
		`"precision":"exact","server":{"name":"fake-server","version":"1.2.3"},"coverage":{"complete":true,"loaded":["tsconfig.json"],"missing":[]},"reason":"","external":0}`)
	if a.Note() != "" {
		t.Errorf("note %q", a.Note())
	}
}

func TestNoPlaces(t *testing.T) {
	ws := workspace(t, map[string]string{"a.ts": placesFile})
	none := places()
	none.Calls = nil
	none.Locations, none.External = nil, 2
	a, err := New(ws, &words{places: none}, Options{}).Implementations(t.Context(), PlacesParams{Symbol: "help", FilePath: "a.ts"})
	if err != nil {
		t.Fatal(err)
	}
	diff(t, a.Text(), "No implementations found for 'help' in a.ts (fake-server 1.2.3, complete; 2 outside the workspace)\n")
}

func TestPlacesThreshold(t *testing.T) {
	ws := workspace(t, map[string]string{"a.ts": placesFile})
	many := places()
	for len(many.Locations) < 51 {
		many.Locations = append(many.Locations, refs.Location{Path: "a.ts", Line: 3, Column: 3, EndColumn: 7})
	}
	p := PlacesParams{Symbol: "help", FilePath: "a.ts"}
	_, err := New(ws, &words{places: many}, Options{}).Implementations(t.Context(), p)
	if e := code(t, err, ApprovalRequired); e.Detail.(ApprovalRequest).Count != 51 {
		t.Errorf("request %+v", e.Detail)
	}
	a, err := New(ws, &words{places: many}, Options{Policy: PolicyTruncate}).Implementations(t.Context(), p)
	if err != nil || len(a.Rows) != 50 || !strings.Contains(a.Note(), "the first 50 of 51 implementations are shown") {
		t.Errorf("%d rows, note %q, %v", len(a.Rows), a.Note(), err)
	}
	many.Locations = many.Locations[:50]
	if _, err = New(ws, &words{places: many}, Options{}).Implementations(t.Context(), p); err != nil {
		t.Errorf("50 places: %v", err)
	}
}
