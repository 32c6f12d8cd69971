package main

import (
	"context"
	"fmt"
	"strings"
	"time"

	"github.com/dustin/go-humanize"
	"github.com/spf13/cobra"

	"codeintel/index"
	"codeintel/index/store"
	"codeintel/lsp"
	"codeintel/lsp/install"
)

// skippedShown is how many skipped files of one reason the text names.
const skippedShown = 5

func (a *app) statusCommand() *cobra.Command {
	return &cobra.Command{
		Use:   "status [flags]",
		Short: "Show the state of the workspace and its index",
		Long: `Show the state of the workspace and its index: how fresh it is, how much it
holds of each language, what was skipped and why, which language servers there
are. Nothing is built and no server is started; see index and doctor.`,
		Example: `  codeintel status
  codeintel status --json
  codeintel status --root ~/src/project`,
		Args: args(0, 0, "no argument"),
		RunE: func(cmd *cobra.Command, _ []string) error { return a.status(cmd.Context()) },
	}
}

// statusJSON is what status --json prints.
type statusJSON struct {
	Root    string `json:"root"`
	RootWhy string `json:"rootWhy"`
	// State is fresh, stale, missing, corrupt, old format or other options.
	State  string `json:"state"`
	Damage string `json:"damage"`
	Dir    string `json:"dir"`
	Bytes  int64  `json:"bytes"`

	Files      int              `json:"files"`
	Indexed    int              `json:"indexed"`
	Unindexed  int              `json:"unindexed"`
	Symbols    int              `json:"symbols"`
	Names      int              `json:"names"`
	Languages  []languageJSON   `json:"languages"`
	Skipped    []skippedJSON    `json:"skipped"`
	Unreadable []string         `json:"unreadable"`
	ScanMillis float64          `json:"scanMillis"`
	Servers    []serverFoundRow `json:"servers"`
}

type languageJSON struct {
	Language string `json:"language"` // "" for files without one
	Files    int    `json:"files"`
	Bytes    int64  `json:"bytes"`
	Symbols  int    `json:"symbols"`
	Grammar  bool   `json:"grammar"`
}

type skippedJSON struct {
	File   string `json:"file"`
	Reason string `json:"reason"`
}

// serverFoundRow is a language server that is there, not started.
type serverFoundRow struct {
	Kind lsp.Kind `json:"kind"`
	Path string   `json:"path"` // empty when it is missing
}

func (a *app) status(ctx context.Context) error {
	at, err := a.surroundings("")
	if err != nil {
		return err
	}
	began := time.Now()
	ws, err := index.Open(ctx, at.root, index.Options{Cache: at.dirs.Cache})
	if err != nil {
		return fmt.Errorf("opening the workspace: %w", err)
	}
	defer ws.Close()
	scan := time.Since(began)
	s := ws.Snapshot()
	defer s.Release()
	out := statusOf(s.Status())
	out.RootWhy, out.ScanMillis = at.why, float64(scan.Microseconds())/1000
	finder := install.Finder{Root: ws.Root(), DataDir: at.dirs.Data, Env: a.environ}
	for _, k := range lsp.Kinds() {
		row := serverFoundRow{Kind: k}
		if found, _ := finder.Find(recipeOf(k)); len(found) > 0 {
			row.Path = found[0].Shown
		}
		out.Servers = append(out.Servers, row)
	}
	if a.flags.json {
		return a.printJSON(out)
	}
	return a.print(out.text())
}

func statusOf(st index.Status) statusJSON {
	out := statusJSON{
		Root: st.Root, State: stateOf(st), Damage: st.Damage, Dir: st.Dir, Bytes: st.Bytes,
		Files: st.Files, Indexed: st.Indexed, Unindexed: st.Unindexed, Symbols: st.Symbols, Names: st.Names,
		Languages: []languageJSON{}, Skipped: []skippedJSON{}, Unreadable: append([]string{}, st.Unreadable...),
	}
	for _, l := range st.Languages {
		out.Languages = append(out.Languages, languageJSON{string(l.Language), l.Files, l.Bytes, l.Symbols, l.Grammar})
	}
	for _, s := range st.Skipped {
		out.Skipped = append(out.Skipped, skippedJSON{s.Path, s.Reason})
	}
	return out
}

// stateOf says whether what is stored is all there is.
func stateOf(st index.Status) string {
	switch {
	case st.State != store.Ready:
		return string(st.State)
	case st.Unindexed > 0:
		return "stale"
	}
	return "fresh"
}

func (s statusJSON) text() string {
	var b strings.Builder
	line := func(label, format string, args ...any) {
		fmt.Fprintf(&b, "%-11s %s\n", label, fmt.Sprintf(format, args...))
	}
	line("root", "%s (%s)", s.Root, s.RootWhy)
	line("index", "%s%s", s.State, s.explain())
	line("on disk", "%s in %s", megabytes(s.Bytes), s.Dir)
	line("checked", "%s in %.0f ms", plural(s.Files, "file"), s.ScanMillis)
	for _, dir := range s.Unreadable {
		line("unreadable", "%s", dir)
	}
	b.WriteString("\n")
	for _, l := range s.Languages {
		l.write(&b)
	}
	s.writeSkipped(&b)
	b.WriteString("\nlanguage servers\n")
	for _, k := range s.Servers {
		fmt.Fprintf(&b, "  %-10s %s\n", k.Kind, yesNo(k.Path != "", k.Path, "missing; installed on first use"))
	}
	return b.String()
}

// explain says what the state means for the next question.
func (s statusJSON) explain() string {
	switch s.State {
	case "fresh":
		return fmt.Sprintf(": %s, %s", plural(s.Indexed, "file"), plural(s.Symbols, "symbol"))
	case "stale":
		return fmt.Sprintf(": %s of %s to do", humanize.Comma(int64(s.Unindexed)), plural(s.Indexed+s.Unindexed, "file"))
	case string(store.Corrupt):
		return ": " + s.Damage + "; it is built anew"
	}
	return fmt.Sprintf(": %s to do", plural(s.Unindexed, "file"))
}

func (l languageJSON) write(b *strings.Builder) {
	name := l.Language
	if name == "" {
		name = "other"
	}
	fmt.Fprintf(b, "  %-16s %12s  %8s", name, plural(l.Files, "file"), megabytes(l.Bytes))
	if l.Grammar {
		fmt.Fprintf(b, "  %s", plural(l.Symbols, "symbol"))
	} else {
		b.WriteString("  text only")
	}
	b.WriteString("\n")
}

// writeSkipped names what was skipped, by reason.
func (s statusJSON) writeSkipped(b *strings.Builder) {
	var reasons []string
	files := map[string][]string{}
	for _, f := range s.Skipped {
		if files[f.Reason] == nil {
			reasons = append(reasons, f.Reason)
		}
		files[f.Reason] = append(files[f.Reason], f.File)
	}
	for _, r := range reasons {
		all := files[r]
		fmt.Fprintf(b, "\nskipped, %s: %s\n", r, plural(len(all), "file"))
		for _, f := range all[:min(len(all), skippedShown)] {
			fmt.Fprintf(b, "  %s\n", f)
		}
		if n := len(all) - skippedShown; n > 0 {
			fmt.Fprintf(b, "  and %d more (--json lists them)\n", n)
		}
	}
}
