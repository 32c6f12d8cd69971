package refs_test

import (
	"fmt"
	"path/filepath"
	"strings"
	"testing"

	"codeintel/refs"
)

// modern is a tsconfig.json of today.
const modern = `{"compilerOptions": {"target": "es2022", "module": "esnext", "moduleResolution": "bundler", "strict": true}}`

// lay writes files below a new root and returns it.
func lay(t *testing.T, files map[string]string) string {
	t.Helper()
	root := tempRoot(t)
	for name, text := range files {
		writeFile(t, filepath.Join(root, name), text)
	}
	return root
}

// references asks one question in a workspace of its own.
func references(t *testing.T, root string, o refs.Options, q refs.Query) *refs.Result {
	t.Helper()
	ws, f := engine(t, root, o)
	s := ws.Snapshot()
	defer s.Release()
	r, err := f.Find(t.Context(), s, q)
	if err != nil {
		t.Fatal(err)
	}
	return r
}

// at renders the places of a result's references, in order.
func at(r *refs.Result) string {
	var out []string
	for _, ref := range r.References {
		out = append(out, fmt.Sprintf("%s:%d:%d", ref.Path, ref.Line, ref.Column))
	}
	return strings.Join(out, " ")
}

// same fails the test unless a result is complete and holds these places.
func same(t *testing.T, r *refs.Result, want string) {
	t.Helper()
	if got := at(r); got != want || !r.Coverage.Complete {
		t.Errorf("got  %s (complete %v: %s)\nwant %s", got, r.Coverage.Complete, r.Reason, want)
	}
}
