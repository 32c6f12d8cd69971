package main

import (
	"context"
	"regexp"
	"strings"

	"github.com/spf13/cobra"

	"codeintel/symbols"
	"codeintel/tools"
)

// readOptions are the flags of read.
type readOptions struct {
	line  int
	lines string
	doc   bool
}

func (a *app) readCommand() *cobra.Command {
	var o readOptions
	cmd := &cobra.Command{
		Use:   "read {SYMBOL... [FILE] | FILE:LINE | FILE:A-B}... [flags]",
		Short: "Read whole functions, methods and types",
		Long: `Read the whole definition of a function, method or type, with line numbers.

A symbol is looked up in the FILE that follows it. A line means the definition
around it, a range of lines the definitions that it touches. Overloads are all
shown. Several can be read at once. In a notebook FILE#CELL names a cell, and the
lines count in it.`,
		Example: `  codeintel read Workspace.Apply index/workspace.go
  codeintel read Open Close server.go          two of one file
  codeintel read src/user.ts:42                the function around line 42
  codeintel read src/user.ts:40-90             all functions on these lines
  codeintel read parse a.ts parse b.ts --doc   with their doc comments`,
		Args: args(1, -1, "SYMBOL FILE, FILE:LINE or FILE:A-B"),
		RunE: func(cmd *cobra.Command, args []string) error { return a.read(cmd.Context(), args, o) },
	}
	f := cmd.Flags()
	f.IntVar(&o.line, "line", 0, "the definition around line `N` of FILE, counted from 1")
	f.StringVar(&o.lines, "lines", "", "the definitions on lines `A-B` of FILE")
	f.BoolVar(&o.doc, "doc", false, "begin with the doc comment")
	return cmd
}

func (a *app) read(ctx context.Context, args []string, o readOptions) error {
	wanted, err := a.parseRead(args, o)
	if err != nil {
		return err
	}
	return a.with(ctx, wanted[0].FilePath, func(ctx context.Context, s *session) error {
		results, err := s.engine.ReadFunctions(ctx, wanted)
		if err != nil {
			return err
		}
		return a.printFunctions(results)
	})
}

// printFunctions prints what could be read, in the order asked. What could not
// be read goes to stderr, the first of it decides the exit status.
func (a *app) printFunctions(results []tools.FunctionResult) error {
	var first error
	text, printed := "", 0
	list := []tools.FunctionsJSON{}
	for _, r := range results {
		if r.Err != nil {
			if first == nil {
				first = r.Err
			} else {
				a.note("%v", r.Err)
			}
			continue
		}
		if printed > 0 {
			text += tools.BlockSeparator
		}
		printed++
		text += r.Answer.Text()
		list = append(list, r.Answer.JSON())
	}
	var err error
	switch {
	case printed == 0:
	case a.flags.json && len(results) == 1:
		err = a.printJSON(list[0])
	case a.flags.json:
		err = a.printJSON(list)
	default:
		err = a.print(text)
	}
	if err != nil {
		return err
	}
	return first
}

// parseRead turns the arguments into what is to be read: symbols wait for the
// file that follows them. A single name that is no file is looked up in the
// workspace.
func (a *app) parseRead(args []string, o readOptions) ([]tools.ReadFunctionParams, error) {
	line, until, err := o.span()
	if err != nil {
		return nil, err
	}
	if len(args) == 1 && line == 0 && !a.isTarget(args[0]) && !strings.ContainsAny(args[0], `/\`) {
		return []tools.ReadFunctionParams{{Symbol: args[0], IncludeDoc: o.doc}}, nil
	}
	var out []tools.ReadFunctionParams
	var waiting []string
	for i, arg := range args {
		if i < len(args)-1 && !a.isTarget(arg) {
			waiting = append(waiting, arg)
			continue
		}
		at := a.parseSpot(arg)
		p := tools.ReadFunctionParams{FilePath: a.locate(at.file), Line: at.line, EndLine: at.until, Cell: at.cell, IncludeDoc: o.doc}
		if p.Line == 0 {
			p.Line, p.EndLine = line, until
		}
		if len(waiting) == 0 && p.Line == 0 {
			return nil, usageError("read %s: name a symbol before the file, or a line as %s:LINE", arg, arg)
		}
		out = append(out, each(waiting, p)...)
		waiting = nil
	}
	return out, nil
}

// each asks for p once per symbol, or once without one.
func each(waiting []string, p tools.ReadFunctionParams) []tools.ReadFunctionParams {
	if len(waiting) == 0 {
		return []tools.ReadFunctionParams{p}
	}
	out := make([]tools.ReadFunctionParams, len(waiting))
	for i, symbol := range waiting {
		p.Symbol = symbol
		out[i] = p
	}
	return out
}

// isTarget reports whether an argument of read is a place in an existing file,
// or a source file, and not a symbol. (The last argument always is a file.)
func (a *app) isTarget(arg string) bool {
	at := a.parseSpot(arg)
	if at.line > 0 {
		return a.exists(a.locate(at.file))
	}
	return symbols.LanguageOf(arg) != "" && a.isFile(a.locate(arg))
}

var spanForm = regexp.MustCompile(`^(\d+)-(\d+)$`)

// span returns the lines that --line or --lines name.
func (o readOptions) span() (line, until int, err error) {
	switch {
	case o.lines != "" && o.line != 0:
		return 0, 0, usageError("--line and --lines exclude each other")
	case o.line < 0:
		return 0, 0, usageError("--line %d: lines are counted from 1", o.line)
	case o.lines == "":
		return o.line, 0, nil
	}
	m := spanForm.FindStringSubmatch(o.lines)
	if m == nil || number(m[1]) == 0 {
		return 0, 0, usageError("--lines %q: the form is A-B, counted from 1, such as 10-40", o.lines)
	}
	return number(m[1]), number(m[2]), nil
}
