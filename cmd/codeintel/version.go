package main

import (
	"fmt"
	"runtime"
	"runtime/debug"

	"github.com/spf13/cobra"
)

func (a *app) versionCommand() *cobra.Command {
	return &cobra.Command{
		Use:   "version",
		Short: "Print the version",
		Example: `  codeintel version
  codeintel version --json`,
		Args: args(0, 0, "no argument"),
		RunE: func(*cobra.Command, []string) error {
			v := buildVersion()
			if a.flags.json {
				return a.printJSON(v)
			}
			return a.print(v.String() + "\n")
		},
	}
}

// version says what this binary was built from.
type version struct {
	Version  string `json:"version"`
	Revision string `json:"revision,omitempty"`
	Time     string `json:"time,omitempty"`
	Modified bool   `json:"modified,omitempty"`
	Go       string `json:"go"`
	Platform string `json:"platform"`
}

func buildVersion() version {
	v := version{Version: "(unknown)", Go: runtime.Version(), Platform: runtime.GOOS + "/" + runtime.GOARCH}
	info, ok := debug.ReadBuildInfo()
	if !ok {
		return v
	}
	v.Version = info.Main.Version
	for _, s := range info.Settings {
		switch s.Key {
		case "vcs.revision":
			v.Revision = s.Value
		case "vcs.time":
			v.Time = s.Value
		case "vcs.modified":
			v.Modified = s.Value == "true"
		}
	}
	return v
}

// String renders the version in a line.
func (v version) String() string {
	out := "codeintel " + v.Version
	if v.Revision != "" {
		out += fmt.Sprintf(" (%.12s", v.Revision)
		if v.Modified {
			out += ", modified"
		}
		out += ")"
	}
	return out + " " + v.Go + " " + v.Platform
}
