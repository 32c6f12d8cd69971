package symbols_test

import (
	"io/fs"
	"os"
	"path/filepath"
	"testing"
	"time"

	"codeintel/symbols"
)

// CODEINTEL_CORPUS names a folder: everything below it is extracted, the invariants
// of outlines are checked, and speed and errors are logged.
func TestCorpus(t *testing.T) {
	root := os.Getenv("CODEINTEL_CORPUS")
	if root == "" {
		t.Skip("CODEINTEL_CORPUS names no folder")
	}
	type total struct {
		files, bytes, symbols, identifiers, flawed int
		took                                       time.Duration
	}
	totals := map[symbols.Language]*total{}
	err := filepath.WalkDir(root, func(path string, e fs.DirEntry, err error) error {
		l := symbols.LanguageOf(path)
		if err != nil || !e.Type().IsRegular() || !l.HasGrammar() {
			return err
		}
		raw, err := os.ReadFile(path)
		if err != nil {
			return err
		}
		start := time.Now()
		o := extract(t, path, string(raw))
		sum := totals[l]
		if sum == nil {
			sum = &total{}
			totals[l] = sum
		}
		sum.took += time.Since(start)
		sum.files++
		sum.bytes += len(raw)
		sum.symbols += len(o.Symbols())
		sum.identifiers += len(o.Identifiers())
		if errs := o.Errors(); len(errs) > 0 {
			sum.flawed++
			p, _ := o.Document().OffsetPoint(errs[0].Start)
			t.Logf("%s:%s: %d errors: %.80s", path, p, len(errs), o.Document().Line(p.Line))
		}
		checkOutline(t, o)
		return nil
	})
	if err != nil {
		t.Fatal(err)
	}
	for l, s := range totals {
		t.Logf("%s: %d files, %.1f MB, %d symbols, %d identifiers, %d with errors, %.1f MB/s", l, s.files, float64(s.bytes)/1e6, s.symbols, s.identifiers, s.flawed, float64(s.bytes)/1e6/s.took.Seconds())
	}
}
