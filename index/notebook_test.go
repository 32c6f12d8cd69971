package index_test

import (
	"errors"
	"fmt"
	"slices"
	"strings"
	"testing"

	"codeintel/index"
	"codeintel/symbols"
)

// cells returns a notebook with code cells in a language, and an output.
func cells(language, output string, sources ...string) string {
	var all []string
	for _, s := range sources {
		all = append(all, fmt.Sprintf(`{"cell_type": "code", "source": %q, "outputs": [{"text": %q}]}`, s, output))
	}
	return fmt.Sprintf(`{"nbformat": 4, "metadata": {"kernelspec": {"language": %q}}, "cells": [%s]}`, language, strings.Join(all, ", "))
}

// TestNotebooks stores notebooks and changes them.
func TestNotebooks(t *testing.T) {
	root, cache := newRoot(t), t.TempDir()
	text := "def load(): pass\n"
	write(t, root, "a.ipynb", cells("python", "shown", "%matplotlib\ndef load(): pass", "load()"))
	write(t, root, "same.py", "# %% [1]\n%matplotlib\ndef load(): pass\n# %% [2]\nload()\n")
	write(t, root, "large.ipynb", cells("python", strings.Repeat("x", index.MaxOutlined), text))
	write(t, root, "js.ipynb", cells("javascript", "", "function load() {}"))
	for i := range 12 { // lookups stay fast however many there are of these
		write(t, root, fmt.Sprintf("r%d.ipynb", i), cells("R", "", "load <- 1"))
		write(t, root, fmt.Sprintf("broken%d.ipynb", i), "{\n<<<<<<< HEAD\ndef load(): pass\n")
	}
	w := openStored(t, root, cache)
	checkIndexed(t, w)
	build(t, w)
	settle(t, w)
	build(t, w)
	again := openStored(t, root, cache)
	for _, w := range []*index.Workspace{w, again} {
		checkIndexed(t, w)
		s := w.Snapshot()
		defined, err := s.Definitions(t.Context(), "load")
		check(t, err)
		var paths []string
		for _, d := range defined {
			paths = append(paths, d.Path)
		}
		if want := []string{"a.ipynb", "js.ipynb", "large.ipynb", "same.py"}; !slices.Equal(paths, want) || s.Unindexed() != 0 {
			t.Errorf("load is defined in %q, %d not indexed; want %q, 0", paths, s.Unindexed(), want)
		}
		if st := s.Status(); st.Indexed != 4 || len(st.Skipped) != 24 {
			t.Errorf("%d files indexed, %d skipped, want 4 and 24", st.Indexed, len(st.Skipped))
		}
		s.Release()
	}
	before := w.Snapshot()
	defer before.Release()
	if _, err := before.Outline("broken0.ipynb"); !errors.Is(err, symbols.ErrNotebook) {
		t.Errorf("a broken notebook: %v", err)
	}
	if _, err := before.Outline("r0.ipynb"); !errors.Is(err, symbols.ErrNoGrammar) {
		t.Errorf("a notebook in R: %v", err)
	}

	write(t, root, "a.ipynb", cells("python", "run again", "%matplotlib\ndef load(): pass", "load()"))
	write(t, root, "broken0.ipynb", cells("python", "", "def mended(): pass"))
	w.Apply(index.Change{Path: "js.ipynb", Text: []byte(cells("ruby", "", "def load; end\ndef unsaved; end"))})
	checkIndexed(t, w)
	after := w.Snapshot()
	defer after.Release()
	old, err := before.Document("a.ipynb")
	check(t, err)
	if now, err := after.Document("a.ipynb"); err != nil || now != old {
		t.Errorf("other outputs make another document (%v)", err)
	}
	for _, name := range []string{"mended", "unsaved"} {
		if found, err := after.Definitions(t.Context(), name); err != nil || len(found) != 1 {
			t.Errorf("%s: %v, %v", name, found, err)
		}
	}
	build(t, w)
	checkIndexed(t, openStored(t, root, cache))
}
