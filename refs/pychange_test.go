package refs_test

import (
	"path/filepath"
	"testing"

	"codeintel/index"
	"codeintel/refs"
)

// A folder that becomes a project between two questions is one in the second, for
// unsaved texts, too.
func TestPythonProjectAppears(t *testing.T) {
	root := lay(t, map[string]string{
		"lib/pkg.py": "class Tool: pass\n", "lib/tests/pkg/__init__.py": "", "lib/tests/one.py": "from pkg import Tool\n",
		"lib/tests/two.py": "pass\n",
	})
	ws, f := engine(t, root, refs.Options{})
	ask := func() *refs.Result {
		t.Helper()
		s := ws.Snapshot()
		defer s.Release()
		r, err := f.Find(t.Context(), s, refs.Query{Symbol: "Tool", Path: "lib/pkg.py", Tier: refs.Exact})
		if err != nil {
			t.Fatal(err)
		}
		return r
	}
	ws.Apply(index.Change{Path: "lib/tests/two.py", Text: []byte("from pkg import Tool\n")})
	if r := ask(); at(r) != "lib/pkg.py:1:7" || len(r.Unconfirmed) != 2 {
		t.Errorf("without a project: %s, %d unconfirmed", at(r), len(r.Unconfirmed))
	}
	writeFile(t, filepath.Join(root, "lib/setup.py"), "")
	if err := ws.Refresh(t.Context()); err != nil {
		t.Fatal(err)
	}
	same(t, ask(), "lib/pkg.py:1:7 lib/tests/one.py:1:17 lib/tests/two.py:1:17")
}
