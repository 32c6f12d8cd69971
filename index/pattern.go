package index

import (
	"bytes"
	"strings"
	"unicode/utf8"

	"github.com/bmatcuk/doublestar/v4"
)

// pattern is one line of an ignore file, in git's syntax. The globs are matched by
// doublestar, which gives the same answers as git when it is fed as compileGlob
// does; the gitignore matchers that were tried differ from git on every fifth to
// eighth file of ordinary patterns (TestAgainstGit has the comparison).
type pattern struct {
	negated bool   // "!…": what matches is not ignored
	folder  bool   // "…/": matches folders only
	name    bool   // no slash within: matches the last element of a path
	form    form   // how rest matches
	literal string // what comes before the first wildcard
	rest    string // what follows; its meaning depends on form
}

// form tells how the part of a pattern after its literal start matches. Most
// patterns in real files need no glob matching at all.
type form uint8

const (
	exact   form = iota // nothing follows
	suffix              // "*" and then rest, literally; for names
	anyTail             // "*", which matches everything; for names
	glob                // rest is a doublestar pattern
)

// matches reports whether the pattern speaks about a path: rel is relative to the
// folder of the ignore file, base is its last element.
func (p *pattern) matches(rel, base string, isFolder bool) bool {
	if p.folder && !isFolder {
		return false
	}
	s := rel
	if p.name {
		s = base
	}
	s, ok := strings.CutPrefix(s, p.literal)
	if !ok {
		return false
	}
	switch p.form {
	case exact:
		return s == ""
	case suffix:
		return strings.HasSuffix(s, p.rest)
	case anyTail:
		return true
	}
	return doublestar.MatchUnvalidated(p.rest, widen(s))
}

// parsePattern reads one line without its line end; ok is false for a line that
// matches nothing: empty, a comment, or a malformed glob.
func parsePattern(line string) (p pattern, ok bool) {
	if line == "" || line[0] == '#' {
		return p, false
	}
	line = trimSpaces(line)
	line, p.negated = strings.CutPrefix(line, "!")
	if strings.HasSuffix(line, "/") {
		p.folder, line = true, line[:len(line)-1]
	}
	p.name = !strings.Contains(line, "/")
	line = strings.TrimPrefix(line, "/")
	if line == "" {
		return p, false
	}
	wild := strings.IndexAny(line, `*?[\`)
	if wild < 0 {
		p.literal = line
		return p, true
	}
	p.literal, line = line[:wild], line[wild:]
	switch plain := line[0] == '*' && !strings.ContainsAny(line[1:], `*?[\`); {
	case p.name && line == "*":
		p.form = anyTail
	case p.name && plain:
		p.form, p.rest = suffix, line[1:]
	default:
		p.form = glob
		p.rest, ok = compileGlob(line)
		return p, ok
	}
	return p, true
}

// trimSpaces removes trailing spaces that no backslash keeps.
func trimSpaces(line string) string {
	end := 0
	for i := 0; i < len(line); i++ {
		switch {
		case line[i] == '\\':
			i++
			end = i + 1
		case line[i] != ' ':
			end = i + 1
		}
	}
	return line[:min(end, len(line))]
}

// compileGlob rewrites a git glob for doublestar: braces are ordinary in git,
// three and more stars are two, "x/**" does not match x itself, and classes have
// POSIX names. ok is false when git would never match it.
func compileGlob(g string) (out string, ok bool) {
	var b strings.Builder
	for i := 0; i < len(g); {
		switch c := g[i]; c {
		case '[':
			class, n := compileClass(g[i:])
			if n == 0 {
				return "", false
			}
			b.WriteString(class)
			i += n
		case '\\':
			if i+1 == len(g) {
				return "", false
			}
			b.WriteString(g[i : i+2])
			i += 2
		case '{', '}':
			b.WriteByte('\\')
			b.WriteByte(c)
			i++
		case '*':
			n := i
			for n < len(g) && g[n] == '*' {
				n++
			}
			b.WriteString(g[i:min(n, i+2)])
			i = n
		default:
			b.WriteByte(c)
			i++
		}
	}
	out = widen(b.String())
	if strings.HasSuffix(out, "/**") {
		out += "/*"
	}
	return out, doublestar.ValidatePattern(out)
}

// widen turns every byte into a character: to git "?" and classes match bytes, to
// doublestar characters.
func widen(s string) string {
	for i := 0; i < len(s); i++ {
		if s[i] >= utf8.RuneSelf {
			wide := make([]rune, len(s))
			for i := range wide {
				wide[i] = rune(s[i])
			}
			return string(wide)
		}
	}
	return s
}

// compileClass rewrites the bracket expression that g starts with and returns its
// length in g, 0 when it is malformed or cannot match anything. As in git, "]" may
// stand first, "^" and "!" both negate, and a slash is never a member.
func compileClass(g string) (class string, length int) {
	var members [256]bool
	i := 1
	negated := i < len(g) && (g[i] == '!' || g[i] == '^')
	if negated {
		i++
	}
	start, previous := i, byte(0)
	for ; i < len(g) && (g[i] != ']' || i == start); i++ {
		c := g[i]
		switch {
		case c == '[' && strings.HasPrefix(g[i:], "[:"):
			if n := strings.IndexByte(g[i+2:], ']'); n > 0 && g[i+1+n] == ':' {
				if !addNamed(&members, g[i+2:i+1+n]) {
					return "", 0
				}
				i, previous = i+2+n, 0
				continue
			}
		case c == '-' && previous != 0 && i+1 < len(g) && g[i+1] != ']':
			if i++; g[i] == '\\' {
				i++
			}
			if i < len(g) {
				addRange(&members, previous, g[i])
			}
			previous = 0
			continue
		case c == '\\':
			if i++; i == len(g) {
				return "", 0
			}
			c = g[i]
		}
		members[c], previous = true, c
	}
	if i >= len(g) {
		return "", 0
	}
	if class = spell(members, negated); class == "" {
		return "", 0
	}
	return class, i + 1
}

// spell writes a set of bytes, or its complement, as a class for doublestar; ""
// when it is empty.
func spell(members [256]bool, negated bool) string {
	var b strings.Builder
	in := func(c int) bool { return c < 256 && members[c] != negated && c != '/' }
	for lo := 1; lo < 256; lo++ {
		if !in(lo) {
			continue
		}
		hi := lo
		for in(hi + 1) {
			hi++
		}
		b.Write([]byte{'\\', byte(lo), '-', '\\', byte(hi)})
		lo = hi
	}
	if b.Len() == 0 {
		return ""
	}
	return "[" + b.String() + "]"
}

func addRange(members *[256]bool, lo, hi byte) {
	for c := int(lo); c <= int(hi); c++ {
		members[c] = true
	}
}

// addNamed adds a POSIX class of ASCII characters; it returns false for an unknown
// name.
func addNamed(members *[256]bool, name string) bool {
	ranges := map[string]string{ // pairs of first and last
		"alnum": "azAZ09", "alpha": "azAZ", "blank": "  \t\t", "cntrl": "\x01\x1f\x7f\x7f", "digit": "09",
		"graph": "!~", "lower": "az", "print": " ~", "punct": "!/:@[`{~", "space": "  \t\r", "upper": "AZ", "xdigit": "09afAF",
	}[name]
	for i := 0; i < len(ranges); i += 2 {
		addRange(members, ranges[i], ranges[i+1])
	}
	return ranges != ""
}

// verdict is what a list of patterns says about a path.
type verdict int8

const (
	undecided verdict = iota
	ignored
	kept
)

// patterns are the lines of one ignore file, in order.
type patterns []pattern

// match returns what the last pattern that matches says.
func (ps patterns) match(rel, base string, isFolder bool) verdict {
	for i := len(ps) - 1; i >= 0; i-- {
		if !ps[i].matches(rel, base, isFolder) {
			continue
		}
		if ps[i].negated {
			return kept
		}
		return ignored
	}
	return undecided
}

// parsePatterns reads a whole ignore file.
func parsePatterns(data []byte) patterns {
	var out patterns
	for _, line := range lines(data) {
		if p, ok := parsePattern(line); ok {
			out = append(out, p)
		}
	}
	return out
}

// lines returns the lines of an ignore file, without a byte order mark and
// without their ends (LF or CRLF).
func lines(data []byte) []string {
	data = bytes.TrimPrefix(data, []byte("\ufeff"))
	all := strings.Split(string(data), "\n")
	for i, line := range all {
		all[i] = strings.TrimSuffix(line, "\r")
	}
	return all
}
