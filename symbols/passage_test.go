package symbols_test

import (
	"errors"
	"strings"
	"testing"

	"codeintel/symbols"
)

// TestPassages reads texts in which every word says what it is.
func TestPassages(t *testing.T) {
	for path, text := range map[string]string{
		"a.go":  "package p // comment\n\n/* comment\ncomment */\nvar name = \"quote \\\\n\" + `quote` + name\nfunc name() { name('q') }\n",
		"a.ts":  "/** comment */ import { name } from 'quote';\nconst name = `quote ${name + 'quote' + `quote ${name}`} quote`; // comment\nlet name: string = /quote/;",
		"a.tsx": "const name = <name name=\"quote\">quote {name} quote {/* comment */}</name>;",
		"a.js":  "'quote quote'; function name() { return name.name['quote'] } // comment",
		"a.py":  "# comment\ndef name():\n    '''quote\n    quote'''\n    return f'quote {name} quote' 'quote' f'{name} quote'\n",
	} {
		d := symbols.NewDocument(path, []byte(text))
		passages, err := symbols.ReadPassages(d)
		if err != nil {
			t.Fatal(err)
		}
		want := map[string]symbols.PassageKind{"comment": symbols.Comment, "quote": symbols.Quotation, "q": symbols.Quotation}
		for _, keyword := range []string{"package", "var", "func", "import", "from", "const", "let", "string", "function", "return", "def"} {
			want[keyword] = symbols.Keyword
		}
		seen := 0
		for at := 0; at < len(text); {
			word := text[at:]
			if end := strings.IndexFunc(word, func(r rune) bool { return r < 'a' || r > 'z' }); end >= 0 {
				word = word[:end]
			}
			if word == "" {
				at++
				continue
			}
			got, ok := passages.At(at)
			kind, known := want[word]
			if ok != known || ok && got.Kind != kind {
				if !(path == "a.go" && word == "n" || path == "a.go" && word == "p" || path == "a.py" && word == "f") {
					t.Errorf("%s: %q at %d: %+v, %v", path, word, at, got, ok)
				}
			}
			seen++
			at += len(word)
		}
		if seen < 8 {
			t.Errorf("%s: only %d words were looked at", path, seen)
		}
		for i := 1; i < len(passages); i++ {
			if passages[i].Range.Start < passages[i-1].Range.End {
				t.Errorf("%s: %v overlaps %v", path, passages[i-1], passages[i])
			}
		}
	}
	if _, err := symbols.ReadPassages(symbols.NewDocument("a.txt", nil)); !errors.Is(err, symbols.ErrNoGrammar) {
		t.Errorf("error %v, want that there is no grammar", err)
	}
}
