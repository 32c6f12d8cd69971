package symbols_test

import (
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"codeintel/symbols"
)

// headings lists the sections of a Markdown document by line.
func headings(t testing.TB, o *symbols.Outline, err error) []string {
	t.Helper()
	if err != nil {
		t.Fatal(err)
	}
	var out []string
	for _, s := range o.Symbols() {
		out = append(out, fmt.Sprintf("%d %s", lineOf(o.Document(), s.Selection.Start), s.Qualified()))
	}
	return out
}

// TestMarkdownHeadings reads what looks like headings and is none, and the other
// way round. Expected is what CommonMark says.
func TestMarkdownHeadings(t *testing.T) {
	for _, c := range []struct{ text, want string }{
		{"# A\n## B\n# C\n", "1 A|2 A.B|3 C"},
		{"#A\n####### B\n\\# C\n#\tD\n", "4 D"},
		{"  # A #\n    # B\n", "1 A"},
		{"# A #b\n# C ##\n# D#\n", "1 A #b|2 C|3 D#"},
		{"```\n# A\n```\n# B\n", "4 B"},
		{"~~~~ x\n# A\n~~~\n# B\n~~~~\n# C\n", "6 C"},
		{"``` a`b\n# A\n", "2 A"},
		{"```\n# A\n", ""},
		{"A\nB\n===\n", "1 A B"},
		{"A\n---\nB\n\n---\n", "1 A"},
		{"- a\n---\n# B\n", "3 B"},
		{"> a\n---\n# B\n", "3 B"},
		{"- a\n\n  # B\n\n# C\n", "5 C"},
		{"1. a\n\n   ```\n   # B\n   ```\n# C\n", "6 C"},
		{"1. a\n\n   ```\n   # B\n# C\n", "5 C"},
		{"<!--\n# A\n-->\n# B\n", "4 B"},
		{"<!-- x -->\n# B\n", "2 B"},
		{"<div>\n# A\n</div>\n\n# B\n", "5 B"},
		{"<pre>\n\n# A\n</pre>\n# B\n", "5 B"},
		{"---\ntitle: # x\n---\n# B\n", "4 B"},
		{"---\n# A\n", "2 A"},
		{"text\n# A\ntext\n", "2 A"},
		{"#\n# \n## B\n", "3 B"},
		{"* * *\n# A\n", "2 A"},
		{"\r\n# A\r\ntext\r\nB\r\n===\r\n", "2 A|3 text B"},
	} {
		d := symbols.NewDocument("a.md", []byte(c.text))
		o, err := symbols.Extract(d)
		if got := strings.Join(headings(t, o, err), "|"); got != c.want {
			t.Errorf("%q: %s, want %s", c.text, got, c.want)
		}
	}
}

// TestMarkdownAgreesWithGrammar compares with the grammar on the documents of
// GOROOT, or of the folder that CODEINTEL_CORPUS names.
func TestMarkdownAgreesWithGrammar(t *testing.T) {
	root := corpus(t, "..")
	files, different := 0, 0
	if err := filepath.WalkDir(root, func(path string, e fs.DirEntry, err error) error {
		if err != nil || e.IsDir() || filepath.Ext(path) != ".md" {
			return err
		}
		text, err := os.ReadFile(path)
		if err != nil || len(text) > 1<<20 {
			return err
		}
		files++
		d := symbols.NewDocument(path, text)
		byGrammar, err := symbols.ExtractByGrammar(d)
		if err != nil {
			return nil // it gives up on some
		}
		want := headings(t, byGrammar, nil)
		o, err := symbols.Extract(d)
		if diff := cmp.Diff(want, headings(t, o, err)); diff != "" {
			different++
			t.Logf("%s (-grammar +scan):\n%s", path, diff)
		}
		return nil
	}); err != nil {
		t.Fatal(err)
	}
	if files == 0 || different*100 > files*3 {
		t.Errorf("%d of %d documents are different, more than 3 in 100", different, files)
	}
}
