package main

import (
	"context"

	"github.com/spf13/cobra"

	"codeintel/refs"
	"codeintel/tools"
)

// placesQuestion picks the engine's call of one command.
type placesQuestion func(*tools.Engine) func(context.Context, tools.PlacesParams) (*tools.PlacesAnswer, error)

func (a *app) defCommand() *cobra.Command {
	return a.placesCommand(&cobra.Command{
		Use:   "def {SYMBOL [FILE] | FILE:LINE:COL} [flags]",
		Short: "Find where a symbol is defined",
		Long: `Find where a symbol is defined: one path:line:col, name and source line per
definition. Definitions outside the workspace have absolute paths.`,
		Example: `  codeintel def Command main.go
  codeintel def main.go:12:9
  codeintel def fmt.Println main.go --json`,
	}, func(e *tools.Engine) func(context.Context, tools.PlacesParams) (*tools.PlacesAnswer, error) {
		return e.Definition
	})
}

func (a *app) callersCommand() *cobra.Command {
	return a.placesCommand(&cobra.Command{
		Use:   "callers {SYMBOL [FILE] | FILE:LINE:COL} [flags]",
		Short: "Find the calls of a function",
		Long:  `Find the calls of a function: a line per call, named by the function that calls.`,
		Example: `  codeintel callers Server.Close server.go
  codeintel callers server.go:88:18`,
	}, func(e *tools.Engine) func(context.Context, tools.PlacesParams) (*tools.PlacesAnswer, error) {
		return e.Callers
	})
}

func (a *app) calleesCommand() *cobra.Command {
	return a.placesCommand(&cobra.Command{
		Use:   "callees {SYMBOL [FILE] | FILE:LINE:COL} [flags]",
		Short: "Find the functions that a function calls",
		Long:  `Find the functions that a function calls: a line per function, where it is defined.`,
		Example: `  codeintel callees Server.Close server.go
  codeintel callees server.go:88:18`,
	}, func(e *tools.Engine) func(context.Context, tools.PlacesParams) (*tools.PlacesAnswer, error) {
		return e.Callees
	})
}

func (a *app) implementationsCommand() *cobra.Command {
	return a.placesCommand(&cobra.Command{
		Use:     "implementations {SYMBOL [FILE] | FILE:LINE:COL} [flags]",
		Aliases: []string{"impls"},
		Short:   "Find what implements an interface or a method",
		Long:    `Find what implements an interface or a method: one path:line:col, name and source line each.`,
		Example: `  codeintel implementations Store store.go
  codeintel implementations Store.Get store.go`,
	}, func(e *tools.Engine) func(context.Context, tools.PlacesParams) (*tools.PlacesAnswer, error) {
		return e.Implementations
	})
}

// placesCommand completes a command that prints places.
func (a *app) placesCommand(cmd *cobra.Command, question placesQuestion) *cobra.Command {
	var p placeFlags
	cmd.Args = args(0, 2, "SYMBOL FILE or FILE:LINE:COL")
	cmd.RunE = func(cmd *cobra.Command, args []string) error { return a.places(cmd.Context(), args, p, question) }
	addPlaceFlags(cmd, &p)
	a.approvalFlags(cmd)
	a.answerFlags(cmd)
	return cmd
}

func (a *app) places(ctx context.Context, args []string, p placeFlags, question placesQuestion) error {
	r, err := a.parseRequest(args, p)
	if err != nil {
		return err
	}
	r.spot.file = a.locate(r.spot.file)
	a.asksServers = true
	return a.with(ctx, r.spot.file, func(ctx context.Context, s *session) error {
		answer, err := question(s.engine)(ctx, tools.PlacesParams{
			Symbol: r.symbol, FilePath: r.spot.file, Place: r.place(), Tier: refs.Precision(s.config.Tier),
		})
		if err != nil {
			return err
		}
		a.found(len(answer.Rows))
		if a.flags.json {
			return a.printJSON(answer.JSON())
		}
		if note := answer.Note(); note != "" && len(answer.Rows) > 0 {
			a.note("note: %s", note)
		}
		return a.print(answer.Text())
	})
}
