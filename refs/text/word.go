package text

import (
	"bytes"
	"unicode"
	"unicode/utf8"

	"codeintel/symbols"
)

// IsWord reports whether r can be part of an identifier in some language: letters,
// letter-like numbers, decimal digits, marks, connectors such as '_', the joiners,
// and '$'. It is Unicode's ID_Continue, as Go, ECMAScript and Python use it, and
// '$', which is a letter in ECMAScript, Java and PHP. A '#' or '@' before a name is
// not part of it, nor is a byte that is not UTF-8.
func IsWord(r rune) bool {
	switch {
	case r < utf8.RuneSelf:
		return 'a' <= r && r <= 'z' || 'A' <= r && r <= 'Z' || '0' <= r && r <= '9' || r == '_' || r == '$'
	case r == utf8.RuneError:
		return false
	case r == '\u200c' || r == '\u200d':
		return true
	}
	return unicode.In(r, unicode.L, unicode.Nl, unicode.Nd, unicode.Mn, unicode.Mc, unicode.Pc,
		unicode.Other_ID_Start, unicode.Other_ID_Continue)
}

// Words returns the places in text where word stands as a whole, in order and not
// overlapping: what is beside it does not make it part of a longer word. A side of
// word that is no word character itself ("#name", "a.") may have anything beside
// it.
func Words(text []byte, word string) []symbols.Range {
	if word == "" {
		return nil
	}
	first, _ := utf8.DecodeRuneInString(word)
	last, _ := utf8.DecodeLastRuneInString(word)
	openLeft, openRight := !IsWord(first), !IsWord(last)
	var out []symbols.Range
	pattern := []byte(word)
	for at := 0; ; {
		i := bytes.Index(text[at:], pattern)
		if i < 0 {
			return out
		}
		start, end := at+i, at+i+len(word)
		before, _ := utf8.DecodeLastRune(text[:start])
		after, _ := utf8.DecodeRune(text[end:])
		if (openLeft || !IsWord(before)) && (openRight || !IsWord(after)) {
			out = append(out, symbols.Range{Start: start, End: end})
			at = end
		} else {
			at = start + 1
		}
	}
}
