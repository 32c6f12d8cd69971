package index

import (
	"bytes"
	"context"
	"errors"
	"io/fs"
	"os"
	"os/exec"
	"path/filepath"
	"runtime"
	"strings"
	"syscall"
)

// repositoryTop returns the folder of the git repository that dir is in, and
// whether there is one. A repository at a folder that cannot be a root (dotfiles
// kept in the home folder) does not count: its rules are not meant for projects.
func repositoryTop(dir string) (string, bool) {
	for _, d := range ancestors(dir) {
		if exists(filepath.Join(d, ".git")) {
			return d, true
		}
	}
	return "", false
}

// excludePatterns returns the patterns of the info/exclude file of the repository
// whose top folder is dir.
func excludePatterns(dir string) patterns {
	data, err := readSmall(excludeFile(dir))
	if err != nil {
		return nil
	}
	return parsePatterns(data)
}

// excludeFile returns the name of that file.
func excludeFile(dir string) string { return filepath.Join(commonDir(dir), "info", "exclude") }

// commonDir returns the git directory that a repository's worktrees share.
func commonDir(dir string) string {
	git := filepath.Join(dir, ".git")
	if data, err := readSmall(git); err == nil { // a worktree or submodule
		if to, ok := strings.CutPrefix(strings.TrimSpace(string(data)), "gitdir:"); ok {
			git = resolveFrom(dir, strings.TrimSpace(to))
		}
	}
	if data, err := readSmall(filepath.Join(git, "commondir")); err == nil {
		git = resolveFrom(git, strings.TrimSpace(string(data)))
	}
	return git
}

// resolveFrom returns path, which may be relative to dir, as a clean path.
func resolveFrom(dir, path string) string {
	if !filepath.IsAbs(path) {
		path = filepath.Join(dir, path)
	}
	return filepath.Clean(path)
}

// excludesFile returns the file that core.excludesFile of the user's git settings
// names, or git's default place for it. Git itself is asked, because settings may
// include others and depend on the folder; a git inside root is not run.
func excludesFile(ctx context.Context, root string) string {
	if git, err := exec.LookPath("git"); err == nil && filepath.IsAbs(git) && !leadsInto(root, git) && mayNameExcludes(root, git) {
		cmd := exec.CommandContext(ctx, git, "-C", root, "config", "--type=path", "--get", "core.excludesFile")
		out, err := cmd.Output()
		if name := strings.TrimSuffix(string(out), "\n"); err == nil && name != "" {
			return resolveFrom(root, name)
		}
	}
	config, err := os.UserConfigDir()
	if home, homeErr := os.UserHomeDir(); runtime.GOOS == "darwin" && homeErr == nil {
		config, err = filepath.Join(home, ".config"), nil
	}
	if err != nil {
		return ""
	}
	return filepath.Join(config, "git", "ignore")
}

// mayNameExcludes reports whether git's settings may name an excludes file, so that
// git must be asked, which takes longer than all else here. It is certain of the
// opposite only for a git in the usual place, whose settings are in the usual
// files, and these include no others.
func mayNameExcludes(root, git string) bool {
	if git != "/usr/bin/git" || runtime.GOOS != "linux" {
		return true
	}
	files := []string{"/etc/gitconfig"}
	if home, err := os.UserHomeDir(); err == nil {
		files = append(files, filepath.Join(home, ".gitconfig"))
	}
	if config, err := os.UserConfigDir(); err == nil {
		files = append(files, filepath.Join(config, "git", "config"))
	}
	if top, ok := repositoryTop(root); ok {
		own := commonDir(top)
		files = append(files, filepath.Join(own, "config"))
	}
	for _, kv := range os.Environ() {
		if strings.HasPrefix(kv, "GIT_") {
			return true
		}
	}
	for _, name := range files {
		data, err := os.ReadFile(name)
		if err != nil && !notExist(err) {
			return true
		}
		text := bytes.ToLower(data)
		for _, word := range []string{"excludesfile", "include", "worktreeconfig"} {
			if bytes.Contains(text, []byte(word)) {
				return true
			}
		}
	}
	return false
}

// leadsInto reports whether path is in dir, by its name or in truth.
func leadsInto(dir, path string) bool {
	real, err := realPath(path)
	return within(dir, path) || err != nil || within(dir, real)
}

// readSmall reads a regular file of rules; anything else, and a file larger than
// a document may be, is an error. Nothing but a regular file is ever opened.
func readSmall(name string) ([]byte, error) {
	info, err := os.Stat(name)
	if err != nil {
		return nil, err
	}
	if !info.Mode().IsRegular() {
		return nil, &fs.PathError{Op: "read", Path: name, Err: ErrNotRegular}
	}
	if info.Size() > maxSize {
		return nil, &fs.PathError{Op: "read", Path: name, Err: ErrTooLarge}
	}
	return os.ReadFile(name)
}

// readRules reads an ignore file of a folder of the tree. Git does not follow a
// .gitignore that is a symbolic link, so neither is it followed here.
func readRules(dir, name string) patterns {
	full := filepath.Join(dir, name)
	info, err := os.Lstat(full)
	if err != nil || !info.Mode().IsRegular() {
		return nil
	}
	data, err := readSmall(full)
	if err != nil {
		return nil
	}
	return parsePatterns(data)
}

// notExist reports whether an error says that a path leads nowhere.
func notExist(err error) bool {
	return errors.Is(err, fs.ErrNotExist) || errors.Is(err, syscall.ENOTDIR)
}
