// Package symbols holds source text and what is defined in it.
//
// A [Document] is a path and an immutable text, and the only converter between
// byte offsets, UTF-16 positions and lines. [Extract] parses a document and
// returns its [Outline]: the symbols that it defines, the identifiers that it
// names, and what it imports. An outline answers by name ([Outline.Lookup]), by
// place ([Outline.Enclosing], [Outline.IdentifierAt]) and says where syntax
// errors make it doubtful ([Outline.InError]).
//
// Everything is measured in bytes of the document's text, ranges are half-open.
// Documents and outlines are immutable and safe for concurrent use.
//
// What the nodes of a language mean stands in one file per language (lang_go.go
// and so on) as a table, with code only for what no table can say; language.go
// has a row for each. The walk in extract.go knows no language.
//
// Go documents without errors are read by Go's own parser, which is several times as
// fast as the grammar; goparser.go puts what it reads into the grammar's terms, so
// that one table says what both mean. [Minified] and [Generated] tell documents that
// are hardly worth an index.
//
// The package does not resolve names: it cannot tell which of two definitions a
// use means, and never claims to.
package symbols
