package symbols_test

import (
	"bytes"
	"testing"

	"codeintel/symbols"
)

// checkOutline reports what must hold of every outline, whatever the text.
func checkOutline(t testing.TB, o *symbols.Outline) {
	t.Helper()
	d := o.Document()
	file := symbols.Range{End: len(d.Text())}
	before := symbols.Range{End: len(d.Text()) + 1}
	for _, s := range o.Symbols() {
		switch {
		case !file.Covers(s.Range) || s.Range.Len() <= 0:
			t.Errorf("%s: range %s of %s is not in the file", d.Path(), s.Range, s.Qualified())
		case !s.Range.Covers(s.Selection) || s.Selection.Len() <= 0:
			t.Errorf("%s: selection %s of %s is not in its range %s", d.Path(), s.Selection, s.Qualified(), s.Range)
		case s.Header < s.Range.Start || s.Header > s.Selection.Start:
			t.Errorf("%s: header %d of %s is not between its start %d and its name %d", d.Path(), s.Header, s.Qualified(), s.Range.Start, s.Selection.Start)
		case s.Name == "" || s.Kind == "":
			t.Errorf("%s: symbol without a name or kind at %s", d.Path(), s.Selection)
		case s.Range.Start < before.Start || s.Range.Start == before.Start && s.Range.End > before.End:
			t.Errorf("%s: %s at %s comes after %s", d.Path(), s.Qualified(), s.Range, before)
		}
		before = s.Range
	}
	checkNesting(t, o)
	checkIdentifiers(t, o)
	for _, im := range o.Imports() {
		if !file.Covers(im.Range) || !im.Range.Covers(im.ModuleRange) {
			t.Errorf("%s: import %q at %s, module at %s", d.Path(), im.Module, im.Range, im.ModuleRange)
		}
		for _, n := range im.Names {
			if !im.Range.Covers(n.Range) {
				t.Errorf("%s: name %s at %s of an import at %s", d.Path(), n.Name, n.Range, im.Range)
			}
		}
	}
}

// checkNesting: of two symbols one contains the other or they are apart.
func checkNesting(t testing.TB, o *symbols.Outline) {
	t.Helper()
	var around []symbols.Symbol
	for _, s := range o.Symbols() {
		for len(around) > 0 && around[len(around)-1].Range.End <= s.Range.Start {
			around = around[:len(around)-1]
		}
		if len(around) > 0 && !around[len(around)-1].Range.Covers(s.Range) {
			t.Errorf("%s: %s at %s overlaps %s at %s", o.Document().Path(), s.Qualified(), s.Range, around[len(around)-1].Qualified(), around[len(around)-1].Range)
		}
		around = append(around, s)
	}
}

func checkIdentifiers(t testing.TB, o *symbols.Outline) {
	t.Helper()
	d := o.Document()
	end := 0
	for _, id := range o.Identifiers() {
		if id.Range.Start < end || id.Range.Len() <= 0 || id.Range.End > len(d.Text()) {
			t.Errorf("%s: identifier at %s after %d", d.Path(), id.Range, end)
			return
		}
		end = id.Range.End
		if found, ok := o.IdentifierAt(id.Range.Start); !ok || found != id {
			t.Errorf("%s: identifier at %d is %v, want %v", d.Path(), id.Range.Start, found, id)
		}
		word := d.Text()[id.Range.Start:id.Range.End]
		if l := d.Language(); l == symbols.Haskell || l == symbols.OCaml || l == symbols.OCamlInterface {
			word = bytes.ReplaceAll(word, []byte("'"), nil) // a letter of names there
		}
		quoted := id.Range.Start > 0 && d.Text()[id.Range.Start-1] == '`' || d.Language() == "scala"
		if !quoted && bytes.ContainsAny(word, " \t\r\n\"'`(){}[]<>;,.=*/") {
			t.Errorf("%s: identifier %q at %s", d.Path(), word, id.Range)
		}
	}
}
