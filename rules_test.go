// Package codeintel_test holds the rules of the whole project: who may import
// what, which versions are pinned, what source must not contain.
package codeintel_test

import (
	"encoding/json"
	"errors"
	"io"
	"os"
	"os/exec"
	"path"
	"slices"
	"strings"
	"testing"
)

// module is the import path of this module.
const module = "codeintel"

// room is a folder of the layer table. Folders below it belong to it unless they
// have a row of their own.
type room struct {
	folder  string
	imports []string // other rooms; "*" for all above
	owns    []string // third-party import paths, or prefixes that end in "/"
}

// rooms is the layer table, as in ARCHITECTURE.md. It is a statement of policy:
// when the test fails, the import is wrong, or the table is and its change is the
// thing to talk about. Rooms that are planned stand here before they exist. Each
// imports only rooms above it.
func rooms() []room {
	return []room{
		{"symbols", nil, []string{"github.com/tree-sitter/", "github.com/tree-sitter-grammars/"}},
		{"embed", nil, []string{"github.com/philippgille/chromem-go"}},
		{"lsp", nil, []string{
			"go.lsp.dev/", "go.uber.org/zap", "github.com/segmentio/encoding/",
			"github.com/tailscale/hujson", "github.com/gofrs/flock", "golang.org/x/sys/",
		}},
		{"index", []string{"symbols", "embed"}, []string{
			"github.com/bmatcuk/doublestar/v4", "github.com/blevesearch/", "github.com/fsnotify/fsnotify", "github.com/gofrs/flock",
		}},
		{"refs/text", []string{"symbols"}, nil},
		{"refs", []string{"symbols", "lsp", "index", "refs/text"}, []string{"golang.org/x/sync/"}},
		{"tools", []string{"symbols", "index", "refs", "refs/text"}, nil},
		{"tools/mcp", []string{"tools"}, []string{"github.com/modelcontextprotocol/go-sdk/"}},
		{"lsp/bridge", []string{"symbols", "lsp", "index", "refs", "tools"}, []string{"go.lsp.dev/"}},
		{"lsp/daemon", []string{"lsp/bridge", "tools", "refs", "index"}, nil},
		{"cmd/codeintel", []string{"*"}, []string{
			"github.com/spf13/cobra", "github.com/spf13/pflag", "github.com/pelletier/go-toml/v2",
			"github.com/schollz/progressbar/v3", "github.com/dustin/go-humanize",
			"golang.org/x/term", "golang.org/x/sys/",
		}},
		{"bench", []string{"*"}, nil},
	}
}

// exceptions are single files that may import what their room does not own.
func exceptions() map[string][]string {
	return map[string][]string{
		// The conversion between protocol types and ours.
		"refs/server.go": {"go.lsp.dev/protocol"},
	}
}

// forTests are the third-party packages that any test may import.
func forTests() []string {
	return []string{"github.com/google/go-cmp/", "github.com/rogpeppe/go-internal/", "golang.org/x/tools/txtar", "golang.org/x/sys/", "go.lsp.dev/protocol"}
}

// TestTable checks the layer table itself: rooms import only rooms above them.
func TestTable(t *testing.T) {
	seen := map[string]bool{}
	for _, r := range rooms() {
		for _, i := range r.imports {
			if !seen[i] && i != "*" {
				t.Errorf("%s imports %s, which is not above it", r.folder, i)
			}
		}
		seen[r.folder] = true
	}
	text, err := os.ReadFile("ARCHITECTURE.md")
	if err != nil {
		t.Fatal(err)
	}
	for _, r := range rooms() {
		if _, err := os.Stat(r.folder); err == nil && r.folder != "bench" && !strings.Contains(string(text), "| `"+r.folder+"` |") {
			t.Errorf("ARCHITECTURE.md has no row for %s", r.folder)
		}
	}
}

// roomOf returns the room of a folder.
func roomOf(folder string) (room, bool) {
	for f := folder; f != "."; f = path.Dir(f) {
		for _, r := range rooms() {
			if r.folder == f {
				return r, true
			}
		}
	}
	return room{}, false
}

// mayImport reports whether the table lets a room import another.
func (r room) mayImport(other string) bool {
	return r.folder == other || slices.Contains(r.imports, other) || slices.Contains(r.imports, "*")
}

// reaches returns the rooms that a room may depend on, directly or not.
func (r room) reaches() map[string]bool {
	out := map[string]bool{r.folder: true}
	for _, other := range rooms() {
		if r.mayImport(other.folder) && !out[other.folder] {
			for f := range other.reaches() {
				out[f] = true
			}
			out[other.folder] = true
		}
		if other.folder == r.folder {
			break
		}
	}
	return out
}

// listed is what go list says of a package.
type listed struct {
	ImportPath string
	Standard   bool
	Imports    []string
	Deps       []string
}

// TestLayers checks what go list says of the imports, direct and indirect, of
// every package against the table.
func TestLayers(t *testing.T) {
	cmd := exec.Command("go", "list", "-deps", "-json=ImportPath,Standard,Imports,Deps", "./...")
	cmd.Stderr = os.Stderr
	out, err := cmd.StdoutPipe()
	if err != nil {
		t.Fatal(err)
	}
	if err := cmd.Start(); err != nil {
		t.Fatal(err)
	}
	standard := map[string]bool{"C": true}
	var own []listed
	for dec := json.NewDecoder(out); ; {
		var p listed
		if err := dec.Decode(&p); errors.Is(err, io.EOF) {
			break
		} else if err != nil {
			t.Fatal(err)
		}
		if p.Standard {
			standard[p.ImportPath] = true
		} else if strings.HasPrefix(p.ImportPath, module+"/") {
			own = append(own, p)
		}
	}
	if err := cmd.Wait(); err != nil {
		t.Fatal(err)
	}
	if len(own) < 5 {
		t.Fatalf("go list knows only %d packages of this module", len(own))
	}
	for _, p := range own {
		folder := strings.TrimPrefix(p.ImportPath, module+"/")
		r, ok := roomOf(folder)
		if !ok {
			t.Errorf("%s is in no room: put it into one, or give it a row in the table", folder)
			continue
		}
		for _, i := range p.Imports {
			if !standard[i] {
				checkImport(t, folder, r, i, exceptionsIn(folder))
			}
		}
		reaches := r.reaches()
		for _, d := range p.Deps {
			if f, ok := strings.CutPrefix(d, module+"/"); ok {
				if other, ok := roomOf(f); ok && !reaches[other.folder] {
					t.Errorf("%s depends on %s, which %s must not reach", folder, f, r.folder)
				}
			}
		}
	}
}

// checkImport checks one import of a file or package of a room. allowed are
// third-party packages that it may import beside what the room owns.
func checkImport(t *testing.T, where string, r room, imported string, allowed []string) {
	t.Helper()
	if f, ok := strings.CutPrefix(imported, module+"/"); ok {
		if other, ok := roomOf(f); ok && !r.mayImport(other.folder) {
			t.Errorf("%s imports %s: %s may import only %q", where, f, r.folder, r.imports)
		}
		return
	}
	for _, list := range [][]string{r.owns, allowed} {
		for _, owned := range list {
			if imported == owned || strings.HasPrefix(imported, strings.TrimSuffix(owned, "/")+"/") {
				return
			}
		}
	}
	t.Errorf("%s imports %s, which %s does not own", where, imported, r.folder)
}

// exceptionsIn returns the exceptions of all files of a folder: go list does not
// tell files apart, TestImportsOfFiles does.
func exceptionsIn(folder string) []string {
	var out []string
	for file, imports := range exceptions() {
		if path.Dir(file) == folder {
			out = append(out, imports...)
		}
	}
	return out
}
