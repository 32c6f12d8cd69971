// Package text finds words in files: where a name is written, whatever it means
// there. It is the source of candidates for questions to language servers, and the
// last resort when there is neither a server nor a grammar.
//
// [Search] looks for whole occurrences of one word in exactly the files it is
// given; it does not walk folders and knows no ignore rules. With ripgrep at hand
// ([FindRG]) it first drops the files that do not hold the word's bytes at all;
// what remains is searched in Go, and without ripgrep all is. So both ways give
// the same matches by construction: rg decides nothing but what need not be read.
//
// Words are made of the characters that [IsWord] names. Offsets are bytes of the
// text of a [symbols.Document]: without a byte order mark, everything else as it
// is in the file, CRLF and invalid UTF-8 included.
package text
