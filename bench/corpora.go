package main

import (
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
)

// corpus is one pinned body of code and what is known of it.
type corpus struct {
	Name string `json:"name"`
	// Commit marks a checkout, found as a folder of that name.
	Commit string `json:"commit,omitempty"`
	// Module and Sum pin a Go module, NPM and Integrity an npm package.
	Module    string `json:"module,omitempty"`
	Sum       string `json:"sum,omitempty"`
	NPM       string `json:"npm,omitempty"`
	Integrity string `json:"integrity,omitempty"`
	// Keep limits a release to these top-level names; empty keeps all.
	Keep []string `json:"keep,omitempty"`
	// MaxMemoryMB is what codeintel and its servers may have resident at a time, in
	// millions of bytes; 0 states nothing.
	MaxMemoryMB int64   `json:"maxMemoryMB,omitempty"`
	Checks      []check `json:"checks,omitempty"`
}

// check is one question with its counts, measured with the server driven raw.
type check struct {
	At          string `json:"at"` // file:line:column, 1-based
	Symbol      string `json:"symbol"`
	Occurrences int    `json:"occurrences"`
	Lines       int    `json:"lines,omitempty"` // 0: not stated
	Complete    *bool  `json:"complete,omitempty"`
}

// readList reads a file that pins corpora.
func readList(file string) ([]corpus, error) {
	data, err := os.ReadFile(file)
	if err != nil {
		return nil, err
	}
	var all []corpus
	if err := json.Unmarshal(data, &all); err != nil {
		return nil, fmt.Errorf("%s: %w", file, err)
	}
	return all, nil
}

// load reads the list and keeps checkouts or releases, as asked.
func load(s settings) ([]corpus, error) {
	all, err := readList(s.list)
	if err != nil {
		return nil, err
	}
	var out []corpus
	for _, c := range all {
		if (c.Commit != "") == (s.checkouts != "") && (s.only == "" || s.only == c.Name) {
			out = append(out, c)
		}
	}
	if len(out) == 0 {
		return nil, fmt.Errorf("%s has no corpus to measure with these flags", s.list)
	}
	return out, nil
}

// place returns the folder of a corpus, fetching a release below work.
func (c corpus) place(ctx context.Context, s settings, work string) (string, error) {
	if c.Commit != "" {
		dir := filepath.Join(s.checkouts, c.Name)
		if _, err := os.Stat(dir); err != nil {
			return "", fmt.Errorf("%s: put a checkout of commit %s there: %w", c.Name, c.Commit, err)
		}
		return dir, c.checkCommit(ctx, s.out, dir)
	}
	dir := filepath.Join(work, c.Name)
	if _, err := os.Stat(dir); err == nil {
		return dir, nil
	}
	source, err := c.fetch(ctx, work)
	if err != nil {
		return "", fmt.Errorf("%s: %w", c.Name, err)
	}
	return dir, c.copyTo(source, dir)
}

// checkCommit compares the commit that a checkout is at with the pinned one. A
// tree without .git may have its commit recorded in a file beside it that is
// named DIR.commit; without that the commit is not known, which is said and is no
// error: the counts may still be right.
func (c corpus) checkCommit(ctx context.Context, out io.Writer, dir string) error {
	commit, err := commitOf(ctx, dir)
	switch {
	case err != nil:
		return fmt.Errorf("%s: %w", c.Name, err)
	case commit == "":
		fmt.Fprintf(out, "%s: commit not known: %s has no .git and there is no %s.commit\n", c.Name, dir, filepath.Base(dir))
	case commit != c.Commit:
		return fmt.Errorf("%s: %s is at commit %s, the counts are for %s", c.Name, dir, commit, c.Commit)
	}
	return nil
}

// commitOf returns the commit of a tree, "" when nothing says it. A repository
// around the tree says nothing of it.
func commitOf(ctx context.Context, dir string) (string, error) {
	if _, err := os.Lstat(filepath.Join(dir, ".git")); err == nil {
		out, err := output(ctx, dir, "git", "rev-parse", "HEAD")
		return strings.TrimSpace(string(out)), err
	}
	recorded, err := os.ReadFile(dir + ".commit")
	if errors.Is(err, fs.ErrNotExist) {
		return "", nil
	}
	return strings.TrimSpace(string(recorded)), err
}

// fetch downloads a release and checks its sum.
func (c corpus) fetch(ctx context.Context, work string) (string, error) {
	if c.Module != "" {
		out, err := output(ctx, work, "go", "mod", "download", "-json", c.Module)
		if err != nil {
			return "", err
		}
		var got struct{ Dir, Sum string }
		if err := json.Unmarshal(out, &got); err != nil {
			return "", err
		}
		if got.Sum != c.Sum {
			return "", fmt.Errorf("sum is %s, pinned is %s", got.Sum, c.Sum)
		}
		return got.Dir, nil
	}
	out, err := output(ctx, work, "npm", "pack", "--json", c.NPM)
	if err != nil {
		return "", err
	}
	var got []struct{ Filename, Integrity string }
	if err := json.Unmarshal(out, &got); err != nil || len(got) != 1 {
		return "", fmt.Errorf("npm pack answered %q: %v", out, err)
	}
	if got[0].Integrity != c.Integrity {
		return "", fmt.Errorf("integrity is %s, pinned is %s", got[0].Integrity, c.Integrity)
	}
	unpacked := filepath.Join(work, c.Name+".unpacked")
	if err := os.Mkdir(unpacked, 0o755); err != nil {
		return "", err
	}
	_, err = output(ctx, work, "tar", "-xzf", filepath.Join(work, got[0].Filename), "-C", unpacked)
	return filepath.Join(unpacked, "package"), err
}

// copyTo copies what is kept, writable: servers may want to write beside it.
func (c corpus) copyTo(source, dir string) error {
	if len(c.Keep) == 0 {
		if err := os.CopyFS(dir, os.DirFS(source)); err != nil {
			return err
		}
		return writable(dir)
	}
	for _, name := range c.Keep {
		from, to := filepath.Join(source, name), filepath.Join(dir, name)
		if info, err := os.Stat(from); err != nil {
			return err
		} else if info.IsDir() {
			err = os.CopyFS(to, os.DirFS(from))
			if err != nil {
				return err
			}
			continue
		}
		data, err := os.ReadFile(from)
		if err == nil {
			err = os.MkdirAll(filepath.Dir(to), 0o755)
		}
		if err == nil {
			err = os.WriteFile(to, data, 0o644)
		}
		if err != nil {
			return err
		}
	}
	return writable(dir)
}

func writable(dir string) error {
	return filepath.WalkDir(dir, func(path string, d os.DirEntry, err error) error {
		if err != nil {
			return err
		}
		if d.IsDir() {
			return os.Chmod(path, 0o755)
		}
		return nil
	})
}

// output runs a command and returns its standard output.
func output(ctx context.Context, dir, name string, args ...string) ([]byte, error) {
	cmd := exec.CommandContext(ctx, name, args...)
	cmd.Dir = dir
	var stderr bytes.Buffer
	cmd.Stderr = &stderr
	out, err := cmd.Output()
	if err != nil {
		return out, fmt.Errorf("%s %s: %w\n%s", name, strings.Join(args, " "), err, stderr.String())
	}
	return out, nil
}
