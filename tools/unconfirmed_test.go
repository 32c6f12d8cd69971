package tools

import (
	"fmt"
	"strings"
	"testing"
)

// TestManyUnconfirmed prints ten lines and counts the others by their reasons.
func TestManyUnconfirmed(t *testing.T) {
	lines := func(cause string, n int) []UnconfirmedLine {
		var out []UnconfirmedLine
		for i := range n {
			out = append(out, UnconfirmedLine{Path: "a.js", Line: i + 1, Text: "f()", Cause: cause})
		}
		return out
	}
	tests := []struct {
		name string
		more []UnconfirmedLine
		want string
	}{
		{"one cause", lines("no type", 365), " -- and 365 more lines: no type --\n"},
		{"none left", nil, ""},
		{"the commonest first", append(append(lines("rare", 1), lines("no type", 300)...), lines("no import", 64)...),
			" -- and 300 more lines: no type --\n -- and 64 more lines: no import --\n -- and 1 more line: rare --\n"},
	}
	var seven []UnconfirmedLine
	for i := range 7 {
		seven = append(seven, lines(fmt.Sprintf("cause %d", i), 9-i)...)
	}
	tests = append(tests, struct {
		name string
		more []UnconfirmedLine
		want string
	}{"many causes", seven, " -- and 9 more lines: cause 0 --\n -- and 8 more lines: cause 1 --\n -- and 7 more lines: cause 2 --\n" +
		" -- and 6 more lines: cause 3 --\n -- and 5 more lines: cause 4 --\n -- and 7 more lines for 2 other reasons --\n"})
	for _, tt := range tests {
		a := &ReferencesAnswer{Unconfirmed: append(lines("first", unconfirmedShown), tt.more...)}
		var b strings.Builder
		a.writeUnconfirmed(&b)
		_, got, ok := strings.Cut(b.String(), " 10 | f()\n -- first --\n")
		if !ok || got != tt.want+"\n" {
			t.Errorf("%s:\n%s", tt.name, b.String())
		}
	}
}
