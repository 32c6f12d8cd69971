package main

import (
	"context"
	"errors"
	"fmt"
	"os/exec"
	"path/filepath"
	"strings"
	"sync"
	"time"

	"github.com/spf13/cobra"

	"codeintel/cmd/codeintel/config"
	"codeintel/lsp"
	"codeintel/lsp/install"
)

// probeLimit bounds one server's start in doctor.
const probeLimit = 30 * time.Second

func (a *app) doctorCommand() *cobra.Command {
	return &cobra.Command{
		Use:   "doctor [flags]",
		Short: "Show what is found, what is missing and why",
		Long: `Show the workspace root, the settings files, the language servers (each is
started once and asked its version), ripgrep, and the folders in use.`,
		Example: `  codeintel doctor
  codeintel doctor --json
  codeintel doctor --root ~/src/project`,
		Args: args(0, 0, "no argument"),
		RunE: func(cmd *cobra.Command, _ []string) error { return a.doctor(cmd.Context()) },
	}
}

// checkup is what doctor found.
type checkup struct {
	Version  version          `json:"version"`
	Root     string           `json:"root"`
	RootWhy  string           `json:"rootWhy"`
	Trusted  bool             `json:"trusted"`
	Config   string           `json:"configFile"`
	HasFile  bool             `json:"configFileExists"`
	Refused  []config.Refusal `json:"refused"`
	Servers  []serverCheck    `json:"servers"`
	RG       string           `json:"rg"`
	DataDir  string           `json:"dataDir"`
	CacheDir string           `json:"cacheDir"`
	Install  bool             `json:"installAllowed"`
}

// serverCheck is the state of one language server.
type serverCheck struct {
	Kind      lsp.Kind `json:"kind"`
	Languages string   `json:"languages"`
	// Works reports that it was started and answered.
	Works   bool   `json:"works"`
	Version string `json:"version,omitempty"`
	Path    string `json:"path,omitempty"`
	Origin  string `json:"origin,omitempty"`
	// Accepted says which versions are used, Install what would be run or
	// installed when none is there.
	Accepted string `json:"accepted"`
	Install  string `json:"install,omitempty"`
	// Skipped are servers that were found and are not used, with the reason.
	Skipped []string `json:"skipped"`
	Error   string   `json:"error,omitempty"`
}

// languagesOf says which files a server judges.
func languagesOf(k lsp.Kind) string {
	switch k {
	case lsp.Gopls:
		return "Go"
	case lsp.TypeScript:
		return "TypeScript, TSX, ES modules"
	case lsp.TSServer:
		return "CommonJS JavaScript, projects with options that TypeScript 7 removed"
	case lsp.Pyright:
		return "Python"
	}
	return string(k)
}

func recipeOf(k lsp.Kind) install.Recipe {
	switch k {
	case lsp.TypeScript:
		return install.TypeScript()
	case lsp.TSServer:
		return install.TSServer()
	case lsp.Pyright:
		return install.Pyright()
	}
	return install.Gopls()
}

func (a *app) doctor(ctx context.Context) error {
	at, err := a.surroundings("")
	if err != nil {
		return err
	}
	root, dirs, cfg := at.root, at.dirs, at.config
	if real, err := filepath.EvalSymlinks(root); err == nil {
		root = real
	}
	trusted, err := config.OpenTrust(dirs.Data).Trusts(root)
	if err != nil {
		return err
	}
	file := filepath.Join(dirs.Config, config.UserFile)
	c := checkup{
		Version: buildVersion(), Root: root, RootWhy: at.why, Trusted: trusted,
		Config: file, HasFile: a.isFile(file), Refused: append([]config.Refusal{}, cfg.Refused...),
		RG: a.ripgrep(cfg, root), DataDir: dirs.Data, CacheDir: dirs.Cache, Install: cfg.Install,
	}
	o := a.poolOptions(root, dirs, cfg, trusted)
	o.NoInstall = true
	c.Servers = a.checkServers(ctx, o)
	if a.flags.json {
		return a.printJSON(c)
	}
	return a.print(c.text(a.rgVersion(ctx, c.RG)))
}

// checkServers starts every kind of server once.
func (a *app) checkServers(ctx context.Context, o lsp.Options) []serverCheck {
	pool := lsp.NewPool(o)
	defer pool.Close()
	a.progress.status("starting the language servers")
	out := make([]serverCheck, len(lsp.Kinds()))
	var probes sync.WaitGroup
	for i, k := range lsp.Kinds() {
		probes.Go(func() { out[i] = checkServer(ctx, pool, o, k) })
	}
	probes.Wait()
	return out
}

func checkServer(ctx context.Context, pool *lsp.Pool, o lsp.Options, k lsp.Kind) serverCheck {
	ctx, cancel := context.WithTimeout(ctx, probeLimit)
	defer cancel()
	r := recipeOf(k)
	c := serverCheck{Kind: k, Languages: languagesOf(k), Accepted: r.Accepted, Skipped: []string{}}
	finder := install.Finder{Root: o.Root, DataDir: o.DataDir, Trusted: o.Trusted, Env: o.Env}
	found, skipped := finder.Find(r)
	c.Skipped = append(c.Skipped, skipped...)
	server, err := pool.Server(ctx, k)
	if err != nil {
		c.Error = err.Error()
		var missing *lsp.MissingError
		if errors.As(err, &missing) {
			c.Install, c.Skipped = missing.Install, append([]string{}, missing.Skipped...)
			c.Error = ""
		}
		return c
	}
	c.Works, c.Version = true, server.Version()
	if len(found) > 0 {
		c.Path, c.Origin = found[0].Shown, string(found[0].Origin)
	}
	return c
}

// rgVersion returns the first line that rg says of itself.
func (a *app) rgVersion(ctx context.Context, rg string) string {
	if rg == "" {
		return "not found; text is searched in Go instead"
	}
	out, err := exec.CommandContext(ctx, rg, "--version").Output()
	if err != nil {
		return fmt.Sprintf("%s (does not run: %v)", rg, err)
	}
	first, _, _ := strings.Cut(string(out), "\n")
	return fmt.Sprintf("%s (%s)", rg, strings.TrimSpace(first))
}

func (c checkup) text(rg string) string {
	var b strings.Builder
	line := func(label, format string, args ...any) {
		fmt.Fprintf(&b, "%-13s %s\n", label, fmt.Sprintf(format, args...))
	}
	line("version", "%s", c.Version)
	line("root", "%s (%s)", c.Root, c.RootWhy)
	line("trusted", "%s", yesNo(c.Trusted, "yes, its own language servers may run", "no, its own language servers are not run (codeintel trust)"))
	line("settings", "%s%s", c.Config, yesNo(c.HasFile, "", " (absent)"))
	for _, r := range c.Refused {
		line("refused", "%s", refusal(r))
	}
	line("ripgrep", "%s", rg)
	line("data folder", "%s", c.DataDir)
	line("cache folder", "%s", c.CacheDir)
	b.WriteString("\nlanguage servers\n")
	for _, s := range c.Servers {
		s.write(&b, c.Install)
	}
	return b.String()
}

func yesNo(is bool, yes, no string) string {
	if is {
		return yes
	}
	return no
}

func (s serverCheck) write(b *strings.Builder, mayInstall bool) {
	state := "missing"
	switch {
	case s.Works:
		state = "works"
	case s.Error != "":
		state = "broken"
	}
	fmt.Fprintf(b, "  %-8s %s", state, s.Kind)
	if s.Version != "" {
		fmt.Fprintf(b, " %s", s.Version)
	}
	fmt.Fprintf(b, " (%s)\n", s.Languages)
	detail := func(format string, args ...any) { fmt.Fprintf(b, "           "+format+"\n", args...) }
	if s.Path != "" {
		detail("%s, from %s", s.Path, s.Origin)
	}
	if s.Error != "" {
		detail("%s", s.Error)
	}
	if s.Install != "" {
		when := yesNo(mayInstall, "is installed on first use, or now with", "installing is forbidden; by hand")
		detail("%s: %s", when, s.Install)
	}
	for _, skipped := range s.Skipped {
		detail("not used: %s", skipped)
	}
}
