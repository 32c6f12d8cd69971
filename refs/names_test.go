package refs_test

import (
	"encoding/binary"
	"os"
	"path/filepath"
	"testing"
	"unicode/utf16"

	"codeintel/refs"
)

// TestSecondNames has a file under a second name in the workspace: its references
// are given once, whichever name is asked about.
func TestSecondNames(t *testing.T) {
	tests := []struct {
		name       string
		files      map[string]string
		link, to   string
		path, want string
	}{
		{"typescript", map[string]string{
			"tsconfig.json": modern,
			"a.ts":          "import { n } from \"./n\";\nexport class Target { n = n }\nexport const t = new Target();\n",
			"n.ts":          "export const n = 1;\n",
			"sub/use.ts":    "import { Target } from \"./copy\";\nnew Target();\n",
		}, "sub/copy.ts", "../a.ts", "a.ts", "a.ts:2:14 a.ts:3:22 sub/use.ts:1:10 sub/use.ts:2:5"},
		{"go", map[string]string{
			"go.mod":   "module example.com/m\n\ngo 1.26\n",
			"a/a.go":   "package p\n\nfunc Target() int { return 1 }\n",
			"a/use.go": "package p\n\nvar A = Target()\n",
			"b/use.go": "package p\n\nvar B = Target()\n",
		}, "b/copy.go", "../a/a.go", "a/a.go", "a/a.go:3:6 a/use.go:3:9 b/use.go:3:9"},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			root := lay(t, tt.files)
			if err := os.Symlink(tt.to, filepath.Join(root, tt.link)); err != nil {
				t.Fatal(err)
			}
			same(t, references(t, root, refs.Options{}, refs.Query{Symbol: "Target", Path: tt.path, Tier: refs.Exact}), tt.want)
		})
	}
}

// TestByteOrderMarks asks about names on the first line of files that begin with a
// byte order mark, of which the server is only told the declaring one.
func TestByteOrderMarks(t *testing.T) {
	const bom = "\ufeff"
	for _, mark := range []string{"", bom} {
		root := lay(t, map[string]string{
			"a.py": mark + "def Target(): return 1\n",
			"b.py": mark + "from a import Target; x = Target()\n",
			"c.py": mark + "import a; y = a.Target()\n",
		})
		same(t, references(t, root, refs.Options{}, refs.Query{Symbol: "Target", Path: "a.py", Tier: refs.Exact}),
			"a.py:1:5 b.py:1:15 b.py:1:27 c.py:1:17")
		root = lay(t, map[string]string{
			"go.mod": "module example.com/m\n\ngo 1.26\n",
			"a.go":   mark + "package m; func Target() int { return 1 }\n",
			"b.go":   mark + "package m; var b = Target()\n",
		})
		same(t, references(t, root, refs.Options{}, refs.Query{Symbol: "Target", Path: "a.go", Tier: refs.Exact}), "a.go:1:17 b.go:1:20")
		root = lay(t, map[string]string{
			"tsconfig.json": modern,
			"a.ts":          mark + "export class Target {}\n",
			"b.ts":          mark + "import { Target } from './a'; new Target();\n",
		})
		same(t, references(t, root, refs.Options{}, refs.Query{Symbol: "Target", Path: "a.ts", Tier: refs.Exact}), "a.ts:1:14 b.ts:1:10 b.ts:1:35")
	}
}

// TestUTF16 has a source in UTF-16, which TypeScript reads.
func TestUTF16(t *testing.T) {
	for _, order := range []binary.AppendByteOrder{binary.LittleEndian, binary.BigEndian} {
		text := order.AppendUint16(nil, 0xfeff)
		for _, u := range utf16.Encode([]rune("import { Target } from \"./a\";\n/* größe 😀 */ new Target();\n")) {
			text = order.AppendUint16(text, u)
		}
		root := lay(t, map[string]string{"tsconfig.json": modern, "a.ts": "export class Target {}\n", "b.ts": string(text)})
		for _, tier := range []refs.Precision{refs.Exact, refs.Syntactic, refs.Textual} {
			r := references(t, root, refs.Options{}, refs.Query{Symbol: "Target", Path: "a.ts", Tier: tier})
			if got, want := at(r), "a.ts:1:14 b.ts:1:10 b.ts:2:24"; got != want {
				t.Errorf("%v, %s: got %s, want %s", order, tier, got, want)
			}
		}
	}
}
