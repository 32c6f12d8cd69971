package main

import (
	"context"
	"fmt"
	"path/filepath"
	"strings"
	"time"

	"github.com/dustin/go-humanize"
	"github.com/dustin/go-humanize/english"
	"github.com/spf13/cobra"

	"codeintel/cmd/codeintel/config"
	"codeintel/index"
	"codeintel/index/store"
)

func (a *app) indexCommand() *cobra.Command {
	return &cobra.Command{
		Use:   "index [DIR] [flags]",
		Short: "Build the workspace index, or bring it up to date",
		Long: `Build the index of the workspace that DIR (or the current folder) belongs to, or
bring it up to date: what every file defines and names. Nothing is written into
the workspace; worktrees of one repository share what they have in common.

Questions bring the index up to date by themselves; this command is for doing it
ahead of time.`,
		Example: `  codeintel index
  codeintel index ~/src/project
  codeintel index --json`,
		Args: args(0, 1, "at most one DIR"),
		RunE: func(cmd *cobra.Command, args []string) error {
			dir := ""
			if len(args) == 1 {
				dir = args[0]
			}
			return a.index(cmd.Context(), dir)
		},
	}
}

// indexJSON is what index --json prints.
type indexJSON struct {
	Root    string  `json:"root"`
	Files   int     `json:"files"`   // in the workspace
	Indexed int     `json:"indexed"` // with an outline
	Symbols int     `json:"symbols"`
	Done    int     `json:"done"` // files that were new or changed
	Seconds float64 `json:"seconds"`
	Bytes   int64   `json:"bytes"` // on disk
	Dir     string  `json:"dir"`
	Skipped int     `json:"skipped"`
}

func (a *app) index(ctx context.Context, dir string) error {
	if dir != "" && !a.isFolder(dir) {
		return usageError("%s is not a folder", dir)
	}
	return a.with(ctx, dir, func(ctx context.Context, s *session) error {
		began := time.Now()
		done, err := s.ws.Index(ctx, index.IndexOptions{Wait: true, Progress: a.indexing()})
		if err != nil {
			return err
		}
		s.prune(a)
		snapshot := s.ws.Snapshot()
		defer snapshot.Release()
		st := snapshot.Status()
		took := time.Since(began)
		if a.flags.json {
			return a.printJSON(indexJSON{
				Root: st.Root, Files: st.Files, Indexed: st.Indexed, Symbols: st.Symbols, Done: done.Files,
				Seconds: took.Seconds(), Bytes: st.Bytes, Dir: st.Dir, Skipped: len(st.Skipped),
			})
		}
		var b strings.Builder
		if done.Files == 0 {
			fmt.Fprintf(&b, "up to date: ")
		} else {
			fmt.Fprintf(&b, "indexed %s in %.1f s: ", plural(done.Files, "file"), took.Seconds())
		}
		fmt.Fprintf(&b, "%s with %s, %s on disk\n", plural(st.Indexed, "file"), plural(st.Symbols, "symbol"), megabytes(st.Bytes))
		if n := len(st.Skipped); n > 0 {
			fmt.Fprintf(&b, "%s skipped (codeintel status says why)\n", plural(n, "file"))
		}
		return a.print(b.String())
	})
}

// prune keeps the cache below its limit.
func (s *session) prune(a *app) {
	removed, err := store.Prune(s.cache, s.config.CacheSize)
	if err != nil {
		a.note("%v", err)
	}
	var size int64
	for _, f := range removed {
		size += f.Bytes
	}
	if len(removed) > 0 {
		a.note("dropped %s of the cache that was not needed any more (%s)", plural(len(removed), "index"), megabytes(size))
	}
}

func (a *app) cacheCommand() *cobra.Command {
	cmd := &cobra.Command{
		Use:   "cache [prune] [flags]",
		Short: "List the stored indexes, or drop some",
		Long: `List the indexes in the cache folder, the latest used first: their size, last use
and workspaces. "cache prune" drops those of folders that are gone, and the least
recently used ones above the limit (setting cache_size, or --max).`,
		Example: `  codeintel cache
  codeintel cache prune
  codeintel cache prune --max 0        everything`,
		Args: args(0, 0, "no argument, or prune"),
		RunE: func(cmd *cobra.Command, _ []string) error { return a.listCache() },
	}
	var limit string
	prune := &cobra.Command{
		Use:     "prune [flags]",
		Short:   "Drop indexes that are not needed or above the limit",
		Long:    "Drop the indexes of folders that are gone, and the least recently used ones above\nthe limit.",
		Example: "  codeintel cache prune\n  codeintel cache prune --max 1GB",
		Args:    args(0, 0, "no argument"),
		RunE:    func(cmd *cobra.Command, _ []string) error { return a.pruneCache(limit) },
	}
	prune.Flags().StringVar(&limit, "max", "", "keep at most `SIZE`, such as 500MB or 2GB (default: the setting cache_size)")
	cmd.AddCommand(prune)
	return cmd
}

// cacheJSON is one index of cache --json.
type cacheJSON struct {
	Dir   string    `json:"dir"`
	Bytes int64     `json:"bytes"`
	Used  time.Time `json:"used"`
	Roots []string  `json:"roots"`
	Gone  bool      `json:"gone"`
}

func cacheList(all []store.Folder) []cacheJSON {
	out := []cacheJSON{}
	for _, f := range all {
		out = append(out, cacheJSON{f.Path, f.Bytes, f.Used.UTC(), append([]string{}, f.Roots...), f.Gone})
	}
	return out
}

func (a *app) listCache() error {
	dirs, err := a.dirs()
	if err != nil {
		return err
	}
	all, err := store.Folders(dirs.Cache)
	if err != nil {
		return err
	}
	if a.flags.json {
		return a.printJSON(cacheList(all))
	}
	a.found(len(all))
	return a.print(cacheText(all, filepath.Join(dirs.Cache, "index")))
}

func (a *app) pruneCache(limit string) error {
	dirs, err := a.dirs()
	if err != nil {
		return err
	}
	cfg, err := a.load(dirs, dirs.Cache) // the cache is of no workspace
	if err != nil {
		return err
	}
	size := cfg.CacheSize
	if limit != "" {
		if size, err = config.ParseSize(limit); err != nil {
			return usageError("--max: %v", err)
		}
	}
	removed, err := store.Prune(dirs.Cache, size)
	if err != nil {
		return err
	}
	if a.flags.json {
		return a.printJSON(cacheList(removed))
	}
	if len(removed) == 0 {
		return a.print("nothing to drop\n")
	}
	return a.print(cacheText(removed, "dropped"))
}

func cacheText(all []store.Folder, where string) string {
	var b strings.Builder
	var size int64
	for _, f := range all {
		size += f.Bytes
		roots := strings.Join(f.Roots, ", ")
		if roots == "" {
			roots = "(unfinished) " + f.Path
		}
		if f.Gone && len(f.Roots) > 0 {
			roots += " (gone)"
		}
		fmt.Fprintf(&b, "%10s  %s  %s\n", megabytes(f.Bytes), f.Used.Format("2006-01-02 15:04"), roots)
	}
	fmt.Fprintf(&b, "%10s  in %s, %s\n", megabytes(size), plural(len(all), "index"), where)
	return b.String()
}

// plural returns a number with its noun.
func plural(n int, noun string) string { return english.Plural(n, noun, "") }

// megabytes returns a size in the unit that suits it.
func megabytes(n int64) string { return humanize.Bytes(uint64(n)) }
