package lsp

import (
	"errors"
	"fmt"
	"strings"
	"time"
)

// ErrClosed is returned by a [Pool] and its servers after [Pool.Close].
var ErrClosed = errors.New("the language servers have been closed")

// ErrNotOpen is returned for a change of a document that is not open.
var ErrNotOpen = errors.New("the document is not open in the language server")

// ErrUnsupported is returned for a question that the server does not know.
var ErrUnsupported = errors.New("the language server does not answer this question")

// CrashError says that a server died, or that the connection to it did: by a
// message that is none, too.
type CrashError struct {
	Kind   Kind
	Err    error  // how it ended: the process's exit, or what broke the connection
	Stderr string // the last of what it wrote to stderr, at most 4 KB
}

// Error names the server, how it ended and the last line it wrote to stderr.
func (e *CrashError) Error() string {
	msg := fmt.Sprintf("%s died: %v", e.Kind, e.Err)
	if e.Stderr != "" {
		lines := strings.Split(e.Stderr, "\n")
		msg += ": " + cut(strings.TrimSpace(lines[len(lines)-1]), 200)
	}
	return msg
}

// Unwrap returns how the server ended.
func (e *CrashError) Unwrap() error { return e.Err }

// RestingError says that a server died too often in a row and is not started for
// a while.
type RestingError struct {
	Kind Kind
	For  time.Duration // until it is started again
	Last *CrashError   // how it died last
}

// Error names the server, the time and the last crash.
func (e *RestingError) Error() string {
	return fmt.Sprintf("%s is left alone for another %v: %v", e.Kind, e.For.Round(100*time.Millisecond), e.Last)
}

// Unwrap returns the last crash.
func (e *RestingError) Unwrap() error { return e.Last }

// MissingError says that no usable server was found and none was installed.
type MissingError struct {
	Kind    Kind
	Install string   // the command that installs it
	Skipped []string // what was found and why it was not used, "path: reason"
	Err     error    // why installing failed; nil when it was not allowed or not tried
}

// Error names the server, why it could not be had, and the command to run.
func (e *MissingError) Error() string {
	msg := fmt.Sprintf("%s was not found", e.Kind)
	if len(e.Skipped) > 0 {
		msg = fmt.Sprintf("no usable %s was found (%s)", e.Kind, strings.Join(e.Skipped, "; "))
	}
	if e.Err != nil {
		msg += fmt.Sprintf(" and installing it failed: %v", e.Err)
	}
	return msg + "; install it with: " + e.Install
}

// Unwrap returns why installing failed.
func (e *MissingError) Unwrap() error { return e.Err }
