package lsp

import (
	"encoding/json"
	"io"
	"sync"
)

// trace writes what a pool's servers are sent and answer, for bug reports and
// measurements. A nil trace writes nothing.
type trace struct {
	mu  sync.Mutex
	out *json.Encoder // guarded by mu
}

// traceLine is one line of a trace.
type traceLine struct {
	Server  Kind            `json:"server"`
	Command []string        `json:"command,omitempty"` // on the first line of a server
	Sent    bool            `json:"sent"`              // to the server, else by it
	Message json.RawMessage `json:"message,omitempty"`
}

func newTrace(w io.Writer) *trace {
	if w == nil {
		return nil
	}
	return &trace{out: json.NewEncoder(w)}
}

// started writes that a server was started.
func (t *trace) started(k Kind, command []string) {
	t.write(traceLine{Server: k, Command: command, Sent: true})
}

// of returns the function that a server's stream calls with each message.
func (t *trace) of(k Kind) func(sent bool, body []byte) {
	if t == nil {
		return nil
	}
	return func(sent bool, body []byte) {
		t.write(traceLine{Server: k, Sent: sent, Message: body})
	}
}

// write drops errors: a trace that cannot be written must not change an answer.
func (t *trace) write(l traceLine) {
	if t == nil {
		return
	}
	t.mu.Lock()
	defer t.mu.Unlock()
	_ = t.out.Encode(l)
}
