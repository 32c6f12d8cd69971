package symbols

import (
	"errors"
	"path"
	"strings"
)

// Language is a language by the identifier that LSP gives it; "" is unknown.
type Language string

// The languages that have a grammar.
const (
	Go              Language = "go"
	TypeScript      Language = "typescript"
	TypeScriptReact Language = "typescriptreact"
	JavaScript      Language = "javascript"
	JavaScriptReact Language = "javascriptreact"
	Python          Language = "python"
)

// ErrNoGrammar says that a document's language has no grammar.
var ErrNoGrammar = errors.New("no grammar for this kind of file")

// languages has a row for each language: the endings of its files, and its
// syntax where there is a grammar.
var languages = []struct {
	language Language
	endings  []string
	syntax   func() (*syntaxTable, error)
}{
	{Go, []string{".go"}, goSyntax},
	{TypeScript, []string{".ts", ".mts", ".cts"}, typescriptSyntax},
	{TypeScriptReact, []string{".tsx"}, tsxSyntax},
	{JavaScript, []string{".js", ".mjs", ".cjs"}, javascriptSyntax},
	{JavaScriptReact, []string{".jsx"}, javascriptSyntax},
	{Python, []string{".py", ".pyi", ".pyw"}, pythonSyntax},

	{"c", []string{".c", ".h"}, nil},
	{"cpp", []string{".cc", ".cpp", ".cxx", ".hh", ".hpp", ".hxx"}, nil},
	{"csharp", []string{".cs"}, nil},
	{"java", []string{".java"}, nil},
	{"kotlin", []string{".kt", ".kts"}, nil},
	{"lua", []string{".lua"}, nil},
	{"php", []string{".php"}, nil},
	{"ruby", []string{".rb"}, nil},
	{"rust", []string{".rs"}, nil},
	{"scala", []string{".scala"}, nil},
	{"shellscript", []string{".sh", ".bash"}, nil},
	{"swift", []string{".swift"}, nil},
}

// LanguageOf returns the language that a path's ending says, or "".
func LanguageOf(name string) Language {
	ending := strings.ToLower(path.Ext(strings.ReplaceAll(name, `\`, "/")))
	for _, l := range languages {
		for _, e := range l.endings {
			if e == ending {
				return l.language
			}
		}
	}
	return ""
}

// HasGrammar reports whether documents of the language can be extracted.
func (l Language) HasGrammar() bool { return l.syntax() != nil }

// syntax returns the loader of the language's syntax, nil when it has none.
func (l Language) syntax() func() (*syntaxTable, error) {
	for _, row := range languages {
		if row.language == l && l != "" {
			return row.syntax
		}
	}
	return nil
}
