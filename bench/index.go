package main

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"os/exec"
	"path/filepath"
	"strings"

	"codeintel/index"
	"codeintel/symbols"
)

// compareIndex times codeintel's indexing of folders, each time into an empty
// cache, beside the least that others do with the same files.
func compareIndex(ctx context.Context, s settings, work string) error {
	dirs, err := s.sources(ctx, work)
	if err != nil {
		return err
	}
	printLoad(s.out, "at the start")
	defer printLoad(s.out, "at the end")
	for i, dir := range dirs {
		files, err := listSources(ctx, dir)
		if err != nil {
			return err
		}
		list := filepath.Join(work, fmt.Sprintf("files-%d", i))
		if err := files.write(list); err != nil {
			return err
		}
		cs, err := s.indexContenders(ctx, files, list, work)
		if err != nil {
			return err
		}
		results, err := race(ctx, s.runs, cs)
		if err != nil {
			return fmt.Errorf("%s: %w", dir, err)
		}
		title := fmt.Sprintf("%s: %d source files (%d Go), %.1f MB; medians of %d runs",
			filepath.Base(dir), len(files.paths), files.golang, float64(files.bytes)/1e6, s.runs)
		if err := printTable(s.out, title, results); err != nil {
			return err
		}
	}
	return nil
}

// sources returns the folders to index: those given, and the pinned ones asked
// for. The npm packages are one folder.
func (s settings) sources(ctx context.Context, work string) ([]string, error) {
	var out []string
	for _, dir := range s.dirs {
		full, err := filepath.Abs(dir)
		if err != nil {
			return nil, err
		}
		out = append(out, full)
	}
	if s.kubernetes || s.typescript {
		pinned, err := s.pinned(ctx, work)
		if err != nil {
			return nil, err
		}
		out = append(out, pinned...)
	}
	if len(out) == 0 {
		return nil, errors.New("name a folder to index, or -kubernetes or -typescript")
	}
	return out, nil
}

// pinned fetches what sources.json names. A Go module is used where the module
// cache has it; packages are laid out below one folder.
func (s settings) pinned(ctx context.Context, work string) ([]string, error) {
	all, err := readList(s.list)
	if err != nil {
		return nil, err
	}
	together := filepath.Join(work, "typescript")
	if err := os.Mkdir(together, 0o755); err != nil {
		return nil, err
	}
	var out []string
	for _, c := range all {
		switch {
		case c.Module != "" && s.kubernetes:
			dir, err := c.fetch(ctx, work)
			if err != nil {
				return nil, fmt.Errorf("%s: %w", c.Name, err)
			}
			out = append(out, dir)
		case c.NPM != "" && s.typescript:
			if _, err := c.place(ctx, s, together); err != nil {
				return nil, err
			}
			// What was downloaded must not be indexed beside what is kept of it.
			if err := removeDownloads(together, c.Name); err != nil {
				return nil, err
			}
		}
	}
	if s.typescript {
		out = append(out, together)
	}
	return out, nil
}

// removeDownloads removes all of a folder but the corpora's own folders.
func removeDownloads(dir, name string) error {
	archives, err := filepath.Glob(filepath.Join(dir, "*.tgz"))
	if err != nil {
		return err
	}
	for _, path := range append(archives, filepath.Join(dir, name+".unpacked")) {
		if err := os.RemoveAll(path); err != nil {
			return err
		}
	}
	return nil
}

// sourceFiles are the files of a folder that have a grammar.
type sourceFiles struct {
	dir    string
	paths  []string // relative to dir
	bytes  int64
	golang int // how many are Go
}

// maxIndexed is the size in bytes above which a file is not indexed.
const maxIndexed = 1 << 20

// listSources returns the files that codeintel would index in a folder.
func listSources(ctx context.Context, dir string) (*sourceFiles, error) {
	ws, err := index.Open(ctx, dir, index.Options{})
	if err != nil {
		return nil, err
	}
	defer ws.Close()
	snapshot := ws.Snapshot()
	defer snapshot.Release()
	out := &sourceFiles{dir: dir}
	for _, f := range snapshot.Files() {
		if l := symbols.LanguageOf(f.Path); l.HasGrammar() && f.Size <= maxIndexed {
			out.paths = append(out.paths, f.Path)
			out.bytes += f.Size
			if l == symbols.Go {
				out.golang++
			}
		}
	}
	if len(out.paths) == 0 {
		return nil, fmt.Errorf("%s has no source files", dir)
	}
	return out, nil
}

// write writes the absolute paths to a file, a NUL after each.
func (f *sourceFiles) write(name string) error {
	var b bytes.Buffer
	for _, p := range f.paths {
		b.WriteString(filepath.Join(f.dir, filepath.FromSlash(p)) + "\x00")
	}
	return os.WriteFile(name, b.Bytes(), 0o644)
}

// indexContenders are codeintel (unless -codeintel is empty), then those that are
// here of ctags and rg, then the baselines of this program.
func (s settings) indexContenders(ctx context.Context, files *sourceFiles, list, work string) ([]contender, error) {
	var out []contender
	if s.codeintel != "" {
		out = append(out, contender{"codeintel index", func(ctx context.Context) (cost, string, error) {
			return s.indexOnce(ctx, files.dir, work)
		}})
	}
	add := func(name string, args ...string) { out = append(out, plain(name, files.dir, args...)) }
	if version, err := output(ctx, "", "ctags", "--version"); err != nil || !bytes.Contains(version, []byte("Ctags")) {
		fmt.Fprintln(s.out, "ctags is left out: no Exuberant or Universal Ctags on PATH")
	} else {
		add("ctags -R", "ctags", "-R", "-f", filepath.Join(work, "tags"), ".")
	}
	if _, err := exec.LookPath("rg"); err != nil {
		fmt.Fprintln(s.out, "rg is left out: not on PATH")
	} else {
		out = append(out, listing(files.dir))
	}
	self, err := os.Executable()
	if err != nil {
		return nil, err
	}
	for _, b := range baselines() {
		if !b.onlyGo || files.golang > 0 {
			add(b.name, self, baselineCommand, b.name, list)
		}
	}
	return out, nil
}

// plain is a contender that runs a program and does not look at what it prints.
func plain(name, dir string, args ...string) contender {
	return contender{name, func(ctx context.Context) (cost, string, error) {
		ran, err := timed(ctx, command{dir: dir, args: args})
		if err != nil {
			return cost{}, "", err
		}
		return ran.cost, "", nil
	}}
}

// listing is rg listing the files of a folder.
func listing(dir string) contender {
	return plain("rg --files", dir, "rg", "--no-config", "--files", "--hidden")
}

// indexArguments are codeintel's arguments to index a folder: the one place to
// change when the command does.
func indexArguments(dir string) []string { return []string{"index", "--json", "--root", dir} }

// withCache returns what to add to the environment so that codeintel keeps its
// cache below dir.
func withCache(dir string) []string {
	return []string{"XDG_CACHE_HOME=" + dir, "CODEINTEL_CACHE_DIR="}
}

// indexOnce indexes a folder into an empty cache and notes the size on disk.
func (s settings) indexOnce(ctx context.Context, dir, work string) (cost, string, error) {
	cache, err := os.MkdirTemp(work, "cache-")
	if err != nil {
		return cost{}, "", err
	}
	defer os.RemoveAll(cache)
	program, err := s.program()
	if err != nil {
		return cost{}, "", err
	}
	ran, err := timed(ctx, command{dir, withCache(cache), append([]string{program}, indexArguments(dir)...)})
	if err != nil {
		return cost{}, "", err
	}
	size, err := sizeOf(cache)
	return ran.cost, fmt.Sprintf("%.1f MB on disk", float64(size)/1e6), err
}

// sizeOf returns the bytes of all files below a folder.
func sizeOf(dir string) (int64, error) {
	var sum int64
	err := filepath.WalkDir(dir, func(_ string, d fs.DirEntry, err error) error {
		if err != nil || d.IsDir() {
			return err
		}
		info, err := d.Info()
		if err == nil {
			sum += info.Size()
		}
		return err
	})
	return sum, err
}

// readPaths reads what sourceFiles.write wrote.
func readPaths(name string) ([]string, error) {
	data, err := os.ReadFile(name)
	if err != nil {
		return nil, err
	}
	return strings.FieldsFunc(string(data), func(r rune) bool { return r == 0 }), nil
}
