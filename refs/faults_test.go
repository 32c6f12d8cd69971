package refs_test

import (
	"context"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"syscall"
	"testing"
	"time"

	"codeintel/index"
	"codeintel/lsp"
	"codeintel/lsp/lsptest"
	"codeintel/refs"
)

// goWorkspace writes a small Go module with three references to Target and
// returns its root.
func goWorkspace(t *testing.T) string {
	root := tempRoot(t)
	writeFile(t, filepath.Join(root, "go.mod"), "module example.com/m\n\ngo 1.26\n")
	writeFile(t, filepath.Join(root, "a.go"), "package m\n\nfunc Target() int { return 1 }\n\nfunc use() int { return Target() + Target() }\n")
	return root
}

var targetQuery = refs.Query{Symbol: "Target", Path: "a.go"}

// find asks for Target and checks the number and the precision.
func find(t *testing.T, ws *index.Workspace, f *refs.Finder, want int, precision refs.Precision) *refs.Result {
	t.Helper()
	if err := ws.Refresh(t.Context()); err != nil {
		t.Fatal(err)
	}
	s := ws.Snapshot()
	defer s.Release()
	r, err := f.Find(t.Context(), s, targetQuery)
	if err != nil {
		t.Fatal(err)
	}
	if len(r.References) != want || r.Precision != precision {
		t.Errorf("%d references, %s (%s); want %d, %s", len(r.References), r.Precision, r.Reason, want, precision)
	}
	return r
}

// TestServerKilledBefore kills the running server between two questions.
func TestServerKilledBefore(t *testing.T) {
	root := goWorkspace(t)
	pool := lsptest.Pool(t, root)
	ws, f := engine(t, root, refs.Options{Servers: pool})
	find(t, ws, f, 3, refs.Exact)
	kill(t, lsptest.Server(t, pool, lsp.Gopls).PID())
	find(t, ws, f, 3, refs.Exact)
}

// TestServerKilledDuring stops the server so that a question must hang on it,
// then kills it: the death is noticed and a fresh server answers.
func TestServerKilledDuring(t *testing.T) {
	root := goWorkspace(t)
	pool := lsptest.Pool(t, root)
	ws, f := engine(t, root, refs.Options{Servers: pool})
	find(t, ws, f, 3, refs.Exact)
	s := stopped(t, pool, lsp.Gopls)
	answered := make(chan *refs.Result, 1)
	go func() { answered <- find(t, ws, f, 3, refs.Exact) }()
	select {
	case <-answered:
		t.Fatal("a stopped server answered")
	case <-time.After(200 * time.Millisecond): // the question now hangs on the server
	}
	kill(t, s.PID())
	select {
	case <-s.Done():
	case <-time.After(time.Second):
		t.Fatal("the death was not noticed within 1 s")
	}
	<-answered
}

// TestServerDiesAlways uses a server that ends at every question: the answer
// comes from a lower tier that says so.
func TestServerDiesAlways(t *testing.T) {
	root := goWorkspace(t)
	bin := t.TempDir()
	gopls := lsptest.Command(t, lsp.Gopls)[0]
	writeProxy(t, filepath.Join(bin, "gopls"), gopls, "textDocument/references")
	pool := lsp.NewPool(lsp.Options{Root: root, Env: append(os.Environ(), "PATH="+bin+":"+os.Getenv("PATH")), NoInstall: true})
	defer pool.Close()
	ws, f := engine(t, root, refs.Options{Servers: pool})
	r := find(t, ws, f, 3, refs.Syntactic)
	if !strings.Contains(r.Reason, "died twice") {
		t.Errorf("reason %q does not say that the server died twice", r.Reason)
	}
}

// TestServerMissing forbids installing: the lower tier names the command.
func TestServerMissing(t *testing.T) {
	root := goWorkspace(t)
	pool := lsp.NewPool(lsp.Options{Root: root, Env: withoutPath(t), NoInstall: true})
	defer pool.Close()
	ws, f := engine(t, root, refs.Options{Servers: pool})
	r := find(t, ws, f, 3, refs.Syntactic)
	if !strings.Contains(r.Reason, "gopls") || !strings.Contains(r.Reason, "go install golang.org/x/tools/gopls@v0.23.0") {
		t.Errorf("reason %q does not name the command that installs gopls", r.Reason)
	}
	s := ws.Snapshot()
	defer s.Release()
	_, err := f.Find(t.Context(), s, refs.Query{Symbol: "Target", Path: "a.go", Tier: refs.Exact})
	var missing *lsp.MissingError
	if !errors.As(err, &missing) {
		t.Errorf("tier exact without a server: %v, want a MissingError", err)
	}
}

// TestServerTooSlow bounds the wait: the lower tier says that time ran out.
func TestServerTooSlow(t *testing.T) {
	root := goWorkspace(t)
	pool := lsptest.Pool(t, root)
	ws, f := engine(t, root, refs.Options{Servers: pool, ServerTimeout: 300 * time.Millisecond})
	s := stopped(t, pool, lsp.Gopls)
	defer kill(t, s.PID())
	if r := find(t, ws, f, 3, refs.Syntactic); !strings.Contains(r.Reason, "in time") {
		t.Errorf("reason %q does not say that time ran out", r.Reason)
	}
}

// TestCanceled ends a question that hangs, with the context's error.
func TestCanceled(t *testing.T) {
	root := goWorkspace(t)
	pool := lsptest.Pool(t, root)
	ws, f := engine(t, root, refs.Options{Servers: pool})
	s := stopped(t, pool, lsp.Gopls)
	defer kill(t, s.PID())
	ctx, cancel := context.WithTimeout(t.Context(), 200*time.Millisecond)
	defer cancel()
	snapshot := ws.Snapshot()
	defer snapshot.Release()
	if _, err := f.Find(ctx, snapshot, targetQuery); !errors.Is(err, context.DeadlineExceeded) {
		t.Errorf("error %v, want the context's", err)
	}
}

// twoServers is a workspace in which tsserver judges what TypeScript 7 cannot.
var twoServers = map[string]string{
	"package.json":       `{"name": "m", "type": "module"}`,
	"core/tsconfig.json": modern,
	"core/target.ts":     "export class Target {}\n",
	"app/tsconfig.json":  `{"compilerOptions": {"target": "es2020", "module": "esnext", "moduleResolution": "node", "baseUrl": "./src", "strict": true, "ignoreDeprecations": "6.0"}}`,
	"app/src/barrel.ts":  "export * from \"../../core/target\";\n",
	"app/src/main.ts":    "import { Target } from \"barrel\";\nnew Target();\n",
	"app/src/near.ts":    "import { Target } from \"../../core/target\";\nnew Target();\n",
}

var twoServersQuery = refs.Query{Symbol: "Target", Path: "core/target.ts"}

// TestSecondServerTooSlow bounds the wait for a second server: what the first one
// found stays, and is incomplete.
func TestSecondServerTooSlow(t *testing.T) {
	root := lay(t, twoServers)
	pool := lsptest.Pool(t, root)
	s := stopped(t, pool, lsp.TSServer)
	defer kill(t, s.PID())
	r := references(t, root, refs.Options{Servers: pool, ServerTimeout: 3 * time.Second}, twoServersQuery)
	if got, want := at(r), "core/target.ts:1:14 app/src/near.ts:1:10 app/src/near.ts:2:5"; got != want || r.Precision != refs.Exact {
		t.Errorf("got  %s, %s\nwant %s", got, r.Precision, want)
	}
	if r.Coverage.Complete || len(r.Unconfirmed) != 2 || !strings.Contains(r.Reason, "did not answer in time") {
		t.Errorf("complete %v, %d unconfirmed, reason %q", r.Coverage.Complete, len(r.Unconfirmed), r.Reason)
	}
}

// TestSecondServerDies kills the second server while it is asked: a fresh one
// answers, and nothing of the first attempt is left.
func TestSecondServerDies(t *testing.T) {
	root := lay(t, twoServers)
	pool := lsptest.Pool(t, root)
	s := stopped(t, pool, lsp.TSServer)
	go func() {
		<-time.After(1500 * time.Millisecond) // the question hangs on it by then
		kill(t, s.PID())
	}()
	r := references(t, root, refs.Options{Servers: pool}, twoServersQuery)
	same(t, r, "core/target.ts:1:14 app/src/main.ts:1:10 app/src/main.ts:2:5 app/src/near.ts:1:10 app/src/near.ts:2:5")
	if len(r.Servers) != 2 || len(r.Unconfirmed) != 0 {
		t.Errorf("servers %v, unconfirmed %v", r.Servers, r.Unconfirmed)
	}
}

// stopped returns a server, stopped so that every question hangs on it.
func stopped(t *testing.T, pool *lsp.Pool, kind lsp.Kind) *lsp.Server {
	t.Helper()
	s := lsptest.Server(t, pool, kind)
	if err := syscall.Kill(s.PID(), syscall.SIGSTOP); err != nil {
		t.Fatal(err)
	}
	var status syscall.WaitStatus // the signal takes effect some time after it is sent
	if _, err := syscall.Wait4(s.PID(), &status, syscall.WUNTRACED, nil); err != nil || !status.Stopped() {
		t.Fatalf("the server did not stop: %v, status %v", err, status)
	}
	return s
}

func kill(t *testing.T, pid int) {
	t.Helper()
	if err := syscall.Kill(-pid, syscall.SIGKILL); err != nil && !errors.Is(err, syscall.ESRCH) {
		if err := syscall.Kill(pid, syscall.SIGKILL); err != nil && !errors.Is(err, syscall.ESRCH) {
			t.Fatal(err)
		}
	}
}

// withoutPath is the environment with no program in reach.
func withoutPath(t *testing.T) []string {
	var out []string
	for _, kv := range os.Environ() {
		if !strings.HasPrefix(kv, "PATH=") {
			out = append(out, kv)
		}
	}
	return append(out, "PATH="+t.TempDir())
}

// TestFreshness changes the tree between questions to one running server; each
// answer is of the tree as it is.
func TestFreshness(t *testing.T) {
	root := goWorkspace(t)
	ws, f := engine(t, root, refs.Options{})
	find(t, ws, f, 3, refs.Exact)
	file := func(name string) string { return filepath.Join(root, name) }
	steps := []struct {
		name   string
		change func() error
		want   int
	}{
		{"a new file", func() error { return os.WriteFile(file("b.go"), []byte("package m\n\nvar B = Target()\n"), 0o644) }, 4},
		{"an edit of it", func() error {
			return os.WriteFile(file("b.go"), []byte("package m\n\nvar B = Target() + Target()\n"), 0o644)
		}, 5},
		{"an edit of the declaring file", func() error {
			return os.WriteFile(file("a.go"), []byte("package m\n\n// moved\n\nfunc Target() int { return 1 }\n"), 0o644)
		}, 3},
		{"a rename", func() error { return os.Rename(file("b.go"), file("c.go")) }, 3},
		{"a removal", func() error { return os.Remove(file("c.go")) }, 1},
		{"a new package", func() error {
			if err := os.Mkdir(file("sub"), 0o755); err != nil {
				return err
			}
			return os.WriteFile(file("sub/s.go"), []byte("package sub\n\nimport \"example.com/m\"\n\nvar S = m.Target()\n"), 0o644)
		}, 2},
	}
	for _, step := range steps {
		if err := step.change(); err != nil {
			t.Fatal(err)
		}
		if r := find(t, ws, f, step.want, refs.Exact); t.Failed() {
			t.Fatalf("after %s: %+v", step.name, r.References)
		}
	}
}

// TestConcurrent asks many questions at once while the tree changes: every
// answer is that of a state between the change before and the change after it,
// and one server does all of it.
func TestConcurrent(t *testing.T) {
	root := goWorkspace(t)
	pool := lsptest.Pool(t, root)
	ws, f := engine(t, root, refs.Options{Servers: pool})
	defer f.Close()
	find(t, ws, f, 3, refs.Exact)
	first := lsptest.Server(t, pool, lsp.Gopls)
	const rounds = 6
	done := make(chan error, rounds*4)
	for round := range rounds {
		text := "package m\n\nvar B = 0" + strings.Repeat(" + Target()", round+1) + "\n"
		// A server reads the file when it likes: it must never see half of it.
		writeFile(t, filepath.Join(root, "b.go.new"), text)
		if err := os.Rename(filepath.Join(root, "b.go.new"), filepath.Join(root, "b.go")); err != nil {
			t.Fatal(err)
		}
		if err := ws.Refresh(t.Context()); err != nil {
			t.Fatal(err)
		}
		for range 4 {
			s := ws.Snapshot()
			go func() {
				defer s.Release()
				r, err := f.Find(t.Context(), s, targetQuery)
				for errors.Is(err, refs.ErrOutdated) { // a later round was faster
					now := ws.Snapshot()
					defer now.Release()
					r, err = f.Find(t.Context(), now, targetQuery)
				}
				if err == nil && (r.Precision != refs.Exact || len(r.References) < 4+round) {
					err = fmt.Errorf("round %d: %d references, %s (%s)", round, len(r.References), r.Precision, r.Reason)
				}
				done <- err
			}()
		}
	}
	for range rounds * 4 {
		if err := <-done; err != nil {
			t.Error(err)
		}
	}
	find(t, ws, f, 3+rounds, refs.Exact)
	if last, err := pool.Server(t.Context(), lsp.Gopls); err != nil || last != first {
		t.Errorf("the server was replaced: %v", err)
	}
}
