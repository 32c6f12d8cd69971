package refs

import (
	"sort"

	"codeintel/symbols"
)

// Precision says what kind of source stands behind an answer.
type Precision string

// The tiers, best first.
const (
	Exact     Precision = "exact"     // a language server
	Syntactic Precision = "syntactic" // identifiers in syntax trees
	Textual   Precision = "textual"   // whole words in text
)

// Source returns the contract's word for where answers of this precision come
// from: server, index or text.
func (p Precision) Source() string {
	switch p {
	case Exact:
		return "server"
	case Syntactic:
		return "index"
	}
	return "text"
}

// Query names a symbol. Path and one of Symbol and Point are needed.
type Query struct {
	// Path is the document that names the symbol: root-relative with forward
	// slashes, or absolute for a file outside the root.
	Path string
	// Symbol is the name, exact and case-sensitive; it may be qualified
	// (Type.member, pkg.Name, Ns::name). Empty: the identifier at Point.
	Symbol string
	// Point narrows to a line (Column 0) or to a line and column, both 1-based,
	// the column in bytes. The zero value means the whole document.
	Point symbols.Point
	// Tier is the best tier to use; empty means Exact.
	Tier Precision

	specifiers bool // Point may be at the module of an import
}

// Location is a place in a document.
type Location struct {
	// Path is root-relative with forward slashes, or absolute outside the root.
	Path string
	// Range is the half-open byte range in the document's text.
	Range symbols.Range
	// Line, Column and EndColumn show Range: 1-based, columns in bytes,
	// EndColumn exclusive and on the same line.
	Line, Column, EndColumn int
}

// Reference is one occurrence of the symbol.
type Reference struct {
	Location
	// Declaration reports whether this occurrence declares the symbol.
	Declaration bool
	// Precision is Exact unless this single occurrence came from a lower tier.
	Precision Precision
}

// Unconfirmed is an occurrence of the name that the server could not judge.
type Unconfirmed struct {
	Location
	// Cause says why the server could not judge it.
	Cause string
	// Cure is the command or setting that would let it; may be empty.
	Cure string

	final bool // no other server could judge it either
}

// Server names a language server that took part in an answer.
type Server struct {
	Name    string `json:"name"`
	Version string `json:"version"`
}

// Coverage says which projects stood behind an exact answer.
type Coverage struct {
	// Complete is false while an unconfirmed occurrence or a project that could
	// not be loaded exists.
	Complete bool
	// Loaded and Missing are root-relative project markers (tsconfig.json,
	// go.mod …), sorted.
	Loaded, Missing []string
}

// Declaration is one declaration of the symbol that was asked about.
type Declaration struct {
	Path   string
	Symbol symbols.Symbol
	// Line and EndLine are 1-based and inclusive; Column is 1-based, in bytes,
	// of the name.
	Line, Column, EndLine int
}

// Result answers a references query.
type Result struct {
	// Symbol is the name as asked, Path the document as resolved.
	Symbol, Path string
	// Declarations are the declarations found for the symbol in Path's document
	// or where the server says it is defined; at least one for an exact answer.
	Declarations []Declaration
	Precision    Precision
	Coverage     Coverage
	// Reason says why the answer is not exact or not complete; empty otherwise.
	Reason string
	// Servers lists who answered, in the order they were asked; empty below
	// Exact.
	Servers []Server
	// References are all occurrences inside the workspace, declarations
	// included, distinct, in answer order (see [Result.Sort]).
	References []Reference
	// External counts distinct occurrences outside the root; ExternalReferences
	// lists them.
	External           int
	ExternalReferences []Reference
	// Unconfirmed are occurrences that the server could not judge, in answer
	// order. They are not in References.
	Unconfirmed []Unconfirmed
	// Elsewhere counts occurrences of the bare name that the server binds to
	// other symbols.
	Elsewhere int
	// Untyped counts occurrences of the bare name that the server binds to nothing,
	// because it knows no type for what they are members of.
	Untyped int
	// Notes are further sentences worth showing, in order.
	Notes []string
}

// FileCount is the number of distinct reference lines in one file.
type FileCount struct {
	Path  string
	Count int
}

// Lines returns the number of distinct (file, line) pairs among References.
func (r *Result) Lines() int {
	n := 0
	for _, f := range r.PerFile() {
		n += f.Count
	}
	return n
}

// PerFile returns the distinct reference lines per file, in answer order.
func (r *Result) PerFile() []FileCount {
	var out []FileCount
	last := Location{}
	for _, ref := range r.References {
		if len(out) == 0 || ref.Path != last.Path {
			out = append(out, FileCount{Path: ref.Path})
		} else if ref.Line == last.Line {
			continue
		}
		out[len(out)-1].Count++
		last = ref.Location
	}
	return out
}

// NeedsApproval reports whether an answer of this size must be approved before
// it is shown: more distinct lines than threshold. A negative threshold never
// asks, zero asks whenever there is anything to show.
func (r *Result) NeedsApproval(threshold int) bool {
	return threshold >= 0 && r.Lines() > threshold
}

// Sort puts References into answer order: the declaring file first, then paths
// ascending, each by line and column.
func (r *Result) Sort() {
	first := r.Path
	if len(r.Declarations) > 0 {
		first = r.Declarations[0].Path
	}
	sortReferences(r.References, first)
	sortReferences(r.ExternalReferences, first)
	sort.SliceStable(r.Unconfirmed, func(i, j int) bool {
		return before(r.Unconfirmed[i].Location, r.Unconfirmed[j].Location, first)
	})
}

func sortReferences(refs []Reference, first string) {
	sort.SliceStable(refs, func(i, j int) bool {
		return before(refs[i].Location, refs[j].Location, first)
	})
}

func before(a, b Location, first string) bool {
	if a.Path != b.Path {
		if a.Path == first || b.Path == first {
			return a.Path == first
		}
		return a.Path < b.Path
	}
	if a.Line != b.Line {
		return a.Line < b.Line
	}
	return a.Column < b.Column
}

// Call is one edge of the call hierarchy.
type Call struct {
	// Location is the name of the caller (for callers) or of the callee.
	Location
	// Container and Name name that function; Kind is its kind.
	Container, Name string
	Kind            symbols.Kind
	// Sites are the call expressions, in order.
	Sites []Location
}

// Places answers a definition, implementation or call query.
type Places struct {
	Symbol, Path string
	// Locations is filled by Definition and Implementations, Calls by Callers
	// and Callees.
	Locations []Location
	Calls     []Call
	Precision Precision
	Coverage  Coverage
	Reason    string
	Servers   []Server
	// External counts places outside the root that were left out.
	External int
}
