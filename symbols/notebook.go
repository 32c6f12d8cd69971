package symbols

import (
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"slices"
	"strings"
)

// A Jupyter notebook is JSON with the outputs of its code among the code. Its
// document is the code alone: the sources of its code cells, one below the other,
// each under a line that says which cell it is.
//
//	# %% [3]
//	import pandas as pd
//
// Whoever reads the text sees where one cell ends and the next begins, and which
// they are; and every offset and line is one of an ordinary text, so that nothing
// else has to know of cells. The mark is that of the percent format, which
// editors know. Cells are counted from 1 over all cells, text among them, as
// editors show them and as the file's list has them: what Jupyter writes beside a
// cell is how often something has been run, which changes with every run.

// ErrNotebook says that a file with a notebook's name is none that can be read.
var ErrNotebook = errors.New("is no notebook that can be read")

// A Cell is a place in a notebook: the cell's number, counted from 1 over all
// cells, and the 1-based line in its source, 0 for the line above it that says
// its number. The zero Cell is nowhere.
type Cell struct{ Number, Line int }

// String returns the place as it is shown: #3:2 for the second line of the third
// cell, "" for the zero Cell.
func (c Cell) String() string {
	if c == (Cell{}) {
		return ""
	}
	return fmt.Sprintf("#%d:%d", c.Number, c.Line)
}

// notebook is what a document of a notebook has besides its text.
type notebook struct {
	language Language
	cells    []Cell // number of each code cell, and the document's line above its source
	code     []byte // the text to be parsed, as long as the text
	err      error  // why the text is the file's bytes, wraps ErrNotebook; may be nil
}

// equal reports whether two notebooks of one text are the same.
func (b *notebook) equal(o *notebook) bool {
	if b == nil || o == nil {
		return b == o
	}
	return b.language == o.language && slices.Equal(b.cells, o.cells) && (b.err == nil) == (o.err == nil)
}

// Cell returns the cell that a 1-based line of a notebook stands in, the zero
// Cell for a line that does not exist and for documents that are no notebooks.
func (d *Document) Cell(line int) Cell {
	if d.notebook == nil || line < 1 || line > d.LineCount() {
		return Cell{}
	}
	for _, c := range slices.Backward(d.notebook.cells) {
		if c.Line <= line {
			return Cell{c.Number, line - c.Line}
		}
	}
	return Cell{}
}

// CellLine returns the 1-based line of the document that a place in a notebook
// has. ok is false when there is no such code cell or line in it.
func (d *Document) CellLine(c Cell) (line int, ok bool) {
	if d.notebook == nil || c.Number < 1 || c.Line < 0 {
		return 0, false
	}
	for _, known := range d.notebook.cells {
		if known.Number == c.Number {
			line = known.Line + c.Line
			return line, d.Cell(line) == c
		}
	}
	return 0, false
}

// code returns the text as it is parsed: the same number of bytes, with blanks
// where a notebook has what its language has not.
func (d *Document) code() []byte {
	if d.notebook == nil || d.notebook.code == nil {
		return d.text
	}
	return d.notebook.code
}

// notebookJSON is what is read of a notebook, in the formats 3 (worksheets, input)
// and 4 (cells, source) of https://nbformat.readthedocs.io.
type notebookJSON struct {
	Format   *int       `json:"nbformat"`
	Cells    []cellJSON `json:"cells"`
	Sheets   []sheet    `json:"worksheets"`
	Metadata struct {
		Kernel   struct{ Language string } `json:"kernelspec"`
		Language struct{ Name string }     `json:"language_info"`
	} `json:"metadata"`
}

type sheet struct {
	Cells []cellJSON `json:"cells"`
}

type cellJSON struct {
	Type     string     `json:"cell_type"`
	Source   sourceJSON `json:"source"`
	Input    sourceJSON `json:"input"`
	Language string     `json:"language"`
}

// sourceJSON is a text that may be written as a list of its pieces.
type sourceJSON string

// UnmarshalJSON reads a string or a list of strings.
func (s *sourceJSON) UnmarshalJSON(raw []byte) error {
	if bytes.HasPrefix(raw, []byte("[")) {
		var pieces []string
		err := json.Unmarshal(raw, &pieces)
		*s = sourceJSON(strings.Join(pieces, ""))
		return err
	}
	return json.Unmarshal(raw, (*string)(s))
}

// readNotebook returns the text of a notebook's code cells, without what they have
// put out. The text is that of the file where the error is set.
func readNotebook(raw []byte) ([]byte, *notebook) {
	var read notebookJSON
	if len(bytes.TrimSpace(raw)) > 0 { // editors make new notebooks as empty files
		if err := json.Unmarshal(raw, &read); err != nil {
			return raw, &notebook{err: fmt.Errorf("%w: %s", ErrNotebook, faultOf(raw, err))}
		}
		if read.Cells == nil && read.Sheets == nil && read.Format == nil {
			return raw, &notebook{err: fmt.Errorf("%w: it has no cells", ErrNotebook)}
		}
	}
	cells := read.Cells
	for _, s := range read.Sheets {
		cells = append(cells, s.Cells...)
	}
	b := &notebook{language: read.language(cells)}
	var text, code bytes.Buffer
	line := 1
	for i, c := range cells {
		if c.Type != "code" {
			continue
		}
		source := string(c.Source + c.Input) // a format has one of them
		if !strings.HasSuffix(source, "\n") {
			source += "\n"
		}
		header := fmt.Sprintf("# %%%% [%d]\n", i+1)
		b.cells = append(b.cells, Cell{i + 1, line})
		line += 1 + strings.Count(source, "\n")
		text.WriteString(header + source)
		code.Write(blanked([]byte(header)))
		code.Write(b.parsed(source))
	}
	b.code = code.Bytes()
	return text.Bytes(), b
}

// parsed returns the source of a cell as it is parsed.
func (b *notebook) parsed(source string) []byte {
	if b.language != Python {
		return []byte(source)
	}
	return withoutMagics([]byte(source))
}

// faultOf says where a notebook is not what it should be.
func faultOf(raw []byte, err error) string {
	var syntax *json.SyntaxError
	var kind *json.UnmarshalTypeError
	switch {
	case errors.As(err, &syntax) && syntax.Offset <= int64(len(raw)):
		return fmt.Sprintf("line %d: %v", 1+bytes.Count(raw[:syntax.Offset], []byte{'\n'}), err)
	case errors.As(err, &kind) && kind.Field != "":
		return fmt.Sprintf("%s cannot be a JSON %s", kind.Field, kind.Value)
	case errors.As(err, &kind):
		return "it is a JSON " + kind.Value
	}
	return err.Error()
}

// language returns the language of the kernel, Python where nothing is said: there
// were no others when the format had no place for it.
func (n *notebookJSON) language(cells []cellJSON) Language {
	name := n.Metadata.Kernel.Language
	if name == "" {
		name = n.Metadata.Language.Name
	}
	for _, c := range cells {
		if name == "" && c.Type == "code" {
			name = c.Language // format 3 has it in each cell
		}
	}
	return kernelLanguage(name)
}

// kernelLanguage returns the language that a kernel calls by a name. One without
// a grammar keeps its name.
func kernelLanguage(name string) Language {
	switch name = strings.ToLower(name); {
	case name == "", strings.HasPrefix(name, "python"), name == "ipython":
		return Python
	case name == "bash":
		return Bash
	case strings.HasPrefix(name, "c++"):
		return CPP
	case name == "c#":
		return CSharp
	}
	return Language(name)
}

// blanked returns as many blanks with the line breaks of a text.
func blanked(text []byte) []byte {
	out := bytes.Repeat([]byte{' '}, len(text))
	for i, c := range text {
		if c == '\n' || c == '\r' {
			out[i] = c
		}
	}
	return out
}
