package main

import (
	"errors"
	"fmt"
	"go/parser"
	"go/token"
	"io"
	"os"
	"runtime"
	"sync"

	"codeintel/symbols"
)

// baselineCommand is the argument that has this program be a baseline: a process
// of its own can be measured as others are.
const baselineCommand = "baseline"

// baseline is the least that somebody could do with source files.
type baseline struct {
	name   string
	onlyGo bool // other files are passed over
	each   func(path string, text []byte) error
}

func baselines() []baseline {
	return []baseline{
		{"read", false, func(string, []byte) error { return nil }},
		{"tree-sitter", false, func(path string, text []byte) error {
			_, err := symbols.Parse(symbols.NewDocument(path, text))
			return err
		}},
		{"extract", false, func(path string, text []byte) error {
			_, err := symbols.Extract(symbols.NewDocument(path, text))
			return err
		}},
		{"go/parser", true, func(path string, text []byte) error {
			_, _ = parser.ParseFile(token.NewFileSet(), path, text, parser.SkipObjectResolution) // errors of syntax cost the same
			return nil
		}},
	}
}

// runBaseline does the work of a baseline, named by the first argument, with each
// file of the list that the second names, by as many workers as processors.
func runBaseline(out io.Writer, args []string) error {
	if len(args) != 2 {
		return errors.New("a baseline takes its name and a list of files")
	}
	for _, b := range baselines() {
		if b.name == args[0] {
			paths, err := readPaths(args[1])
			if err != nil {
				return err
			}
			n, err := b.run(paths)
			fmt.Fprintln(out, n)
			return err
		}
	}
	return fmt.Errorf("no baseline is called %q", args[0])
}

// run returns the number of bytes read.
func (b baseline) run(paths []string) (int64, error) {
	work := make(chan string)
	var workers sync.WaitGroup
	var mu sync.Mutex // guards what follows
	var sum int64
	var errs []error
	for range runtime.GOMAXPROCS(0) {
		workers.Go(func() {
			for path := range work {
				text, err := os.ReadFile(path)
				if err == nil {
					err = b.each(path, text)
				}
				mu.Lock()
				sum += int64(len(text))
				if err != nil {
					errs = append(errs, err)
				}
				mu.Unlock()
			}
		})
	}
	for _, p := range paths {
		if !b.onlyGo || symbols.LanguageOf(p) == symbols.Go {
			work <- p
		}
	}
	close(work)
	workers.Wait()
	return sum, errors.Join(errs...)
}
