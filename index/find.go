package index

import (
	"cmp"
	"context"
	"path"
	"slices"
	"strings"

	"codeintel/index/store"
	"codeintel/symbols"
)

// FindQuery asks for definitions by name in the whole workspace.
type FindQuery struct {
	// Name is a name or the part of one: a prefix, the beginnings of its words
	// ("nSR" for newSnapshotReader), or some of its letters in order. It may be
	// qualified with containers, a package, a folder or a file ("Type.member").
	Name string
	// Kinds keeps only symbols of these kinds; none keeps all.
	Kinds []symbols.Kind
	// Keep, if not nil, reports whether the definitions of a path count.
	Keep func(path string) bool
	// Limit is the number of definitions to return; 0 means all.
	Limit int
}

// Found is a definition and how well its name fits.
type Found struct {
	Definition
	Match Match
	// Generated reports that a program wrote the document.
	Generated bool
}

// A Match says how a name fits a query; the smaller the better.
type Match int

// The matches, best first.
const (
	MatchExact    Match = iota // the name itself
	MatchFold                  // but for case
	MatchPrefix                // the name begins so
	MatchHumps                 // words of the name, from the first, begin so
	MatchWord                  // a later word of the name begins so
	MatchPart                  // the name holds it
	MatchLetters               // the name holds its letters in this order
	MatchMisspelt              // a few letters are different
	noMatch
)

// String returns the match's name.
func (m Match) String() string {
	names := [...]string{"exact", "case", "prefix", "word", "humps", "part", "letters", "misspelt"}
	if m < 0 || int(m) >= len(names) {
		return "none"
	}
	return names[m]
}

// resolveLimit is the number of documents beyond which worse matches are not
// looked at any more, once there are enough better ones.
const resolveLimit = 4000

// Find returns the definitions that a query means, best first, and how many fit at
// least as well as the last of them; more says that others fit worse. Names that
// are only similar are looked for when nothing else fits. The error is the
// context's.
func (s *Snapshot) Find(ctx context.Context, q FindQuery) (found []Found, total int, more bool, err error) {
	query := newNameQuery(q.Name)
	if query.bare == "" {
		return nil, 0, false, nil
	}
	f := finder{s: s, q: q, query: query}
	for _, worst := range []Match{MatchLetters, MatchMisspelt} {
		f.query.worst = worst
		if err := f.run(ctx); err != nil {
			return nil, 0, false, err
		}
		if len(f.found) > 0 {
			break
		}
	}
	slices.SortFunc(f.found, f.query.compare)
	if q.Limit == 0 || len(f.found) <= q.Limit {
		return f.found, len(f.found), f.more, nil
	}
	worst := f.found[q.Limit-1].Match
	worse := func(g Found) bool { return g.Match > worst }
	if total = slices.IndexFunc(f.found, worse); total < 0 {
		total = len(f.found)
	}
	return f.found[:q.Limit], total, f.more || total < len(f.found), nil
}

// finder is one run of Find.
type finder struct {
	s     *Snapshot
	q     FindQuery
	query nameQuery

	found []Found
	more  bool
}

// named is a name of a segment that fits.
type named struct {
	segment *store.Segment
	number  int
	name    string
	match   Match
}

func (f *finder) run(ctx context.Context) error {
	var names []named
	var table *lookup
	err := f.s.find(ctx, finding{
		stored: func(k *lookup, seg *store.Segment) error {
			table = k
			return seg.EachDefined(func(number int, name []byte) bool {
				if m := f.query.match(string(name)); m < noMatch {
					names = append(names, named{seg, number, string(name), m})
				}
				return ctx.Err() == nil
			})
		},
		parsed: func(path string, o *symbols.Outline) { f.add(path, "", o.Symbols(), false) },
		reset:  func() { names = nil },
	})
	if err != nil {
		return err
	}
	slices.SortStableFunc(names, func(a, b named) int { return cmp.Compare(a.match, b.match) })
	if err := f.resolve(table, names); err != nil {
		// A damaged file: without what is stored, all documents are parsed.
		f.s.ws.disk.damaged(f.s.listing, err)
		f.found, f.more = nil, false
		return f.run(ctx)
	}
	return nil
}

// resolve reads the definitions of the names, the best first, until there are
// enough.
func (f *finder) resolve(table *lookup, names []named) error {
	read := 0
	for i, n := range names {
		if i > 0 && n.match > names[i-1].match && f.q.Limit > 0 && len(f.found) >= f.q.Limit || read > resolveLimit && len(f.found) > f.q.Limit {
			f.more = true
			return nil
		}
		if err := f.s.defining(table, n.segment, n.number, func(e *entry, all []symbols.Symbol) {
			read++
			r := e.record.Load()
			f.add(e.path, n.name, all, r != nil && r.Status == store.Generated)
		}); err != nil {
			return err
		}
	}
	return nil
}

// add takes the symbols of a document that fit: those of a name, or all.
func (f *finder) add(path, name string, all []symbols.Symbol, generated bool) {
	if f.q.Keep != nil && !f.q.Keep(path) {
		return
	}
	for _, sym := range all {
		if sym.Local || name != "" && sym.Name != name || len(f.q.Kinds) > 0 && !slices.Contains(f.q.Kinds, sym.Kind) {
			continue
		}
		if m := f.query.match(sym.Name); m < noMatch && f.query.qualifies(path, sym) {
			f.found = append(f.found, Found{Definition{path, sym}, m, generated})
		}
	}
}

// nameQuery is a name taken apart.
type nameQuery struct {
	bare, fold string
	qualifier  []string // outermost first, folded
	written    string   // the qualifier with dots
	worst      Match
}

func newNameQuery(name string) nameQuery {
	parts := strings.FieldsFunc(strings.ReplaceAll(name, "::", "."), func(r rune) bool {
		return r == '.' || r == '#' || r == '/' || r == ' '
	})
	if len(parts) == 0 {
		return nameQuery{}
	}
	q := nameQuery{bare: parts[len(parts)-1]}
	q.fold = strings.ToLower(q.bare)
	q.written = strings.Join(parts[:len(parts)-1], ".")
	for _, p := range parts[:len(parts)-1] {
		q.qualifier = append(q.qualifier, strings.ToLower(strings.Trim(p, "(*)")))
	}
	return q
}

// qualifies reports whether the qualifier names what is around a symbol: its
// containers, or the file or the folders above them, in order.
func (q nameQuery) qualifies(file string, s symbols.Symbol) bool {
	if len(q.qualifier) == 0 {
		return true
	}
	base := path.Base(file)
	around := strings.Split(strings.ToLower(path.Dir(file)), "/")
	around = append(around, strings.ToLower(strings.TrimSuffix(base, path.Ext(base))))
	if s.Container != "" {
		around = append(around, strings.Split(strings.ToLower(s.Container), ".")...)
	}
	for _, want := range q.qualifier {
		i := slices.Index(around, want)
		if i < 0 {
			return false
		}
		around = around[i+1:]
	}
	return true
}

// compare orders what was found: by match; then tests, generated documents and
// headings last, top-level symbols and types first, short names, paths.
func (q nameQuery) compare(a, b Found) int {
	return cmp.Or(
		cmp.Compare(a.Match, b.Match),
		cmp.Compare(q.strays(a), q.strays(b)),
		cmp.Compare(lowly(a), lowly(b)),
		cmp.Compare(prominence(a.Symbol), prominence(b.Symbol)),
		cmp.Compare(len(a.Name), len(b.Name)),
		cmp.Compare(a.Name, b.Name),
		cmp.Compare(strings.Count(a.Path, "/"), strings.Count(b.Path, "/")),
		cmp.Compare(a.Path, b.Path),
		cmp.Compare(a.Range.Start, b.Range.Start),
	)
}

// strays is 0 for a symbol whose container is the qualifier as it is written, 1 for
// others that it may mean.
func (q nameQuery) strays(f Found) int {
	if q.written == "" || f.Container == q.written || strings.HasSuffix(f.Container, "."+q.written) {
		return 0
	}
	return 1
}

func lowly(f Found) int {
	switch {
	case f.Kind == symbols.Section: // it tells of what is defined elsewhere
		return 3
	case f.Generated:
		return 2
	case IsTest(f.Path):
		return 1
	}
	return 0
}

func prominence(s symbols.Symbol) int {
	switch {
	case s.IsType():
		return 0
	case s.IsCallable() && !s.Signature:
		return 1
	case s.Container == "":
		return 2
	}
	return 3
}

// IsTest reports whether a path looks like that of a test, by the customs of the
// languages: a folder of tests, a name that says so.
func IsTest(p string) bool {
	for _, folder := range strings.Split(path.Dir(p), "/") {
		switch folder {
		case "test", "tests", "__tests__", "testdata", "spec", "specs", "e2e", "fixtures", "__mocks__":
			return true
		}
	}
	base := strings.ToLower(path.Base(p))
	stem := strings.TrimSuffix(base, path.Ext(base))
	return strings.HasSuffix(stem, "_test") || strings.HasSuffix(stem, ".test") || strings.HasSuffix(stem, ".spec") ||
		strings.HasPrefix(base, "test_") || strings.HasSuffix(stem, "_spec")
}
