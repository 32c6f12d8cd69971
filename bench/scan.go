package main

import (
	"bytes"
	"context"
	"encoding/json"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"text/tabwriter"
	"time"
)

// measureScan makes trees of many small files and times a question for a name to
// a warm index of each, told apart by what codeintel says of its parts.
func measureScan(ctx context.Context, s settings, work string) error {
	printLoad(s.out, "at the start")
	defer printLoad(s.out, "at the end")
	sizes := []int{5_000, 50_000}
	if s.large {
		sizes = append(sizes, 500_000)
	}
	w := tabwriter.NewWriter(s.out, 0, 0, 2, ' ', 0)
	fmt.Fprintln(w, "files\tindex s\topen ms\tscan ms\tlookup ms\twall ms\tcpu ms\tpeak MB\trg --files ms")
	for _, n := range sizes {
		row, err := s.scanTree(ctx, n, work)
		if err != nil {
			return fmt.Errorf("%d files: %w", n, err)
		}
		fmt.Fprintln(w, row)
		if err := w.Flush(); err != nil { // a large tree takes long
			return err
		}
	}
	return nil
}

// scanTree measures one tree and returns its row.
func (s settings) scanTree(ctx context.Context, n int, work string) (string, error) {
	root := filepath.Join(work, fmt.Sprintf("tree-%d", n))
	defer os.RemoveAll(root)
	if err := growTree(root, n); err != nil {
		return "", err
	}
	cache := filepath.Join(work, fmt.Sprintf("cache-%d", n))
	defer os.RemoveAll(cache)
	program, err := s.program()
	if err != nil {
		return "", err
	}
	indexed, err := timed(ctx, command{root, withCache(cache), append([]string{program}, indexArguments(root)...)})
	if err != nil {
		return "", err
	}
	var timings []timing
	cs := []contender{{"codeintel find", func(ctx context.Context) (cost, string, error) {
		t, c, err := findOnce(ctx, program, root, cache, n/2)
		timings = append(timings, t)
		return c, "", err
	}}}
	if _, err := exec.LookPath("rg"); err == nil {
		cs = append(cs, listing(root))
	}
	rs, err := race(ctx, s.runs, cs)
	if err != nil {
		return "", err
	}
	listed := "not on PATH"
	if len(rs) > 1 {
		listed = fmt.Sprintf("%.1f", rs[1].cost.wall.Seconds()*1e3)
	}
	t, ms := medianTiming(timings), func(d time.Duration) float64 { return d.Seconds() * 1e3 }
	return fmt.Sprintf("%d\t%.2f\t%.1f\t%.1f\t%.1f\t%.1f\t%.1f\t%.0f\t%s", n, indexed.cost.wall.Seconds(),
		ms(t.open), ms(t.scan), ms(t.lookup), ms(rs[0].cost.wall), ms(rs[0].cost.cpu), float64(rs[0].cost.memory)/1e6, listed), nil
}

// timing is what codeintel says of the parts of a question.
type timing struct {
	open, scan, lookup time.Duration
}

func medianTiming(all []timing) timing {
	var opens, scans, lookups []time.Duration
	for _, t := range all {
		opens, scans, lookups = append(opens, t.open), append(scans, t.scan), append(lookups, t.lookup)
	}
	return timing{median(opens), median(scans), median(lookups)}
}

// findOnce asks codeintel for the symbol of a file of the tree: the one place to
// change when the command, or the way to ask for its times, does.
func findOnce(ctx context.Context, program, root, cache string, file int) (timing, cost, error) {
	name := symbolOf(file)
	env := append(withCache(cache), "CODEINTEL_TIMING=1")
	ran, err := timed(ctx, command{root, env, []string{program, "find", name, "--json", "--root", root}})
	if err != nil {
		return timing{}, cost{}, err
	}
	if want := pathOfFile(file); !bytes.Contains(ran.stdout, []byte(want)) {
		return timing{}, cost{}, fmt.Errorf("the answer for %s does not name %s: %.300s", name, want, ran.stdout)
	}
	t, err := parseTiming(ran.stderr)
	return t, ran.cost, err
}

// parseTiming finds the line of times in what codeintel says on stderr.
func parseTiming(stderr []byte) (timing, error) {
	for line := range bytes.Lines(stderr) {
		var v struct{ OpenMicros, ScanMicros, LookupMicros *int64 }
		if json.Unmarshal(line, &v) == nil && v.OpenMicros != nil && v.ScanMicros != nil && v.LookupMicros != nil {
			return timing{micros(*v.OpenMicros), micros(*v.ScanMicros), micros(*v.LookupMicros)}, nil
		}
	}
	return timing{}, fmt.Errorf("codeintel printed no times on stderr: %.300s", stderr)
}

func micros(n int64) time.Duration { return time.Duration(n) * time.Microsecond }

// The synthetic tree: perFolder files to a folder, perFolder folders to a folder.
const perFolder = 50

// pathOfFile returns the path of a file of the tree, with slashes. Every third
// is Go, TypeScript, Python.
func pathOfFile(i int) string {
	ending := []string{"go", "ts", "py"}[i%3]
	return fmt.Sprintf("d%03d/p%02d/file%06d.%s", i/perFolder/perFolder, i/perFolder%perFolder, i, ending)
}

// symbolOf returns the name of the symbol that only one file defines.
func symbolOf(i int) string { return fmt.Sprintf("Thing%06d", i) }

// textOfFile returns a small source text that defines the file's symbol, uses
// that of another file, and names what all files name.
func textOfFile(i int) string {
	own, other := symbolOf(i), symbolOf(i/2)
	switch i % 3 {
	case 0:
		return fmt.Sprintf("package p%02d\n\n// %s is a thing.\ntype %[2]s struct{ name string }\n\n// Name returns the name.\nfunc (t *%[2]s) Name() string { return t.name }\n\nfunc new%[2]s(other *%[3]s) *%[2]s {\n\treturn &%[2]s{name: other.Name()}\n}\n",
			i/perFolder%perFolder, own, other)
	case 1:
		return fmt.Sprintf("import { %[2]s } from './other';\n\n/** A thing. */\nexport class %[1]s {\n  constructor(private name: string) {}\n  getName(other: %[2]s): string {\n    return this.name + other.getName(this);\n  }\n}\n", own, other)
	}
	return fmt.Sprintf("from other import %[2]s\n\n\nclass %[1]s:\n    \"\"\"A thing.\"\"\"\n\n    def name(self, other: %[2]s) -> str:\n        return other.name(self)\n", own, other)
}

// growTree makes a tree of n files.
func growTree(root string, n int) error {
	for i := range n {
		path := filepath.Join(root, filepath.FromSlash(pathOfFile(i)))
		if i%perFolder == 0 {
			if err := os.MkdirAll(filepath.Dir(path), 0o755); err != nil {
				return err
			}
		}
		if err := os.WriteFile(path, []byte(textOfFile(i)), 0o644); err != nil {
			return err
		}
	}
	return nil
}
