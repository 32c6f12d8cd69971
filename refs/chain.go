package refs

import "codeintel/symbols"

// chainRoot returns the first name of the member chain that ends with the
// identifier at start: pkg for Name in pkg.Name, a in a.b().c. It reports false
// for a plain name and for chains that begin with something else than a name.
func chainRoot(text []byte, start int) (symbols.Range, bool) {
	found := symbols.Range{}
	for at := start; ; {
		end, ok := beforeAccess(text, at)
		if !ok {
			return found, found.Len() > 0
		}
		end = beforeBrackets(text, end)
		word := wordAt(text, end)
		word.End = end
		if word.Len() == 0 {
			return symbols.Range{}, false
		}
		found, at = word, word.Start
	}
}

// beforeAccess returns the end of what stands before a member access operator
// ('.', '?.', '!.', '::') in front of at.
func beforeAccess(text []byte, at int) (int, bool) {
	at = skipSpace(text, at)
	switch {
	case at >= 2 && text[at-1] == ':' && text[at-2] == ':':
		at -= 2
	case at >= 1 && text[at-1] == '.' && !(at >= 2 && text[at-2] == '.'):
		at--
		for at > 0 && (text[at-1] == '?' || text[at-1] == '!') {
			at--
		}
	default:
		return 0, false
	}
	return skipSpace(text, at), true
}

func skipSpace(text []byte, at int) int {
	for at > 0 {
		switch text[at-1] {
		case ' ', '\t', '\n', '\r':
			at--
		default:
			return at
		}
	}
	return at
}

// beforeBrackets skips call arguments and indexes that end at end.
func beforeBrackets(text []byte, end int) int {
	for end > 0 && (text[end-1] == ')' || text[end-1] == ']') {
		depth := 0
		at := end
		for at > 0 {
			at--
			switch text[at] {
			case ')', ']', '}':
				depth++
			case '(', '[', '{':
				depth--
			}
			if depth == 0 {
				break
			}
		}
		if depth != 0 {
			return end
		}
		end = skipSpace(text, at)
	}
	return end
}
