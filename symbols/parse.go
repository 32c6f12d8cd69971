package symbols

import (
	"fmt"

	"codeintel/symbols/syntax"
)

// Parse returns the syntax tree of a document's text as it is, without the mends
// that [Extract] makes: what parsing alone costs is measured with it. It returns
// [ErrNoGrammar] when the document's language has none, and the errors of
// [syntax.Grammar.Parse].
func Parse(d *Document) (*syntax.Tree, error) {
	table, err := d.table()
	if err != nil {
		return nil, err
	}
	tree, err := table.grammar.Parse(d.code())
	if err != nil {
		return nil, fmt.Errorf("%s: %w", d.path, err)
	}
	return tree, nil
}
