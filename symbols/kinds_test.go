package symbols

import (
	"path/filepath"
	"slices"
	"testing"

	"golang.org/x/tools/txtar"

	"codeintel/symbols/syntax"
)

// What a table says that its nodes define must be what they define in the outline
// archives: no kind is left out, none is only said.
func TestStatedKinds(t *testing.T) {
	stated, seen := map[string]map[Kind]bool{}, map[string]map[Kind]bool{}
	for _, row := range languages {
		if row.syntax == nil {
			continue
		}
		table, err := row.syntax()
		if err != nil {
			t.Fatal(err)
		}
		for node, kinds := range table.spec.defines() {
			for _, kind := range kinds {
				note(stated, family(row.language)+" "+node, kind)
			}
		}
	}
	for _, d := range documents(t) {
		watch(t, d, seen)
	}
	for node, kinds := range seen {
		for kind := range kinds {
			if !stated[node][kind] {
				t.Errorf("%s defines a %s, which the table does not state", node, kind)
			}
		}
	}
	for node, kinds := range stated {
		for kind := range kinds {
			if !seen[node][kind] {
				t.Errorf("%s is said to define a %s, and does so in no archive", node, kind)
			}
		}
	}
}

func note(all map[string]map[Kind]bool, node string, kind Kind) {
	if all[node] == nil {
		all[node] = map[Kind]bool{}
	}
	all[node][kind] = true
}

// family names the languages that share a table, or most of one.
func family(l Language) string {
	switch l {
	case TypeScript, TypeScriptReact, JavaScript, JavaScriptReact:
		return "script"
	case CPP: // headers are of either
		return string(C)
	case OCamlInterface:
		return string(OCaml)
	}
	return string(l)
}

// documents returns the sources of the outline archives.
func documents(t *testing.T) []*Document {
	t.Helper()
	names, err := filepath.Glob("testdata/outline/*.txtar")
	if err != nil || len(names) == 0 {
		t.Fatalf("no archives: %v", err)
	}
	var out []*Document
	for _, name := range names {
		archive, err := txtar.ParseFile(name)
		if err != nil {
			t.Fatal(err)
		}
		for _, f := range archive.Files {
			if f.Name != "want" {
				out = append(out, NewDocument(f.Name, f.Data))
			}
		}
	}
	return out
}

// watch extracts a document and notes which kinds the visit of each node defines.
func watch(t *testing.T, d *Document, seen map[string]map[Kind]bool) {
	t.Helper()
	own, err := d.Language().syntax()()
	if err != nil {
		t.Fatal(err)
	}
	tree, err := own.parse(d.text)
	if err != nil {
		t.Fatal(err)
	}
	watched := *own
	watched.rules = slices.Clone(own.rules)
	for kind := range watched.rules {
		visit := watched.rules[kind].visit
		if visit == nil {
			continue
		}
		node := family(d.Language()) + " " + own.grammar.KindName(syntax.Kind(kind))
		watched.rules[kind].visit = func(x *extraction, n syntax.Node) {
			before := len(x.symbols)
			visit(x, n)
			for _, s := range x.symbols[before:] {
				note(seen, node, s.Kind)
			}
		}
	}
	x := &extraction{table: &watched, tree: tree, text: d.text, member: syntax.None}
	x.walk()
}
