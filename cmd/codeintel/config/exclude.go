package config

import (
	"path"
	"strings"
)

// Excludes returns a function that reports whether a root-relative slash path is
// excluded by one of the patterns; nil when there are none.
//
// A pattern without a slash (but at its end) matches a name at any depth; one
// with a slash matches from the root. "*" and "?" stay within a name, "**" stands
// for any folders, a slash at the end means folders only. What matches a folder
// excludes all that is in it.
func Excludes(patterns []string) func(string) bool {
	var all []exclusion
	for _, p := range patterns {
		if x := parseExclusion(p); len(x.names) > 0 {
			all = append(all, x)
		}
	}
	if len(all) == 0 {
		return nil
	}
	return func(file string) bool {
		names := strings.Split(file, "/")
		for _, x := range all {
			if x.covers(names) {
				return true
			}
		}
		return false
	}
}

// exclusion is a parsed pattern: one name pattern per path component.
type exclusion struct {
	names      []string
	folderOnly bool
}

func parseExclusion(pattern string) exclusion {
	x := exclusion{folderOnly: strings.HasSuffix(pattern, "/")}
	pattern = strings.TrimSuffix(pattern, "/")
	if pattern == "" {
		return x
	}
	if !strings.Contains(pattern, "/") {
		pattern = "**/" + pattern
	}
	x.names = strings.Split(strings.TrimPrefix(pattern, "/"), "/")
	return x
}

// covers reports whether the pattern matches the path or a folder above it.
func (x exclusion) covers(names []string) bool {
	for n := 1; n <= len(names); n++ {
		isFile := n == len(names)
		if !(isFile && x.folderOnly) && matches(x.names, names[:n]) {
			return true
		}
	}
	return false
}

func matches(pattern, names []string) bool {
	if len(pattern) == 0 {
		return len(names) == 0
	}
	if pattern[0] == "**" {
		return matches(pattern[1:], names) || len(names) > 0 && matches(pattern, names[1:])
	}
	if len(names) == 0 {
		return false
	}
	ok, err := path.Match(pattern[0], names[0])
	return err == nil && ok && matches(pattern[1:], names[1:])
}
