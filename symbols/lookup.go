package symbols

import (
	"slices"
	"sort"
	"strings"
	"unicode/utf8"
)

// Lookup returns the symbols of a name in source order. The name is exact and
// case-sensitive. It may be qualified with containers ("Type.member",
// "Ns::Outer.Inner.m"; the outer ones may be left out) or with the document's own
// Go package. Local symbols are returned only when nothing else has the name.
//
// Several symbols need not be one: the caller groups them by [Symbol.SameAs].
func (o *Outline) Lookup(name string) []Symbol {
	qualifier, bare := splitName(name)
	if bare == "" {
		return nil
	}
	var all []Symbol
	for _, s := range o.symbols {
		if s.Name == bare {
			all = append(all, s)
		}
	}
	if qualifier != "" {
		all = o.qualified(all, qualifier)
	}
	if global := keep(all, func(s Symbol) bool { return !s.Local }); len(global) > 0 {
		return global
	}
	return all
}

// qualified keeps the symbols whose container is the qualifier: as a whole, else
// as its end, else because it is the package.
func (o *Outline) qualified(all []Symbol, qualifier string) []Symbol {
	if out := keep(all, func(s Symbol) bool { return s.Container == qualifier }); len(out) > 0 {
		return out
	}
	if out := keep(all, func(s Symbol) bool { return strings.HasSuffix(s.Container, "."+qualifier) }); len(out) > 0 {
		return out
	}
	if o.pkg == "" {
		return nil
	}
	rest, ok := strings.CutPrefix(qualifier+".", o.pkg+".")
	if !ok {
		return nil
	}
	return keep(all, func(s Symbol) bool { return s.Container == strings.TrimSuffix(rest, ".") })
}

func keep(all []Symbol, want func(Symbol) bool) []Symbol {
	var out []Symbol
	for _, s := range all {
		if want(s) {
			out = append(out, s)
		}
	}
	return out
}

// splitName cuts a name before its last component. Go's "(*T[K]).m" and "T[K].m"
// count as "T.m", "T.prototype.m" and "T::m" do, too, and PHP's "N\T" as "N.T". Dots in brackets do not separate:
// "[Symbol.iterator]" is one component.
func splitName(name string) (qualifier, bare string) {
	name = strings.NewReplacer("::", ".", `\`, ".").Replace(strings.TrimSpace(name))
	if rest, ok := strings.CutPrefix(name, "("); ok {
		name = strings.Replace(strings.TrimPrefix(rest, "*"), ")", "", 1)
	}
	end := len(name)
	if strings.HasSuffix(name, "]") {
		end = max(0, strings.LastIndexByte(name, '['))
	}
	dot := strings.LastIndexByte(name[:end], '.')
	if dot < 0 {
		return "", name
	}
	qualifier = strings.TrimSuffix(strings.Trim(name[:dot], "."), ".prototype")
	if i := strings.IndexByte(qualifier, '['); i > 0 && qualifier[i-1] != '.' {
		qualifier = qualifier[:i]
	}
	return qualifier, name[dot+1:]
}

// Nearest returns up to n names of symbols that a misspelt name may have meant,
// the likeliest first: the same but for case, then by edit distance, then names
// that contain it or that it contains. Names that are too different are left out.
func (o *Outline) Nearest(name string, n int) []string {
	_, bare := splitName(name)
	type guess struct {
		name     string
		distance int
	}
	var guesses []guess
	seen := map[string]bool{bare: true}
	for _, s := range o.symbols {
		if seen[s.Name] {
			continue
		}
		seen[s.Name] = true
		if d, ok := likeness(bare, s.Name); ok {
			guesses = append(guesses, guess{s.Name, d})
		}
	}
	sort.SliceStable(guesses, func(i, j int) bool { return guesses[i].distance < guesses[j].distance })
	var out []string
	for _, g := range guesses[:min(n, len(guesses))] {
		out = append(out, g.name)
	}
	return out
}

// Similar reports whether a name may be what was meant by a misspelt one: it is
// the same but for case, or but for a third of its letters.
func Similar(asked, name string) bool {
	if longer := max(len(asked), len(name)); longer-min(len(asked), len(name)) > longer/3 && longer < likenessLimit {
		return false
	}
	d, ok := likeness(asked, name)
	return ok && d < likenessLimit
}

// likenessLimit is the length in runes above which names are not compared letter
// by letter.
const likenessLimit = 80

// likeness returns how far a name is from what was asked for; ok is false when it
// is too far to be meant.
func likeness(asked, name string) (distance int, ok bool) {
	a, b := strings.ToLower(asked), strings.ToLower(name)
	if a == b {
		return 0, true
	}
	size := max(utf8.RuneCountInString(a), utf8.RuneCountInString(b))
	if size <= likenessLimit {
		if d := editDistance([]rune(a), []rune(b)); d <= size/3 {
			return d, true
		}
	}
	if min(len(a), len(b)) >= 3 && (strings.Contains(a, b) || strings.Contains(b, a)) {
		return likenessLimit + size, true
	}
	return 0, false
}

// editDistance counts the insertions, deletions, replacements and swaps of
// neighbours that turn a into b.
func editDistance(a, b []rune) int {
	var before []int
	last := make([]int, len(b)+1)
	for j := range last {
		last[j] = j
	}
	for i := 1; i <= len(a); i++ {
		row := make([]int, len(b)+1)
		row[0] = i
		for j := 1; j <= len(b); j++ {
			cost := 1
			if a[i-1] == b[j-1] {
				cost = 0
			}
			row[j] = min(last[j]+1, row[j-1]+1, last[j-1]+cost)
			if i > 1 && j > 1 && a[i-1] == b[j-2] && a[i-2] == b[j-1] {
				row[j] = min(row[j], before[j-2]+1)
			}
		}
		before, last = last, slices.Clone(row)
	}
	return last[len(b)]
}
