package refs

import (
	"context"
	"errors"
	"fmt"
	"os"
	"sync"
	"time"

	"codeintel/index"
	"codeintel/lsp"
	"codeintel/symbols"
)

// Options configure a [Finder]. The zero value uses no language server and
// searches text in Go.
type Options struct {
	// Servers is the pool of language servers; nil means none. The caller owns
	// it and closes it.
	Servers *lsp.Pool
	// RG is the path of ripgrep; empty searches text in Go.
	RG string
	// BuildTags are Go build tags in force beside the platform's (GOFLAGS -tags).
	BuildTags []string
	// MemoryLimit is the resident size in bytes of one server above which the
	// projects of a large question are asked in turn; 0 means 3 GB.
	MemoryLimit int64
	// ServerTimeout bounds how long language servers are waited for; 0 means no
	// bound but the context's. When it passes, a lower tier answers.
	ServerTimeout time.Duration
	// Progress receives short sentences about what is being waited for; nil
	// drops them.
	Progress func(string)
}

// Finder answers questions about symbols. It is safe for concurrent use. Close
// it before its workspace.
type Finder struct {
	opts Options

	mu      sync.Mutex
	servers map[lsp.Kind]*server // guarded by mu
}

// New returns a Finder.
func New(o Options) *Finder {
	return &Finder{opts: o, servers: map[lsp.Kind]*server{}}
}

func (f *Finder) say(format string, args ...any) {
	if f.opts.Progress != nil {
		f.opts.Progress(fmt.Sprintf(format, args...))
	}
}

// server returns the running server of a kind, brought to the snapshot, and the
// function to call when the question has been answered.
func (f *Finder) server(ctx context.Context, s *index.Snapshot, kind lsp.Kind) (*server, func(), error) {
	running, err := f.opts.Servers.Server(ctx, kind)
	if err != nil {
		return nil, nil, err
	}
	v, err := f.adopt(kind, running, s.Root())
	if err != nil {
		return nil, nil, err
	}
	leave, err := v.enter(ctx, s)
	return v, leave, err
}

// adopt returns what is known of a running server. A server that has died since
// it was asked for must not take the place of its successor, whose state would be
// lost.
func (f *Finder) adopt(kind lsp.Kind, running *lsp.Server, root string) (*server, error) {
	f.mu.Lock()
	defer f.mu.Unlock()
	v := f.servers[kind]
	if v != nil && v.lsp == running {
		return v, nil
	}
	if err := running.Err(); err != nil {
		return nil, err
	}
	if v != nil {
		v.forgetState()
	}
	v = newServer(running, root)
	f.servers[kind] = v
	return v, nil
}

// Close releases what the finder keeps of the workspace. It does not close the
// servers; their pool does.
func (f *Finder) Close() {
	f.mu.Lock()
	defer f.mu.Unlock()
	for kind, v := range f.servers {
		v.forgetState()
		delete(f.servers, kind)
	}
}

// Warm starts the server that judges the document at an absolute path below
// root, so that it loads while the workspace is still being read. It does not
// wait, and a server that cannot start is reported by the question that needs it.
func (f *Finder) Warm(ctx context.Context, root, path string) {
	// Reading anything but a regular file could wait for ever.
	if info, err := os.Stat(path); err != nil || !info.Mode().IsRegular() || f.opts.Servers == nil {
		return
	}
	text, err := os.ReadFile(path)
	if err != nil {
		return
	}
	if kind, _, ok := lsp.Choose(root, path, text); ok {
		go func() { _, _ = f.opts.Servers.Server(ctx, kind) }() // ends with ctx or the pool
	}
}

// Find returns all references to the symbol that q names. It falls to a lower
// tier, and says why, when no server can answer; q.Tier Exact forbids that and
// lower values ask no server. Errors: [*AmbiguousError], [*SymbolNotFoundError],
// [ErrPosition], [ErrOutdated], those of [index.Snapshot.Document], and with
// q.Tier Exact what kept the server from answering.
func (f *Finder) Find(ctx context.Context, s *index.Snapshot, q Query) (*Result, error) {
	t, err := resolve(s, q)
	if err != nil {
		return nil, err
	}
	reason := ""
	if q.Tier == "" || q.Tier == Exact {
		r, err := f.exact(ctx, s, t)
		if err == nil || q.Tier == Exact || ctx.Err() != nil || errors.Is(err, ErrOutdated) {
			return r, err
		}
		reason = whyNot(err)
	}
	if q.Tier != Textual {
		r, err := f.syntactic(ctx, s, t)
		if err == nil {
			r.Reason = orElse(reason, "no language server was asked")
			return r, nil
		}
		if !errors.Is(err, symbols.ErrNoGrammar) {
			return nil, err
		}
		reason = orElse(reason, "there is no grammar for this kind of file")
	}
	r, err := f.textual(ctx, s, t)
	if err != nil {
		return nil, err
	}
	r.Reason = orElse(reason, "neither a language server nor the syntax was asked")
	return r, nil
}

func orElse(s, other string) string {
	if s == "" {
		return other
	}
	return s
}

// errServerTimeout is the cause of contexts that end by [Options.ServerTimeout].
var errServerTimeout = fmt.Errorf("language servers were waited for long enough: %w", context.DeadlineExceeded)

// limited returns a context that ends by the server time-out, too.
func (f *Finder) limited(ctx context.Context) (context.Context, context.CancelFunc) {
	if f.opts.ServerTimeout <= 0 {
		return ctx, func() {}
	}
	return context.WithTimeoutCause(ctx, f.opts.ServerTimeout, errServerTimeout)
}

// twiceError says that a server died, and the one that was started in its place,
// too.
type twiceError struct{ err error }

func (e *twiceError) Error() string { return fmt.Sprintf("the language server died twice (%v)", e.err) }

func (e *twiceError) Unwrap() error { return e.err }

// retried asks, and once more when the server dies, after undo.
func (f *Finder) retried(ctx context.Context, ask func() error, undo func()) error {
	err := ask()
	if !crashed(err) || ctx.Err() != nil {
		return err
	}
	f.say("%v; starting it once more", err)
	undo()
	if err = ask(); crashed(err) {
		return &twiceError{err}
	}
	return err
}

// whyNot turns what kept a server from answering into the reason that an answer
// of a lower tier carries.
func whyNot(err error) string {
	var none *NoServerError
	var missing *lsp.MissingError
	var twice *twiceError
	switch {
	case errors.As(err, &none):
		return none.Why
	case errors.As(err, &missing):
		return missing.Error()
	case errors.As(err, &twice):
		return twice.Error()
	case errors.Is(err, context.DeadlineExceeded):
		return "the language server did not answer in time"
	}
	return err.Error()
}
