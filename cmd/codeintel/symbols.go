package main

import (
	"context"

	"github.com/spf13/cobra"

	"codeintel/tools"
)

func (a *app) symbolsCommand() *cobra.Command {
	var locals bool
	cmd := &cobra.Command{
		Use:   "symbols [FILE | DIR]... [flags]",
		Short: "List what files define",
		Long: `List the definitions of files, or of all files below folders, in source order.
The current folder is taken when nothing is named. No language server is needed.`,
		Example: `  codeintel symbols src/user.ts
  codeintel symbols internal --json
  codeintel symbols . | less`,
		RunE: func(cmd *cobra.Command, args []string) error { return a.symbols(cmd.Context(), args, locals) },
	}
	cmd.Flags().BoolVar(&locals, "locals", false, "parameters and variables inside functions too")
	return cmd
}

func (a *app) symbols(ctx context.Context, args []string, locals bool) error {
	if len(args) == 0 {
		args = []string{"."}
	}
	for i, arg := range args {
		args[i] = a.locate(arg)
	}
	return a.with(ctx, args[0], func(ctx context.Context, s *session) error {
		all := &tools.OutlineAnswer{Path: args[0]}
		for _, arg := range args {
			answer, err := s.engine.Outline(ctx, tools.OutlineParams{Path: arg, IncludeLocal: locals})
			if err != nil {
				return err
			}
			if len(args) == 1 {
				all = answer
				break
			}
			all.Files = append(all.Files, answer.Files...)
			all.Skipped = append(all.Skipped, answer.Skipped...)
		}
		for _, skipped := range all.Skipped {
			a.note("%s: %s", skipped.Path, skipped.Reason)
		}
		a.found(all.Total())
		if a.flags.json {
			return a.printJSON(all.JSON())
		}
		return a.print(all.Text())
	})
}
