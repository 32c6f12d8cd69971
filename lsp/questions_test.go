package lsp_test

import (
	"errors"
	"os"
	"path/filepath"
	"slices"
	"testing"

	"github.com/rogpeppe/go-internal/txtar"
	"go.lsp.dev/protocol"

	"codeintel/lsp"
	"codeintel/lsp/lsptest"
)

// callers are the same functions in each language: outer calls «def:inner»
// behind characters of one and two UTF-16 units, inner calls leaf.
func callers() map[lsp.Kind]string {
	const script = "/* é😀 */ export function outer() { return /* 😀 */ «inner»(); }\r\n" +
		"export function «def:inner»() { return leaf(); }\r\nfunction leaf() { return 1; }\r\n"
	return map[lsp.Kind]string{
		lsp.Gopls: "-- go.mod --\nmodule m\n\ngo 1.20\n-- a b+@#/x%41ü.go --\npackage a\r\n\r\n" +
			"func outer() { /* é😀 */ «inner»() }\r\n\r\nfunc «def:inner»() { leaf() }\r\n\r\nfunc leaf() {}\r\n",
		lsp.TypeScript: "-- tsconfig.json --\n{}\n-- a b+@#/x%41ü.ts --\n" + script,
		lsp.TSServer:   "-- tsconfig.json --\n{}\n-- a b+@#/x%41ü.ts --\n" + script,
		lsp.Pyright: "-- a b+@#/x%41ü.py --\r\ndef outer(): \"é😀\"; return «inner»()\r\n" +
			"def «def:inner»(): return leaf()\r\ndef leaf(): pass\r\n",
	}
}

// Every question to every server, in a workspace with a hard name, about text
// with hard characters.
func TestQuestions(t *testing.T) {
	for kind, archive := range callers() {
		t.Run(string(kind), func(t *testing.T) {
			w := unpackIn(t, hardFolder(t), txtar.Parse([]byte(archive)))
			s := lsptest.Server(t, lsptest.Pool(t, w.root), kind)
			w.open(t, s)
			if got := w.references(t.Context(), t, s); !slices.Equal(got, w.marks) {
				t.Errorf("references: got %v, want %v", got, w.marks)
			}
			path := w.defPath(t)
			use := w.use(t)
			found, err := s.Definition(t.Context(), path, use)
			if err != nil || len(found) != 1 || found[0].Range.Start != w.def.Range.Start || !same(t, found[0].URI, path) {
				t.Errorf("definition: got %v, %v; want %v", found, err, w.def)
			}
			items, err := s.PrepareCallHierarchy(t.Context(), path, w.def.Range.Start)
			if err != nil || len(items) != 1 || items[0].Name != "inner" || items[0].SelectionRange.Start != w.def.Range.Start {
				t.Fatalf("call hierarchy: got %v, %v", items, err)
			}
			in, err := s.IncomingCalls(t.Context(), items[0])
			if err != nil || len(in) != 1 || in[0].From.Name != "outer" || !same(t, in[0].From.URI, path) ||
				len(in[0].FromRanges) != 1 || in[0].FromRanges[0].Start != use {
				t.Errorf("incoming: got %+v, %v; want outer at %v", in, err, use)
			}
			out, err := s.OutgoingCalls(t.Context(), items[0])
			if err != nil || len(out) != 1 || out[0].To.Name != "leaf" || len(out[0].FromRanges) != 1 {
				t.Errorf("outgoing: got %+v, %v", out, err)
			}
		})
	}
}

// hardFolder makes a folder whose name servers escape differently.
func hardFolder(t *testing.T) string {
	t.Helper()
	dir := filepath.Join(t.TempDir(), "we ird#%+@&=[ü😀]")
	if err := os.Mkdir(dir, 0o777); err != nil {
		t.Fatal(err)
	}
	return dir
}

func same(t *testing.T, u protocol.DocumentURI, path string) bool {
	t.Helper()
	got, err := lsp.PathOf(u)
	if err != nil {
		t.Error(err)
	}
	return got == path
}

// Interfaces and what implements them.
func TestImplementation(t *testing.T) {
	const script = "-- tsconfig.json --\n{}\n-- a.ts --\nexport interface «def:I» { m(): void }\n-- b.ts --\nimport { I } from \"./a\";\nexport class «C» implements I { m() {} }\n"
	for kind, archive := range map[lsp.Kind]string{
		lsp.Gopls:      "-- go.mod --\nmodule m\n\ngo 1.20\n-- a/a.go --\npackage a\n\ntype «def:I» interface{ M() }\n-- b/b.go --\npackage b\n\ntype «C» int\n\nfunc (C) M() {}\n",
		lsp.TypeScript: script,
		lsp.TSServer:   script,
	} {
		t.Run(string(kind), func(t *testing.T) {
			w := unpack(t, txtar.Parse([]byte(archive)))
			s := lsptest.Server(t, lsptest.Pool(t, w.root), kind)
			w.open(t, s)
			found, err := s.Implementation(t.Context(), w.defPath(t), w.def.Range.Start)
			if err != nil || len(found) != 1 {
				t.Fatalf("got %v, %v", found, err)
			}
			path, err := lsp.PathOf(found[0].URI)
			if got := w.shown(path, found[0].Range.Start); err != nil || !slices.Contains(w.marks, got) {
				t.Errorf("got %s, %v; want one of %v", got, err, w.marks)
			}
		})
	}
}

// A question that a server does not know is an error of its own.
func TestUnsupported(t *testing.T) {
	s := lsptest.Server(t, lsptest.Pool(t, t.TempDir()), lsp.Pyright)
	if _, err := s.Implementation(t.Context(), "/w/a.py", protocol.Position{}); !errors.Is(err, lsp.ErrUnsupported) {
		t.Errorf("got %v", err)
	}
}

// A server's mistakes in the text are published for open documents.
func TestDiagnostics(t *testing.T) {
	for _, p := range projects() {
		if p.kind == lsp.TypeScript {
			continue // it is asked for them
		}
		t.Run(string(p.kind), func(t *testing.T) {
			w := unpack(t, txtar.Parse([]byte(p.archive)))
			s := lsptest.Server(t, lsptest.Pool(t, w.root), p.kind)
			path := filepath.Join(w.root, p.user)
			if err := s.Open(t.Context(), path, languageID(path), w.texts[path]+"\n((\n"); err != nil {
				t.Fatal(err)
			}
			eventually(t, "mistakes are published", func() bool { return len(s.Diagnostics(path)) > 0 })
		})
	}
}

// Survey starts them all.
func TestSurvey(t *testing.T) {
	got := lsp.Survey(t.Context(), lsp.Options{Root: t.TempDir(), DataDir: lsptest.DataDir(t)})
	if len(got) != len(lsp.Kinds()) {
		t.Fatalf("got %+v", got)
	}
	for i, st := range got {
		if st.Kind != lsp.Kinds()[i] || st.Accepted == "" || st.Install == "" ||
			(st.Err == nil) != (st.Version != "" && st.Path != "" && st.Origin != "") {
			t.Errorf("got %+v", st)
		}
	}
	// Nothing is there, nothing is installed.
	empty := lsp.Survey(t.Context(), lsp.Options{Root: t.TempDir(), DataDir: t.TempDir(), NoInstall: true, Env: []string{"PATH="}})
	for _, st := range empty {
		if st.Err == nil || st.Version != "" || st.Install == "" {
			t.Errorf("nothing there: got %+v", st)
		}
	}
}
