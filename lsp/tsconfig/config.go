package tsconfig

import (
	"encoding/json"
	"fmt"
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"sort"
	"strings"

	"github.com/tailscale/hujson"
)

// maxSize bounds a configuration file in bytes; larger ones are not read.
const maxSize = 4 << 20

// Config is the effective content of one configuration file.
type Config struct {
	Path       string         // absolute
	Options    map[string]any // compilerOptions, those of extended files below its own
	References []string       // absolute paths of referenced configuration files or folders
	Missing    []string       // what it extends and is not there, as written

	files            []pattern // nil when not given
	include, exclude []pattern
	filesGiven       bool
	includeGiven     bool
	compiled         map[compiledKey]*regexp.Regexp // of include and exclude, made when first used
}

// pattern is an entry of files, include or exclude with the folder of the file
// that it stands in.
type pattern struct{ dir, text string }

// raw is a configuration file as written.
type raw struct {
	Extends         any
	CompilerOptions map[string]any
	Files           *[]string
	Include         *[]string
	Exclude         *[]string
	References      []struct{ Path string }
}

// read parses the file at path, which may have comments, trailing commas and a
// byte order mark.
func read(path string) (*raw, error) {
	info, err := os.Stat(path)
	if err != nil {
		return nil, err
	}
	if !info.Mode().IsRegular() || info.Size() > maxSize {
		return nil, fmt.Errorf("%s: not a file of at most %d bytes", path, maxSize)
	}
	text, err := os.ReadFile(path)
	if err != nil {
		return nil, err
	}
	text = []byte(strings.TrimPrefix(string(text), "\uFEFF"))
	if len(strings.TrimSpace(string(text))) == 0 {
		return &raw{}, nil
	}
	standard, err := hujson.Standardize(text)
	if err != nil {
		return nil, fmt.Errorf("%s: %w", path, err)
	}
	var r raw
	if err := json.Unmarshal(standard, &r); err != nil {
		return nil, fmt.Errorf("%s: %w", path, err)
	}
	return &r, nil
}

// load reads the configuration at path with all that it extends. The files in
// chain are being loaded already: what extends itself is cut there.
func load(path string, chain []string) (*Config, error) {
	r, err := read(path)
	if err != nil {
		return nil, err
	}
	dir := filepath.Dir(path)
	c := &Config{Path: path, Options: map[string]any{}}
	chain = append(slices.Clone(chain), path)
	for _, name := range names(r.Extends) {
		base := resolve(dir, name)
		if base == "" {
			c.Missing = append(c.Missing, name)
			continue
		}
		if slices.Contains(chain, base) {
			continue
		}
		parent, err := load(base, chain)
		if err != nil {
			c.Missing = append(c.Missing, name)
			continue
		}
		c.inherit(parent)
	}
	c.add(r, dir)
	return c, nil
}

// names reads extends: a string or a list of them.
func names(extends any) []string {
	switch e := extends.(type) {
	case string:
		return []string{e}
	case []any:
		var out []string
		for _, one := range e {
			if s, ok := one.(string); ok {
				out = append(out, s)
			}
		}
		return out
	}
	return nil
}

// inherit takes over a base, over what earlier bases gave. References are not
// inherited.
func (c *Config) inherit(base *Config) {
	for name, value := range base.Options {
		c.Options[name] = value
	}
	c.Missing = append(c.Missing, base.Missing...)
	if base.filesGiven {
		c.files, c.filesGiven = base.files, true
	}
	if base.includeGiven {
		c.include, c.includeGiven = base.include, true
	}
	if base.exclude != nil {
		c.exclude = base.exclude
	}
}

// add puts a file's own settings over the inherited ones. An option that is
// null is taken away.
func (c *Config) add(r *raw, dir string) {
	for name, value := range r.CompilerOptions {
		if value == nil {
			delete(c.Options, name)
			continue
		}
		c.Options[name] = value
	}
	if r.Files != nil {
		c.files, c.filesGiven = patterns(dir, *r.Files), true
	}
	if r.Include != nil {
		c.include, c.includeGiven = patterns(dir, *r.Include), true
	}
	if r.Exclude != nil {
		c.exclude = patterns(dir, *r.Exclude)
	}
	for _, ref := range r.References {
		if ref.Path != "" {
			c.References = append(c.References, absolute(dir, ref.Path))
		}
	}
}

func patterns(dir string, texts []string) []pattern {
	out := make([]pattern, 0, len(texts))
	for _, text := range texts {
		out = append(out, pattern{dir, text})
	}
	return out
}

// absolute returns path as seen from dir.
func absolute(dir, path string) string {
	path = filepath.FromSlash(path)
	if filepath.IsAbs(path) {
		return filepath.Clean(path)
	}
	return filepath.Join(dir, path)
}

// Removed lists the options that TypeScript 7 has removed and this
// configuration uses, as "baseUrl" or "module=amd", sorted. With such an option
// TypeScript 7 reports an error (TS5102, TS5108 or TS6046), goes on without it
// and answers incompletely; TypeScript 6.0 still honours it.
func (c *Config) Removed() []string {
	var out []string
	for name, value := range c.Options {
		gone, ok := removed(name)
		if !ok {
			continue
		}
		text := strings.ToLower(strings.TrimSpace(fmt.Sprint(value)))
		switch {
		case gone == nil:
			out = append(out, name)
		case slices.Contains(gone, text):
			out = append(out, name+"="+text)
		}
	}
	sort.Strings(out)
	return out
}

// removed returns the values of an option that TypeScript 7.0.2 refuses and
// 6.0.3 does not, nil for every value. Each was confirmed by running both.
func removed(option string) (values []string, ok bool) {
	switch option {
	case "baseUrl", "outFile", "downlevelIteration":
		return nil, true
	case "moduleResolution":
		return []string{"node", "node10", "classic"}, true
	case "module":
		return []string{"amd", "umd", "system", "none"}, true
	case "target":
		return []string{"es3", "es5"}, true
	case "esModuleInterop", "allowSyntheticDefaultImports", "alwaysStrict":
		return []string{"false"}, true
	}
	return nil, false
}
