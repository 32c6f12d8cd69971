package install

import (
	"context"
	"embed"
	"errors"
	"fmt"
	"io"
	"os"
	"path"
	"path/filepath"
	"strings"
	"time"

	"github.com/gofrs/flock"

	"codeintel/lsp/process"
)

// lockfiles holds package.json and package-lock.json of each server that npm
// installs: exact versions with integrity hashes, and no registry addresses, so
// that the user's registry is used.
//
//go:embed npm
var lockfiles embed.FS

const (
	progressEvery = 2 * time.Second        // between progress lines
	lockEvery     = 100 * time.Millisecond // between looks whether the lock is free
)

// Command returns the shell command that installs the pinned version of r where
// [Finder.Find] finds it.
func (f *Finder) Command(r Recipe) string {
	folder := ""
	if f.DataDir != "" {
		folder = f.folder(r)
	}
	if !r.modules {
		if folder == "" {
			return "go install " + r.packages()[0]
		}
		return "GOBIN=" + quote(folder) + " go install " + r.packages()[0]
	}
	if folder == "" {
		return "npm install --global " + strings.Join(r.packages(), " ")
	}
	return "npm install --prefix " + quote(folder) + " " + strings.Join(r.packages(), " ")
}

// quote quotes a word for a shell if it needs that.
func quote(s string) string {
	plain := func(r rune) bool {
		return r >= 'a' && r <= 'z' || r >= 'A' && r <= 'Z' || r >= '0' && r <= '9' || strings.ContainsRune("/._+-@:", r)
	}
	if strings.IndexFunc(s, func(r rune) bool { return !plain(r) }) < 0 {
		return s
	}
	return "'" + strings.ReplaceAll(s, "'", `'\''`) + "'"
}

// Install installs the pinned version of r in the data folder and returns it.
// It is safe to be called by several processes at once: one installs, the others
// wait for it. A failure leaves nothing behind; its error holds what the
// installer said.
func (f *Finder) Install(ctx context.Context, r Recipe) (Candidate, error) {
	if f.DataDir == "" {
		return Candidate{}, errors.New("there is no data folder to install to")
	}
	if !f.Trusted && f.inside(f.DataDir) {
		return Candidate{}, fmt.Errorf("the data folder %s is inside the workspace", f.DataDir)
	}
	folder := f.folder(r)
	if err := os.MkdirAll(filepath.Dir(folder), 0o755); err != nil {
		return Candidate{}, err
	}
	unlock, err := f.lock(ctx, r, folder+".lock")
	if err != nil {
		return Candidate{}, err
	}
	defer unlock()
	if c, ok, reason := f.installed(r); ok && reason == "" {
		return c, nil // by another process, while this one waited
	}
	return f.replace(ctx, r, folder)
}

// lock takes the lock of a recipe.
func (f *Finder) lock(ctx context.Context, r Recipe, file string) (unlock func() error, err error) {
	lock := flock.New(file)
	ok, err := lock.TryLock()
	if err == nil && !ok {
		f.say("waiting for another process that installs %s %s", r.Name, r.Version)
		_, err = lock.TryLockContext(ctx, lockEvery)
	}
	if err != nil {
		return nil, fmt.Errorf("locking %s: %w", file, err)
	}
	return lock.Unlock, nil
}

// replace installs into a temporary folder and puts it in the place of what was
// there. The caller holds the lock.
func (f *Finder) replace(ctx context.Context, r Recipe, folder string) (Candidate, error) {
	part := folder + ".part"
	if err := os.RemoveAll(part); err != nil { // of a process that was killed
		return Candidate{}, err
	}
	if err := os.Mkdir(part, 0o755); err != nil {
		return Candidate{}, err
	}
	defer os.RemoveAll(part)
	if err := f.run(ctx, r, part); err != nil {
		return Candidate{}, err
	}
	if _, ok, reason := r.inData(f, part); !ok || reason != "" {
		return Candidate{}, fmt.Errorf("installing %s %s left no usable server: %s", r.Name, r.Version, reason)
	}
	if err := os.RemoveAll(folder); err != nil {
		return Candidate{}, err
	}
	if err := os.Rename(part, folder); err != nil {
		return Candidate{}, err
	}
	c, _, _ := f.installed(r)
	return c, nil
}

// run runs the installer of r in a folder, with progress.
func (f *Finder) run(ctx context.Context, r Recipe, part string) error {
	command, err := f.installer(r, part)
	if err != nil {
		return err
	}
	status := make(chan string, 1)
	command.Line = func(line string) {
		if strings.HasPrefix(line, "npm warn") {
			return
		}
		select {
		case <-status:
		default:
		}
		status <- line // the only writer, so there is room
	}
	f.say("installing %s %s with %s", r.Name, r.Version, r.tool())
	guard := &process.Guard{}
	defer guard.Close()
	p, err := process.Start(command, guard)
	if err != nil {
		return err
	}
	p.Stdin.Close()
	go func() {
		io.Copy(io.Discard, p.Stdout)
		p.Stdout.Close()
	}()
	if err := f.await(ctx, r, p, status); err != nil {
		return err
	}
	if err := p.Err(); err != nil {
		return fmt.Errorf("%s: %w: %s", r.tool(), err, complaint(p.Stderr()))
	}
	return nil
}

// await waits for the installer and says now and then that it is at work. When
// ctx ends it kills the installer.
func (f *Finder) await(ctx context.Context, r Recipe, p *process.Process, status <-chan string) error {
	began, tick := time.Now(), time.NewTicker(progressEvery)
	defer tick.Stop()
	for {
		select {
		case <-p.Done():
			return nil
		case <-ctx.Done():
			p.Kill()
			<-p.Done()
			return context.Cause(ctx)
		case <-tick.C:
			last := ""
			select {
			case last = <-status:
				last = ": " + last
			default:
			}
			f.say("installing %s %s, %d s%s", r.Name, r.Version, int(time.Since(began).Seconds()), last)
		}
	}
}

func (f *Finder) say(format string, args ...any) {
	if f.Progress != nil {
		f.Progress(fmt.Sprintf(format, args...))
	}
}

// complaint picks the lines of an installer's stderr that say what went wrong.
func complaint(stderr string) string {
	var errs, last []string
	for line := range strings.Lines(stderr) {
		line = strings.TrimSpace(line)
		if text, ok := strings.CutPrefix(line, "npm error "); ok {
			if !strings.Contains(text, "complete log") {
				errs = append(errs, strings.TrimSpace(text))
			}
		} else if line != "" {
			last = append(last, line)
		}
	}
	if len(errs) == 0 {
		errs = last[max(0, len(last)-3):]
	}
	return strings.Join(errs[:min(4, len(errs))], "; ")
}

// packages are what the installer is asked for, with exact versions.
func (r Recipe) packages() []string {
	if !r.modules {
		return []string{"golang.org/x/tools/gopls@v" + r.Version}
	}
	out := []string{r.Name + "@" + r.Version}
	if r.typescript != "" {
		out = append(out, "typescript@"+r.typescript)
	}
	return out
}

// tool names the installer.
func (r Recipe) tool() string {
	if r.modules {
		return "npm ci"
	}
	return "go install"
}

// installer is the command that installs r into a folder.
func (f *Finder) installer(r Recipe, part string) (process.Command, error) {
	if !r.modules {
		return f.goInstaller(r, part)
	}
	npm := f.program("npm")
	if npm == "" {
		return process.Command{}, errors.New("npm is not on PATH")
	}
	for _, name := range []string{"package.json", "package-lock.json"} {
		text, err := lockfiles.ReadFile(path.Join("npm", r.Name, name))
		if err != nil {
			return process.Command{}, err
		}
		if err := os.WriteFile(filepath.Join(part, name), text, 0o644); err != nil {
			return process.Command{}, err
		}
	}
	return process.Command{Path: npm, Dir: part, Env: f.Environ(), Args: []string{
		"ci", "--ignore-scripts", "--include=optional", "--omit=dev", "--engine-strict=false",
		"--no-audit", "--no-fund", "--no-progress", "--no-update-notifier",
		"--fetch-retries=2", "--fetch-timeout=60000",
	}}, nil
}

func (f *Finder) goInstaller(r Recipe, part string) (process.Command, error) {
	tool := f.program("go")
	if tool == "" {
		return process.Command{}, errors.New("go is not on PATH")
	}
	env := f.Environ()
	for name, value := range map[string]string{
		"GOBIN": part, "GOWORK": "off", "GO111MODULE": "on", "CGO_ENABLED": "0",
		"GOFLAGS": "-mod=mod", "GOOS": "", "GOARCH": "", // the server is for this machine
	} {
		env = setenv(env, name, value)
	}
	return process.Command{Path: tool, Dir: part, Env: env, Args: []string{"install", "-v", r.packages()[0]}}, nil
}
