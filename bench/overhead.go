package main

import (
	"bufio"
	"context"
	"encoding/json"
	"fmt"
	"os"
	"path/filepath"
	"time"
)

// entry is one line of a trace that codeintel writes with CODEINTEL_TRACE.
type entry struct {
	Server  string          `json:"server"`  // gopls, typescript …
	Command []string        `json:"command"` // on the first line of a server
	Sent    bool            `json:"sent"`    // by codeintel, else by the server
	Message json.RawMessage `json:"message"`
}

// compareOverhead records codeintel's messages once per question and replays
// them from a bare client, in alternating runs.
func compareOverhead(ctx context.Context, s settings, corpora []corpus, work string) error {
	for _, c := range corpora {
		root, err := c.place(ctx, s, work)
		if err != nil {
			return err
		}
		for i, q := range c.Checks {
			trace := filepath.Join(work, fmt.Sprintf("%s-%d.trace", c.Name, i))
			if err := record(ctx, s, root, q, trace); err != nil {
				return err
			}
			entries, err := readTrace(trace)
			if err != nil {
				return err
			}
			cs := []contender{
				{"codeintel", func(ctx context.Context) (cost, int, error) { return runCodeintel(ctx, s, root, q) }},
				{"bare replay", func(ctx context.Context) (cost, int, error) { return replay(ctx, root, entries) }},
			}
			if err := race(ctx, s.runs, c.Name+" "+q.Symbol, cs); err != nil {
				return err
			}
		}
	}
	return nil
}

func record(ctx context.Context, s settings, root string, q check, trace string) error {
	if err := os.Setenv("CODEINTEL_TRACE", trace); err != nil {
		return err
	}
	defer os.Unsetenv("CODEINTEL_TRACE")
	_, _, err := runCodeintel(ctx, s, root, q)
	return err
}

func readTrace(file string) ([]entry, error) {
	f, err := os.Open(file)
	if err != nil {
		return nil, err
	}
	defer f.Close()
	var out []entry
	lines := bufio.NewReader(f)
	dec := json.NewDecoder(lines)
	for dec.More() {
		var e entry
		if err := dec.Decode(&e); err != nil {
			return nil, fmt.Errorf("%s: %w", file, err)
		}
		out = append(out, e)
	}
	return out, nil
}

// player replays a trace: one bare client per server.
type player struct {
	root    string
	servers map[string]*bare
	pending map[string][]string // ids that codeintel had the answers of
}

// replay sends what codeintel sent, each message after the answers that had
// come before it. The time to end the servers counts, as it does for codeintel.
func replay(ctx context.Context, root string, entries []entry) (cost, int, error) {
	start := time.Now()
	p := &player{root: root, servers: map[string]*bare{}, pending: map[string][]string{}}
	err := p.play(ctx, entries)
	total := cost{}
	for _, b := range p.servers {
		c, _ := b.end()
		total.cpu += c.cpu
	}
	total.wall = time.Since(start)
	return total, 0, err
}

func (p *player) play(ctx context.Context, entries []entry) error {
	for _, e := range entries {
		if err := p.step(ctx, e); err != nil {
			return err
		}
	}
	for name, b := range p.servers {
		if err := b.wait(ctx, p.pending[name]); err != nil {
			return err
		}
	}
	return nil
}

func (p *player) step(ctx context.Context, e entry) error {
	b := p.servers[e.Server]
	if b == nil {
		var err error
		if b, err = startBare(ctx, p.root, e.Command...); err != nil {
			return err
		}
		p.servers[e.Server] = b
	}
	var m message
	if len(e.Message) == 0 || json.Unmarshal(e.Message, &m) != nil {
		return nil
	}
	switch {
	case !e.Sent && m.Method == "":
		p.pending[e.Server] = append(p.pending[e.Server], string(m.ID))
	case e.Sent && m.Method != "": // the bare client answers the server's requests itself
		if err := b.wait(ctx, p.pending[e.Server]); err != nil {
			return err
		}
		p.pending[e.Server] = nil
		return b.send(e.Message)
	}
	return nil
}
