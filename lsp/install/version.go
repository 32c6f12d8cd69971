package install

import (
	"encoding/json"
	"fmt"
	"os"
	"path/filepath"
	"strconv"
	"strings"
)

// version is the three numbers of a release; what follows them is kept apart.
type version struct {
	numbers    [3]int
	prerelease bool
}

// parseVersion reads "v1.2.3", "1.2", "go1.27.1" and "1.2.3-rc.1".
func parseVersion(s string) (version, error) {
	var v version
	core := strings.TrimPrefix(strings.TrimPrefix(s, "go"), "v")
	core, _, _ = strings.Cut(core, "+")
	core, _, v.prerelease = strings.Cut(core, "-")
	for i, part := range strings.SplitN(core, ".", 3) {
		digits := strings.IndexFunc(part, func(r rune) bool { return r < '0' || r > '9' })
		if digits > 0 { // go1.27rc1
			part, v.prerelease = part[:digits], true
		}
		n, err := strconv.Atoi(part)
		if err != nil {
			return v, fmt.Errorf("%q is no version", s)
		}
		v.numbers[i] = n
	}
	return v, nil
}

// atLeast reports whether v is the release a.b.c or a later one.
func (v version) atLeast(a, b, c int) bool {
	for i, n := range [3]int{a, b, c} {
		if v.numbers[i] != n {
			return v.numbers[i] > n
		}
	}
	return !v.prerelease
}

// packageVersion reads the name and the version of the npm package in a folder.
func packageVersion(dir string) (name, version string, err error) {
	raw, err := os.ReadFile(filepath.Join(dir, "package.json"))
	if err != nil {
		return "", "", err
	}
	var p struct{ Name, Version string }
	if err := json.Unmarshal(raw, &p); err != nil {
		return "", "", fmt.Errorf("%s: %w", filepath.Join(dir, "package.json"), err)
	}
	return p.Name, p.Version, nil
}

// packageOf returns the folder of the npm package called name that a file
// belongs to, "" if it belongs to none.
func packageOf(file, name string) string {
	for dir := filepath.Dir(file); ; dir = filepath.Dir(dir) {
		if found, _, err := packageVersion(dir); err == nil {
			if found == name {
				return dir
			}
			return ""
		}
		if dir == filepath.Dir(dir) {
			return ""
		}
	}
}

// PackageVersion returns the version of the npm package in a folder, "" if it
// cannot be read.
func PackageVersion(dir string) string {
	_, version, err := packageVersion(dir)
	if err != nil {
		return ""
	}
	return version
}
