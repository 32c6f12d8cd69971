package tools

import (
	"context"
	"errors"
	"fmt"
	"path/filepath"
	"testing"

	"codeintel/index"
	"codeintel/refs"
)

// late is a finder for which the workspace goes on while it is asked, some times.
type late struct {
	words
	t     *testing.T
	root  string
	times int
}

func (l *late) goesOn() error {
	if l.times == 0 {
		return nil
	}
	l.times--
	writeFile(l.t, filepath.Join(l.root, fmt.Sprintf("use%d.ts", l.times)), "import { f } from './a'\nf()\n")
	return fmt.Errorf("asking: %w", refs.ErrOutdated)
}

func (l *late) Find(ctx context.Context, s *index.Snapshot, q refs.Query) (*refs.Result, error) {
	if err := l.goesOn(); err != nil {
		return nil, err
	}
	return l.words.Find(ctx, s, q)
}

func (l *late) Callers(ctx context.Context, s *index.Snapshot, q refs.Query) (*refs.Places, error) {
	if err := l.goesOn(); err != nil {
		return nil, err
	}
	return l.words.Callers(ctx, s, q)
}

func TestOutdatedQuestionsAreAskedAgain(t *testing.T) {
	ws := workspace(t, map[string]string{"a.ts": "export function f() {}\n"})
	finder := &late{t: t, root: ws.Root(), times: 2}
	e := New(ws, finder, Options{})
	a, err := e.FindReferences(t.Context(), FindReferencesParams{Symbol: "f", FilePath: "a.ts"})
	if err != nil {
		t.Fatal(err)
	}
	if a.Total != 5 {
		t.Errorf("%d references, want those of the newest state: 5", a.Total)
	}
	finder.times = 1
	if _, err := e.Callers(t.Context(), PlacesParams{Symbol: "f", FilePath: "a.ts"}); err != nil {
		t.Error(err)
	}
	finder.times = 1000
	_, err = e.FindReferences(t.Context(), FindReferencesParams{Symbol: "f", FilePath: "a.ts"})
	if code(t, err, NoLanguageService); !errors.Is(err, refs.ErrOutdated) {
		t.Errorf("error %v, want that the workspace has changed", err)
	}
}
