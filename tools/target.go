package tools

import (
	"context"
	"errors"

	"codeintel/index"
	"codeintel/refs"
)

// target is what a call about one symbol names, not yet checked.
type target struct {
	tool, call   string
	symbol, file string
	place        Place
	tier         refs.Precision
}

// check reports missing arguments and unknown tiers.
func (t target) check() error {
	exactPlace := t.place.Position != "" || t.place.Column > 0
	if blank(t.symbol) && (t.symbol != "" || !exactPlace) {
		return missing("symbol", t.call)
	}
	if t.file != "" && blank(t.file) || t.file == "" && !t.place.empty() {
		return missing("file_path", t.call)
	}
	switch t.tier {
	case "", refs.Exact, refs.Syntactic, refs.Textual:
		return nil
	}
	return fail(InvalidParam, "tier %q is unknown: it is exact, syntactic or textual", t.tier)
}

// begin checks a target and resolves it in a snapshot of what is on disk now,
// which the caller releases.
func (e *Engine) begin(ctx context.Context, t target) (*index.Snapshot, refs.Query, error) {
	if err := t.check(); err != nil {
		return nil, refs.Query{}, err
	}
	s, err := e.snapshot(ctx)
	if err != nil {
		return nil, refs.Query{}, err
	}
	q, err := e.query(ctx, s, t)
	if err != nil {
		s.Release()
		return nil, refs.Query{}, err
	}
	return s, q, nil
}

// retakes bounds how often a question is asked again because the workspace went
// on while it was on its way. Once is rare: another call must have come between.
const retakes = 20

// ask resolves a target and asks about it in a snapshot of what is on disk now,
// which the caller releases; once more in a newer one each time that it turns out
// to be outdated.
func (e *Engine) ask(ctx context.Context, t target, question func(*index.Snapshot, refs.Query) error) (*index.Snapshot, error) {
	for attempt := 1; ; attempt++ {
		s, q, err := e.begin(ctx, t)
		if err != nil {
			return nil, err
		}
		err = question(s, q)
		if err == nil {
			return s, nil
		}
		s.Release()
		if !errors.Is(err, refs.ErrOutdated) || attempt == retakes {
			return nil, &serviceError{err}
		}
	}
}

// query resolves the target's file and place in a snapshot. A target without a
// file is looked up by its name.
func (e *Engine) query(ctx context.Context, s *index.Snapshot, t target) (refs.Query, error) {
	if t.file == "" {
		return e.lookup(ctx, s, t)
	}
	path, err := e.resolve(ctx, s, t.tool, t.file)
	if err != nil {
		return refs.Query{}, err
	}
	doc, err := document(s, path, t.file)
	if err != nil {
		return refs.Query{}, err
	}
	if err := t.place.check(); err != nil {
		return refs.Query{}, err
	}
	point, err := t.place.point(doc)
	if err != nil {
		return refs.Query{}, err
	}
	return refs.Query{Path: path, Symbol: t.symbol, Point: point, Tier: t.tier}, nil
}
