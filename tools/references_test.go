package tools

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"path/filepath"
	"strings"
	"testing"

	"codeintel/refs"
	"codeintel/symbols"
)

// contractSample is a file with the lines of the contract's sample at their
// numbers.
func contractSample() string {
	lines := make([]string, 169)
	lines[49] = "export async function findReferences("
	lines[50] = "  symbol: string,"
	lines[51] = "): Promise<string> {"
	lines[80] = "    return await formatReferences(locations, symbol)"
	lines[81] = "}"
	lines[93] = "async function formatReferences("
	lines[94] = "  locations: vscode.Location[],"
	lines[95] = "  symbol: string"
	lines[96] = "): Promise<string> {"
	lines[97] = "  let result = `### References to '${symbol}' ###\\n\\n`"
	lines[98] = ""
	lines[99] = "  // Group references by file"
	lines[100] = "  const fileGroups = new Map<string, vscode.Location[]>()"
	lines[167] = "  return result"
	lines[168] = "}"
	return strings.Join(lines, "\n") + "\n"
}

func TestContractSample(t *testing.T) {
	const path = "src/services/references/index.ts"
	e := New(workspace(t, map[string]string{path: contractSample()}), &words{}, Options{})
	a, err := e.FindReferences(t.Context(), FindReferencesParams{Symbol: "formatReferences", FilePath: path})
	if err != nil {
		t.Fatal(err)
	}
	diff(t, a.Text(), `### References to 'formatReferences' ###

### FILE: src/services/references/index.ts ###
 50 | export async function findReferences(
 -- contains references --
 81 |     return await formatReferences(locations, symbol)

 94 | async function formatReferences(

----

### SUMMARY: Found 2 references in 1 files. ###
`)
	f, err := e.ReadFunction(t.Context(), ReadFunctionParams{Symbol: "formatReferences", FilePath: path})
	if err != nil {
		t.Fatal(err)
	}
	text := f.Text()
	wantHead := "# Function: formatReferences (index.ts:94-169)\n\n 94 | async function formatReferences(\n 95 |   locations: vscode.Location[],\n"
	wantIn := "\n 98 |   let result = `### References to '${symbol}' ###\\n\\n`\n 99 |\n100 |   // Group references by file\n"
	wantTail := "\n168 |   return result\n169 | }\n"
	if !strings.HasPrefix(text, wantHead) || !strings.Contains(text, wantIn) || !strings.HasSuffix(text, wantTail) {
		t.Errorf("read_function printed\n%s", text)
	}
}

// TestReferencesGolden runs each archive of testdata/references: its files are
// the workspace, its comment is the call as JSON, its want.* files are the
// renderings.
func TestReferencesGolden(t *testing.T) { goldens(t, "references", renderings) }

// goldenCall is the comment of an archive.
type goldenCall struct {
	Note   string
	Params FindReferencesParams
	Policy Policy
	// Answer overrides what the finder says of itself.
	Answer *struct {
		Precision   refs.Precision
		Coverage    refs.Coverage
		Reason      string
		Notes       []string
		Servers     []refs.Server
		Unconfirmed []struct{ Word, Cause, Cure string }
		Empty       bool
	}
}

func renderings(t *testing.T, files map[string]string, comment []byte) map[string]string {
	t.Helper()
	var call goldenCall
	if err := json.Unmarshal(comment, &call); err != nil {
		t.Fatalf("the comment is no call: %v", err)
	}
	ws := workspace(t, files)
	w := &words{}
	w.finish = func(r *refs.Result) { call.apply(t, files, r) }
	a, err := New(ws, w, Options{Policy: call.Policy}).FindReferences(t.Context(), call.Params)
	if err != nil {
		return map[string]string{"want.error": err.Error() + "\n"}
	}
	content, err := json.MarshalIndent(a.JSON(), "", "  ")
	if err != nil {
		t.Fatal(err)
	}
	return map[string]string{
		"want.txt": a.Text(), "want.lines": a.Lines("", ""), "want.counts": a.Counts(), "want.paths": a.Paths(),
		"want.json": string(content) + "\n", "want.jsonl": a.JSONLines(), "want.note": a.Note() + "\n",
	}
}

// apply makes the result what the archive says; each unconfirmed word is taken
// out of the references.
func (c goldenCall) apply(t *testing.T, files map[string]string, r *refs.Result) {
	if c.Answer == nil {
		return
	}
	r.Precision, r.Coverage, r.Reason, r.Notes, r.Servers = c.Answer.Precision, c.Answer.Coverage, c.Answer.Reason, c.Answer.Notes, c.Answer.Servers
	if c.Answer.Empty {
		r.References = nil
	}
	for _, u := range c.Answer.Unconfirmed {
		for path, text := range files {
			doc := symbols.NewDocument(path, []byte(text))
			for at := 0; ; at++ {
				i := strings.Index(text[at:], u.Word)
				if i < 0 {
					break
				}
				at += i
				loc := located(doc, path, symbols.Range{Start: at, End: at + len(u.Word)})
				r.Unconfirmed = append(r.Unconfirmed, refs.Unconfirmed{Location: loc, Cause: u.Cause, Cure: u.Cure})
			}
		}
	}
	r.Sort()
}

// many is a file with a function f and n-1 calls of it, each in its own line.
func many(n int) string {
	var b strings.Builder
	b.WriteString("export function f() {}\n")
	for i := range n - 1 {
		fmt.Fprintf(&b, "f() // %d\n", i)
	}
	return b.String()
}

func TestThreshold(t *testing.T) {
	for n, asks := range map[int]int{49: 0, 50: 0, 51: 1} {
		t.Run(fmt.Sprint(n), func(t *testing.T) {
			ws := workspace(t, map[string]string{"a.ts": many(n)})
			p := FindReferencesParams{Symbol: "f", FilePath: "a.ts"}
			var asked []ApprovalRequest
			approve := func(_ context.Context, r ApprovalRequest) (ApprovalDecision, error) {
				asked = append(asked, r)
				return ApprovalDecision{Approved: true}, nil
			}
			a, err := New(ws, &words{}, Options{Approver: approve}).FindReferences(t.Context(), p)
			if err != nil {
				t.Fatal(err)
			}
			if want := fmt.Sprintf("### SUMMARY: Found %d references in 1 files. ###\n", n); !strings.HasSuffix(a.Text(), want) {
				t.Errorf("the text does not end with %q", want)
			}
			if len(asked) != asks {
				t.Fatalf("asked %d times, want %d", len(asked), asks)
			}
			_, err = New(ws, &words{}, Options{}).FindReferences(t.Context(), p)
			if asks == 0 && err != nil || asks > 0 && code(t, err, ApprovalRequired) == nil {
				t.Errorf("without an approver: %v", err)
			}
		})
	}
}

func TestApprovalRequest(t *testing.T) {
	ws := workspace(t, map[string]string{"a.ts": many(60), "b.ts": "import { f } from './a'\nf()\n"})
	_, err := New(ws, &words{}, Options{}).FindReferences(t.Context(), FindReferencesParams{Symbol: "f", FilePath: "a.ts"})
	e := code(t, err, ApprovalRequired)
	r := e.Detail.(ApprovalRequest)
	if r.Count != 62 || r.Files != 2 || r.Threshold != 50 || r.Kind != LargeResult || r.Symbol != "f" || r.Path != "a.ts" || r.ID == "" || r.ArgsDigest == "" {
		t.Errorf("request %+v", r)
	}
	diff(t, e.Message, "Found 62 references to 'f' in 2 files; more than 50 need approval.\n  60  a.ts\n   2  b.ts")
	if strings.Contains(e.Message, "function") {
		t.Error("the refusal shows source text")
	}
}

func TestPolicies(t *testing.T) {
	ws := workspace(t, map[string]string{"a.ts": many(60)})
	p := FindReferencesParams{Symbol: "f", FilePath: "a.ts"}
	find := func(o Options) (*ReferencesAnswer, error) { return New(ws, &words{}, o).FindReferences(t.Context(), p) }

	_, err := find(Options{Policy: PolicyDeny})
	if e := code(t, err, Denied); e.Message != "Operation cancelled: Found 60 references to 'f', which exceeds the threshold." {
		t.Errorf("message %q", e.Message)
	}
	deny := func(context.Context, ApprovalRequest) (ApprovalDecision, error) {
		return ApprovalDecision{Feedback: "try f2"}, nil
	}
	_, err = find(Options{Approver: deny})
	if e := code(t, err, Denied); !strings.HasSuffix(e.Message, "\ntry f2") {
		t.Errorf("message %q", e.Message)
	}
	a, err := find(Options{Policy: PolicyAllow})
	if err != nil || a.Total != 60 || len(a.References) != 60 || !a.Approved || a.Truncated {
		t.Errorf("allow: %+v, %v", a, err)
	}
	a, err = find(Options{Policy: PolicyTruncate})
	if err != nil || a.Total != 60 || len(a.References) != 50 || a.Approved || !a.Truncated {
		t.Fatalf("truncate: %+v, %v", a, err)
	}
	if text := a.Text(); !strings.Contains(text, "### NOTE: truncated: the first 50 of 60 references are shown ###") ||
		!strings.HasSuffix(text, "### SUMMARY: Found 60 references in 1 files. ###\n") {
		t.Errorf("truncated text\n%s", text)
	}
	for threshold, asks := range map[int]bool{0: true, 59: true, 60: false, -1: false} {
		_, err := find(Options{Threshold: &threshold})
		if (err != nil) != asks {
			t.Errorf("threshold %d: error %v", threshold, err)
		}
	}
	broken := errors.New("the terminal is gone")
	_, err = find(Options{Approver: func(context.Context, ApprovalRequest) (ApprovalDecision, error) { return ApprovalDecision{}, broken }})
	if !errors.Is(err, broken) {
		t.Errorf("an approver's error became %v", err)
	}
}

func TestCountsNeverAsk(t *testing.T) {
	ws := workspace(t, map[string]string{"a.ts": many(60), "b.ts": "import { f } from './a'\n"})
	a, err := New(ws, &words{}, Options{}).FindReferences(t.Context(), FindReferencesParams{Symbol: "f", FilePath: "a.ts", CountsOnly: true})
	if err != nil {
		t.Fatal(err)
	}
	diff(t, a.Counts(), "a.ts:60\nb.ts:1\n")
	diff(t, a.Paths(), "a.ts\nb.ts\n")
	if a.Files != nil {
		t.Error("text was read for counts")
	}
}

func TestParameterErrors(t *testing.T) {
	ws := workspace(t, map[string]string{"a.ts": "export function f() {}\n", "dir/b.ts": "\n"})
	w := &words{}
	e := New(ws, w, Options{})
	for _, c := range []struct {
		name string
		p    FindReferencesParams
		want Code
		text string
	}{
		{"no symbol", FindReferencesParams{FilePath: "absent.ts"}, MissingParam, "Missing value for required parameter 'symbol'. Please retry with complete response.\n\n"},
		{"blank symbol", FindReferencesParams{Symbol: " \t", FilePath: "a.ts"}, MissingParam, "'symbol'"},
		{"blank file", FindReferencesParams{Symbol: "f", FilePath: " "}, MissingParam, "'file_path'"},
		{"position without file", FindReferencesParams{Symbol: "f", Place: Place{Position: "0,1"}}, MissingParam, "'file_path'"},
		{"file before position", FindReferencesParams{Symbol: "f", FilePath: "absent.ts", Place: Place{Position: "x"}}, NotFound, "absent.ts"},
		{"folder", FindReferencesParams{Symbol: "f", FilePath: "dir"}, NotAFile, "dir"},
		{"bad position", FindReferencesParams{Symbol: "f", FilePath: "a.ts", Place: Place{Position: "1:2"}}, InvalidParam, `"1:2"`},
		{"position past the end", FindReferencesParams{Symbol: "f", FilePath: "a.ts", Place: Place{Position: "99,0"}}, InvalidParam, `"99,0"`},
		{"line past the end", FindReferencesParams{Symbol: "f", FilePath: "a.ts", Place: Place{Line: 99}}, InvalidParam, "line 99"},
		{"two places", FindReferencesParams{Symbol: "f", FilePath: "a.ts", Place: Place{Position: "0,0", Line: 1}}, InvalidParam, "exclude each other"},
		{"column alone", FindReferencesParams{Symbol: "f", FilePath: "a.ts", Place: Place{Column: 3}}, InvalidParam, "a column needs a line"},
		{"tier", FindReferencesParams{Symbol: "f", FilePath: "a.ts", Tier: "best"}, InvalidParam, `"best"`},
		{"outside", FindReferencesParams{Symbol: "f", FilePath: "/etc/passwd"}, OutsideWorkspace, "/etc/passwd"},
	} {
		t.Run(c.name, func(t *testing.T) {
			_, err := e.FindReferences(t.Context(), c.p)
			if got := code(t, err, c.want); !strings.Contains(got.Message, c.text) {
				t.Errorf("message %q, want it to hold %q", got.Message, c.text)
			}
		})
	}
	if len(w.asked) > 0 {
		t.Errorf("the finder was asked %v", w.asked)
	}
}

func TestPositionForms(t *testing.T) {
	ws := workspace(t, map[string]string{"a.ts": "// é😀\nconst s = '😀'; f()\nexport function f() {}\n"})
	for _, c := range []struct {
		place Place
		want  symbols.Point
	}{
		{Place{}, symbols.Point{}},
		{Place{Position: " 1 , 16 "}, symbols.Point{Line: 2, Column: 19}},
		{Place{Line: 2}, symbols.Point{Line: 2}},
		{Place{Line: 2, Column: 19}, symbols.Point{Line: 2, Column: 19}},
	} {
		w := &words{}
		if _, err := New(ws, w, Options{}).FindReferences(t.Context(), FindReferencesParams{Symbol: "f", FilePath: "a.ts", Place: c.place}); err != nil {
			t.Fatal(err)
		}
		if got := w.asked[0].Point; got != c.want {
			t.Errorf("%+v asks at %+v, want %+v", c.place, got, c.want)
		}
	}
}

func TestFinderErrors(t *testing.T) {
	ws := workspace(t, map[string]string{"a.ts": "export function f() {}\n"})
	canceled, cancel := context.WithCancel(t.Context())
	cancel()
	for _, c := range []struct {
		name string
		ctx  context.Context
		err  error
		want Code
		exit int
	}{
		{"ambiguous", t.Context(), &refs.AmbiguousError{Symbol: "f", Path: "a.ts"}, Ambiguous, 2},
		{"absent", t.Context(), &refs.SymbolNotFoundError{Symbol: "f", Path: "a.ts"}, SymbolNotFound, 2},
		{"position", t.Context(), fmt.Errorf("a.ts: %w", refs.ErrPosition), InvalidParam, 2},
		{"no server", t.Context(), &refs.NoServerError{Path: "a.ts", Why: "none"}, NoLanguageService, 6},
		{"server trouble", t.Context(), errors.New("it broke"), NoLanguageService, 6},
		{"time", t.Context(), fmt.Errorf("asking: %w", context.DeadlineExceeded), Timeout, 7},
		{"partial", t.Context(), &refs.PartialError{Found: 3, Err: context.DeadlineExceeded}, Timeout, 7},
		{"interrupted", canceled, errors.New("the server went away"), Canceled, 7},
	} {
		t.Run(c.name, func(t *testing.T) {
			_, err := New(ws, &words{err: c.err}, Options{}).FindReferences(c.ctx, FindReferencesParams{Symbol: "f", FilePath: "a.ts"})
			e := code(t, err, c.want)
			if e.Code.Exit() != c.exit {
				t.Errorf("exit status %d, want %d", e.Code.Exit(), c.exit)
			}
			if c.name == "partial" && !strings.Contains(e.Message, "3 references") {
				t.Errorf("message %q lacks the partial count", e.Message)
			}
		})
	}
}

func TestFileDeletedBetweenCountAndPrinting(t *testing.T) {
	ws := workspace(t, map[string]string{"a.ts": "export function f() {}\n", "gone.ts": "import { f } from './a'\n"})
	w := &words{}
	w.finish = func(r *refs.Result) {
		r.References = append(r.References, refs.Reference{Location: refs.Location{Path: "vanished.ts", Line: 7, Column: 3, EndColumn: 4}})
	}
	a, err := New(ws, w, Options{}).FindReferences(t.Context(), FindReferencesParams{Symbol: "f", FilePath: "a.ts"})
	if err != nil {
		t.Fatal(err)
	}
	for _, want := range []string{
		"### NOTE: vanished.ts could not be read any more, its lines are shown without their text ###\n",
		"### FILE: vanished.ts ###\n  7 | [not readable any more]\n\n----\n",
		"### SUMMARY: Found 3 references in 3 files. ###\n",
	} {
		if !strings.Contains(a.Text(), want) {
			t.Errorf("the text lacks %q:\n%s", want, a.Text())
		}
	}
	if !strings.Contains(a.Lines("", ""), "vanished.ts:7:3:[not readable any more]\n") {
		t.Errorf("lines\n%s", a.Lines("", ""))
	}
}

func TestFreshness(t *testing.T) {
	ws := workspace(t, map[string]string{"a.ts": "export function f() {}\n"})
	e := New(ws, &words{}, Options{})
	total := func() int {
		a, err := e.FindReferences(t.Context(), FindReferencesParams{Symbol: "f", FilePath: "a.ts"})
		if err != nil {
			t.Fatal(err)
		}
		return a.Total
	}
	before := total()
	writeFile(t, filepath.Join(ws.Root(), "new.ts"), "import { f } from './a'\nf()\n")
	if after := total(); after != before+2 {
		t.Errorf("after a new file: %d references, want %d", after, before+2)
	}
}

func TestEqualCallsGiveEqualBytes(t *testing.T) {
	ws := workspace(t, map[string]string{"a.ts": many(10), "b.ts": "import { f } from './a'\nf()\n", "z/c.ts": "import { f } from '../a'\n"})
	e := New(ws, &words{}, Options{})
	var first string
	for range 3 {
		a, err := e.FindReferences(t.Context(), FindReferencesParams{Symbol: "f", FilePath: "a.ts"})
		if err != nil {
			t.Fatal(err)
		}
		text, err := json.Marshal(a.JSON())
		if err != nil {
			t.Fatal(err)
		}
		if all := a.Text() + string(text); first == "" {
			first = all
		} else if all != first {
			t.Error("the second answer differs from the first")
		}
	}
}

func TestExternalReferences(t *testing.T) {
	outside := filepath.Join(t.TempDir(), "lib.ts")
	writeFile(t, outside, "  f()\n")
	ws := workspace(t, map[string]string{"a.ts": "export function f() {}\n"})
	w := &words{finish: func(r *refs.Result) {
		r.External = 1
		r.ExternalReferences = []refs.Reference{{Location: refs.Location{Path: outside, Range: symbols.Range{Start: 2, End: 3}, Line: 1, Column: 3, EndColumn: 4}}}
	}}
	e := New(ws, w, Options{ShowExternal: true})
	a, err := e.FindReferences(t.Context(), FindReferencesParams{Symbol: "f", FilePath: "a.ts"})
	if err != nil || a.Total != 1 || a.External != 1 {
		t.Errorf("%+v, %v", a, err)
	}
	a, err = e.FindReferences(t.Context(), FindReferencesParams{Symbol: "f", FilePath: "a.ts", IncludeExternal: true})
	if err != nil || a.Total != 2 || a.External != 0 || !strings.Contains(a.Lines("", ""), outside+":1:3:  f()\n") {
		t.Errorf("%+v, %v\n%s", a, err, a.Lines("", ""))
	}
	a, err = New(ws, w, Options{}).FindReferences(t.Context(), FindReferencesParams{Symbol: "f", FilePath: "a.ts", IncludeExternal: true})
	if err != nil || !strings.Contains(a.Lines("", ""), outside+":1:3:\n") || !strings.Contains(a.Text(), "is outside the workspace, its lines are shown without their text") {
		t.Errorf("without ShowExternal: %v\n%s", err, a.Text())
	}
}

func TestSymbolWithoutFile(t *testing.T) {
	ws := workspace(t, map[string]string{
		"one.ts":   "export function only() {}\n",
		"two.ts":   "import { only } from './one'\nexport class A { run() {} }\n",
		"three.ts": "export class B { run() { const local = 1; return local } }\n",
	})
	w := &words{}
	e := New(ws, w, Options{})
	find := func(symbol string) (*ReferencesAnswer, error) {
		return e.FindReferences(t.Context(), FindReferencesParams{Symbol: symbol})
	}
	a, err := find("only")
	if err != nil || a.FilePath != "one.ts" || a.Total != 2 {
		t.Errorf("only: %+v, %v", a, err)
	}
	_, err = find("run")
	if e := code(t, err, Ambiguous); len(e.Detail.(AmbiguousDetail).Candidates) != 2 || !strings.Contains(e.Message, "three.ts:1:18 method B.run") {
		t.Errorf("run: %q", e.Message)
	}
	if a, err = find("A.run"); err != nil || a.FilePath != "two.ts" {
		t.Errorf("A.run: %+v, %v", a, err)
	}
	for _, absent := range []string{"nothing", "local"} {
		_, err = find(absent)
		code(t, err, SymbolNotFound)
	}
}
