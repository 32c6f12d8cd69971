package symbols

import (
	"embed"
	"fmt"
	"hash/crc32"
	"io/fs"
	"runtime/debug"
	"strings"
	"sync"
)

// sources are what decides what an outline says, beside the grammars.
//
//go:embed *.go syntax
var sources embed.FS

// Fingerprint tells builds apart whose outlines may differ: it is another one
// after any change of this package or of the version of a grammar or of tree-sitter. What was stored
// under one fingerprint must not be read under another.
func Fingerprint() string { return fingerprint() }

var fingerprint = sync.OnceValue(func() string {
	sum := crc32.New(crc32.MakeTable(crc32.Castagnoli))
	// Embedded files can always be read, and in the same order.
	_ = fs.WalkDir(sources, ".", func(path string, _ fs.DirEntry, err error) error {
		if text, err := sources.ReadFile(path); err == nil {
			sum.Write(text)
		}
		return err
	})
	if info, ok := debug.ReadBuildInfo(); ok {
		for _, m := range info.Deps {
			if strings.Contains(m.Path, "tree-sitter") {
				fmt.Fprintln(sum, m.Path, m.Version)
			}
		}
	}
	return fmt.Sprintf("%d-%08x", EncodingVersion, sum.Sum32())
})
