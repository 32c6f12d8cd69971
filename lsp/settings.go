package lsp

import (
	"path/filepath"
	"slices"
	"strings"

	"codeintel/lsp/install"
)

// profile is what the client knows of one server beside its recipe.
type profile struct {
	recipe install.Recipe

	// options are the initializationOptions.
	options func(c install.Candidate) any
	// settings answer workspace/configuration; nil answers null.
	settings func(section string, p Project) any
	// abrupt servers are killed without being asked to shut down first.
	abrupt bool
	// alone servers get an empty PATH: they need no other program, and one that
	// they found would be run behind the user's back.
	alone bool
}

// environ returns the environment for the server.
func (p profile) environ(env []string) []string {
	if !p.alone {
		return env
	}
	out := slices.DeleteFunc(slices.Clone(env), func(kv string) bool { return strings.HasPrefix(kv, "PATH=") })
	return append(out, "PATH=")
}

// profileOf returns the profile of a kind, ok if there is one.
func profileOf(k Kind) (profile, bool) {
	switch k {
	case Gopls:
		return profile{recipe: install.Gopls(),
			options:  func(install.Candidate) any { return goplsSettings() },
			settings: section("gopls", func(Project) object { return goplsSettings() }),
			// It answers shutdown only when a check of the workspace that it
			// makes in the background is over, a second later at best. Its
			// cache loses nothing by being killed.
			abrupt: true}, true
	case TypeScript:
		// TypeScript 7 has no setting against fetching type packages with npm.
		return profile{recipe: install.TypeScript(), alone: true,
			options: func(install.Candidate) any { return object{"disablePushDiagnostics": true} }}, true
	case TSServer:
		return profile{recipe: install.TSServer(), options: tsserverOptions}, true
	case Pyright:
		return profile{recipe: install.Pyright(),
			options:  func(install.Candidate) any { return nil },
			settings: section("python", pyrightSettings)}, true
	}
	return profile{}, false
}

// section answers one section and leaves the others to the server's defaults.
func section(name string, value func(Project) object) func(string, Project) any {
	return func(asked string, p Project) any {
		if asked == name {
			return value(p)
		}
		return nil
	}
}

// goplsSettings leave out the work that no question here needs.
func goplsSettings() object {
	return object{
		// One second after a change gopls would check and analyse the whole
		// workspace, in competition with the question that is being asked.
		// What is open is checked at once all the same.
		"diagnosticsDelay": "10h",
		"vulncheck":        "Off",
	}
}

// tsserverOptions pin the tsserver that is run, so that a workspace's own is
// never picked up.
func tsserverOptions(c install.Candidate) any {
	return object{
		// Types are never fetched from the network behind the user's back.
		"disableAutomaticTypingAcquisition": true,
		"hostInfo":                          "codeintel",
		"maxTsServerMemory":                 3072, // MB; Node's own default depends on the machine
		"tsserver": object{
			"path": c.TSServer,
			// A partial syntax server would answer, wrongly, while the
			// project loads.
			"useSyntaxServer": "never",
			// tsserver hears of changes on disk by WatchedFiles, before the
			// next question.
			"useClientFileWatcher": true,
		},
	}
}

// pyrightSettings: only open documents are checked; references look everywhere
// all the same. Each project imports from its own folder first. Pyright takes
// excluded folders relative to the project's. It asks for the section python alone,
// and where the user has configured it for the folder that goes before these settings.
func pyrightSettings(p Project) object {
	var exclude []string
	for _, dir := range p.Exclude {
		if rel, err := filepath.Rel(p.Dir, dir); err == nil {
			exclude = append(exclude, filepath.ToSlash(rel))
		}
	}
	return object{"analysis": object{
		"diagnosticMode":  "openFilesOnly",
		"autoSearchPaths": true,
		"extraPaths":      p.Paths,
		"exclude":         exclude,
	}}
}
