package refs

import (
	"encoding/json"
	"path"
	"slices"
	"sort"
	"strings"

	"codeintel/index"
	"codeintel/symbols"
)

// entries returns the files that a manifest names for a subpath ("." or
// "./sub"), the most source-like condition first.
func (p packageJSON) entries(subpath string) []string {
	var out []string
	if len(p.Exports) > 0 {
		var v any
		if json.Unmarshal(p.Exports, &v) == nil {
			out = exportsOf(v, subpath)
		}
	}
	if subpath == "." {
		for _, f := range []string{p.Source, p.Types, p.Typings, p.Module, p.Main} {
			if f != "" {
				out = append(out, f)
			}
		}
	}
	return out
}

// exportsOf reads the exports field: a path, conditions, or a map of subpaths
// of which one may hold a star (https://nodejs.org/api/packages.html).
func exportsOf(v any, subpath string) []string {
	m, isMap := v.(map[string]any)
	if !isMap || !hasSubpaths(m) {
		if subpath == "." {
			return leaves(v)
		}
		return nil
	}
	if hit, ok := m[subpath]; ok {
		return leaves(hit)
	}
	for _, key := range sortedKeys(m) {
		before, after, star := strings.Cut(key, "*")
		if !star || !strings.HasPrefix(subpath, before) || !strings.HasSuffix(subpath, after) || len(subpath) < len(before)+len(after) {
			continue
		}
		middle := subpath[len(before) : len(subpath)-len(after)]
		var out []string
		for _, leaf := range leaves(m[key]) {
			out = append(out, strings.ReplaceAll(leaf, "*", middle))
		}
		return out
	}
	return nil
}

func hasSubpaths(m map[string]any) bool {
	for key := range m {
		if strings.HasPrefix(key, ".") {
			return true
		}
	}
	return false
}

func sortedKeys(m map[string]any) []string {
	keys := make([]string, 0, len(m))
	for k := range m {
		keys = append(keys, k)
	}
	sort.Strings(keys)
	return keys
}

// leaves collects the paths below conditions; "source" and "development" come
// first, since they lead to sources.
func leaves(v any) []string {
	switch x := v.(type) {
	case string:
		return []string{x}
	case []any:
		var out []string
		for _, e := range x {
			out = append(out, leaves(e)...)
		}
		return out
	case map[string]any:
		var first, rest []string
		for _, key := range sortedKeys(x) {
			if key == "source" || key == "development" || strings.HasPrefix(key, "@") {
				first = append(first, leaves(x[key])...)
			} else {
				rest = append(rest, leaves(x[key])...)
			}
		}
		return append(first, rest...)
	}
	return nil
}

// sourceEntry returns the source file of a workspace package that a subpath
// stands for: an entry that is a source itself, or the source that an entry in
// the output folder is built from.
func sourceEntry(s *index.Snapshot, dir, subpath string) (string, bool) {
	p, ok := readPackage(s, dir)
	if !ok {
		return "", false
	}
	entries := p.entries(subpath)
	if subpath != "." && len(p.Exports) == 0 {
		entries = append(entries, subpath)
	}
	for _, e := range entries {
		if f, ok := sourceFile(s, path.Join(dir, e)); ok && !isTypings(f) {
			return f, true
		}
	}
	for _, e := range entries {
		if f, ok := builtFrom(s, dir, path.Clean(e)); ok {
			return f, true
		}
	}
	if subpath != "." {
		return "", false
	}
	for _, f := range []string{"src/index", "index", "src/main", "lib/index"} {
		if f, ok := sourceFile(s, path.Join(dir, f)); ok {
			return f, true
		}
	}
	return "", false
}

// builtFrom returns the source that an output file of a package is built from: at
// its place in a source folder, or at its place in the output folder. "v3/index.js"
// of a package that is built into its root is not the source folder's index.
func builtFrom(s *index.Snapshot, dir, output string) (string, bool) {
	for _, src := range []string{"src", "lib", "source"} {
		if f, ok := sourceFile(s, path.Join(dir, src, output)); ok {
			return f, true
		}
	}
	_, inside, nested := strings.Cut(output, "/")
	if !nested {
		return "", false
	}
	for _, src := range []string{"src", "lib", "source", "."} {
		if f, ok := sourceFile(s, path.Join(dir, src, inside)); ok {
			return f, true
		}
	}
	return "", false
}

// extensions are tried in the compiler's order of preference.
var extensions = []string{".ts", ".tsx", ".mts", ".cts", ".js", ".jsx", ".mjs", ".cjs", ".d.ts"}

// sourceFile returns the snapshot's file for a module path: as it is, with its
// output extension exchanged, with one added, or as a folder's index.
func sourceFile(s *index.Snapshot, file string) (string, bool) {
	if s.Has(file) && symbols.LanguageOf(file).HasGrammar() {
		return file, true
	}
	base := file
	for _, out := range []string{".d.ts", ".d.mts", ".d.cts", ".js", ".mjs", ".cjs", ".jsx"} {
		if strings.HasSuffix(file, out) {
			base = strings.TrimSuffix(file, out)
			break
		}
	}
	for _, b := range []string{base, path.Join(file, "index")} {
		for _, ext := range extensions {
			if s.Has(b + ext) {
				return b + ext, true
			}
		}
	}
	return "", false
}

// moduleFile resolves a specifier in a document to a source of the workspace:
// relative, or through a linked package.
func moduleFile(s *index.Snapshot, file, module string) (string, bool) {
	if strings.HasPrefix(module, ".") {
		return sourceFile(s, path.Join(path.Dir(file), module))
	}
	dir, subpath, ok := linkedPackage(s, file, module)
	if !ok {
		return "", false
	}
	return sourceEntry(s, dir, subpath)
}

// export names what a module offers under a name: the document that defines it
// and the name it has there.
type export struct{ path, name string }

// maxHops bounds the re-exports that are followed; cycles end by the set of
// modules seen.
const maxHops = 200

// exported follows re-exports from a module until a document defines the name.
func exported(s *index.Snapshot, file, name string) (export, bool) {
	seen := map[export]bool{}
	queue := []export{{file, name}}
	for hop := 0; len(queue) > 0 && hop < maxHops; hop++ {
		at := queue[0]
		queue = queue[1:]
		if seen[at] {
			continue
		}
		seen[at] = true
		outline, err := s.Outline(at.path)
		if err != nil {
			continue
		}
		if defines(outline, at.name) {
			return at, true
		}
		queue = append(queue, hops(s, at, outline)...)
	}
	return export{}, false
}

func defines(o *symbols.Outline, name string) bool {
	for _, sym := range o.Symbols() {
		if sym.Name == name && sym.Container == "" && !sym.Local {
			return true
		}
	}
	return false
}

// hops returns where a module that does not define a name may have it from.
func hops(s *index.Snapshot, at export, outline *symbols.Outline) []export {
	var out []export
	for _, im := range outline.Imports() {
		next, ok := moduleFile(s, at.path, im.Module)
		if !ok {
			continue
		}
		if im.Wildcard {
			out = append(out, export{next, at.name})
		}
		for _, n := range im.Names {
			if local(n) == at.name && n.Name != "*" {
				out = append(out, export{next, n.Name})
			}
		}
	}
	return out
}

// follow leads an import of a linked package back to its source. It reports
// ours and lists what the import binds when the source is the symbol, other
// when it is another definition, unbound when the import cannot be followed.
func (c *comparison) follow(m mention, tok symbols.Identifier, module string) verdict {
	if _, _, linked := linkedPackage(c.s, m.path, module); !linked {
		return unbound
	}
	entry, ok := moduleFile(c.s, m.path, module)
	if !ok {
		return unbound
	}
	if n, through := importedBy(m, tok, module); through && n.Name != "*" {
		return c.followMember(m, entry, n)
	}
	def, ok := exported(c.s, entry, c.t.name)
	if !ok {
		return unbound
	}
	for _, declaring := range c.declaringPaths() {
		if def.path == declaring && def.name == c.t.name && c.topLevel() {
			c.bind(m, module)
			return ours
		}
	}
	return other
}

// importedBy returns the name of an import that a member access begins with.
func importedBy(m mention, tok symbols.Identifier, module string) (symbols.ImportName, bool) {
	root, chained := chainRoot(m.doc.Text(), tok.Range.Start)
	if !chained {
		return symbols.ImportName{}, false
	}
	for _, im := range m.outline.Imports() {
		for _, n := range im.Names {
			if im.Module == module && local(n) == string(m.doc.Text()[root.Start:root.End]) {
				return n, true
			}
		}
	}
	return symbols.ImportName{}, false
}

// followMember is follow for members of one imported name: they are the symbol's
// when the name is a namespace that holds it. Of anything else nothing is known.
func (c *comparison) followMember(m mention, entry string, n symbols.ImportName) verdict {
	inside, ok := namespace(c.s, entry, n.Name)
	if !ok {
		return unbound
	}
	def, ok := exported(c.s, inside, c.t.name)
	if !ok {
		return unbound
	}
	if slices.Contains(c.declaringPaths(), def.path) && def.name == c.t.name && c.topLevel() {
		c.bindMembers(m, local(n))
		return ours
	}
	return other
}

// namespace follows re-exports from a module until one exports a whole module
// under the name, and returns that module.
func namespace(s *index.Snapshot, file, name string) (string, bool) {
	seen := map[export]bool{}
	queue := []export{{file, name}}
	for hop := 0; len(queue) > 0 && hop < maxHops; hop++ {
		at := queue[0]
		queue = queue[1:]
		outline, err := s.Outline(at.path)
		if err != nil || seen[at] {
			continue
		}
		seen[at] = true
		for _, im := range outline.Imports() {
			for _, n := range im.Names {
				if n.Name == "*" && local(n) == at.name {
					return moduleFile(s, at.path, im.Module)
				}
			}
		}
		queue = append(queue, hops(s, at, outline)...)
	}
	return "", false
}

// topLevel reports whether the symbol is defined at the top of its document;
// only then can an import name it.
func (h *hunt) topLevel() bool {
	for _, d := range h.t.declared {
		if d.Container != "" {
			return false
		}
	}
	return true
}

// bind lists as syntactic references what an import of the symbol binds in a
// document: the import's name, the uses of its local name, or the member
// accesses on its namespace.
func (c *comparison) bind(m mention, module string) {
	for _, im := range m.outline.Imports() {
		if im.Module != module {
			continue
		}
		for _, n := range im.Names {
			switch {
			case n.Name == c.t.name:
				c.bindName(m, im, local(n))
			case n.Name == "*":
				c.bindMembers(m, local(n))
			}
		}
	}
}

func (c *comparison) bindName(m mention, im symbols.Import, name string) {
	for _, id := range m.outline.Named(c.t.name) {
		if im.Range.Contains(id.Range.Start) {
			c.list(m, id.Range)
		}
	}
	for _, id := range m.outline.Named(name) {
		if _, member := chainRoot(m.doc.Text(), id.Range.Start); !member && id.Role != symbols.RoleMember && id.Role != symbols.RoleDeclaration {
			c.list(m, id.Range)
		}
	}
}

func (c *comparison) bindMembers(m mention, namespace string) {
	for _, id := range m.outline.Named(c.t.name) {
		if root, ok := chainRoot(m.doc.Text(), id.Range.Start); ok && string(m.doc.Text()[root.Start:root.End]) == namespace {
			c.list(m, id.Range)
		}
	}
}

// list adds a syntactic reference once.
func (c *comparison) list(m mention, r symbols.Range) {
	l, err := locate(m.doc, m.path, r)
	if err != nil {
		return
	}
	if c.bound[l.place()] {
		return
	}
	c.bound[l.place()] = true
	c.syntactic = append(c.syntactic, l)
}
