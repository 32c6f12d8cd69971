package refs_test

import (
	"fmt"
	"path/filepath"
	"strings"
	"testing"

	"codeintel/refs"
)

// tierFiles hold one name in many places; what syntax alone can tell apart is
// told apart.
var tierFiles = map[string]string{
	"a/a.go": `package a

// Name in a comment
func Name() string { return "Name" }

type T struct{ Name string }

func use(t T) string { return Name() + t.Name }

func locals() {
	Other := 1
	_ = Other
}

func more() {
	Other := 2
	_ = Other
}
`,
	"b/b.go": `package b

import "example.com/m/a"

func Name() {}

var x = a.Name() + y.Name
`,
	"go.mod":  "module example.com/m\n",
	"c/c.txt": "Name and Names, Name.\n",
}

func TestTiers(t *testing.T) {
	root := tempRoot(t)
	for name, text := range tierFiles {
		writeFile(t, filepath.Join(root, name), text)
	}
	tests := []struct {
		name  string
		query refs.Query
		want  string
	}{
		{"a function", refs.Query{Path: "a/a.go", Symbol: "a.Name", Tier: refs.Syntactic}, "a/a.go:4:6 a/a.go:8:31 b/b.go:7:11"},
		{"a field", refs.Query{Path: "a/a.go", Symbol: "T.Name", Tier: refs.Syntactic}, "a/a.go:6:16 a/a.go:8:42 b/b.go:7:22"},
		{"text", refs.Query{Path: "c/c.txt", Symbol: "Name", Tier: refs.Textual}, "c/c.txt:1:1 c/c.txt:1:17 a/a.go:4:6 a/a.go:6:16 a/a.go:8:31 a/a.go:8:42 b/b.go:5:6 b/b.go:7:11 b/b.go:7:22"},
		{"text where there is no grammar", refs.Query{Path: "c/c.txt", Symbol: "Names", Tier: refs.Syntactic}, "c/c.txt:1:10"},
	}
	ws, f := engine(t, root, refs.Options{})
	s := ws.Snapshot()
	defer s.Release()
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			r, err := f.Find(t.Context(), s, tt.query)
			if err != nil {
				t.Fatal(err)
			}
			var got []string
			for _, ref := range r.References {
				got = append(got, fmt.Sprintf("%s:%d:%d", ref.Path, ref.Line, ref.Column))
			}
			if strings.Join(got, " ") != tt.want {
				t.Errorf("got  %s\nwant %s", strings.Join(got, " "), tt.want)
			}
			if r.Reason == "" {
				t.Error("an answer below exact has no reason")
			}
		})
	}
}

// TestLocals asks about locals: the bare name of two functions' variables is
// ambiguous, a place names one of them.
func TestLocals(t *testing.T) {
	root := tempRoot(t)
	writeFile(t, filepath.Join(root, "a.go"), tierFiles["a/a.go"])
	ws, f := engine(t, root, refs.Options{})
	s := ws.Snapshot()
	defer s.Release()
	_, err := f.Find(t.Context(), s, refs.Query{Path: "a.go", Symbol: "Other", Tier: refs.Syntactic})
	if err == nil || !strings.Contains(err.Error(), "ambiguous") {
		t.Errorf("error %v, want ambiguous", err)
	}
	r, err := f.Find(t.Context(), s, refs.Query{Path: "a.go", Symbol: "more.Other", Tier: refs.Syntactic})
	if err != nil || len(r.References) != 2 || r.References[0].Line != 16 || r.References[1].Line != 17 {
		t.Errorf("more.Other: %+v, %v", r, err)
	}
}
