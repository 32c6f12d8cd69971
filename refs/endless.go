package refs

import (
	"fmt"
	"path"
	"strings"

	"codeintel/index"
	"codeintel/lsp"
	"codeintel/symbols"
)

// endless returns why a server of a kind would wait for ever in a workspace; empty
// when it would not. gopls opens everything in a package folder that has a Go
// file's name; the other servers open regular files only.
func endless(s *index.Snapshot, kind lsp.Kind) string {
	if kind != lsp.Gopls {
		return ""
	}
	for _, p := range s.Special() {
		if symbols.LanguageOf(p) == symbols.Go && !skippedByGo(p) {
			return fmt.Sprintf("%s is no regular file but a pipe or a device, for which gopls would wait for ever; move it out of the Go packages", p)
		}
	}
	return ""
}

// skippedByGo reports whether the go command leaves a path out of "./...".
func skippedByGo(p string) bool {
	if base := path.Base(p); base[0] == '_' || base[0] == '.' {
		return true
	}
	for dir := range strings.SplitSeq(path.Dir(p), "/") {
		if dir == "testdata" || dir == "vendor" || dir[0] == '_' || dir[0] == '.' && dir != "." {
			return true
		}
	}
	return false
}
