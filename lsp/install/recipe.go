package install

import (
	"debug/buildinfo"
	"fmt"
	"path/filepath"
	"runtime"
)

// Recipe is how one server is found, judged, started and installed.
type Recipe struct {
	Name     string // as in messages and folder names
	Version  string // pinned: what Install installs
	Accepted string // the accepted versions, in words

	// Reject says why a version is not accepted, "" if it is or is not known
	// yet. A version is what the server's package or the server itself says.
	Reject func(version string) string

	program     string // its name on PATH
	inWorkspace bool   // a trusted workspace's node_modules may bring it
	modules     bool   // installed by npm, else by go
	typescript  string // the version of TypeScript that is installed beside it, "" for none

	// onPath makes a candidate of a program; reason says why not.
	onPath func(f *Finder, path string) (c Candidate, reason string)
	// inModules makes a candidate of a node_modules folder, ok if it is there.
	inModules func(f *Finder, modules string) (c Candidate, ok bool, reason string)
	// inData makes a candidate of the folder of an installation.
	inData func(f *Finder, folder string) (c Candidate, ok bool, reason string)
}

const noNode = "node is not on PATH"

// Gopls is the Go language server.
func Gopls() Recipe {
	return Recipe{
		Name: "gopls", Version: "0.23.0", program: "gopls",
		Accepted: "0.22 and 0.23, later ones when built with Go 1.27",
		Reject:   rejectGopls,
		onPath: func(_ *Finder, path string) (Candidate, string) {
			return Candidate{Path: path, Version: goplsVersion(path)}, ""
		},
		inData: func(_ *Finder, folder string) (Candidate, bool, string) {
			path := filepath.Join(folder, "gopls"+exe())
			return Candidate{Path: path, Shown: path, Version: goplsVersion(path)}, exists(path), ""
		},
	}
}

// goplsVersion reads "v0.23.0 go1.26.8" from the binary, "" if it cannot be
// read there: a wrapper script has to be asked.
func goplsVersion(path string) string {
	info, err := buildinfo.ReadFile(path)
	if err != nil || info.Path != "golang.org/x/tools/gopls" {
		return ""
	}
	return info.Main.Version + " " + info.GoVersion
}

func rejectGopls(s string) string {
	if s == "" {
		return ""
	}
	var own, built string
	fmt.Sscan(s, &own, &built)
	v, err := parseVersion(own)
	if err != nil {
		return fmt.Sprintf("its version %s is not a release", own)
	}
	compiler, _ := parseVersion(built)
	switch {
	case !v.atLeast(0, 22, 0):
		return fmt.Sprintf("version %s is older than 0.22", own)
	case v.atLeast(0, 24, 0) && !compiler.atLeast(1, 27, 0):
		return fmt.Sprintf("version %s needs Go 1.27, it was built with %s", own, built)
	}
	return ""
}

// TypeScript is the native language server of TypeScript 7.
func TypeScript() Recipe {
	return Recipe{
		Name: "typescript", Version: "7.0.2", program: "tsc", inWorkspace: true, modules: true,
		Accepted: "7.0.2 and later",
		Reject: func(s string) string {
			return older("TypeScript", s, 7, 0, 2, "has no native language server")
		},
		onPath: nativeOnPath,
		inModules: func(_ *Finder, modules string) (Candidate, bool, string) {
			pkg := filepath.Join(modules, "typescript")
			if !exists(pkg) {
				return Candidate{}, false, ""
			}
			c, reason := native(real(pkg))
			return c, true, reason
		},
		inData: func(_ *Finder, folder string) (Candidate, bool, string) {
			pkg := filepath.Join(folder, "node_modules", "typescript")
			if !exists(pkg) {
				return Candidate{}, false, ""
			}
			c, reason := native(pkg)
			return c, true, reason
		},
	}
}

// nativeOnPath finds the native binary behind a tsc of PATH: the launcher of
// the npm package costs a Node process more. What is no such launcher is taken
// as it is and has to be asked.
func nativeOnPath(_ *Finder, path string) (Candidate, string) {
	file := real(path)
	if pkg := packageOf(file, "typescript"); pkg != "" {
		return native(pkg)
	}
	c := Candidate{Path: path, Args: nativeArgs()}
	if pkg := packageOf(file, "@typescript/typescript-"+platform()); pkg != "" {
		_, c.Version, _ = packageVersion(pkg)
	}
	return c, ""
}

// native finds the binary that belongs to a typescript package: its optional
// dependency for this platform, beside it or in its own node_modules.
func native(pkg string) (Candidate, string) {
	_, v, err := packageVersion(pkg)
	c := Candidate{Shown: pkg, Version: v, Args: nativeArgs()}
	if err != nil {
		return c, err.Error()
	}
	for _, modules := range []string{filepath.Join(pkg, "node_modules"), filepath.Dir(pkg)} {
		path := filepath.Join(modules, "@typescript", "typescript-"+platform(), "lib", "tsc"+exe())
		if executable(path) {
			c.Path = path
			return c, ""
		}
	}
	if reason := TypeScript().Reject(v); reason != "" {
		return c, reason
	}
	return c, "it has no binary for " + platform()
}

func nativeArgs() []string { return []string{"--lsp", "--stdio"} }

// TSServer is typescript-language-server with the tsserver of TypeScript 6.
func TSServer() Recipe {
	return Recipe{
		Name: "typescript-language-server", Version: "6.0.2", program: "typescript-language-server",
		modules: true, typescript: "6.0.3",
		Accepted: "6 and later, with TypeScript 6",
		Reject: func(s string) string {
			return older("typescript-language-server", s, 6, 0, 0, "is not known to work")
		},
		onPath: func(f *Finder, path string) (Candidate, string) {
			return wrapper(f, packageOf(real(path), "typescript-language-server"))
		},
		inData: func(f *Finder, folder string) (Candidate, bool, string) {
			pkg := filepath.Join(folder, "node_modules", "typescript-language-server")
			if !exists(pkg) {
				return Candidate{}, false, ""
			}
			c, reason := wrapper(f, pkg)
			return c, true, reason
		},
	}
}

// wrapper is the candidate of an installed typescript-language-server package.
// Its tsserver is that of the TypeScript 6 beside it, else that on PATH; never
// that of a workspace, which typescript-language-server would take by itself.
func wrapper(f *Finder, pkg string) (Candidate, string) {
	c, reason := script(f, pkg, filepath.Join("lib", "cli.mjs"))
	if reason != "" {
		return c, reason
	}
	beside := filepath.Join(filepath.Dir(pkg), "typescript")
	places := []string{filepath.Join(pkg, "node_modules", "typescript"), beside}
	programs, _ := f.programs("tsserver")
	for _, program := range programs {
		if ts := packageOf(real(program), "typescript"); ts != "" {
			places = append(places, ts)
		}
	}
	for _, place := range places {
		_, s, err := packageVersion(place)
		if err != nil || (!f.Trusted && f.inside(place)) {
			continue
		}
		server := filepath.Join(place, "lib", "tsserver.js")
		if v, err := parseVersion(s); err == nil && v.numbers[0] == 6 && exists(server) {
			c.TSServer = server
			return c, ""
		}
	}
	return c, "there is no TypeScript 6 beside it"
}

// Pyright is the Python language server.
func Pyright() Recipe {
	return Recipe{
		Name: "pyright", Version: "1.1.414", program: "pyright-langserver", modules: true,
		Accepted: "1.1.414 and later",
		Reject: func(s string) string {
			return older("pyright", s, 1, 1, 414, "is not known to work")
		},
		onPath: func(f *Finder, path string) (Candidate, string) {
			return script(f, packageOf(real(path), "pyright"), "langserver.index.js")
		},
		inData: func(f *Finder, folder string) (Candidate, bool, string) {
			pkg := filepath.Join(folder, "node_modules", "pyright")
			if !exists(pkg) {
				return Candidate{}, false, ""
			}
			c, reason := script(f, pkg, "langserver.index.js")
			return c, true, reason
		},
	}
}

// script is the candidate of a server that Node runs from a package.
func script(f *Finder, pkg, main string) (Candidate, string) {
	if pkg == "" {
		return Candidate{}, "it is not the program of the npm package, so its version is not known"
	}
	_, v, err := packageVersion(pkg)
	file := filepath.Join(pkg, main)
	c := Candidate{Path: f.program("node"), Args: []string{file, "--stdio"}, Shown: file, Version: v}
	switch {
	case err != nil:
		return c, err.Error()
	case c.Path == "":
		return c, noNode
	case !exists(file):
		return c, file + " is missing"
	}
	return c, ""
}

// older says that version s is older than a.b.c, "" if it is not.
func older(name, s string, a, b, c int, consequence string) string {
	if s == "" {
		return ""
	}
	v, err := parseVersion(s)
	if err != nil {
		return err.Error()
	}
	if v.atLeast(a, b, c) {
		return ""
	}
	return fmt.Sprintf("%s %s %s", name, s, consequence)
}

// platform is Node's name of this platform.
func platform() string {
	system := map[string]string{"windows": "win32"}[runtime.GOOS]
	if system == "" {
		system = runtime.GOOS
	}
	machine := map[string]string{"amd64": "x64", "386": "ia32"}[runtime.GOARCH]
	if machine == "" {
		machine = runtime.GOARCH
	}
	return system + "-" + machine
}

func exe() string {
	if runtime.GOOS == "windows" {
		return ".exe"
	}
	return ""
}
