package index

import (
	"strings"
	"unicode"
	"unicode/utf8"

	"codeintel/symbols"
)

// match says how a name fits, noMatch if it does not or only worse than wanted.
func (q nameQuery) match(name string) Match {
	if q.worst == MatchMisspelt {
		if symbols.Similar(q.bare, name) {
			return MatchMisspelt
		}
		return noMatch
	}
	if len(name) < len(q.bare) {
		return noMatch // but for the case of letters outside ASCII
	}
	if name == q.bare {
		return MatchExact
	}
	if !mayHold(name, q.fold) {
		return noMatch
	}
	fold := strings.ToLower(name)
	switch at := strings.Index(fold, q.fold); {
	case at == 0 && q.initials(name) && humps(name, q.bare):
		return MatchHumps
	case at == 0 && q.initials(name):
		return MatchPart
	case fold == q.fold:
		return MatchFold
	case at == 0:
		return MatchPrefix
	case at > 0 && len(fold) == len(name) && startsWord(name, at):
		return MatchWord
	case humps(name, q.bare):
		return MatchHumps
	case at > 0:
		return MatchPart
	case loose(fold, q.fold):
		return MatchLetters
	}
	return noMatch
}

// initials reports whether a query means the beginnings of words and not the name:
// it has capitals inside of a word where the name has none.
func (q nameQuery) initials(name string) bool {
	for i := 1; i < len(q.bare) && i < len(name); i++ {
		if isUpper(q.bare[i]) && !isUpper(q.bare[i-1]) && name[i] == lower(q.bare[i]) && !startsWord(name, i) {
			return true
		}
	}
	return false
}

func isUpper(c byte) bool { return 'A' <= c && c <= 'Z' }

// mayHold reports, cheaply, whether a name may hold the letters of a folded query
// in order.
func mayHold(name, query string) bool {
	for i := 0; i < len(name) && len(query) > 0; i++ {
		c := name[i]
		if c >= utf8.RuneSelf || query[0] >= utf8.RuneSelf {
			return true
		}
		if 'A' <= c && c <= 'Z' {
			c += 'a' - 'A'
		}
		if c == query[0] {
			query = query[1:]
		}
	}
	return query == ""
}

// humps reports whether a query is made of beginnings of the words of a name, from
// the first word on; words may be left out after it. A capital in the query begins
// a word.
func humps(name, query string) bool {
	words := splitWords(name)
	return len(words) > 0 && humpsFrom(words, query, true)
}

func humpsFrom(words []string, query string, first bool) bool {
	if query == "" {
		return true
	}
	for i, word := range words {
		if first && i > 0 {
			return false
		}
		n := commonPrefix(word, query)
		for ; n > 0; n-- {
			if humpsFrom(words[i+1:], query[n:], false) {
				return true
			}
		}
	}
	return false
}

// commonPrefix returns how many bytes of the query the word begins with, but for
// case; a capital in the query fits only at the word's start.
func commonPrefix(word, query string) int {
	n := 0
	for n < len(word) && n < len(query) {
		a, b := word[n], query[n]
		if 'A' <= b && b <= 'Z' && n > 0 && a != b {
			break
		}
		if lower(a) != lower(b) {
			break
		}
		n++
	}
	return n
}

func lower(c byte) byte {
	if 'A' <= c && c <= 'Z' {
		return c + 'a' - 'A'
	}
	return c
}

// splitWords cuts a name into its words: at underscores, other marks, before
// capitals and digits. In a run of capitals the last one begins the next word, as
// in HTTPServer.
func splitWords(name string) []string {
	var words []string
	runes := []rune(name)
	start := 0
	cut := func(end int) {
		if end > start {
			words = append(words, string(runes[start:end]))
		}
		start = end
	}
	for i, r := range runes {
		switch {
		case !unicode.IsLetter(r) && !unicode.IsDigit(r):
			cut(i)
			start = i + 1
		case i == 0:
		case unicode.IsUpper(r) && (!unicode.IsUpper(runes[i-1]) || i+1 < len(runes) && unicode.IsLower(runes[i+1])):
			cut(i)
		case unicode.IsDigit(r) != unicode.IsDigit(runes[i-1]):
			cut(i)
		}
	}
	cut(len(runes))
	return words
}

// startsWord reports whether a word of the name starts at an offset.
func startsWord(name string, offset int) bool {
	before, c := name[offset-1], name[offset]
	if before == '_' || before == '-' || before == '$' {
		return true
	}
	return isUpper(c) && !isUpper(before) || isUpper(c) && offset+1 < len(name) && !isUpper(name[offset+1])
}

// looseSpread is how far apart the letters of a query may be in a name: a name of
// more letters holds nearly any few.
const looseSpread = 3

// loose reports whether a folded name holds the letters of a folded query in
// order, begins with its first, and is not much longer.
func loose(name, query string) bool {
	if len(query) < 3 || name[0] != query[0] || len(name) > looseSpread*len(query) {
		return false
	}
	for _, r := range query {
		i := strings.IndexRune(name, r)
		if i < 0 {
			return false
		}
		name = name[i+utf8.RuneLen(r):]
	}
	return true
}
