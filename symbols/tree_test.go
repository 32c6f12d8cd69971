package symbols

import (
	"errors"
	"testing"

	"codeintel/symbols/syntax"
)

func TestParseTree(t *testing.T) {
	text := "class A extends B { m() { return this.x } }\n"
	tree, err := ParseTree(NewDocument("a.ts", []byte(text)))
	if err != nil {
		t.Fatal(err)
	}
	class := tree.First(0)
	if tree.Kind(class) != "class_declaration" || tree.Text(tree.Child(class, "name")) != "A" {
		t.Errorf("first node %s %q", tree.Kind(class), tree.Text(class))
	}
	name := tree.Child(class, "name")
	if got := tree.At(Range{6, 7}); got != name || !tree.In(name, "name") || tree.Range(name) != (Range{6, 7}) {
		t.Errorf("At gives %s %q, want the name", tree.Kind(got), tree.Text(got))
	}
	if got := tree.At(Range{6, 17}); got != class {
		t.Errorf("At gives %s for a range over several nodes, want the class", tree.Kind(got))
	}
	if tree.Kind(syntax.None) != "" || tree.Text(syntax.None) != "" || tree.Child(syntax.None, "name") != syntax.None {
		t.Error("no node has a kind, a text or a child")
	}
	if tree.Child(class, "no such field") != syntax.None {
		t.Error("a child in a field that the grammar lacks")
	}
	if _, err := ParseTree(NewDocument("a.txt", nil)); !errors.Is(err, ErrNoGrammar) {
		t.Errorf("error %v, want ErrNoGrammar", err)
	}
}
