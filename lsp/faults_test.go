package lsp

import (
	"context"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"sync"
	"syscall"
	"testing"
	"time"

	"go.lsp.dev/jsonrpc2"
	"go.lsp.dev/protocol"
)

func fakeServer(t *testing.T, script string) (*Server, string) {
	t.Helper()
	pool, log := fakePool(t, script, nil)
	s, err := pool.Server(t.Context(), TypeScript)
	if err != nil {
		t.Fatal(err)
	}
	return s, log
}

func ask(ctx context.Context, s *Server) ([]protocol.Location, error) {
	return s.References(ctx, "/w/a.ts", protocol.Position{Line: 1, Character: 2}, true)
}

// Whatever way the server dies, the request that waits ends within a second
// with a CrashError that says how.
func TestDeathDuringRequest(t *testing.T) {
	for _, test := range []struct{ script, want string }{
		{"crash", "typescript died: exit status 3: panic: boom"},
		{"crash-middle", "typescript died: exit status 4"},
		{"garbage", "the connection broke: reading a message header: \"Segmentation fault, core dumped\" is no header line"},
		{"bad-length", "the connection broke: reading a message header: bad length"},
		{"no-json", "the connection broke: reading a message: invalid character 'n'"},
		{"hang-up", "typescript died: signal: killed"},
	} {
		t.Run(test.script, func(t *testing.T) {
			s, _ := fakeServer(t, test.script)
			began := time.Now()
			_, err := ask(t.Context(), s)
			var crash *CrashError
			if !errors.As(err, &crash) || !strings.Contains(err.Error(), test.want) {
				t.Errorf("got %v, want a crash with %q", err, test.want)
			}
			if d := time.Since(began); d > time.Second {
				t.Errorf("noticed after %v", d)
			}
			if _, err := ask(t.Context(), s); !errors.As(err, &crash) {
				t.Errorf("a later request: got %v", err)
			}
			if err := s.Open(t.Context(), "/w/b.ts", "typescript", ""); !errors.As(err, &crash) {
				t.Errorf("a later document: got %v", err)
			}
			<-s.Done()
			if !errors.As(s.Err(), &crash) {
				t.Errorf("Err: got %v", s.Err())
			}
		})
	}
}

// Killed from outside before, during and after a request.
func TestKilled(t *testing.T) {
	pool, log := fakePool(t, "slow", nil)
	s, err := pool.Server(t.Context(), TypeScript)
	if err != nil {
		t.Fatal(err)
	}
	var all sync.WaitGroup
	for range 5 {
		all.Go(func() {
			var crash *CrashError
			if _, err := ask(t.Context(), s); !errors.As(err, &crash) {
				t.Errorf("got %v", err)
			}
		})
	}
	await(t, log, "textDocument/references")
	began := time.Now()
	syscall.Kill(s.PID(), syscall.SIGKILL)
	all.Wait()
	if d := time.Since(began); d > time.Second {
		t.Errorf("noticed after %v", d)
	}
	again, err := pool.Server(t.Context(), TypeScript)
	if err != nil || again.PID() == s.PID() {
		t.Errorf("no fresh server: %v, %v", again, err)
	}
}

// A request ends with its context, and the server is told.
func TestCancel(t *testing.T) {
	s, log := fakeServer(t, "slow")
	ctx, cancel := context.WithCancelCause(t.Context())
	why := errors.New("enough")
	done := make(chan error)
	go func() {
		_, err := ask(ctx, s)
		done <- err
	}()
	await(t, log, "textDocument/references")
	cancel(why)
	if err := <-done; !errors.Is(err, why) {
		t.Errorf("got %v", err)
	}
	await(t, log, `$/cancelRequest {"id":2}`)
	found, err := s.Definition(t.Context(), "/w/a.ts", protocol.Position{})
	if err != nil || len(found) != 1 {
		t.Errorf("the next request: got %v, %v", found, err)
	}
}

// A server that has stopped reading holds up nobody for longer than the context.
func TestDeafServer(t *testing.T) {
	s, log := fakeServer(t, "deaf")
	ctx, cancel := context.WithCancel(t.Context())
	go ask(t.Context(), s)
	await(t, log, "textDocument/references")
	big := strings.Repeat("x", 1<<20)
	for i := range 20 { // far more than a pipe holds
		if err := s.Open(ctx, fmt.Sprintf("/w/%d.ts", i), "typescript", big); err != nil {
			t.Fatal(err)
		}
	}
	go cancel()
	if _, err := ask(ctx, s); !errors.Is(err, context.Canceled) {
		t.Errorf("got %v", err)
	}
}

// An error reply is an error of that request alone.
func TestErrorReply(t *testing.T) {
	s, _ := fakeServer(t, "error")
	_, err := ask(t.Context(), s)
	var reply *jsonrpc2.Error
	if !errors.As(err, &reply) || reply.Code != jsonrpc2.InternalError ||
		err.Error() != "asking typescript about /w/a.ts: textDocument/references: no project" {
		t.Errorf("got %v", err)
	}
	if found, err := s.Definition(t.Context(), "/w/a.ts", protocol.Position{}); err != nil || len(found) != 1 {
		t.Errorf("the next request: got %v, %v", found, err)
	}
}

// What a server asks and tells, at any time and with any id, is taken and
// answered, and disturbs no request.
func TestNoise(t *testing.T) {
	lines := make(chan string, 100)
	pool, log := fakePool(t, "ask-first,noise,late", func(o *Options) { o.Progress = func(s string) { lines <- s } })
	s, err := pool.Server(t.Context(), TypeScript)
	if err != nil {
		t.Fatal(err)
	}
	for range 3 {
		if found, err := ask(t.Context(), s); err != nil || len(found) != 1 {
			t.Fatalf("got %v, %v", found, err)
		}
	}
	for _, want := range []string{
		`reply 1 null`, `reply "one" null`, `reply 9007199254740993 [null,null]`,
		`reply "" [{"uri":"file://`, `reply 1.5 null`, `reply 0 {"applied":false`,
		`reply -3 error -32601`, `reply "str\"ing" null`,
	} {
		await(t, log, want)
	}
	if got := <-lines + "|" + <-lines; got != "typescript: Loading|typescript: Loading: half" {
		t.Errorf("progress %q", got)
	}
	if got := s.Diagnostics("/w/a+b.ts"); len(got) != 1 || got[0].Message != "m" {
		t.Errorf("diagnostics %v", got)
	}
}

// A server that does not react to shutdown, exit and signals is killed.
func TestShutdownHangs(t *testing.T) {
	pool, log := fakePool(t, "hang-shutdown", nil)
	s, err := pool.Server(t.Context(), TypeScript)
	if err != nil {
		t.Fatal(err)
	}
	began := time.Now()
	pool.Close()
	if d := time.Since(began); d > time.Second {
		t.Errorf("closed after %v", d)
	}
	if alive(s.PID()) {
		t.Error("the server lives")
	}
	if count(t, log, "shutdown") != 1 {
		t.Error("it was not asked to shut down")
	}
}

// Native TypeScript refuses "params":null in shutdown.
func TestShutdownHasNoParams(t *testing.T) {
	pool, log := fakePool(t, "params-null", nil)
	if _, err := pool.Server(t.Context(), TypeScript); err != nil {
		t.Fatal(err)
	}
	pool.Close()
	if got := await(t, log, "shutdown"); got != "shutdown" {
		t.Errorf("got %q", got)
	}
	if got := await(t, log, "exit"); got != "exit" {
		t.Errorf("got %q", got)
	}
}

// Everything that waits when the pool is closed ends with ErrClosed.
func TestCloseDuringRequest(t *testing.T) {
	pool, log := fakePool(t, "slow", nil)
	s, err := pool.Server(t.Context(), TypeScript)
	if err != nil {
		t.Fatal(err)
	}
	done := make(chan error)
	go func() {
		_, err := ask(t.Context(), s)
		done <- err
	}()
	await(t, log, "textDocument/references")
	var all sync.WaitGroup
	for range 3 {
		all.Go(func() { pool.Close() })
	}
	all.Wait()
	if err := <-done; !errors.Is(err, ErrClosed) {
		t.Errorf("got %v", err)
	}
	if _, err := pool.Server(t.Context(), TypeScript); !errors.Is(err, ErrClosed) {
		t.Errorf("a new server: got %v", err)
	}
}

// Closing ends a start that is in progress.
func TestCloseDuringStart(t *testing.T) {
	pool, log := fakePool(t, "mute", nil)
	done := make(chan error)
	go func() {
		_, err := pool.Server(t.Context(), TypeScript)
		done <- err
	}()
	await(t, log, "initialize")
	pool.Close()
	if err := <-done; !errors.Is(err, ErrClosed) {
		t.Errorf("got %v", err)
	}
}

// All who ask at once get one server, and one process is started.
func TestOneServerForAll(t *testing.T) {
	pool, log := fakePool(t, "", nil)
	servers := make([]*Server, 20)
	var all sync.WaitGroup
	for i := range servers {
		all.Go(func() {
			s, err := pool.Server(t.Context(), TypeScript)
			if err != nil {
				t.Error(err)
			}
			servers[i] = s
		})
	}
	all.Wait()
	for _, s := range servers {
		if s != servers[0] {
			t.Fatal("there are several servers")
		}
	}
	if n := count(t, log, "start "); n != 1 {
		t.Errorf("%d processes", n)
	}
	await(t, log, "initialized")
	if n := count(t, log, "initialized"); n != 1 {
		t.Errorf("initialized was sent %d times", n)
	}
}

// One who goes away does not take the start along.
func TestCallerGoesAway(t *testing.T) {
	pool, log := fakePool(t, "", nil)
	ctx, cancel := context.WithCancel(t.Context())
	cancel()
	if _, err := pool.Server(ctx, TypeScript); err != nil && !errors.Is(err, context.Canceled) {
		t.Fatal(err)
	}
	await(t, log, "initialized")
	if _, err := pool.Server(t.Context(), TypeScript); err != nil {
		t.Fatal(err)
	}
	if n := count(t, log, "start "); n != 1 {
		t.Errorf("%d processes", n)
	}
}

// Programs that do not work are passed over with a reason, each tried once.
func TestBrokenProgramsAreSkipped(t *testing.T) {
	pool, log := fakePool(t, "", func(o *Options) {
		o.StartTimeout = time.Second
		var dirs []string
		for _, script := range []string{"crash-start", "mute", "old"} {
			dir := t.TempDir()
			stub(t, dir, "tsc", script)
			dirs = append(dirs, dir)
		}
		empty := filepath.Join(t.TempDir(), "tsc")
		write(t, empty, "")
		os.Chmod(empty, 0o777)
		dirs = append(dirs, filepath.Dir(empty))
		last := o.Env[len(o.Env)-2]
		o.Env[len(o.Env)-2] = "PATH=" + strings.Join(dirs, ":") + ":" + strings.TrimPrefix(last, "PATH=")
	})
	s, err := pool.Server(t.Context(), TypeScript)
	if err != nil {
		t.Fatal(err)
	}
	got := strings.Join(s.skipped, "\n")
	for _, want := range []string{
		"exit status 1: error: component is not installed", "no reply to initialize within 1s",
		"TypeScript 7.0.1 has no native language server", "exec format error",
	} {
		if !strings.Contains(got, want) {
			t.Errorf("no %q in the reasons:\n%s", want, got)
		}
	}
	if s.Version() != "7.0.2" {
		t.Errorf("version %s", s.Version())
	}
	if n := count(t, log, "start "); n != 4 {
		t.Errorf("%d processes", n)
	}
	syscall.Kill(s.PID(), syscall.SIGKILL)
	<-s.Done()
	if _, err := pool.Server(t.Context(), TypeScript); err != nil {
		t.Fatal(err)
	}
	if n := count(t, log, "start "); n != 5 {
		t.Errorf("the second start ran %d processes, want one", n-4)
	}
}

// Without a server the error carries the command that installs one.
func TestMissing(t *testing.T) {
	pool := NewPool(Options{Root: t.TempDir(), DataDir: "/data", NoInstall: true, Env: []string{"PATH=/nowhere"}})
	defer pool.Close()
	_, err := pool.Server(t.Context(), TypeScript)
	var missing *MissingError
	if !errors.As(err, &missing) || missing.Kind != TypeScript ||
		missing.Install != "npm install --prefix /data/servers/typescript-7.0.2 typescript@7.0.2" {
		t.Fatalf("got %v", err)
	}
	if _, err := pool.Server(t.Context(), "nonsense"); err == nil {
		t.Error("a server of no kind")
	}
}

// A failed installation says why and what to run.
func TestInstallFails(t *testing.T) {
	bin := t.TempDir()
	npm := filepath.Join(bin, "npm")
	write(t, npm, "#!/bin/sh\necho 'npm error network down' >&2; exit 1\n")
	os.Chmod(npm, 0o777)
	pool := NewPool(Options{Root: t.TempDir(), DataDir: t.TempDir(), Env: []string{"PATH=" + bin}})
	defer pool.Close()
	_, err := pool.Server(t.Context(), TypeScript)
	var missing *MissingError
	if !errors.As(err, &missing) || missing.Err == nil || !strings.Contains(err.Error(), "network down") ||
		!strings.Contains(err.Error(), "npm install --prefix") {
		t.Errorf("got %v", err)
	}
}

// After the free restarts a server that dies is left alone for a while.
func TestBackOff(t *testing.T) {
	pool, _ := fakePool(t, "", nil)
	for i := range freeRestarts + 1 {
		s, err := pool.Server(t.Context(), TypeScript)
		if err != nil {
			t.Fatalf("start %d: %v", i+1, err)
		}
		syscall.Kill(s.PID(), syscall.SIGKILL)
		<-s.Done()
	}
	_, err := pool.Server(t.Context(), TypeScript)
	var crash *CrashError
	if !errors.As(err, &crash) || !strings.Contains(err.Error(), "left alone") {
		t.Fatalf("got %v", err)
	}
	deadline := time.Now().Add(2 * firstBackoff)
	for err != nil && time.Now().Before(deadline) {
		<-time.After(50 * time.Millisecond)
		_, err = pool.Server(t.Context(), TypeScript)
	}
	if err != nil {
		t.Errorf("it is never started again: %v", err)
	}
}

// Documents are opened once, changed in order, and closed once, by whoever.
func TestDocuments(t *testing.T) {
	s, log := fakeServer(t, "")
	ctx := t.Context()
	if err := s.Change(ctx, "/w/a.ts", "x"); !errors.Is(err, ErrNotOpen) {
		t.Errorf("change before open: got %v", err)
	}
	var all sync.WaitGroup
	for range 10 {
		all.Go(func() {
			for _, path := range []string{"/w/a.ts", "/w/./a.ts", "/w/x/../a.ts"} {
				if err := s.Open(ctx, path, "typescript", "same"); err != nil {
					t.Error(err)
				}
			}
		})
	}
	all.Wait()
	for i := range 10 {
		all.Go(func() {
			if err := s.Change(ctx, "/w/a.ts", fmt.Sprint("text ", i)); err != nil {
				t.Error(err)
			}
		})
	}
	all.Wait()
	if err := s.Open(ctx, "/w/a.ts", "typescript", "opened again"); err != nil {
		t.Error(err)
	}
	if err := s.Change(ctx, "/w/a.ts", "opened again"); err != nil {
		t.Error(err)
	}
	for range 10 {
		all.Go(func() {
			if err := s.Close(ctx, "/w/a.ts"); err != nil {
				t.Error(err)
			}
		})
	}
	all.Wait()
	if err := s.Open(ctx, "relative.ts", "typescript", ""); err == nil {
		t.Error("a relative path was opened")
	}
	if _, err := ask(ctx, s); err != nil { // all before it is in the log now
		t.Fatal(err)
	}
	if n := count(t, log, "textDocument/didOpen"); n != 1 {
		t.Errorf("opened %d times", n)
	}
	if n := count(t, log, "textDocument/didClose"); n != 1 {
		t.Errorf("closed %d times", n)
	}
	versions := ""
	text, _ := os.ReadFile(log)
	for line := range strings.Lines(string(text)) {
		if _, after, ok := strings.Cut(line, `"version":`); ok && strings.HasPrefix(line, "textDocument/didChange") {
			versions += after[:strings.IndexAny(after, ",}")] + " "
		}
	}
	if versions != "2 3 4 5 6 7 8 9 10 11 12 " {
		t.Errorf("versions %s", versions)
	}
	if s.Opened("/w/a.ts") {
		t.Error("it is open")
	}
}
