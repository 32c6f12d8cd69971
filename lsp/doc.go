// Package lsp runs language servers and asks them questions.
//
// A [Pool] holds at most one [Server] of each [Kind] for one workspace root. It
// finds or installs the server (package install), starts it when it is first
// asked for, starts it again after a crash, and ends it with everything it
// started. A Server is a client connection: documents are opened and changed in
// it ([Server.Open], [Server.Change], [Server.WatchedFiles]) and questions are
// asked about them ([Server.References], [Server.Definition] …). [Choose] says
// which server judges a file.
//
// The surface is absolute file paths and types of go.lsp.dev/protocol; the
// types of other rooms are not known here. Positions are 0-based lines and
// UTF-16 characters, ranges are half-open.
//
// Guarantees: every request ends when its context ends and within a second of
// the server's death, which is a [*CrashError]; no request is answered from a
// server that is still loading the project; the death of this process, by
// SIGKILL too, leaves no server behind (package process).
//
// What it does not do: it does not merge answers of several servers, does not
// know which documents an answer needs to be open, and does not retry.
package lsp
