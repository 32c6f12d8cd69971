package main

import (
	"bytes"
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"

	"codeintel/symbols"
)

// TestIndex measures a small folder with a codeintel that only writes to its
// cache.
func TestIndex(t *testing.T) {
	var out bytes.Buffer
	s := fakes(t, &out)
	dir := t.TempDir()
	writeFile(t, filepath.Join(dir, "a.go"), "package a\n")
	writeFile(t, filepath.Join(dir, "b.ts"), "let b;\n")
	writeFile(t, filepath.Join(dir, "c.txt"), "c\n")
	writeFile(t, filepath.Join(dir, "large.go"), "package a\n"+strings.Repeat(" ", maxIndexed))
	files, err := listSources(t.Context(), dir)
	if err != nil {
		t.Fatal(err)
	}
	if diff := cmp.Diff([]string{"a.go", "b.ts"}, files.paths); diff != "" || files.bytes != 17 || files.golang != 1 {
		t.Errorf("%d bytes, %d Go, files (-want +got):\n%s", files.bytes, files.golang, diff)
	}
	used, note, err := s.indexOnce(t.Context(), dir, t.TempDir())
	if err != nil || note != "1.5 MB on disk" || used.memory == 0 {
		t.Errorf("%+v, %q, error %v", used, note, err)
	}
	if _, err := listSources(t.Context(), filepath.Join(dir, "none")); err == nil {
		t.Error("a folder that is not there has sources")
	}
}

func TestSources(t *testing.T) {
	dir := t.TempDir()
	got, err := settings{dirs: []string{dir}}.sources(t.Context(), dir)
	if diff := cmp.Diff([]string{dir}, got); diff != "" || err != nil {
		t.Errorf("error %v, folders:\n%s", err, diff)
	}
	if _, err := (settings{}).sources(t.Context(), dir); err == nil {
		t.Error("nothing to index is no error")
	}
	writeFile(t, filepath.Join(dir, "x.unpacked", "package", "a.ts"), "")
	writeFile(t, filepath.Join(dir, "x-1.0.0.tgz"), "")
	writeFile(t, filepath.Join(dir, "x", "a.ts"), "")
	if err := removeDownloads(dir, "x"); err != nil {
		t.Fatal(err)
	}
	left, err := filepath.Glob(filepath.Join(dir, "*"))
	if diff := cmp.Diff([]string{filepath.Join(dir, "x")}, left); diff != "" || err != nil {
		t.Errorf("error %v, left:\n%s", err, diff)
	}
}

func TestBaselines(t *testing.T) {
	dir := t.TempDir()
	files := &sourceFiles{dir: dir, paths: []string{"a.go", "sub/b c.ts"}}
	writeFile(t, filepath.Join(dir, "a.go"), "package a\n")
	writeFile(t, filepath.Join(dir, "sub", "b c.ts"), "let b;\n")
	list := filepath.Join(dir, "list")
	if err := files.write(list); err != nil {
		t.Fatal(err)
	}
	for name, want := range map[string]string{"read": "17\n", "tree-sitter": "17\n", "extract": "17\n", "go/parser": "10\n"} {
		var out bytes.Buffer
		if err := runBaseline(&out, []string{name, list}); err != nil || out.String() != want {
			t.Errorf("%s: printed %q, error %v, want %q", name, out.String(), err, want)
		}
	}
	for _, args := range [][]string{nil, {"read"}, {"nonsense", list}, {"read", list + "x"}} {
		if err := runBaseline(&bytes.Buffer{}, args); err == nil {
			t.Errorf("%q: no error", args)
		}
	}
	if err := os.Remove(filepath.Join(dir, "a.go")); err != nil {
		t.Fatal(err)
	}
	if err := runBaseline(&bytes.Buffer{}, []string{"read", list}); err == nil {
		t.Error("a file that is gone: no error")
	}
}

// TestTree makes a synthetic tree and looks at its files with the extractor.
func TestTree(t *testing.T) {
	const n = perFolder*perFolder + 2
	root := t.TempDir()
	if err := growTree(root, n); err != nil {
		t.Fatal(err)
	}
	found := map[string]bool{}
	for i := range n {
		text, err := os.ReadFile(filepath.Join(root, pathOfFile(i)))
		if err != nil {
			t.Fatal(err)
		}
		if i >= 60 && i < n-3 {
			continue // the files are alike
		}
		outline, err := symbols.Extract(symbols.NewDocument(pathOfFile(i), text))
		if err != nil {
			t.Fatal(err)
		}
		if len(outline.Lookup(symbolOf(i))) != 1 || len(outline.Errors()) > 0 {
			t.Errorf("%s does not define %s, or has errors:\n%s", pathOfFile(i), symbolOf(i), text)
		}
		if other := symbolOf(i / 2); len(outline.Named(other)) == 0 {
			t.Errorf("%s does not use %s", pathOfFile(i), other)
		}
		found[symbolOf(i)] = true
	}
	if len(found) != 63 {
		t.Errorf("%d different symbols", len(found))
	}
}

func TestScanTree(t *testing.T) {
	s := fakes(t, nil)
	row, err := s.scanTree(t.Context(), 60, t.TempDir())
	if err != nil {
		t.Fatal(err)
	}
	columns := strings.Split(row, "\t")
	if len(columns) != 9 || columns[0] != "60" || strings.Join(columns[2:5], " ") != "1.5 20.0 0.3" {
		t.Errorf("row %q", columns)
	}
}

func TestParseTiming(t *testing.T) {
	got, err := parseTiming([]byte("noise\n{\"level\":1}\n" + `{"openMicros":0,"scanMicros":20,"lookupMicros":3000}`))
	if want := (timing{0, 20 * time.Microsecond, 3 * time.Millisecond}); got != want || err != nil {
		t.Errorf("%+v, error %v", got, err)
	}
	for _, text := range []string{"", "noise", `{"openMicros":1,"scanMicros":2}`} {
		if _, err := parseTiming([]byte(text)); err == nil {
			t.Errorf("%q: no error", text)
		}
	}
}

func TestArguments(t *testing.T) {
	for _, args := range [][]string{nil, {"nonsense"}, {"scan", "x"}, {"servers", "x"}, {"index"}, {"index", "-none"}} {
		if err := run(t.Context(), args, &bytes.Buffer{}); err == nil {
			t.Errorf("%v: no error", fmt.Sprint(args))
		}
	}
}
