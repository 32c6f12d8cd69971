package main

import (
	"fmt"
	"path/filepath"
	"strings"

	"github.com/spf13/cobra"

	"codeintel/cmd/codeintel/config"
)

func (a *app) configCommand() *cobra.Command {
	return &cobra.Command{
		Use:   "config [flags]",
		Short: "Show each setting and where it comes from",
		Long: fmt.Sprintf(`Show each setting and where it comes from: defaults, then config.toml in your
configuration folder, then the environment, then flags. The variable of a key is
CODEINTEL_ and the key in capitals, dots as underscores.

A %s at a repository's root may only exclude paths and lower limits;
its other keys are refused.`, config.RepositoryFile),
		Example: `  codeintel config
  CODEINTEL_THRESHOLD=20 codeintel config --json
  codeintel config --root ~/src/project`,
		Args: args(0, 0, "no argument"),
		RunE: func(*cobra.Command, []string) error { return a.showConfig() },
	}
}

// configJSON is the JSON form of codeintel config.
type configJSON struct {
	Settings []config.Value   `json:"settings"`
	Refused  []config.Refusal `json:"refused"`
	File     string           `json:"file"`
	Root     string           `json:"root"`
	Data     string           `json:"dataDir"`
	Cache    string           `json:"cacheDir"`
}

func (a *app) showConfig() error {
	at, err := a.surroundings("")
	if err != nil {
		return err
	}
	root, dirs, cfg := at.root, at.dirs, at.config
	out := configJSON{
		Settings: cfg.Values(), Refused: append([]config.Refusal{}, cfg.Refused...),
		File: filepath.Join(dirs.Config, config.UserFile), Root: root, Data: dirs.Data, Cache: dirs.Cache,
	}
	if a.flags.json {
		return a.printJSON(out)
	}
	return a.print(out.text())
}

func (c configJSON) text() string {
	var b strings.Builder
	keyWidth, valueWidth := 0, 0
	for _, v := range c.Settings {
		keyWidth, valueWidth = max(keyWidth, len(v.Key)), max(valueWidth, len(shown(v.Value)))
	}
	for _, v := range c.Settings {
		fmt.Fprintf(&b, "%-*s  %-*s  %s\n", keyWidth, v.Key, valueWidth, shown(v.Value), v.Origin)
	}
	b.WriteString("\n")
	fmt.Fprintf(&b, "settings file  %s\n", c.File)
	fmt.Fprintf(&b, "root           %s\n", c.Root)
	fmt.Fprintf(&b, "data folder    %s\n", c.Data)
	fmt.Fprintf(&b, "cache folder   %s\n", c.Cache)
	for _, r := range c.Refused {
		fmt.Fprintf(&b, "refused        %s\n", refusal(r))
	}
	return b.String()
}

func refusal(r config.Refusal) string {
	if r.Key == "" {
		return fmt.Sprintf("%s: %s", r.File, r.Reason)
	}
	return fmt.Sprintf("%s: %s: %s", r.File, r.Key, r.Reason)
}

// shown makes an empty value visible.
func shown(v string) string {
	if v == "" {
		return "-"
	}
	return v
}
