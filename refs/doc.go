// Package refs finds definitions, references and callers: servers first, index
// next, text last.
//
// [Finder] is the engine behind every door (command line, tools, editor
// bridge). [Finder.Find] answers "who uses this?", the other methods answer
// "where is it defined, implemented, called, what does it call?". Each takes an
// [index.Snapshot] and answers from that snapshot alone: the language servers
// are brought to it before they are asked.
//
// # How sure an answer is
//
// Every answer carries a [Precision] and a [Coverage]. [Exact] means that a
// language server that had the named projects loaded said so. [Syntactic] means
// identifiers of that name in syntax trees, told apart from comments and
// strings. [Textual] means whole words. An answer that fell to a lower tier
// says why in Reason; an empty answer of a source that did not finish is an
// error, never an empty list.
//
// # What it does not do
//
// It prints nothing and decides nothing about approval or size limits; package
// tools does both.
package refs
