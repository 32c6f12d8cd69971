package main

import (
	"context"
	"errors"
	"flag"
	"fmt"
	"io"
	"os"
	"os/signal"
)

func main() {
	ctx, stop := signal.NotifyContext(context.Background(), os.Interrupt)
	defer stop()
	if err := run(ctx, os.Args[1:], os.Stdout); err != nil {
		fmt.Fprintln(os.Stderr, "bench:", err)
		os.Exit(1)
	}
}

// settings are the flags of all measurements.
type settings struct {
	out       io.Writer
	codeintel string // the binary under test
	list      string // corpora.json or sources.json
	checkouts string // folder of checkouts by name; empty uses releases
	only      string // one corpus by name
	runs      int
	large     bool // also the largest synthetic tree
	// kubernetes and typescript add pinned sources to the folders to index.
	kubernetes, typescript bool
	dirs                   []string // what is to be indexed
}

const usage = "usage: bench corpus|servers|overhead|scan [flags], or bench index [flags] DIR…"

func run(ctx context.Context, args []string, out io.Writer) error {
	if len(args) == 0 {
		return errors.New(usage)
	}
	if args[0] == baselineCommand { // index runs it to have it measured
		return runBaseline(out, args[1:])
	}
	s := settings{out: out}
	flags := flag.NewFlagSet(args[0], flag.ContinueOnError)
	flags.SetOutput(out)
	flags.StringVar(&s.codeintel, "codeintel", "bin/codeintel", "the codeintel `binary`")
	var measure func(context.Context, settings, string) error
	switch args[0] {
	case "corpus":
		measure = onCorpora(checkCorpora)
		s.corporaFlags(flags)
	case "servers":
		measure = onCorpora(compareServers)
		s.corporaFlags(flags)
		s.runsFlag(flags, 10)
	case "overhead":
		measure = onCorpora(compareOverhead)
		s.corporaFlags(flags)
		s.runsFlag(flags, 10)
	case "index":
		measure = compareIndex
		s.indexFlags(flags)
		s.runsFlag(flags, 5)
	case "scan":
		measure = measureScan
		s.runsFlag(flags, 10)
		flags.BoolVar(&s.large, "large", false, "also a tree of 500,000 files (2 GB on most disks)")
	default:
		return fmt.Errorf("no measurement is called %q; %s", args[0], usage)
	}
	if err := flags.Parse(args[1:]); err != nil {
		return err
	}
	if s.dirs = flags.Args(); len(s.dirs) > 0 && args[0] != "index" {
		return fmt.Errorf("%s takes no arguments, only flags: %q", args[0], s.dirs)
	}
	work, err := os.MkdirTemp("", "codeintel-bench-")
	if err != nil {
		return err
	}
	defer os.RemoveAll(work)
	return measure(ctx, s, work)
}

func (s *settings) corporaFlags(flags *flag.FlagSet) {
	flags.StringVar(&s.list, "list", "bench/corpora.json", "the `file` that pins the corpora")
	flags.StringVar(&s.checkouts, "corpora", "", "`folder` of checkouts by name; empty: fetch the pinned releases")
	flags.StringVar(&s.only, "only", "", "`name` of one corpus")
}

func (s *settings) runsFlag(flags *flag.FlagSet, n int) {
	flags.IntVar(&s.runs, "runs", n, "alternating runs per measurement")
}

func (s *settings) indexFlags(flags *flag.FlagSet) {
	flags.StringVar(&s.list, "list", "bench/sources.json", "the `file` that pins the sources")
	flags.BoolVar(&s.kubernetes, "kubernetes", false, "index the pinned Kubernetes, from the Go module cache")
	flags.BoolVar(&s.typescript, "typescript", false, "index the pinned npm sources")
}

// onCorpora gives a measurement the corpora that the flags name.
func onCorpora(measure func(context.Context, settings, []corpus, string) error) func(context.Context, settings, string) error {
	return func(ctx context.Context, s settings, work string) error {
		corpora, err := load(s)
		if err != nil {
			return err
		}
		return measure(ctx, s, corpora, work)
	}
}
