package refs_test

import (
	"context"
	"path/filepath"
	"testing"

	"codeintel/refs"
)

// TestSyntactic asks about each workspace of testdata/syntactic without any server
// and compares the answer with its marks, which have the form that [workspace]
// describes.
func TestSyntactic(t *testing.T) {
	files, err := filepath.Glob("testdata/syntactic/*.txtar")
	if err != nil || len(files) == 0 {
		t.Fatalf("no workspaces: %v", err)
	}
	for _, file := range files {
		w := readWorkspace(t, file)
		t.Run(w.name, func(t *testing.T) {
			dir := tempRoot(t)
			w.write(t, dir)
			ws, finder := engine(t, dir, refs.Options{})
			s := ws.Snapshot()
			defer s.Release()
			r, err := finder.Find(context.Background(), s, refs.Query{Symbol: w.symbol, Path: w.file, Point: w.at, Tier: refs.Syntactic})
			if err != nil {
				t.Fatal(err)
			}
			got := map[string]bool{}
			for _, ref := range r.References {
				role := "reference"
				if ref.Declaration {
					role = "declaration"
				}
				got[mark(ref.Path, ref.Line, ref.Column, role)] = true
			}
			for _, line := range difference(w.want, got) {
				t.Errorf("missing %s", line)
			}
			for _, line := range difference(got, w.want) {
				t.Errorf("wrong   %s", line)
			}
		})
	}
}
