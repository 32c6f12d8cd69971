//go:build unix

package main

import (
	"bufio"
	"bytes"
	"context"
	"errors"
	"fmt"
	"io"
	"os"
	"os/exec"
	"path/filepath"
	"runtime"
	"strings"
	"syscall"
	"testing"
	"time"
)

// patience bounds what a test waits for.
const patience = 60 * time.Second

// codeintel returns this test binary as a command that behaves as codeintel, in
// a folder with the given files.
func codeintel(t *testing.T, files map[string]string, args ...string) *exec.Cmd {
	t.Helper()
	work, own := t.TempDir(), t.TempDir()
	for name, text := range files {
		path := filepath.Join(work, name)
		if err := os.MkdirAll(filepath.Dir(path), 0o755); err != nil {
			t.Fatal(err)
		}
		if err := os.WriteFile(path, []byte(text), 0o644); err != nil {
			t.Fatal(err)
		}
	}
	self, err := os.Executable()
	if err != nil {
		t.Fatal(err)
	}
	ctx, cancel := context.WithTimeout(t.Context(), patience)
	t.Cleanup(cancel)
	cmd := exec.CommandContext(ctx, self, args...)
	cmd.Dir = work
	cmd.Env = append(os.Environ(), asCommand+"=1", "NO_COLOR=1",
		"CODEINTEL_CONFIG_DIR="+own, "CODEINTEL_DATA_DIR="+own, "CODEINTEL_CACHE_DIR="+own)
	return cmd
}

// calls is a file with a function f and n-1 calls of it.
func calls(n int) string {
	return "export function f() {}\n" + strings.Repeat("f()\n", n-1)
}

func exitCode(t *testing.T, err error) int {
	t.Helper()
	var exit *exec.ExitError
	if err != nil && !errors.As(err, &exit) {
		t.Fatal(err)
	}
	if exit == nil {
		return 0
	}
	return exit.ExitCode()
}

// TestClosedPipe reads one line of a large answer and closes the pipe, as head
// -1 does.
func TestClosedPipe(t *testing.T) {
	cmd := codeintel(t, map[string]string{"a.ts": calls(20_000)}, "refs", "f", "a.ts", "--tier", "syntactic", "--yes")
	var stderr bytes.Buffer
	cmd.Stderr = &stderr
	stdout, err := cmd.StdoutPipe()
	if err != nil {
		t.Fatal(err)
	}
	if err := cmd.Start(); err != nil {
		t.Fatal(err)
	}
	line, err := bufio.NewReader(stdout).ReadString('\n')
	if err != nil || line != "### References to 'f' ###\n" {
		t.Errorf("first line %q, %v", line, err)
	}
	stdout.Close()
	if got := exitCode(t, cmd.Wait()); got != 0 || stderr.Len() > 0 {
		t.Errorf("exit status %d, stderr %q", got, stderr.String())
	}
}

// TestNoStdout starts without a stdout: an answer that nobody can get is no
// success. One that is thrown away on purpose is.
func TestNoStdout(t *testing.T) {
	for redirect, want := range map[string]int{">&-": 70, "1<>/dev/null": 0} {
		cmd := codeintel(t, map[string]string{"a.ts": calls(3)}, "refs", "f", "a.ts", "--tier", "syntactic")
		cmd.Args = append([]string{"sh", "-c", `exec "$0" "$@" ` + redirect, cmd.Path}, cmd.Args[1:]...)
		sh, err := exec.LookPath("sh")
		if err != nil {
			t.Skip(err)
		}
		cmd.Path = sh
		var stderr bytes.Buffer
		cmd.Stderr = &stderr
		if got := exitCode(t, cmd.Run()); got != want || want == 70 && !strings.Contains(stderr.String(), "stdout is closed") {
			t.Errorf("%s: exit status %d, stderr %q; want %d", redirect, got, stderr.String(), want)
		}
	}
}

// fakeTSC is a tsc that never answers and notes its process id, to have a child
// that hangs.
func fakeTSC(t *testing.T) (dir, pidFile string) {
	t.Helper()
	dir = t.TempDir()
	pidFile = filepath.Join(dir, "pid")
	sleep, err := exec.LookPath("sleep")
	if err != nil {
		t.Skip(err)
	}
	script := fmt.Sprintf("#!/bin/sh\necho $$ > %s\nexec %s 1000\n", pidFile, sleep)
	if err := os.WriteFile(filepath.Join(dir, "tsc"), []byte(script), 0o755); err != nil {
		t.Fatal(err)
	}
	return dir, pidFile
}

func waitFor(t *testing.T, what string, done func() bool) {
	t.Helper()
	tick := time.NewTicker(10 * time.Millisecond)
	defer tick.Stop()
	limit := time.After(patience)
	for !done() {
		select {
		case <-tick.C:
		case <-limit:
			t.Fatalf("waited %v for %s", patience, what)
		}
	}
}

// alive reports whether a process runs. One that has ended and waits for init to
// notice it does not.
func alive(pid int) bool {
	if syscall.Kill(pid, 0) != nil {
		return false
	}
	stat, err := os.ReadFile(fmt.Sprintf("/proc/%d/stat", pid))
	if err != nil {
		return !errors.Is(err, os.ErrNotExist) || runtime.GOOS != "linux"
	}
	_, state, _ := strings.Cut(string(stat), ") ")
	return !strings.HasPrefix(state, "Z")
}

// hanging starts a command whose language server never answers. What it prints,
// on stdout and stderr, is in output.
func hanging(t *testing.T, args ...string) (cmd *exec.Cmd, output *bytes.Buffer, server int) {
	t.Helper()
	bin, pidFile := fakeTSC(t)
	cmd = codeintel(t, map[string]string{"a.ts": calls(3)}, args...)
	cmd.Env = append(cmd.Env, "PATH="+bin+":/usr/bin:/bin", "CODEINTEL_NO_INSTALL=1")
	output = &bytes.Buffer{}
	cmd.Stdout, cmd.Stderr = output, output
	if err := cmd.Start(); err != nil {
		t.Fatal(err)
	}
	waitFor(t, "the server to start", func() bool {
		text, err := os.ReadFile(pidFile)
		if err != nil || !strings.HasSuffix(string(text), "\n") {
			return false
		}
		_, err = fmt.Sscan(string(text), &server)
		return err == nil
	})
	return cmd, output, server
}

func TestInterrupt(t *testing.T) {
	for _, signal := range []os.Signal{os.Interrupt, syscall.SIGTERM} {
		t.Run(signal.String(), func(t *testing.T) {
			cmd, stderr, server := hanging(t, "refs", "f", "a.ts")
			if err := cmd.Process.Signal(signal); err != nil {
				t.Fatal(err)
			}
			began := time.Now()
			if got := exitCode(t, cmd.Wait()); got != 7 {
				t.Errorf("exit status %d, want 7", got)
			}
			if took := time.Since(began); took > 5*time.Second {
				t.Errorf("it took %v to end", took)
			}
			if !strings.Contains(stderr.String(), "interrupted") || strings.Contains(stderr.String(), "goroutine") {
				t.Errorf("stderr %q", stderr.String())
			}
			if alive(server) {
				t.Errorf("the server %d is still alive", server)
			}
		})
	}
}

// TestSecondInterrupt ends at once, whatever the servers do. (Two equal signals
// can be merged on the way, so the second is another one.)
func TestSecondInterrupt(t *testing.T) {
	cmd, _, server := hanging(t, "refs", "f", "a.ts")
	for _, signal := range []os.Signal{os.Interrupt, syscall.SIGTERM} {
		if err := cmd.Process.Signal(signal); err != nil {
			t.Fatal(err)
		}
	}
	if got := exitCode(t, cmd.Wait()); got != exitInterrupted {
		t.Errorf("exit status %d, want %d", got, exitInterrupted)
	}
	waitFor(t, "the server to end", func() bool { return !alive(server) })
}

func TestTimeoutEndsTheServer(t *testing.T) {
	for _, c := range []struct {
		args []string
		exit int
		says string
	}{
		{nil, 0, "### NOTE: syntactic: the language server did not answer in time ###"},
		{[]string{"--tier", "exact"}, 7, "limit 1s, --timeout"},
	} {
		cmd, stderr, server := hanging(t, append([]string{"refs", "f", "a.ts", "--timeout", "1s"}, c.args...)...)
		if got := exitCode(t, cmd.Wait()); got != c.exit {
			t.Errorf("%v: exit status %d, want %d; it says %s", c.args, got, c.exit, stderr)
		}
		if !strings.Contains(stderr.String(), c.says) {
			t.Errorf("%v: it says %q, want %q", c.args, stderr, c.says)
		}
		if alive(server) {
			t.Errorf("%v: the server %d is still alive", c.args, server)
		}
	}
}

func TestKillLeavesNoServer(t *testing.T) {
	cmd, _, server := hanging(t, "refs", "f", "a.ts")
	if err := cmd.Process.Kill(); err != nil {
		t.Fatal(err)
	}
	_ = cmd.Wait()
	began := time.Now()
	waitFor(t, "the server to end", func() bool { return !alive(server) })
	if took := time.Since(began); took > 2*time.Second {
		t.Errorf("the server lived on for %v", took)
	}
}

func TestInputIsNotReadWithoutATerminal(t *testing.T) {
	cmd := codeintel(t, map[string]string{"a.ts": calls(60)}, "refs", "f", "a.ts", "--tier", "syntactic")
	cmd.Stdin = strings.NewReader("y\n")
	cmd.Stdout = io.Discard
	if got := exitCode(t, cmd.Run()); got != 3 {
		t.Errorf("exit status %d, want 3", got)
	}
}
