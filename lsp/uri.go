package lsp

import (
	"fmt"
	"net/url"
	"path/filepath"
	"strings"

	"go.lsp.dev/protocol"
)

// URIOf returns the file URI of an absolute path. It is an error if path is not
// absolute.
func URIOf(path string) (protocol.DocumentURI, error) {
	if !filepath.IsAbs(path) {
		return "", fmt.Errorf("URI of %q: the path must be absolute", path)
	}
	slash := filepath.ToSlash(filepath.Clean(path))
	if !strings.HasPrefix(slash, "/") { // a drive letter
		slash = "/" + slash
	}
	return protocol.DocumentURI((&url.URL{Scheme: "file", Path: slash}).String()), nil
}

// PathOf returns the absolute path of a file URI. Servers escape differently
// (+ and @ and : may be escaped or not), so URIs are compared as such paths
// only. It is an error if the URI is of another scheme or does not parse.
func PathOf(u protocol.DocumentURI) (string, error) {
	parsed, err := url.Parse(string(u))
	if err != nil {
		return "", fmt.Errorf("path of %q: %w", cut(string(u), 200), err)
	}
	local := parsed.Host == "" || parsed.Host == "localhost"
	if parsed.Scheme != "file" || !local || parsed.Path == "" {
		return "", fmt.Errorf("path of %q: it is not the URI of a local file", cut(string(u), 200))
	}
	path := parsed.Path
	if filepath.Separator == '\\' && len(path) > 2 && path[2] == ':' { // /c:/…
		path = path[1:]
	}
	return filepath.Clean(filepath.FromSlash(path)), nil
}
