package main

import (
	"bytes"
	"fmt"
	"io"
	"os"
	"os/exec"
	"strings"
	"sync"
	"syscall"
	"testing"

	"golang.org/x/sys/unix"
)

// terminal is a pseudo-terminal; the test holds the end a person would see.
type terminal struct {
	person, program *os.File

	mu   sync.Mutex
	seen bytes.Buffer // guarded by mu
	done chan struct{}
}

func openTerminal(t *testing.T) *terminal {
	t.Helper()
	person, err := os.OpenFile("/dev/ptmx", os.O_RDWR|unix.O_NOCTTY, 0)
	if err != nil {
		t.Skipf("no pseudo-terminals here: %v", err)
	}
	t.Cleanup(func() { person.Close() })
	fd := int(person.Fd())
	if err := unix.IoctlSetPointerInt(fd, unix.TIOCSPTLCK, 0); err != nil {
		t.Fatal(err)
	}
	n, err := unix.IoctlGetInt(fd, unix.TIOCGPTN)
	if err != nil {
		t.Fatal(err)
	}
	program, err := os.OpenFile(fmt.Sprintf("/dev/pts/%d", n), os.O_RDWR|unix.O_NOCTTY, 0)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { program.Close() })
	term := &terminal{person: person, program: program, done: make(chan struct{})}
	go term.watch()
	return term
}

func (term *terminal) watch() {
	defer close(term.done)
	chunk := make([]byte, 4096)
	for {
		n, err := term.person.Read(chunk)
		term.mu.Lock()
		term.seen.Write(chunk[:n])
		term.mu.Unlock()
		if err != nil {
			return
		}
	}
}

func (term *terminal) text() string {
	term.mu.Lock()
	defer term.mu.Unlock()
	return strings.ReplaceAll(term.seen.String(), "\r\n", "\n")
}

// attach makes the terminal the command's controlling terminal, stdin and
// stderr. Stdout stays what it is.
func (term *terminal) attach(cmd *exec.Cmd) {
	cmd.Stdin, cmd.Stderr = term.program, term.program
	cmd.SysProcAttr = &syscall.SysProcAttr{Setsid: true, Setctty: true}
}

func TestApprovalOnATerminal(t *testing.T) {
	for _, c := range []struct {
		typed string
		exit  int
		shown bool
	}{
		{"y\n", 0, true},
		{"YES\n", 0, true},
		{"\n", 4, false},
		{"n\n", 4, false},
		{"\x04", 4, false}, // end of input
		{"\x03", 7, false}, // Ctrl-C
	} {
		t.Run(fmt.Sprintf("%q", c.typed), func(t *testing.T) {
			term := openTerminal(t)
			cmd := codeintel(t, map[string]string{"a.ts": calls(51)}, "refs", "f", "a.ts", "--tier", "syntactic")
			term.attach(cmd)
			var stdout shared
			cmd.Stdout = &stdout
			if err := cmd.Start(); err != nil {
				t.Fatal(err)
			}
			waitFor(t, "the question", func() bool { return strings.Contains(term.text(), "[y/N] ") })
			if !strings.Contains(term.text(), "Found 51 references to 'f' in 1 file; more than 50 need approval.\n  51  a.ts\nShow them all? [y/N] ") {
				t.Errorf("the question is\n%s", term.text())
			}
			if stdout.String() != "" {
				t.Errorf("before the answer, stdout has %q", stdout.String())
			}
			if _, err := io.WriteString(term.person, c.typed); err != nil {
				t.Fatal(err)
			}
			if got := exitCode(t, cmd.Wait()); got != c.exit {
				t.Errorf("exit status %d, want %d; the terminal shows\n%s", got, c.exit, term.text())
			}
			if shown := strings.HasSuffix(stdout.String(), "### SUMMARY: Found 51 references in 1 files. ###\n"); shown != c.shown {
				t.Errorf("the answer was shown: %v, want %v", shown, c.shown)
			}
			if c.exit == 4 {
				const refusal = "Operation cancelled: Found 51 references to 'f', which exceeds the threshold."
				waitFor(t, "the refusal", func() bool { return strings.Contains(term.text(), refusal) })
			}
		})
	}
}

func TestNoQuestionWithNoInput(t *testing.T) {
	term := openTerminal(t)
	cmd := codeintel(t, map[string]string{"a.ts": calls(51)}, "refs", "f", "a.ts", "--tier", "syntactic", "--no-input")
	term.attach(cmd)
	if got := exitCode(t, cmd.Run()); got != 3 {
		t.Errorf("exit status %d, want 3; the terminal shows\n%s", got, term.text())
	}
}
