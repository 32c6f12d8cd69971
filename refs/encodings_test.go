package refs_test

import (
	"os"
	"path/filepath"
	"strings"
	"testing"

	"codeintel/refs"
	"codeintel/symbols"
)

// encodings are ways in which the same two files can be written. Where a
// reference is must not depend on them, except that a byte column counts bytes.
var encodings = []struct {
	name   string
	change func(text string) string
	// extra is how many bytes stand before the second reference on its line
	// beside those of the plain text.
	extra int
}{
	{"plain", func(s string) string { return s }, 0},
	{"crlf", func(s string) string { return strings.ReplaceAll(s, "\n", "\r\n") }, 0},
	{"bom", func(s string) string { return "\ufeff" + s }, 0},
	{"bom and crlf", func(s string) string { return "\ufeff" + strings.ReplaceAll(s, "\n", "\r\n") }, 0},
	{"emoji", func(s string) string { return strings.ReplaceAll(s, "/*x*/", "/*😀👨‍👩‍👧*/") }, len("😀👨‍👩‍👧") - 1},
	{"latin-1", func(s string) string { return strings.ReplaceAll(s, "/*x*/", "/*gr\xf6\xdfe*/") }, 4},
	{"cut utf-8", func(s string) string { return strings.ReplaceAll(s, "/*x*/", "/*\xe2\x82*/") }, 1},
	{"no final newline", func(s string) string { return strings.TrimSuffix(s, "\n") }, 0},
}

var encodingFiles = map[string]map[string]string{
	"go": {
		"go.mod": "module example.com/m\n\ngo 1.26\n",
		"a.go":   "package m\n\nfunc Target() int { return 1 }\n",
		"b.go":   "package m\n\nvar b = /*x*/ Target()\n",
	},
	"ts": {
		"tsconfig.json": `{"compilerOptions": {"target": "es2022", "module": "esnext", "moduleResolution": "bundler"}}`,
		"a.ts":          "// a comment first\n\nexport function Target() { return 1 }\n",
		"b.ts":          "import { Target } from \"./a\";\n\nconst b = /*x*/ Target()\n",
	},
}

func TestEncodings(t *testing.T) {
	for lang, files := range encodingFiles {
		for _, e := range encodings {
			t.Run(lang+" "+e.name, func(t *testing.T) {
				root := tempRoot(t)
				for name, text := range files {
					if strings.HasSuffix(name, "."+lang) {
						text = e.change(text)
					}
					writeFile(t, filepath.Join(root, name), text)
				}
				plain := strings.Index(strings.Split(files["b."+lang], "\n")[2], "Target") + 1
				checkTarget(t, root, lang, plain+e.extra)
			})
		}
	}
}

// checkTarget asks for Target and checks that the use on line 3 of b is found,
// at the byte column, and that the bytes there are the name.
func checkTarget(t *testing.T, root, lang string, column int) {
	t.Helper()
	ws, f := engine(t, root, refs.Options{})
	s := ws.Snapshot()
	defer s.Release()
	r, err := f.Find(t.Context(), s, refs.Query{Symbol: "Target", Path: "a." + lang, Tier: refs.Exact})
	if err != nil {
		t.Fatal(err)
	}
	if !r.Coverage.Complete {
		t.Errorf("incomplete: %s", r.Reason)
	}
	found := false
	for _, ref := range r.References {
		doc, err := s.Document(ref.Path)
		if err != nil {
			t.Fatal(err)
		}
		if got := string(doc.Text()[ref.Range.Start:ref.Range.End]); got != "Target" {
			t.Errorf("%s:%d:%d holds %q", ref.Path, ref.Line, ref.Column, got)
		}
		found = found || ref.Path == "b."+lang && ref.Line == 3 && ref.Column == column
	}
	if !found {
		t.Errorf("no reference at b.%s:3:%d: %+v", lang, column, r.References)
	}
	// The same place, asked about as a position.
	at, err := f.Find(t.Context(), s, refs.Query{Path: "b." + lang, Point: symbols.Point{Line: 3, Column: column}, Tier: refs.Exact})
	if err != nil || len(at.References) != len(r.References) {
		t.Errorf("asked at the use: %v, %v", at, err)
	}
}

// TestPaths puts the workspace below names that URIs must escape.
func TestPaths(t *testing.T) {
	for lang, files := range encodingFiles {
		for _, dir := range []string{"with space", "a#b", "100%", "%41", "c++", "at@home", "ümläut", "q?[x]{y}"} {
			t.Run(lang+" "+dir, func(t *testing.T) {
				root := filepath.Join(tempRoot(t), dir)
				for name, text := range files {
					writeFile(t, filepath.Join(root, name), text)
				}
				plain := strings.Index(strings.Split(files["b."+lang], "\n")[2], "Target") + 1
				checkTarget(t, root, lang, plain)
			})
		}
	}
}

// TestSymlinkedRoot asks in a workspace that is reached through a link.
func TestSymlinkedRoot(t *testing.T) {
	real := filepath.Join(tempRoot(t), "real")
	for name, text := range encodingFiles["ts"] {
		writeFile(t, filepath.Join(real, name), text)
	}
	link := filepath.Join(tempRoot(t), "link")
	if err := os.Symlink(real, link); err != nil {
		t.Fatal(err)
	}
	checkTarget(t, link, "ts", strings.Index("const b = /*x*/ Target()", "Target")+1)
}
