// Package bind tells what names stand for by syntax alone: no language server, no
// type checker, only the syntax trees of the documents that hold a name.
//
// A [Binder] reads documents into scopes and symbols as far as a question leads:
// the documents that hold the name, and those that imports and types lead to. A
// plain name is bound to the innermost scope that defines it; an import to what
// the other module exports; a member to the type of what stands before the dot,
// as far as annotations, constructors, initializers and results of functions show
// it. What a receiver's type is not known for is decided by a rule, see
// [Binder.References].
//
// What is common to languages is in symbol.go, types.go and find.go. Each language
// adds how its documents declare ([language.declare]) and what a place stands for
// ([language.resolve]).
package bind
