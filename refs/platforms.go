package refs

import (
	"bytes"
	"io"
	"strings"
)

// readerOf makes a build.Context read a text that is already at hand.
func readerOf(text []byte) func(string) (io.ReadCloser, error) {
	return func(string) (io.ReadCloser, error) { return io.NopCloser(bytes.NewReader(text)), nil }
}

// knownOS reports whether a build tag is an operating system that Go knows
// (go tool dist list, go1.26).
func knownOS(tag string) bool {
	switch tag {
	case "aix", "android", "darwin", "dragonfly", "freebsd", "illumos", "ios", "js", "linux",
		"netbsd", "openbsd", "plan9", "solaris", "wasip1", "windows":
		return true
	}
	return false
}

// knownArch reports whether a build tag is an architecture that Go knows.
func knownArch(tag string) bool {
	switch tag {
	case "386", "amd64", "arm", "arm64", "loong64", "mips", "mips64", "mips64le", "mipsle",
		"ppc64", "ppc64le", "riscv64", "s390x", "wasm":
		return true
	}
	return false
}

// suffixes reads the _GOOS and _GOARCH parts of a Go file's name.
func suffixes(base string) (os, arch string, ok bool) {
	name := strings.TrimSuffix(strings.TrimSuffix(base, ".go"), "_test")
	parts := strings.Split(name, "_")
	if n := len(parts); n > 1 && knownArch(parts[n-1]) {
		arch = parts[n-1]
		parts = parts[:n-1]
	}
	if n := len(parts); n > 1 && knownOS(parts[n-1]) {
		os = parts[n-1]
	}
	return os, arch, os != "" || arch != ""
}
