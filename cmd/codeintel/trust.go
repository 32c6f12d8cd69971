package main

import (
	"errors"
	"fmt"
	"io/fs"
	"strings"

	"github.com/spf13/cobra"

	"codeintel/cmd/codeintel/config"
	"codeintel/tools"
)

func (a *app) trustCommand() *cobra.Command {
	var remove, list bool
	cmd := &cobra.Command{
		Use:   "trust [DIR] [flags]",
		Short: "Let a workspace's own language servers run",
		Long: `Let the language servers that a folder brings along (node_modules/.bin and the
like) be run for workspaces in it. Without trust they never are: a cloned
repository could bring anything.`,
		Example: `  codeintel trust .
  codeintel trust ~/src/project --remove
  codeintel trust --list`,
		Args: args(0, 1, "one DIR"),
		RunE: func(_ *cobra.Command, args []string) error {
			dirs, err := a.dirs()
			if err != nil {
				return err
			}
			trust := config.OpenTrust(dirs.Data)
			if list {
				if len(args) > 0 || remove {
					return usageError("--list goes with neither DIR nor --remove")
				}
				return a.listTrust(trust)
			}
			if len(args) == 0 {
				return usageError("name the DIR to trust, or give --list")
			}
			if remove {
				return a.distrust(trust, args[0])
			}
			return a.trust(trust, args[0])
		},
	}
	cmd.Flags().BoolVar(&remove, "remove", false, "trust it no longer")
	cmd.Flags().BoolVar(&list, "list", false, "print the trusted folders")
	return cmd
}

func (a *app) trust(t *config.Trust, dir string) error {
	real, err := t.Add(a.abs(dir))
	if errors.Is(err, fs.ErrNotExist) {
		return &tools.Error{Code: tools.NotADirectory, Message: fmt.Sprintf("%s: there is no such folder", dir)}
	}
	if err != nil {
		return usageError("%v", err)
	}
	if a.flags.json {
		return a.printJSON(map[string]any{"trusted": real})
	}
	return a.print("trusted: " + real + "\n")
}

func (a *app) distrust(t *config.Trust, dir string) error {
	removed, err := t.Remove(a.abs(dir))
	if err != nil {
		return err
	}
	if !removed {
		a.found(0)
		a.note("%s was not trusted by itself (codeintel trust --list)", dir)
		return nil
	}
	if a.flags.json {
		return a.printJSON(map[string]any{"removed": dir})
	}
	return a.print("no longer trusted: " + dir + "\n")
}

func (a *app) listTrust(t *config.Trust) error {
	list, err := t.List()
	if err != nil {
		return err
	}
	a.found(len(list))
	if a.flags.json {
		return a.printJSON(map[string]any{"trusted": append([]string{}, list...)})
	}
	return a.print(strings.Join(append(list, ""), "\n"))
}
