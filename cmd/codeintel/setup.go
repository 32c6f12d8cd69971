package main

import (
	"context"
	"errors"
	"fmt"
	"os"
	"slices"
	"strings"

	"github.com/spf13/cobra"

	"codeintel/lsp"
	"codeintel/tools"
)

func (a *app) setupCommand() *cobra.Command {
	var check bool
	cmd := &cobra.Command{
		Use:   "setup [SERVER]... [flags]",
		Short: "Install the language servers that are missing",
		Long: `Install the language servers that are missing, pinned versions into the data
folder, and start each once. Usable ones on PATH are left as they are. Without
setup a missing server is installed when it is first needed.

SERVER is one of: ` + kindNames() + `.`,
		Example: `  codeintel setup
  codeintel setup gopls
  codeintel setup --check`,
		ValidArgs: strings.Split(kindNames(), ", "),
		RunE: func(cmd *cobra.Command, args []string) error {
			return a.setup(cmd.Context(), args, check)
		},
	}
	cmd.Flags().BoolVar(&check, "check", false, "install nothing; exit 1 when something is missing")
	return cmd
}

func kindNames() string {
	var names []string
	for _, k := range lsp.Kinds() {
		names = append(names, string(k))
	}
	return strings.Join(names, ", ")
}

// setupResult is the outcome for one server.
type setupResult struct {
	Kind    lsp.Kind `json:"kind"`
	Works   bool     `json:"works"`
	Version string   `json:"version,omitempty"`
	Install string   `json:"install,omitempty"`
	Error   string   `json:"error,omitempty"`
}

func (a *app) setup(ctx context.Context, names []string, check bool) error {
	kinds, err := kindsNamed(names)
	if err != nil {
		return err
	}
	pool, end, err := a.setupPool(check)
	if err != nil {
		return err
	}
	defer end()
	missing := 0
	results := []setupResult{}
	for _, k := range kinds {
		r := a.setupOne(ctx, pool, k)
		if ctx.Err() != nil {
			return &tools.Error{Code: tools.Canceled, Message: "setup: interrupted"}
		}
		if !r.Works {
			missing++
		}
		results = append(results, r)
		if !a.flags.json {
			if err := a.print(r.text()); err != nil {
				return err
			}
		}
	}
	switch {
	case missing > 0 && check:
		a.exit = tools.ExitNone
	case missing > 0:
		a.exit = tools.ExitNoService
	}
	if a.flags.json {
		return a.printJSON(results)
	}
	return nil
}

func kindsNamed(names []string) ([]lsp.Kind, error) {
	if len(names) == 0 {
		return lsp.Kinds(), nil
	}
	var out []lsp.Kind
	for _, name := range names {
		if !slices.Contains(lsp.Kinds(), lsp.Kind(name)) {
			return nil, usageError("setup %s: the servers are %s", name, kindNames())
		}
		out = append(out, lsp.Kind(name))
	}
	return out, nil
}

// setupPool returns a pool over an empty folder, so that starting a server loads
// no project.
func (a *app) setupPool(check bool) (*lsp.Pool, func(), error) {
	dirs, err := a.dirs()
	if err != nil {
		return nil, nil, err
	}
	cfg, err := a.load(dirs, "")
	if err != nil {
		return nil, nil, err
	}
	if !cfg.Install && !check {
		return nil, nil, usageError("setup: installing is forbidden (codeintel config shows where); codeintel setup --check shows what is missing")
	}
	empty, err := os.MkdirTemp("", "codeintel-setup-")
	if err != nil {
		return nil, nil, fmt.Errorf("setup: %w", err)
	}
	o := a.poolOptions(empty, dirs, cfg, false)
	o.NoInstall = check
	pool := lsp.NewPool(o)
	return pool, func() {
		_ = pool.Close()
		os.RemoveAll(empty)
	}, nil
}

func (a *app) setupOne(ctx context.Context, pool *lsp.Pool, k lsp.Kind) setupResult {
	a.progress.status("setting up " + string(k))
	r := setupResult{Kind: k}
	server, err := pool.Server(ctx, k)
	if err != nil {
		r.Error = err.Error()
		var missing *lsp.MissingError
		if errors.As(err, &missing) {
			r.Install = missing.Install
		}
		if missing != nil && missing.Err == nil && len(missing.Skipped) == 0 {
			r.Error = "" // nothing is wrong with it, it is not there
		}
		return r
	}
	r.Works, r.Version = true, server.Version()
	return r
}

func (r setupResult) text() string {
	switch {
	case r.Works:
		return fmt.Sprintf("works    %s %s\n", r.Kind, r.Version)
	case r.Install != "" && r.Error == "":
		return fmt.Sprintf("missing  %s\n         codeintel setup installs it, as would: %s\n", r.Kind, r.Install)
	}
	return fmt.Sprintf("missing  %s\n         %s\n", r.Kind, r.Error)
}
