package lsp

import (
	"bytes"
	"slices"
)

// modular reports whether a script is an ECMAScript module and no CommonJS
// module: it has an import or export declaration and does not use require,
// exports or module.exports. It reads tokens, not syntax, so it can take a
// module for CommonJS (an object with a method called require), which costs
// time and not answers.
func modular(text []byte) bool {
	sc := scanner{text: text}
	declares := false
	var tokens [4]token // the last four
	for sc.next() {
		copy(tokens[:], tokens[1:])
		tokens[3] = sc.token
		before, word, next := tokens[1].text, tokens[2], tokens[3].text
		switch word.text {
		case "require":
			if next == "(" && before != "." && before != "function" {
				return false
			}
		case "exports":
			member := next == "." || next == "[" || next == "="
			if member && before != "." || before == "." && tokens[0].text == "module" {
				return false
			}
		case "import":
			declares = declares || word.top && before != "." && next != "(" && next != "."
		case "export":
			declares = declares || word.top && before != "." && next != ":" && next != "="
		}
	}
	return declares
}

// token is a word or one character of punctuation.
type token struct {
	text string
	top  bool // outside of all brackets, or at the very start of a line
}

// scanner splits JavaScript into tokens. Comments, strings, templates and
// regular expressions are left out.
type scanner struct {
	text  []byte
	at    int // offset in text
	depth int // of open brackets
	token token
}

// next reads the next token; it is false at the end.
func (s *scanner) next() bool {
	for s.at < len(s.text) {
		c := s.text[s.at]
		switch {
		case isWord(c):
			s.word()
			return true
		case c == '"' || c == '\'':
			s.quoted(c)
		case c == '`':
			s.template()
		case c == '/' && s.at+1 < len(s.text) && s.text[s.at+1] == '/', c == '#' && s.at == 0:
			s.until("\n")
		case c == '/' && s.at+1 < len(s.text) && s.text[s.at+1] == '*':
			s.at += 2
			s.until("*/")
		case c == '/' && s.regular():
			s.expression()
		case c <= ' ':
			s.at++
		default:
			s.punctuation(c)
			return true
		}
	}
	// One empty token at the end lets the last real one be looked at.
	if s.at == len(s.text) {
		s.at++
		s.token = token{}
		return true
	}
	return false
}

func isWord(c byte) bool {
	return c >= 'a' && c <= 'z' || c >= 'A' && c <= 'Z' || c >= '0' && c <= '9' || c == '_' || c == '$' || c >= 0x80
}

func (s *scanner) word() {
	start := s.at
	for s.at < len(s.text) && isWord(s.text[s.at]) {
		s.at++
	}
	first := start == 0 || s.text[start-1] == '\n'
	s.token = token{string(s.text[start:s.at]), s.depth <= 0 || first}
}

func (s *scanner) punctuation(c byte) {
	switch c {
	case '(', '[', '{':
		s.depth++
	case ')', ']', '}':
		s.depth--
	}
	s.at++
	s.token = token{text: string(c)}
}

// until skips to behind the next end, or to the end of the text.
func (s *scanner) until(end string) {
	if n := bytes.Index(s.text[s.at:], []byte(end)); n >= 0 {
		s.at += n + len(end)
		return
	}
	s.at = len(s.text)
}

// quoted skips a string. One that is not closed, as an apostrophe in the text
// of an element, ends with its line.
func (s *scanner) quoted(quote byte) {
	for s.at++; s.at < len(s.text); s.at++ {
		switch s.text[s.at] {
		case '\\':
			s.at++
		case quote, '\n':
			s.at++
			return
		}
	}
	s.at = min(s.at, len(s.text))
}

// template skips a template with its substitutions.
func (s *scanner) template() {
	open := 0
	for s.at++; s.at < len(s.text); s.at++ {
		switch c := s.text[s.at]; {
		case c == '\\':
			s.at++
		case c == '`' && open == 0:
			s.at++
			return
		case c == '`':
			s.template()
			s.at--
		case c == '$' && s.at+1 < len(s.text) && s.text[s.at+1] == '{':
			open++
			s.at++
		case c == '{' && open > 0:
			open++
		case c == '}' && open > 0:
			open--
		}
	}
	s.at = min(s.at, len(s.text))
}

// regular reports whether a slash begins a regular expression: after a value it
// divides.
func (s *scanner) regular() bool {
	switch last := s.token.text; last {
	case "":
		return true
	case "return", "typeof", "case", "in", "of", "void", "delete", "yield", "await", "do", "else":
		return true
	default:
		return !isWord(last[0]) && !slices.Contains([]string{")", "]", "}", "<"}, last)
	}
}

// expression skips a regular expression; a line end means that it was none.
func (s *scanner) expression() {
	class := false
	for s.at++; s.at < len(s.text); s.at++ {
		switch c := s.text[s.at]; {
		case c == '\\':
			s.at++
		case c == '[':
			class = true
		case c == ']':
			class = false
		case c == '/' && !class, c == '\n':
			s.at++
			return
		}
	}
	s.at = min(s.at, len(s.text))
}
