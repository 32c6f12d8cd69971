package symbols_test

import (
	"strings"
	"testing"

	"codeintel/symbols"
)

// Line ends, a byte order mark and bytes that are not UTF-8 change nothing in an
// outline but offsets.
func TestEncodings(t *testing.T) {
	for _, f := range sources(t) {
		text := string(f.Data)
		want := outlineText(extract(t, f.Name, text), true)
		for name, changed := range map[string]string{
			"CRLF":     strings.ReplaceAll(text, "\n", "\r\n"),
			"mark":     "\xef\xbb\xbf" + text,
			"latin-1":  comment(f.Name, "caf\xe9 \xff\xfe") + text[strings.IndexByte(text, '\n')+1:],
			"emoji":    comment(f.Name, "😀 \U0010ffff") + text[strings.IndexByte(text, '\n')+1:],
			"no break": strings.TrimRight(text, "\n"),
		} {
			wanted := want
			if name == "latin-1" || name == "emoji" {
				wanted = outlineText(extract(t, f.Name, comment(f.Name, "plain")+text[strings.IndexByte(text, '\n')+1:]), true)
			}
			if got := outlineText(extract(t, f.Name, changed), true); got != wanted {
				t.Errorf("%s with %s:\n%s\nwant\n%s", f.Name, name, got, wanted)
			}
		}
	}
}

// comment returns a line of comment.
func comment(path, text string) string {
	if symbols.LanguageOf(path) == symbols.Python {
		return "# " + text + "\n"
	}
	return "// " + text + "\n"
}

// Names may be in any script, and beside bytes that are not UTF-8.
func TestNamesOfAnyScript(t *testing.T) {
	for path, text := range map[string]string{
		"a.go": "package p\nvar größe = \"\xe9\" + 名前\nfunc 名前() {}",
		"a.ts": "const größe = '\xe9' + 名前;\nfunction 名前() {}",
		"a.py": "größe = '\xe9' + 名前()\ndef 名前(): pass",
	} {
		o := extract(t, path, text)
		for _, name := range []string{"größe", "名前"} {
			found := o.Lookup(name)
			if len(found) != 1 || text[found[0].Selection.Start:found[0].Selection.End] != name {
				t.Errorf("%s: %s: %+v", path, name, found)
			}
		}
		if n := len(o.Named("名前")); n != 2 {
			t.Errorf("%s: %d uses of 名前, want 2", path, n)
		}
	}
}
