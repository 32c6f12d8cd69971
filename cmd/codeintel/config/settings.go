package config

import (
	"fmt"
	"math"
	"slices"
	"strconv"
	"strings"
	"time"

	"github.com/dustin/go-humanize"
)

// Settings are the values in force.
type Settings struct {
	// Threshold is the number of reference lines shown without approval; 0 asks
	// always, a negative number never.
	Threshold int
	// LargeReferences says what happens above the threshold: ask, allow, deny or
	// truncate.
	LargeReferences string
	// ReadExternal says whether files outside the root may be named: ask, allow
	// or deny.
	ReadExternal string
	// Timeout bounds the wait for language servers; then a lower source answers. 0
	// means no bound.
	Timeout time.Duration
	// Tier names a source: exact (and no other), syntactic or textual; empty
	// means the best there is.
	Tier string
	// Install allows language servers to be installed when they are missing.
	Install bool
	// RG is the path of ripgrep, "off" to search in Go, empty to look on PATH.
	RG string
	// ServerMemory is the resident size in bytes of one server above which large
	// questions are asked project by project; 0 means the built-in limit.
	ServerMemory int64
	// CacheSize is the number of bytes that stored indexes may take together.
	CacheSize int64
	// Exclude lists patterns of paths that are left out of answers, see
	// [Excludes].
	Exclude []string
}

// Defaults returns the settings that hold when nothing is configured.
func Defaults() Settings {
	return Settings{Threshold: 50, LargeReferences: "ask", ReadExternal: "ask", Install: true, CacheSize: 5e9}
}

// setting is one key: how its text is read and shown.
type setting struct {
	key, doc string
	get      func(*Settings) string
	// set parses text into the settings.
	set func(s *Settings, text string) error
	// tighten is set for repositories: it refuses values that loosen. A nil
	// tighten refuses the key.
	tighten func(s *Settings, text string) error
}

// Env returns the environment variable of a key: CODEINTEL_ and the key in
// capitals, with underscores for dots.
func Env(key string) string {
	return "CODEINTEL_" + strings.ToUpper(strings.ReplaceAll(key, ".", "_"))
}

// settings returns the table of all keys, in the order they are shown.
func settings() []setting {
	return []setting{
		{
			key: "threshold", doc: "reference lines shown without approval (0 asks always, -1 never)",
			get: func(s *Settings) string { return strconv.Itoa(s.Threshold) },
			set: func(s *Settings, text string) error { return integer(text, &s.Threshold) },
			tighten: func(s *Settings, text string) error {
				n := 0
				if err := integer(text, &n); err != nil {
					return err
				}
				if n < 0 || s.Threshold >= 0 && n > s.Threshold {
					return fmt.Errorf("a repository may only lower it from %d", s.Threshold)
				}
				s.Threshold = n
				return nil
			},
		},
		choice("approval.large_references", "what happens above the threshold: ask, allow, deny or truncate",
			func(s *Settings) *string { return &s.LargeReferences }, "ask", "allow", "deny", "truncate"),
		choice("approval.read_external", "whether files outside the root may be named: ask, allow or deny",
			func(s *Settings) *string { return &s.ReadExternal }, "ask", "allow", "deny"),
		{
			key: "timeout", doc: "how long language servers are waited for, such as 30s (0: no limit)",
			get: func(s *Settings) string { return s.Timeout.String() },
			set: func(s *Settings, text string) error { return duration(text, &s.Timeout) },
			tighten: func(s *Settings, text string) error {
				limit := s.Timeout
				if err := duration(text, &limit); err != nil {
					return err
				}
				if limit == 0 || s.Timeout > 0 && limit > s.Timeout {
					return fmt.Errorf("a repository may only shorten it from %v", s.Timeout)
				}
				s.Timeout = limit
				return nil
			},
		},
		choice("tier", "exact (or fail), syntactic or textual; empty for the best there is",
			func(s *Settings) *string { return &s.Tier }, "exact", "syntactic", "textual"),
		{
			key: "install", doc: "install missing language servers on first use",
			get: func(s *Settings) string { return strconv.FormatBool(s.Install) },
			set: func(s *Settings, text string) error { return boolean(text, &s.Install) },
		},
		{
			key: "rg", doc: `path of ripgrep ("off" searches in Go, empty looks on PATH)`,
			get: func(s *Settings) string { return s.RG },
			set: func(s *Settings, text string) error { s.RG = text; return nil },
		},
		{
			key: "server_memory", doc: "bytes of one server above which projects are asked in turn (0: built-in)",
			get: func(s *Settings) string { return strconv.FormatInt(s.ServerMemory, 10) },
			set: func(s *Settings, text string) error { return size(text, &s.ServerMemory) },
		},
		{
			key: "cache_size", doc: "bytes that stored indexes may take together, such as 5GB",
			get: func(s *Settings) string { return strconv.FormatInt(s.CacheSize, 10) },
			set: func(s *Settings, text string) error { return size(text, &s.CacheSize) },
		},
		{
			key: "exclude", doc: "patterns of paths to leave out of answers, such as gen/ or **/*.pb.go",
			get:     func(s *Settings) string { return strings.Join(s.Exclude, ", ") },
			set:     func(s *Settings, text string) error { s.Exclude = items(text); return nil },
			tighten: addExcludes,
		},
	}
}

// items splits a list: commas or line breaks separate.
func items(text string) []string {
	var out []string
	for _, p := range strings.FieldsFunc(text, func(r rune) bool { return r == ',' || r == '\n' }) {
		if p = strings.TrimSpace(p); p != "" {
			out = append(out, p)
		}
	}
	return out
}

func addExcludes(s *Settings, text string) error {
	for _, p := range items(text) {
		if strings.HasPrefix(p, "!") {
			return fmt.Errorf("%q would bring paths back; a repository may only exclude", p)
		}
		if !slices.Contains(s.Exclude, p) {
			s.Exclude = append(slices.Clip(s.Exclude), p)
		}
	}
	return nil
}

func choice(key, doc string, at func(*Settings) *string, allowed ...string) setting {
	return setting{
		key: key, doc: doc,
		get: func(s *Settings) string { return *at(s) },
		set: func(s *Settings, text string) error {
			if !slices.Contains(allowed, text) {
				return fmt.Errorf("%q is none of %s", text, strings.Join(allowed, ", "))
			}
			*at(s) = text
			return nil
		},
	}
}

func integer(text string, to *int) error {
	n, err := strconv.Atoi(strings.TrimSpace(text))
	if err != nil {
		return fmt.Errorf("%q is not a whole number", text)
	}
	*to = n
	return nil
}

func size(text string, to *int64) error {
	n, err := ParseSize(text)
	if err == nil {
		*to = n
	}
	return err
}

// ParseSize reads a number of bytes, also with a unit: 500MB, 2GB, 1GiB.
func ParseSize(text string) (int64, error) {
	n, err := humanize.ParseBytes(strings.TrimSpace(text))
	if err != nil || n > math.MaxInt64 {
		return 0, fmt.Errorf("%q is not a number of bytes, such as 1000000, 500MB or 2GB", text)
	}
	return int64(n), nil
}

func boolean(text string, to *bool) error {
	switch strings.ToLower(strings.TrimSpace(text)) {
	case "true", "1", "yes", "on":
		*to = true
	case "false", "0", "no", "off":
		*to = false
	default:
		return fmt.Errorf("%q is neither true nor false", text)
	}
	return nil
}

func duration(text string, to *time.Duration) error {
	d, err := ParseDuration(text)
	if err == nil {
		*to = d
	}
	return err
}

// ParseDuration reads a duration such as 1m30s; a bare number counts seconds.
func ParseDuration(text string) (time.Duration, error) {
	text = strings.TrimSpace(text)
	if n, err := strconv.ParseFloat(text, 64); err == nil && n >= 0 {
		return time.Duration(n * float64(time.Second)), nil
	}
	d, err := time.ParseDuration(text)
	if err != nil || d < 0 {
		return 0, fmt.Errorf("%q is not a duration such as 30s or 2m", text)
	}
	return d, nil
}
