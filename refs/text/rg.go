package text

import (
	"bytes"
	"context"
	"errors"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"runtime"
	"strings"
	"time"
)

// FindRG returns the path of ripgrep, or "" when there is none to be trusted.
// pathList is the value of PATH. Entries that are relative, and programs that
// stand in or lead into the workspace root, are passed over: what a repository
// brings along is not run.
func FindRG(pathList, root string) string {
	name := "rg"
	if runtime.GOOS == "windows" {
		name = "rg.exe"
	}
	for _, dir := range filepath.SplitList(pathList) {
		if !filepath.IsAbs(dir) {
			continue
		}
		candidate := filepath.Join(dir, name)
		info, err := os.Stat(candidate)
		if err != nil || !info.Mode().IsRegular() || runtime.GOOS != "windows" && info.Mode()&0o111 == 0 {
			continue
		}
		if !standsIn(root, candidate) {
			return candidate
		}
	}
	return ""
}

// standsIn reports whether a file is below root, by its name or in truth. In doubt
// it is.
func standsIn(root, file string) bool {
	realRoot, err := filepath.EvalSymlinks(root)
	if err != nil {
		return true
	}
	real, err := filepath.EvalSymlinks(file)
	if err != nil {
		return true
	}
	inside := func(dir, path string) bool {
		rel, err := filepath.Rel(dir, path)
		return err != nil || rel != ".." && !strings.HasPrefix(rel, ".."+string(filepath.Separator))
	}
	return inside(root, file) || inside(realRoot, file) || inside(realRoot, real)
}

// narrow returns the files that rg finds the word's bytes in, or bytes that say
// that the text is in UTF-16. Of files that rg has
// trouble with, one missing or itself not working, it returns all: they are
// searched in Go, which also finds out what is wrong with them.
func (s *search) narrow(ctx context.Context, files []string) []string {
	var out []string
	for len(files) > 0 && ctx.Err() == nil {
		n := batch(files)
		found, ok := s.runRG(ctx, files[:n])
		if !ok {
			found = files[:n]
		}
		out = append(out, found...)
		files = files[n:]
	}
	return out
}

// batch returns how many of the files fit on one command line. Systems limit its
// length together with the environment's: Windows to 32 KiB, macOS to 1 MiB, Linux
// to 2 MiB.
func batch(files []string) int {
	limit := 256 << 10
	if runtime.GOOS == "windows" {
		limit = 24 << 10
	}
	for n, f := range files {
		if limit -= len(f) + 16; limit < 0 {
			return max(n, 1)
		}
	}
	return len(files)
}

// utf16Mark continues a pattern of rg's so that it finds UTF-16 texts, too, in
// which the bytes of a word are others.
const utf16Mark = `|(?-u:\xff\xfe|\xfe\xff)`

// runRG asks rg which of the files hold the word's bytes. ok is false when the
// answer may be incomplete.
func (s *search) runRG(ctx context.Context, files []string) (found []string, ok bool) {
	args := []string{
		"--no-config", "--files-with-matches", "--null", "--case-sensitive",
		"--text",          // what is binary is decided here
		"--encoding=none", // bytes as they are: no look at byte order marks
		"--no-mmap",       // a file cut short meanwhile must not kill rg
		"--no-messages", "--color=never",
		"--regexp=" + regexp.QuoteMeta(s.word) + utf16Mark, "--",
	}
	byArgument := make(map[string]string, len(files))
	for _, f := range files {
		arg := f
		if !filepath.IsAbs(f) {
			arg = "./" + f // a name may start with "-" or be "-"
		}
		byArgument[arg] = f
		args = append(args, arg)
	}
	cmd := exec.CommandContext(ctx, s.RG, args...)
	cmd.Dir = s.root
	var stdout bytes.Buffer
	cmd.Stdout = &stdout
	ownGroup(cmd)
	cmd.WaitDelay = time.Second
	err := cmd.Run()
	var exit *exec.ExitError
	if err != nil && !(errors.As(err, &exit) && exit.ExitCode() == 1 && stdout.Len() == 0) {
		return nil, false
	}
	for _, arg := range strings.SplitAfter(stdout.String(), "\x00") {
		if arg == "" {
			continue
		}
		f, known := byArgument[strings.TrimSuffix(arg, "\x00")]
		if !known {
			return nil, false // not what was asked for: not rg
		}
		found = append(found, f)
	}
	return found, true
}
