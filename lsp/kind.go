package lsp

// Kind is a kind of language server.
type Kind string

// The servers that a [Pool] can run.
const (
	Gopls      Kind = "gopls"                      // Go
	TypeScript Kind = "typescript"                 // TypeScript 7, tsc --lsp --stdio
	TSServer   Kind = "typescript-language-server" // tsserver of TypeScript 6 behind typescript-language-server
	Pyright    Kind = "pyright"                    // Python
)

// Kinds returns all kinds in a fixed order.
func Kinds() []Kind { return []Kind{Gopls, TypeScript, TSServer, Pyright} }
