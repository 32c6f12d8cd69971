package refs

import (
	"context"
	"fmt"
	"os"
	"path"
	"path/filepath"
	"slices"
	"strings"

	"codeintel/symbols"
)

// importAt returns the module of the import statement that a definition lies
// in, when it lies in one of the same document: the name then leads no further
// than its own import.
func importAt(m mention, defs []Location) (string, bool) {
	for _, d := range defs {
		if d.Path != m.path {
			continue
		}
		for _, im := range m.outline.Imports() {
			if im.Range.Contains(d.Range.Start) {
				return im.Module, true
			}
		}
	}
	return "", false
}

// importOf returns the module that an identifier, or the first name of its
// member chain, is imported from.
func importOf(m mention, tok symbols.Identifier) (string, bool) {
	r := tok.Range
	if root, ok := chainRoot(m.doc.Text(), r.Start); ok {
		r = root
	}
	name := string(m.doc.Text()[r.Start:r.End])
	for _, im := range m.outline.Imports() {
		if im.Range.Contains(tok.Range.Start) {
			return im.Module, true
		}
		for _, n := range im.Names {
			if local(n) == name {
				return im.Module, true
			}
		}
		if len(im.Names) == 0 && goPackageName(im.Module) == name && path.Ext(m.path) == ".go" {
			return im.Module, true
		}
	}
	return "", false
}

// local returns the name that an import binds in its document.
func local(n symbols.ImportName) string {
	if n.Alias != "" {
		return n.Alias
	}
	return n.Name
}

// goPackageName guesses the package name of an import path: its last element
// that is not a major version.
func goPackageName(module string) string {
	base := path.Base(module)
	if len(base) > 1 && base[0] == 'v' && strings.Trim(base[1:], "0123456789") == "" {
		base = path.Base(path.Dir(module))
	}
	if i := strings.LastIndex(base, ".v"); i > 0 {
		base = base[:i]
	}
	return strings.TrimPrefix(base, "go-")
}

// viaImport judges a name that leads to an import and no further: a module that
// the server did not resolve, or one that it knows nothing about.
func (c *comparison) viaImport(ctx context.Context, m mention, tok symbols.Identifier, module string) (verdict, details, error) {
	resolved, err := c.resolved(ctx, m, module)
	if err != nil {
		return 0, details{}, err
	}
	switch c.follow(m, tok, module) {
	case ours:
		return ours, details{followed: c.followed(m, tok)}, nil
	case other:
		return other, details{}, nil
	}
	if resolved && c.misled(m, tok, module) {
		return doubted, details{
			cause: fmt.Sprintf("%s finds no '%s' in the module %q", c.v.info().Name, c.t.name, module),
			whole: true,
		}, nil
	}
	if resolved {
		return unbound, details{}, nil
	}
	return doubted, details{
		cause: fmt.Sprintf("the import %q is unresolved", module),
		cure:  c.cureImport(m.path, module),
		whole: true,
		final: !c.elsewhereResolvable(m.path, module),
	}, nil
}

// misled reports whether a Python document imports the identifier by name from a
// module that the server has found, and found no such name in: another module is
// meant, one that this one hides.
func (c *comparison) misled(m mention, tok symbols.Identifier, module string) bool {
	if family(symbols.LanguageOf(m.path)) != "python" {
		return false
	}
	if _, chained := chainRoot(m.doc.Text(), tok.Range.Start); chained {
		return false
	}
	return slices.ContainsFunc(m.outline.Imports(), func(im symbols.Import) bool {
		return im.Module == module && slices.ContainsFunc(im.Names, func(n symbols.ImportName) bool { return n.Name == c.t.name })
	})
}

// elsewhereResolvable reports whether another compiler version could resolve a
// module that this one did not: it is relative, a folder of that name is
// installed, or the project maps it in a way that versions treat differently.
func (c *comparison) elsewhereResolvable(file, module string) bool {
	if strings.HasPrefix(module, ".") {
		return true
	}
	name, _ := splitModule(module)
	for at := path.Dir(file); ; at = path.Dir(at) {
		if _, err := os.Stat(filepath.Join(c.s.Root(), filepath.FromSlash(at), "node_modules", filepath.FromSlash(name))); err == nil {
			return true
		}
		if at == "." || at == "/" {
			break
		}
	}
	for _, config := range c.configs.For(filepath.Join(c.s.Root(), filepath.FromSlash(file))) {
		if config.Options["baseUrl"] != nil || mapsModule(config.Options["paths"], module) {
			return true
		}
	}
	return false
}

// mapsModule reports whether a pattern of a paths option matches a module.
func mapsModule(paths any, module string) bool {
	patterns, _ := paths.(map[string]any)
	for p := range patterns {
		before, after, star := strings.Cut(p, "*")
		if p == module || star && strings.HasPrefix(module, before) && strings.HasSuffix(module, after) {
			return true
		}
	}
	return false
}

// followed reports whether following the import listed this token.
func (c *comparison) followed(m mention, tok symbols.Identifier) bool {
	return c.bound[place{m.path, tok.Range.Start, tok.Range.End}]
}

// resolved reports whether the server can say what a module specifier stands
// for.
func (c *comparison) resolved(ctx context.Context, m mention, module string) (bool, error) {
	known := c.modules[m.path]
	if known == nil {
		known = map[string]bool{}
		c.modules[m.path] = known
	}
	if r, ok := known[module]; ok {
		return r, nil
	}
	for _, im := range m.outline.Imports() {
		if im.Module != module || im.ModuleRange.Len() == 0 {
			continue
		}
		c.questions++
		var hidden losses
		defs, err := c.v.definition(ctx, c.s, m.path, im.ModuleRange.Start+1, &hidden)
		if err != nil && (ctx.Err() != nil || crashed(err)) {
			return false, err
		}
		known[module] = err == nil && len(defs)+hidden.blocked+hidden.unreadable > 0
		return known[module], nil
	}
	known[module] = true // no specifier to ask at: nothing says that it is unresolved
	return true, nil
}

// cureImport names the command that would make an import resolve.
func (c *comparison) cureImport(file, module string) string {
	switch family(symbols.LanguageOf(file)) {
	case "go":
		return "go mod tidy"
	case "python":
		return "install the package that provides " + module + " into the project's environment"
	}
	if strings.HasPrefix(module, ".") {
		return "" // a file of the workspace itself is missing
	}
	for _, lock := range []struct{ file, command string }{
		{"pnpm-lock.yaml", "pnpm install"}, {"pnpm-workspace.yaml", "pnpm install"}, {"yarn.lock", "yarn install"}, {"bun.lock", "bun install"}, {"bun.lockb", "bun install"},
	} {
		if c.s.Exists(lock.file) {
			return lock.command
		}
	}
	return "npm install"
}
