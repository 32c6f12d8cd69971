package lsp

import (
	"encoding/json"
	"testing"

	"go.lsp.dev/protocol"
)

func TestDecodeLocations(t *testing.T) {
	loc := protocol.Location{URI: "file:///a.ts", Range: protocol.Range{
		Start: protocol.Position{Line: 1, Character: 2}, End: protocol.Position{Line: 1, Character: 5}}}
	const r = `{"start":{"line":1,"character":2},"end":{"line":1,"character":5}}`
	const all = `{"start":{"line":0,"character":0},"end":{"line":9,"character":0}}`
	for _, test := range []struct {
		name, raw string
		want      int
		bad       bool
	}{
		{"null", `null`, 0, false},
		{"nothing", ``, 0, false},
		{"empty list", `[]`, 0, false},
		{"location", `{"uri":"file:///a.ts","range":` + r + `}`, 1, false},
		{"locations", `[{"uri":"file:///a.ts","range":` + r + `},{"uri":"file:///a.ts","range":` + r + `}]`, 2, false},
		{"links", `[{"targetUri":"file:///a.ts","targetRange":` + all + `,"targetSelectionRange":` + r + `}]`, 1, false},
		{"no URI", `[{"range":` + r + `}]`, 0, true},
		{"a word", `"x"`, 0, true},
	} {
		t.Run(test.name, func(t *testing.T) {
			got, err := decodeLocations(json.RawMessage(test.raw))
			if (err != nil) != test.bad || len(got) != test.want {
				t.Fatalf("got %v, %v; want %d locations, error %v", got, err, test.want, test.bad)
			}
			for _, l := range got {
				if l != loc {
					t.Errorf("got %v, want %v", l, loc)
				}
			}
		})
	}
}
