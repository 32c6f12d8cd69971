package symbols_test

import (
	"io/fs"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"codeintel/symbols"
)

// Everything below a folder of real code is extracted and its outlines must hold
// together. The folder is a part of Go's own sources, or what CODEINTEL_CORPUS
// names; with -v, speed and syntax errors are logged.
func TestCorpus(t *testing.T) {
	sums := map[symbols.Language]*corpusSum{}
	err := filepath.WalkDir(corpus(t, "net"), func(path string, e fs.DirEntry, err error) error {
		if err != nil || !e.Type().IsRegular() || !symbols.LanguageOf(path).HasGrammar() {
			return err
		}
		l := symbols.LanguageOf(path)
		if sums[l] == nil {
			sums[l] = &corpusSum{}
		}
		sums[l].extract(t, path)
		return nil
	})
	if err != nil {
		t.Fatal(err)
	}
	if len(sums) == 0 {
		t.Fatal("no sources")
	}
	for l, s := range sums {
		t.Logf("%s: %d files, %.1f MB, %d symbols, %d identifiers, %d with errors, %.1f MB/s",
			l, s.files, float64(s.bytes)/1e6, s.symbols, s.identifiers, s.flawed, float64(s.bytes)/1e6/s.took.Seconds())
	}
}

type corpusSum struct {
	files, bytes, symbols, identifiers, flawed int

	took time.Duration
}

func (sum *corpusSum) extract(t *testing.T, path string) {
	t.Helper()
	raw, err := os.ReadFile(path)
	if err != nil {
		t.Fatal(err)
	}
	start := time.Now()
	o := extract(t, path, string(raw))
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
}

// corpus returns the folder of real code: a part of Go's own sources, or what the
// environment says.
func corpus(t testing.TB, part string) string {
	t.Helper()
	if root := os.Getenv("CODEINTEL_CORPUS"); root != "" {
		return root
	}
	root, err := exec.Command("go", "env", "GOROOT").Output()
	if err != nil {
		t.Fatal(err)
	}
	return filepath.Join(strings.TrimSpace(string(root)), "src", part)
}
