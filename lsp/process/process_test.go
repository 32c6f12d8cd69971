//go:build unix

package process

import (
	"bufio"
	"fmt"
	"io"
	"os"
	"os/exec"
	"strconv"
	"strings"
	"syscall"
	"testing"
	"time"
)

// TestMain re-executes this binary as a parent that can be killed.
func TestMain(m *testing.M) {
	if os.Getenv("PROCESS_TEST_PARENT") != "" {
		parent()
		return
	}
	os.Exit(m.Run())
}

// family is a child with a child of its own. Both print their ids and then do
// nothing; neither reacts to signals that can be ignored.
const family = `trap '' INT HUP TERM; sh -c "trap '' INT HUP TERM; echo \$\$; exec sleep 600" & echo $$; wait`

// parent starts a guarded family, prints its ids and waits to be killed.
func parent() {
	p, err := Start(Command{Path: "/bin/sh", Args: []string{"-c", family}}, &Guard{})
	if err != nil {
		fmt.Println(err)
		return
	}
	io.Copy(os.Stdout, p.Stdout)
}

// pids reads n lines with a process id each.
func pids(t *testing.T, r io.Reader, n int) []int {
	t.Helper()
	var out []int
	lines := bufio.NewScanner(r)
	for len(out) < n && lines.Scan() {
		pid, err := strconv.Atoi(lines.Text())
		if err != nil {
			t.Fatal(lines.Text())
		}
		out = append(out, pid)
	}
	if len(out) < n {
		t.Fatalf("got process ids %v, want %d", out, n)
	}
	return out
}

// alive reports whether a process runs; a zombie does not.
func alive(pid int) bool {
	stat, err := os.ReadFile(fmt.Sprintf("/proc/%d/stat", pid))
	if err != nil {
		return !os.IsNotExist(err) && syscall.Kill(pid, 0) == nil
	}
	_, rest, _ := strings.Cut(string(stat), ") ")
	return !strings.HasPrefix(rest, "Z")
}

// gone fails the test if one of the processes still runs after limit.
func gone(t *testing.T, limit time.Duration, pids []int) {
	t.Helper()
	began := time.Now()
	for _, pid := range pids {
		for alive(pid) {
			if time.Since(began) > limit {
				t.Fatalf("process %d still runs after %v", pid, limit)
			}
			<-time.After(time.Millisecond)
		}
	}
}

func start(t *testing.T, script string, g *Guard) *Process {
	t.Helper()
	p, err := Start(Command{Path: "/bin/sh", Args: []string{"-c", script}}, g)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { p.Kill(); <-p.Done() })
	return p
}

func TestKillReachesGrandchildren(t *testing.T) {
	p := start(t, family, nil)
	ids := pids(t, p.Stdout, 2)
	p.Kill()
	<-p.Done()
	gone(t, time.Second, ids)
	if p.Err() == nil {
		t.Error("no error for a killed process")
	}
}

// A child that exits takes its own children along, even if they keep its
// standard streams open.
func TestExitEndsGrandchildren(t *testing.T) {
	p := start(t, `sleep 600 & echo $!; echo done >&2; exit 3`, nil)
	ids := pids(t, p.Stdout, 1)
	select {
	case <-p.Done():
	case <-time.After(5 * time.Second):
		t.Fatal("Done is not closed")
	}
	gone(t, time.Second, ids)
	if got := fmt.Sprint(p.Err()); got != "exit status 3" {
		t.Errorf("error %q", got)
	}
	if got := p.Stderr(); got != "done" {
		t.Errorf("stderr %q", got)
	}
	if _, err := io.ReadAll(p.Stdout); err != nil {
		t.Error(err)
	}
}

// When the parent is killed by SIGKILL nothing of the family is left.
func TestParentKilled(t *testing.T) {
	cmd := exec.Command(os.Args[0])
	cmd.Env = append(os.Environ(), "PROCESS_TEST_PARENT=1")
	out, err := cmd.StdoutPipe()
	if err != nil {
		t.Fatal(err)
	}
	if err := cmd.Start(); err != nil {
		t.Fatal(err)
	}
	ids := pids(t, out, 2)
	cmd.Process.Kill()
	cmd.Wait()
	gone(t, 2*time.Second, ids)
}

// The guard kills what it watches and leaves alone what it was told to forget.
func TestGuardForgets(t *testing.T) {
	g := &Guard{}
	watched := exec.Command("sleep", "600")
	forgotten := exec.Command("sleep", "600")
	for _, cmd := range []*exec.Cmd{watched, forgotten} {
		setOwnGroup(cmd)
		if err := cmd.Start(); err != nil {
			t.Fatal(err)
		}
		g.watch(cmd.Process.Pid)
	}
	g.forget(forgotten.Process.Pid)
	g.Close()
	watched.Wait()
	if !alive(forgotten.Process.Pid) {
		t.Error("the guard killed a group that it was told to forget")
	}
	forgotten.Process.Kill()
	forgotten.Wait()
}

// A terminal's signals reach the guard only if they are meant for everything.
func TestGuardOutlivesSignals(t *testing.T) {
	g := &Guard{}
	p := start(t, family, g)
	ids := pids(t, p.Stdout, 2)
	status := fmt.Sprintf("/proc/%d/status", g.shell.Process.Pid)
	for { // until the shell has come to its trap, which ignores SIGHUP, SIGINT and SIGTERM
		text, err := os.ReadFile(status)
		if err != nil {
			t.Skipf("no /proc to see when the trap is set: %v", err)
		}
		_, mask, _ := strings.Cut(string(text), "SigIgn:\t")
		if n, _ := strconv.ParseUint(strings.Fields(mask)[0], 16, 64); n&0x4003 == 0x4003 {
			break
		}
	}
	for _, sig := range []os.Signal{syscall.SIGINT, syscall.SIGHUP, syscall.SIGTERM} {
		g.shell.Process.Signal(sig)
	}
	g.Close()
	gone(t, time.Second, ids)
}

func TestLines(t *testing.T) {
	lines := make(chan string, 10)
	p, err := Start(Command{Path: "/bin/sh", Args: []string{"-c", `printf 'a\r\n\n b \npart' >&2`},
		Line: func(s string) { lines <- s }}, nil)
	if err != nil {
		t.Fatal(err)
	}
	<-p.Done()
	close(lines)
	var got []string
	for s := range lines {
		got = append(got, s)
	}
	if strings.Join(got, "|") != "a|b" {
		t.Errorf("got %q", got)
	}
	if p.Err() != nil {
		t.Error(p.Err())
	}
}

func TestTailKeepsTheEnd(t *testing.T) {
	var w tail
	for i := range 10000 {
		fmt.Fprintf(&w, "line %d\n", i)
	}
	got := w.String()
	if len(got) > tailSize || !strings.HasPrefix(got, "line ") || !strings.HasSuffix(got, "\nline 9999") {
		t.Errorf("%d bytes: %.20q … %q", len(got), got, got[len(got)-20:])
	}
}

func TestStartMissingProgram(t *testing.T) {
	p, err := Start(Command{Path: "/no/such/program"}, &Guard{})
	if err == nil || p != nil {
		t.Errorf("got %v, %v; want an error", p, err)
	}
}
