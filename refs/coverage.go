package refs

import (
	"fmt"
	"path/filepath"
	"sort"
	"strings"
)

// outside reports whether a path of an answer lies outside the root; those are
// absolute.
func outside(path string) bool { return filepath.IsAbs(path) }

// coverage says which projects stood behind the answer, and why it is not
// complete when it is not.
func (h *hunt) coverage(r *Result) {
	loaded, missing := map[string]bool{}, map[string]bool{}
	mark := func(set map[string]bool, path string) {
		if m := h.projects.marker(path); m != "" {
			set[m] = true
		}
	}
	mark(loaded, h.t.path)
	for _, ref := range r.References {
		if ref.Precision == Exact {
			mark(loaded, ref.Path)
		}
	}
	for _, u := range r.Unconfirmed {
		mark(missing, u.Path)
	}
	for m := range loaded {
		delete(missing, m)
	}
	r.Coverage = Coverage{Complete: len(r.Unconfirmed) == 0 && h.unchecked == 0 && h.lost.unreadable == 0 && h.unknown == "", Loaded: sorted(loaded), Missing: sorted(missing)}
	if n := len(r.Unconfirmed); n > 0 {
		r.Reason = fmt.Sprintf("%s could not be judged: %s", count(n, "occurrence", "occurrences"), r.Unconfirmed[0].Cause)
		if more := causes(r.Unconfirmed) - 1; more > 0 {
			r.Reason += fmt.Sprintf(" (and %s)", count(more, "other cause", "other causes"))
		}
	}
	if h.unknown != "" && !strings.Contains(r.Reason, h.unknown) {
		r.Reason = strings.TrimSuffix(h.unknown+"; "+r.Reason, "; ")
	}
	if n := h.lost.unreadable; n > 0 {
		why := count(n, "reference lies", "references lie") + " in files that cannot be read (too large, or no text)"
		r.Reason = strings.TrimPrefix(r.Reason+"; "+why, "; ")
	}
	if h.unchecked > 0 && r.Reason == "" {
		r.Reason = "the name occurs too often to ask about every place"
	}
	r.noteOthers()
	if h.unchecked > 0 {
		r.Notes = append(r.Notes, count(h.unchecked, "occurrence of the name was", "occurrences of the name were")+" not asked about one by one")
	}
}

// noteOthers says how many places of the name are not in the answer.
func (r *Result) noteOthers() {
	if r.Elsewhere > 0 {
		r.Notes = append(r.Notes, count(r.Elsewhere, "occurrence of the name belongs", "occurrences of the name belong")+" to other symbols")
	}
	if r.Untyped > 0 {
		r.Notes = append(r.Notes, count(r.Untyped, "occurrence of the name has", "occurrences of the name have")+" no known type and may be this symbol")
	}
}

func causes(us []Unconfirmed) int {
	seen := map[string]bool{}
	for _, u := range us {
		seen[u.Cause] = true
	}
	return len(seen)
}

func count(n int, one, many string) string {
	if n == 1 {
		return "1 " + one
	}
	return fmt.Sprintf("%d %s", n, many)
}

func sorted(set map[string]bool) []string {
	out := make([]string, 0, len(set))
	for k := range set {
		out = append(out, k)
	}
	sort.Strings(out)
	return out
}
