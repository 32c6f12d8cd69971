package main

import (
	"bytes"
	"context"
	"encoding/json"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"sort"
	"strconv"
	"strings"
	"time"
)

// contender is one way to answer a question, run from a cold start.
type contender struct {
	name string
	run  func(ctx context.Context) (cost, int, error) // and the number of references
}

// compareServers times every check of every corpus in alternating runs.
func compareServers(ctx context.Context, s settings, corpora []corpus, work string) error {
	for _, c := range corpora {
		root, err := c.place(ctx, s, work)
		if err != nil {
			return err
		}
		for _, q := range c.Checks {
			cs, err := contenders(s, root, q)
			if err != nil {
				return err
			}
			if err := race(ctx, s.runs, c.Name+" "+q.Symbol, cs); err != nil {
				return err
			}
		}
	}
	return nil
}

// contenders are codeintel and the raw servers for the question's language.
func contenders(s settings, root string, q check) ([]contender, error) {
	tools, err := findServers(s)
	if err != nil {
		return nil, err
	}
	out := []contender{{"codeintel", func(ctx context.Context) (cost, int, error) { return runCodeintel(ctx, s, root, q) }}}
	file, line, column, err := split(q.At)
	if err != nil {
		return nil, err
	}
	if filepath.Ext(file) == ".go" {
		return append(out, contender{"gopls references", func(ctx context.Context) (cost, int, error) {
			return runGopls(ctx, tools["gopls"], root, q)
		}}), nil
	}
	raw := func(command []string, options any) func(context.Context) (cost, int, error) {
		return func(ctx context.Context) (cost, int, error) {
			return runRaw(ctx, root, file, line, column, options, command...)
		}
	}
	out = append(out, contender{"tsc --lsp raw", raw([]string{tools["typescript"], "--lsp", "--stdio"}, nil)})
	if cli, server := tools["typescript-language-server"], tools["tsserver.js"]; cli != "" && server != "" {
		out = append(out, contender{"tsserver raw", raw([]string{"node", cli, "--stdio"},
			map[string]any{"tsserver": map[string]any{"path": server, "useSyntaxServer": "never"}})})
	}
	return out, nil
}

// findServers asks codeintel's doctor where the servers are.
func findServers(s settings) (map[string]string, error) {
	out, err := exec.Command(s.codeintel, "doctor", "--json").Output()
	if err != nil && len(out) == 0 {
		return nil, err
	}
	var d struct {
		Servers []struct {
			Name    string   `json:"kind"`
			Path    string   `json:"path"`
			Command []string `json:"command"`
		} `json:"servers"`
	}
	if err := json.Unmarshal(out, &d); err != nil {
		return nil, err
	}
	found := map[string]string{}
	for _, v := range d.Servers {
		found[v.Name] = v.Path
		if v.Name == "typescript" {
			if native, _ := filepath.Glob(filepath.Join(filepath.Dir(v.Path), "@typescript", "typescript-*", "lib", "tsc")); len(native) > 0 {
				found[v.Name] = native[0]
			}
		}
		if v.Name == "typescript-language-server" && v.Path != "" {
			js := filepath.Join(filepath.Dir(v.Path), "..", "..", "typescript", "lib", "tsserver.js")
			if _, err := os.Stat(js); err == nil {
				found["tsserver.js"] = js
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
		return "", 0, 0, err
	}
	column, err = strconv.Atoi(parts[2])
	return parts[0], line, column, err
}

func runCodeintel(ctx context.Context, s settings, root string, q check) (cost, int, error) {
	binary, err := filepath.Abs(s.codeintel)
	if err != nil {
		return cost{}, 0, err
	}
	out, c, err := timed(ctx, root, binary, "refs", "--json", "--yes", "--no-daemon", "--root", root, "--at", q.At)
	if err != nil {
		return c, 0, err
	}
	var a answer
	err = json.Unmarshal(out, &a)
	return c, len(a.References), err
}

func runGopls(ctx context.Context, gopls, root string, q check) (cost, int, error) {
	out, c, err := timed(ctx, root, gopls, "references", "-d", q.At)
	return c, bytes.Count(out, []byte("\n")), err
}

func timed(ctx context.Context, dir, name string, args ...string) ([]byte, cost, error) {
	cmd := exec.CommandContext(ctx, name, args...)
	cmd.Dir = dir
	var stderr bytes.Buffer
	cmd.Stderr = &stderr
	start := time.Now()
	out, err := cmd.Output()
	if err != nil {
		return nil, cost{}, fmt.Errorf("%s: %w\n%s", name, err, stderr.String())
	}
	c := costOf(cmd)
	c.wall = time.Since(start)
	return out, c, nil
}

// runRaw opens the declaring file and asks once, as a plain client does.
func runRaw(ctx context.Context, root, file string, line, column int, options any, command ...string) (cost, int, error) {
	text, err := os.ReadFile(filepath.Join(root, file))
	if err != nil {
		return cost{}, 0, err
	}
	start := time.Now()
	b, err := startBare(ctx, root, command...)
	if err != nil {
		return cost{}, 0, err
	}
	n, err := rawQuestion(ctx, b, root, file, string(text), line, column, options)
	wall := time.Since(start)
	c, _ := b.end()
	c.wall = wall
	return c, n, err
}

func rawQuestion(ctx context.Context, b *bare, root, file, text string, line, column int, options any) (int, error) {
	uri := "file://" + filepath.ToSlash(filepath.Join(root, file))
	if _, err := b.call(ctx, 1, "initialize", map[string]any{"processId": os.Getpid(), "rootUri": "file://" + root,
		"initializationOptions": options, "capabilities": map[string]any{}}); err != nil {
		return 0, err
	}
	if err := b.notify("initialized", map[string]any{}); err != nil {
		return 0, err
	}
	if err := b.notify("textDocument/didOpen", map[string]any{"textDocument": map[string]any{
		"uri": uri, "languageId": "typescript", "version": 1, "text": text}}); err != nil {
		return 0, err
	}
	out, err := b.call(ctx, 2, "textDocument/references", map[string]any{"textDocument": map[string]any{"uri": uri},
		"position": map[string]any{"line": line - 1, "character": column - 1}, "context": map[string]any{"includeDeclaration": true}})
	if err != nil {
		return 0, err
	}
	var locations []json.RawMessage
	if err := json.Unmarshal(out, &locations); err != nil {
		return 0, err
	}
	return len(locations), nil
}

// race runs the contenders in turn, n times, and prints medians and ratios to
// the first.
func race(ctx context.Context, n int, title string, cs []contender) error {
	walls, cpus := make([][]time.Duration, len(cs)), make([][]time.Duration, len(cs))
	found := make([]int, len(cs))
	for round := 0; round < n; round++ {
		for i, c := range cs {
			used, refs, err := c.run(ctx)
			if err != nil {
				return fmt.Errorf("%s: %s: %w", title, c.name, err)
			}
			walls[i], cpus[i], found[i] = append(walls[i], used.wall), append(cpus[i], used.cpu), refs
		}
	}
	for i, c := range cs {
		wall, cpu := median(walls[i]), median(cpus[i])
		fmt.Printf("%-24s %-18s %6d refs  wall %7.3fs  cpu %7.3fs", title, c.name, found[i], wall.Seconds(), cpu.Seconds())
		if i > 0 {
			fmt.Printf("  codeintel/it: wall %.2f cpu %.2f", ratio(median(walls[0]), wall), ratio(median(cpus[0]), cpu))
		}
		fmt.Println()
	}
	return nil
}

func ratio(a, b time.Duration) float64 { return float64(a) / float64(b) }

func median(ds []time.Duration) time.Duration {
	sorted := append([]time.Duration(nil), ds...)
	sort.Slice(sorted, func(i, j int) bool { return sorted[i] < sorted[j] })
	return sorted[len(sorted)/2]
}
