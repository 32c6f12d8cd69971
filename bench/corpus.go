package main

import (
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"reflect"
	"strings"
	"time"
)

// answer is what is read of codeintel's JSON.
type answer struct {
	References []struct {
		File      string `json:"file"`
		Line      int    `json:"line"`
		Column    int    `json:"column"`
		EndColumn int    `json:"endColumn"`
	} `json:"references"`
	Content struct {
		Precision       string `json:"precision"`
		TotalReferences int    `json:"totalReferences"`
		Occurrences     int    `json:"occurrences"`
		Coverage        struct {
			Complete bool `json:"complete"`
		} `json:"coverage"`
		Unconfirmed []json.RawMessage `json:"unconfirmed"`
		Reason      string            `json:"reason"`
	} `json:"content"`
}

// questionArguments are codeintel's arguments for the references of a place.
func questionArguments(root, at string) []string {
	return []string{"refs", "--json", "--yes", "--no-daemon", "--root", root, "--at", at}
}

// ask runs codeintel once.
func ask(ctx context.Context, s settings, root, at string) (*answer, error) {
	program, err := s.program()
	if err != nil {
		return nil, err
	}
	out, err := output(ctx, root, program, questionArguments(root, at)...)
	if err != nil {
		return nil, err
	}
	return parseAnswer(out)
}

func parseAnswer(out []byte) (*answer, error) {
	var a answer
	if err := json.Unmarshal(out, &a); err != nil {
		return nil, fmt.Errorf("codeintel answered %.300q: %w", out, err)
	}
	return &a, nil
}

// checkCorpora asks every question twice and compares the counts; the first
// answer must be the final one.
func checkCorpora(ctx context.Context, s settings, corpora []corpus, work string) error {
	var failed []error
	for _, c := range corpora {
		root, err := c.place(ctx, s, work)
		if err != nil {
			return err
		}
		for _, q := range c.Checks {
			start := time.Now()
			a, err := ask(ctx, s, root, q.At)
			if err != nil {
				return fmt.Errorf("%s %s: %w", c.Name, q.At, err)
			}
			fmt.Fprintf(s.out, "%-12s %-16s %5d occurrences %5d lines %3d unconfirmed %s %6.1fs\n", c.Name, q.Symbol, a.Content.Occurrences,
				a.Content.TotalReferences, len(a.Content.Unconfirmed), a.Content.Precision, time.Since(start).Seconds())
			if err := q.compare(a, root); err != nil {
				failed = append(failed, fmt.Errorf("%s %s: %w", c.Name, q.Symbol, err))
			}
			again, err := ask(ctx, s, root, q.At)
			if err != nil {
				return fmt.Errorf("%s %s: %w", c.Name, q.At, err)
			}
			if !reflect.DeepEqual(a, again) {
				failed = append(failed, fmt.Errorf("%s %s: the second answer differs from the first", c.Name, q.Symbol))
			}
		}
	}
	return errors.Join(failed...)
}

func (q check) compare(a *answer, root string) error {
	var errs []error
	if a.Content.Precision != "exact" {
		errs = append(errs, fmt.Errorf("precision is %s: %s", a.Content.Precision, a.Content.Reason))
	}
	if a.Content.Occurrences != q.Occurrences || len(a.References) != q.Occurrences {
		errs = append(errs, fmt.Errorf("%d occurrences (%d listed), want %d", a.Content.Occurrences, len(a.References), q.Occurrences))
	}
	if q.Lines > 0 && a.Content.TotalReferences != q.Lines {
		errs = append(errs, fmt.Errorf("%d lines, want %d", a.Content.TotalReferences, q.Lines))
	}
	if q.Complete != nil && a.Content.Coverage.Complete != *q.Complete {
		errs = append(errs, fmt.Errorf("complete is %v: %s", a.Content.Coverage.Complete, a.Content.Reason))
	}
	return errors.Join(append(errs, q.holdName(a, root)...)...)
}

// holdName checks that every reference's text is the symbol's name, or an alias
// that stands beside the name in an import or export of the same file.
func (q check) holdName(a *answer, root string) []error {
	var errs []error
	for _, r := range a.References {
		data, err := os.ReadFile(filepath.Join(root, filepath.FromSlash(r.File)))
		if err != nil {
			errs = append(errs, err)
			continue
		}
		lines := bytes.Split(data, []byte("\n"))
		if r.Line < 1 || r.Line > len(lines) || r.Column < 1 || r.EndColumn-1 > len(lines[r.Line-1]) {
			errs = append(errs, fmt.Errorf("%s:%d:%d is not in the file", r.File, r.Line, r.Column))
			continue
		}
		word := strings.Trim(string(lines[r.Line-1][r.Column-1:r.EndColumn-1]), "\"'`#")
		if word != q.Symbol && !bytes.Contains(data, []byte(q.Symbol+" as "+word)) && word != "default" {
			errs = append(errs, fmt.Errorf("%s:%d:%d holds %q", r.File, r.Line, r.Column, word))
		}
	}
	return errs
}
