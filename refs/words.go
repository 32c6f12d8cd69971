package refs

import (
	"unicode/utf8"

	"codeintel/refs/text"
	"codeintel/symbols"
)

// wordAt returns the range of the word around or just before offset; empty when
// there is none.
func wordAt(source []byte, offset int) symbols.Range {
	start, end := offset, offset
	for start > 0 {
		r, n := utf8.DecodeLastRune(source[:start])
		if !text.IsWord(r) {
			break
		}
		start -= n
	}
	for end < len(source) {
		r, n := utf8.DecodeRune(source[end:])
		if !text.IsWord(r) {
			break
		}
		end += n
	}
	return symbols.Range{Start: start, End: end}
}
