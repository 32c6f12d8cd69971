// Command bench measures codeintel on real code and checks its known answers.
//
//	bench corpus   asks the questions of corpora.json and compares the counts;
//	               every printed path:line must hold the symbol or an alias of it
//	bench servers  times codeintel beside gopls, TypeScript and tsserver driven
//	               raw, and what the documents cost that codeintel opens to make
//	               an answer complete; memory above a corpus's limit is an error
//	bench overhead times codeintel beside a bare client that replays the same
//	               messages to the same server
//	bench index    times codeintel index into an empty cache beside ctags -R,
//	               rg --files, reading the bytes, parsing alone and go/parser
//	bench scan     times codeintel find in synthetic trees of many small files:
//	               opening the index, looking at the tree, looking up the name
//
// Contenders run in turn, so that what else the machine does meets all alike;
// times are medians of the runs, memory is the most of any run. CPU time and
// memory are those of a program and all that it starts: memory is what all of
// them have resident at a time, shared pages counted in each. The wall time of
// codeintel and of programs goes to their end, that of a raw server to its
// answer. The load of the machine is printed: on a loaded one only the ratios
// and the CPU times mean something.
//
// What is measured is pinned: releases come from the Go module proxy and the npm
// registry through their ordinary clients, checkouts from a folder that holds
// them by name (-corpora DIR), at the commit that corpora.json states. An
// exported tree NAME without .git may have its commit in a file NAME.commit.
package main
