package lsp

import (
	"bufio"
	"context"
	"errors"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"strconv"
	"strings"
	"testing"
	"time"

	"go.lsp.dev/protocol"
)

// orphanParent starts a server, says its process id, asks it something that
// takes long and waits to be killed.
func orphanParent() {
	root, kind := os.Getenv("LSP_TEST_PARENT"), Kind(os.Getenv("LSP_TEST_KIND"))
	pool := NewPool(Options{Root: root, DataDir: os.Getenv("LSP_TEST_DATA"), NoInstall: true})
	s, err := pool.Server(context.Background(), kind)
	if err != nil {
		fmt.Println(err)
		return
	}
	fmt.Println(s.PID())
	if file := os.Getenv("LSP_TEST_FILE"); file != "" {
		text, err := os.ReadFile(file)
		if err == nil {
			err = s.Open(context.Background(), file, strings.TrimPrefix(filepath.Ext(file), "."), string(text))
		}
		if err == nil {
			_, err = s.References(context.Background(), file, protocol.Position{Line: 0, Character: 16}, true)
		}
		fmt.Println(err)
	}
	select {}
}

// group lists the processes of a process group, zombies apart.
func group(id int) []int {
	var out []int
	paths, _ := filepath.Glob("/proc/[0-9]*/stat")
	for _, path := range paths {
		stat, err := os.ReadFile(path)
		if err != nil {
			continue
		}
		before, rest, _ := strings.Cut(string(stat), " (")
		fields := strings.Fields(rest[strings.LastIndexByte(rest, ')')+1:])
		if len(fields) > 2 && fields[0] != "Z" && fields[2] == strconv.Itoa(id) {
			pid, _ := strconv.Atoi(before)
			out = append(out, pid)
		}
	}
	return out
}

// testData is the folder that tests install servers to, as in package lsptest.
func testData(t *testing.T) string {
	t.Helper()
	if dir := os.Getenv("CODEINTEL_TEST_DATA"); dir != "" {
		return dir
	}
	cache, err := os.UserCacheDir()
	if err != nil {
		t.Skip(err)
	}
	return filepath.Join(cache, "codeintel-test")
}

// present skips the test when there is no server of a kind, installing it if
// that is possible.
func present(t *testing.T, kind Kind) {
	t.Helper()
	pool := NewPool(Options{Root: t.TempDir(), DataDir: testData(t)})
	defer pool.Close()
	_, err := pool.Server(t.Context(), kind)
	var missing *MissingError
	if errors.As(err, &missing) {
		t.Skip(err)
	}
	if err != nil {
		t.Fatal(err)
	}
}

// parentOf starts a process that runs a server, and returns the server's id.
func parentOf(t *testing.T, kind Kind, root, file string, env ...string) (*exec.Cmd, int) {
	t.Helper()
	cmd := exec.Command(os.Args[0])
	cmd.Env = append(os.Environ(), "LSP_TEST_PARENT="+root, "LSP_TEST_KIND="+string(kind),
		"LSP_TEST_DATA="+testData(t), "LSP_TEST_FILE="+file, "TMPDIR="+t.TempDir())
	cmd.Env = append(cmd.Env, env...)
	out, err := cmd.StdoutPipe()
	if err != nil {
		t.Fatal(err)
	}
	if err := cmd.Start(); err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { cmd.Process.Kill(); cmd.Wait() })
	line, err := bufio.NewReader(out).ReadString('\n')
	pid, _ := strconv.Atoi(strings.TrimSpace(line))
	if err != nil || pid == 0 {
		t.Fatalf("no server: %s, %v", line, err)
	}
	return cmd, pid
}

// within waits until a condition holds.
func within(t *testing.T, limit time.Duration, what string, holds func() bool) {
	t.Helper()
	for began := time.Now(); !holds(); {
		if time.Since(began) > limit {
			t.Fatalf("not within %v: %s", limit, what)
		}
		<-time.After(2 * time.Millisecond)
	}
}

// When this process is killed its server dies, even one that ignores the end of
// its input.
func TestNoOrphanOfDeafServer(t *testing.T) {
	bin := t.TempDir()
	stub(t, bin, "tsc", "hang-shutdown")
	cmd, pid := parentOf(t, TypeScript, t.TempDir(), "", "PATH="+bin)
	cmd.Process.Kill()
	cmd.Wait()
	within(t, 2*time.Second, "the server is dead", func() bool { return !alive(pid) })
}

// The tsserver behind typescript-language-server dies while it is at work.
func TestNoOrphanOfTSServer(t *testing.T) {
	present(t, TSServer)
	root := t.TempDir()
	var text strings.Builder
	text.WriteString("export function f0() {}\n")
	for i := range 30000 {
		fmt.Fprintf(&text, "export const v%d = { a: [1, 2, f0()], b: { c: %d } as const, d: (x: number) => x + %d };\n", i, i, i)
	}
	file := filepath.Join(root, "a.typescript") // the extension is the language, see orphanParent
	write(t, file, text.String())
	write(t, filepath.Join(root, "tsconfig.json"), "{}")
	cmd, pid := parentOf(t, TSServer, root, file)
	within(t, 10*time.Second, "tsserver runs", func() bool { return len(group(pid)) > 1 })
	cmd.Process.Kill()
	cmd.Wait()
	within(t, 2*time.Second, "the group is dead", func() bool { return len(group(pid)) == 0 })
}

// A go command that gopls runs dies, even one that would never end.
func TestNoOrphanOfGopls(t *testing.T) {
	present(t, Gopls)
	bin := t.TempDir()
	slow := filepath.Join(bin, "go")
	write(t, slow, "#!/bin/sh\ntrap '' INT TERM HUP\nsleep 600\n")
	if err := os.Chmod(slow, 0o777); err != nil {
		t.Fatal(err)
	}
	root := t.TempDir()
	write(t, filepath.Join(root, "go.mod"), "module m\n")
	cmd, pid := parentOf(t, Gopls, root, "", "PATH="+bin+string(os.PathListSeparator)+os.Getenv("PATH"))
	within(t, 10*time.Second, "go runs", func() bool { return len(group(pid)) > 2 })
	cmd.Process.Kill()
	cmd.Wait()
	within(t, 2*time.Second, "the group is dead", func() bool { return len(group(pid)) == 0 })
}

// Closing the pool leaves nothing of a server, of those that it runs, and of
// their temporary files.
func TestCloseLeavesNothing(t *testing.T) {
	for _, kind := range Kinds() {
		t.Run(string(kind), func(t *testing.T) {
			present(t, kind)
			temp := t.TempDir()
			t.Setenv("TMPDIR", temp)
			pool := NewPool(Options{Root: t.TempDir(), DataDir: testData(t)})
			s, err := pool.Server(t.Context(), kind)
			if err != nil {
				t.Fatal(err)
			}
			if len(group(s.PID())) == 0 {
				t.Fatal("the group is not seen")
			}
			began := time.Now()
			pool.Close()
			if d := time.Since(began); d > time.Second {
				t.Errorf("closed after %v", d)
			}
			if left := group(s.PID()); len(left) > 0 {
				t.Errorf("left: %v", left)
			}
			if left, _ := os.ReadDir(temp); len(left) > 0 {
				t.Errorf("temporary files are left: %v", left)
			}
		})
	}
}

// A real server killed before, during and after a request.
func TestRealServerKilled(t *testing.T) {
	present(t, Gopls)
	root := t.TempDir()
	file := filepath.Join(root, "a.go")
	const text = "package a\n\nfunc F() {}\n\nfunc g() { F() }\n"
	write(t, filepath.Join(root, "go.mod"), "module a\n\ngo 1.20\n")
	write(t, file, text)
	pool := NewPool(Options{Root: root, DataDir: testData(t)})
	defer pool.Close()
	refs := func(s *Server) ([]protocol.Location, error) {
		return s.References(t.Context(), file, protocol.Position{Line: 2, Character: 5}, true)
	}
	kill := func(s *Server) {
		p, err := os.FindProcess(s.PID())
		if err == nil {
			err = p.Kill()
		}
		if err != nil {
			t.Error(err)
		}
	}
	server := func() *Server {
		t.Helper()
		s, err := pool.Server(t.Context(), Gopls)
		if err != nil {
			t.Fatal(err)
		}
		return s
	}
	var crash *CrashError

	before := server()
	kill(before)
	if _, err := refs(before); !errors.As(err, &crash) {
		t.Errorf("before: got %v", err)
	}
	during := server()
	began := time.Now()
	go kill(during) // its first answer takes longer than that
	if _, err := refs(during); !errors.As(err, &crash) || time.Since(began) > time.Second {
		t.Errorf("during: got %v after %v", err, time.Since(began))
	}
	after := server()
	if found, err := refs(after); err != nil || len(found) != 2 {
		t.Errorf("after: got %v, %v", found, err)
	}
	kill(after)
	select {
	case <-after.Done():
	case <-time.After(time.Second):
		t.Error("the death was not noticed within a second")
	}
}

// A TypeScript that the workspace brings along is not run by any server, not
// even from a folder of PATH.
func TestWorkspaceTypeScriptIsNotRun(t *testing.T) {
	for _, kind := range []Kind{TSServer, TypeScript} {
		t.Run(string(kind), func(t *testing.T) {
			present(t, kind)
			root := t.TempDir()
			ran := filepath.Join(t.TempDir(), "ran")
			modules := filepath.Join(root, "node_modules")
			write(t, filepath.Join(modules, "typescript", "package.json"), `{"name": "typescript", "version": "6.0.3", "main": "lib/typescript.js"}`)
			evil := fmt.Sprintf("require('fs').writeFileSync(%q, 'x')", ran)
			for _, name := range []string{"tsserver.js", "_tsserver.js", "typescript.js", "tsc.js"} {
				write(t, filepath.Join(modules, "typescript", "lib", name), evil)
			}
			write(t, filepath.Join(modules, "plugin", "index.js"), evil)
			write(t, filepath.Join(modules, "plugin", "package.json"), `{"name": "plugin", "version": "1.0.0"}`)
			write(t, filepath.Join(root, "tsconfig.json"), `{"compilerOptions": {"plugins": [{"name": "plugin"}]}}`)
			for _, name := range []string{"tsc", "tsserver", "typescript-language-server"} {
				path := filepath.Join(modules, ".bin", name)
				write(t, path, "#!/bin/sh\necho x > "+ran+"\n")
				if err := os.Chmod(path, 0o777); err != nil {
					t.Fatal(err)
				}
			}
			file := filepath.Join(root, "a.ts")
			const text = "export function f() {}\nf();\n"
			write(t, file, text)
			env := append(os.Environ(), "PATH="+filepath.Join(modules, ".bin")+string(os.PathListSeparator)+os.Getenv("PATH"))
			pool := NewPool(Options{Root: root, DataDir: testData(t), Env: env})
			defer pool.Close()
			s, err := pool.Server(t.Context(), kind)
			if err != nil {
				t.Fatal(err)
			}
			if err := s.Open(t.Context(), file, "typescript", text); err != nil {
				t.Fatal(err)
			}
			found, err := s.References(t.Context(), file, protocol.Position{Character: 16}, true)
			if err != nil || len(found) != 2 {
				t.Errorf("got %v, %v", found, err)
			}
			if _, err := os.Stat(ran); err == nil {
				t.Error("a program of the workspace was run")
			}
		})
	}
}
