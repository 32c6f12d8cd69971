package main

import (
	"context"
	"errors"
	"flag"
	"fmt"
	"os"
	"os/signal"
)

func main() {
	ctx, stop := signal.NotifyContext(context.Background(), os.Interrupt)
	defer stop()
	if err := run(ctx, os.Args[1:]); err != nil {
		fmt.Fprintln(os.Stderr, "bench:", err)
		os.Exit(1)
	}
}

// settings are the flags that all measurements share.
type settings struct {
	codeintel string // the binary under test
	list      string // corpora.json
	checkouts string // folder of checkouts by name; empty uses releases
	only      string // one corpus by name
	runs      int
}

func run(ctx context.Context, args []string) error {
	if len(args) == 0 {
		return errors.New("usage: bench corpus|servers|overhead [flags]")
	}
	var s settings
	flags := flag.NewFlagSet(args[0], flag.ContinueOnError)
	flags.StringVar(&s.codeintel, "codeintel", "bin/codeintel", "the codeintel `binary`")
	flags.StringVar(&s.list, "list", "bench/corpora.json", "the `file` that pins the corpora")
	flags.StringVar(&s.checkouts, "corpora", "", "`folder` of checkouts by name; empty: fetch the pinned releases")
	flags.StringVar(&s.only, "only", "", "`name` of one corpus")
	flags.IntVar(&s.runs, "runs", 10, "alternating runs per measurement")
	if err := flags.Parse(args[1:]); err != nil {
		return err
	}
	corpora, err := load(s)
	if err != nil {
		return err
	}
	work, err := os.MkdirTemp("", "codeintel-bench-")
	if err != nil {
		return err
	}
	defer os.RemoveAll(work)
	switch args[0] {
	case "corpus":
		return checkCorpora(ctx, s, corpora, work)
	case "servers":
		return compareServers(ctx, s, corpora, work)
	case "overhead":
		return compareOverhead(ctx, s, corpora, work)
	}
	return fmt.Errorf("no measurement is called %q", args[0])
}
