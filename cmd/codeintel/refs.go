package main

import (
	"context"

	"github.com/spf13/cobra"

	"codeintel/refs"
	"codeintel/tools"
)

// refsOptions are the flags of refs.
type refsOptions struct {
	place           placeFlags
	format          string
	files, counts   bool
	declaration     bool
	includeExternal bool
}

func (a *app) refsCommand() *cobra.Command {
	var o refsOptions
	cmd := &cobra.Command{
		Use:   "refs {SYMBOL [FILE] | FILE:LINE:COL} [flags]",
		Short: "Find all references to a symbol",
		Long: `Find all references to a symbol, grouped by the function that holds them.

SYMBOL is exact and may be qualified: Type.member, pkg.Name, Ns::name. FILE is any
file that defines or uses it; without FILE the workspace is searched for its
definition. Text that is not exact or not complete says so in a note.

More than 50 reference lines need your approval: on a terminal you are asked.`,
		Example: `  codeintel refs Workspace.Apply index/workspace.go
  codeintel refs src/user.ts:12:17             as compilers print it
  codeintel refs Name command.go --line 1541   one of several of that name
  codeintel refs Command command.go --yes      however many there are
  codeintel refs Command command.go -c         counts per file, never asks
  codeintel refs Name command.go --format lines | vim -q -`,
		Args: args(0, 2, "SYMBOL FILE or FILE:LINE:COL"),
		RunE: func(cmd *cobra.Command, args []string) error { return a.refs(cmd.Context(), args, o) },
	}
	addPlaceFlags(cmd, &o.place)
	f := cmd.Flags()
	f.StringVar(&o.format, "format", "", "print as `FORM`: text, lines (path:line:col:text, paths from\nthe current folder), json or jsonl")
	f.BoolVarP(&o.files, "files", "l", false, "print only the paths of files with references")
	f.BoolVarP(&o.counts, "count", "c", false, "print only path:count per file")
	f.BoolVar(&o.declaration, "include-declaration", true, "count the declaration as a reference")
	f.BoolVar(&o.includeExternal, "include-external", false, "list files outside the workspace too")
	a.approvalFlags(cmd)
	a.answerFlags(cmd)
	return cmd
}

// form is how an answer is printed.
func (o refsOptions) form(json bool) (string, error) {
	switch {
	case o.files && o.counts, (o.files || o.counts) && o.format != "":
		return "", usageError("-l, -c and --format exclude each other")
	case o.files && json:
		return "", usageError("-l prints paths; -c --json prints them with their counts")
	case o.files:
		return "files", nil
	case o.counts:
		return "counts", nil
	case json && (o.format == "" || o.format == "json"):
		return "json", nil
	case json && o.format != "jsonl":
		return "", usageError("--json and --format %s exclude each other", o.format)
	}
	switch o.format {
	case "":
		return "text", nil
	case "text", "lines", "json", "jsonl":
		return o.format, nil
	}
	return "", usageError("--format %s: it is text, lines, json or jsonl", o.format)
}

func (a *app) refs(ctx context.Context, args []string, o refsOptions) error {
	form, err := o.form(a.flags.json)
	if err != nil {
		return err
	}
	if form == "json" || form == "jsonl" {
		a.flags.json = true
	}
	r, err := a.parseRequest(args, o.place)
	if err != nil {
		return err
	}
	r.spot.file = a.locate(r.spot.file)
	a.asksServers = true
	return a.with(ctx, r.spot.file, func(ctx context.Context, s *session) error {
		answer, err := s.engine.FindReferences(ctx, tools.FindReferencesParams{
			Symbol: r.symbol, FilePath: r.spot.file, Place: r.place(),
			ExcludeDeclaration: !o.declaration, IncludeExternal: o.includeExternal,
			Tier: refs.Precision(s.config.Tier), CountsOnly: form == "files" || form == "counts",
		})
		if err != nil {
			return err
		}
		a.found(answer.Total)
		return a.printReferences(s, answer, form)
	})
}

func (a *app) printReferences(s *session, answer *tools.ReferencesAnswer, form string) error {
	switch {
	case form == "json":
		return a.printJSON(answer.JSON())
	case form == "counts" && a.flags.json:
		return a.printJSON(answer.CountsJSON())
	case form == "text":
		return a.printText(answer)
	}
	if answer.Total == 0 {
		a.note("%s", answer.Text())
	} else if note := answer.Note(); note != "" {
		a.note("note: %s", note)
	}
	switch form {
	case "jsonl":
		return a.print(answer.JSONLines())
	case "lines":
		return a.print(answer.Lines(s.root, a.realDir()))
	case "files":
		return a.print(answer.Paths())
	}
	return a.print(answer.Counts())
}

// printText prints the grouped text; on a terminal with colour, and with what
// the text has no room for.
func (a *app) printText(answer *tools.ReferencesAnswer) error {
	text := answer.Text()
	if a.colored(a.stdoutTTY) {
		text = decorate(text, answer.Symbol)
	}
	if err := a.print(text); err != nil {
		return err
	}
	if answer.External > 0 && a.stderrTTY {
		a.note("%d more outside the workspace (--include-external lists them)", answer.External)
	}
	return nil
}
