package refs

import (
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"syscall"
	"testing"
	"time"

	"codeintel/index"
	"codeintel/lsp"
	"codeintel/lsp/lsptest"
)

// TestAdopt lets two questions find the server dead: the one that was given it
// before its death comes second, and must not put it back into place.
func TestAdopt(t *testing.T) {
	root := t.TempDir()
	pool := lsptest.Pool(t, root)
	f := New(Options{Servers: pool})
	defer f.Close()
	dead := lsptest.Server(t, pool, lsp.Gopls)
	if err := syscall.Kill(dead.PID(), syscall.SIGKILL); err != nil {
		t.Fatal(err)
	}
	<-dead.Done()
	running := lsptest.Server(t, pool, lsp.Gopls)
	first, err := f.adopt(lsp.Gopls, running, root)
	if err != nil {
		t.Fatal(err)
	}
	if v, err := f.adopt(lsp.Gopls, dead, root); !crashed(err) {
		t.Errorf("the dead server was adopted: %v, %v", v, err)
	}
	if again, err := f.adopt(lsp.Gopls, running, root); again != first || err != nil {
		t.Errorf("the running server was forgotten: %v", err)
	}
}

// TestEnded brings a server to a snapshot that is no longer in use.
func TestEnded(t *testing.T) {
	root := t.TempDir()
	if err := os.WriteFile(root+"/go.mod", []byte("module m\n"), 0o644); err != nil {
		t.Fatal(err)
	}
	ws, err := index.Open(t.Context(), root, index.Options{})
	if err != nil {
		t.Fatal(err)
	}
	defer ws.Close()
	s := ws.Snapshot()
	defer s.Release()
	v := newServer(lsptest.Server(t, lsptest.Pool(t, root), lsp.Gopls), root)
	v.forgetState()
	if _, err := v.enter(t.Context(), s); !errors.Is(err, lsp.ErrClosed) || v.synced != nil {
		t.Errorf("error %v, want that it is closed", err)
	}
}

// TestPins opens more documents than are kept open: the one that a question needs
// and the one that is not saved stay.
func TestPins(t *testing.T) {
	root := t.TempDir()
	ws, err := index.Open(t.Context(), root, index.Options{})
	if err != nil {
		t.Fatal(err)
	}
	defer ws.Close()
	for i := range maxOpen + 2 {
		name := filepath.Join(root, fmt.Sprintf("f%04d.go", i))
		if err := os.WriteFile(name, []byte("package m\n"), 0o644); err != nil {
			t.Fatal(err)
		}
	}
	if err := ws.Refresh(t.Context()); err != nil {
		t.Fatal(err)
	}
	ws.Apply(index.Change{Path: "f0001.go", Text: []byte("package unsaved\n")})
	s := ws.Snapshot()
	defer s.Release()
	v := newServer(lsptest.Server(t, lsptest.Pool(t, root), lsp.Gopls), root)
	leave, err := v.enter(t.Context(), s)
	if err != nil {
		t.Fatal(err)
	}
	defer leave()
	if err := v.pin(t.Context(), s, "f0000.go"); err != nil {
		t.Fatal(err)
	}
	for i := 1; i < maxOpen+2; i++ {
		if err := v.ensureOpen(t.Context(), s, fmt.Sprintf("f%04d.go", i)); err != nil {
			t.Fatal(err)
		}
	}
	check := func(want map[string]bool) {
		t.Helper()
		for path, want := range want {
			if got := v.lsp.Opened(v.abs(path)); got != want {
				t.Errorf("%s: open %v, want %v", path, got, want)
			}
		}
	}
	check(map[string]bool{"f0000.go": true, "f0001.go": true, "f0002.go": false, "f0003.go": false, "f0004.go": true})
	v.unpin([]string{"f0000.go"})
	if err := v.closeAll(t.Context()); err != nil {
		t.Fatal(err)
	}
	check(map[string]bool{"f0000.go": false, "f0001.go": true, "f0004.go": false})
}

func TestWhyNot(t *testing.T) {
	crash := &lsp.CrashError{Kind: lsp.Gopls, Err: errors.New("signal: killed")}
	for want, err := range map[string]error{
		"gopls died: signal: killed":                                  crash,
		"the language server died twice (gopls died: signal: killed)": &twiceError{crash},
		"gopls is left alone for another 2s: gopls died: signal: killed": &lsp.RestingError{
			Kind: lsp.Gopls, For: 2 * time.Second, Last: crash},
		"the language server did not answer in time": errServerTimeout,
	} {
		if got := whyNot(err); got != want {
			t.Errorf("%q, want %q", got, want)
		}
	}
	if crashed(&lsp.RestingError{Last: crash}) {
		t.Error("a server that is left alone is started again")
	}
	if !strings.Contains((&twiceError{crash}).Error(), "twice") || !crashed(&twiceError{crash}) {
		t.Error("a second crash is no crash")
	}
}
