package refs

import (
	"errors"
	"fmt"
	"strings"

	"codeintel/symbols"
)

// Candidate is one definition that an ambiguous name may mean.
type Candidate struct {
	Path string
	// Line and Column are 1-based, the column in bytes.
	Line, Column int
	Symbol       symbols.Symbol
}

// String renders the candidate as path:line:col kind Container.Name.
func (c Candidate) String() string {
	name := c.Symbol.Name
	if c.Symbol.Container != "" {
		name = c.Symbol.Container + "." + name
	}
	return fmt.Sprintf("%s:%d:%d %s %s", c.Path, c.Line, c.Column, c.Symbol.Kind, name)
}

// AmbiguousError reports a name with definitions in several containers. Nothing
// was asked: the caller must choose a candidate.
type AmbiguousError struct {
	Symbol, Path string
	Candidates   []Candidate
}

func (e *AmbiguousError) Error() string {
	var b strings.Builder
	fmt.Fprintf(&b, "'%s' is ambiguous in %s:", e.Symbol, e.Path)
	for _, c := range e.Candidates {
		b.WriteString("\n  " + c.String())
	}
	return b.String()
}

// SymbolNotFoundError reports a name that does not occur where it was looked
// for, or a place without a name.
type SymbolNotFoundError struct {
	Symbol, Path string
	// Line is the 1-based line that was asked about, 0 for the whole document.
	Line int
	// Lines are up to five 1-based lines of the document that hold the name.
	Lines []int
	// Nearest are up to five defined names that look like it.
	Nearest []string
	// Column is the 1-based column in bytes when a place was asked about, and
	// Instead what stands there: "a comment". Symbol is empty then.
	Column  int
	Instead string
}

func (e *SymbolNotFoundError) Error() string {
	if e.Instead != "" {
		return fmt.Sprintf("Symbol not found at %s:%d:%d: %s stands there; give the column of a name", e.Path, e.Line, e.Column, e.Instead)
	}
	where := e.Path
	if e.Line > 0 {
		where = fmt.Sprintf("%s on line %d", e.Path, e.Line)
	}
	msg := fmt.Sprintf("Symbol '%s' not found in %s", e.Symbol, where)
	if len(e.Lines) > 0 {
		msg += fmt.Sprintf("; it occurs on lines %s", joinInts(e.Lines))
	}
	if len(e.Nearest) > 0 {
		msg += "; nearest names: " + strings.Join(e.Nearest, ", ")
	}
	return msg
}

func joinInts(ns []int) string {
	parts := make([]string, len(ns))
	for i, n := range ns {
		parts[i] = fmt.Sprint(n)
	}
	return strings.Join(parts, ", ")
}

// PartialError reports that a deadline or cancellation ended a query. Found is
// what was known by then.
type PartialError struct {
	Found int
	Err   error
}

func (e *PartialError) Error() string {
	return fmt.Sprintf("stopped after %d references: %v", e.Found, e.Err)
}

// Unwrap returns the context's error.
func (e *PartialError) Unwrap() error { return e.Err }

// ErrPosition marks errors about a line or column that the document does not
// have, or that holds no identifier.
var ErrPosition = errors.New("no such position")

// NoServerError reports that no language server answers for a document.
type NoServerError struct {
	Path     string
	Language symbols.Language
	Why      string
}

func (e *NoServerError) Error() string {
	return fmt.Sprintf("no language server for %s: %s", e.Path, e.Why)
}

// ErrOutdated says that a language server has been brought to a newer snapshot
// than the one that was asked about: what it says does not fit the older texts.
// Who may take the workspace's current snapshot asks again with that.
var ErrOutdated = errors.New("the workspace has changed since; ask again about its current state")
