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
)

// bare is the least client that can speak to a language server: what a server
// costs by itself is measured with it.
type bare struct {
	cmd   *exec.Cmd
	in    io.WriteCloser
	watch *watcher

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

// startBare runs a server in dir, in a process group of its own.
func startBare(ctx context.Context, dir string, command ...string) (*bare, error) {
	b := &bare{cmd: exec.CommandContext(ctx, command[0], command[1:]...), answered: map[string]json.RawMessage{}, arrived: make(chan struct{}, 1<<16)}
	b.cmd.Dir = dir
	b.cmd.SysProcAttr = &syscall.SysProcAttr{Setpgid: true}
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
	b.watch = watch(b.cmd.Process.Pid)
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
	return b.ask(ctx, body)
}

// ask sends a request that is ready and returns its result.
func (b *bare) ask(ctx context.Context, request []byte) (json.RawMessage, error) {
	var sent, got message
	if err := json.Unmarshal(request, &sent); err != nil {
		return nil, err
	}
	if err := b.send(request); err != nil {
		return nil, err
	}
	id := string(sent.ID)
	if err := b.wait(ctx, []string{id}); err != nil {
		return nil, fmt.Errorf("%s: %w", sent.Method, err)
	}
	b.mu.Lock()
	defer b.mu.Unlock()
	if err := json.Unmarshal(b.answered[id], &got); err != nil {
		return nil, err
	}
	if len(got.Error) > 0 && string(got.Error) != "null" {
		return nil, fmt.Errorf("%s: %s", sent.Method, got.Error)
	}
	return got.Result, nil
}

func (b *bare) notify(method string, params any) error {
	body, err := json.Marshal(map[string]any{"jsonrpc": "2.0", "method": method, "params": params})
	if err != nil {
		return err
	}
	return b.send(body)
}

// end kills the server and its children: gopls, for one, does not end by itself
// soon, and codeintel kills it too. It returns what all of them used.
func (b *bare) end() cost {
	b.in.Close()
	b.watch.look() // what is killed is in no other account
	_ = syscall.Kill(-b.cmd.Process.Pid, syscall.SIGKILL)
	_ = b.cmd.Wait() // a kill is no failure
	return costOf(b.cmd.ProcessState, b.watch.end())
}
