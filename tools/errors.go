package tools

import (
	"context"
	"errors"
	"fmt"
	"strings"

	"codeintel/index"
	"codeintel/refs"
	"codeintel/symbols"
)

// Code names a kind of failure. The words are part of the interface.
type Code string

// The codes, each with the exit status that [Code.Exit] gives it.
const (
	MissingParam      Code = "missing_param"
	InvalidParam      Code = "invalid_param"
	NotFound          Code = "not_found"
	NotAFile          Code = "not_a_file"
	NotADirectory     Code = "not_a_directory"
	AccessDenied      Code = "access_denied"
	OutsideWorkspace  Code = "outside_workspace"
	ApprovalRequired  Code = "approval_required"
	Denied            Code = "denied"
	SymbolNotFound    Code = "symbol_not_found"
	Ambiguous         Code = "ambiguous"
	NoLanguageService Code = "no_language_service"
	TooLarge          Code = "too_large"
	Timeout           Code = "timeout"
	Canceled          Code = "canceled"
	Internal          Code = "internal"
)

// Exit statuses of the command line.
const (
	ExitFound     = 0  // at least one result
	ExitNone      = 1  // ran well, nothing found
	ExitUsage     = 2  // wrong arguments, no such file or symbol
	ExitApproval  = 3  // a large answer waits for approval
	ExitDenied    = 4  // the user said no
	ExitAccess    = 5  // blocked, or outside the workspace
	ExitNoService = 6  // nothing can answer for this kind of file
	ExitTimeout   = 7  // deadline passed, or interrupted
	ExitInternal  = 70 // a bug, or the machine
)

// Exit returns the exit status of the command line for c.
func (c Code) Exit() int {
	switch c {
	case MissingParam, InvalidParam, NotFound, NotAFile, NotADirectory, SymbolNotFound, Ambiguous, TooLarge:
		return ExitUsage
	case ApprovalRequired:
		return ExitApproval
	case Denied:
		return ExitDenied
	case AccessDenied, OutsideWorkspace:
		return ExitAccess
	case NoLanguageService:
		return ExitNoService
	case Timeout, Canceled:
		return ExitTimeout
	}
	return ExitInternal
}

// Error is what every call of this package fails with.
type Error struct {
	// Code is the kind of failure, for programs.
	Code Code
	// Message is for people: what, where and what to do; it may have several
	// lines.
	Message string
	// Detail holds the facts behind the message, ready for JSON; it may be nil.
	// For Ambiguous it is an [AmbiguousDetail], for SymbolNotFound a
	// [SymbolDetail], for ApprovalRequired and Denied an [ApprovalRequest].
	Detail any

	cause error
}

// Error returns the message.
func (e *Error) Error() string { return e.Message }

// Unwrap returns what caused the failure; may be nil.
func (e *Error) Unwrap() error { return e.cause }

// AmbiguousDetail lists what an ambiguous name may mean.
type AmbiguousDetail struct {
	Symbol     string            `json:"symbol"`
	FilePath   string            `json:"filePath,omitempty"`
	Candidates []CandidateDetail `json:"candidates"`
}

// CandidateDetail is one definition that a name may mean. Line and Column are
// 1-based, the column in bytes.
type CandidateDetail struct {
	File      string `json:"file"`
	Line      int    `json:"line"`
	Column    int    `json:"column"`
	Kind      string `json:"kind"`
	Name      string `json:"name"`
	Container string `json:"container,omitempty"`
}

// SymbolDetail says what was looked for and what was found instead.
type SymbolDetail struct {
	Symbol   string `json:"symbol"`
	FilePath string `json:"filePath"`
	// Lines are 1-based lines of the file that do hold the name.
	Lines []int `json:"lines,omitempty"`
	// Nearest are defined names that look like it.
	Nearest []string `json:"nearest,omitempty"`
}

func fail(code Code, format string, args ...any) *Error {
	return &Error{Code: code, Message: fmt.Sprintf(format, args...)}
}

// ErrorOf turns any error of the rooms below into an *Error; what names what was
// being done ("opening the workspace"). It is for doors: the calls of [Engine]
// return nothing else.
func ErrorOf(ctx context.Context, what string, err error) *Error { return failure(ctx, what, err) }

// failure turns any error of the rooms below into an *Error. what names the call
// ("finding references to 'X'").
func failure(ctx context.Context, what string, err error) *Error {
	var e *Error
	if errors.As(err, &e) {
		return e
	}
	var ambiguous *refs.AmbiguousError
	if errors.As(err, &ambiguous) {
		return ambiguousError(ambiguous)
	}
	var missing *refs.SymbolNotFoundError
	if errors.As(err, &missing) {
		return notFoundError(missing)
	}
	var none *refs.NoServerError
	if errors.As(err, &none) {
		return &Error{Code: NoLanguageService, Message: none.Error(), cause: err}
	}
	if errors.Is(err, refs.ErrPosition) {
		return &Error{Code: InvalidParam, Message: err.Error(), cause: err}
	}
	if e := deadline(ctx, what, err); e != nil {
		return e
	}
	if e := pathError(err); e != nil {
		return e
	}
	var service *serviceError
	if errors.As(err, &service) {
		return &Error{Code: NoLanguageService, Message: fmt.Sprintf("%s: no language server could answer: %v", what, err), cause: err}
	}
	return &Error{Code: Internal, Message: fmt.Sprintf("Error %s: %v", what, err), cause: err}
}

// serviceError is a finder's error. What the finder cannot classify itself is
// what kept a language server from answering.
type serviceError struct{ error }

func (e *serviceError) Unwrap() error { return e.error }

func deadline(ctx context.Context, what string, err error) *Error {
	if ctx.Err() != nil {
		err = errors.Join(err, ctx.Err())
	}
	found := ""
	var partial *refs.PartialError
	if errors.As(err, &partial) && partial.Found > 0 {
		found = fmt.Sprintf("; %d references had been found by then", partial.Found)
	}
	switch {
	case errors.Is(err, context.DeadlineExceeded):
		limit := "the time limit passed"
		if c := context.Cause(ctx); c != nil && c != context.DeadlineExceeded {
			limit = c.Error()
		}
		return &Error{Code: Timeout, Message: fmt.Sprintf("%s: %s%s", what, limit, found), cause: err}
	case errors.Is(err, context.Canceled):
		return &Error{Code: Canceled, Message: fmt.Sprintf("%s: interrupted%s", what, found), cause: err}
	}
	return nil
}

// pathError maps the refusals of the index, and of what is no notebook.
func pathError(err error) *Error {
	var root *index.RootError
	if errors.As(err, &root) {
		return &Error{Code: InvalidParam, Message: root.Error(), cause: err}
	}
	for _, m := range []struct {
		is   error
		code Code
	}{
		{index.ErrNotFound, NotFound},
		{index.ErrIsDirectory, NotAFile},
		{index.ErrNotRegular, NotAFile},
		{index.ErrBinary, NotAFile},
		{index.ErrTooLarge, TooLarge},
		{index.ErrOutside, OutsideWorkspace},
		{index.ErrBlocked, AccessDenied},
		{symbols.ErrNotebook, NoLanguageService},
	} {
		if errors.Is(err, m.is) {
			return &Error{Code: m.code, Message: err.Error(), cause: err}
		}
	}
	return nil
}

func ambiguousError(a *refs.AmbiguousError) *Error {
	d := AmbiguousDetail{Symbol: a.Symbol, FilePath: a.Path}
	for _, c := range a.Candidates {
		d.Candidates = append(d.Candidates, CandidateDetail{
			File: c.Path, Line: c.Line, Column: c.Column,
			Kind: string(c.Symbol.Kind), Name: c.Symbol.Name, Container: c.Symbol.Container,
		})
	}
	return &Error{Code: Ambiguous, Message: a.Error(), Detail: d, cause: a}
}

func notFoundError(m *refs.SymbolNotFoundError) *Error {
	return &Error{Code: SymbolNotFound, Message: m.Error(), cause: m,
		Detail: SymbolDetail{Symbol: m.Symbol, FilePath: m.Path, Lines: m.Lines, Nearest: m.Nearest}}
}

// missing reports an absent parameter, with a reminder of how the call is made.
func missing(param, call string) *Error {
	return fail(MissingParam, "Missing value for required parameter '%s'. Please retry with complete response.\n\nCall it as: %s", param, call)
}

func blank(s string) bool { return strings.TrimSpace(s) == "" }
