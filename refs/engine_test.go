package refs_test

import (
	"context"
	"os"
	"os/exec"
	"path/filepath"
	"testing"

	"codeintel/index"
	"codeintel/lsp"
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

// dataDir is where servers that are not on PATH are, or get installed: the
// folder that codeintel itself uses.
func dataDir(t testing.TB) string {
	t.Helper()
	for _, env := range []string{"CODEINTEL_DATA_DIR", "XDG_DATA_HOME"} {
		if dir := os.Getenv(env); dir != "" {
			if env == "XDG_DATA_HOME" {
				dir = filepath.Join(dir, "codeintel")
			}
			return dir
		}
	}
	home, err := os.UserHomeDir()
	if err != nil {
		t.Fatal(err)
	}
	return filepath.Join(home, ".local", "share", "codeintel")
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
		o.Servers = lsp.NewPool(lsp.Options{Root: ws.Root(), DataDir: dataDir(t)})
		t.Cleanup(func() {
			if err := o.Servers.Close(); err != nil {
				t.Errorf("closing the servers: %v", err)
			}
		})
	}
	return ws, refs.New(o)
}

// compiler returns the TypeScript 7 compiler that the servers' finder uses.
func compiler(t testing.TB) string {
	t.Helper()
	tsc, err := exec.LookPath("tsc")
	if err != nil {
		t.Skip("no tsc")
	}
	return tsc
}

// serverPath returns the path of a server on PATH or in the data folder.
func serverPath(t testing.TB, name string) string {
	t.Helper()
	if path, err := exec.LookPath(name); err == nil {
		return path
	}
	found, _ := filepath.Glob(filepath.Join(dataDir(t), "*", "*", "bin", name))
	if len(found) == 0 {
		t.Skipf("%s is not on this machine", name)
	}
	return found[0]
}
