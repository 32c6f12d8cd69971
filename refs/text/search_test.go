package text_test

import (
	"context"
	"fmt"
	"math/rand"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"codeintel/refs/text"
	"codeintel/symbols"
)

func check(t testing.TB, err error) {
	t.Helper()
	if err != nil {
		t.Fatal(err)
	}
}

// plant writes files into a new folder and returns it with the names.
func plant(t testing.TB, files map[string]string) (root string, names []string) {
	t.Helper()
	root = t.TempDir()
	for name, content := range files {
		full := filepath.Join(root, name)
		check(t, os.MkdirAll(filepath.Dir(full), 0o755))
		check(t, os.WriteFile(full, []byte(content), 0o644))
		names = append(names, name)
	}
	return root, names
}

// ripgrep returns the path of rg.
func ripgrep(t testing.TB) string {
	t.Helper()
	rg, err := exec.LookPath("rg")
	if err != nil {
		t.Skip("rg is not on PATH")
	}
	return rg
}

// both searches with rg and in Go, fails if they differ, and returns the matches
// and the skipped files.
func both(t *testing.T, o text.Options, root string, files []string, word string) ([]text.Match, []string) {
	t.Helper()
	search := func(rg string) ([]text.Match, []string) {
		var skipped []string
		o.RG = rg
		o.Skipped = func(path string, err error) { skipped = append(skipped, fmt.Sprintf("%s: %v", path, err)) }
		found, err := text.Search(context.Background(), o, root, files, word)
		check(t, err)
		return found, skipped
	}
	found, skipped := search("")
	foundByRG, skippedByRG := search(ripgrep(t))
	if diff := cmp.Diff(found, foundByRG); diff != "" {
		t.Errorf("matches of %q (-Go +rg):\n%s", word, diff)
	}
	if diff := cmp.Diff(skipped, skippedByRG); diff != "" {
		t.Errorf("skipped files (-Go +rg):\n%s", diff)
	}
	return found, skipped
}

// brief writes matches as path:line:column@start.
func brief(ms []text.Match) []string {
	var out []string
	for _, m := range ms {
		out = append(out, fmt.Sprintf("%s:%d:%d@%d", m.Path, m.Line, m.Column, m.Start))
	}
	return out
}

func TestSearch(t *testing.T) {
	for _, c := range []struct {
		name  string
		files map[string]string
		word  string
		want  []string
	}{
		{"words", map[string]string{"a.go": "Name rename Name2 $Name x.Name,\n_Name NameName Name"}, "Name",
			[]string{"a.go:1:1@0", "a.go:1:27@26", "a.go:2:16@47"}},
		{"order", map[string]string{"b": "x", "a/b": "x\nx", "a-b": "x"}, "x", []string{"a-b:1:1@0", "a/b:1:1@0", "a/b:2:1@2", "b:1:1@0"}},
		{"dollar", map[string]string{"a.js": "$ref $refs a$ref this.$ref $"}, "$ref", []string{"a.js:1:1@0", "a.js:1:23@22"}},
		{"just a dollar", map[string]string{"a.js": "$ $( $$ a$ ${"}, "$", []string{"a.js:1:1@0", "a.js:1:3@2", "a.js:1:12@11"}},
		{"private name", map[string]string{"a.js": "#x this.#x a#x #xy x"}, "#x", []string{"a.js:1:1@0", "a.js:1:9@8", "a.js:1:13@12"}},
		{"behind a hash", map[string]string{"a.js": "#x @x"}, "x", []string{"a.js:1:2@1", "a.js:1:5@4"}},
		{"unicode", map[string]string{"a.py": "é éé aé é1 (é) e\u0301 café"}, "é", []string{"a.py:1:1@0", "a.py:1:18@17"}},
		{"marks belong to words", map[string]string{"a.py": "e e\u0301 e\u200dx e\u203fx e·"}, "e", []string{"a.py:1:1@0"}},
		{"unicode beside", map[string]string{"a.go": "Größe Gr Grö 世Gr Gr世 Gr，"}, "Gr", []string{"a.go:1:9@8", "a.go:1:29@28"}},
		{"astral", map[string]string{"a.ts": "😀x 𝒳x x𝒳 x😀"}, "x", []string{"a.ts:1:5@4", "a.ts:1:19@18"}},
		{"latin-1", map[string]string{"a.c": "caf\xe9 name\xe9 name \xe9name\n\xff name"}, "name", []string{"a.c:1:6@5", "a.c:1:12@11", "a.c:1:18@17", "a.c:2:3@24"}},
		{"CRLF", map[string]string{"a.ts": "x\r\ny x\r\n\r\nx"}, "x", []string{"a.ts:1:1@0", "a.ts:2:3@5", "a.ts:4:1@10"}},
		{"lone CR", map[string]string{"a.ts": "x\rx\nx"}, "x", []string{"a.ts:1:1@0", "a.ts:1:3@2", "a.ts:2:1@4"}},
		{"byte order mark", map[string]string{"a.ts": "\ufeffx\nx", "b.ts": "\ufeff\ufeffx"}, "x", []string{"a.ts:1:1@0", "a.ts:2:1@2", "b.ts:1:4@3"}},
		{"binary", map[string]string{"a": "x\x00", "b": strings.Repeat(" ", 8<<10) + "x\x00x", "utf32": "\xff\xfe\x00\x00x\x00\x00\x00", "elf": "\x7fELF\x00 x "}, "x",
			[]string{"b:1:8193@8192", "b:1:8195@8194"}},
		{"UTF-16", map[string]string{"le": "\xff\xfe\xe9\x00\r\x00\n\x00 \x00x\x00", "be": "\xfe\xff\x00x\x00x\x00 \x00x"}, "x",
			[]string{"be:1:4@3", "le:2:2@5"}},
		{"overlapping", map[string]string{"a": "a.a.a a.a"}, "a.a", []string{"a:1:1@0", "a:1:7@6"}},
		{"no word at all", map[string]string{"a": "----- --"}, "--", []string{"a:1:1@0", "a:1:3@2", "a:1:7@6"}},
		{"pattern characters", map[string]string{"a": "a.b axb (x)[y]* \\d"}, "a.b", []string{"a:1:1@0"}},
		{"case", map[string]string{"a": "X x"}, "x", []string{"a:1:3@2"}},
		{"odd names", map[string]string{"-x": "x", "--files": "x", "a b": "x", "a\nb": "x", "a:1:x": "x", "é": "x", "-": "x", "*": "x", "\xff": "x", ".hidden": "x", "node_modules/m": "x"}, "x",
			[]string{"*:1:1@0", "-:1:1@0", "--files:1:1@0", "-x:1:1@0", ".hidden:1:1@0", "a\nb:1:1@0", "a b:1:1@0", "a:1:x:1:1@0", "node_modules/m:1:1@0", "é:1:1@0", "\xff:1:1@0"}},
		{"ignored all the same", map[string]string{".gitignore": "*", ".ignore": "*", "a": "x"}, "x", []string{"a:1:1@0"}},
		{"empty", map[string]string{"a": ""}, "x", nil},
	} {
		t.Run(c.name, func(t *testing.T) {
			root, names := plant(t, c.files)
			found, skipped := both(t, text.Options{}, root, names, c.word)
			if diff := cmp.Diff(c.want, brief(found)); diff != "" {
				t.Errorf("matches (-want +got):\n%s", diff)
			}
			if skipped != nil {
				t.Errorf("skipped %q", skipped)
			}
			onDocuments(t, root, found, c.word)
		})
	}
}

// onDocuments checks that each match is the word in the text of the document, at
// the line and column that the document says.
func onDocuments(t *testing.T, root string, found []text.Match, word string) {
	t.Helper()
	for _, m := range found {
		raw, err := os.ReadFile(filepath.Join(root, m.Path))
		check(t, err)
		doc := symbols.NewDocument(m.Path, raw)
		if got := string(doc.Text()[m.Start:m.End]); got != word {
			t.Errorf("%s:%d:%d is %q, not %q", m.Path, m.Line, m.Column, got, word)
		}
		if p, err := doc.OffsetPoint(m.Start); err != nil || p.Line != m.Line || p.Column != m.Column {
			t.Errorf("%s: offset %d is at %v (%v), not %d:%d", m.Path, m.Start, p, err, m.Line, m.Column)
		}
	}
}

// TestUnreadable names files that are not there or are none.
func TestUnreadable(t *testing.T) {
	root, _ := plant(t, map[string]string{"a": "x", "dir/b": "x", "z": "x"})
	check(t, os.Symlink("nowhere", filepath.Join(root, "dangling")))
	found, skipped := both(t, text.Options{}, root, []string{"z", "missing", "a", "dir", "dangling", "a/b", "a", "dir/b"}, "x")
	if diff := cmp.Diff([]string{"a:1:1@0", "dir/b:1:1@0", "z:1:1@0"}, brief(found)); diff != "" {
		t.Errorf("matches (-want +got):\n%s", diff)
	}
	want := []string{
		"a/b: searching a/b: not a directory", "dangling: searching dangling: no such file or directory",
		"dir: searching dir: not a regular file", "missing: searching missing: no such file or directory",
	}
	if diff := cmp.Diff(want, skipped); diff != "" {
		t.Errorf("skipped (-want +got):\n%s", diff)
	}
}

func TestTooLarge(t *testing.T) {
	const limit = 20_480_000
	root, names := plant(t, map[string]string{"at": "x" + strings.Repeat(" ", limit-1), "over": "x" + strings.Repeat(" ", limit)})
	found, skipped := both(t, text.Options{}, root, names, "x")
	if diff := cmp.Diff([]string{"at:1:1@0"}, brief(found)); diff != "" || skipped != nil {
		t.Errorf("skipped %q, matches (-want +got):\n%s", skipped, diff)
	}
}

func TestOverlays(t *testing.T) {
	root, names := plant(t, map[string]string{"a.go": "x on disk", "b.go": "x"})
	o := text.Options{Overlays: map[string]*symbols.Document{
		"a.go":         symbols.NewDocument("a.go", []byte("\ufeffunsaved x")),
		"new.go":       symbols.NewDocument("new.go", []byte("\nx")),
		"not-asked.go": symbols.NewDocument("not-asked.go", []byte("x")),
	}}
	found, skipped := both(t, o, root, append(names, "new.go"), "x")
	if diff := cmp.Diff([]string{"a.go:1:9@8", "b.go:1:1@0", "new.go:2:1@1"}, brief(found)); diff != "" || skipped != nil {
		t.Errorf("skipped %q, matches (-want +got):\n%s", skipped, diff)
	}
}

func TestAbsolutePaths(t *testing.T) {
	root, _ := plant(t, map[string]string{"a.go": "x"})
	other, _ := plant(t, map[string]string{"-b.go": "x"})
	abs := filepath.Join(other, "-b.go")
	found, _ := both(t, text.Options{}, root, []string{"a.go", abs}, "x")
	if diff := cmp.Diff([]string{abs + ":1:1@0", "a.go:1:1@0"}, brief(found)); diff != "" {
		t.Errorf("matches (-want +got):\n%s", diff)
	}
}

func TestNoWord(t *testing.T) {
	for _, word := range []string{"", "a\nb", "a\rb", "a\x00"} {
		if _, err := text.Search(context.Background(), text.Options{}, t.TempDir(), nil, word); err == nil {
			t.Errorf("Search(%q): no error", word)
		}
	}
}

// TestRandomTexts compares the two ways of searching on texts that are made of
// what could tell them apart.
func TestRandomTexts(t *testing.T) {
	r := rand.New(rand.NewSource(3))
	parts := []string{"x", "x", "name", "nam", "e", "$", "_", "1", ".", " ", "\n", "\r\n", "\r", "é", "\u0301", "\xe9", "\xff\xfe", "😀", "\ufeff", "世", "\u200d", "\x00", "\u2028", "\v"}
	words := []string{"x", "name", "$", "_", "é", "x.x", "$x", "name1", "世", "\ufeff", "\xe9"}
	for round := range 40 {
		files := map[string]string{}
		for i := range 30 {
			var b strings.Builder
			for range r.Intn(60) {
				part := parts[r.Intn(len(parts))]
				if part == "\x00" && r.Intn(10) > 0 {
					continue
				}
				b.WriteString(part)
			}
			files[fmt.Sprintf("d%d/%d.txt", i%4, i)] = b.String()
		}
		root, names := plant(t, files)
		word := words[round%len(words)]
		found, _ := both(t, text.Options{}, root, names, word)
		onDocuments(t, root, found, word)
		for _, name := range names {
			want := wholeWords(files[name], word)
			got := 0
			for _, m := range found {
				if m.Path == name {
					got++
				}
			}
			if got != want {
				t.Fatalf("%d matches of %q in %q, want %d", got, word, files[name], want)
			}
		}
	}
}

// wholeWords counts words by another way than the package does: it cuts the text
// into runs of word characters first. It only knows words that are one such run;
// for others it returns what Words says.
func wholeWords(content, word string) int {
	content = string(symbols.Decode([]byte(content)))
	if strings.Contains(content[:min(len(content), 8<<10)], "\x00") {
		return 0
	}
	if strings.ContainsFunc(word, func(r rune) bool { return !text.IsWord(r) }) {
		return len(text.Words([]byte(content), word))
	}
	n := 0
	for _, run := range strings.FieldsFunc(content, func(r rune) bool { return !text.IsWord(r) }) {
		if run == word {
			n++
		}
	}
	return n
}

// TestRealSources searches Go's own sources, as a tree that nobody made up.
func TestRealSources(t *testing.T) {
	out, err := exec.Command("go", "env", "GOROOT").Output()
	check(t, err)
	root := filepath.Join(strings.TrimSpace(string(out)), "src", "go")
	var names []string
	check(t, filepath.WalkDir(root, func(p string, d os.DirEntry, err error) error {
		if err == nil && d.Type().IsRegular() {
			rel, _ := filepath.Rel(root, p)
			names = append(names, filepath.ToSlash(rel))
		}
		return err
	}))
	for _, word := range []string{"Name", "err", "_", "Underlying", "nowhere_to_be_found"} {
		found, skipped := both(t, text.Options{}, root, names, word)
		if skipped != nil || (len(found) == 0) != (word == "nowhere_to_be_found") {
			t.Errorf("%d matches of %q, skipped %q", len(found), word, skipped)
		}
		onDocuments(t, root, found[:min(len(found), 50)], word)
	}
}

func FuzzWords(f *testing.F) {
	f.Add("Name rename $Name\nName", "Name")
	f.Add("é \xe9 e\u0301", "é")
	f.Fuzz(func(t *testing.T, content, word string) {
		last := 0
		for _, r := range text.Words([]byte(content), word) {
			if r.Start < last || content[r.Start:r.End] != word {
				t.Errorf("range %v of %q in %q", r, word, content)
			}
			last = r.End
		}
	})
}

// The text of a notebook is that of its code, where its file has other bytes.
func TestNotebooks(t *testing.T) {
	root, names := plant(t, map[string]string{
		"a.ipynb":      `{"cells": [{"cell_type": "code", "source": "x = 1\nn\u00e9e = x", "outputs": ["x"]}, {"cell_type": "markdown", "source": "x"}]}`,
		"broken.ipynb": "{\n x",
		"c.py":         "x = née\n",
	})
	for word, want := range map[string][]string{
		"x":   {"a.ipynb:2:1@9", "a.ipynb:3:8@22", "broken.ipynb:2:2@3", "c.py:1:1@0"},
		"née": {"a.ipynb:3:1@15", "c.py:1:5@4"},
	} {
		found, _ := both(t, text.Options{}, root, names, word)
		if diff := cmp.Diff(want, brief(found)); diff != "" {
			t.Errorf("%s (-want +got):\n%s", word, diff)
		}
	}
}
