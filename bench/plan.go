package main

import (
	"context"
	"encoding/json"
	"fmt"
	"net/url"
	"os"
	"path/filepath"
	"time"
)

// A plan is what codeintel sent one server up to its first question for
// references: above all the documents that it opened to make the answer complete.
type plan struct {
	server   string
	command  []string
	messages []json.RawMessage // in order, didOpen among them; the question apart
	question json.RawMessage
}

// plansOf reads the plans of all servers that were asked for references, in the
// order of their first questions.
func plansOf(entries []entry) []plan {
	open := map[string]*plan{}
	var out []plan
	for _, e := range entries {
		if len(e.Command) > 0 {
			open[e.Server] = &plan{server: e.Server, command: e.Command}
		}
		p := open[e.Server]
		var m message
		if p == nil || !e.Sent || len(e.Message) == 0 || json.Unmarshal(e.Message, &m) != nil || m.Method == "" {
			continue
		}
		if m.Method != "textDocument/references" {
			p.messages = append(p.messages, e.Message)
			continue
		}
		p.question = e.Message
		out = append(out, *p)
		delete(open, e.Server)
	}
	return out
}

// target returns the URI of the document that a message is about.
func target(raw json.RawMessage) string {
	var m struct {
		Params struct {
			TextDocument struct {
				URI string `json:"uri"`
			} `json:"textDocument"`
		} `json:"params"`
	}
	_ = json.Unmarshal(raw, &m)
	return m.Params.TextDocument.URI
}

// pathOf returns the path of a file URI, other URIs as they are: servers escape
// differently, so only paths can be compared.
func pathOf(uri string) string {
	if u, err := url.Parse(uri); err == nil && u.Scheme == "file" {
		return filepath.Clean(filepath.FromSlash(u.Path))
	}
	return uri
}

// opens reports whether a message opens a document.
func opens(raw json.RawMessage) bool {
	var m message
	return json.Unmarshal(raw, &m) == nil && m.Method == "textDocument/didOpen"
}

// documents returns the number of documents that a plan opens.
func (p plan) documents() int {
	n := 0
	for _, m := range p.messages {
		if opens(m) {
			n++
		}
	}
	return n
}

// alone returns the plan with the document of the question as the only open one.
func (p plan) alone() plan {
	out := p
	out.messages = nil
	asked := pathOf(target(p.question))
	for _, m := range p.messages {
		if !opens(m) || pathOf(target(m)) == asked {
			out.messages = append(out.messages, m)
		}
	}
	return out
}

// run plays a plan to a new server and returns what that cost up to the answer.
func (p plan) run(ctx context.Context, root string) (cost, string, error) {
	start := time.Now()
	b, err := startBare(ctx, root, p.command...)
	if err != nil {
		return cost{}, "", err
	}
	found, err := p.play(ctx, b)
	wall := time.Since(start)
	c := b.end()
	c.wall = wall
	return c, refs(found), err
}

func (p plan) play(ctx context.Context, b *bare) (int, error) {
	for _, raw := range p.messages {
		var m message
		if err := json.Unmarshal(raw, &m); err != nil {
			return 0, err
		}
		if len(m.ID) == 0 {
			if err := b.send(raw); err != nil {
				return 0, err
			}
			continue
		}
		if m.Method == "initialize" {
			raw = ownProcess(raw)
		}
		if _, err := b.ask(ctx, raw); err != nil {
			return 0, err
		}
	}
	result, err := b.ask(ctx, p.question)
	if err != nil {
		return 0, err
	}
	return countLocations(result)
}

// ownProcess returns a recorded initialize request with the number of this
// process: servers end when the client that they know of is gone.
func ownProcess(raw json.RawMessage) json.RawMessage {
	var m, params map[string]json.RawMessage
	if json.Unmarshal(raw, &m) != nil || json.Unmarshal(m["params"], &params) != nil {
		return raw
	}
	params["processId"] = json.RawMessage(fmt.Sprint(os.Getpid()))
	var err error
	if m["params"], err = json.Marshal(params); err != nil {
		return raw
	}
	out, err := json.Marshal(m)
	if err != nil {
		return raw
	}
	return out
}

// comparePlan asks the same question of the same server by the bare client: with
// the documents open that codeintel opened, and with the declaring one alone.
func comparePlan(ctx context.Context, s settings, c corpus, root string, q check, trace string) error {
	entries, err := record(ctx, s, root, q, trace)
	if err != nil {
		return err
	}
	for _, p := range plansOf(entries) {
		title := fmt.Sprintf("%s %s: %s by a bare client", c.Name, q.Symbol, p.server)
		n := p.documents()
		if n <= 1 {
			fmt.Fprintf(s.out, "%s: codeintel opens no document beside the declaring one\n", title)
			continue
		}
		only := p.alone()
		results, err := race(ctx, s.runs, []contender{
			{fmt.Sprintf("%d documents open", n), func(ctx context.Context) (cost, string, error) { return p.run(ctx, root) }},
			{fmt.Sprintf("%d document open", only.documents()), func(ctx context.Context) (cost, string, error) { return only.run(ctx, root) }},
		})
		if err != nil {
			return fmt.Errorf("%s: %w", title, err)
		}
		if err := printTable(s.out, title, results); err != nil {
			return err
		}
		more, less := results[0], results[1]
		fmt.Fprintf(s.out, "  completeness costs %d more documents: %+.3f s wall, %+.3f s cpu, %+.0f MB; %s instead of %s\n",
			n-only.documents(), (more.cost.wall - less.cost.wall).Seconds(), (more.cost.cpu - less.cost.cpu).Seconds(),
			float64(more.cost.memory-less.cost.memory)/1e6, more.note, less.note)
	}
	return nil
}
