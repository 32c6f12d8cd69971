package main

import (
	"bytes"
	"context"
	"fmt"
	"io"
	"os"
	"os/exec"
	"path/filepath"
	"runtime"
	"slices"
	"strings"
	"syscall"
	"text/tabwriter"
	"time"
)

// cost is what a process and the processes that it started used.
type cost struct {
	wall, cpu time.Duration
	memory    int64 // peak resident bytes, all processes together
}

// command is a program to be run and measured.
type command struct {
	dir  string
	env  []string // added to the environment
	args []string // the program first
}

// outcome is what a command printed and used.
type outcome struct {
	stdout, stderr []byte
	cost           cost
}

// timed runs a command to its end. A status other than 0 is an error that holds
// what the command said.
func timed(ctx context.Context, c command) (*outcome, error) {
	cmd := exec.CommandContext(ctx, c.args[0], c.args[1:]...)
	cmd.Dir = c.dir
	cmd.Env = append(os.Environ(), c.env...)
	var stdout, stderr bytes.Buffer
	cmd.Stdout, cmd.Stderr = &stdout, &stderr
	start := time.Now()
	if err := cmd.Start(); err != nil {
		return nil, err
	}
	w := watch(cmd.Process.Pid)
	err := cmd.Wait()
	wall := time.Since(start)
	seen := w.end()
	if err != nil {
		return nil, fmt.Errorf("%s: %w\n%s", strings.Join(c.args, " "), err, stderr.Bytes())
	}
	used := costOf(cmd.ProcessState, seen)
	used.wall = wall
	return &outcome{stdout.Bytes(), stderr.Bytes(), used}, nil
}

// costOf joins what the system says of an ended process and of the children that
// it waited for with what was seen of it and of those that it did not. Both can
// miss something and neither counts too much, so the larger is taken.
func costOf(state *os.ProcessState, seen cost) cost {
	c := cost{cpu: max(state.UserTime()+state.SystemTime(), seen.cpu), memory: seen.memory}
	if u, ok := state.SysUsage().(*syscall.Rusage); ok {
		c.memory = max(c.memory, maxResident(u))
	}
	return c
}

// maxResident returns the peak of the largest process, in bytes: the system
// counts in KiB, macOS in bytes.
func maxResident(u *syscall.Rusage) int64 {
	if runtime.GOOS == "darwin" {
		return u.Maxrss
	}
	return u.Maxrss << 10
}

// contender is one way to do the same work, run from a cold start.
type contender struct {
	name string
	// run returns what was used and a note of what came out, as "158 refs".
	run func(ctx context.Context) (cost, string, error)
}

// result is what the runs of a contender used: the medians of the times, and the
// most of the memory, since that is what must fit.
type result struct {
	name, note string
	cost       cost
}

// race runs the contenders in turn, n times, so that what else the machine does
// meets all of them alike.
func race(ctx context.Context, n int, cs []contender) ([]result, error) {
	if n < 1 {
		return nil, fmt.Errorf("%d runs are too few", n)
	}
	costs, notes := make([][]cost, len(cs)), make([][]string, len(cs))
	for range n {
		for i, c := range cs {
			used, note, err := c.run(ctx)
			if err != nil {
				return nil, fmt.Errorf("%s: %w", c.name, err)
			}
			costs[i] = append(costs[i], used)
			if !slices.Contains(notes[i], note) {
				notes[i] = append(notes[i], note)
			}
		}
	}
	out := make([]result, len(cs))
	for i, c := range cs {
		out[i] = result{c.name, strings.Join(notes[i], " or "), summary(costs[i])}
	}
	return out, nil
}

func summary(costs []cost) cost {
	var walls, cpus []time.Duration
	var s cost
	for _, c := range costs {
		walls, cpus = append(walls, c.wall), append(cpus, c.cpu)
		s.memory = max(s.memory, c.memory)
	}
	s.wall, s.cpu = median(walls), median(cpus)
	return s
}

// median returns the middle value, or the mean of the middle two; 0 for none.
func median(ds []time.Duration) time.Duration {
	if len(ds) == 0 {
		return 0
	}
	sorted := slices.Clone(ds)
	slices.Sort(sorted)
	m := len(sorted) / 2
	if len(sorted)%2 == 1 {
		return sorted[m]
	}
	return (sorted[m-1] + sorted[m]) / 2
}

// ratio writes a/b, "-" when there is nothing to compare.
func ratio[T ~int64](a, b T) string {
	if a <= 0 || b <= 0 {
		return "-"
	}
	return fmt.Sprintf("%.2f", float64(a)/float64(b))
}

// printTable writes results below a title, and beside all but the first the
// ratios of the first to them.
func printTable(out io.Writer, title string, rs []result) error {
	var table bytes.Buffer
	w := tabwriter.NewWriter(&table, 0, 0, 2, ' ', 0)
	fmt.Fprintf(w, "\t\twall s\tcpu s\tpeak MB\t%s / it:\twall\tcpu\tpeak\t\n", rs[0].name)
	for i, r := range rs {
		fmt.Fprintf(w, "%s\t%s\t%.3f\t%.3f\t%.0f\t\t", r.name, r.note, r.cost.wall.Seconds(), r.cost.cpu.Seconds(), float64(r.cost.memory)/1e6)
		if first := rs[0].cost; i == 0 {
			fmt.Fprintln(w, "\t\t\t")
		} else {
			fmt.Fprintf(w, "%s\t%s\t%s\t\n", ratio(first.wall, r.cost.wall), ratio(first.cpu, r.cost.cpu), ratio(first.memory, r.cost.memory))
		}
	}
	if err := w.Flush(); err != nil {
		return err
	}
	fmt.Fprintln(out, title)
	for line := range strings.Lines(table.String()) {
		if _, err := fmt.Fprintln(out, "  "+strings.TrimRight(line, " \n")); err != nil {
			return err
		}
	}
	return nil
}

// printLoad writes how busy the machine is, where the system says: figures of a
// loaded machine are no truth.
func printLoad(out io.Writer, when string) {
	if load, err := os.ReadFile("/proc/loadavg"); err == nil {
		fmt.Fprintf(out, "load %s (1, 5, 15 minutes; %d processors): %s\n", when, runtime.NumCPU(), strings.Join(strings.Fields(string(load))[:3], " "))
	}
}

// program returns the path of the program under test.
func (s settings) program() (string, error) { return filepath.Abs(s.codeintel) }
