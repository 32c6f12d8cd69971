// Package syntax turns text into syntax trees that are cheap to walk from Go.
//
// A [Grammar] parses with tree-sitter. The tree is copied into one flat slice in
// preorder by a few lines of C, and the C tree is freed before [Grammar.Parse]
// returns; a [Draft] keeps it while the text is being mended. So a [Tree] needs no
// closing, can be shared by goroutines, is walked by index without a call into C or
// recursion, and nesting of any depth costs no stack. Measured on Go and TypeScript
// sources the copy adds about a fifth to the time of parsing; visiting the nodes
// through the Go binding adds a half.
//
// A tree leaves separators out, and its memory can be used again ([Tree.Release]).
// Parsers other than tree-sitter make trees with a [Builder].
//
// The package knows nothing of symbols: what a node means is said elsewhere.
package syntax
