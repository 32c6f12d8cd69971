package main

import (
	"bufio"
	"context"
	"encoding/json"
	"fmt"
	"io"
	"net/textproto"
	"os/exec"
	"strconv"
	"sync"
	"syscall"
	"time"
)

// bare is the least client that can speak to a language server: what a server
// costs by itself is measured with it.
type bare struct {
	cmd *exec.Cmd
	in  io.WriteCloser

	mu       sync.Mutex
	answered map[string]json.RawMessage // guarded by mu: raw id → answer
	arrived  chan struct{}              // one token per answer, closed at the end
	writing  sync.Mutex
}

// message is what is looked at in a JSON-RPC message.
type message struct {
	ID     json.RawMessage `json:"id,omitempty"`
	Method string          `json:"method,omitempty"`
	Params json.RawMessage `json:"params,omitempty"`
	Result json.RawMessage `json:"result,omitempty"`
	Error  json.RawMessage `json:"error,omitempty"`
}

// startBare runs a server in dir.
func startBare(ctx context.Context, dir string, command ...string) (*bare, error) {
	b := &bare{cmd: exec.CommandContext(ctx, command[0], command[1:]...), answered: map[string]json.RawMessage{}, arrived: make(chan struct{}, 1<<16)}
	b.cmd.Dir = dir
	in, err := b.cmd.StdinPipe()
	if err != nil {
		return nil, err
	}
	out, err := b.cmd.StdoutPipe()
	if err != nil {
		return nil, err
	}
	b.in = in
	if err := b.cmd.Start(); err != nil {
		return nil, err
	}
	go b.read(bufio.NewReader(out))
	return b, nil
}

// read takes the server's messages and answers its requests with null, or with
// one null per configuration item.
func (b *bare) read(r *bufio.Reader) {
	defer close(b.arrived)
	for {
		header, err := textproto.NewReader(r).ReadMIMEHeader()
		if err != nil {
			return
		}
		n, err := strconv.Atoi(header.Get("Content-Length"))
		if err != nil {
			return
		}
		body := make([]byte, n)
		if _, err := io.ReadFull(r, body); err != nil {
			return
		}
		var m message
		if json.Unmarshal(body, &m) != nil {
			continue
		}
		switch {
		case m.Method != "" && len(m.ID) > 0:
			_ = b.send(reply(m))
		case m.Method == "":
			b.mu.Lock()
			b.answered[string(m.ID)] = body
			b.mu.Unlock()
			b.arrived <- struct{}{}
		}
	}
}

func reply(m message) []byte {
	result := "null"
	if m.Method == "workspace/configuration" {
		var p struct {
			Items []json.RawMessage `json:"items"`
		}
		_ = json.Unmarshal(m.Params, &p)
		nulls := make([]*int, len(p.Items))
		data, _ := json.Marshal(nulls)
		result = string(data)
	}
	return []byte(fmt.Sprintf(`{"jsonrpc":"2.0","id":%s,"result":%s}`, m.ID, result))
}

func (b *bare) send(body []byte) error {
	b.writing.Lock()
	defer b.writing.Unlock()
	_, err := fmt.Fprintf(b.in, "Content-Length: %d\r\n\r\n%s", len(body), body)
	return err
}

// wait blocks until the server has answered all ids.
func (b *bare) wait(ctx context.Context, ids []string) error {
	for {
		b.mu.Lock()
		missing := 0
		for _, id := range ids {
			if b.answered[id] == nil {
				missing++
			}
		}
		b.mu.Unlock()
		if missing == 0 {
			return nil
		}
		select {
		case <-ctx.Done():
			return ctx.Err()
		case _, open := <-b.arrived:
			if !open {
				return fmt.Errorf("the server ended with %d answers missing", missing)
			}
		}
	}
}

// call sends a request and returns its result.
func (b *bare) call(ctx context.Context, id int, method string, params any) (json.RawMessage, error) {
	body, err := json.Marshal(map[string]any{"jsonrpc": "2.0", "id": id, "method": method, "params": params})
	if err != nil {
		return nil, err
	}
	if err := b.send(body); err != nil {
		return nil, err
	}
	if err := b.wait(ctx, []string{strconv.Itoa(id)}); err != nil {
		return nil, fmt.Errorf("%s: %w", method, err)
	}
	var m message
	b.mu.Lock()
	defer b.mu.Unlock()
	if err := json.Unmarshal(b.answered[strconv.Itoa(id)], &m); err != nil {
		return nil, err
	}
	if len(m.Error) > 0 {
		return nil, fmt.Errorf("%s: %s", method, m.Error)
	}
	return m.Result, nil
}

func (b *bare) notify(method string, params any) error {
	body, err := json.Marshal(map[string]any{"jsonrpc": "2.0", "method": method, "params": params})
	if err != nil {
		return err
	}
	return b.send(body)
}

// end kills the server: gopls, for one, does not end by itself soon, and
// codeintel kills it too.
func (b *bare) end() (cost, error) {
	b.in.Close()
	_ = b.cmd.Process.Kill()
	_ = b.cmd.Wait() // a kill is no failure
	return costOf(b.cmd), nil
}

// cost is what a process and its waited-for children used.
type cost struct {
	wall, cpu time.Duration
	memory    int64 // peak resident bytes of the largest process
}

func costOf(cmd *exec.Cmd) cost {
	state := cmd.ProcessState
	c := cost{cpu: state.UserTime() + state.SystemTime()}
	if u, ok := state.SysUsage().(*syscall.Rusage); ok {
		c.memory = u.Maxrss * 1024
	}
	return c
}
