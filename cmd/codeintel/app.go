package main

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"os"
	"os/signal"
	"runtime/debug"
	"slices"
	"strings"
	"sync"
	"syscall"

	"github.com/spf13/cobra"
	"golang.org/x/term"

	"codeintel/tools"
)

// app is one run of the command.
type app struct {
	args           []string
	stdin          io.Reader
	stdout, stderr io.Writer
	env            func(string) (string, bool)
	environ        []string // the whole environment, for children
	dir            string   // the current folder, absolute

	// stdinTTY, stdoutTTY and stderrTTY report which streams are terminals.
	stdinTTY, stdoutTTY, stderrTTY bool
	// stdoutClosed reports that there was no stdout when the process began.
	stdoutClosed bool

	progress *progress
	flags    flags
	running  bool // the command line was understood
	exit     int  // exit status of a command that ran

	asksServers bool // the command asks language servers; they may start early
}

// flags are the flags that several commands share.
type flags struct {
	root               string
	json               bool
	yes, noInput       bool
	noDaemon           bool
	noInstall          bool
	threshold, timeout string
	tier, color        string
}

// process runs the command on the process's own streams, environment and
// signals, and returns the exit status.
func process() int {
	dir, err := os.Getwd()
	if err != nil {
		fmt.Fprintf(os.Stderr, "codeintel: the current folder is not known: %v\n", err)
		return tools.ExitInternal
	}
	a := &app{
		args: os.Args[1:], stdin: os.Stdin, stdout: os.Stdout, stderr: os.Stderr,
		env: os.LookupEnv, environ: os.Environ(), dir: dir,
		stdinTTY:  term.IsTerminal(int(os.Stdin.Fd())),
		stdoutTTY: term.IsTerminal(int(os.Stdout.Fd())),
		stderrTTY: term.IsTerminal(int(os.Stderr.Fd())),

		stdoutClosed: stdoutClosed(),
	}
	ctx, stop := interruptible(context.Background(), a)
	defer stop()
	return a.run(ctx)
}

// exitInterrupted is the status after a second interrupt, as shells have it.
const exitInterrupted = 130

// interruptible returns a context that the first SIGINT, SIGTERM or SIGHUP
// cancels, so that servers are closed in order. A second one ends the process at
// once; the servers then die with it.
func interruptible(parent context.Context, a *app) (context.Context, func()) {
	// With a handler for SIGPIPE in place, writing to a closed stdout returns
	// EPIPE instead of killing the process and leaving the servers behind.
	signal.Notify(make(chan os.Signal, 1), syscall.SIGPIPE)
	signals := make(chan os.Signal, 2)
	signal.Notify(signals, os.Interrupt, syscall.SIGTERM, syscall.SIGHUP)
	ctx, cancel := context.WithCancelCause(parent)
	done := make(chan struct{})
	var once sync.Once
	go func() {
		select {
		case <-signals:
			cancel(context.Canceled)
		case <-done:
			return
		}
		select {
		case <-signals:
			os.Exit(exitInterrupted)
		case <-done:
		}
	}()
	return ctx, func() { once.Do(func() { close(done); cancel(nil) }) }
}

// run executes the command line and returns the exit status. A panic below is
// reported as an internal error; deferred clean-up has run by then.
func (a *app) run(ctx context.Context) (status int) {
	a.progress = newProgress(a.stderr, a.stderrTTY)
	defer func() {
		a.progress.clear()
		if p := recover(); p != nil {
			fmt.Fprintf(a.stderr, "codeintel: internal error: %v\n%s", p, debug.Stack())
			status = tools.ExitInternal
		}
	}()
	root := a.command()
	root.SetArgs(a.args)
	cmd, err := root.ExecuteContextC(ctx)
	a.progress.clear()
	if err != nil {
		return a.report(ctx, cmd, err)
	}
	return a.exit
}

// report prints an error where it belongs and returns its exit status.
func (a *app) report(ctx context.Context, cmd *cobra.Command, err error) int {
	if errors.Is(err, errReaderGone) {
		return tools.ExitFound // it has seen enough
	}
	var e *tools.Error
	switch {
	case errors.As(err, &e):
	case a.running:
		e = tools.ErrorOf(ctx, cmd.Name(), err)
	default: // from cobra: unknown flags and commands
		e = &tools.Error{Code: tools.InvalidParam, Message: err.Error() + usageHint(cmd)}
	}
	if req, ok := e.Detail.(tools.ApprovalRequest); ok && e.Code == tools.ApprovalRequired {
		return a.reportApproval(e, req)
	}
	// A flag that was not understood keeps those after it from being read.
	if a.flags.json || slices.Contains(a.args, "--json") {
		a.reportJSON(e)
	} else {
		fmt.Fprintf(a.stderr, "%s %s%s\n", a.paint(red, "codeintel:"), e.Message, choice(cmd, e))
	}
	return e.Code.Exit()
}

func (a *app) reportJSON(e *tools.Error) {
	text, err := encode(map[string]any{"error": map[string]any{"code": e.Code, "message": e.Message, "detail": e.Detail}})
	if err != nil {
		text = e.Message + "\n"
	}
	io.WriteString(a.stderr, text)
}

// choice shows how to name one of several candidates.
func choice(cmd *cobra.Command, e *tools.Error) string {
	d, ok := e.Detail.(tools.AmbiguousDetail)
	if !ok || len(d.Candidates) == 0 {
		return ""
	}
	c := d.Candidates[0]
	return fmt.Sprintf("\nto choose one: %s %s:%d:%d", cmd.CommandPath(), c.File, c.Line, c.Column)
}

func usageHint(cmd *cobra.Command) string {
	return fmt.Sprintf("\nsee: %s --help", cmd.CommandPath())
}

// approvalJSON is what --json prints when an answer waits for approval.
type approvalJSON struct {
	Status string `json:"status"`
	tools.ApprovalRequest
	Approve []string `json:"approve"`
}

// reportApproval says what waits for approval and how to give it.
func (a *app) reportApproval(e *tools.Error, req tools.ApprovalRequest) int {
	if a.flags.json {
		// What cannot be printed is not approved either: the status says it all.
		_ = a.printJSON(approvalJSON{
			Status: string(e.Code), ApprovalRequest: req,
			Approve: []string{"--yes", "--threshold N"},
		})
		return e.Code.Exit()
	}
	fmt.Fprintf(a.stderr, "%s %s\n", a.paint(red, "codeintel:"), req.Text())
	fmt.Fprint(a.stderr, "To see them all: --yes, or --threshold N with a higher N")
	if req.Tool == "find_references" {
		fmt.Fprint(a.stderr, "; for an overview: -l (files) or -c (counts)")
	}
	fmt.Fprintln(a.stderr, ".")
	return e.Code.Exit()
}

// usageError reports arguments that do not fit together.
func usageError(format string, args ...any) error {
	return &tools.Error{Code: tools.InvalidParam, Message: fmt.Sprintf(format, args...)}
}

// errReaderGone says that nobody reads stdout any more. (A server's pipe can
// break too; that is another matter.)
var errReaderGone = errors.New("stdout was closed")

// print writes a finished answer to stdout.
func (a *app) print(text string) error {
	a.progress.clear()
	return written(io.WriteString(a.stdout, text))
}

// printJSON writes a value to stdout.
func (a *app) printJSON(v any) error {
	text, err := encode(v)
	if err != nil {
		return err
	}
	return a.print(text)
}

// written turns the outcome of a write to stdout into an error.
func written(_ int, err error) error {
	switch {
	case errors.Is(err, syscall.EPIPE):
		return errReaderGone
	case err != nil:
		return fmt.Errorf("writing the answer: %w", err)
	}
	return nil
}

// encode renders a value as indented JSON with a line break at its end.
func encode(v any) (string, error) {
	var b strings.Builder
	enc := json.NewEncoder(&b)
	enc.SetEscapeHTML(false)
	enc.SetIndent("", "  ")
	err := enc.Encode(v)
	return b.String(), err
}

// note writes a remark to stderr.
func (a *app) note(format string, args ...any) {
	a.progress.clear()
	fmt.Fprintf(a.stderr, "codeintel: %s\n", strings.TrimRight(fmt.Sprintf(format, args...), "\n"))
}

// found sets the exit status by the number of results.
func (a *app) found(n int) {
	if n == 0 {
		a.exit = tools.ExitNone
	}
}
