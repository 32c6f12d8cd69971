package lsp

import (
	"context"
	"errors"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"slices"
	"sync"
	"time"

	"go.lsp.dev/protocol"

	"codeintel/lsp/install"
	"codeintel/lsp/process"
)

// Options configure a [Pool].
type Options struct {
	Root      string       // absolute path of the workspace without symbolic links; servers run in it
	DataDir   string       // absolute folder for servers that are installed; "" installs none
	NoInstall bool         // install nothing
	Trusted   bool         // run programs that the workspace brings along
	Env       []string     // the servers' environment, PATH included; nil is this process's
	Progress  func(string) // what is being waited for, a line at a time, from any goroutine; nil drops it
	Trace     io.Writer    // gets a line of JSON per message to and from the servers; nil for none

	// StartTimeout bounds the time from starting a program to its reply to
	// initialize; 0 means 20 seconds.
	StartTimeout time.Duration
}

// Restarting after crashes: the first two restarts are made at once, then the
// server is left alone for a time that doubles with each crash.
const (
	freeRestarts = 2
	firstBackoff = time.Second
	maxBackoff   = 30 * time.Second
	stableAfter  = 30 * time.Second // a server that lived so long starts the count anew
)

// Pool holds the language servers of one workspace, at most one of each kind.
// Its methods are safe for concurrent use.
type Pool struct {
	opts   Options
	finder *install.Finder
	guard  *process.Guard
	trace  *trace

	mu      sync.Mutex
	closed  bool           // guarded by mu
	slots   map[Kind]*slot // guarded by mu
	running sync.WaitGroup // starts in progress; added to under mu
	closing sync.Once
}

// slot is the state of one kind.
type slot struct {
	attempt *attempt // the start that is in progress or succeeded last; nil before
	crashes int      // in a row
	until   time.Time
	last    *CrashError
	failed  map[string]string // candidates that did not start, with the reason; used by the one start in progress
}

// attempt is one start that all who ask for the server wait for.
type attempt struct {
	cancel context.CancelCauseFunc
	done   chan struct{} // closed when server or err is set
	server *Server
	err    error
}

// NewPool returns a pool that runs nothing yet. Close it.
func NewPool(o Options) *Pool {
	if o.Env == nil {
		o.Env = os.Environ()
	}
	if o.StartTimeout == 0 {
		o.StartTimeout = startTimeout
	}
	return &Pool{opts: o, guard: &process.Guard{}, trace: newTrace(o.Trace), slots: map[Kind]*slot{},
		finder: &install.Finder{Root: o.Root, DataDir: o.DataDir, Trusted: o.Trusted, Env: o.Env, Progress: o.Progress}}
}

// Server returns the running server of a kind, starting it if need be, which
// may install it first. All concurrent callers get the same server; one whose
// ctx ends goes away alone, the start goes on for the next. Errors:
// [*MissingError], [*CrashError] (the server died while starting),
// [*RestingError], [ErrClosed], and the cause of ctx.
func (p *Pool) Server(ctx context.Context, kind Kind) (*Server, error) {
	a, err := p.attempt(ctx, kind)
	if err != nil {
		return nil, err
	}
	select {
	case <-a.done:
		return a.server, a.err
	case <-ctx.Done():
		return nil, context.Cause(ctx)
	}
}

// attempt returns the current start of a kind, beginning a new one when there
// is none or its server has died.
func (p *Pool) attempt(ctx context.Context, kind Kind) (*attempt, error) {
	prof, ok := profileOf(kind)
	if !ok {
		return nil, fmt.Errorf("there is no language server %q", kind)
	}
	p.mu.Lock()
	defer p.mu.Unlock()
	if p.closed {
		return nil, ErrClosed
	}
	s := p.slots[kind]
	if s == nil {
		s = &slot{failed: map[string]string{}}
		p.slots[kind] = s
	}
	if s.usable() {
		return s.attempt, nil
	}
	if now := time.Now(); now.Before(s.until) {
		return nil, &RestingError{Kind: kind, For: s.until.Sub(now), Last: s.last}
	}
	starting, cancel := context.WithCancelCause(context.WithoutCancel(ctx))
	a := &attempt{cancel: cancel, done: make(chan struct{})}
	s.attempt = a
	p.running.Add(1)
	go p.start(starting, kind, prof, s, a)
	return a, nil
}

// usable reports whether the slot's attempt is in progress or has a live server.
// It counts the crash of one that died; the caller holds the pool's mu.
func (s *slot) usable() bool {
	if s.attempt == nil {
		return false
	}
	select {
	case <-s.attempt.done:
	default:
		return true
	}
	server := s.attempt.server
	if server != nil {
		select {
		case <-server.client.life.Done(): // calls fail from now on, before all is cleared away
			s.crashed(server.Err(), time.Since(server.started))
		default:
			return true
		}
	}
	s.attempt = nil
	return false
}

// crashed notes a crash of a server that lived for a while.
func (s *slot) crashed(err error, lived time.Duration) {
	var crash *CrashError
	if !errors.As(err, &crash) {
		return
	}
	if lived > stableAfter {
		s.crashes = 0
	}
	s.crashes++
	s.last = crash
	if n := s.crashes - freeRestarts; n > 0 {
		s.until = time.Now().Add(min(maxBackoff, firstBackoff<<min(n-1, 10)))
	}
}

// start finds, if need be installs, and starts a server.
func (p *Pool) start(ctx context.Context, kind Kind, prof profile, s *slot, a *attempt) {
	defer p.running.Done()
	defer a.cancel(nil)
	began := time.Now()
	server, err := p.launch(ctx, kind, prof, s)
	if cause := context.Cause(ctx); cause != nil && server == nil {
		err = cause
	}
	p.mu.Lock()
	defer p.mu.Unlock()
	a.server, a.err = server, err
	if err != nil {
		s.crashed(err, time.Since(began))
		s.attempt = nil
	}
	close(a.done)
}

// launch starts the first candidate that works, installing one if none does.
func (p *Pool) launch(ctx context.Context, kind Kind, prof profile, s *slot) (*Server, error) {
	common, err := p.common()
	if err != nil {
		return nil, err
	}
	found, skipped := p.finder.Find(prof.recipe)
	for _, c := range found {
		reason := s.failed[c.Shown]
		if reason == "" {
			server, err := start(ctx, kind, prof, c, common)
			if err == nil {
				server.skipped = skipped
				return server, nil
			}
			if ctx.Err() != nil {
				return nil, err
			}
			if c.Origin == install.FromData {
				return nil, fmt.Errorf("%w (remove %s to have it installed again)", err, c.Shown)
			}
			reason = err.Error()
			s.failed[c.Shown] = reason
		}
		skipped = append(skipped, c.Shown+": "+reason)
	}
	return p.installed(ctx, kind, prof, skipped, common)
}

// installed installs a server and starts it.
func (p *Pool) installed(ctx context.Context, kind Kind, prof profile, skipped []string, common *launch) (*Server, error) {
	missing := &MissingError{Kind: kind, Skipped: skipped, Install: p.finder.Command(prof.recipe)}
	if p.opts.NoInstall || p.opts.DataDir == "" {
		return nil, missing
	}
	c, err := p.finder.Install(ctx, prof.recipe)
	if err != nil {
		missing.Err = err
		return nil, missing
	}
	server, err := start(ctx, kind, prof, c, common)
	if err != nil {
		return nil, err
	}
	server.skipped = skipped
	return server, nil
}

// common prepares what all servers of the pool share.
func (p *Pool) common() (*launch, error) {
	u, err := URIOf(p.opts.Root)
	if err != nil {
		return nil, fmt.Errorf("starting a language server: %w", err)
	}
	return &launch{dir: p.opts.Root, env: p.finder.Environ(), guard: p.guard, say: p.opts.Progress, trace: p.trace, timeout: p.opts.StartTimeout,
		folder: protocol.WorkspaceFolder{URI: string(u), Name: filepath.Base(p.opts.Root)}}, nil
}

// Close ends all servers, politely for a moment and then not, and waits until
// nothing of them is left: at most about a second. Calls in progress end with
// [ErrClosed]. Closing again waits for the first time and does nothing.
func (p *Pool) Close() error {
	p.closing.Do(p.close)
	return nil
}

func (p *Pool) close() {
	p.mu.Lock()
	p.closed = true
	var attempts []*attempt
	for _, s := range p.slots {
		if s.attempt != nil {
			s.attempt.cancel(ErrClosed)
			attempts = append(attempts, s.attempt)
		}
	}
	p.mu.Unlock()
	p.running.Wait()
	var ending sync.WaitGroup
	for _, a := range slices.DeleteFunc(attempts, func(a *attempt) bool { return a.server == nil }) {
		ending.Go(a.server.close)
	}
	ending.Wait()
	p.guard.Close()
}
