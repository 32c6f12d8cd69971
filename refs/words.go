package refs

import (
	"bytes"
	"unicode"
	"unicode/utf8"

	"codeintel/symbols"
)

// isWord reports whether r can be part of an identifier in any language that
// this package knows: letters, digits, marks, '_' and '$'.
func isWord(r rune) bool {
	return r == '_' || r == '$' || unicode.IsLetter(r) || unicode.IsDigit(r) || unicode.Is(unicode.Mn, r)
}

// wordAt returns the range of the word around or just before offset; empty when
// there is none.
func wordAt(text []byte, offset int) symbols.Range {
	start, end := offset, offset
	for start > 0 {
		r, n := utf8.DecodeLastRune(text[:start])
		if !isWord(r) {
			break
		}
		start -= n
	}
	for end < len(text) {
		r, n := utf8.DecodeRune(text[end:])
		if !isWord(r) {
			break
		}
		end += n
	}
	return symbols.Range{Start: start, End: end}
}

// wordRanges returns the whole-word occurrences of word in text, in order.
func wordRanges(text []byte, word string) []symbols.Range {
	var out []symbols.Range
	if word == "" {
		return nil
	}
	for at := 0; ; {
		i := bytes.Index(text[at:], []byte(word))
		if i < 0 {
			return out
		}
		r := symbols.Range{Start: at + i, End: at + i + len(word)}
		before, _ := utf8.DecodeLastRune(text[:r.Start])
		after, _ := utf8.DecodeRune(text[r.End:])
		if (r.Start == 0 || !isWord(before)) && (r.End == len(text) || !isWord(after)) {
			out = append(out, r)
		}
		at = r.Start + 1
	}
}
