package refs_test

import (
	"errors"
	"fmt"
	"path/filepath"
	"strings"
	"testing"

	"codeintel/index"
	"codeintel/refs"
)

// notebookFiles have a function, its use in a notebook, and the name in others.
var notebookFiles = map[string]string{
	"loading.py": "def load(path):\n    return path\n",
	"use.ipynb": `{"cells": [{"cell_type": "markdown", "source": "load"},
		{"cell_type": "code", "source": "%matplotlib inline\nfrom loading import load", "outputs": [{"text": "load"}]},
		{"cell_type": "code", "source": "def run():\n    return load('load')  # load"}]}`,
	"runs.ipynb":   `{"cells": [{"cell_type": "code", "source": "%run use.ipynb\nload(1)"}]}`,
	"own.ipynb":    `{"cells": [{"cell_type": "code", "source": "def load(): pass\nload()"}]}`,
	"ruby.ipynb":   `{"metadata": {"kernelspec": {"language": "ruby"}}, "cells": [{"cell_type": "code", "source": "load 1"}]}`,
	"broken.ipynb": "{ load",
	"main.go":      "package main\n\nfunc load() {}\n",
}

func notebookWorkspace(t *testing.T) (*index.Snapshot, *refs.Finder) {
	root := tempRoot(t)
	for name, text := range notebookFiles {
		writeFile(t, filepath.Join(root, name), text)
	}
	ws, f := engine(t, root, refs.Options{})
	s := ws.Snapshot()
	t.Cleanup(s.Release)
	return s, f
}

func placesOf(r *refs.Result) string {
	var all []string
	for _, ref := range r.References {
		all = append(all, fmt.Sprintf("%s:%d:%d", ref.Path, ref.Line, ref.Column))
	}
	return strings.Join(all, " ")
}

// Notebooks are answered for by their syntax, and say why.
func TestNotebookTarget(t *testing.T) {
	s, f := notebookWorkspace(t)
	const reason = "notebooks are not asked of a language server"
	for _, tt := range []struct{ symbol, path, want string }{
		{"load", "use.ipynb", "loading.py:1:5 use.ipynb:3:21 use.ipynb:6:12"},
		{"run", "use.ipynb", "use.ipynb:5:5"},
		{"load", "own.ipynb", "own.ipynb:2:5 own.ipynb:3:1"},
		{"load", "ruby.ipynb", "ruby.ipynb:2:1"},
	} {
		r, err := f.Find(t.Context(), s, refs.Query{Path: tt.path, Symbol: tt.symbol})
		if err != nil {
			t.Fatal(err)
		}
		if got := placesOf(r); got != tt.want || r.Precision != refs.Syntactic || r.Reason != reason {
			t.Errorf("%s in %s: %s (%s: %s), want %s", tt.symbol, tt.path, got, r.Precision, r.Reason, tt.want)
		}
	}
	var none *refs.NoServerError
	if _, err := f.Find(t.Context(), s, refs.Query{Path: "use.ipynb", Symbol: "load", Tier: refs.Exact}); !errors.As(err, &none) || none.Why != reason {
		t.Errorf("exact: %v, want no server", err)
	}
	p, err := f.Definition(t.Context(), s, refs.Query{Path: "use.ipynb", Symbol: "load"})
	if err != nil || len(p.Locations) == 0 || p.Reason != reason {
		t.Errorf("definition: %+v, %v", p, err)
	}
}

// The syntax finds uses in notebooks of what a file defines, a server does not.
func TestNotebookMentions(t *testing.T) {
	s, f := notebookWorkspace(t)
	q := refs.Query{Path: "loading.py", Symbol: "load", Tier: refs.Syntactic}
	r, err := f.Find(t.Context(), s, q)
	if err != nil {
		t.Fatal(err)
	}
	if got, want := placesOf(r), "loading.py:1:5 use.ipynb:3:21 use.ipynb:6:12"; got != want {
		t.Errorf("syntactic: %s, want %s", got, want)
	}
	q.Tier = refs.Exact
	r, err = f.Find(t.Context(), s, q)
	if err != nil {
		t.Fatal(err)
	}
	var doubts []string
	for _, u := range r.Unconfirmed {
		doubts = append(doubts, fmt.Sprintf("%s:%d:%d", u.Path, u.Line, u.Column))
		if u.Cause != "notebooks are not asked of a language server" {
			t.Errorf("unconfirmed for the cause %q", u.Cause)
		}
	}
	want := "runs.ipynb:3:1 use.ipynb:3:21 use.ipynb:6:12"
	if got := strings.Join(doubts, " "); got != want || r.Elsewhere != 2 || placesOf(r) != "loading.py:1:5" || r.Coverage.Complete {
		t.Errorf("exact: %s, unconfirmed %s, complete %v; want unconfirmed %s", placesOf(r), got, r.Coverage.Complete, want)
	}
}
