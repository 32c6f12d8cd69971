package main

import (
	"context"
	"encoding/json"
	"fmt"

	"github.com/spf13/cobra"

	"codeintel/index"
	"codeintel/symbols"
	"codeintel/tools"
)

// findOptions are the flags of find.
type findOptions struct {
	kinds []string
	path  string
	limit int
}

func (a *app) findCommand() *cobra.Command {
	var o findOptions
	cmd := &cobra.Command{
		Use:   "find NAME [flags]",
		Short: "Find definitions by name in the whole workspace",
		Long: `Find definitions by name in the whole workspace, best first. NAME is a name, a
prefix of it, the beginnings of its words (nSR finds newSnapshotReader) or some of
its letters; it may be qualified by what is around it: Type.member, package.Name,
folder/Name. When nothing fits, names that are spelt alike are shown. The index is
brought up to date first; no language server is needed.`,
		Example: `  codeintel find Workspace
  codeintel find Workspace.Apply
  codeintel find nSR --kind function
  codeintel find config --path internal --limit 50`,
		Args: args(1, 1, "a NAME"),
		RunE: func(cmd *cobra.Command, args []string) error { return a.find(cmd.Context(), args[0], o) },
	}
	f := cmd.Flags()
	f.StringSliceVar(&o.kinds, "kind", nil, "keep only this `KIND`: function, class, method, …")
	f.StringVar(&o.path, "path", "", "keep only what is in this file or folder `PATH`")
	f.IntVar(&o.limit, "limit", tools.DefaultFindLimit, "show at most `N` definitions")
	return cmd
}

func (a *app) find(ctx context.Context, name string, o findOptions) error {
	if o.limit < 1 {
		return usageError("--limit %d: it is a number of definitions from 1", o.limit)
	}
	return a.with(ctx, "", func(ctx context.Context, s *session) error {
		answer, err := s.engine.FindSymbols(ctx, tools.FindSymbolsParams{Query: name, Kinds: o.kinds, Path: o.path, Limit: o.limit})
		if err != nil {
			return err
		}
		a.reportTiming(s, answer)
		a.found(len(answer.Symbols))
		if a.flags.json {
			return a.printJSON(answer.JSON())
		}
		return a.print(answer.Text())
	})
}

// timingJSON is what CODEINTEL_TIMING=1 prints on stderr, in microseconds.
type timingJSON struct {
	Open   int64 `json:"openMicros"`
	Scan   int64 `json:"scanMicros"`
	Lookup int64 `json:"lookupMicros"`
}

// reportTiming prints where the time went, for measurements.
func (a *app) reportTiming(s *session, answer *tools.FindSymbolsAnswer) {
	if on, _ := a.env("CODEINTEL_TIMING"); on != "1" {
		return
	}
	t := s.ws.Timing()
	// Numbers can always be encoded.
	text, _ := json.Marshal(timingJSON{t.Open.Microseconds(), t.Scan.Microseconds(), answer.Took.Microseconds()})
	fmt.Fprintf(a.stderr, "%s\n", text)
}

// symbolKinds returns the values of --kind.
func symbolKinds() []string {
	var out []string
	for _, k := range symbols.Kinds() {
		out = append(out, string(k))
	}
	return out
}

// indexing returns what shows how far the index has come: a bar on a terminal,
// nothing elsewhere.
func (a *app) indexing() func(index.Progress) {
	if !a.stderrTTY {
		return nil
	}
	return a.progress.files
}
