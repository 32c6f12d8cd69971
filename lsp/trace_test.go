package lsp

import (
	"bytes"
	"encoding/json"
	"path/filepath"
	"testing"
)

// TestTrace starts a real server and finds the start, the initialize request
// and its answer in the trace.
func TestTrace(t *testing.T) {
	present(t, Gopls)
	root := t.TempDir()
	write(t, filepath.Join(root, "go.mod"), "module a\n\ngo 1.26\n")
	var out bytes.Buffer
	pool := NewPool(Options{Root: root, DataDir: testData(t), Trace: &out})
	if _, err := pool.Server(t.Context(), Gopls); err != nil {
		t.Fatal(err)
	}
	if err := pool.Close(); err != nil {
		t.Fatal(err)
	}
	var started, asked, answered bool
	for dec := json.NewDecoder(&out); dec.More(); {
		var l struct {
			Server  Kind
			Command []string
			Sent    bool
			Message struct {
				Method string
				Result json.RawMessage
			}
		}
		if err := dec.Decode(&l); err != nil {
			t.Fatal(err)
		}
		started = started || l.Server == Gopls && len(l.Command) > 0
		asked = asked || l.Sent && l.Message.Method == "initialize"
		answered = answered || asked && !l.Sent && len(l.Message.Result) > 0
	}
	if !started || !asked || !answered {
		t.Errorf("started %v, asked %v, answered %v", started, asked, answered)
	}
}
