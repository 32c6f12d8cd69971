package refs

import (
	"context"
	"encoding/json"
	"os"
	"path"
	"path/filepath"
	"strings"

	"codeintel/index"
	"codeintel/symbols"
)

// Packages of a workspace reach each other through links in node_modules. What
// a server sees there is the package's build output, so uses end in typings
// instead of in the source, or nowhere when the package is not built. This file
// leads both back to the source.

// packageJSON is what matters here of a package's manifest.
type packageJSON struct {
	Name    string          `json:"name"`
	Main    string          `json:"main"`
	Module  string          `json:"module"`
	Types   string          `json:"types"`
	Typings string          `json:"typings"`
	Source  string          `json:"source"`
	Exports json.RawMessage `json:"exports"`
}

// readPackage reads the manifest of a root-relative folder.
func readPackage(s *index.Snapshot, dir string) (packageJSON, bool) {
	var p packageJSON
	doc, err := s.Document(path.Join(dir, "package.json"))
	if err != nil {
		return p, false
	}
	return p, json.Unmarshal(doc.Text(), &p) == nil
}

// packageDir returns the nearest folder above a file that holds a manifest.
func packageDir(s *index.Snapshot, file string) (string, bool) {
	for dir := path.Dir(file); ; dir = path.Dir(dir) {
		if s.Exists(path.Join(dir, "package.json")) {
			return dir, true
		}
		if dir == "." || dir == "/" {
			return "", false
		}
	}
}

// declaringPaths returns the documents that define the symbol.
func (h *hunt) declaringPaths() []string {
	var out []string
	for _, l := range h.decls {
		if !outside(l.Path) {
			out = append(out, l.Path)
		}
	}
	return out
}

// builtTypings reports whether a declaration file is build output of the
// package that defines the symbol: generated next to it and not a source of the
// workspace, or installed under the package's name.
func (h *hunt) builtTypings(file string) bool {
	if !isTypings(file) || outside(file) {
		return false
	}
	for _, declaring := range h.declaringPaths() {
		dir, ok := packageDir(h.s, declaring)
		if !ok || isTypings(declaring) {
			continue
		}
		p, _ := readPackage(h.s, dir)
		if p.Name != "" && strings.Contains(file, "node_modules/"+p.Name+"/") {
			return true
		}
		if inside, ok := below(dir, file); ok && !strings.Contains("/"+inside, "/node_modules/") && (!h.s.Has(file) || p.publishes(inside)) {
			return true
		}
	}
	return false
}

func isTypings(file string) bool {
	for _, suffix := range []string{".d.ts", ".d.mts", ".d.cts"} {
		if strings.HasSuffix(file, suffix) {
			return true
		}
	}
	return false
}

// below returns file relative to dir when it lies in it.
func below(dir, file string) (string, bool) {
	if dir == "." {
		return file, true
	}
	return strings.CutPrefix(file, dir+"/")
}

// publishes reports whether a file of the package lies in the folder that its
// manifest names as output.
func (p packageJSON) publishes(file string) bool {
	first, _, nested := strings.Cut(file, "/")
	for _, entry := range p.entries(".") {
		top, _, deep := strings.Cut(strings.TrimPrefix(entry, "./"), "/")
		if nested && deep && top == first && top != "src" {
			return true
		}
	}
	return false
}

// typings asks for references at the built typings that a use is bound to, and
// unites them when the typings stand for the symbol.
func (c *comparison) typings(ctx context.Context, m mention, tok symbols.Identifier, d Location) (verdict, details, error) {
	switch c.stands(d) {
	case other:
		return other, details{}, nil
	case doubted:
		return doubted, details{
			cause: "the import leads to built typings of a package that defines the name more than once",
			cure:  "build " + path.Dir(d.Path) + " with declarationMap", whole: true,
		}, nil
	}
	if c.united[d.Path] {
		return typings, details{}, nil
	}
	c.united[d.Path] = true
	if err := c.v.ensureOpen(ctx, c.s, d.Path); err != nil && !unreadable(err) {
		return 0, details{}, err
	}
	locs, err := c.v.references(ctx, c.s, d.Path, d.Range.Start, &c.lost)
	if err != nil {
		return 0, details{}, err
	}
	for _, l := range locs {
		if !c.builtTypings(l.Path) {
			c.add(l)
		}
	}
	return typings, details{}, nil
}

// stands judges whether a definition in typings stands for the symbol: ours,
// other, or doubted when the package defines the name in several places and the
// typings do not mirror the source's folders.
func (c *comparison) stands(d Location) verdict {
	built, ok := declarationAt(c.s, d, c.t.name)
	if !ok || built.Symbol.Name != c.t.name {
		return other
	}
	container := ""
	if len(c.t.declared) > 0 {
		container = c.t.declared[0].Container
		if built.Symbol.Container != container {
			return other
		}
	}
	dir, _ := packageDir(c.s, c.declaringPaths()[0])
	p, _ := readPackage(c.s, dir)
	for _, declaring := range c.declaringPaths() {
		if mirrors(dir, p.Name, declaring, d.Path) {
			return ours
		}
	}
	if c.definitions(dir, container) == 1 {
		return ours
	}
	return doubted
}

// mirrors reports whether a built file stands at the place of a source file:
// dist/a/b.d.ts and src/a/b.ts of one package do.
func mirrors(dir, name, source, built string) bool {
	in, ok := below(dir, source)
	if !ok {
		return false
	}
	out, ok := below(dir, built)
	if _, after, installed := strings.Cut(built, "node_modules/"+name+"/"); installed {
		out, ok = after, true
	}
	return ok && stem(in) == stem(out)
}

// stem is a path below its first folder, without extensions.
func stem(file string) string {
	if _, rest, ok := strings.Cut(file, "/"); ok {
		file = rest
	}
	for _, ext := range []string{".d.ts", ".d.mts", ".d.cts", ".ts", ".tsx", ".mts", ".cts", ".js", ".jsx", ".mjs", ".cjs"} {
		if short, ok := strings.CutSuffix(file, ext); ok {
			return short
		}
	}
	return file
}

// definitions counts the documents of a package whose source defines the name
// in a container.
func (h *hunt) definitions(dir, container string) int {
	n := 0
	for _, m := range h.mentions {
		if _, in := below(dir, m.path); !in || isTypings(m.path) {
			continue
		}
		for _, sym := range m.outline.Symbols() {
			if sym.Name == h.t.name && sym.Container == container && !sym.Local {
				n++
				break
			}
		}
	}
	return n
}

// linkedPackage finds the workspace package that a bare module specifier leads
// to: the file's own, by its name (https://nodejs.org/api/packages.html,
// self-referencing), else one through a link in a node_modules folder above file.
func linkedPackage(s *index.Snapshot, file, module string) (dir, subpath string, ok bool) {
	if strings.HasPrefix(module, ".") || strings.HasPrefix(module, "/") || module == "" {
		return "", "", false
	}
	name, subpath := splitModule(module)
	if own, ok := packageDir(s, file); ok {
		if p, ok := readPackage(s, own); ok && p.Name == name && len(p.Exports) > 0 {
			return own, subpath, true
		}
	}
	for at := path.Dir(file); ; at = path.Dir(at) {
		link := filepath.Join(s.Root(), filepath.FromSlash(at), "node_modules", filepath.FromSlash(name))
		if real, err := filepath.EvalSymlinks(link); err == nil {
			rel, err := filepath.Rel(s.Root(), real)
			if err != nil || strings.HasPrefix(rel, "..") || strings.Contains("/"+filepath.ToSlash(rel)+"/", "/node_modules/") {
				return "", "", false
			}
			return filepath.ToSlash(rel), subpath, true
		} else if !os.IsNotExist(err) {
			return "", "", false
		}
		if at == "." || at == "/" {
			return "", "", false
		}
	}
}

// splitModule splits a specifier into package name and subpath ("." for none).
func splitModule(module string) (name, subpath string) {
	parts := strings.SplitN(module, "/", 3)
	n := 1
	if strings.HasPrefix(module, "@") {
		n = 2
	}
	if len(parts) <= n {
		return module, "."
	}
	return strings.Join(parts[:n], "/"), "./" + strings.Join(parts[n:], "/")
}
