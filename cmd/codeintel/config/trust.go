package config

import (
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"slices"
	"strings"
)

// Trust is the user's list of folders whose own binaries may be run. The list is
// a text file with one real path per line.
type Trust struct {
	file string
}

// OpenTrust returns the list kept under the data folder. The file need not
// exist.
func OpenTrust(dataDir string) *Trust { return &Trust{file: filepath.Join(dataDir, "trusted")} }

// List returns the trusted folders, sorted.
func (t *Trust) List() ([]string, error) {
	text, err := os.ReadFile(t.file)
	if errors.Is(err, fs.ErrNotExist) {
		return nil, nil
	}
	if err != nil {
		return nil, fmt.Errorf("reading the trusted folders: %w", err)
	}
	var out []string
	for line := range strings.Lines(string(text)) {
		if line = strings.TrimRight(line, "\r\n"); filepath.IsAbs(line) {
			out = append(out, line)
		}
	}
	slices.Sort(out)
	return slices.Compact(out), nil
}

// Trusts reports whether dir, or a folder that contains it, is trusted. dir must
// be a real path.
func (t *Trust) Trusts(dir string) (bool, error) {
	list, err := t.List()
	if err != nil {
		return false, err
	}
	for {
		if slices.Contains(list, dir) {
			return true, nil
		}
		up := filepath.Dir(dir)
		if up == dir {
			return false, nil
		}
		dir = up
	}
}

// Add trusts a folder and returns its real path.
func (t *Trust) Add(dir string) (string, error) {
	real, err := realDir(dir)
	if err != nil {
		return "", err
	}
	list, err := t.List()
	if err != nil {
		return "", err
	}
	if slices.Contains(list, real) {
		return real, nil
	}
	return real, t.write(append(list, real))
}

// Remove ends the trust in a folder and reports whether it was trusted by
// itself. The folder need not exist any more.
func (t *Trust) Remove(dir string) (bool, error) {
	abs, err := filepath.Abs(dir)
	if err != nil {
		return false, err
	}
	real, err := filepath.EvalSymlinks(abs)
	if err != nil {
		real = abs
	}
	list, err := t.List()
	if err != nil {
		return false, err
	}
	kept := slices.DeleteFunc(slices.Clone(list), func(p string) bool { return p == real || p == abs })
	if len(kept) == len(list) {
		return false, nil
	}
	return true, t.write(kept)
}

func realDir(dir string) (string, error) {
	abs, err := filepath.Abs(dir)
	if err != nil {
		return "", err
	}
	real, err := filepath.EvalSymlinks(abs)
	if err != nil {
		return "", err
	}
	info, err := os.Stat(real)
	if err != nil {
		return "", err
	}
	if !info.IsDir() {
		return "", fmt.Errorf("%s is not a folder", dir)
	}
	if strings.ContainsAny(real, "\r\n") {
		return "", fmt.Errorf("%q: a folder with a line break in its name cannot be trusted", real)
	}
	return real, nil
}

// write replaces the file in one step, so that a reader sees the old or the new
// list.
func (t *Trust) write(list []string) error {
	slices.Sort(list)
	if err := os.MkdirAll(filepath.Dir(t.file), 0o700); err != nil {
		return err
	}
	tmp, err := os.CreateTemp(filepath.Dir(t.file), ".trusted-*")
	if err != nil {
		return err
	}
	defer os.Remove(tmp.Name())
	_, err = tmp.WriteString(strings.Join(append(list, ""), "\n"))
	if err = errors.Join(err, tmp.Close()); err != nil {
		return fmt.Errorf("writing the trusted folders: %w", err)
	}
	return os.Rename(tmp.Name(), t.file)
}
