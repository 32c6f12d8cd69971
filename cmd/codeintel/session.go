package main

import (
	"context"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"runtime"
	"strings"

	"codeintel/cmd/codeintel/config"
	"codeintel/index"
	"codeintel/lsp"
	"codeintel/refs"
	"codeintel/refs/text"
	"codeintel/tools"
)

// session is the engine of one command: a workspace with its servers.
type session struct {
	engine  *tools.Engine
	config  *config.Config
	root    string
	rootWhy string
	cache   string // the cache folder
	pool    *lsp.Pool
	ws      *index.Workspace
	trace   *os.File // nil when CODEINTEL_TRACE is not set
}

// surroundings is where a command runs: the root and why it is the root, the
// user's folders, and the settings that hold there.
type surroundings struct {
	root, why string
	dirs      config.Dirs
	config    *config.Config
}

// surroundings finds them for a file argument, or for the current folder when
// it is empty.
func (a *app) surroundings(file string) (*surroundings, error) {
	var at surroundings
	var err error
	if at.root, at.why, err = a.findRoot(file); err != nil {
		return nil, err
	}
	if at.dirs, err = a.dirs(); err != nil {
		return nil, err
	}
	at.config, err = a.load(at.dirs, at.root)
	return &at, err
}

// open opens the workspace that a file argument (or, when it is empty, the
// current folder) belongs to.
func (a *app) open(ctx context.Context, file string) (*session, error) {
	at, err := a.surroundings(file)
	if err != nil {
		return nil, err
	}
	root, cfg := at.root, at.config
	for _, r := range cfg.Refused {
		a.note("%s: %s is refused: %s", r.File, r.Key, r.Reason)
	}
	s := &session{config: cfg, rootWhy: at.why, cache: at.dirs.Cache}
	if real, err := filepath.EvalSymlinks(root); err == nil && at.why != "--root" && real != a.abs(file) && !holds(real, a.realDir()) {
		a.note("paths start at %s, the workspace of %s", real, file)
	}
	finder, err := a.finder(ctx, s, root, at.dirs, file)
	if err != nil {
		return nil, err
	}
	a.progress.status("reading " + root)
	ws, err := index.Open(ctx, root, index.Options{Cache: at.dirs.Cache, Unread: true})
	if err != nil {
		s.close()
		return nil, fmt.Errorf("opening the workspace: %w", err)
	}
	s.ws = ws
	rg := a.ripgrep(cfg, s.root)
	s.engine = tools.New(ws, finder, tools.Options{
		Dir: a.dir, RG: rg, Threshold: &cfg.Threshold,
		Policy: tools.Policy(cfg.LargeReferences), ReadExternal: tools.Policy(cfg.ReadExternal),
		Approver: a.approver(), Exclude: config.Excludes(cfg.Exclude),
		ShowExternal: true, // who types a command may read the files
		Progress:     a.indexing(), Warn: func(err error) { a.note("%v", err) },
	})
	return s, nil
}

// holds reports whether a folder is another one or below it.
func holds(root, dir string) bool {
	rel, err := filepath.Rel(root, dir)
	return err == nil && rel != ".." && !strings.HasPrefix(rel, ".."+string(filepath.Separator))
}

// realDir returns the current folder without symbolic links.
func (a *app) realDir() string {
	if real, err := filepath.EvalSymlinks(a.dir); err == nil {
		return real
	}
	return a.dir
}

// finder makes the finder of a session. The server that judges file starts to
// load at once, beside the reading of the workspace, if the command asks one.
func (a *app) finder(ctx context.Context, s *session, root string, dirs config.Dirs, file string) (*refs.Finder, error) {
	var err error
	if s.root, err = filepath.EvalSymlinks(root); err != nil {
		return nil, fmt.Errorf("opening the workspace: %w", err)
	}
	trusted, err := config.OpenTrust(dirs.Data).Trusts(s.root)
	if err != nil {
		return nil, err
	}
	options := a.poolOptions(s.root, dirs, s.config, trusted)
	if s.trace, err = a.openTrace(); err != nil {
		return nil, err
	}
	if s.trace != nil {
		options.Trace = s.trace
	}
	s.pool = lsp.NewPool(options)
	finder := refs.New(refs.Options{
		Servers: s.pool, RG: a.ripgrep(s.config, s.root), BuildTags: a.buildTags(), MemoryLimit: s.config.ServerMemory,
		ServerTimeout: s.config.Timeout, Progress: a.progress.status,
	})
	if real, err := filepath.EvalSymlinks(a.abs(file)); err == nil && a.asksServers && (s.config.Tier == "" || s.config.Tier == "exact") {
		finder.Warm(ctx, s.root, real)
	}
	return finder, nil
}

// close ends the servers and the workspace. How politely a server went does not
// matter to the answer that has been given.
func (s *session) close() {
	_ = s.pool.Close()
	if s.ws != nil {
		s.ws.Close()
	}
	if s.trace != nil {
		_ = s.trace.Close()
	}
}

// openTrace opens the file that CODEINTEL_TRACE names, for the messages of the
// language servers; nil when it is not set.
func (a *app) openTrace() (*os.File, error) {
	name, _ := a.env("CODEINTEL_TRACE")
	if name == "" {
		return nil, nil
	}
	f, err := os.OpenFile(a.abs(name), os.O_CREATE|os.O_WRONLY|os.O_APPEND, 0o600)
	if err != nil {
		return nil, &tools.Error{Code: tools.InvalidParam, Message: fmt.Sprintf("CODEINTEL_TRACE: %v", err)}
	}
	return f, nil
}

func (a *app) poolOptions(root string, dirs config.Dirs, cfg *config.Config, trusted bool) lsp.Options {
	return lsp.Options{
		Root: root, DataDir: dirs.Data, NoInstall: !cfg.Install, Trusted: trusted,
		Env: a.environ, Progress: a.progress.server,
	}
}

// findRoot returns the workspace root and why it is the root.
func (a *app) findRoot(file string) (root, why string, err error) {
	if a.flags.root != "" {
		abs := a.abs(a.flags.root)
		if info, err := os.Stat(abs); err != nil || !info.IsDir() {
			return "", "", &tools.Error{Code: tools.NotADirectory, Message: fmt.Sprintf("--root %s: there is no such folder", a.flags.root)}
		}
		return abs, "--root", nil
	}
	start := a.dir
	if file != "" && a.exists(file) {
		start = a.abs(file)
	}
	root, why, err = index.FindRoot(start)
	if start != a.dir && why == unmarked && strings.HasPrefix(start, a.dir+string(filepath.Separator)) {
		// Without any project, all below the current folder belongs together.
		root, why, err = index.FindRoot(a.dir)
	}
	if err != nil {
		return "", "", &tools.Error{Code: tools.InvalidParam, Message: err.Error()}
	}
	return root, why, nil
}

// unmarked is what [index.FindRoot] says of a folder that is the root for want of
// a better one.
const unmarked = "no project marker above it"

// locate makes a file argument absolute that exists below the root only: printed
// paths start there, so they can be given back from any folder.
func (a *app) locate(file string) string {
	if filepath.IsAbs(file) || file == "" || a.exists(file) {
		return file
	}
	root, _, err := a.findRoot("")
	if err != nil {
		return file
	}
	if below := filepath.Join(root, file); a.exists(below) {
		return below
	}
	return file
}

func (a *app) dirs() (config.Dirs, error) {
	home, _ := a.env("HOME")
	dirs, err := config.Locate(a.env, runtime.GOOS, home)
	if err != nil {
		return dirs, &tools.Error{Code: tools.InvalidParam, Message: err.Error()}
	}
	return dirs, nil
}

// load reads the configuration; flags that were given win.
func (a *app) load(dirs config.Dirs, root string) (*config.Config, error) {
	given := map[string]string{}
	set := func(key, text string) {
		if text != "" {
			given[key] = text
		}
	}
	set("threshold", a.flags.threshold)
	set("timeout", a.flags.timeout)
	set("tier", a.flags.tier)
	if a.flags.yes {
		given["approval.large_references"] = "allow"
	}
	if a.flags.noInstall {
		given["install"] = "false"
	}
	cfg, err := config.Load(config.Sources{
		Env: a.env, UserFile: filepath.Join(dirs.Config, config.UserFile), Root: root, Flags: given,
	})
	if err != nil {
		return nil, &tools.Error{Code: tools.InvalidParam, Message: err.Error()}
	}
	return cfg, nil
}

// ripgrep returns the path of rg, or empty to search in Go. One that the
// workspace brings along is never run.
func (a *app) ripgrep(cfg *config.Config, root string) string {
	switch cfg.RG {
	case "off":
		return ""
	case "":
		path, _ := a.env("PATH")
		return text.FindRG(path, root)
	}
	return cfg.RG
}

// buildTags returns the Go build tags that GOFLAGS names.
func (a *app) buildTags() []string {
	text, _ := a.env("GOFLAGS")
	var tags []string
	for _, field := range strings.Fields(text) {
		if list, ok := strings.CutPrefix(strings.TrimPrefix(field, "-"), "-tags="); ok {
			tags = strings.Split(list, ",")
		} else if list, ok := strings.CutPrefix(field, "-tags="); ok {
			tags = strings.Split(list, ",")
		}
	}
	return tags
}

// with runs ask on the session that file belongs to and closes the session. The
// time limit bounds the language servers: when it passes, a lower tier answers,
// unless --tier exact asks for an error.
func (a *app) with(ctx context.Context, file string, ask func(context.Context, *session) error) error {
	s, err := a.open(ctx, file)
	if err != nil {
		return err
	}
	defer s.close()
	err = ask(ctx, s)
	// What had to be parsed for this answer is stored for the next. That it cannot
	// be costs only time, then.
	_, _ = s.ws.Index(ctx, index.IndexOptions{Known: true})
	var e *tools.Error
	if errors.As(err, &e) && e.Code == tools.Timeout && s.config.Timeout > 0 {
		e.Message += fmt.Sprintf(" (limit %v, --timeout)", s.config.Timeout)
	}
	return err
}
