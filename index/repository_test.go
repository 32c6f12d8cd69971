package index

import (
	"os"
	"path/filepath"
	"runtime"
	"strings"
	"testing"
)

func TestMayNameExcludes(t *testing.T) {
	if runtime.GOOS != "linux" {
		if !mayNameExcludes(t.TempDir(), "/usr/bin/git") {
			t.Error("git need not be asked on a system whose files are not known")
		}
		return
	}
	for _, kv := range os.Environ() {
		if name, value, _ := strings.Cut(kv, "="); strings.HasPrefix(name, "GIT_") {
			t.Setenv(name, value) // restores it
			os.Unsetenv(name)
		}
	}
	home, root := t.TempDir(), t.TempDir()
	t.Setenv("HOME", home)
	t.Setenv("XDG_CONFIG_HOME", "")
	check(t, os.MkdirAll(filepath.Join(root, ".git"), 0o755))
	check(t, os.MkdirAll(filepath.Join(home, ".config", "git"), 0o755))
	if system, err := os.ReadFile("/etc/gitconfig"); err == nil && strings.Contains(strings.ToLower(string(system)), "exclude") {
		t.Log("this system's own settings name an excludes file")
	} else if mayNameExcludes(root, "/usr/bin/git") {
		t.Error("git must be asked though nothing is set")
	}
	if !mayNameExcludes(root, "/opt/bin/git") {
		t.Error("another git need not be asked")
	}
	for _, c := range []struct{ file, text string }{
		{filepath.Join(home, ".gitconfig"), "[core]\n\texcludesFile = x\n"},
		{filepath.Join(home, ".config", "git", "config"), "[includeIf \"gitdir:x\"]\npath = y\n"},
		{filepath.Join(root, ".git", "config"), "[extensions]\nworktreeConfig = true\n"},
	} {
		check(t, os.WriteFile(c.file, []byte(c.text), 0o644))
		if !mayNameExcludes(root, "/usr/bin/git") {
			t.Errorf("git need not be asked with %q", c.text)
		}
		check(t, os.Remove(c.file))
	}
	t.Setenv("GIT_CONFIG_COUNT", "1")
	if !mayNameExcludes(root, "/usr/bin/git") {
		t.Error("git need not be asked with settings in the environment")
	}
}
