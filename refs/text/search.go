package text

import (
	"bytes"
	"cmp"
	"context"
	"errors"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"runtime"
	"slices"
	"strings"
	"sync"
	"sync/atomic"

	"codeintel/symbols"
)

const (
	// maxSize is the largest file that is searched, in bytes, as for documents.
	maxSize = 20_480_000
	// binaryWindow is how many bytes at the start are searched for a NUL.
	binaryWindow = 8 << 10
)

// Options are the settings of a search. The zero value searches in Go.
type Options struct {
	// RG is the path of ripgrep; empty to do without. One that does not work costs
	// nothing but time.
	RG string
	// Overlays are unsaved texts by path, as the paths are given to Search. They
	// are searched instead of the files.
	Overlays map[string]*symbols.Document
	// Workers is how many files are read at a time; 0 means one per processor, and
	// at least four because reading waits for the disk.
	Workers int
	// Skipped, if not nil, is told of each file that could not be read and why, by
	// path, before Search returns. Binary files (a NUL in the first 8 KiB, UTF-16
	// apart) and those larger than 20,480,000 bytes are left out without a word,
	// because they have no document either.
	Skipped func(path string, err error)
}

// Match is one occurrence of the word.
type Match struct {
	Path         string // as given to Search
	Start, End   int    // half-open byte range in the document's text
	Line, Column int    // 1-based; the column in bytes
}

// Search returns the whole-word occurrences of word (see [Words]) in exactly the
// given files, by path and offset. Paths are relative to root, with slashes, or
// absolute; each is searched once, however often it is named. A file that is
// missing or cannot be read is skipped ([Options.Skipped]).
//
// word is one line of text and not empty. The error is that of the context, or
// says that the word cannot be searched for.
func Search(ctx context.Context, o Options, root string, files []string, word string) ([]Match, error) {
	if word == "" || strings.ContainsAny(word, "\n\r\x00") {
		return nil, fmt.Errorf("searching for %q: not a word", word)
	}
	s := &search{Options: o, root: root, word: word}
	var onDisk []string
	for _, f := range slices.Compact(slices.Sorted(slices.Values(files))) {
		if doc := o.Overlays[f]; doc != nil {
			s.results = append(s.results, result{path: f, matches: s.matches(f, doc.Text())})
		} else {
			onDisk = append(onDisk, f)
		}
	}
	if o.RG != "" {
		// The text of a notebook is not in its file as it is.
		notebooks := slices.DeleteFunc(slices.Clone(onDisk), func(f string) bool { return !isNotebook(f) })
		onDisk = append(s.narrow(ctx, slices.DeleteFunc(onDisk, isNotebook)), notebooks...)
	}
	s.read(ctx, onDisk)
	if err := ctx.Err(); err != nil {
		return nil, err
	}
	return s.collect(), nil
}

func isNotebook(path string) bool { return symbols.LanguageOf(path) == symbols.Notebook }

// search is one search under way.
type search struct {
	Options
	root, word string
	results    []result
}

// result is what one file gave.
type result struct {
	path    string
	matches []Match
	err     error
}

// collect returns all matches and reports the files that were skipped.
func (s *search) collect() []Match {
	slices.SortFunc(s.results, func(a, b result) int { return cmp.Compare(a.path, b.path) })
	var out []Match
	for _, r := range s.results {
		if r.err != nil && s.Skipped != nil {
			s.Skipped(r.path, r.err)
		}
		out = append(out, r.matches...)
	}
	return out
}

// read searches files in Go, several at a time.
func (s *search) read(ctx context.Context, files []string) {
	workers := s.Workers
	if workers <= 0 {
		workers = max(4, runtime.GOMAXPROCS(0))
	}
	results := make([]result, len(files))
	var next atomic.Int64
	var wait sync.WaitGroup
	for range min(workers, len(files)) {
		wait.Go(func() {
			var buffer bytes.Buffer // one per worker: most files are read and forgotten
			for ctx.Err() == nil {
				i := int(next.Add(1)) - 1
				if i >= len(files) {
					return
				}
				results[i] = s.file(files[i], &buffer)
			}
		})
	}
	wait.Wait()
	s.results = append(s.results, results...)
}

// file searches one file on disk.
func (s *search) file(path string, buffer *bytes.Buffer) result {
	text, err := readFile(s.full(path), buffer)
	if isNotebook(path) {
		text = symbols.NewDocument(path, text).Text()
	}
	if err != nil {
		return result{path: path, err: fmt.Errorf("searching %s: %w", path, err)}
	}
	return result{path: path, matches: s.matches(path, text)}
}

func (s *search) full(path string) string {
	if filepath.IsAbs(path) {
		return path
	}
	return filepath.Join(s.root, filepath.FromSlash(path))
}

// matches returns the occurrences in a text, with their lines counted on the way.
func (s *search) matches(path string, text []byte) []Match {
	var out []Match
	line, lineStart, counted := 1, 0, 0
	for _, r := range Words(text, s.word) {
		passed := text[counted:r.Start]
		if n := bytes.Count(passed, []byte{'\n'}); n > 0 {
			line += n
			lineStart = counted + bytes.LastIndexByte(passed, '\n') + 1
		}
		counted = r.Start
		out = append(out, Match{Path: path, Start: r.Start, End: r.End, Line: line, Column: r.Start - lineStart + 1})
	}
	return out
}

// errNotRegular is the reason for skipping what is no regular file.
var errNotRegular = errors.New("not a regular file")

// readFile reads a text into the buffer, as documents have it: empty for a binary
// or too large file. Only regular files are opened.
func readFile(name string, buffer *bytes.Buffer) ([]byte, error) {
	info, err := os.Stat(name)
	switch {
	case err != nil:
		return nil, reason(err)
	case !info.Mode().IsRegular():
		return nil, errNotRegular
	case info.Size() > maxSize:
		return nil, nil
	}
	f, err := os.Open(name)
	if err != nil {
		return nil, reason(err)
	}
	defer f.Close()
	buffer.Reset()
	buffer.Grow(int(info.Size()) + bytes.MinRead)
	if _, err := buffer.ReadFrom(io.LimitReader(f, maxSize+1)); err != nil {
		return nil, reason(err)
	}
	text := buffer.Bytes()
	if len(text) > maxSize || bytes.IndexByte(text[:min(len(text), binaryWindow)], 0) >= 0 && !symbols.IsUTF16(text) {
		return nil, nil
	}
	return symbols.Decode(text), nil
}

// reason is an error of the file system without the path, which is named anyway.
func reason(err error) error {
	var p *os.PathError
	if errors.As(err, &p) {
		return p.Err
	}
	return err
}
