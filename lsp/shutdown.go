package lsp

import (
	"context"

	"go.lsp.dev/protocol"
)

// close ends the server: shutdown, exit, wait, kill. It returns when its
// process group is dead.
func (s *Server) close() {
	close(s.closing)
	if !s.abrupt {
		s.retire()
	}
	s.proc.Kill()
	<-s.done
}

// retire asks the server to end by itself.
func (s *Server) retire() {
	ctx, cancel := context.WithTimeout(s.client.life, shutdownTimeout)
	defer cancel()
	if s.client.call(ctx, protocol.MethodShutdown, nil, nil) == nil {
		s.client.notify(ctx, protocol.MethodExit, nil)
		s.exited(exitTimeout)
	}
}
