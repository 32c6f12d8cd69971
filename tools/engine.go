package tools

import (
	"context"
	"errors"
	"fmt"
	"path/filepath"
	"sort"

	"codeintel/index"
	"codeintel/refs"
	"codeintel/symbols"
)

// Finder finds what the tools print; [refs.Finder] is the one in use.
type Finder interface {
	Find(context.Context, *index.Snapshot, refs.Query) (*refs.Result, error)
	Definition(context.Context, *index.Snapshot, refs.Query) (*refs.Places, error)
	Implementations(context.Context, *index.Snapshot, refs.Query) (*refs.Places, error)
	Callers(context.Context, *index.Snapshot, refs.Query) (*refs.Places, error)
	Callees(context.Context, *index.Snapshot, refs.Query) (*refs.Places, error)
}

// Options configure an [Engine]. The zero value asks for approval above 50
// reference lines, has nobody to ask, and takes relative paths from the root.
type Options struct {
	// Dir is the absolute directory that relative paths in arguments start from;
	// empty means the workspace root. Printed paths always start from the root.
	Dir string
	// Approver is asked about large answers; nil makes them fail with
	// ApprovalRequired.
	Approver Approver
	// Policy says what happens to large answers; empty means PolicyAsk.
	Policy Policy
	// Threshold is the number of distinct lines shown without approval; nil
	// means [DefaultThreshold]. Zero asks always, a negative number never.
	Threshold *int
	// ReadExternal says whether files outside the root may be named in
	// arguments; empty means PolicyAsk, and with no Approver they are refused.
	ReadExternal Policy
	// ShowExternal shows the text of lines outside the root in answers; without
	// it only their places are given.
	ShowExternal bool
	// Exclude reports whether a root-relative path is left out of answers; nil
	// leaves nothing out. A file that is named in an argument is read all the
	// same.
	Exclude func(path string) bool
	// RG is the path of ripgrep; empty searches text in Go.
	RG string
	// Progress is told how far the index has come while a call has to wait for it,
	// by one goroutine at a time. May be nil.
	Progress func(index.Progress)
	// Warn is told why the index could not be stored; answers do not need it. May be
	// nil.
	Warn func(error)
}

// Engine makes the calls on one workspace. It is safe for concurrent use.
type Engine struct {
	ws     *index.Workspace
	finder Finder
	opts   Options
}

// New returns an Engine. The caller keeps the workspace and closes it.
func New(ws *index.Workspace, finder Finder, o Options) *Engine {
	return &Engine{ws: ws, finder: finder, opts: o}
}

// Root returns the real path of the workspace root.
func (e *Engine) Root() string { return e.ws.Root() }

func (e *Engine) threshold() int {
	if e.opts.Threshold == nil {
		return DefaultThreshold
	}
	return *e.opts.Threshold
}

// snapshot brings the workspace up to the disk and returns its state. The caller
// releases it.
func (e *Engine) snapshot(ctx context.Context) (*index.Snapshot, error) {
	if err := e.ws.Refresh(ctx); err != nil {
		return nil, fmt.Errorf("reading %s: %w", e.ws.Root(), err)
	}
	return e.ws.Snapshot(), nil
}

// resolve returns the root-relative path of an argument (absolute outside the
// root), after the access checks.
func (e *Engine) resolve(ctx context.Context, s *index.Snapshot, tool, input string) (string, error) {
	path, err := s.Resolve(e.dir(), input)
	if err != nil {
		return "", err
	}
	if filepath.IsAbs(path) {
		if err := e.approveExternal(ctx, tool, path); err != nil {
			return "", err
		}
	}
	return path, nil
}

// hidden reports whether a path may not show in an answer.
func (e *Engine) hidden(s *index.Snapshot, path string) bool {
	if filepath.IsAbs(path) {
		return false
	}
	_, blocked := s.Blocked(path)
	return blocked || e.excluded(path)
}

func (e *Engine) excluded(path string) bool {
	return e.opts.Exclude != nil && !filepath.IsAbs(path) && e.opts.Exclude(path)
}

func (e *Engine) dir() string {
	if e.opts.Dir == "" {
		return e.ws.Root()
	}
	return e.opts.Dir
}

// document reads the file that an argument named.
func document(s *index.Snapshot, path, input string) (*symbols.Document, error) {
	doc, err := s.Document(path)
	switch {
	case errors.Is(err, index.ErrNotFound):
		return nil, &Error{Code: NotFound, Message: "File not found: " + input, cause: err}
	case errors.Is(err, index.ErrTooLarge):
		return nil, &Error{Code: TooLarge, Message: fmt.Sprintf("File is too large to read into context. (%v)", err), cause: err}
	}
	return doc, err
}

func (e *Engine) approveExternal(ctx context.Context, tool, path string) error {
	refusal := fail(OutsideWorkspace, "%s lies outside the workspace %s; choose another root (--root) to work on it", path, e.ws.Root())
	switch e.opts.ReadExternal {
	case PolicyAllow:
		return nil
	case PolicyDeny:
		return refusal
	}
	if e.opts.Approver == nil {
		return refusal
	}
	req := largeRequest(tool, "", path, "", path, nil, 0)
	req.Kind, req.Reason = ExternalRead, "the file lies outside the workspace "+e.ws.Root()
	d, err := e.opts.Approver(ctx, req)
	if err != nil {
		return err
	}
	if !d.Approved {
		return deniedError(req, d.Feedback)
	}
	return nil
}

// byCount returns the counts with the largest first, equal ones by path.
func byCount(perFile []refs.FileCount) []refs.FileCount {
	out := append([]refs.FileCount(nil), perFile...)
	sort.SliceStable(out, func(i, j int) bool {
		if out[i].Count != out[j].Count {
			return out[i].Count > out[j].Count
		}
		return out[i].Path < out[j].Path
	})
	return out
}
