package tools

import (
	"fmt"
	"path/filepath"
	"slices"
	"strings"

	"codeintel/refs"
	"codeintel/symbols"
)

// Limits of printed lines, in characters.
const (
	referenceChars = 500
	functionChars  = 2000
)

// clip trims a printed line's end and cuts it at the limit for references.
func clip(text string) string {
	text = strings.TrimRight(text, " \t\r\n\v\f")
	if head, cut := cutChars(text, referenceChars); cut {
		return head + " [truncated...]"
	}
	return text
}

// cutChars returns the first n characters of text and whether there were more.
func cutChars(text string, n int) (string, bool) {
	if len(text) <= n {
		return text, false
	}
	for i := range text {
		if n == 0 {
			return text[:i], true
		}
		n--
	}
	return text, false
}

// numbered renders a code line: the number right-aligned to width, a bar, the
// text.
func numbered(width, n int, text string) string {
	return strings.TrimRight(fmt.Sprintf("%*d | %s", width, n, text), " \t")
}

// referenceWidth is the least width of line numbers beside references.
const referenceWidth = 3

// unconfirmedShown is how many unconfirmed lines are printed.
const unconfirmedShown = 10

// Text renders the answer as models and people read it. An answer made with
// CountsOnly has no text; use [ReferencesAnswer.Counts].
func (a *ReferencesAnswer) Text() string {
	var b strings.Builder
	if a.Total == 0 && len(a.Unconfirmed) == 0 {
		fmt.Fprintf(&b, "No references found for '%s' in %s (%s)\n", a.Symbol, a.FilePath, a.provenance())
		return b.String()
	}
	fmt.Fprintf(&b, "### References to '%s' ###\n\n", a.Symbol)
	if notes := a.textNotes(); len(notes) > 0 {
		for _, n := range notes {
			fmt.Fprintf(&b, "### NOTE: %s ###\n", oneLine(n))
		}
		b.WriteString("\n")
	}
	for _, f := range a.Files {
		f.write(&b)
	}
	a.writeUnconfirmed(&b)
	fmt.Fprintf(&b, "### SUMMARY: Found %d references in %d files. ###\n", a.Total, len(a.PerFile))
	return b.String()
}

func (f FileReferences) write(b *strings.Builder) {
	fmt.Fprintf(b, "### FILE: %s ###\n", f.Path)
	for _, g := range f.Groups {
		g.write(b)
	}
	b.WriteString("----\n\n")
}

func (g Group) write(b *strings.Builder) {
	line := func(n int, text string) { b.WriteString(numbered(referenceWidth, n, text) + "\n") }
	if g.Cell != (symbols.Cell{}) {
		fmt.Fprintf(b, " -- cell%s --\n", inCell(g.Cell))
	}
	if g.Kind == "" {
		for _, r := range g.References {
			line(r.Line, r.Text)
		}
		b.WriteString("\n")
		return
	}
	line(g.Line, g.Header)
	marked := false
	for _, r := range g.References {
		if r.Line == g.Line {
			continue
		}
		if !marked {
			b.WriteString(" -- contains references --\n")
			marked = true
		}
		line(r.Line, r.Text)
	}
	b.WriteString("\n")
}

func (a *ReferencesAnswer) writeUnconfirmed(b *strings.Builder) {
	n := len(a.Unconfirmed)
	if n == 0 {
		return
	}
	fmt.Fprintf(b, "### UNCONFIRMED: %d lines ###\n", n)
	shown := a.Unconfirmed[:min(n, unconfirmedShown)]
	for i, u := range shown {
		if i == 0 || u.Path != shown[i-1].Path {
			fmt.Fprintf(b, "### FILE: %s ###\n", u.Path)
		}
		b.WriteString(numbered(referenceWidth, u.Line, u.Text) + "\n")
		fmt.Fprintf(b, " -- %s --\n", strings.TrimSpace(u.Cell.String()+" "+oneLine(u.reason())))
	}
	writeMore(b, a.Unconfirmed[len(shown):])
	b.WriteString("\n")
}

// causesShown is how many causes of unconfirmed lines that are not printed are
// told apart.
const causesShown = 5

// writeMore counts the lines that are not printed by their reasons, the commonest
// first.
func writeMore(b *strings.Builder, more []UnconfirmedLine) {
	counts := map[string]int{}
	var reasons []string
	for _, u := range more {
		r := oneLine(u.reason())
		if counts[r] == 0 {
			reasons = append(reasons, r)
		}
		counts[r]++
	}
	left := len(more)
	slices.SortStableFunc(reasons, func(r, s string) int { return counts[s] - counts[r] })
	for i, r := range reasons {
		if i == causesShown && len(reasons) > causesShown+1 {
			fmt.Fprintf(b, " -- and %s for %d other reasons --\n", count(left, "more line", "more lines"), len(reasons)-i)
			return
		}
		fmt.Fprintf(b, " -- and %s: %s --\n", count(counts[r], "more line", "more lines"), r)
		left -= counts[r]
	}
}

// reason joins the cause and what would cure it.
func (u UnconfirmedLine) reason() string {
	if u.Cure == "" {
		return u.Cause
	}
	return u.Cause + "; try: " + u.Cure
}

// textNotes are the notes that are printed: none when the answer is exact and
// complete and the whole of it is shown.
func (a *ReferencesAnswer) textNotes() []string {
	var out []string
	if a.Precision != refs.Exact || !a.Coverage.Complete {
		out = append(out, a.label())
		out = append(out, a.Notes...)
	}
	return append(out, a.warnings...)
}

func (a *ReferencesAnswer) label() string {
	return label(a.Precision, a.Coverage, a.Servers, a.Reason)
}

// Note says what keeps the answer from being exact and complete, for renderings
// that have no room for it; empty when nothing does.
func (a *ReferencesAnswer) Note() string {
	return strings.Join(a.textNotes(), "; ")
}

func (a *ReferencesAnswer) provenance() string {
	return provenance(a.Precision, a.Coverage, a.Servers, a.Reason)
}

// label says how sure an answer is, who gave it, and why it is not surer.
func label(p refs.Precision, c refs.Coverage, servers []refs.Server, reason string) string {
	out := string(p)
	if p == refs.Exact && !c.Complete {
		out += ", incomplete"
	}
	if s := serverNames(servers); s != "" {
		out += ", " + s
	}
	if reason != "" {
		out += ": " + reason
	}
	return out
}

// provenance says who found nothing and whether they finished.
func provenance(p refs.Precision, c refs.Coverage, servers []refs.Server, reason string) string {
	if p == refs.Exact && c.Complete {
		return serverNames(servers) + ", complete"
	}
	return label(p, c, servers, reason)
}

func serverNames(list []refs.Server) string {
	names := make([]string, len(list))
	for i, s := range list {
		names[i] = strings.TrimSpace(s.Name + " " + s.Version)
	}
	return strings.Join(names, " + ")
}

// oneLine folds a sentence that came with line breaks.
func oneLine(text string) string { return strings.Join(strings.Fields(text), " ") }

// Lines renders one path:line:column:text per distinct reference line, as
// editors' quickfix lists read it: the paths are relative to dir, the absolute
// folder that the editor is in, where that is in the workspace of the absolute
// root, and absolute elsewhere.
func (a *ReferencesAnswer) Lines(root, dir string) string {
	var b strings.Builder
	for _, f := range a.Files {
		path := pathFrom(root, dir, f.Path)
		for _, l := range f.ordered() {
			fmt.Fprintf(&b, "%s:%d:%d:%s\n", path, l.Line, l.Column, l.Text)
		}
	}
	return b.String()
}

// pathFrom returns a root-relative path as seen from a folder.
func pathFrom(root, dir, path string) string {
	if filepath.IsAbs(path) || dir == root {
		return path
	}
	full := filepath.Join(root, filepath.FromSlash(path))
	up, err := filepath.Rel(root, dir)
	if err != nil || up == ".." || strings.HasPrefix(up, ".."+string(filepath.Separator)) {
		return full
	}
	rel, err := filepath.Rel(dir, full)
	if err != nil {
		return full
	}
	return filepath.ToSlash(rel)
}

// Counts renders path:count per file, as grep -c does.
func (a *ReferencesAnswer) Counts() string {
	var b strings.Builder
	for _, f := range a.PerFile {
		fmt.Fprintf(&b, "%s:%d\n", f.Path, f.Count)
	}
	return b.String()
}

// Paths renders the path of each file with references.
func (a *ReferencesAnswer) Paths() string {
	var b strings.Builder
	for _, f := range a.PerFile {
		b.WriteString(f.Path + "\n")
	}
	return b.String()
}
