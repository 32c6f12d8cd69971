//go:build unix

package install

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"os"
	"os/exec"
	"path"
	"path/filepath"
	"slices"
	"strings"
	"sync"
	"testing"
	"time"
)

// TestMain re-executes this binary as a second process that installs.
func TestMain(m *testing.M) {
	if data := os.Getenv("INSTALL_TEST_DATA"); data != "" {
		f := &Finder{DataDir: data, Env: os.Environ()}
		c, err := f.Install(context.Background(), Pyright())
		fmt.Println(c.Version, err)
		os.Exit(0)
	}
	os.Exit(m.Run())
}

// file writes an executable file and makes its folder.
func file(t *testing.T, name, text string) string {
	t.Helper()
	if err := os.MkdirAll(filepath.Dir(name), 0o777); err != nil {
		t.Fatal(err)
	}
	if err := os.WriteFile(name, []byte(text), 0o777); err != nil {
		t.Fatal(err)
	}
	return name
}

func link(t *testing.T, old, new string) {
	t.Helper()
	if err := os.MkdirAll(filepath.Dir(new), 0o777); err != nil {
		t.Fatal(err)
	}
	if err := os.Symlink(old, new); err != nil {
		t.Fatal(err)
	}
}

// fakeNPM puts an npm on PATH that runs a script in the folder of the
// installation, and a node.
func fakeNPM(t *testing.T, script string) (env []string, bin string) {
	t.Helper()
	bin = t.TempDir()
	file(t, filepath.Join(bin, "npm"), "#!/bin/sh\n"+script)
	file(t, filepath.Join(bin, "node"), "#!/bin/sh\n")
	return []string{"PATH=" + bin + ":/usr/bin:/bin"}, bin
}

// good makes the installation of pyright that npm would make, and counts.
const good = `
echo run >> "$(dirname "$0")/runs"
test -f package-lock.json || exit 9
mkdir -p node_modules/pyright
echo '{"name":"pyright","version":"1.1.414"}' > node_modules/pyright/package.json
echo > node_modules/pyright/langserver.index.js
`

func runs(t *testing.T, bin string) int {
	t.Helper()
	text, err := os.ReadFile(filepath.Join(bin, "runs"))
	if err != nil {
		t.Fatal(err)
	}
	return strings.Count(string(text), "run\n")
}

func TestInstallOnce(t *testing.T) {
	env, bin := fakeNPM(t, good)
	data := filepath.Join(t.TempDir(), "new", "data")
	f := &Finder{DataDir: data, Env: env}
	c, err := f.Install(t.Context(), Pyright())
	if err != nil {
		t.Fatal(err)
	}
	if c.Version != "1.1.414" || c.Origin != FromData || c.Path != filepath.Join(bin, "node") {
		t.Errorf("got %+v", c)
	}
	if _, err := f.Install(t.Context(), Pyright()); err != nil {
		t.Fatal(err)
	}
	if n := runs(t, bin); n != 1 {
		t.Errorf("npm ran %d times", n)
	}
	if found, skipped := f.Find(Pyright()); len(found) != 1 || len(skipped) != 0 {
		t.Errorf("found %v, skipped %v", found, skipped)
	}
	if left, _ := filepath.Glob(filepath.Join(data, "servers", "*.part")); len(left) > 0 {
		t.Errorf("left behind: %v", left)
	}
}

// Goroutines and processes that install at once make one installation.
func TestInstallAtOnce(t *testing.T) {
	env, bin := fakeNPM(t, good)
	data := t.TempDir()
	var all sync.WaitGroup
	for range 4 {
		all.Go(func() {
			f := &Finder{DataDir: data, Env: env}
			if _, err := f.Install(t.Context(), Pyright()); err != nil {
				t.Error(err)
			}
		})
		all.Go(func() {
			cmd := exec.Command(os.Args[0])
			cmd.Env = append(slices.Clone(env), "INSTALL_TEST_DATA="+data)
			if out, err := cmd.Output(); err != nil || string(out) != "1.1.414 <nil>\n" {
				t.Errorf("%s, %v", out, err)
			}
		})
	}
	all.Wait()
	if n := runs(t, bin); n != 1 {
		t.Errorf("npm ran %d times", n)
	}
}

// A second process says that it waits, and its context ends the waiting.
func TestInstallWaits(t *testing.T) {
	env, _ := fakeNPM(t, good)
	data := t.TempDir()
	f := &Finder{DataDir: data, Env: env}
	if err := os.MkdirAll(filepath.Dir(f.folder(Pyright())), 0o777); err != nil {
		t.Fatal(err)
	}
	unlock, err := f.lock(t.Context(), Pyright(), f.folder(Pyright())+".lock")
	if err != nil {
		t.Fatal(err)
	}
	defer unlock()
	ctx, cancel := context.WithCancel(t.Context())
	second := &Finder{DataDir: data, Env: env, Progress: func(line string) {
		if strings.HasPrefix(line, "waiting for another process") {
			cancel()
		}
	}}
	if _, err := second.Install(ctx, Pyright()); !errors.Is(err, context.Canceled) {
		t.Errorf("got %v", err)
	}
}

func TestInstallFails(t *testing.T) {
	for _, test := range []struct{ name, script, want string }{
		{"network", "echo 'npm warn x' >&2; echo 'npm error code ENOTFOUND' >&2; echo 'npm error network down' >&2; exit 1",
			"npm ci: exit status 1: code ENOTFOUND; network down"},
		{"nothing installed", "exit 0", "left no usable server"},
		{"half installed", `mkdir -p node_modules/pyright; echo '{"name":"pyright","version":"1.1.414"}' > node_modules/pyright/package.json`,
			"langserver.index.js is missing"},
	} {
		t.Run(test.name, func(t *testing.T) {
			env, _ := fakeNPM(t, test.script)
			data := t.TempDir()
			f := &Finder{DataDir: data, Env: env}
			_, err := f.Install(t.Context(), Pyright())
			if err == nil || !strings.Contains(err.Error(), test.want) {
				t.Errorf("got %v, want %q", err, test.want)
			}
			left, _ := os.ReadDir(filepath.Join(data, "servers"))
			for _, entry := range left {
				if !strings.HasSuffix(entry.Name(), ".lock") {
					t.Errorf("left behind: %s", entry.Name())
				}
			}
		})
	}
}

func TestInstallNeeds(t *testing.T) {
	root := t.TempDir()
	blocked := file(t, filepath.Join(t.TempDir(), "file"), "")
	for _, test := range []struct {
		name, want string
		finder     *Finder
	}{
		{"no folder", "no data folder", &Finder{}},
		{"no npm", "npm is not on PATH", &Finder{DataDir: t.TempDir()}},
		{"in the workspace", "inside the workspace", &Finder{Root: root, DataDir: filepath.Join(root, "data")}},
		{"no room", "not a directory", &Finder{DataDir: filepath.Join(blocked, "data")}},
	} {
		t.Run(test.name, func(t *testing.T) {
			if _, err := test.finder.Install(t.Context(), Pyright()); err == nil || !strings.Contains(err.Error(), test.want) {
				t.Errorf("got %v, want %q", err, test.want)
			}
		})
	}
	if _, err := (&Finder{DataDir: t.TempDir()}).Install(t.Context(), Gopls()); err == nil || err.Error() != "go is not on PATH" {
		t.Errorf("got %v", err)
	}
}

// The installer does not outlive the context, and progress comes at once and
// goes on.
func TestInstallProgressAndCancel(t *testing.T) {
	env, bin := fakeNPM(t, `echo $$ > "$(dirname "$0")/pid"; echo step >&2; exec sleep 600`)
	ctx, cancel := context.WithCancel(t.Context())
	began := time.Now()
	var lines []string
	f := &Finder{DataDir: t.TempDir(), Env: env, Progress: func(line string) {
		lines = append(lines, line)
		if len(lines) == 1 && time.Since(began) > time.Second {
			t.Error("the first line came late")
		}
		if len(lines) == 3 {
			cancel()
		}
	}}
	if _, err := f.Install(ctx, Pyright()); !errors.Is(err, context.Canceled) {
		t.Errorf("got %v", err)
	}
	if len(lines) < 3 || lines[0] != "installing pyright 1.1.414 with npm ci" || lines[1] != "installing pyright 1.1.414, 2 s: step" {
		t.Errorf("got %q", lines)
	}
	pid, err := os.ReadFile(filepath.Join(bin, "pid"))
	if err != nil {
		t.Fatal(err)
	}
	if exec.Command("kill", "-0", strings.TrimSpace(string(pid))).Run() == nil {
		t.Error("npm still runs")
	}
}

// What is embedded names the pinned versions, has a hash for every package and
// no addresses.
func TestLockfiles(t *testing.T) {
	for _, r := range []Recipe{TypeScript(), TSServer(), Pyright()} {
		read := func(name string) []byte {
			text, err := lockfiles.ReadFile(path.Join("npm", r.Name, name))
			if err != nil {
				t.Fatal(err)
			}
			if strings.Contains(string(text), "resolved") || strings.Contains(string(text), "://") {
				t.Errorf("%s of %s has addresses", name, r.Name)
			}
			return text
		}
		var manifest struct{ Dependencies map[string]string }
		if err := json.Unmarshal(read("package.json"), &manifest); err != nil {
			t.Fatal(err)
		}
		var asked []string
		for name, version := range manifest.Dependencies {
			asked = append(asked, name+"@"+version)
		}
		slices.Sort(asked)
		want := slices.Sorted(slices.Values(r.packages()))
		if !slices.Equal(asked, want) {
			t.Errorf("package.json asks for %v, the recipe for %v", asked, want)
		}
		var lock struct {
			Packages map[string]struct{ Version, Integrity string }
		}
		if err := json.Unmarshal(read("package-lock.json"), &lock); err != nil {
			t.Fatal(err)
		}
		for name, p := range lock.Packages {
			if name != "" && !strings.HasPrefix(p.Integrity, "sha512-") {
				t.Errorf("%s of %s has no hash", name, r.Name)
			}
		}
	}
}

// Gopls is built by go, for this machine, whatever the user builds for.
func TestInstallWithGo(t *testing.T) {
	bin := t.TempDir()
	file(t, filepath.Join(bin, "go"), `#!/bin/sh
echo "$* $GOBIN $GOOS$GOARCH $GOFLAGS $GOWORK $(pwd)" > "$(dirname "$0")/args"
echo > "$GOBIN/gopls"
`)
	f := &Finder{DataDir: t.TempDir(), Env: []string{"PATH=" + bin + ":/usr/bin:/bin", "GOOS=plan9", "GOARCH=mips", "GOFLAGS=-mod=vendor"}}
	c, err := f.Install(t.Context(), Gopls())
	part := f.folder(Gopls()) + ".part"
	if err != nil || c.Path != filepath.Join(f.folder(Gopls()), "gopls") {
		t.Errorf("got %+v, %v", c, err)
	}
	args, err := os.ReadFile(filepath.Join(bin, "args"))
	want := "install -v golang.org/x/tools/gopls@v0.23.0 " + part + "  -mod=mod off " + real(filepath.Dir(part)) + "/" + filepath.Base(part) + "\n"
	if err != nil || string(args) != want {
		t.Errorf("got %q, %v\nwant %q", args, err, want)
	}
}

// With the real npm and the lockfile.
func TestInstallReal(t *testing.T) {
	f := &Finder{DataDir: t.TempDir(), Env: os.Environ()}
	if f.program("npm") == "" {
		t.Skip("npm is not on PATH")
	}
	c, err := f.Install(t.Context(), TypeScript())
	if err != nil {
		t.Fatal(err)
	}
	out, err := exec.Command(c.Path, "--version").Output()
	if err != nil || string(out) != "Version 7.0.2\n" || c.Version != "7.0.2" {
		t.Errorf("%q, %v, %+v", out, err, c)
	}
}

func TestCommand(t *testing.T) {
	for _, test := range []struct {
		finder Finder
		recipe Recipe
		want   string
	}{
		{Finder{}, Gopls(), "go install golang.org/x/tools/gopls@v0.23.0"},
		{Finder{DataDir: "/d"}, Gopls(), "GOBIN=/d/servers/gopls-0.23.0 go install golang.org/x/tools/gopls@v0.23.0"},
		{Finder{DataDir: "/it's here"}, TSServer(),
			`npm install --prefix '/it'\''s here/servers/typescript-language-server-6.0.2' typescript-language-server@6.0.2 typescript@6.0.3`},
		{Finder{}, TypeScript(), "npm install --global typescript@7.0.2"},
	} {
		if got := test.finder.Command(test.recipe); got != test.want {
			t.Errorf("got %s\nwant %s", got, test.want)
		}
	}
}
