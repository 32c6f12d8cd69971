package lsp

import (
	"context"
	"errors"
	"fmt"

	"go.lsp.dev/jsonrpc2"
	"go.lsp.dev/protocol"
)

// client is one connection to a server. It knows nothing of processes: whoever
// owns it ends its life when the process dies.
type client struct {
	conn   jsonrpc2.Conn
	stream *stream

	// life is done when the server is dead; its cause is what requests return
	// from then on.
	life context.Context
	end  context.CancelCauseFunc
}

// newClient starts a connection. Its values come from ctx, its life does not.
func newClient(ctx context.Context, s *stream, in *incoming) *client {
	c := &client{stream: s, conn: jsonrpc2.NewConn(s)}
	c.life, c.end = context.WithCancelCause(context.WithoutCancel(ctx))
	go in.run(c.life)
	c.conn.Go(c.life, in.handle)
	return c
}

// call sends a request and waits for its reply, the end of ctx or the server's
// death, whichever is first. A request that is given up is cancelled in the
// server.
func (c *client) call(ctx context.Context, method string, params, result any) error {
	waiting, cancel := context.WithCancel(ctx)
	defer cancel()
	// conn.Call waits for ever when the connection dies.
	defer context.AfterFunc(c.life, cancel)()
	id, err := c.conn.Call(waiting, method, params, result)
	if err == nil {
		return nil
	}
	var reply *jsonrpc2.Error
	switch {
	case errors.As(err, &reply) && reply.Code == jsonrpc2.MethodNotFound:
		return fmt.Errorf("%s: %w", method, ErrUnsupported)
	case errors.As(err, &reply):
		return fmt.Errorf("%s: %w", method, err)
	case ctx.Err() != nil && c.life.Err() == nil:
		c.notify(context.WithoutCancel(ctx), protocol.MethodCancelRequest, &protocol.CancelParams{ID: &id})
		return context.Cause(ctx)
	case waiting.Err() != nil || errors.Is(err, errStreamClosed):
		return c.death(ctx)
	}
	return fmt.Errorf("%s: %w", method, err)
}

// notify queues a notification. It does not wait for the server.
func (c *client) notify(ctx context.Context, method string, params any) error {
	err := c.conn.Notify(ctx, method, params)
	switch {
	case err == nil:
		return nil
	case ctx.Err() != nil:
		return context.Cause(ctx)
	case errors.Is(err, errStreamClosed):
		return c.death(ctx)
	}
	return fmt.Errorf("%s: %w", method, err)
}

// death waits for the cause of the end of a connection that is broken.
func (c *client) death(ctx context.Context) error {
	select {
	case <-c.life.Done():
		return context.Cause(c.life)
	case <-ctx.Done():
		return context.Cause(ctx)
	}
}
