package main

import (
	"errors"
	"strings"

	"github.com/spf13/cobra"
)

const rootExamples = `  codeintel refs ParseConfig src/config.ts     who uses it, on stdout
  codeintel refs src/config.ts:12:17           the symbol at a place
  codeintel read Server.Close server.go        the whole method
  codeintel def Server main.go                 where it is defined
  codeintel callers Close server.go            who calls it
  codeintel symbols src                        what the files define
  codeintel find nSR                           newSnapshotReader, wherever it is
  codeintel doctor                             what is found, and what is missing`

// command builds the command tree.
func (a *app) command() *cobra.Command {
	root := &cobra.Command{
		Use:   "codeintel",
		Short: "Exact answers about code: references, functions, definitions, callers",
		Long: `Codeintel answers questions about code from language servers, and says how sure
each answer is. It finds the servers it needs, or installs them once.

Answers go to stdout, all else to stderr. Exit status: 0 found, 1 nothing found,
2 wrong arguments or an ambiguous name, 3 a large answer waits for approval,
4 refused by you, 5 blocked or outside the workspace, 6 nothing can answer for
this kind of file, 7 out of time or interrupted, 70 a bug.`,
		Example:       rootExamples,
		SilenceErrors: true, SilenceUsage: true,
		PersistentPreRunE: func(cmd *cobra.Command, _ []string) error {
			a.running = true
			if a.stdoutClosed {
				return errors.New("stdout is closed: there is nowhere to put the answer")
			}
			return a.checkFlags(cmd)
		},
	}
	cobra.EnableCommandSorting = false // the most used command comes first
	root.SetIn(a.stdin)
	root.SetOut(a.stdout)
	root.SetErr(a.stderr)
	root.SetHelpTemplate(helpTemplate)
	root.SetUsageTemplate(helpTemplate)
	pf := root.PersistentFlags()
	pf.StringVar(&a.flags.root, "root", "", "workspace root `DIR` (default: found from FILE or the current folder)")
	pf.BoolVar(&a.flags.json, "json", false, "print JSON")
	pf.StringVar(&a.flags.color, "color", "auto", "use colour `WHEN`: auto, always or never")
	root.AddGroup(&cobra.Group{ID: "ask", Title: "Questions:"}, &cobra.Group{ID: "run", Title: "Setting up:"})
	ask := []*cobra.Command{a.refsCommand(), a.readCommand(), a.defCommand(), a.callersCommand(), a.calleesCommand(), a.implementationsCommand(), a.symbolsCommand(), a.findCommand()}
	run := []*cobra.Command{a.indexCommand(), a.statusCommand(), a.cacheCommand(), a.doctorCommand(), a.setupCommand(), a.trustCommand(), a.configCommand(), a.versionCommand()}
	for _, c := range ask {
		c.GroupID = "ask"
		completeValues(c, "format", "text", "lines", "json", "jsonl")
		completeValues(c, "tier", "exact", "syntactic", "textual")
		completeValues(c, "kind", symbolKinds()...)
	}
	for _, c := range run {
		c.GroupID = "run"
	}
	root.AddCommand(ask...)
	root.AddCommand(run...)
	completeValues(root, "color", "auto", "always", "never")
	root.SetHelpCommandGroupID("run")
	root.SetCompletionCommandGroupID("run")
	root.InitDefaultCompletionCmd()
	return root
}

// checkFlags refuses values of flags that would be taken for something else.
func (a *app) checkFlags(cmd *cobra.Command) error {
	switch a.flags.color {
	case "auto", "always", "never":
	default:
		return usageError("--color %s: it is auto, always or never", a.flags.color)
	}
	if line := cmd.Flag("line"); line != nil && line.Changed && line.Value.String() == "0" {
		return usageError("--line 0: lines are counted from 1")
	}
	return nil
}

// completeValues lets shells complete a flag's values.
func completeValues(cmd *cobra.Command, flag string, values ...string) {
	if cmd.Flag(flag) == nil {
		return
	}
	// It fails only for a flag that is not there.
	_ = cmd.RegisterFlagCompletionFunc(flag, cobra.FixedCompletions(values, cobra.ShellCompDirectiveNoFileComp))
}

// helpTemplate shows examples before flags: they answer most questions.
const helpTemplate = `{{with or .Long .Short}}{{. | trimTrailingWhitespaces}}

{{end}}{{if .HasExample}}Examples:
{{.Example}}

{{end}}Usage:
{{if .Runnable}}  {{.UseLine}}
{{end}}{{if .HasAvailableSubCommands}}  {{.CommandPath}} COMMAND
{{range $group := .Groups}}
{{.Title}}
{{range $.Commands}}{{if and (eq .GroupID $group.ID) (or .IsAvailableCommand (eq .Name "help"))}}  {{rpad .Name .NamePadding}} {{.Short}}
{{end}}{{end}}{{end}}{{if not .AllChildCommandsHaveGroup}}
Commands:
{{range .Commands}}{{if and (eq .GroupID "") .IsAvailableCommand}}  {{rpad .Name .NamePadding}} {{.Short}}
{{end}}{{end}}{{end}}{{end}}{{if .HasAvailableLocalFlags}}
Flags:
{{.LocalFlags.FlagUsages | trimTrailingWhitespaces}}
{{end}}{{if .HasAvailableInheritedFlags}}
Everywhere:
{{.InheritedFlags.FlagUsages | trimTrailingWhitespaces}}
{{end}}{{if .HasAvailableSubCommands}}
{{.CommandPath}} COMMAND --help tells more.
{{end}}`

// answerFlags adds the flags of commands that ask language servers.
func (a *app) answerFlags(cmd *cobra.Command) {
	f := cmd.Flags()
	f.StringVar(&a.flags.timeout, "timeout", "", "wait at most `TIME` (30s, 2m, or a number of seconds) for\nlanguage servers, then answer from the syntax (default:\nno limit)")
	f.StringVar(&a.flags.tier, "tier", "", "answer from exact (or fail), syntactic or textual `SOURCE`\n(default: the best there is)")
	f.BoolVar(&a.flags.noInstall, "no-install", false, "do not install a missing language server")
	f.BoolVar(&a.flags.noDaemon, "no-daemon", false, "run in this process (there is no other way yet)")
}

// approvalFlags adds the flags about large answers.
func (a *app) approvalFlags(cmd *cobra.Command) {
	f := cmd.Flags()
	f.BoolVarP(&a.flags.yes, "yes", "y", false, "show a large answer without asking")
	f.StringVar(&a.flags.threshold, "threshold", "", "lines shown without asking: `N` (0 asks always, -1 never; default 50)")
	f.BoolVar(&a.flags.noInput, "no-input", false, "never ask; exit 3 instead")
}

// placeFlags adds --at, --pos and --line.
func addPlaceFlags(cmd *cobra.Command, p *placeFlags) {
	f := cmd.Flags()
	f.StringVar(&p.at, "at", "", "the symbol at `FILE:LINE:COL`, counted from 1, columns in bytes")
	f.StringVar(&p.pos, "pos", "", "place in FILE as `LINE,CHAR`, counted from 0, UTF-16 units")
	f.IntVar(&p.line, "line", 0, "line `N` of FILE that holds the symbol, counted from 1")
}

// args bounds the number of arguments, with a message that shows the form.
func args(least, most int, form string) cobra.PositionalArgs {
	return func(cmd *cobra.Command, given []string) error {
		if len(given) < least || most >= 0 && len(given) > most {
			return usageError("%s takes %s, not %q%s", cmd.CommandPath(), form, strings.Join(given, " "), usageHint(cmd))
		}
		return nil
	}
}
