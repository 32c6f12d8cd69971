package main

import (
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"strconv"
	"strings"
	"time"

	"codeintel/lsp"
)

// compareServers times every check of every corpus in alternating runs, and then
// by itself what the files cost that codeintel opens beside the declaring one.
func compareServers(ctx context.Context, s settings, corpora []corpus, work string) error {
	printLoad(s.out, "at the start")
	defer printLoad(s.out, "at the end")
	servers, err := findServers(ctx, s)
	if err != nil {
		return err
	}
	var failed []error
	for _, c := range corpora {
		root, err := c.place(ctx, s, work)
		if err != nil {
			return err
		}
		var most int64
		for i, q := range c.Checks {
			cs, err := contenders(s, servers, root, q)
			if err != nil {
				return err
			}
			results, err := race(ctx, s.runs, cs)
			if err != nil {
				return fmt.Errorf("%s %s: %w", c.Name, q.Symbol, err)
			}
			if err := printTable(s.out, c.Name+" "+q.Symbol, results); err != nil {
				return err
			}
			most = max(most, results[0].cost.memory)
			if err := comparePlan(ctx, s, c, root, q, filepath.Join(work, fmt.Sprintf("%s-%d.trace", c.Name, i))); err != nil {
				return err
			}
		}
		fmt.Fprintf(s.out, "%s: codeintel and its servers used at most %.0f MB\n\n", c.Name, float64(most)/1e6)
		failed = append(failed, c.checkMemory(most))
	}
	return errors.Join(failed...)
}

// checkMemory compares bytes with what the corpus allows.
func (c corpus) checkMemory(used int64) error {
	if limit := c.MaxMemoryMB * 1e6; limit > 0 && used > limit {
		return fmt.Errorf("%s: codeintel and its servers used %.0f MB, allowed are %d", c.Name, float64(used)/1e6, c.MaxMemoryMB)
	}
	return nil
}

// contenders are codeintel and the raw servers for the question's language.
func contenders(s settings, servers map[string]string, root string, q check) ([]contender, error) {
	out := []contender{{"codeintel", func(ctx context.Context) (cost, string, error) { return runCodeintel(ctx, s, root, q) }}}
	file, line, column, err := split(q.At)
	if err != nil {
		return nil, err
	}
	if filepath.Ext(file) == ".go" {
		return append(out, contender{"gopls references", func(ctx context.Context) (cost, string, error) {
			return runGopls(ctx, servers["gopls"], root, q)
		}}), nil
	}
	raw := func(command []string, options any) func(context.Context) (cost, string, error) {
		return func(ctx context.Context) (cost, string, error) {
			return runRaw(ctx, rawQuestion{root, file, line, column, options}, command...)
		}
	}
	if tsc := servers["typescript"]; tsc != "" {
		out = append(out, contender{"tsc --lsp raw", raw([]string{tsc, "--lsp", "--stdio"}, nil)})
	}
	if cli, server := servers["typescript-language-server"], servers["tsserver.js"]; cli != "" && server != "" {
		out = append(out, contender{"tsserver raw", raw([]string{"node", cli, "--stdio"},
			map[string]any{"tsserver": map[string]any{"path": server, "useSyntaxServer": "never"}})})
	}
	return out, nil
}

// findServers asks codeintel's doctor where the servers are.
func findServers(ctx context.Context, s settings) (map[string]string, error) {
	program, err := s.program()
	if err != nil {
		return nil, err
	}
	out, err := output(ctx, "", program, "doctor", "--json")
	if err != nil && len(out) == 0 { // what is missing is a status, too
		return nil, err
	}
	return parseDoctor(out)
}

// parseDoctor returns the paths of the servers that doctor names, by kind; and of
// what belongs to them: TypeScript 7's program and tsserver.js.
func parseDoctor(out []byte) (map[string]string, error) {
	var d struct {
		Servers []struct {
			Kind string `json:"kind"`
			Path string `json:"path"`
		} `json:"servers"`
	}
	if err := json.Unmarshal(out, &d); err != nil {
		return nil, fmt.Errorf("codeintel doctor --json: %w", err)
	}
	found := map[string]string{}
	for _, v := range d.Servers {
		found[v.Kind] = v.Path
		switch {
		case v.Path == "":
		case v.Kind == "typescript":
			native, _ := filepath.Glob(filepath.Join(filepath.Dir(v.Path), "@typescript", "typescript-*", "lib", "tsc"))
			if len(native) > 0 {
				found[v.Kind] = native[0]
			}
		case v.Kind == "typescript-language-server":
			for dir := filepath.Dir(v.Path); dir != filepath.Dir(dir); dir = filepath.Dir(dir) {
				js := filepath.Join(dir, "typescript", "lib", "tsserver.js")
				if _, err := os.Stat(js); err == nil {
					found["tsserver.js"] = js
					break
				}
			}
		}
	}
	return found, nil
}

func split(at string) (file string, line, column int, err error) {
	parts := strings.Split(at, ":")
	if len(parts) != 3 {
		return "", 0, 0, fmt.Errorf("%q is not file:line:column", at)
	}
	if line, err = strconv.Atoi(parts[1]); err != nil {
		return "", 0, 0, fmt.Errorf("%q is not file:line:column: %w", at, err)
	}
	if column, err = strconv.Atoi(parts[2]); err != nil {
		return "", 0, 0, fmt.Errorf("%q is not file:line:column: %w", at, err)
	}
	return parts[0], line, column, nil
}

func refs(n int) string { return fmt.Sprintf("%d refs", n) }

func runCodeintel(ctx context.Context, s settings, root string, q check, env ...string) (cost, string, error) {
	program, err := s.program()
	if err != nil {
		return cost{}, "", err
	}
	ran, err := timed(ctx, command{root, env, append([]string{program}, questionArguments(root, q.At)...)})
	if err != nil {
		return cost{}, "", err
	}
	a, err := parseAnswer(ran.stdout)
	if err != nil {
		return cost{}, "", err
	}
	return ran.cost, refs(len(a.References)), nil
}

func runGopls(ctx context.Context, gopls, root string, q check) (cost, string, error) {
	if gopls == "" {
		return cost{}, "", errors.New("codeintel doctor knows no gopls")
	}
	ran, err := timed(ctx, command{root, nil, []string{gopls, "references", "-d", q.At}})
	if err != nil {
		return cost{}, "", err
	}
	return ran.cost, refs(bytes.Count(ran.stdout, []byte("\n"))), nil
}

// rawQuestion is a question as a plain client asks it.
type rawQuestion struct {
	root, file   string
	line, column int // 1-based, in UTF-16 units
	options      any // initializationOptions
}

// runRaw starts a server, opens the declaring file and asks once. The wall time
// ends with the answer.
func runRaw(ctx context.Context, q rawQuestion, command ...string) (cost, string, error) {
	start := time.Now()
	b, err := startBare(ctx, q.root, command...)
	if err != nil {
		return cost{}, "", err
	}
	found, err := q.ask(ctx, b)
	wall := time.Since(start)
	c := b.end()
	c.wall = wall
	return c, refs(found), err
}

func (q rawQuestion) ask(ctx context.Context, b *bare) (int, error) {
	path := filepath.Join(q.root, filepath.FromSlash(q.file))
	text, err := os.ReadFile(path)
	if err != nil {
		return 0, err
	}
	uri, err := lsp.URIOf(path)
	if err != nil {
		return 0, err
	}
	root, err := lsp.URIOf(q.root)
	if err != nil {
		return 0, err
	}
	if _, err := b.call(ctx, 1, "initialize", map[string]any{"processId": os.Getpid(), "rootUri": root,
		"initializationOptions": q.options, "capabilities": map[string]any{}}); err != nil {
		return 0, err
	}
	if err := b.notify("initialized", map[string]any{}); err != nil {
		return 0, err
	}
	if err := b.notify("textDocument/didOpen", map[string]any{"textDocument": map[string]any{
		"uri": uri, "languageId": "typescript", "version": 1, "text": string(text)}}); err != nil {
		return 0, err
	}
	out, err := b.call(ctx, 2, "textDocument/references", map[string]any{"textDocument": map[string]any{"uri": uri},
		"position": map[string]any{"line": q.line - 1, "character": q.column - 1}, "context": map[string]any{"includeDeclaration": true}})
	if err != nil {
		return 0, err
	}
	return countLocations(out)
}

// countLocations returns the number of different locations of an answer: tsserver
// lists many twice, and servers escape URIs differently.
func countLocations(result []byte) (int, error) {
	var all []struct {
		URI   string `json:"uri"`
		Range struct {
			Start, End struct{ Line, Character int }
		} `json:"range"`
	}
	if err := json.Unmarshal(result, &all); err != nil {
		return 0, err
	}
	seen := map[string]bool{}
	for _, l := range all {
		seen[fmt.Sprint(pathOf(l.URI), l.Range)] = true
	}
	return len(seen), nil
}
