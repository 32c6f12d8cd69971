package syntax_test

import (
	"slices"
	"strings"
	"testing"

	"codeintel/symbols/syntax"
)

// A changed draft must give the tree of the changed text, and its faults.
func TestDraft(t *testing.T) {
	g := grammar(t)
	text := []byte(strings.Repeat(sample[10:], 50) + "func g() { a b }\nfunc h() { if c. { } }\n" + strings.Repeat(sample[10:], 50))
	draft, err := g.Draft(text)
	if err != nil {
		t.Fatal(err)
	}
	defer draft.Close()
	checkFaults(t, draft)
	mended := []byte(strings.Replace(strings.Replace(string(text), "a b", "a+b", 1), "c. {", "c  {", 1))
	var changes []syntax.Place
	for i := range text {
		if text[i] != mended[i] {
			changes = append(changes, syntax.Place{Start: i, End: i + 1})
		}
	}
	changed, err := draft.Change(mended, changes)
	if err != nil || len(changes) != 2 {
		t.Fatal(err, changes)
	}
	defer changed.Close()
	if _, all := changed.Faults(0); all != 0 {
		t.Errorf("%d faults are left", all)
	}
	fresh, err := g.Parse(mended)
	if err != nil {
		t.Fatal(err)
	}
	if dump(g, changed.Tree()) != dump(g, fresh) {
		t.Error("the changed draft gives another tree than the changed text")
	}
	checkFaults(t, draft) // a change leaves it as it is
	if _, err := draft.Change(mended[1:], nil); err == nil {
		t.Error("a text of another length is no error")
	}
}

func checkFaults(t *testing.T, draft *syntax.Draft) {
	t.Helper()
	tree := draft.Tree()
	var want []syntax.Place
	for n := syntax.Node(0); int(n) < tree.Len(); n++ {
		if tree.IsError(n) || tree.Missing(n) {
			want = append(want, syntax.Place{Start: tree.Start(n), End: tree.End(n)})
		}
	}
	if got, all := draft.Faults(10); !slices.Equal(got, want) || all != len(want) || all < 2 {
		t.Errorf("faults %v, %d in all, want %v", got, all, want)
	}
	if got, all := draft.Faults(1); len(got) != 1 || all != len(want) {
		t.Errorf("%d of %d faults, want 1 of %d", len(got), all, len(want))
	}
}
