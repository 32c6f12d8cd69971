package refs

import (
	"bytes"
	"context"
	"slices"

	"codeintel/symbols"
)

// alias is a variable of CommonJS that is bound to what another module exports:
// x in var x = require("./m").name, which is a symbol of its own to tsserver.
type alias struct {
	m    mention
	name symbols.Range // of the variable
}

// followAliases asks for the references to variables that hold the symbol by a
// require that the answer lists: uses of such a variable are uses of the symbol.
func (h *hunt) followAliases(ctx context.Context, v *server, ms []mention) error {
	for _, m := range ms {
		for _, a := range h.aliases(m) {
			if err := v.ensureOpen(ctx, h.s, m.path); err != nil {
				if unreadable(err) {
					break
				}
				return err
			}
			locs, err := v.references(ctx, h.s, m.path, a.name.Start, &h.lost)
			if err != nil && (ctx.Err() != nil || crashed(err)) {
				return err
			}
			if !holds(locs, m.path, a.name) {
				continue
			}
			for _, l := range locs {
				h.add(l)
			}
		}
	}
	return nil
}

// aliases returns the variables of a document that are bound to the symbol by a
// require, and have uses that the answer leaves out.
func (h *hunt) aliases(m mention) []alias {
	if !isScript(m.path) {
		return nil
	}
	var out []alias
	for _, im := range m.outline.Imports() {
		if !bytes.Contains(m.doc.Text()[im.Range.Start:im.Range.End], []byte("require")) {
			continue
		}
		for _, n := range im.Names {
			bound := func(id symbols.Identifier) bool {
				return im.Range.Contains(id.Range.Start) && h.listed(m.path, id.Range)
			}
			if n.Name != h.t.name || !slices.ContainsFunc(m.tokens, bound) {
				continue
			}
			variable, open := symbols.Range{}, false
			for _, id := range m.outline.Named(local(n)) {
				if n.Range.Covers(id.Range) {
					variable = id.Range
				}
				open = open || id.Role != symbols.RoleMember && !h.listed(m.path, id.Range)
			}
			if open && variable.Len() > 0 {
				out = append(out, alias{m, variable})
			}
		}
	}
	return out
}
