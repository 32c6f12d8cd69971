// Command bench measures codeintel on real code and checks its known answers.
//
//	bench corpus   asks the questions of corpora.json and compares the counts;
//	               every printed path:line must hold the symbol or an alias of it
//	bench servers  times codeintel beside gopls, TypeScript and tsserver driven
//	               raw, in alternating runs, and prints the ratios of the medians
//	bench overhead times codeintel beside a bare client that replays the same
//	               messages to the same server
//
// Corpora are pinned: releases come from the Go module proxy and the npm
// registry through their ordinary clients, checkouts from a folder that holds
// them by name (-corpora DIR).
package main
