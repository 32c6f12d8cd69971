package symbols_test

import (
	"errors"
	"testing"

	"codeintel/symbols"
)

func TestParse(t *testing.T) {
	const text = "package p\n\nfunc F() {}\n"
	tree, err := symbols.Parse(symbols.NewDocument("a.go", []byte(text)))
	if err != nil {
		t.Fatal(err)
	}
	if tree.HasError(0) || tree.End(0) != len(text) || tree.Len() < 5 {
		t.Errorf("%d nodes up to byte %d, error %v", tree.Len(), tree.End(0), tree.HasError(0))
	}
	if _, err := symbols.Parse(symbols.NewDocument("a.txt", []byte(text))); !errors.Is(err, symbols.ErrNoGrammar) {
		t.Errorf("error %v, want ErrNoGrammar", err)
	}
}
