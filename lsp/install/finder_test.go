//go:build unix

package install

import (
	"path/filepath"
	"strings"
	"testing"
)

// npmPackage writes a package with the file that a recipe runs.
func npmPackage(t *testing.T, modules, name, version, main string) string {
	t.Helper()
	dir := filepath.Join(modules, filepath.FromSlash(name))
	file(t, filepath.Join(dir, "package.json"), `{"name":"`+name+`","version":"`+version+`"}`)
	file(t, filepath.Join(dir, filepath.FromSlash(main)), "#!/bin/sh\nexit 1\n")
	return dir
}

// typescript7 writes a TypeScript package with its binary.
func typescript7(t *testing.T, modules, version string) {
	npmPackage(t, modules, "typescript", version, "bin/tsc")
	npmPackage(t, modules, "@typescript/typescript-"+platform(), version, "lib/tsc")
}

// world is a place for programs outside a workspace, with node.
func world(t *testing.T) (bin, modules string, f *Finder) {
	t.Helper()
	dir := real(t.TempDir())
	bin = filepath.Join(dir, "bin")
	file(t, filepath.Join(bin, "node"), "")
	return bin, filepath.Join(dir, "lib", "node_modules"),
		&Finder{Root: real(t.TempDir()), DataDir: filepath.Join(dir, "data"), Env: []string{"PATH=" + bin}}
}

// shown says in one line what Find gives.
func shown(f *Finder, r Recipe) string {
	found, skipped := f.Find(r)
	var out []string
	for _, c := range found {
		out = append(out, string(c.Origin)+" "+c.Version)
	}
	for _, s := range skipped {
		_, reason, _ := strings.Cut(s, ": ")
		out = append(out, "not: "+reason)
	}
	return strings.Join(out, "; ")
}

func check(t *testing.T, f *Finder, r Recipe, want string) {
	t.Helper()
	if got := shown(f, r); got != want {
		t.Errorf("%s: got %q, want %q", r.Name, got, want)
	}
}

func TestFindNothing(t *testing.T) {
	_, _, f := world(t)
	for _, r := range []Recipe{Gopls(), TypeScript(), TSServer(), Pyright()} {
		check(t, f, r, "")
	}
}

func TestFindTypeScript(t *testing.T) {
	bin, modules, f := world(t)
	typescript7(t, modules, "7.0.2")
	link(t, filepath.Join(modules, "typescript", "bin", "tsc"), filepath.Join(bin, "tsc"))
	found, _ := f.Find(TypeScript())
	want := filepath.Join(modules, "@typescript", "typescript-"+platform(), "lib", "tsc")
	if len(found) != 1 || found[0].Path != want {
		t.Errorf("got %+v, want the native binary %s", found, want)
	}
}

func TestFindSkipsOldTypeScript(t *testing.T) {
	bin, modules, f := world(t)
	npmPackage(t, modules, "typescript", "6.0.3", "bin/tsc")
	link(t, filepath.Join(modules, "typescript", "bin", "tsc"), filepath.Join(bin, "tsc"))
	typescript7(t, filepath.Join(f.folder(TypeScript()), "node_modules"), "7.0.2")
	check(t, f, TypeScript(), "installed 7.0.2; not: TypeScript 6.0.3 has no native language server")
}

func TestFindTypeScriptWithoutBinary(t *testing.T) {
	bin, modules, f := world(t)
	npmPackage(t, modules, "typescript", "7.0.2", "bin/tsc")
	link(t, filepath.Join(modules, "typescript", "bin", "tsc"), filepath.Join(bin, "tsc"))
	check(t, f, TypeScript(), "not: it has no binary for "+platform())
}

// A program whose version cannot be read has to be asked.
func TestFindWrappers(t *testing.T) {
	bin, _, f := world(t)
	for _, name := range []string{"tsc", "gopls", "pyright-langserver", "typescript-language-server"} {
		file(t, filepath.Join(bin, name), "#!/bin/sh\nexit 1\n")
	}
	check(t, f, TypeScript(), "PATH ")
	check(t, f, Gopls(), "PATH ")
	const unknown = "not: it is not the program of the npm package, so its version is not known"
	check(t, f, Pyright(), unknown)
	check(t, f, TSServer(), unknown)
}

func TestFindTSServer(t *testing.T) {
	bin, modules, f := world(t)
	pkg := npmPackage(t, modules, "typescript-language-server", "6.0.2", "lib/cli.mjs")
	link(t, filepath.Join(pkg, "lib", "cli.mjs"), filepath.Join(bin, "typescript-language-server"))
	check(t, f, TSServer(), "not: there is no TypeScript 6 beside it")

	npmPackage(t, modules, "typescript", "7.0.2", "lib/tsc.js")
	check(t, f, TSServer(), "not: there is no TypeScript 6 beside it")

	// A TypeScript 6 elsewhere on PATH serves too, but not the workspace's.
	ws := npmPackage(t, filepath.Join(f.Root, "node_modules"), "typescript", "6.0.3", "lib/tsserver.js")
	link(t, file(t, filepath.Join(ws, "bin", "tsserver"), ""), filepath.Join(bin, "tsserver"))
	check(t, f, TSServer(), "not: there is no TypeScript 6 beside it")

	other := filepath.Join(t.TempDir(), "node_modules")
	ts := npmPackage(t, other, "typescript", "6.0.3", "lib/tsserver.js")
	link(t, file(t, filepath.Join(ts, "bin", "tsserver"), ""), filepath.Join(other, ".bin", "tsserver"))
	f.Env = []string{"PATH=" + bin + ":" + filepath.Join(other, ".bin")}
	found, _ := f.Find(TSServer())
	if len(found) != 1 || found[0].TSServer != real(filepath.Join(ts, "lib", "tsserver.js")) {
		t.Errorf("got %+v", found)
	}
}

func TestFindPyright(t *testing.T) {
	bin, modules, f := world(t)
	pkg := npmPackage(t, modules, "pyright", "1.1.413", "langserver.index.js")
	link(t, filepath.Join(pkg, "langserver.index.js"), filepath.Join(bin, "pyright-langserver"))
	check(t, f, Pyright(), "not: pyright 1.1.413 is not known to work")
	npmPackage(t, modules, "pyright", "1.1.500", "langserver.index.js")
	check(t, f, Pyright(), "PATH 1.1.500")
	f.Env = []string{"PATH=" + filepath.Dir(filepath.Join(bin, "x")) + "2"}
	link(t, filepath.Join(pkg, "langserver.index.js"), filepath.Join(bin+"2", "pyright-langserver"))
	check(t, f, Pyright(), "not: "+noNode)
}

// Whatever way a program of the workspace is reached, it is not run.
func TestFindRefusesTheWorkspace(t *testing.T) {
	const inside = "not: it is inside the workspace, which is not trusted"
	for _, test := range []struct {
		name, want, trusted string
		set                 func(t *testing.T, f *Finder, bin string)
	}{
		{"a folder of PATH", inside, "PATH ", func(t *testing.T, f *Finder, bin string) {
			file(t, filepath.Join(f.Root, "bin", "tsc"), "")
			f.Env = []string{"PATH=" + filepath.Join(f.Root, "bin") + ":" + bin}
		}},
		{"a link to a program", inside, "PATH ", func(t *testing.T, f *Finder, bin string) {
			link(t, file(t, filepath.Join(f.Root, "x"), ""), filepath.Join(bin, "tsc"))
		}},
		{"a link to a folder", inside, "PATH ", func(t *testing.T, f *Finder, bin string) {
			file(t, filepath.Join(f.Root, "bin", "tsc"), "")
			link(t, filepath.Join(f.Root, "bin"), bin+"2")
			f.Env = []string{"PATH=" + bin + "2"}
		}},
		{"a link inside to a program outside", inside, "PATH ", func(t *testing.T, f *Finder, bin string) {
			link(t, file(t, filepath.Join(bin, "other"), ""), filepath.Join(f.Root, "tsc"))
			f.Env = []string{"PATH=" + f.Root}
		}},
		{"a root that is a link", inside, "PATH ", func(t *testing.T, f *Finder, bin string) {
			file(t, filepath.Join(f.Root, "bin", "tsc"), "")
			f.Env = []string{"PATH=" + filepath.Join(f.Root, "bin")}
			link(t, f.Root, bin+"root")
			f.Root = bin + "root"
		}},
		{"a relative folder", "not: its folder in PATH is relative", "not: its folder in PATH is relative", func(t *testing.T, f *Finder, bin string) {
			file(t, filepath.Join(f.Root, "tsc"), "")
			t.Chdir(f.Root)
			f.Env = []string{"PATH=.:" + bin}
		}},
		{"the current folder", "not: its folder in PATH is relative", "not: its folder in PATH is relative", func(t *testing.T, f *Finder, bin string) {
			file(t, filepath.Join(f.Root, "tsc"), "")
			t.Chdir(f.Root)
			f.Env = []string{"PATH=:" + bin}
		}},
		{"its node_modules", "", "workspace 7.0.2", func(t *testing.T, f *Finder, bin string) {
			typescript7(t, filepath.Join(f.Root, "node_modules"), "7.0.2")
		}},
		{"its binary behind a package outside", "not: it leads into the workspace, which is not trusted", "PATH 7.0.2", func(t *testing.T, f *Finder, bin string) {
			modules := filepath.Join(t.TempDir(), "node_modules")
			pkg := npmPackage(t, modules, "typescript", "7.0.2", "bin/tsc")
			link(t, filepath.Join(pkg, "bin", "tsc"), filepath.Join(bin, "tsc"))
			npmPackage(t, f.Root, "x", "7.0.2", "lib/tsc")
			link(t, filepath.Join(f.Root, "x"), filepath.Join(modules, "@typescript", "typescript-"+platform()))
		}},
	} {
		t.Run(test.name, func(t *testing.T) {
			bin, _, f := world(t)
			test.set(t, f, bin)
			check(t, f, TypeScript(), test.want)
			f.Trusted = true
			check(t, f, TypeScript(), test.trusted)
		})
	}
}

func TestEnviron(t *testing.T) {
	bin, _, f := world(t)
	f.Env = []string{"A=1", "PATH=.:" + bin + ":" + f.Root + "/bin::rel", "B=2"}
	if got := getenv(f.Environ(), "PATH"); got != bin {
		t.Errorf("PATH %q", got)
	}
	if got := getenv(f.Environ(), "A") + getenv(f.Environ(), "B"); got != "12" {
		t.Errorf("variables %q", got)
	}
}

func TestRejectGopls(t *testing.T) {
	for _, test := range []struct {
		version string
		ok      bool
	}{
		{"", true}, {"v0.22.0 go1.26.0", true}, {"v0.23.0 go1.26.8", true}, {"v0.23.1", true},
		{"v0.21.1 go1.25.0", false}, {"v0.24.0 go1.26.8", false}, {"v0.24.0 go1.27.0", true}, {"v0.25.1 go1.27rc1", false},
		{"v1.0.0 go1.28.1", true}, {"(devel) go1.26.8", false}, {"v0.22.0-pre.1 go1.26.0", false},
	} {
		if reason := rejectGopls(test.version); (reason == "") != test.ok {
			t.Errorf("%s: %q", test.version, reason)
		}
	}
}

func TestParseVersion(t *testing.T) {
	for _, test := range []struct {
		s    string
		want version
		bad  bool
	}{
		{"7.0.2", version{numbers: [3]int{7, 0, 2}}, false},
		{"v0.23.0", version{numbers: [3]int{0, 23, 0}}, false},
		{"go1.27", version{numbers: [3]int{1, 27, 0}}, false},
		{"go1.27rc1", version{numbers: [3]int{1, 27, 0}, prerelease: true}, false},
		{"7.1.0-dev.20260101", version{numbers: [3]int{7, 1, 0}, prerelease: true}, false},
		{"1.2.3+build-4", version{numbers: [3]int{1, 2, 3}}, false},
		{"", version{}, true}, {"x", version{}, true}, {"1..2", version{}, true},
	} {
		got, err := parseVersion(test.s)
		if (err != nil) != test.bad || !test.bad && got != test.want {
			t.Errorf("%s: got %v, %v", test.s, got, err)
		}
	}
}
