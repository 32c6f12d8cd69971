package lsp

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"slices"
	"time"

	"go.lsp.dev/protocol"

	"codeintel/lsp/install"
	"codeintel/lsp/process"
)

// Deadlines for servers that misbehave.
const (
	startTimeout    = 20 * time.Second       // for the reply to initialize, if nothing else is asked for
	shutdownTimeout = 200 * time.Millisecond // for the reply to shutdown
	exitTimeout     = 200 * time.Millisecond // for the process to end after exit
	diagnoseTimeout = 300 * time.Millisecond // for a process to end when its connection broke
	drainTimeout    = 100 * time.Millisecond // for the last messages of a process that ended
)

// Server is one running language server. Its methods are safe for concurrent
// use.
type Server struct {
	kind    Kind
	name    string
	version string
	proc    *process.Process
	client  *client
	in      *incoming
	docs    documents
	started time.Time
	from    install.Candidate
	temp    string   // folder of its temporary files
	abrupt  bool     // as of profile
	skipped []string // what was found before it and not used, "path: reason"

	closing chan struct{} // closed by close before shutdown
	done    chan struct{} // closed when the server is dead
}

// Kind is the kind of the server.
func (s *Server) Kind() Kind { return s.kind }

// Name is the server's name as it is shown in answers.
func (s *Server) Name() string { return s.name }

// Version is the server's version without a leading v; for
// typescript-language-server it names the TypeScript that it runs, too.
func (s *Server) Version() string { return s.version }

// PID is the process id of the server, which leads a process group of that
// number.
func (s *Server) PID() int { return s.proc.PID() }

// Memory returns the resident bytes of the server and its children, 0 where
// that is not known.
func (s *Server) Memory() int64 { return s.proc.Memory() }

// Done is closed when the server is dead.
func (s *Server) Done() <-chan struct{} { return s.done }

// Err is nil while the server lives, then a [*CrashError] or [ErrClosed].
func (s *Server) Err() error { return context.Cause(s.client.life) }

// Diagnostics returns what the server last published for the document at path.
// The caller must not change it.
func (s *Server) Diagnostics(path string) []protocol.Diagnostic {
	return s.in.published(filepath.Clean(path))
}

// start runs a candidate and initializes it. The server's life does not depend
// on ctx, which bounds the start alone.
func start(ctx context.Context, kind Kind, p profile, c install.Candidate, o *launch) (*Server, error) {
	// Servers leave temporary files behind, some even when they end well.
	temp, err := os.MkdirTemp("", "codeintel-"+string(kind)+"-")
	if err != nil {
		return nil, err
	}
	proc, err := process.Start(process.Command{Path: c.Path, Args: c.Args, Dir: o.dir,
		Env: slices.Concat(p.environ(o.env), []string{"PWD=" + o.dir, "TMPDIR=" + temp, "TMP=" + temp, "TEMP=" + temp})}, o.guard)
	if err != nil {
		os.Remove(temp)
		return nil, err
	}
	s := &Server{kind: kind, name: p.recipe.Name, proc: proc, started: time.Now(), from: c, abrupt: p.abrupt, temp: temp,
		closing: make(chan struct{}), done: make(chan struct{})}
	s.docs.open = map[string]*openDocument{}
	s.in = newIncoming(p.settings, o.folder, o.dir, o.sayer(p.recipe.Name))
	stream := newStream(proc.Stdout, proc.Stdin)
	stream.trace = o.trace.of(kind)
	o.trace.started(kind, append([]string{c.Path}, c.Args...))
	s.client = newClient(ctx, stream, s.in)
	go s.supervise()
	if err := s.initialize(ctx, p, c, o); err != nil {
		proc.Kill()
		<-s.done
		return nil, err
	}
	return s, nil
}

// launch is what the servers of one pool have in common.
type launch struct {
	dir     string
	folder  protocol.WorkspaceFolder
	env     []string
	guard   *process.Guard
	say     func(string) // may be nil
	timeout time.Duration
	trace   *trace // may be nil
}

// sayer returns a progress function for one server, nil for none.
func (o *launch) sayer(name string) func(string) {
	if o.say == nil {
		return nil
	}
	return func(line string) { o.say(name + ": " + line) }
}

// supervise ends the server's life when its process or its connection ends.
func (s *Server) supervise() {
	defer close(s.done)
	select {
	case <-s.client.conn.Done():
		// Mostly the process is about to exit; its status says more. One
		// that goes on without a connection is of no use.
		if !s.exited(diagnoseTimeout) {
			s.proc.Kill()
			<-s.proc.Done()
		}
	case <-s.proc.Done():
		select {
		case <-s.client.conn.Done(): // all it has written is read
		case <-time.After(drainTimeout):
		}
	}
	s.client.end(s.cause())
	s.client.stream.Close()
	os.RemoveAll(s.temp) // what cannot be removed is the system's to clean up
}

// exited waits for the end of the process, at most for d.
func (s *Server) exited(d time.Duration) bool {
	select {
	case <-s.proc.Done():
		return true
	case <-time.After(d):
		return false
	}
}

// cause says why the server is dead. The process has ended.
func (s *Server) cause() error {
	select {
	case <-s.closing:
		return ErrClosed
	default:
	}
	crash := &CrashError{Kind: s.kind, Err: s.proc.Err(), Stderr: s.proc.Stderr()}
	if err := s.client.conn.Err(); err != nil && !ended(err) {
		crash.Err = fmt.Errorf("the connection broke: %w", err)
	} else if crash.Err == nil {
		crash.Err = errors.New("it exited")
	}
	return crash
}

// ended reports whether err only says that a pipe has ended.
func ended(err error) bool {
	return errors.Is(err, io.EOF) || errors.Is(err, io.ErrUnexpectedEOF) ||
		errors.Is(err, os.ErrClosed) || errors.Is(err, io.ErrClosedPipe)
}

// initialize makes the handshake and checks the version that the server says.
func (s *Server) initialize(ctx context.Context, p profile, c install.Candidate, o *launch) error {
	ctx, cancel := context.WithTimeoutCause(ctx, o.timeout, fmt.Errorf("no reply to initialize within %v", o.timeout))
	defer cancel()
	var result struct {
		ServerInfo struct {
			Version string `json:"version"`
		} `json:"serverInfo"`
	}
	if err := s.client.call(ctx, protocol.MethodInitialize, initializeParams(p.options(c), o), &result); err != nil {
		return err
	}
	s.version = c.Version
	if s.version == "" {
		s.version = saidVersion(result.ServerInfo.Version)
	}
	if s.version == "" {
		return errors.New("it does not say its version")
	}
	if reason := p.recipe.Reject(s.version); reason != "" {
		return errors.New(reason)
	}
	s.version = shownVersion(s.version, c)
	if s.kind == Pyright {
		s.in.listing.begin(firstListing, o.dir)
	}
	return s.client.notify(ctx, protocol.MethodInitialized, &protocol.InitializedParams{})
}

// saidVersion reads the version of an initialize reply. Gopls says its build
// information as JSON.
func saidVersion(s string) string {
	var build struct {
		GoVersion string
		Main      struct{ Version string }
	}
	if json.Unmarshal([]byte(s), &build) == nil && build.Main.Version != "" {
		return build.Main.Version + " " + build.GoVersion
	}
	return s
}
