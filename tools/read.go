package tools

import (
	"context"
	"errors"
	"fmt"
	"path"
	"strings"

	"codeintel/index"
	"codeintel/symbols"
)

const readCall = "read_function {symbol, file_path}"

// Limits of [Engine.ReadFunction].
const (
	functionLines    = 2000 // lines printed of one definition
	signaturesShown  = 10   // more overload signatures are left out beside a body
	nearestSuggested = 5
)

// ReadFunctionParams are the arguments of [Engine.ReadFunction].
type ReadFunctionParams struct {
	// Symbol is the name, exact; it may be qualified (Type.method). It may be
	// empty when Line is given.
	Symbol string `json:"symbol"`
	// FilePath is the file that defines it, absolute or relative to
	// [Options.Dir]. When it is empty, the workspace is searched for a
	// definition of Symbol.
	FilePath string `json:"file_path"`
	// Line is 1-based: the definition that contains it is meant. With EndLine,
	// the definitions that the lines Line to EndLine (inclusive) touch.
	Line    int `json:"line,omitempty"`
	EndLine int `json:"end_line,omitempty"`
	// Cell says that Line and EndLine count in a code cell of a notebook, see
	// [Place].
	Cell int `json:"cell,omitempty"`
	// IncludeDoc begins with the doc comment.
	IncludeDoc bool `json:"include_doc,omitempty"`
}

// FunctionsAnswer is the answer of [Engine.ReadFunction].
type FunctionsAnswer struct {
	// Symbol is the name as asked; empty when lines were asked for. FilePath is
	// root-relative.
	Symbol, FilePath string
	Functions        []Function
}

// Function is a definition with its text.
type Function struct {
	Name, Container string
	Kind            symbols.Kind
	// StartLine and EndLine are 1-based and inclusive.
	StartLine, EndLine int
	// Cell is where StartLine stands in a notebook.
	Cell symbols.Cell
	// Lines is the source without line ends, at most 2000 lines; Truncated
	// reports that there are more.
	Lines     []string
	Truncated bool
}

// ReadFunction reads the whole definition of a function, or of a class or
// another symbol when nothing of that name can be called.
func (e *Engine) ReadFunction(ctx context.Context, p ReadFunctionParams) (*FunctionsAnswer, error) {
	results, err := e.ReadFunctions(ctx, []ReadFunctionParams{p})
	if err != nil {
		return nil, err
	}
	return results[0].Answer, results[0].Err
}

// FunctionResult is one outcome of [Engine.ReadFunctions]: an answer or an
// *Error.
type FunctionResult struct {
	Answer *FunctionsAnswer
	Err    error
}

// ReadFunctions reads several definitions from one state of the workspace. The
// results are in the order of the arguments; one that fails leaves the others
// alone. The error is about the whole call.
func (e *Engine) ReadFunctions(ctx context.Context, ps []ReadFunctionParams) ([]FunctionResult, error) {
	s, err := e.snapshot(ctx)
	if err != nil {
		return nil, failure(ctx, "reading functions", err)
	}
	defer s.Release()
	out := make([]FunctionResult, len(ps))
	for i, p := range ps {
		a, err := e.readFunction(ctx, s, p)
		if err != nil {
			out[i].Err = failure(ctx, fmt.Sprintf("reading '%s'", p.Symbol), err)
			continue
		}
		out[i].Answer = a
	}
	return out, nil
}

func (p ReadFunctionParams) check() error {
	if blank(p.Symbol) && p.Line == 0 {
		return missing("symbol", readCall)
	}
	if blank(p.FilePath) && (p.FilePath != "" || p.Line != 0) {
		return missing("file_path", readCall)
	}
	return nil
}

// locate returns the file that p names, or the one that defines its symbol.
func (e *Engine) locate(ctx context.Context, s *index.Snapshot, p ReadFunctionParams) (string, error) {
	if p.FilePath != "" {
		return e.resolve(ctx, s, "read_function", p.FilePath)
	}
	q, err := e.lookup(ctx, s, target{symbol: p.Symbol})
	return q.Path, err
}

func (p ReadFunctionParams) checkLines(doc *symbols.Document) error {
	n := doc.LineCount()
	switch {
	case p.Line < 0 || p.EndLine < 0 || p.Line == 0 && p.EndLine > 0:
		return fail(InvalidParam, "lines %d-%d: lines are counted from 1", p.Line, p.EndLine)
	case p.EndLine > 0 && p.EndLine < p.Line:
		return fail(InvalidParam, "Invalid line range: end line cannot be less than start line (%d-%d)", p.Line, p.EndLine)
	case p.Line > n:
		return fail(InvalidParam, "line %d is past the end of %s, which has %s", p.Line, doc.Path(), count(n, "line", "lines"))
	}
	return nil
}

// outOfCell returns p with lines of the document's text.
func (p ReadFunctionParams) outOfCell(doc *symbols.Document) (ReadFunctionParams, error) {
	if p.Cell == 0 {
		return p, nil
	}
	var err error
	if p.Line, err = lineIn(doc, p.Cell, p.Line); err == nil && p.EndLine > 0 {
		p.EndLine, err = lineIn(doc, p.Cell, p.EndLine)
	}
	p.Cell = 0
	return p, err
}

func (e *Engine) readFunction(ctx context.Context, s *index.Snapshot, p ReadFunctionParams) (*FunctionsAnswer, error) {
	if err := p.check(); err != nil {
		return nil, err
	}
	at, err := e.locate(ctx, s, p)
	if err != nil {
		return nil, err
	}
	doc, err := document(s, at, p.FilePath)
	if err != nil {
		return nil, err
	}
	if p, err = p.outOfCell(doc); err != nil {
		return nil, err
	}
	if err := p.checkLines(doc); err != nil {
		return nil, err
	}
	outline, err := s.Outline(at)
	if errors.Is(err, symbols.ErrNoGrammar) {
		return nil, noGrammarFor(at, doc.Language())
	}
	if err != nil {
		return nil, err
	}
	f := &file{path: at, doc: doc, outline: outline}
	defs, err := f.definitions(p)
	if err != nil {
		return nil, err
	}
	a := &FunctionsAnswer{Symbol: p.Symbol, FilePath: at}
	for _, d := range defs {
		a.Functions = append(a.Functions, f.function(d, p.IncludeDoc))
	}
	return a, nil
}

// noGrammarFor says that a file, or the code of a notebook, has no grammar.
func noGrammarFor(at string, l symbols.Language) *Error {
	if symbols.LanguageOf(at) == symbols.Notebook {
		return fail(NoLanguageService, "%s: there is no grammar for its language, %s, so definitions in it are not known; search its text instead", at, l)
	}
	return noGrammar(at)
}

func noGrammar(at string) *Error {
	kind := path.Ext(at)
	if kind == "" {
		kind = "unnamed"
	}
	return fail(NoLanguageService, "%s: there is no grammar for %s files, so definitions in it are not known; search its text instead", at, kind)
}

// definitions returns what p names, in source order.
func (f *file) definitions(p ReadFunctionParams) ([]symbols.Symbol, error) {
	if blank(p.Symbol) {
		return f.onLines(p)
	}
	defs := readable(f.outline.Lookup(p.Symbol))
	if len(defs) == 0 {
		return nil, f.notDefined(p.Symbol)
	}
	if p.Line == 0 {
		return defs, nil
	}
	return f.narrow(p, defs)
}

// readable prefers what can be called, then types, then anything; overload
// signatures give way to the body when they are many.
func readable(all []symbols.Symbol) []symbols.Symbol {
	out := keep(all, callable)
	if len(out) == 0 {
		out = keep(all, symbols.Symbol.IsType)
	}
	if len(out) == 0 {
		out = all
	}
	bodies := keep(out, func(s symbols.Symbol) bool { return !s.Signature })
	if len(bodies) > 0 && len(out) > signaturesShown {
		return bodies
	}
	return out
}

func callable(s symbols.Symbol) bool { return s.IsCallable() }

func keep(all []symbols.Symbol, want func(symbols.Symbol) bool) []symbols.Symbol {
	var out []symbols.Symbol
	for _, s := range all {
		if want(s) {
			out = append(out, s)
		}
	}
	return out
}

func (f *file) notDefined(symbol string) *Error {
	near := f.outline.Nearest(bare(symbol), nearestSuggested)
	msg := fmt.Sprintf("Function '%s' not found in %s", symbol, f.path)
	if len(near) > 0 {
		msg += "; nearest names: " + strings.Join(near, ", ")
	}
	return &Error{Code: SymbolNotFound, Message: msg, Detail: SymbolDetail{Symbol: symbol, FilePath: f.path, Nearest: near}}
}

// narrow keeps the definitions of a name that the asked lines touch, of nested
// ones the innermost.
func (f *file) narrow(p ReadFunctionParams, defs []symbols.Symbol) ([]symbols.Symbol, error) {
	end := max(p.Line, p.EndLine)
	touched := keep(defs, func(s symbols.Symbol) bool { return f.touches(s, p.Line, end) })
	if len(touched) == 0 {
		where := make([]string, len(defs))
		for i, d := range defs {
			first, last := f.lines(d, false)
			where[i] = fmt.Sprintf("%d-%d", first, last)
		}
		return nil, &Error{Code: SymbolNotFound, Detail: SymbolDetail{Symbol: p.Symbol, FilePath: f.path},
			Message: fmt.Sprintf("Function '%s' not found on line %d of %s; it is defined on lines %s", p.Symbol, p.Line, f.path, strings.Join(where, ", "))}
	}
	if p.EndLine > 0 {
		return touched, nil
	}
	inner := touched[0]
	for _, s := range touched[1:] {
		if s.Range.Len() < inner.Range.Len() {
			inner = s
		}
	}
	return []symbols.Symbol{inner}, nil
}

// touches reports whether a definition, its doc comment included, has a line
// from first to last.
func (f *file) touches(s symbols.Symbol, first, last int) bool {
	from, to := f.lines(s, true)
	return from <= last && to >= first
}

// onLines returns the definition that contains the asked lines, or those that
// they touch when none contains them all.
func (f *file) onLines(p ReadFunctionParams) ([]symbols.Symbol, error) {
	last := min(max(p.Line, p.EndLine), f.doc.LineCount())
	if s, ok := f.containing(p.Line, last); ok {
		return []symbols.Symbol{s}, nil
	}
	var out []symbols.Symbol
	for _, s := range f.outline.Symbols() {
		if !callable(s) && !s.IsType() || !f.touches(s, p.Line, last) {
			continue
		}
		if n := len(out); n > 0 && s.Range.Start < out[n-1].Range.End {
			continue // inside the one before
		}
		out = append(out, s)
	}
	if len(out) > 0 {
		return out, nil
	}
	where := fmt.Sprintf("line %d", p.Line)
	if last > p.Line {
		where = fmt.Sprintf("lines %d-%d", p.Line, last)
	}
	return nil, fail(SymbolNotFound, "no definition contains %s of %s; codeintel symbols %s lists what there is", where, f.path, f.path)
}

// containing returns the innermost definition that contains both lines.
func (f *file) containing(first, last int) (symbols.Symbol, bool) {
	best := symbols.Symbol{}
	found := false
	for _, s := range f.outline.Symbols() {
		if !callable(s) && !s.IsType() {
			continue
		}
		from, to := f.lines(s, true)
		if from > first || to < last {
			continue
		}
		if !found || s.Range.Len() < best.Range.Len() {
			best, found = s, true
		}
	}
	return best, found
}

// function reads the text of a definition.
func (f *file) function(s symbols.Symbol, withDoc bool) Function {
	first, last := f.lines(s, withDoc)
	out := Function{Name: s.Name, Container: s.Container, Kind: s.Kind, StartLine: first, EndLine: last, Cell: f.doc.Cell(first)}
	for n := first; n <= last; n++ {
		if len(out.Lines) == functionLines {
			out.Truncated = true
			break
		}
		out.Lines = append(out.Lines, f.doc.Line(n))
	}
	return out
}

// Text renders the answer as models and people read it.
func (a *FunctionsAnswer) Text() string {
	var b strings.Builder
	k := len(a.Functions)
	overloads := k > 1 && a.Symbol != ""
	if overloads {
		fmt.Fprintf(&b, "# Found %d overloads of '%s'\n\n", k, a.Symbol)
	}
	for i, fn := range a.Functions {
		if i > 0 {
			b.WriteString(BlockSeparator)
		}
		fmt.Fprintf(&b, "# Function: %s (%s:%d-%d%s)", fn.Name, path.Base(a.FilePath), fn.StartLine, fn.EndLine, inCell(fn.Cell))
		if overloads {
			fmt.Fprintf(&b, " (Overload %d of %d)", i+1, k)
		}
		b.WriteString("\n\n")
		fn.write(&b)
	}
	return b.String()
}

// BlockSeparator stands between two definitions.
const BlockSeparator = "\n---\n\n"

func (fn Function) write(b *strings.Builder) {
	width := len(fmt.Sprint(fn.EndLine))
	for i, text := range fn.Lines {
		b.WriteString(numbered(width, fn.StartLine+i, clipFunction(text)) + "\n")
	}
	if fn.Truncated {
		next := fn.StartLine + len(fn.Lines)
		fmt.Fprintf(b, "[%d of %d lines shown; continue with read_file, lines %d-%d]\n",
			len(fn.Lines), fn.EndLine-fn.StartLine+1, next, fn.EndLine)
	}
}

// clipFunction cuts a line of a definition at the limit.
func clipFunction(text string) string {
	const dots = "..."
	if _, cut := cutChars(text, functionChars); !cut {
		return text
	}
	head, _ := cutChars(text, functionChars-len(dots))
	return head + dots
}

// FunctionsJSON is the JSON form of a [FunctionsAnswer].
type FunctionsJSON struct {
	Tool    string               `json:"tool"`
	Content FunctionsContentJSON `json:"content"`
}

// FunctionsContentJSON holds the definitions.
type FunctionsContentJSON struct {
	Symbol    string         `json:"symbol"`
	FilePath  string         `json:"filePath"`
	Functions []FunctionJSON `json:"functions"`
}

// FunctionJSON is a definition with its text; lines are 1-based and inclusive.
type FunctionJSON struct {
	Name      string `json:"name"`
	Kind      string `json:"kind"`
	Container string `json:"container"`
	StartLine int    `json:"startLine"`
	EndLine   int    `json:"endLine"`
	Cell      string `json:"cell,omitempty"` // of StartLine in a notebook
	Text      string `json:"text"`
	Truncated bool   `json:"truncated,omitempty"`
}

// JSON returns the answer in its JSON form.
func (a *FunctionsAnswer) JSON() FunctionsJSON {
	out := FunctionsJSON{Tool: "readFunction", Content: FunctionsContentJSON{Symbol: a.Symbol, FilePath: a.FilePath, Functions: []FunctionJSON{}}}
	for _, fn := range a.Functions {
		out.Content.Functions = append(out.Content.Functions, FunctionJSON{
			Name: fn.Name, Kind: string(fn.Kind), Container: fn.Container, StartLine: fn.StartLine, EndLine: fn.EndLine, Cell: fn.Cell.String(),
			Text: strings.Join(fn.Lines, "\n"), Truncated: fn.Truncated,
		})
	}
	return out
}
