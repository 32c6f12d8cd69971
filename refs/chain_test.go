package refs

import (
	"strings"
	"testing"
)

func TestChainRoot(t *testing.T) {
	tests := []struct {
		text string // | is before the identifier asked about
		want string // "" for none
	}{
		{"|Name", ""},
		{"pkg.|Name", "pkg"},
		{"a.b.c.|Name", "a"},
		{"a . b\n\t. |Name", "a"},
		{"a?.b!.|Name", "a"},
		{"ns::inner::|Name", "ns"},
		{"f(x, g(y)).|Name", "f"},
		{"a[i].b(\")\").|Name", ""}, // brackets in strings are not understood: no root rather than a wrong one
		{"a[i][j].|Name", "a"},
		{"this.|Name", "this"},
		{"(a || b).|Name", ""},
		{"...|Name", ""},
		{"x = |Name", ""},
		{"1.|Name", "1"},
		{"é.|Name", "é"},
		{".|Name", ""},
		{"].|Name", ""},
	}
	for _, tt := range tests {
		at := strings.Index(tt.text, "|")
		text := strings.Replace(tt.text, "|", "", 1)
		got := ""
		if r, ok := chainRoot([]byte(text), at); ok {
			got = text[r.Start:r.End]
		}
		if got != tt.want {
			t.Errorf("chainRoot(%q) = %q, want %q", tt.text, got, tt.want)
		}
	}
}

func FuzzChainRoot(f *testing.F) {
	f.Add("a.b(c)[d].e", 10)
	f.Add("((((", 2)
	f.Fuzz(func(t *testing.T, text string, at int) {
		if at < 0 || at > len(text) {
			return
		}
		if r, ok := chainRoot([]byte(text), at); ok && (r.Start < 0 || r.End > at || r.Start >= r.End) {
			t.Fatalf("chainRoot(%q, %d) = %v", text, at, r)
		}
	})
}

func TestWordAt(t *testing.T) {
	tests := []struct{ text, want string }{
		{"foo |bar", "bar"}, {"foo| bar", "foo"}, {"fo|o", "foo"}, {"$a_1|", "$a_1"}, {" | ", ""}, {"größ|e", "größe"}, {"|", ""},
	}
	for _, tt := range tests {
		at := strings.Index(tt.text, "|")
		text := strings.Replace(tt.text, "|", "", 1)
		r := wordAt([]byte(text), at)
		if got := text[r.Start:r.End]; got != tt.want {
			t.Errorf("wordAt(%q) = %q, want %q", tt.text, got, tt.want)
		}
	}
}
