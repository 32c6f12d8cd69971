package main

import (
	"bytes"
	"context"
	"errors"
	"flag"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"strconv"
	"strings"
	"sync"
	"testing"

	"github.com/rogpeppe/go-internal/testscript"
	"github.com/spf13/cobra"

	"codeintel/lsp"
	"codeintel/lsp/lsptest"
)

var update = flag.Bool("update", false, "rewrite the golden files")

// asCommand makes the test binary behave as codeintel itself.
const asCommand = "CODEINTEL_TEST_AS_COMMAND"

func TestMain(m *testing.M) {
	if os.Getenv(asCommand) != "" {
		os.Unsetenv(asCommand)
		main()
	}
	testscript.Main(m, map[string]func(){"codeintel": main})
}

// TestScript runs testdata/script. A script that needs a language server says so
// with [!server:KIND] skip; the servers are those of package lsptest. $OWN is a
// folder of the script's own, outside of its workspace.
func TestScript(t *testing.T) {
	goenv := goEnvironment(t)
	data := lsptest.DataDir(t)
	servers := &available{root: t.TempDir(), data: data, works: map[lsp.Kind]bool{}}
	own := t.TempDir() // not below a script's folder, which could be no root then
	testscript.Run(t, testscript.Params{
		Dir:                 "testdata/script",
		UpdateScripts:       *update,
		RequireExplicitExec: true,
		Setup: func(env *testscript.Env) error {
			own := filepath.Join(own, filepath.Base(env.WorkDir))
			env.Setenv("HOME", filepath.Join(own, "home"))
			env.Setenv("NO_COLOR", "1")
			binary, err := exec.LookPath("codeintel")
			if err != nil {
				return err
			}
			env.Setenv("CODEINTEL", binary) // for scripts that change PATH
			env.Vars = append(env.Vars, goenv...)
			env.Setenv("OWN", own)
			env.Setenv("CODEINTEL_CONFIG_DIR", filepath.Join(own, "config"))
			env.Setenv("CODEINTEL_CACHE_DIR", filepath.Join(own, "cache"))
			env.Setenv("CODEINTEL_DATA_DIR", data)
			return os.MkdirAll(filepath.Join(own, "home"), 0o755)
		},
		Condition: servers.condition,
		Cmds:      map[string]func(*testscript.TestScript, bool, []string){"status": status},
	})
}

// available remembers which servers can be had on this machine.
type available struct {
	root, data string

	mu    sync.Mutex
	works map[lsp.Kind]bool // guarded by mu
}

// condition answers [server:KIND]. The first question of a kind starts it, which
// may install it.
func (s *available) condition(cond string) (bool, error) {
	kind, ok := strings.CutPrefix(cond, "server:")
	if !ok {
		return false, fmt.Errorf("unknown condition %q", cond)
	}
	s.mu.Lock()
	defer s.mu.Unlock()
	if works, known := s.works[lsp.Kind(kind)]; known {
		return works, nil
	}
	pool := lsp.NewPool(lsp.Options{Root: s.root, DataDir: s.data})
	defer pool.Close()
	_, err := pool.Server(context.Background(), lsp.Kind(kind))
	var missing *lsp.MissingError
	if err != nil && !errors.As(err, &missing) {
		return false, err
	}
	s.works[lsp.Kind(kind)] = err == nil
	return err == nil, nil
}

// goEnvironment keeps the Go caches of this machine in the scripts, whose HOME
// is empty.
func goEnvironment(t *testing.T) []string {
	t.Helper()
	var out []string
	for _, name := range []string{"GOCACHE", "GOPATH", "GOMODCACHE", "GOFLAGS", "GOPROXY"} {
		v, err := exec.Command("go", "env", name).Output()
		if err != nil {
			t.Fatal(err)
		}
		out = append(out, name+"="+strings.TrimSpace(string(v)))
	}
	return append(out, "GOTOOLCHAIN=local", "GOTELEMETRY=off")
}

// status N cmd args… runs a command and fails unless it exits with N.
func status(ts *testscript.TestScript, neg bool, args []string) {
	if neg || len(args) < 2 {
		ts.Fatalf("usage: status N cmd [args…]")
	}
	want, err := strconv.Atoi(args[0])
	ts.Check(err)
	got := 0
	if err := ts.Exec(args[1], args[2:]...); err != nil {
		var exit *exec.ExitError
		if !errors.As(err, &exit) {
			ts.Fatalf("%s: %v", args[1], err)
		}
		got = exit.ExitCode()
	}
	if got != want {
		ts.Fatalf("%s exited with %d, want %d", strings.Join(args[1:], " "), got, want)
	}
}

// TestHelp compares the help of every command with testdata/help.
func TestHelp(t *testing.T) {
	a := &app{env: func(string) (string, bool) { return "", false }}
	var names []string
	var walk func(*cobra.Command)
	walk = func(c *cobra.Command) {
		names = append(names, c.CommandPath())
		for _, sub := range c.Commands() {
			walk(sub)
		}
	}
	walk(a.command())
	for _, name := range names {
		t.Run(name, func(t *testing.T) {
			var out bytes.Buffer
			a := &app{
				args: append(strings.Fields(name)[1:], "--help"), stdout: &out, stderr: &out,
				env: func(string) (string, bool) { return "", false },
			}
			if got := a.run(t.Context()); got != 0 {
				t.Errorf("exit status %d", got)
			}
			golden := filepath.Join("testdata", "help", strings.ReplaceAll(name, " ", "-")+".txt")
			if *update {
				if err := os.WriteFile(golden, out.Bytes(), 0o644); err != nil {
					t.Fatal(err)
				}
			}
			want, err := os.ReadFile(golden)
			if err != nil {
				t.Fatal(err)
			}
			if out.String() != string(want) {
				t.Errorf("help differs from %s (go test -update rewrites it):\n%s", golden, out.String())
			}
			for i, line := range strings.Split(out.String(), "\n") {
				if len(line) > 100 && !strings.HasPrefix(name, "codeintel completion") {
					t.Errorf("line %d has %d characters: %s", i+1, len(line), line)
				}
			}
		})
	}
}
