package refs

import (
	"context"
	"maps"
	"path"
	"path/filepath"
	"slices"
	"sort"
	"strings"

	"codeintel/index"
	"codeintel/lsp/tsconfig"
	"codeintel/refs/bind"
	"codeintel/refs/text"
	"codeintel/symbols"
)

// bound completes a syntactic answer with what binding the names shows.
func (f *Finder) bound(ctx context.Context, s *index.Snapshot, t *target, r *Result) error {
	w := newBindSource(ctx, f, s, t)
	found, err := bind.New(w).References(ctx, t.path, t.asks, t.name)
	if err != nil {
		return err
	}
	r.Elsewhere, r.Untyped = found.Elsewhere, found.Untyped
	r.noteOthers()
	for _, o := range found.Occurrences {
		doc, err := s.Document(o.Path)
		if err != nil {
			continue
		}
		l, err := locate(doc, o.Path, o.Range)
		if err != nil {
			continue
		}
		if o.Declaration {
			if d, ok := declarationAt(s, l, t.name); ok {
				r.Declarations = append(r.Declarations, d)
			}
		}
		r.References = append(r.References, Reference{Location: l, Precision: Syntactic, Declaration: o.Declaration})
	}
	r.Sort()
	return nil
}

// A bindSource shows a snapshot to a [bind.Binder], for one question.
type bindSource struct {
	ctx     context.Context
	options text.Options
	s       *index.Snapshot
	fam     string
	files   []string // of the language family
	configs *tsconfig.Reader
	// packages are the folders of the workspace's packages by name, folders the files
	// by folder; both are filled when first used.
	packages map[string]string
	folders  map[string][]string
	modules  map[[2]string]string
	// goModules are the folders of Go modules by module path.
	goModules map[string]string
}

func newBindSource(ctx context.Context, f *Finder, s *index.Snapshot, t *target) *bindSource {
	w := &bindSource{
		ctx: ctx, s: s, fam: family(t.doc.Language()), files: filesOf(s, family(t.doc.Language())), configs: tsconfig.NewReader(s.Root()),
		options: text.Options{RG: f.opts.RG, Overlays: s.Overlays()}, modules: map[[2]string]string{},
	}
	if len(w.files) < rgFrom {
		w.options.RG = ""
	}
	return w
}

// Document returns a document of the snapshot.
func (w *bindSource) Document(p string) (*symbols.Document, error) { return w.s.Document(p) }

// Holding returns the documents of the language family that hold a word.
func (w *bindSource) Holding(word string) ([]string, error) {
	found, err := text.Search(w.ctx, w.options, w.s.Root(), append(notebooksOf(w.s), w.files...), word)
	foreign := func(p string) bool {
		if !isNotebook(p) {
			return false
		}
		doc, err := w.s.Document(p)
		return err != nil || !inFamily(doc, w.fam)
	}
	return slices.DeleteFunc(distinct(found), foreign), err
}

// Beside returns the documents of the language family in a folder.
func (w *bindSource) Beside(folder string) []string {
	if w.folders == nil {
		w.folders = map[string][]string{}
		for _, f := range w.files {
			w.folders[path.Dir(f)] = append(w.folders[path.Dir(f)], f)
		}
	}
	return w.folders[folder]
}

// maxGlobal is the number of files up to which all are looked at for global names.
// Larger workspaces consist of modules, and their texts would all have to be read.
const maxGlobal = 500

// Global returns the documents that are no modules.
func (w *bindSource) Global(p string) []string {
	if family(symbols.LanguageOf(p)) != "typescript" || len(w.files) > maxGlobal {
		return nil
	}
	var out []string
	for _, f := range w.files {
		if doc, err := w.s.Document(f); err == nil && (isGlobal(doc) || strings.Contains(string(doc.Text()), "declare global")) {
			out = append(out, f)
		}
	}
	return out
}

// Module resolves a specifier as the language does, as far as files show it.
func (w *bindSource) Module(from, specifier string) (string, bool) {
	key := [2]string{path.Dir(from), specifier}
	if known, ok := w.modules[key]; ok {
		return known, known != ""
	}
	found, ok := w.resolve(from, specifier)
	if !ok {
		found = ""
	}
	w.modules[key] = found
	return found, ok
}

func (w *bindSource) resolve(from, specifier string) (string, bool) {
	if specifier == "" {
		return "", false
	}
	switch w.fam {
	case "go":
		return w.goFolder(specifier)
	case "python":
		return w.pythonModule(from, specifier)
	}
	if f, ok := moduleFile(w.s, from, specifier); ok {
		return f, true
	}
	if strings.HasPrefix(specifier, ".") {
		return sourceFile(w.s, path.Join(path.Dir(from), specifier))
	}
	if f, ok := w.mapped(from, specifier); ok {
		return f, true
	}
	if f, ok := w.workspacePackage(specifier); ok {
		return f, true
	}
	return w.installed(from, specifier)
}

// mapped resolves a specifier by the paths and the baseUrl of the configuration
// that governs a file. Both are taken relative to the configuration's folder, or
// to one above where an extended configuration sets them.
func (w *bindSource) mapped(from, specifier string) (string, bool) {
	for _, config := range w.configs.For(filepath.Join(w.s.Root(), filepath.FromSlash(from))) {
		base, hasBase := config.Options["baseUrl"].(string)
		candidates := substitutions(config.Options["paths"], specifier)
		if hasBase {
			candidates = append(candidates, specifier)
		}
		dir, err := filepath.Rel(w.s.Root(), filepath.Dir(config.Path))
		if err != nil || strings.HasPrefix(dir, "..") {
			continue
		}
		for dir = filepath.ToSlash(dir); ; dir = path.Dir(dir) {
			for _, c := range candidates {
				if f, ok := sourceFile(w.s, path.Join(dir, base, c)); ok {
					return f, true
				}
			}
			if dir == "." {
				break
			}
		}
	}
	return "", false
}

// substitutions returns what the patterns of a paths option make of a specifier,
// the longest match first.
func substitutions(paths any, specifier string) []string {
	table, _ := paths.(map[string]any)
	keys := sortedKeys(table)
	sort.SliceStable(keys, func(i, j int) bool { return len(keys[i]) > len(keys[j]) })
	var out []string
	for _, key := range keys {
		before, after, star := strings.Cut(key, "*")
		middle := ""
		switch {
		case key == specifier:
		case star && strings.HasPrefix(specifier, before) && strings.HasSuffix(specifier, after) && len(specifier) >= len(before)+len(after):
			middle = specifier[len(before) : len(specifier)-len(after)]
		default:
			continue
		}
		targets, _ := table[key].([]any)
		for _, t := range targets {
			if text, ok := t.(string); ok {
				out = append(out, strings.Replace(text, "*", middle, 1))
			}
		}
	}
	return out
}

// workspacePackage resolves a specifier to the source of a package of the
// workspace, also of one that is not linked.
func (w *bindSource) workspacePackage(specifier string) (string, bool) {
	if w.packages == nil {
		w.packages = map[string]string{}
		for _, dir := range w.above() {
			if p, ok := readPackage(w.s, dir); ok && p.Name != "" {
				if _, taken := w.packages[p.Name]; !taken {
					w.packages[p.Name] = dir
				}
			}
		}
	}
	name, subpath := splitModule(specifier)
	dir, ok := w.packages[name]
	if !ok {
		return "", false
	}
	return sourceEntry(w.s, dir, subpath)
}

// above returns the folders that the files are below, sorted. A manifest counts
// also when it is ignored, so the list of files does not show it.
func (w *bindSource) above() []string {
	seen := map[string]bool{}
	for _, f := range w.files {
		for dir := path.Dir(f); !seen[dir]; dir = path.Dir(dir) {
			seen[dir] = true
		}
	}
	return slices.Sorted(maps.Keys(seen))
}

// installed resolves a specifier to the typings of an installed package.
func (w *bindSource) installed(from, specifier string) (string, bool) {
	name, subpath := splitModule(specifier)
	for at := path.Dir(from); ; at = path.Dir(at) {
		for _, dir := range []string{path.Join(at, "node_modules", name), path.Join(at, "node_modules/@types", strings.ReplaceAll(strings.TrimPrefix(name, "@"), "/", "__"))} {
			if f, ok := w.typingsOf(dir, subpath); ok {
				return f, true
			}
		}
		if at == "." || at == "/" {
			return "", false
		}
	}
}

func (w *bindSource) typingsOf(dir, subpath string) (string, bool) {
	var entries []string
	if p, ok := readPackage(w.s, dir); ok {
		entries = p.entries(subpath)
	}
	if subpath != "." {
		entries = append(entries, subpath)
	}
	entries = append(entries, "index")
	for _, e := range entries {
		e = strings.TrimSuffix(e, path.Ext(e))
		for _, file := range []string{path.Join(dir, e) + ".d.ts", path.Join(dir, e) + ".ts", path.Join(dir, e) + ".d", path.Join(dir, e, "index.d.ts")} {
			if slices.Contains([]string{".ts"}, path.Ext(file)) && w.s.Exists(file) {
				return file, true
			}
		}
	}
	return "", false
}

// goFolder returns the folder of an import path: the one below the module of the
// workspace with the longest path in front of it.
func (w *bindSource) goFolder(importPath string) (string, bool) {
	if w.goModules == nil {
		w.goModules = map[string]string{}
		for _, f := range w.s.Files() {
			if path.Base(f.Path) == "go.mod" {
				w.addModule(f.Path)
			}
		}
	}
	for at := importPath; ; at = path.Dir(at) {
		if dir, ok := w.goModules[at]; ok {
			folder := path.Join(dir, strings.TrimPrefix(importPath, at))
			return folder, len(w.Beside(folder)) > 0
		}
		if at == "." || at == "/" {
			return "", false
		}
	}
}

func (w *bindSource) addModule(file string) {
	doc, err := w.s.Document(file)
	if err != nil {
		return
	}
	for line := range strings.Lines(string(doc.Text())) {
		if rest, ok := strings.CutPrefix(strings.TrimSpace(line), "module "); ok {
			name, _, _ := strings.Cut(rest, "//")
			w.goModules[strings.Trim(strings.TrimSpace(name), `"`)] = path.Dir(file)
			return
		}
	}
}

// pythonModule resolves a module's name: a relative one from the document's
// folder, any other from the folders above the document and their src folders.
func (w *bindSource) pythonModule(from, specifier string) (string, bool) {
	dir := path.Dir(from)
	name := strings.TrimLeft(specifier, ".")
	file := strings.ReplaceAll(name, ".", "/")
	if dots := len(specifier) - len(name); dots > 0 {
		for range dots - 1 {
			dir = path.Dir(dir)
		}
		return w.pythonFile(path.Join(dir, file))
	}
	for ; ; dir = path.Dir(dir) {
		for _, root := range []string{dir, path.Join(dir, "src")} {
			if f, ok := w.pythonFile(path.Join(root, file)); ok {
				return f, true
			}
		}
		if dir == "." || dir == "/" {
			return "", false
		}
	}
}

func (w *bindSource) pythonFile(module string) (string, bool) {
	for _, ending := range []string{".py", ".pyi", "/__init__.py", "/__init__.pyi"} {
		if w.s.Has(module + ending) {
			return module + ending, true
		}
	}
	return "", false
}
