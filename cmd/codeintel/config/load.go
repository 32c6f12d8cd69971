package config

import (
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"slices"
	"strings"

	"github.com/pelletier/go-toml/v2"
)

// RepositoryFile is the name of a repository's own settings, at its root.
const RepositoryFile = ".codeintel.toml"

// UserFile is the name of the user's settings in the configuration folder.
const UserFile = "config.toml"

// Sources are where settings are read from. The zero value gives the defaults.
type Sources struct {
	// Env looks up an environment variable; nil means none is set.
	Env func(string) (string, bool)
	// UserFile is the path of config.toml; empty or absent means none.
	UserFile string
	// Root is the workspace root, for its RepositoryFile; empty means none.
	Root string
	// Flags are settings given on the command line, text by key.
	Flags map[string]string
}

// Config is the outcome of [Load].
type Config struct {
	Settings
	// Refused are the keys of the repository's file that were not taken, with
	// the reason, in order.
	Refused []Refusal

	origin map[string]string
}

// Refusal is a key that a repository may not set.
type Refusal struct {
	File   string `json:"file"`
	Key    string `json:"key"`
	Reason string `json:"reason"`
}

// Value is a setting as shown to people.
type Value struct {
	Key   string `json:"key"`
	Value string `json:"value"`
	// Origin is "default", a file, an environment variable or "flag".
	Origin string `json:"origin"`
	Doc    string `json:"doc"`
	// Env is the variable that sets it.
	Env string `json:"env"`
}

// Load reads all sources. A user file or variable that cannot be understood is
// an error; a repository's file never is, its bad parts are refused.
func Load(from Sources) (*Config, error) {
	c := &Config{Settings: Defaults(), origin: map[string]string{}}
	if err := c.userFile(from.UserFile); err != nil {
		return nil, err
	}
	if err := c.environment(from.Env); err != nil {
		return nil, err
	}
	for _, s := range settings() {
		text, given := from.Flags[s.key]
		if !given {
			continue
		}
		if err := s.set(&c.Settings, text); err != nil {
			return nil, fmt.Errorf("--%s: %w", s.key, err)
		}
		c.origin[s.key] = "flag"
	}
	if from.Root != "" {
		c.repository(filepath.Join(from.Root, RepositoryFile), from.Flags)
	}
	return c, nil
}

func (c *Config) userFile(path string) error {
	if path == "" {
		return nil
	}
	values, err := read(path)
	if errors.Is(err, fs.ErrNotExist) {
		return nil
	}
	if err != nil {
		return err
	}
	for _, key := range sortedKeys(values) {
		s, known := find(key)
		if !known {
			return fmt.Errorf("%s: unknown key %q; the keys are %s", path, key, strings.Join(Keys(), ", "))
		}
		if err := s.set(&c.Settings, values[key]); err != nil {
			return fmt.Errorf("%s: %s: %w", path, key, err)
		}
		c.origin[key] = path
	}
	return nil
}

// noInstall is the short way to forbid installing.
const noInstall = "CODEINTEL_NO_INSTALL"

// environment applies the variables; an empty one counts as not set.
func (c *Config) environment(lookup func(string) (string, bool)) error {
	if lookup == nil {
		return nil
	}
	for _, s := range settings() {
		text, set := lookup(Env(s.key))
		if !set || text == "" {
			continue
		}
		if err := s.set(&c.Settings, text); err != nil {
			return fmt.Errorf("%s: %w", Env(s.key), err)
		}
		c.origin[s.key] = Env(s.key)
	}
	if text, set := lookup(noInstall); set && text != "" {
		forbid := true
		if err := boolean(text, &forbid); err != nil {
			return fmt.Errorf("%s: %w", noInstall, err)
		}
		c.Install = !forbid
		c.origin["install"] = noInstall
	}
	return nil
}

// repository applies what the repository's file may set, on top of everything
// but explicit flags: it only tightens.
func (c *Config) repository(path string, flags map[string]string) {
	refuse := func(key, reason string) {
		c.Refused = append(c.Refused, Refusal{File: RepositoryFile, Key: key, Reason: reason})
	}
	values, err := read(path)
	if errors.Is(err, fs.ErrNotExist) {
		return
	}
	if err != nil {
		refuse("", err.Error())
		return
	}
	for _, key := range sortedKeys(values) {
		s, known := find(key)
		switch {
		case !known:
			refuse(key, "unknown key")
		case s.tighten == nil:
			refuse(key, "a repository may not set it; set it in your own config.toml")
		case flagged(flags, key):
		default:
			before := s.get(&c.Settings)
			if err := s.tighten(&c.Settings, values[key]); err != nil {
				refuse(key, err.Error())
			} else if s.get(&c.Settings) != before {
				c.origin[key] = RepositoryFile
			}
		}
	}
}

func flagged(flags map[string]string, key string) bool {
	_, given := flags[key]
	return given
}

// Values lists all settings with their origins.
func (c *Config) Values() []Value {
	var out []Value
	for _, s := range settings() {
		origin := c.origin[s.key]
		if origin == "" {
			origin = "default"
		}
		out = append(out, Value{Key: s.key, Value: s.get(&c.Settings), Origin: origin, Doc: s.doc, Env: Env(s.key)})
	}
	return out
}

// Keys lists the keys of all settings.
func Keys() []string {
	var out []string
	for _, s := range settings() {
		out = append(out, s.key)
	}
	return out
}

func find(key string) (setting, bool) {
	for _, s := range settings() {
		if s.key == key {
			return s, true
		}
	}
	return setting{}, false
}

// maxFile bounds a settings file, in bytes.
const maxFile = 1 << 20

// read returns the values of a TOML file as text by dotted key.
func read(path string) (map[string]string, error) {
	info, err := os.Stat(path)
	if err != nil {
		return nil, err
	}
	if !info.Mode().IsRegular() || info.Size() > maxFile {
		return nil, fmt.Errorf("%s: not a settings file (it must be a regular file of at most %d bytes)", path, maxFile)
	}
	text, err := os.ReadFile(path)
	if err != nil {
		return nil, err
	}
	var tree map[string]any
	if err := toml.Unmarshal(text, &tree); err != nil {
		var at *toml.DecodeError
		if errors.As(err, &at) {
			row, _ := at.Position()
			return nil, fmt.Errorf("%s:%d: %w", path, row, err)
		}
		return nil, fmt.Errorf("%s: %w", path, err)
	}
	out := map[string]string{}
	flatten("", tree, out)
	return out, nil
}

func flatten(prefix string, tree map[string]any, out map[string]string) {
	for key, v := range tree {
		if sub, ok := v.(map[string]any); ok {
			flatten(prefix+key+".", sub, out)
			continue
		}
		if list, ok := v.([]any); ok {
			parts := make([]string, len(list))
			for i, item := range list {
				parts[i] = fmt.Sprint(item)
			}
			out[prefix+key] = strings.Join(parts, "\n")
			continue
		}
		out[prefix+key] = fmt.Sprint(v)
	}
}

func sortedKeys(values map[string]string) []string {
	out := make([]string, 0, len(values))
	for k := range values {
		out = append(out, k)
	}
	slices.Sort(out)
	return out
}
