package refs_test

import (
	"context"
	"path/filepath"
	"testing"

	"codeintel/index"
	"codeintel/lsp/lsptest"
	"codeintel/refs"
)

// tempRoot returns a fresh folder by its real path.
func tempRoot(t testing.TB) string {
	t.Helper()
	dir, err := filepath.EvalSymlinks(t.TempDir())
	if err != nil {
		t.Fatal(err)
	}
	return dir
}

// engine opens a workspace and a finder with real servers, closed at the end of
// the test.
func engine(t testing.TB, root string, o refs.Options) (*index.Workspace, *refs.Finder) {
	t.Helper()
	ws, err := index.Open(context.Background(), root, index.Options{})
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { ws.Close() })
	if o.Servers == nil {
		o.Servers = lsptest.Pool(t, ws.Root())
	}
	return ws, refs.New(o)
}
