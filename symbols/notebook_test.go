package symbols_test

import (
	"bytes"
	"encoding/json"
	"errors"
	"strings"
	"testing"

	"codeintel/symbols"
)

func TestNotebookText(t *testing.T) {
	for _, c := range []struct {
		name, raw, text string
		language        symbols.Language
	}{
		{"list of strings", `{"nbformat":4,"cells":[{"cell_type":"code","source":["a = 1\n","b = 2"],"outputs":[{"text":["a = 3"]}]}]}`,
			"# %% [1]\na = 1\nb = 2\n", symbols.Python},
		{"string", `{"nbformat":4,"cells":[{"cell_type":"code","source":"a = 1\nb = 2\n"}]}`, "# %% [1]\na = 1\nb = 2\n", symbols.Python},
		{"cells of text count", `{"cells":[{"cell_type":"markdown","source":"a"},{"cell_type":"code","source":"b"},{"cell_type":"raw","source":"c"},{"cell_type":"code","source":"d"}]}`,
			"# %% [2]\nb\n# %% [4]\nd\n", symbols.Python},
		{"empty cell", `{"cells":[{"cell_type":"code","source":[]},{"cell_type":"code"},{"cell_type":"code","source":null}]}`,
			"# %% [1]\n\n# %% [2]\n\n# %% [3]\n\n", symbols.Python},
		{"format 3", `{"nbformat":3,"metadata":{"name":"x"},"worksheets":[{"cells":[{"cell_type":"heading","source":"h"},{"cell_type":"code","language":"python","input":["a\n","b"]}]},{"cells":[{"cell_type":"code","input":"c"}]}]}`,
			"# %% [2]\na\nb\n# %% [3]\nc\n", symbols.Python},
		{"format 3 in another language", `{"nbformat":3,"worksheets":[{"cells":[{"cell_type":"code","language":"Ruby","input":"a"}]}]}`, "# %% [1]\na\n", symbols.Ruby},
		{"kernel", `{"nbformat":4,"metadata":{"kernelspec":{"language":"typescript"},"language_info":{"name":"python"}},"cells":[]}`, "", symbols.TypeScript},
		{"language info", `{"nbformat":4,"metadata":{"language_info":{"name":"C++17"}},"cells":[]}`, "", symbols.CPP},
		{"no grammar", `{"nbformat":4,"metadata":{"kernelspec":{"language":"R"}},"cells":[{"cell_type":"code","source":"a <- 1"}]}`, "# %% [1]\na <- 1\n", "r"},
		{"no cells", `{"nbformat":4}`, "", symbols.Python},
		{"new", " \n", "", symbols.Python},
		{"byte order mark", "\xef\xbb\xbf" + `{"cells":[{"cell_type":"code","source":"é😀"}]}`, "# %% [1]\né😀\n", symbols.Python},
		{"escapes", `{"cells":[{"cell_type":"code","source":"\u0061\r\nb"}]}`, "# %% [1]\na\r\nb\n", symbols.Python},
	} {
		d := symbols.NewDocument("a/b.IPYNB", []byte(c.raw))
		if got := string(d.Text()); got != c.text || d.Language() != c.language {
			t.Errorf("%s: %q in %q, want %q in %q", c.name, got, d.Language(), c.text, c.language)
		}
		if _, err := symbols.Extract(d); c.language.HasGrammar() != (err == nil) || err != nil && !errors.Is(err, symbols.ErrNoGrammar) {
			t.Errorf("%s: %v", c.name, err)
		}
	}
}

func TestBrokenNotebook(t *testing.T) {
	for _, c := range []struct{ raw, want string }{
		{"{\n \"cells\": [\n <<<<<<< HEAD\n", "nb.ipynb is no notebook that can be read: line 3: invalid character '<' looking for beginning of value"},
		{`{"cells":[`, "nb.ipynb is no notebook that can be read: line 1: unexpected end of JSON input"},
		{`{"cells":[{"cell_type":"code","source":3}]}`, "nb.ipynb is no notebook that can be read: cells.source cannot be a JSON number"},
		{`[]`, "nb.ipynb is no notebook that can be read: it is a JSON array"},
		{`{}`, "nb.ipynb is no notebook that can be read: it has no cells"},
		{`null`, "nb.ipynb is no notebook that can be read: it has no cells"},
	} {
		d := symbols.NewDocument("nb.ipynb", []byte(c.raw))
		_, err := symbols.Extract(d)
		if !errors.Is(err, symbols.ErrNotebook) || err.Error() != c.want {
			t.Errorf("%q: %v, want %s", c.raw, err, c.want)
		}
		if got := string(d.Text()); got != c.raw || d.Language() != "" {
			t.Errorf("%q: text %q in %q, want the file's in none", c.raw, got, d.Language())
		}
	}
}

func TestCell(t *testing.T) {
	d := symbols.NewDocument("a.ipynb", []byte(`{"cells":[{"cell_type":"code","source":"a\n# %% [3]"},{"cell_type":"markdown"},{"cell_type":"code","source":"b\n"}]}`))
	want := []string{"", "#1:0", "#1:1", "#1:2", "#3:0", "#3:1", "#3:2", ""}
	for line, want := range want {
		c := d.Cell(line)
		if c.String() != want {
			t.Errorf("line %d: %s, want %s", line, c, want)
		}
		if back, ok := d.CellLine(c); ok != (want != "") || ok && back != line {
			t.Errorf("%s: line %d (%v), want %d", c, back, ok, line)
		}
	}
	for _, c := range []symbols.Cell{{Number: 1, Line: 3}, {Number: 2, Line: 1}, {Number: 3, Line: 3}, {Number: 1, Line: -1}, {Number: 0, Line: 1}} {
		if line, ok := d.CellLine(c); ok {
			t.Errorf("%v is line %d", c, line)
		}
	}
	if c := symbols.NewDocument("a.py", []byte("# %% [3]\na")).Cell(2); c != (symbols.Cell{}) {
		t.Errorf("a line of a document that is no notebook is in cell %s", c)
	}
}

func TestSameNotebook(t *testing.T) {
	of := func(raw string) *symbols.Document { return symbols.NewDocument("a.ipynb", []byte(raw)) }
	one := of(`{"cells":[{"cell_type":"code","source":"a\n# %% [2]\nb"}]}`)
	if !one.Same(of(`{"metadata":{},"cells":[{"cell_type":"code","source":["a\n","# %% [2]\n","b"],"outputs":[1]}]}`)) {
		t.Error("the outputs make another document")
	}
	for _, other := range []string{
		`{"cells":[{"cell_type":"code","source":"a"},{"cell_type":"code","source":"b"}]}`,
		`{"metadata":{"kernelspec":{"language":"ruby"}},"cells":[{"cell_type":"code","source":"a\n# %% [2]\nb"}]}`,
		`{"cells":[{"cell_type":"code","source":"b"}]}`,
	} {
		if one.Same(of(other)) {
			t.Errorf("%s is the same", other)
		}
	}
}

// What is no Python hides neither what is around it nor what only looks like it.
func TestMagics(t *testing.T) {
	for _, c := range []struct{ name, source, want string }{
		{"line magic", "%matplotlib inline\ndef f(): pass", "f"},
		{"command", "!pip install 'x\nf = 1", "f"},
		{"help", "?x\nx??\nf = 1", "f"},
		{"in a block", "def f():\n    !ls\n    %time g()\ng = 1", "f g"},
		{"assigned", "f = !ls '\na, b = %sql select '\ng = 2", "f a b g"},
		{"continued command", "!ls \\\n  '( \\\n  x\nf = 1", "f"},
		{"operator in brackets", "f = ('%s'\n  % g)\ng = 1", "f g"},
		{"operator after a backslash", "f = 3 \\\n  % 2\ng = 1", "f g"},
		{"in a long string", "f = '''\n%x (\n!y\n'''\ng = 1", "f g"},
		{"no bracket in a string", "f = '('\n%x '\ng = 1", "f g"},
		{"escaped quote", "f = 'a\\'('\n!x '\ng = 1", "f g"},
		{"bracket in a comment", "f = 1 # (\n!x '\ng = 1", "f g"},
		{"remainder", "f = 5 %2\ng = f %f", "f g"},
		{"not equal", "f = 1\nf != 2\ng = 1", "f g"},
		{"timed cell", "\n%%time\nf = 1", "f"},
		{"cell of another language", "%%bash\nf() {\ng=1", ""},
		{"file", "%%writefile f.py\nf = 1", ""},
	} {
		raw := `{"cells":[{"cell_type":"code","source":` + quoteJSON(t, c.source) + `}]}`
		o := extract(t, "a.ipynb", raw)
		var got []string
		for _, s := range o.Symbols() {
			got = append(got, s.Name)
		}
		if errs := o.Errors(); strings.Join(got, " ") != c.want || len(errs) > 0 {
			t.Errorf("%s: %q, errors %v, want %q", c.name, got, errs, c.want)
		}
		checkOutline(t, o)
	}
}

func FuzzNotebook(f *testing.F) {
	for _, raw := range []string{
		`{"cells":[{"cell_type":"code","source":["%x\n","def f(): pass\n","a = !b \\\n c"]},{"cell_type":"code","source":"'''\n%%x\n'''"}]}`,
		`{"nbformat":3,"worksheets":[{"cells":[{"cell_type":"code","input":"%%time\nx?"}]}]}`,
		`{"metadata":{"language_info":{"name":"R"}},"cells":[{"cell_type":"code","source":"\r\n\u0000\ud800"}]}`,
		"", "{", "[", `{"cells":[`, "\xff\xfe{\x00}\x00",
	} {
		f.Add([]byte(raw))
	}
	f.Fuzz(func(t *testing.T, raw []byte) {
		if len(raw) > 1<<14 {
			return
		}
		d := symbols.NewDocument("a.ipynb", bytes.Clone(raw))
		for line := range d.LineCount() {
			if c := d.Cell(line); c != (symbols.Cell{}) {
				if back, ok := d.CellLine(c); !ok || back != line {
					t.Fatalf("line %d is %s, which is line %d", line, c, back)
				}
			}
		}
		o, err := symbols.Extract(d)
		if err == nil {
			checkOutline(t, o)
		}
	})
}

func quoteJSON(t *testing.T, text string) string {
	t.Helper()
	out, err := json.Marshal(text)
	if err != nil {
		t.Fatal(err)
	}
	return string(out)
}
