// Package tsconfig reads TypeScript's project files: which tsconfig.json or
// jsconfig.json governs a file, and what its settings are once everything that
// it extends is taken in.
//
// A [Reader] finds and remembers configurations; make a new one for every
// question, so that it never answers from an old file. [Reader.For] gives the
// [Config] of a file, [Config.Removed] what in it TypeScript 7 no longer knows.
// [Projects] and [Modules] list the project files above a file.
//
// It reads files and nothing else: no program of a workspace is run. What a
// file imports is not followed, so a file that belongs to a project only because
// another imports it is judged by the nearest configuration.
package tsconfig
