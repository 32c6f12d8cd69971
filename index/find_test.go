package index_test

import (
	"os"
	"slices"
	"strings"
	"testing"

	"codeintel/index"
	"codeintel/symbols"
)

// names returns what was found as "path:Qualified".
func names(found []index.Found) []string {
	var out []string
	for _, f := range found {
		out = append(out, f.Path+":"+f.Qualified())
	}
	return out
}

func TestFind(t *testing.T) {
	root, cache := newRoot(t), t.TempDir()
	write(t, root, "cart/cart.go", "package cart\n\ntype Cart struct{ total int }\n\nfunc (c *Cart) Total() int { return c.total }\n\nfunc NewCart() *Cart { return nil }\n")
	write(t, root, "cart/cart_test.go", "package cart\n\nfunc Total() {}\n")
	write(t, root, "web/cart.ts", "export class CartView { total() { const Total = 1; return Total } }\nexport function getCartTotal() {}\n")
	write(t, root, "web/zcart.ts", "export const other = 1\n")
	for _, stored := range []bool{false, true} {
		w := openStored(t, root, cache)
		if stored {
			settle(t, w)
			build(t, w)
		}
		// One file is newer than the index, one has unsaved text.
		write(t, root, "new.py", "class Cart:\n    def total(self): pass\n")
		w.Apply(index.Change{Path: "web/zcart.ts", Text: []byte("export const Cartography = 1\n")})
		check(t, w.Refresh(t.Context()))
		s := w.Snapshot()
		for _, c := range []struct {
			query index.FindQuery
			want  []string
		}{
			{index.FindQuery{Name: "Cart", Limit: 2}, []string{"new.py:Cart", "cart/cart.go:Cart"}},
			{index.FindQuery{Name: "Cart.Total", Limit: 1}, []string{"cart/cart.go:Cart.Total"}},
			{index.FindQuery{Name: "Total", Kinds: []symbols.Kind{symbols.Function}, Limit: 1}, []string{"cart/cart_test.go:Total"}},
			{index.FindQuery{Name: "cart.NewCart"}, []string{"cart/cart.go:NewCart"}},
			{index.FindQuery{Name: "gCT"}, []string{"web/cart.ts:getCartTotal"}},
			{index.FindQuery{Name: "Cartography"}, []string{"web/zcart.ts:Cartography"}},
			{index.FindQuery{Name: "Crat", Limit: 1}, []string{"new.py:Cart"}},
			{index.FindQuery{Name: "other"}, nil},
			{index.FindQuery{Name: "cart", Keep: func(p string) bool { return strings.HasPrefix(p, "web/cart") }}, []string{"web/cart.ts:CartView", "web/cart.ts:getCartTotal"}},
			{index.FindQuery{Name: "."}, nil},
		} {
			found, total, _, err := s.Find(t.Context(), c.query)
			if err != nil || !slices.Equal(names(found), c.want) || total < len(found) {
				t.Errorf("stored %v, %+v: %q of %d, %v, want %q", stored, c.query.Name, names(found), total, err, c.want)
			}
		}
		s.Release()
		check(t, os.Remove(root+"/new.py"))
		w.Close()
	}
}
