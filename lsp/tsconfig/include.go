package tsconfig

import (
	"path/filepath"
	"regexp"
	"slices"
	"strings"
)

// includes reports whether the configuration names the file at an absolute
// path: in files, or by include and not exclude.
func (c *Config) includes(file string) bool {
	if !c.takes(file) {
		return false
	}
	dir := filepath.Dir(c.Path)
	for _, p := range c.files {
		if p.absolute(dir) == file {
			return true
		}
	}
	include := c.include
	if !c.includeGiven {
		if c.filesGiven {
			return false
		}
		include = []pattern{{dir, "**/*"}}
	}
	return c.matchAny(include, file, false) && !c.matchAny(c.excluded(), file, true)
}

// excluded are the exclude patterns, or what stands for them when there are
// none.
func (c *Config) excluded() []pattern {
	if c.exclude != nil {
		return c.exclude
	}
	dir := filepath.Dir(c.Path)
	out := patterns(dir, []string{"node_modules", "bower_components", "jspm_packages"})
	for _, option := range []string{"outDir", "declarationDir"} {
		if s, ok := c.Options[option].(string); ok && s != "" {
			out = append(out, pattern{dir, s})
		}
	}
	return out
}

// takes reports whether files of this extension belong to the project.
func (c *Config) takes(file string) bool {
	switch strings.ToLower(filepath.Ext(file)) {
	case ".ts", ".tsx", ".mts", ".cts":
		return true
	case ".js", ".jsx", ".mjs", ".cjs":
		allowed, given := c.Options["allowJs"].(bool)
		if !given {
			checked, _ := c.Options["checkJs"].(bool)
			return checked || strings.HasPrefix(filepath.Base(c.Path), "jsconfig")
		}
		return allowed
	}
	return false
}

// absolute returns the pattern as an absolute path; ${configDir} is the folder
// of the configuration that is asked, not of the one that it stands in.
func (p pattern) absolute(configDir string) string {
	if rest, ok := strings.CutPrefix(p.text, "${configDir}"); ok {
		return filepath.Join(configDir, filepath.FromSlash(rest))
	}
	return absolute(p.dir, p.text)
}

// compiledKey identifies a compiled pattern.
type compiledKey struct {
	glob    string
	exclude bool
}

// matchAny reports whether one of the patterns matches the file.
func (c *Config) matchAny(ps []pattern, file string, exclude bool) bool {
	return slices.ContainsFunc(ps, func(p pattern) bool {
		glob := filepath.ToSlash(p.absolute(filepath.Dir(c.Path)))
		key := compiledKey{glob, exclude}
		re := c.compiled[key]
		if re == nil {
			re = compile(glob, exclude)
			if c.compiled == nil {
				c.compiled = map[compiledKey]*regexp.Regexp{}
			}
			c.compiled[key] = re
		}
		slash := filepath.ToSlash(file)
		return re.MatchString(slash) && (exclude || !throughPackages(glob, slash))
	})
}

// compile makes a pattern of include or exclude, absolute, a regular
// expression. A folder stands for all in it. In include, wildcards do not match
// names that begin with a dot.
func compile(glob string, exclude bool) *regexp.Regexp {
	segments := strings.Split(strings.Trim(glob, "/"), "/")
	last := segments[len(segments)-1]
	if !exclude && last != "**" && !strings.ContainsAny(last, "*?.") {
		segments = append(segments, "**", "*")
	} else if !exclude && last == "**" {
		segments = append(segments, "*")
	}
	var re strings.Builder
	re.WriteString("^")
	for _, s := range segments {
		switch {
		case s == "**" && exclude:
			re.WriteString(`(/.+?)?`)
		case s == "**":
			re.WriteString(`(/[^/.][^/]*)*?`)
		default:
			re.WriteString("/" + segment(s, exclude))
		}
	}
	if exclude {
		re.WriteString("($|/)")
	} else {
		re.WriteString("$")
	}
	return regexp.MustCompile(re.String()) // all but * and ? is quoted
}

// segment translates one path segment with * and ?.
func segment(s string, exclude bool) string {
	var re strings.Builder
	if !exclude && strings.HasPrefix(s, "*") {
		re.WriteString(`([^/.][^/]*)?`)
		s = s[1:]
	} else if !exclude && strings.HasPrefix(s, "?") {
		re.WriteString(`[^/.]`)
		s = s[1:]
	}
	for _, r := range s {
		switch r {
		case '*':
			re.WriteString(`[^/]*`)
		case '?':
			re.WriteString(`[^/]`)
		default:
			re.WriteString(regexp.QuoteMeta(string(r)))
		}
	}
	return re.String()
}

// throughPackages reports whether a wildcard of glob would have to reach into a
// folder of packages to get to file.
func throughPackages(glob, file string) bool {
	fixed := strings.Split(glob, "/")
	wild := slices.IndexFunc(fixed, func(s string) bool { return strings.ContainsAny(s, "*?") })
	if wild < 0 {
		wild = len(fixed) // a folder or a file; ** is meant below it
	}
	parts := strings.Split(file, "/")
	for _, part := range parts[min(wild, len(parts)):] {
		switch part {
		case "node_modules", "bower_components", "jspm_packages":
			return true
		}
	}
	return false
}
