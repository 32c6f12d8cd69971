package symbols_test

import (
	"go/parser"
	"go/scanner"
	"go/token"
	"math/rand/v2"
	"strings"
	"testing"

	"codeintel/symbols"
)

// words are what mutations put into a text: names that are not like others, and
// tokens that often leave the text valid.
var words = strings.Fields("nil true false iota new make _ any a.b (a) *a &a []a a[b] a{b:c} func(){} func(a,b(c)) ; , . := = ( ) { } [ ] ... ~a a|b <-a /*c*/ //c\n map[a]b{c:d} struct{a;b(c)} interface{a()} case default: L: x")

// mutate changes tokens of a Go source as edits say, which are read by threes:
// where, what to do, and with which word.
func mutate(source, edits []byte) []byte {
	tokens := tokensOf(source)
	for ; len(edits) >= 3 && len(tokens) > 0; edits = edits[3:] {
		at := (int(edits[0])<<4 | int(edits[1])>>4) % len(tokens)
		switch edits[1] % 5 {
		case 0:
			tokens[at] = ""
		case 1:
			tokens[at] += tokens[at]
		case 2:
			other := int(edits[2]) % len(tokens)
			tokens[at], tokens[other] = tokens[other], tokens[at]
		case 3:
			tokens[at] = words[int(edits[2])%len(words)]
		case 4:
			tokens[at] += " " + words[int(edits[2])%len(words)]
		}
	}
	return []byte(strings.Join(tokens, ""))
}

// tokensOf cuts a Go source behind its tokens.
func tokensOf(source []byte) []string {
	var s scanner.Scanner
	file := token.NewFileSet().AddFile("", -1, len(source))
	s.Init(file, source, nil, scanner.ScanComments)
	var out []string
	last := 0
	for {
		pos, tok, _ := s.Scan()
		at := file.Offset(pos)
		if at > last {
			out = append(out, string(source[last:at]))
			last = at
		}
		if tok == token.EOF {
			return append(out, string(source[last:]))
		}
	}
}

// FuzzGoParser requires that Go's own parser and the grammar agree about changed
// sources that both find correct.
func FuzzGoParser(f *testing.F) {
	random := rand.New(rand.NewPCG(1, 2))
	for _, source := range sources(f) {
		if !strings.HasSuffix(source.Name, ".go") {
			continue
		}
		for n := range 200 {
			edits := make([]byte, 3*(n%4))
			for i := range edits {
				edits[i] = byte(random.Uint32())
			}
			f.Add(source.Data, edits)
		}
	}
	for _, text := range goTexts() {
		f.Add([]byte("package p\n"+text), []byte{})
	}
	f.Fuzz(func(t *testing.T, source, edits []byte) {
		if len(source) > 5_000 || len(edits) > 60 {
			return
		}
		compareText(t, mutate(source, edits))
	})
}

func TestGoTexts(t *testing.T) {
	for _, text := range goTexts() {
		if !compareText(t, []byte("package p\n"+text)) {
			t.Errorf("not compared: %s", text)
		}
	}
}

// compareText compares the two outlines of a text. It returns false when the text
// is not correct Go, or not to the grammar.
func compareText(t *testing.T, text []byte) bool {
	t.Helper()
	parsed, err := parser.ParseFile(token.NewFileSet(), "", text, parser.SkipObjectResolution)
	if err != nil {
		return false
	}
	o, err := symbols.Extract(symbols.NewDocument("a.go", text))
	if err != nil {
		t.Fatal(err)
	}
	checkOutline(t, o)
	compared := agrees(t, o, parsed)
	if t.Failed() {
		t.Logf("text:\n%s", text)
	}
	return compared
}
