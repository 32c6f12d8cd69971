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
	Ruby            Language = "ruby"
	PHP             Language = "php"
	Bash            Language = "shellscript"
	Lua             Language = "lua"
	Haskell         Language = "haskell"
	OCaml           Language = "ocaml"
	OCamlInterface  Language = "ocaml.interface"
	Markdown        Language = "markdown"
	Rust            Language = "rust"
	C               Language = "c"
	CPP             Language = "cpp"
	Java            Language = "java"
	CSharp          Language = "csharp"
	Kotlin          Language = "kotlin"
	Scala           Language = "scala"

	// Notebook is that of a Jupyter notebook by its path. Its document is of the
	// language of its code, see [Document.Language].
	Notebook Language = "jupyter"
)

// ErrNoGrammar says that a document's language has no grammar.
var ErrNoGrammar = errors.New("no grammar for this kind of file")

// languages has a row for each language: the endings of its files in lower case,
// or whole names, and its syntax where there is a grammar.
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
	{Ruby, []string{".rb", ".rake", ".gemspec", "rakefile", "gemfile"}, rubySyntax},
	{PHP, []string{".php"}, phpSyntax},
	{Bash, []string{".sh", ".bash"}, bashSyntax},
	{Lua, []string{".lua"}, luaSyntax},
	{Haskell, []string{".hs"}, haskellSyntax},
	{OCaml, []string{".ml"}, ocamlSyntax},
	{OCamlInterface, []string{".mli"}, ocamlInterfaceSyntax},
	{Markdown, []string{".md", ".markdown"}, markdownSyntax},
	{Rust, []string{".rs"}, rustSyntax},
	{C, []string{".c", ".h"}, cSyntax},
	{CPP, []string{".cc", ".cpp", ".cxx", ".c++", ".hh", ".hpp", ".hxx", ".h++", ".inl", ".ipp", ".tpp"}, cppSyntax},
	{Java, []string{".java"}, javaSyntax},
	{CSharp, []string{".cs", ".csx"}, csharpSyntax},
	{Kotlin, []string{".kt", ".kts"}, kotlinSyntax},
	{Scala, []string{".scala", ".sc"}, scalaSyntax},

	{Notebook, []string{".ipynb"}, nil},
	{"swift", []string{".swift"}, nil},
}

// LanguageOf returns the language that a path's ending or last name says, or "".
func LanguageOf(name string) Language {
	base := strings.ToLower(path.Base(strings.ReplaceAll(name, `\`, "/")))
	ending := path.Ext(base)
	for _, l := range languages {
		for _, e := range l.endings {
			if e == ending || e == base {
				return l.language
			}
		}
	}
	return ""
}

// HasGrammar reports whether documents of the language can be extracted. Of
// notebooks those can be of which the code has a grammar.
func (l Language) HasGrammar() bool { return l == Notebook || l.syntax() != nil }

// syntax returns the loader of the language's syntax, nil when it has none.
func (l Language) syntax() func() (*syntaxTable, error) {
	for _, row := range languages {
		if row.language == l && l != "" {
			return row.syntax
		}
	}
	return nil
}
