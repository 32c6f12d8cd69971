// Codeintel answers questions about code from the command line: who uses this
// symbol, show me this function, where is it defined, who calls it.
//
// Results go to stdout, everything else to stderr. The exit status says how it
// went:
//
//	0   found
//	1   looked everywhere, found nothing
//	2   wrong arguments, no such file, no such symbol, or an ambiguous one
//	3   a large answer waits for approval (--yes)
//	4   you said no
//	5   the file is blocked or outside the workspace
//	6   nothing can answer for this kind of file
//	7   the time limit passed, or you interrupted
//	70  a bug
//
// This package parses the command line, wires the rooms together and asks for
// approvals; it is also the only place that reads the environment.
package main
