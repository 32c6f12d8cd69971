package tools

import (
	"context"
	"fmt"

	"codeintel/index"
	"codeintel/refs"
	"codeintel/symbols"
)

const referencesCall = "find_references {symbol, file_path, position?}"

// FindReferencesParams are the arguments of [Engine.FindReferences].
type FindReferencesParams struct {
	// Symbol is the name, exact and case-sensitive; it may be qualified
	// (Type.member, pkg.Name, Ns::name). It may be empty when Place holds a
	// Position, or a Line and a Column: then the identifier there is meant.
	Symbol string `json:"symbol"`
	// FilePath is a file that holds the symbol, absolute or relative to
	// [Options.Dir]. When it is empty, the workspace is searched for a
	// definition of Symbol.
	FilePath string `json:"file_path"`
	// Place narrows the symbol to an occurrence.
	Place
	// ExcludeDeclaration leaves the declarations out.
	ExcludeDeclaration bool `json:"exclude_declaration,omitempty"`
	// IncludeExternal takes references in files outside the root into the
	// answer; they are only counted otherwise.
	IncludeExternal bool `json:"include_external,omitempty"`
	// Tier names a source: refs.Exact and no other, or a lower one; empty means
	// the best there is.
	Tier refs.Precision `json:"tier,omitempty"`
	// CountsOnly answers with counts and positions alone. Such an answer reads
	// no text and needs no approval.
	CountsOnly bool `json:"counts_only,omitempty"`
}

// ReferencesAnswer is the answer of [Engine.FindReferences].
type ReferencesAnswer struct {
	// Symbol is the name as asked, FilePath the document it was resolved in,
	// root-relative.
	Symbol, FilePath string
	Declarations     []refs.Declaration
	Precision        refs.Precision
	Coverage         refs.Coverage
	// Reason says why the answer is not exact or not complete.
	Reason  string
	Servers []refs.Server
	// Notes are further sentences, in order.
	Notes []string

	// Total is the number of distinct (file, line) pairs, Occurrences of
	// locations, both after all filters. External counts the locations outside
	// the root that were left out.
	Total, Occurrences, External int
	// PerFile counts the distinct lines of each file, in answer order.
	PerFile   []refs.FileCount
	Threshold int
	// Approved reports that the whole answer may be shown: it is small enough or
	// was approved. Truncated reports that only its first lines are in it.
	Approved, Truncated bool

	// References is the flat list, never collapsed, in answer order.
	References []refs.Reference
	// Files holds what is printed; nil when only counts were asked for.
	Files []FileReferences
	// Unconfirmed are lines that the server could not judge, in answer order; no
	// count above includes them.
	Unconfirmed []UnconfirmedLine

	// warnings are shown in the text even when the answer is exact and complete.
	warnings []string
}

// FileReferences are the printed references of one file.
type FileReferences struct {
	Path   string
	Groups []Group
}

// Group is a containing definition with the reference lines in it, or a run of
// lines outside any definition (Kind and Header are empty then).
type Group struct {
	Kind            symbols.Kind
	Name, Container string
	// Line and EndLine are the 1-based lines of the definition (inclusive), or
	// the first and last reference line of a run outside definitions.
	Line, EndLine int
	// Cell is where Line stands in a notebook.
	Cell symbols.Cell
	// Header is the definition's first line as printed.
	Header string
	// Declaration reports that Header declares the symbol that was asked about.
	Declaration bool
	// References are distinct lines, ascending; the header line is among them
	// when it holds a reference.
	References []ReferenceLine
}

// ReferenceLine is one printed line with a reference.
type ReferenceLine struct {
	// Line, Column and EndColumn are the first occurrence on the line: 1-based,
	// in bytes, EndColumn exclusive.
	Line, Column, EndColumn int
	// Character and EndCharacter are the same in 0-based UTF-16 units.
	Character, EndCharacter int
	// Cell is where Line stands in a notebook.
	Cell symbols.Cell
	// Text is the line as printed: without trailing blanks, long ones cut.
	Text string
}

// UnconfirmedLine is a line that holds the name, but which the server could not
// judge.
type UnconfirmedLine struct {
	Path         string
	Line, Column int
	Cell         symbols.Cell // of Line in a notebook
	Text         string
	// Cause says why, Cure what would help; Cure may be empty.
	Cause, Cure string
}

// FindReferences finds all references to a symbol. It fails with
// ApprovalRequired or Denied before any reference text is read.
func (e *Engine) FindReferences(ctx context.Context, p FindReferencesParams) (*ReferencesAnswer, error) {
	a, err := e.findReferences(ctx, p)
	if err != nil {
		return nil, failure(ctx, fmt.Sprintf("finding references to '%s'", p.Symbol), err)
	}
	return a, nil
}

func (e *Engine) findReferences(ctx context.Context, p FindReferencesParams) (*ReferencesAnswer, error) {
	t := target{tool: "find_references", call: referencesCall, symbol: p.Symbol, file: p.FilePath, place: p.Place, tier: p.Tier}
	var r *refs.Result
	s, err := e.ask(ctx, t, func(s *index.Snapshot, q refs.Query) (err error) {
		r, err = e.finder.Find(ctx, s, q)
		return err
	})
	if err != nil {
		return nil, err
	}
	defer s.Release()
	a := e.answer(s, r, p)
	if p.CountsOnly {
		return a, nil
	}
	if err := e.settle(ctx, a, p); err != nil {
		return nil, err
	}
	e.show(s, a, e.shown(s, r.Unconfirmed))
	return a, nil
}

// answer applies the filters of p and counts.
func (e *Engine) answer(s *index.Snapshot, r *refs.Result, p FindReferencesParams) *ReferencesAnswer {
	a := &ReferencesAnswer{
		Symbol: r.Symbol, FilePath: r.Path, Declarations: r.Declarations,
		Precision: r.Precision, Coverage: r.Coverage, Reason: r.Reason, Servers: r.Servers, Notes: r.Notes,
		External: r.External, Threshold: e.threshold(), Approved: true,
	}
	left := map[string]bool{}
	keep := func(list []refs.Reference) {
		for _, ref := range list {
			if p.ExcludeDeclaration && ref.Declaration || e.hidden(s, ref.Path) {
				left[ref.Path] = left[ref.Path] || e.excluded(ref.Path)
				continue
			}
			a.References = append(a.References, ref)
		}
	}
	keep(r.References)
	if p.IncludeExternal {
		keep(r.ExternalReferences)
		a.External = 0
	}
	a.PerFile = (&refs.Result{References: a.References}).PerFile()
	for _, f := range a.PerFile {
		a.Total += f.Count
	}
	a.Occurrences = len(a.References)
	a.noteExcluded(left)
	return a
}

// shown drops the unconfirmed places in files that may not show.
func (e *Engine) shown(s *index.Snapshot, list []refs.Unconfirmed) []refs.Unconfirmed {
	var out []refs.Unconfirmed
	for _, u := range list {
		if !e.hidden(s, u.Path) {
			out = append(out, u)
		}
	}
	return out
}

// noteExcluded says that excluded files are left out: an answer that leaves
// something out must not look like the whole.
func (a *ReferencesAnswer) noteExcluded(left map[string]bool) {
	n := 0
	for _, excluded := range left {
		if excluded {
			n++
		}
	}
	if n > 0 {
		a.warnings = append(a.warnings, fmt.Sprintf("%s left out by the exclude setting", count(n, "file is", "files are")))
	}
}

// settle asks for approval when the answer is large.
func (e *Engine) settle(ctx context.Context, a *ReferencesAnswer, p FindReferencesParams) error {
	if !over(a.Total, a.Threshold) {
		return nil
	}
	v, err := e.approveLarge(ctx, largeRequest("find_references", references, a.FilePath, a.Symbol, p, a.PerFile, a.Threshold))
	if err != nil {
		return err
	}
	if v == showFirst && a.Total > truncated {
		a.References = firstLines(a.References, truncated)
		a.Approved, a.Truncated = false, true
		a.warnings = append(a.warnings, fmt.Sprintf("truncated: the first %d of %d references are shown", truncated, a.Total))
	}
	return nil
}

// over reports whether total lines need approval at a threshold.
func over(total, threshold int) bool { return threshold >= 0 && total > threshold }

// firstLines returns the references on the first n distinct lines.
func firstLines(list []refs.Reference, n int) []refs.Reference {
	lines := 0
	for i, ref := range list {
		if i == 0 || ref.Path != list[i-1].Path || ref.Line != list[i-1].Line {
			lines++
		}
		if lines > n {
			return list[:i]
		}
	}
	return list
}
