package refs_test

import (
	"errors"
	"fmt"
	"path/filepath"
	"strings"
	"syscall"
	"testing"

	"codeintel/index"
	"codeintel/refs"
)

// TestOverlay asks while a document has an unsaved text: the server is told of
// it though no question needs the document open.
func TestOverlay(t *testing.T) {
	root := goWorkspace(t)
	writeFile(t, filepath.Join(root, "b.go"), "package m\n\nvar B = Target()\n")
	ws, f := engine(t, root, refs.Options{})
	ws.Apply(index.Change{Path: "b.go", Text: []byte("package m\n\n// a longer line than before\n\nvar B = Target() + Target()\n")})
	s := ws.Snapshot()
	defer s.Release()
	r, err := f.Find(t.Context(), s, targetQuery)
	if err != nil {
		t.Fatal(err)
	}
	if len(r.References) != 5 {
		t.Errorf("%d references, want 5", len(r.References))
	}
	for _, ref := range r.References {
		doc, err := s.Document(ref.Path)
		if err != nil {
			t.Fatal(err)
		}
		if got := string(doc.Text()[ref.Range.Start:ref.Range.End]); got != "Target" {
			t.Errorf("%s:%d:%d holds %q", ref.Path, ref.Line, ref.Column, got)
		}
	}
}

// TestOlderSnapshot asks about an older state after a newer one: what the server
// says now does not fit it, unless nothing is different.
func TestOlderSnapshot(t *testing.T) {
	root := goWorkspace(t)
	ws, f := engine(t, root, refs.Options{})
	old := ws.Snapshot()
	defer old.Release()
	find(t, ws, f, 3, refs.Exact)
	writeFile(t, filepath.Join(root, "a.go"), "package m\n\nfunc use() int { return 2 }\n\nvar X = use() + use()\n\nfunc Target() int { return 1 }\n")
	find(t, ws, f, 1, refs.Exact)
	if r, err := f.Find(t.Context(), old, targetQuery); !errors.Is(err, refs.ErrOutdated) {
		t.Errorf("references in an older snapshot: %+v, %v; want ErrOutdated", r, err)
	}
	if p, err := f.Definition(t.Context(), old, targetQuery); !errors.Is(err, refs.ErrOutdated) {
		t.Errorf("definition in an older snapshot: %+v, %v; want ErrOutdated", p, err)
	}
	if p, err := f.Callers(t.Context(), old, targetQuery); !errors.Is(err, refs.ErrOutdated) {
		t.Errorf("callers in an older snapshot: %+v, %v; want ErrOutdated", p, err)
	}
	find(t, ws, f, 1, refs.Exact)
}

// TestSameOlderSnapshot asks about an older snapshot that shows the same texts as
// the one that the server is at.
func TestSameOlderSnapshot(t *testing.T) {
	root := goWorkspace(t)
	ws, f := engine(t, root, refs.Options{})
	old := ws.Snapshot()
	defer old.Release()
	ws.Apply(index.Change{Path: "b.go", Text: []byte("package m\n\nvar B = Target()\n")})
	find(t, ws, f, 4, refs.Exact)
	ws.Apply(index.Change{Path: "b.go", Closed: true})
	find(t, ws, f, 3, refs.Exact)
	r, err := f.Find(t.Context(), old, targetQuery)
	if err != nil || r.Precision != refs.Exact || len(r.References) != 3 {
		t.Errorf("got %+v, %v; want 3 exact references", r, err)
	}
}

// TestMemoryLimit asks 130 projects of a server that is always too large: in turn,
// and that is said once.
func TestMemoryLimit(t *testing.T) {
	const options = `{"compilerOptions": {"target": "es2022", "module": "esnext", "moduleResolution": "bundler"}, "files": ["%s"]}`
	files := map[string]string{"tsconfig.json": fmt.Sprintf(options, "src/a.ts"), "src/a.ts": "export class Thing {}\n"}
	const projects = 130
	for i := range projects {
		files[fmt.Sprintf("p%03d/tsconfig.json", i)] = fmt.Sprintf(options, "use.ts")
		files[fmt.Sprintf("p%03d/use.ts", i)] = "import { Thing } from \"../src/a\";\nexport const t = new Thing();\n"
	}
	r := references(t, lay(t, files), refs.Options{MemoryLimit: 1}, refs.Query{Symbol: "Thing", Path: "src/a.ts", Tier: refs.Exact})
	if want := 1 + 2*projects; len(r.References) != want || !r.Coverage.Complete {
		t.Errorf("%d references, complete %v; want %d, true", len(r.References), r.Coverage.Complete, want)
	}
	if len(r.Notes) != 1 {
		t.Errorf("notes %q, want one", r.Notes)
	}
}

// TestManyProjects asks about two merged declarations in more projects than are
// opened at once: the second is asked about in every batch.
func TestManyProjects(t *testing.T) {
	root := tempRoot(t)
	const options = `{"compilerOptions": {"target": "es2022", "module": "esnext", "moduleResolution": "bundler"}, "files": ["%s"]}`
	writeFile(t, filepath.Join(root, "tsconfig.json"), fmt.Sprintf(options, "src/a.ts"))
	writeFile(t, filepath.Join(root, "src/a.ts"), "export interface Thing { x: number }\nexport const Thing = { x: 1 };\n")
	const projects = 45
	for i := range projects {
		dir := filepath.Join(root, fmt.Sprintf("p%02d", i))
		writeFile(t, filepath.Join(dir, "tsconfig.json"), fmt.Sprintf(options, "use.ts"))
		writeFile(t, filepath.Join(dir, "use.ts"), "import { Thing } from \"../src/a\";\nexport const t: Thing = { x: 2 };\nexport const v = Thing.x;\n")
	}
	ws, f := engine(t, root, refs.Options{})
	s := ws.Snapshot()
	defer s.Release()
	r, err := f.Find(t.Context(), s, refs.Query{Symbol: "Thing", Path: "src/a.ts", Tier: refs.Exact})
	if err != nil {
		t.Fatal(err)
	}
	if want := 2 + 3*projects; len(r.References) != want || !r.Coverage.Complete {
		t.Errorf("%d references, complete %v; want %d, true", len(r.References), r.Coverage.Complete, want)
	}
}

// TestWarmPipe warms up at a named pipe: reading it would hang for ever.
func TestWarmPipe(t *testing.T) {
	root := tempRoot(t)
	pipe := filepath.Join(root, "pipe.go")
	if err := syscall.Mkfifo(pipe, 0o600); err != nil {
		t.Fatal(err)
	}
	_, f := engine(t, root, refs.Options{})
	f.Warm(t.Context(), root, pipe)
}

// TestLostLocations has a reference in a file over the size that can be read, and
// another symbol of the name in an access-blocked file: the first makes the
// answer incomplete, the second is judged without being shown.
func TestLostLocations(t *testing.T) {
	root := goWorkspace(t)
	writeFile(t, filepath.Join(root, "big.go"), "package m\n\nvar big = Target()\n"+strings.Repeat("// filler\n", 2_100_000))
	writeFile(t, filepath.Join(root, ".rooignore"), "secret/\n")
	writeFile(t, filepath.Join(root, "secret/s.go"), "package secret\n\nfunc Target() int { return 2 }\n")
	writeFile(t, filepath.Join(root, "use/u.go"), "package use\n\nimport \"example.com/m/secret\"\n\nvar U = secret.Target()\n")
	ws, f := engine(t, root, refs.Options{})
	s := ws.Snapshot()
	defer s.Release()
	r, err := f.Find(t.Context(), s, targetQuery)
	if err != nil {
		t.Fatal(err)
	}
	if r.Coverage.Complete || !strings.Contains(r.Reason, "1 reference lies in files that cannot be read") {
		t.Errorf("complete %v, reason %q", r.Coverage.Complete, r.Reason)
	}
	if len(r.References) != 3 || len(r.Unconfirmed) != 0 || r.Elsewhere != 1 {
		t.Errorf("%d references, %d unconfirmed, %d elsewhere; want 3, 0, 1: %+v", len(r.References), len(r.Unconfirmed), r.Elsewhere, r.Unconfirmed)
	}
}
