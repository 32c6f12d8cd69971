package main

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
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
	printLoad(s.out, "at the start")
	defer printLoad(s.out, "at the end")
	for _, c := range corpora {
		root, err := c.place(ctx, s, work)
		if err != nil {
			return err
		}
		for i, q := range c.Checks {
			entries, err := record(ctx, s, root, q, filepath.Join(work, fmt.Sprintf("%s-%d.trace", c.Name, i)))
			if err != nil {
				return err
			}
			results, err := race(ctx, s.runs, []contender{
				{"codeintel", func(ctx context.Context) (cost, string, error) { return runCodeintel(ctx, s, root, q) }},
				{"bare replay", func(ctx context.Context) (cost, string, error) { return replay(ctx, root, entries) }},
			})
			if err != nil {
				return fmt.Errorf("%s %s: %w", c.Name, q.Symbol, err)
			}
			if err := printTable(s.out, c.Name+" "+q.Symbol, results); err != nil {
				return err
			}
		}
	}
	return nil
}

// record asks a question once and returns the messages that this took.
func record(ctx context.Context, s settings, root string, q check, trace string) ([]entry, error) {
	if _, _, err := runCodeintel(ctx, s, root, q, "CODEINTEL_TRACE="+trace); err != nil {
		return nil, err
	}
	f, err := os.Open(trace)
	if err != nil {
		return nil, err
	}
	defer f.Close()
	entries, err := readTrace(f)
	if err != nil {
		return nil, fmt.Errorf("%s: %w", trace, err)
	}
	return entries, nil
}

func readTrace(r io.Reader) ([]entry, error) {
	var out []entry
	for dec := json.NewDecoder(r); ; {
		var e entry
		if err := dec.Decode(&e); errors.Is(err, io.EOF) {
			return out, nil
		} else if err != nil {
			return nil, err
		}
		out = append(out, e)
	}
}

// player replays a trace: one bare client per server.
type player struct {
	root    string
	servers map[string]*bare
	pending map[string][]string // ids that codeintel had the answers of
	sent    int
}

// replay sends what codeintel sent, each message after the answers that had
// come before it. The time to end the servers counts, as it does for codeintel.
func replay(ctx context.Context, root string, entries []entry) (cost, string, error) {
	start := time.Now()
	p := &player{root: root, servers: map[string]*bare{}, pending: map[string][]string{}}
	err := p.play(ctx, entries)
	total := cost{}
	for _, b := range p.servers {
		c := b.end()
		total.cpu += c.cpu
		total.memory += c.memory
	}
	total.wall = time.Since(start)
	return total, fmt.Sprintf("%d messages", p.sent), err
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
		if len(e.Command) == 0 {
			return fmt.Errorf("the trace has no command for %s", e.Server)
		}
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
		p.sent++
		if m.Method == "initialize" {
			return b.send(ownProcess(e.Message))
		}
		return b.send(e.Message)
	}
	return nil
}
