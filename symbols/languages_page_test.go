package symbols_test

import (
	"fmt"
	"os"
	"slices"
	"strings"
	"testing"

	"codeintel/symbols"
)

const languagesPage = "../docs/languages.md"

// The page on languages is made from their tables; -update rewrites it.
func TestLanguagesPage(t *testing.T) {
	all, err := symbols.Languages()
	if err != nil {
		t.Fatal(err)
	}
	want := languagesText(all)
	if *update {
		if err := os.WriteFile(languagesPage, []byte(want), 0o644); err != nil {
			t.Fatal(err)
		}
	}
	got, err := os.ReadFile(languagesPage)
	if err != nil {
		t.Fatal(err)
	}
	if string(got) != want {
		t.Errorf("%s is not what the tables give; run go test ./symbols -run LanguagesPage -update", languagesPage)
	}
}

// languagesText writes the page.
func languagesText(all []symbols.LanguageInfo) string {
	var b strings.Builder
	b.WriteString("# Languages\n\n" +
		"What the outline of a document holds, language by language. This page is made from the tables in `symbols/lang_*.go` by a test:\n" +
		"`go test ./symbols -run LanguagesPage -update`. Names in `code` are nodes of the language's tree-sitter grammar.\n\n" +
		"| language | files | definitions |\n| --- | --- | --- |\n")
	for _, l := range all {
		fmt.Fprintf(&b, "| [%s](#%s) | %s | %s |\n", l.Language, anchor(l.Language), code(l.Endings), strings.Join(kindNames(l), ", "))
	}
	b.WriteString("\nJupyter notebooks (`.ipynb`, formats 3 and 4) are of the language of their kernel. Their text is that of the code cells without outputs,\n" +
		"one below the other, each under a line `# %% [3]` with its number, counted from 1 over all cells. A place is shown with the line of this text\n" +
		"and with its cell: `#3:2` is the second line of the third cell. Magics, commands and questions of IPython are passed over.\n")
	for _, l := range all {
		languageText(&b, l)
	}
	return b.String()
}

func languageText(b *strings.Builder, l symbols.LanguageInfo) {
	fmt.Fprintf(b, "\n## %s\n\nFiles: %s\n", l.Language, code(l.Endings))
	if l.Notes != "" {
		fmt.Fprintf(b, "\n%s\n", l.Notes)
	}
	b.WriteString("\n| kind | defined by |\n| --- | --- |\n")
	for _, kind := range kindNames(l) {
		var nodes []string
		for _, d := range l.Definitions {
			for _, k := range d.Kinds {
				if string(k) == kind {
					nodes = append(nodes, d.Node)
				}
			}
		}
		fmt.Fprintf(b, "| %s | %s |\n", kind, code(nodes))
	}
	if len(l.Comments) > 0 {
		fmt.Fprintf(b, "\nComments that belong to the definition below them: %s\n", code(l.Comments))
	}
	for _, role := range []symbols.Role{symbols.RolePlain, symbols.RoleMember} {
		var nodes []string
		for _, id := range l.Identifiers {
			if id.Role == role {
				nodes = append(nodes, id.Node)
			}
		}
		if len(nodes) > 0 {
			fmt.Fprintf(b, "\nIdentifiers, %s where nothing else is known: %s\n", role, code(nodes))
		}
	}
}

// kindNames returns the kinds that a language's nodes define, by name.
func kindNames(l symbols.LanguageInfo) []string {
	var out []string
	seen := map[symbols.Kind]bool{}
	for _, d := range l.Definitions {
		for _, k := range d.Kinds {
			if !seen[k] {
				seen[k] = true
				out = append(out, string(k))
			}
		}
	}
	slices.Sort(out)
	return out
}

// anchor returns the link to a heading as the usual renderers make it.
func anchor(l symbols.Language) string { return strings.ReplaceAll(string(l), ".", "") }

func code(words []string) string {
	if len(words) == 0 {
		return "none"
	}
	return "`" + strings.Join(words, "`, `") + "`"
}
