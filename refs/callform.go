package refs

import (
	"bytes"
	"regexp"

	"codeintel/symbols"
)

// afterName is what stands between a called name and the parenthesis, by language
// family: an optional chain, type arguments.
var afterName = map[string]*regexp.Regexp{
	"go":         regexp.MustCompile(`^(\[[^();=]*\])?\(`),
	"typescript": regexp.MustCompile("^\\s*!?\\s*((\\?\\.)?\\s*(<[^();=&|]*>)?\\s*\\(|`)"),
}

var afterNew = regexp.MustCompile(`\bnew\s+$`)

// isCall reports whether the name at r is called, constructed or an element of JSX
// by its form.
func isCall(doc *symbols.Document, r symbols.Range) bool {
	text := doc.Text()
	fam := family(doc.Language())
	rest := text[r.End:min(len(text), r.End+200)]
	if form := afterName[fam]; form != nil {
		if form.Match(rest) {
			return true
		}
	} else if bytes.HasPrefix(bytes.TrimLeft(rest, " \t"), []byte("(")) {
		return true
	}
	if fam != "typescript" {
		return false
	}
	before := text[max(0, r.Start-8):r.Start]
	jsx := doc.Language() == symbols.TypeScriptReact || doc.Language() == symbols.JavaScriptReact
	return afterNew.Match(before) || jsx && bytes.HasSuffix(before, []byte("<"))
}
