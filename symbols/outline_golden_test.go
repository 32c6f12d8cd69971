package symbols_test

import (
	"flag"
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"golang.org/x/tools/txtar"

	"codeintel/symbols"
)

var update = flag.Bool("update", false, "rewrite the wanted outlines in testdata")

// Each archive of testdata/outline holds sources, each followed by the file
// "want" with its outline. In the comment, "locals" asks for local symbols too.
func TestOutline(t *testing.T) {
	archives, err := filepath.Glob("testdata/outline/*.txtar")
	if err != nil || len(archives) == 0 {
		t.Fatalf("no archives: %v", err)
	}
	for _, name := range archives {
		t.Run(strings.TrimSuffix(filepath.Base(name), ".txtar"), func(t *testing.T) { checkOutlines(t, name) })
	}
}

func checkOutlines(t *testing.T, name string) {
	archive, err := txtar.ParseFile(name)
	if err != nil {
		t.Fatal(err)
	}
	if len(archive.Files)%2 != 0 {
		t.Fatalf("%s: each source needs a want", name)
	}
	locals := strings.Contains(string(archive.Comment), "locals")
	for i := 0; i < len(archive.Files); i += 2 {
		source, want := archive.Files[i], &archive.Files[i+1]
		o := extract(t, source.Name, string(source.Data))
		got := outlineText(o, locals)
		if byGrammar, err := symbols.ExtractByGrammar(o.Document()); err != nil || difference(o, byGrammar) != "" {
			t.Errorf("%s of %s by its grammar: %v, %s", source.Name, name, err, difference(o, byGrammar))
		}
		if got == string(want.Data) {
			continue
		}
		if !*update {
			t.Errorf("%s of %s:\n%s\nwant\n%s", source.Name, name, got, want.Data)
		}
		want.Data = []byte(got)
	}
	if *update {
		if err := os.WriteFile(name, txtar.Format(archive), 0o644); err != nil {
			t.Fatal(err)
		}
	}
}

func extract(t testing.TB, path, text string) *symbols.Outline {
	t.Helper()
	o, err := symbols.Extract(symbols.NewDocument(path, []byte(text)))
	if err != nil {
		t.Fatal(err)
	}
	return o
}

// outlineText lists symbols as "Container.Name kind first-last", with "local",
// "signature" and "callable" where the kind does not say so, the line of the
// header where a comment is above it, and the text of the selection where it is
// not the name.
func outlineText(o *symbols.Outline, locals bool) string {
	var b strings.Builder
	d := o.Document()
	for _, s := range o.Symbols() {
		if s.Local && !locals {
			continue
		}
		fmt.Fprintf(&b, "%s %s %d-%d", s.Qualified(), s.Kind, lineOf(d, s.Range.Start), lineOf(d, max(s.Range.Start, s.Range.End-1)))
		if h := lineOf(d, s.Header); h != lineOf(d, s.Range.Start) {
			fmt.Fprintf(&b, " header %d", h)
		}
		if s.Local {
			b.WriteString(" local")
		}
		if s.Signature {
			b.WriteString(" signature")
		}
		if s.Callable && !s.Kind.IsCallable() {
			b.WriteString(" callable")
		}
		if sel := string(d.Text()[s.Selection.Start:s.Selection.End]); sel != s.Name {
			fmt.Fprintf(&b, " at %q", sel)
		}
		b.WriteString("\n")
	}
	return b.String()
}

func lineOf(d *symbols.Document, offset int) int {
	p, err := d.OffsetPoint(offset)
	if err != nil {
		return -1
	}
	return p.Line
}
