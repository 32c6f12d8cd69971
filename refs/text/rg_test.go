package text_test

import (
	"context"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"strconv"
	"strings"
	"syscall"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"

	"codeintel/refs/text"
)

// script makes an executable shell script.
func script(t *testing.T, name, body string) string {
	t.Helper()
	check(t, os.MkdirAll(filepath.Dir(name), 0o755))
	check(t, os.WriteFile(name, []byte("#!/bin/sh\n"+body), 0o755))
	return name
}

// TestBrokenRG has an rg that does not do what rg does: the answer is the same.
func TestBrokenRG(t *testing.T) {
	root, names := plant(t, map[string]string{"a": "x", "b/c": "x\nx", "d": "y"})
	want := []string{"a:1:1@0", "b/c:1:1@0", "b/c:2:1@2"}
	bin := t.TempDir()
	for name, rg := range map[string]string{
		"missing":         filepath.Join(bin, "none"),
		"not executable":  filepath.Join(root, "a"),
		"fails":           script(t, filepath.Join(bin, "fails"), "exit 2\n"),
		"crashes":         script(t, filepath.Join(bin, "crashes"), "kill -SEGV $$\n"),
		"partly, fails":   script(t, filepath.Join(bin, "partly"), "printf './a\\0'; exit 2\n"),
		"something else":  script(t, filepath.Join(bin, "other"), "echo hello\n"),
		"nothing, failed": script(t, filepath.Join(bin, "nothing"), "printf './a\\0'; exit 1\n"),
	} {
		found, err := text.Search(context.Background(), text.Options{RG: rg}, root, names, "x")
		if diff := cmp.Diff(want, brief(found)); diff != "" || err != nil {
			t.Errorf("rg %s: error %v, matches (-want +got):\n%s", name, err, diff)
		}
	}
}

// TestManyFiles has more names than one command line takes.
func TestManyFiles(t *testing.T) {
	files := map[string]string{}
	long := strings.Repeat("long-folder-name/", 10)
	for i := range 3000 {
		content := "y"
		if i%500 == 0 {
			content = "x"
		}
		files[fmt.Sprintf("%s%d/%d", long, i%10, i)] = content
	}
	root, names := plant(t, files)
	if found, _ := both(t, text.Options{}, root, names, "x"); len(found) != 6 {
		t.Errorf("%d matches, want 6", len(found))
	}
}

// TestCancel cancels a search whose rg never ends and has a child: both must be
// gone when Search returns, or a moment later.
func TestCancel(t *testing.T) {
	root, names := plant(t, map[string]string{"a": "x"})
	bin := t.TempDir()
	pids := filepath.Join(bin, "pids")
	rg := script(t, filepath.Join(bin, "rg"), "sleep 600 &\necho $$ $! >"+pids+".tmp\nmv "+pids+".tmp "+pids+"\nwait\n")
	ctx, cancel := context.WithCancel(context.Background())
	done := make(chan error, 1)
	go func() {
		_, err := text.Search(ctx, text.Options{RG: rg}, root, names, "x")
		done <- err
	}()
	await(t, "rg to start", func() bool { _, err := os.Stat(pids); return err == nil })
	cancel()
	select {
	case err := <-done:
		if !errors.Is(err, context.Canceled) {
			t.Errorf("error %v, want context.Canceled", err)
		}
	case <-time.After(5 * time.Second):
		t.Fatal("Search goes on after its context has ended")
	}
	data, err := os.ReadFile(pids)
	check(t, err)
	for _, field := range strings.Fields(string(data)) {
		pid, err := strconv.Atoi(field)
		check(t, err)
		await(t, "process "+field+" to end", func() bool { return ended(pid) })
	}
}

// ended reports whether a process is gone, or dead and waiting to be reaped.
func ended(pid int) bool {
	if err := syscall.Kill(pid, 0); err != nil {
		return true
	}
	data, err := os.ReadFile(fmt.Sprintf("/proc/%d/stat", pid))
	return err == nil && strings.Contains(string(data), ") Z ")
}

// await polls a condition for at most ten seconds.
func await(t *testing.T, what string, condition func() bool) {
	t.Helper()
	deadline := time.After(10 * time.Second)
	for tick := time.NewTicker(5 * time.Millisecond); !condition(); {
		select {
		case <-tick.C:
		case <-deadline:
			t.Fatalf("waited in vain for %s", what)
		}
	}
}

func TestCancelInGo(t *testing.T) {
	root, names := plant(t, map[string]string{"a": "x"})
	ctx, cancel := context.WithCancel(context.Background())
	cancel()
	if found, err := text.Search(ctx, text.Options{}, root, names, "x"); !errors.Is(err, context.Canceled) {
		t.Errorf("%d matches, error %v; want context.Canceled", len(found), err)
	}
}

func TestFindRG(t *testing.T) {
	base, err := filepath.EvalSymlinks(t.TempDir())
	check(t, err)
	at := func(p string) string { return filepath.Join(base, p) }
	script(t, at("good/rg"), "")
	script(t, at("root/bin/rg"), "")
	check(t, os.MkdirAll(at("plain"), 0o755))
	check(t, os.WriteFile(at("plain/rg"), nil, 0o644))
	check(t, os.MkdirAll(at("folder/rg"), 0o755))
	check(t, os.MkdirAll(at("leads_in"), 0o755))
	check(t, os.Symlink(at("root/bin/rg"), at("leads_in/rg")))
	check(t, os.Symlink(at("root"), at("alias")))
	check(t, os.Symlink(at("good"), at("root/looks_in")))
	t.Chdir(at("good"))
	for _, c := range []struct {
		path []string
		root string
		want string
	}{
		{[]string{"good"}, "root", "good/rg"},
		{[]string{"missing", "plain", "folder", "good"}, "root", "good/rg"},
		{[]string{"root/bin", "good"}, "root", "good/rg"},
		{[]string{"root/bin"}, "root", ""},
		{[]string{"alias/bin", "leads_in"}, "root", ""},
		{[]string{"root/bin", "root/looks_in"}, "alias", ""},
		{[]string{"^", "^.", "^../good"}, "root", ""},
		{[]string{"root/bin"}, "elsewhere-that-is-missing", ""},
		{nil, "root", ""},
	} {
		var list []string
		for _, dir := range c.path {
			if rest, ok := strings.CutPrefix(dir, "^"); ok {
				list = append(list, rest)
			} else {
				list = append(list, at(dir))
			}
		}
		want := c.want
		if want != "" {
			want = at(want)
		}
		if got := text.FindRG(strings.Join(list, string(os.PathListSeparator)), at(c.root)); got != want {
			t.Errorf("FindRG(%q, %s) = %q, want %q", c.path, c.root, got, want)
		}
	}
}

func BenchmarkSearch(b *testing.B) {
	files := map[string]string{}
	for i := range 5000 {
		files[fmt.Sprintf("d%d/%d.go", i%100, i)] = strings.Repeat("package p // and some text\n", 200) + fmt.Sprint("name", i%500)
	}
	root, names := plant(b, files)
	for name, rg := range map[string]string{"Go": "", "rg": ripgrep(b)} {
		b.Run(name, func(b *testing.B) {
			for b.Loop() {
				found, err := text.Search(context.Background(), text.Options{RG: rg}, root, names, "name7")
				if err != nil || len(found) != 10 {
					b.Fatalf("%d matches, error %v", len(found), err)
				}
			}
		})
	}
}
