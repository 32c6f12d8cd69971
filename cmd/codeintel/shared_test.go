package main

import (
	"bytes"
	"sync"
)

// shared is a buffer that a command writes while the test looks.
type shared struct {
	mu  sync.Mutex
	buf bytes.Buffer // guarded by mu
}

func (s *shared) Write(p []byte) (int, error) {
	s.mu.Lock()
	defer s.mu.Unlock()
	return s.buf.Write(p)
}

func (s *shared) String() string {
	s.mu.Lock()
	defer s.mu.Unlock()
	return s.buf.String()
}
