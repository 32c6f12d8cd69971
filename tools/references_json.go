package tools

import (
	"encoding/json"
	"sort"
	"strings"

	"codeintel/refs"
)

// ReferencesJSON is the JSON form of a [ReferencesAnswer].
type ReferencesJSON struct {
	Tool string `json:"tool"`
	// References is the flat list: never collapsed, declarations included,
	// unconfirmed lines excluded.
	References []ReferenceJSON       `json:"references"`
	Content    ReferencesContentJSON `json:"content"`
}

// ReferenceJSON is one occurrence. Numbers are 1-based, columns in bytes,
// EndColumn exclusive.
type ReferenceJSON struct {
	File          string         `json:"file"`
	Line          int            `json:"line"`
	Column        int            `json:"column"`
	EndColumn     int            `json:"endColumn"`
	IsDeclaration bool           `json:"isDeclaration"`
	Precision     refs.Precision `json:"precision"`
}

// ReferencesContentJSON is the answer in the shape of its text. Lines are
// 1-based and inclusive; characters are 0-based UTF-16 units, columns 1-based
// bytes.
type ReferencesContentJSON struct {
	Symbol             string            `json:"symbol"`
	FilePath           string            `json:"filePath"`
	Declarations       []DeclarationJSON `json:"declarations"`
	Source             string            `json:"source"`
	Precision          refs.Precision    `json:"precision"`
	TotalReferences    int               `json:"totalReferences"`
	Occurrences        int               `json:"occurrences"`
	TotalFiles         int               `json:"totalFiles"`
	ExternalReferences int               `json:"externalReferences"`
	Threshold          int               `json:"threshold"`
	Approved           bool              `json:"approved"`
	Truncated          bool              `json:"truncated"`
	// Server is the first server that took part, Servers all of them; null and
	// empty below exact.
	Server      *refs.Server      `json:"server"`
	Servers     []refs.Server     `json:"servers"`
	Coverage    CoverageJSON      `json:"coverage"`
	Reason      string            `json:"reason"`
	Unconfirmed []UnconfirmedJSON `json:"unconfirmed"`
	Files       []FileJSON        `json:"files"`
	Notes       []string          `json:"notes"`
}

// DeclarationJSON is a declaration of the symbol.
type DeclarationJSON struct {
	FilePath  string `json:"filePath"`
	Line      int    `json:"line"`
	EndLine   int    `json:"endLine"`
	Kind      string `json:"kind"`
	Column    int    `json:"column"`
	Container string `json:"container,omitempty"`
}

// CoverageJSON says which projects stood behind the answer.
type CoverageJSON struct {
	Complete bool     `json:"complete"`
	Loaded   []string `json:"loaded"`
	Missing  []string `json:"missing"`
}

// UnconfirmedJSON is a line that the server could not judge.
type UnconfirmedJSON struct {
	File   string `json:"file"`
	Line   int    `json:"line"`
	Column int    `json:"column"`
	Cell   string `json:"cell,omitempty"` // of Line in a notebook
	Text   string `json:"text"`
	Reason string `json:"reason"`
	Cure   string `json:"cure,omitempty"`
}

// FileJSON is a file with its groups.
type FileJSON struct {
	FilePath string      `json:"filePath"`
	Groups   []GroupJSON `json:"groups"`
}

// GroupJSON is a containing definition; Kind, Name and Header are empty for
// lines outside definitions.
type GroupJSON struct {
	Kind          string              `json:"kind"`
	Name          string              `json:"name"`
	Container     string              `json:"container,omitempty"`
	Line          int                 `json:"line"`
	EndLine       int                 `json:"endLine"`
	Header        string              `json:"header"`
	IsDeclaration bool                `json:"isDeclaration"`
	References    []ReferenceLineJSON `json:"references"`
}

// ReferenceLineJSON is a distinct line, with its first occurrence.
type ReferenceLineJSON struct {
	Line         int    `json:"line"`
	Character    int    `json:"character"`
	EndCharacter int    `json:"endCharacter"`
	Column       int    `json:"column"`
	Cell         string `json:"cell,omitempty"` // of Line in a notebook
	Text         string `json:"text"`
}

// JSON returns the answer in its JSON form.
func (a *ReferencesAnswer) JSON() ReferencesJSON {
	out := ReferencesJSON{Tool: "findReferences", References: a.flat()}
	c := &out.Content
	c.Symbol, c.FilePath = a.Symbol, a.FilePath
	c.Declarations = []DeclarationJSON{}
	for _, d := range a.Declarations {
		c.Declarations = append(c.Declarations, DeclarationJSON{
			FilePath: d.Path, Line: d.Line, EndLine: d.EndLine, Column: d.Column,
			Kind: string(d.Symbol.Kind), Container: d.Symbol.Container,
		})
	}
	c.Source, c.Precision = a.Precision.Source(), a.Precision
	c.TotalReferences, c.Occurrences, c.TotalFiles, c.ExternalReferences = a.Total, a.Occurrences, len(a.PerFile), a.External
	c.Threshold, c.Approved, c.Truncated = a.Threshold, a.Approved, a.Truncated
	c.Server, c.Servers = serverJSON(a.Servers)
	c.Coverage = coverageJSON(a.Coverage)
	c.Reason = a.Reason
	c.Unconfirmed = []UnconfirmedJSON{}
	for _, u := range a.Unconfirmed {
		c.Unconfirmed = append(c.Unconfirmed, UnconfirmedJSON{File: u.Path, Line: u.Line, Column: u.Column, Cell: u.Cell.String(), Text: u.Text, Reason: u.Cause, Cure: u.Cure})
	}
	c.Files = []FileJSON{}
	for _, f := range a.Files {
		c.Files = append(c.Files, f.json())
	}
	c.Notes = append(append([]string{}, a.Notes...), a.warnings...)
	return out
}

func (a *ReferencesAnswer) flat() []ReferenceJSON {
	out := make([]ReferenceJSON, 0, len(a.References))
	for _, r := range a.References {
		p := r.Precision
		if p == "" {
			p = a.Precision
		}
		out = append(out, ReferenceJSON{
			File: r.Path, Line: r.Line, Column: r.Column, EndColumn: r.EndColumn,
			IsDeclaration: r.Declaration, Precision: p,
		})
	}
	return out
}

func serverJSON(list []refs.Server) (*refs.Server, []refs.Server) {
	if len(list) == 0 {
		return nil, []refs.Server{}
	}
	return &list[0], list
}

func coverageJSON(c refs.Coverage) CoverageJSON {
	return CoverageJSON{Complete: c.Complete, Loaded: append([]string{}, c.Loaded...), Missing: append([]string{}, c.Missing...)}
}

func (f FileReferences) json() FileJSON {
	out := FileJSON{FilePath: f.Path, Groups: []GroupJSON{}}
	for _, g := range f.Groups {
		j := GroupJSON{
			Kind: string(g.Kind), Name: g.Name, Container: g.Container, Line: g.Line, EndLine: g.EndLine,
			Header: g.Header, IsDeclaration: g.Declaration, References: []ReferenceLineJSON{},
		}
		for _, r := range g.References {
			j.References = append(j.References, ReferenceLineJSON{
				Line: r.Line, Character: r.Character, EndCharacter: r.EndCharacter, Column: r.Column, Cell: r.Cell.String(), Text: r.Text,
			})
		}
		out.Groups = append(out.Groups, j)
	}
	return out
}

// CountsJSON is the JSON form of an answer that has counts alone.
type CountsJSON struct {
	TotalReferences int            `json:"totalReferences"`
	TotalFiles      int            `json:"totalFiles"`
	Precision       refs.Precision `json:"precision"`
	Coverage        CoverageJSON   `json:"coverage"`
	Reason          string         `json:"reason"`
	Files           []PathCount    `json:"files"`
}

// CountsJSON returns the counts in their JSON form.
func (a *ReferencesAnswer) CountsJSON() CountsJSON {
	out := CountsJSON{
		TotalReferences: a.Total, TotalFiles: len(a.PerFile), Precision: a.Precision,
		Coverage: coverageJSON(a.Coverage), Reason: a.Reason, Files: []PathCount{},
	}
	for _, f := range a.PerFile {
		out.Files = append(out.Files, PathCount(f))
	}
	return out
}

// ordered returns the file's reference lines by line number.
func (f FileReferences) ordered() []ReferenceLine {
	var out []ReferenceLine
	for _, g := range f.Groups {
		out = append(out, g.References...)
	}
	sort.Slice(out, func(i, j int) bool { return out[i].Line < out[j].Line })
	return out
}

// JSONLines renders the flat list, a JSON object per line.
func (a *ReferencesAnswer) JSONLines() string {
	var b strings.Builder
	enc := json.NewEncoder(&b)
	enc.SetEscapeHTML(false)
	for _, r := range a.flat() {
		if err := enc.Encode(r); err != nil {
			panic(err) // plain fields always encode
		}
	}
	return b.String()
}
