package process

import (
	"bytes"
	"strings"
	"sync"
)

// tailSize is how many bytes of a child's stderr are kept.
const tailSize = 4096

// tail keeps the last bytes written to it and hands complete lines on.
type tail struct {
	line func(string) // called per complete line, nil for none

	mu   sync.Mutex
	kept []byte // guarded by mu; at most 2*tailSize
	part []byte // the incomplete last line, used by the writing goroutine only
}

// Write never fails. It is called by one goroutine.
func (t *tail) Write(p []byte) (int, error) {
	t.mu.Lock()
	t.kept = append(t.kept, p...)
	if len(t.kept) > 2*tailSize {
		t.kept = append(t.kept[:0], t.kept[len(t.kept)-tailSize:]...)
	}
	t.mu.Unlock()
	if t.line != nil {
		t.lines(p)
	}
	return len(p), nil
}

func (t *tail) lines(p []byte) {
	t.part = append(t.part, p...)
	for {
		end := bytes.IndexAny(t.part, "\r\n")
		if end < 0 {
			break
		}
		if line := strings.TrimSpace(string(t.part[:end])); line != "" {
			t.line(line)
		}
		t.part = t.part[end+1:]
	}
	if len(t.part) > tailSize { // no line that anyone would show
		t.part = nil
	}
}

// String returns what is kept, at most tailSize bytes, from the start of a line.
func (t *tail) String() string {
	t.mu.Lock()
	defer t.mu.Unlock()
	kept := t.kept
	if len(kept) > tailSize {
		kept = kept[len(kept)-tailSize:]
		if nl := bytes.IndexByte(kept, '\n'); nl >= 0 {
			kept = kept[nl+1:]
		}
	}
	return strings.TrimSpace(strings.ToValidUTF8(string(kept), "\uFFFD"))
}
