package tsconfig

import (
	"encoding/json"
	"os"
	"path/filepath"
	"strings"
)

// resolve finds the file that extends names, as seen from dir, "" if it is not
// there: a path, or a package in a node_modules folder of dir or above.
func resolve(dir, name string) string {
	slash := filepath.ToSlash(name)
	if filepath.IsAbs(name) || slash == "." || slash == ".." || strings.HasPrefix(slash, "./") || strings.HasPrefix(slash, "../") {
		return firstFile(absolute(dir, name))
	}
	pkg, sub := splitPackage(slash)
	for at := dir; ; at = filepath.Dir(at) {
		folder := filepath.Join(at, "node_modules", filepath.FromSlash(pkg))
		if isDir(folder) {
			if found := inPackage(folder, sub); found != "" {
				return found
			}
		}
		if at == filepath.Dir(at) {
			return ""
		}
	}
}

// splitPackage splits "@scope/name/a/b" into the package and the path in it.
func splitPackage(name string) (pkg, sub string) {
	parts := strings.SplitN(name, "/", 3)
	n := 1
	if strings.HasPrefix(name, "@") && len(parts) > 1 {
		n = 2
	}
	return strings.Join(parts[:n], "/"), strings.Join(parts[n:], "/")
}

// inPackage finds a configuration in a package: by its exports, by path, or for
// the package itself by the tsconfig member of package.json.
func inPackage(folder, sub string) string {
	if target, err := filepath.EvalSymlinks(folder); err == nil {
		folder = target
	}
	var manifest struct {
		TSConfig string `json:"tsconfig"`
		Exports  any    `json:"exports"`
	}
	if text, err := os.ReadFile(filepath.Join(folder, "package.json")); err == nil {
		json.Unmarshal(text, &manifest) // an unreadable one exports nothing
	}
	if target := exported(manifest.Exports, sub); target != "" {
		return firstFile(absolute(folder, target))
	}
	if sub != "" {
		return firstFile(filepath.Join(folder, filepath.FromSlash(sub)))
	}
	if manifest.TSConfig != "" {
		return firstFile(absolute(folder, manifest.TSConfig))
	}
	return firstFile(filepath.Join(folder, "tsconfig.json"))
}

// exported looks up a path of a package in its exports, "" if it has none.
func exported(exports any, sub string) string {
	key := "."
	if sub != "" {
		key = "./" + sub
	}
	table, ok := exports.(map[string]any)
	if !ok || !hasPaths(table) {
		if key != "." {
			return ""
		}
		return condition(exports)
	}
	for _, k := range []string{key, key + ".json"} {
		if target, ok := table[k]; ok {
			return condition(target)
		}
	}
	for k, target := range table {
		before, after, star := strings.Cut(k, "*")
		if star && len(key) >= len(before)+len(after) && strings.HasPrefix(key, before) && strings.HasSuffix(key, after) {
			middle := key[len(before) : len(key)-len(after)]
			return strings.ReplaceAll(condition(target), "*", middle)
		}
	}
	return ""
}

// hasPaths reports whether the keys of exports are paths, not conditions.
func hasPaths(table map[string]any) bool {
	for k := range table {
		if strings.HasPrefix(k, ".") {
			return true
		}
	}
	return false
}

// condition picks the target that a configuration lookup gets.
func condition(target any) string {
	switch t := target.(type) {
	case string:
		return t
	case map[string]any:
		for _, name := range []string{"node", "require", "default"} {
			if s := condition(t[name]); s != "" {
				return s
			}
		}
	}
	return ""
}

// firstFile returns path or path.json, whichever is a file, "" for neither.
func firstFile(path string) string {
	for _, p := range []string{path, path + ".json"} {
		if info, err := os.Stat(p); err == nil && info.Mode().IsRegular() {
			return p
		}
	}
	return ""
}

func isDir(path string) bool {
	info, err := os.Stat(path)
	return err == nil && info.IsDir()
}
