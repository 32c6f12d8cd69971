package main

import (
	"regexp"
	"strings"
)

// style is an ANSI style.
type style string

const (
	red    style = "\x1b[31;1m"
	yellow style = "\x1b[33m"
	bold   style = "\x1b[1m"
	dim    style = "\x1b[2m"
	none   style = "\x1b[0m"
)

func (s style) on(text string) string { return string(s) + text + string(none) }

// paint styles a text for stderr when that is a terminal that wants colour.
func (a *app) paint(s style, text string) string {
	if !a.colored(a.stderrTTY) {
		return text
	}
	return s.on(text)
}

// colored reports whether a stream gets colour: --color decides, else NO_COLOR,
// a dumb terminal, and whether it is a terminal at all.
func (a *app) colored(tty bool) bool {
	switch a.flags.color {
	case "always":
		return true
	case "never":
		return false
	}
	if v, _ := a.env("NO_COLOR"); v != "" {
		return false
	}
	if v, _ := a.env("TERM"); v == "dumb" {
		return false
	}
	return tty
}

var (
	// codeLine is a numbered line of source.
	codeLine = regexp.MustCompile(`^( *\d+ \|)(.*)$`)
	word     = regexp.MustCompile(`[\p{L}\p{N}_$]+`)
)

// decorate styles the text of references for a terminal: headings stand out,
// the symbol is marked. Without the styles the bytes are the same.
func decorate(text, symbol string) string {
	name := symbol[strings.LastIndexAny(symbol, ".:")+1:]
	var b strings.Builder
	for line := range strings.Lines(text) {
		line, end := strings.CutSuffix(line, "\n")
		b.WriteString(decorateLine(line, name))
		if end {
			b.WriteString("\n")
		}
	}
	return b.String()
}

func decorateLine(line, name string) string {
	switch {
	case strings.HasPrefix(line, "### NOTE:"), strings.HasPrefix(line, "### UNCONFIRMED:"):
		return yellow.on(line)
	case strings.HasPrefix(line, "### "):
		return bold.on(line)
	case strings.HasPrefix(line, " -- "):
		return dim.on(line)
	}
	m := codeLine.FindStringSubmatch(line)
	if m == nil {
		return line
	}
	return dim.on(m[1]) + word.ReplaceAllStringFunc(m[2], func(w string) string {
		if w == name {
			return red.on(w)
		}
		return w
	})
}
