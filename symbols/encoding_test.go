package symbols_test

import (
	"encoding/binary"
	"strings"
	"testing"
	"unicode/utf16"

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
	switch symbols.LanguageOf(path) {
	case symbols.Python, symbols.Ruby, symbols.Bash:
		return "# " + text + "\n"
	case symbols.Haskell, symbols.Lua:
		return "-- " + text + "\n"
	case symbols.OCaml, symbols.OCamlInterface:
		return "(* " + text + " *)\n"
	case symbols.Markdown:
		return "<!-- " + text + " -->\n"
	case symbols.PHP:
		return "<?php // " + text + "\n"
	}
	return "// " + text + "\n"
}

// Names may be in any script, and beside bytes that are not UTF-8.
func TestNamesOfAnyScript(t *testing.T) {
	for path, text := range map[string]string{
		"a.go":  "package p\nvar größe = \"\xe9\" + 名前\nfunc 名前() {}",
		"a.ts":  "const größe = '\xe9' + 名前;\nfunction 名前() {}",
		"a.py":  "größe = '\xe9' + 名前()\ndef 名前(): pass",
		"a.rb":  "größe = '\xe9' + 名前()\ndef 名前; end",
		"a.php": "<?php $größe = '\xe9' . 名前();\nfunction 名前() {}",
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

// encodeUTF16 returns a text in UTF-16 with a byte order mark.
func encodeUTF16(text string, order binary.AppendByteOrder) []byte {
	out := order.AppendUint16(nil, 0xfeff)
	for _, u := range utf16.Encode([]rune(text)) {
		out = order.AppendUint16(out, u)
	}
	return out
}

func TestDecode(t *testing.T) {
	const text = "größe = '😀名'\r\n"
	tests := []struct {
		name, raw, want string
		marked          bool
	}{
		{"plain", text, text, false},
		{"marked", "\xef\xbb\xbf" + text, text, true},
		{"little-endian", string(encodeUTF16(text, binary.LittleEndian)), text, false},
		{"big-endian", string(encodeUTF16(text, binary.BigEndian)), text, false},
		{"half a pair", "\xff\xfea\x00\x3d\xd8b\x00\x3d\xd8", "a\ufffdb\ufffd", false},
		{"odd length", "\xff\xfea\x00b", "a", false},
		{"other bytes", "\xff\xfecaf\xe9", "\xff\xfecaf\xe9", false},
		{"UTF-32", "\xff\xfe\x00\x00a\x00\x00\x00", "\xff\xfe\x00\x00a\x00\x00\x00", false},
		{"empty", "", "", false},
	}
	for _, tt := range tests {
		d := symbols.NewDocument("a.py", []byte(tt.raw))
		if got := string(d.Text()); got != tt.want || d.Marked() != tt.marked {
			t.Errorf("%s: %q, marked %v; want %q, %v", tt.name, got, d.Marked(), tt.want, tt.marked)
		}
	}
}
