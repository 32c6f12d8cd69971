// Package lsptest lets tests run real language servers. They are found on PATH
// or installed, once for all tests, into a folder of the user's cache.
package lsptest

import (
	"bytes"
	"encoding/json"
	"errors"
	"os"
	"path/filepath"
	"testing"

	"codeintel/lsp"
)

// DataDir returns the folder that tests install servers to: the environment
// variable CODEINTEL_TEST_DATA, else one in the user's cache folder.
func DataDir(t testing.TB) string {
	t.Helper()
	if dir := os.Getenv("CODEINTEL_TEST_DATA"); dir != "" {
		return dir
	}
	cache, err := os.UserCacheDir()
	if err != nil {
		t.Skipf("no folder to install servers to: %v", err)
	}
	return filepath.Join(cache, "codeintel-test")
}

// Pool returns a pool for a workspace, closed when the test ends.
func Pool(t testing.TB, root string) *lsp.Pool {
	t.Helper()
	pool := lsp.NewPool(lsp.Options{Root: root, DataDir: DataDir(t), Progress: func(line string) { t.Log(line) }})
	t.Cleanup(func() { pool.Close() })
	return pool
}

// Server returns the server of a kind in a pool. It skips the test when the
// server is neither found nor can be installed, and fails it when it does not
// start.
func Server(t testing.TB, pool *lsp.Pool, kind lsp.Kind) *lsp.Server {
	t.Helper()
	s, err := pool.Server(t.Context(), kind)
	var missing *lsp.MissingError
	switch {
	case errors.As(err, &missing):
		t.Skip(err)
	case err != nil:
		t.Fatal(err)
	}
	return s
}

// Command returns how the server of a kind is run: its program and arguments. It
// skips and fails as [Server] does.
func Command(t testing.TB, kind lsp.Kind) []string {
	t.Helper()
	var trace bytes.Buffer
	pool := lsp.NewPool(lsp.Options{Root: t.TempDir(), DataDir: DataDir(t), Trace: &trace})
	Server(t, pool, kind)
	pool.Close() // the trace is read when nobody writes it any more
	var first struct{ Command []string }
	if err := json.NewDecoder(&trace).Decode(&first); err != nil || len(first.Command) == 0 {
		t.Fatalf("the trace of %s does not begin with its command: %v", kind, err)
	}
	return first.Command
}
