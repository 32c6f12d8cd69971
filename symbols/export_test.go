package symbols

// ExtractByGrammar extracts without Go's own parser, for comparisons.
func ExtractByGrammar(d *Document) (*Outline, error) { return extractByGrammar(d) }
