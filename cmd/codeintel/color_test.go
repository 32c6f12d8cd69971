package main

import (
	"strings"
	"testing"
)

func TestDecorate(t *testing.T) {
	text := "### References to 'A.f' ###\n\n### NOTE: x ###\n\n### FILE: f.ts ###\n  1 | f(f, ff) + $f\n -- contains references --\n  3 |\n\n----\n"
	want := "\x1b[1m### References to 'A.f' ###\x1b[0m\n\n\x1b[33m### NOTE: x ###\x1b[0m\n\n\x1b[1m### FILE: f.ts ###\x1b[0m\n" +
		"\x1b[2m  1 |\x1b[0m \x1b[31;1mf\x1b[0m(\x1b[31;1mf\x1b[0m, ff) + $f\n\x1b[2m -- contains references --\x1b[0m\n\x1b[2m  3 |\x1b[0m\n\n----\n"
	got := decorate(text, "A.f")
	if got != want {
		t.Errorf("decorated\n%q, want\n%q", got, want)
	}
	plain := got
	for _, s := range []style{red, yellow, bold, dim, none} {
		plain = strings.ReplaceAll(plain, string(s), "")
	}
	if plain != text {
		t.Errorf("without the styles it is\n%q", plain)
	}
}

func TestColored(t *testing.T) {
	for _, c := range []struct {
		flag, env string
		tty, want bool
	}{
		{"auto", "", true, true},
		{"auto", "", false, false},
		{"auto", "NO_COLOR", true, false},
		{"auto", "TERM", true, false},
		{"always", "NO_COLOR", false, true},
		{"never", "", true, false},
	} {
		a := &app{flags: flags{color: c.flag}, env: func(name string) (string, bool) {
			if name == c.env {
				return "dumb", true
			}
			return "", false
		}}
		if got := a.colored(c.tty); got != c.want {
			t.Errorf("%+v: %v", c, got)
		}
	}
}
