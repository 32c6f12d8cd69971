package symbols

// ExtractByGrammar extracts without Go's own parser, for comparisons.
func ExtractByGrammar(d *Document) (*Outline, error) { return extractByGrammar(d) }

// ParseOnly parses a document by its grammar and does nothing else.
func ParseOnly(d *Document) error {
	table, err := d.Language().syntax()()
	if err != nil {
		return err
	}
	draft, err := table.grammar.Draft(d.text)
	if err == nil {
		draft.Close()
	}
	return err
}
