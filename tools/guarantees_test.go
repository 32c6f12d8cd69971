package tools

import (
	"context"
	"os"
	"path/filepath"
	"strings"
	"sync"
	"testing"

	"codeintel/index"
	"codeintel/symbols"
)

func TestExcludedFilesAreLeftOutAndSaid(t *testing.T) {
	ws := workspace(t, map[string]string{"a.ts": "export function f() {}\n", "gen/b.ts": "import { f } from '../a'\nf()\n"})
	e := New(ws, &words{}, Options{Exclude: func(path string) bool { return strings.HasPrefix(path, "gen/") }})
	a, err := e.FindReferences(t.Context(), FindReferencesParams{Symbol: "f", FilePath: "a.ts"})
	if err != nil {
		t.Fatal(err)
	}
	if a.Total != 1 || !strings.Contains(a.Text(), "### NOTE: 1 file is left out by the exclude setting ###\n") || len(a.JSON().Content.Notes) != 1 {
		t.Errorf("%d references\n%s", a.Total, a.Text())
	}
	outline, err := e.Outline(t.Context(), OutlineParams{Path: "."})
	if err != nil || len(outline.Files) != 1 {
		t.Errorf("outline %+v, %v", outline, err)
	}
	// A file that is named is read all the same.
	if _, err := e.Outline(t.Context(), OutlineParams{Path: "gen/b.ts"}); err != nil {
		t.Error(err)
	}
}

func TestBlockedFilesNeverShow(t *testing.T) {
	ws := workspace(t, map[string]string{
		".rooignore": "secret/\n", "a.ts": "export function f() {}\n", "secret/s.ts": "f()\n",
	})
	link := filepath.Join(ws.Root(), "harmless.ts")
	if err := os.Symlink(filepath.Join(ws.Root(), "secret", "s.ts"), link); err != nil {
		t.Fatal(err)
	}
	// The root is also reached through a link.
	alias := filepath.Join(t.TempDir(), "alias")
	if err := os.Symlink(ws.Root(), alias); err != nil {
		t.Fatal(err)
	}
	linked, err := index.Open(t.Context(), alias, index.Options{})
	if err != nil {
		t.Fatal(err)
	}
	defer linked.Close()
	e := New(linked, &words{}, Options{Dir: alias})
	for _, path := range []string{"secret/s.ts", "harmless.ts", link, filepath.Join(alias, "secret", "s.ts")} {
		_, err := e.FindReferences(t.Context(), FindReferencesParams{Symbol: "f", FilePath: path})
		code(t, err, AccessDenied)
		_, err = e.ReadFunction(t.Context(), ReadFunctionParams{Symbol: "f", FilePath: path})
		code(t, err, AccessDenied)
		_, err = e.Outline(t.Context(), OutlineParams{Path: path})
		code(t, err, AccessDenied)
		_, err = e.Definition(t.Context(), PlacesParams{Symbol: "f", FilePath: path})
		code(t, err, AccessDenied)
	}
	a, err := e.FindReferences(t.Context(), FindReferencesParams{Symbol: "f", FilePath: "a.ts"})
	if err != nil || a.Total != 1 {
		t.Errorf("%+v, %v", a, err)
	}
}

func TestEncodings(t *testing.T) {
	ws := workspace(t, map[string]string{
		"bom.ts":    "\ufeffexport function f() {}\r\nf()\r\n",
		"latin.ts":  "import { f } from './bom' // caf\xe9\nf() // \xff\n",
		"emoji.tsx": "import { f } from './bom'\nconst s = '😀'; f()\n",
	})
	a, err := New(ws, &words{}, Options{}).FindReferences(t.Context(), FindReferencesParams{Symbol: "f", FilePath: "bom.ts"})
	if err != nil {
		t.Fatal(err)
	}
	diff(t, a.Lines("", ""), "bom.ts:1:17:export function f() {}\nbom.ts:2:1:f()\n"+
		"emoji.tsx:1:10:import { f } from './bom'\nemoji.tsx:2:19:const s = '😀'; f()\n"+
		"latin.ts:1:10:import { f } from './bom' // caf\ufffd\nlatin.ts:2:1:f() // \ufffd\n")
	emoji := a.Files[1].Groups[0].References[1]
	if emoji.Character != 16 || emoji.EndCharacter != 17 {
		t.Errorf("the characters behind an emoji are %d to %d, want 16 to 17", emoji.Character, emoji.EndCharacter)
	}
}

func TestPathsWithSpecialCharacters(t *testing.T) {
	const name = "sp ace/#%+@é.ts"
	ws := workspace(t, map[string]string{name: "export function f() {}\n"})
	e := New(ws, &words{}, Options{Dir: filepath.Join(ws.Root(), "sp ace")})
	a, err := e.FindReferences(t.Context(), FindReferencesParams{Symbol: "f", FilePath: "#%+@é.ts"})
	if err != nil {
		t.Fatal(err)
	}
	diff(t, a.Lines("", ""), name+":1:17:export function f() {}\n")
}

func TestConcurrentCalls(t *testing.T) {
	ws := workspace(t, map[string]string{"a.ts": many(40), "b.ts": "import { f } from './a'\nf()\n"})
	e := New(ws, &words{}, Options{})
	var calls sync.WaitGroup
	for range 8 {
		calls.Go(func() {
			a, err := e.FindReferences(t.Context(), FindReferencesParams{Symbol: "f", FilePath: "a.ts"})
			if err != nil || a.Total != 42 {
				t.Errorf("%+v, %v", a, err)
			}
			if _, err := e.ReadFunction(t.Context(), ReadFunctionParams{Symbol: "f"}); err != nil {
				t.Error(err)
			}
			if _, err := e.Outline(t.Context(), OutlineParams{Path: "."}); err != nil {
				t.Error(err)
			}
		})
	}
	calls.Wait()
}

func TestReferencesCharactersAreInTheirLines(t *testing.T) {
	// A name that the text shows must stand where the numbers say.
	ws := workspace(t, map[string]string{"a.ts": "const é = 1; export function f() { return f() }\n"})
	a, err := New(ws, &words{}, Options{}).FindReferences(t.Context(), FindReferencesParams{Symbol: "f", FilePath: "a.ts"})
	if err != nil {
		t.Fatal(err)
	}
	for _, r := range a.JSON().References {
		doc := symbols.NewDocument(r.File, []byte("const é = 1; export function f() { return f() }\n"))
		start, err := doc.PointOffset(symbols.Point{Line: r.Line, Column: r.Column})
		if err != nil || string(doc.Text()[start:start+r.EndColumn-r.Column]) != "f" {
			t.Errorf("%+v does not hold the name (%v)", r, err)
		}
	}
}

func TestFilesOutsideNeedApproval(t *testing.T) {
	outside := filepath.Join(t.TempDir(), "o.ts")
	writeFile(t, outside, "export function o() {}\n")
	ws := workspace(t, map[string]string{"a.ts": ""})
	read := func(o Options) error {
		_, err := New(ws, &words{}, o).ReadFunction(t.Context(), ReadFunctionParams{Symbol: "o", FilePath: outside})
		return err
	}
	answer := func(yes bool) Approver {
		return func(_ context.Context, r ApprovalRequest) (ApprovalDecision, error) {
			if r.Kind != ExternalRead || r.Path == "" {
				t.Errorf("request %+v", r)
			}
			return ApprovalDecision{Approved: yes}, nil
		}
	}
	code(t, read(Options{}), OutsideWorkspace)
	code(t, read(Options{ReadExternal: PolicyDeny, Approver: answer(true)}), OutsideWorkspace)
	if e := code(t, read(Options{Approver: answer(false)}), Denied); e.Message != "The user denied this operation." {
		t.Errorf("message %q", e.Message)
	}
	for _, o := range []Options{{ReadExternal: PolicyAllow}, {Approver: answer(true)}} {
		if err := read(o); err != nil {
			t.Error(err)
		}
	}
	// A large answer is another question: allowing it does not open the disk.
	code(t, read(Options{Policy: PolicyAllow}), OutsideWorkspace)
}
