package install

import (
	"os"
	"path/filepath"
)

// Origin says where a candidate comes from.
type Origin string

// The places that servers come from.
const (
	FromPath      Origin = "PATH"      // found in a folder of PATH
	FromWorkspace Origin = "workspace" // brought by a trusted workspace
	FromData      Origin = "installed" // installed in the data folder
)

// Candidate is a server that may be run. Whether it works is not known yet.
type Candidate struct {
	Path     string   // program, absolute
	Args     []string // arguments that make it a language server on stdin and stdout
	Shown    string   // the file that was found, for messages; Path may be its interpreter
	Version  string   // "" until the server is asked
	TSServer string   // tsserver.js for typescript-language-server, else ""
	Origin   Origin
}

// Finder finds and installs servers for one workspace.
type Finder struct {
	Root     string       // absolute; programs inside it are not run unless Trusted; "" for no workspace
	DataDir  string       // absolute folder of installed servers; "" for none
	Trusted  bool         // run what the workspace brings along
	Env      []string     // the environment to search and to run in, as of [os.Environ]
	Progress func(string) // what is being installed, line by line; may be nil
}

// Find lists the candidates of a recipe, best first: what a trusted workspace
// brings, PATH, the data folder. It runs nothing. For all else that was found
// skipped has "path: reason".
func (f *Finder) Find(r Recipe) (found []Candidate, skipped []string) {
	add := func(c Candidate, reason string) {
		if reason == "" {
			reason = r.Reject(c.Version)
		}
		if reason == "" && f.brought(c) {
			reason = "it leads into the workspace, which is not trusted"
		}
		if reason != "" {
			skipped = append(skipped, c.Shown+": "+reason)
			return
		}
		found = append(found, c)
	}
	if f.Trusted && f.Root != "" && r.inWorkspace {
		if c, ok, reason := r.inModules(f, filepath.Join(f.Root, "node_modules")); ok {
			c.Origin = FromWorkspace
			add(c, reason)
		}
	}
	programs, refused := f.programs(r.program)
	skipped = append(skipped, refused...)
	for _, path := range programs {
		c, reason := r.onPath(f, path)
		c.Origin, c.Shown = FromPath, path
		add(c, reason)
	}
	if c, ok, reason := f.installed(r); ok {
		add(c, reason)
	}
	return found, skipped
}

// brought reports whether running c would run a file of an untrusted workspace.
func (f *Finder) brought(c Candidate) bool {
	if f.Trusted {
		return false
	}
	for _, path := range append([]string{c.Path, c.TSServer}, c.Args...) {
		if filepath.IsAbs(path) && f.inside(path) {
			return true
		}
	}
	return false
}

// installed looks for the pinned version in the data folder.
func (f *Finder) installed(r Recipe) (Candidate, bool, string) {
	if f.DataDir == "" {
		return Candidate{}, false, ""
	}
	c, ok, reason := r.inData(f, f.folder(r))
	c.Origin = FromData
	return c, ok, reason
}

// folder is where the pinned version of r is installed.
func (f *Finder) folder(r Recipe) string {
	return filepath.Join(f.DataDir, "servers", r.Name+"-"+r.Version)
}

func exists(path string) bool {
	_, err := os.Stat(path)
	return err == nil
}
