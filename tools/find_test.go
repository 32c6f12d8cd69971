package tools

import (
	"testing"

	"codeintel/refs"
	"codeintel/symbols"
)

// TestCodeFirst drops headings that are called like definitions.
func TestCodeFirst(t *testing.T) {
	code := refs.Candidate{Path: "g.py", Symbol: symbols.Symbol{Name: "Gadget", Kind: symbols.Class}}
	heading := refs.Candidate{Path: "README.md", Symbol: symbols.Symbol{Name: "Gadget", Kind: symbols.Section}}
	if got := codeFirst([]refs.Candidate{heading, code}); len(got) != 1 || got[0].Path != "g.py" {
		t.Errorf("with code: %v", got)
	}
	if got := codeFirst([]refs.Candidate{heading}); len(got) != 1 {
		t.Errorf("a heading alone: %v", got)
	}
}
