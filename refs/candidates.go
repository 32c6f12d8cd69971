package refs

import (
	"context"
	"path"
	"runtime"
	"slices"
	"sort"
	"strings"
	"sync"
	"sync/atomic"

	"codeintel/index"
	"codeintel/refs/text"
	"codeintel/symbols"
)

// mention is a document that holds the bare name as an identifier.
type mention struct {
	path    string
	doc     *symbols.Document
	outline *symbols.Outline
	tokens  []symbols.Identifier
	defers  bool // another server judges what the first leaves open
}

// family groups languages that can refer to each other's symbols; files of
// another family never are candidates.
func family(l symbols.Language) string {
	switch l {
	case "typescript", "typescriptreact", "javascript", "javascriptreact":
		return "typescript"
	case symbols.OCamlInterface:
		return string(symbols.OCaml)
	}
	return string(l)
}

// filesOf returns the snapshot's paths of one language family, without notebooks:
// servers are not asked of them.
func filesOf(s *index.Snapshot, fam string) []string {
	var out []string
	for _, f := range s.Files() {
		if family(symbols.LanguageOf(f.Path)) == fam {
			out = append(out, f.Path)
		}
	}
	return out
}

// notebooksOf returns the snapshot's notebooks. Their paths do not say of which
// family they are, see [inFamily].
func notebooksOf(s *index.Snapshot) []string {
	var out []string
	for _, f := range s.Files() {
		if isNotebook(f.Path) {
			out = append(out, f.Path)
		}
	}
	return out
}

func isNotebook(path string) bool { return symbols.LanguageOf(path) == symbols.Notebook }

// notebookReason says why servers are not asked about notebooks: they take the file
// for JSON, and its code for a document that is in no project.
const notebookReason = "notebooks are not asked of a language server"

// inFamily reports whether a document, a notebook by its kernel, is of a family.
func inFamily(doc *symbols.Document, fam string) bool { return family(doc.Language()) == fam }

// rgFrom is the number of files from which starting rg pays. Below it the search
// in Go is faster: 0.6 against 7.8 ms on cobra (66 files), 16 against 39 ms on
// prometheus (1,100 files), which BenchmarkSearch of refs/text repeats.
const rgFrom = 20_000

// mentions returns the documents of the declaring document's language family
// that hold the name as an identifier, by path.
func (f *Finder) mentions(ctx context.Context, s *index.Snapshot, t *target) ([]mention, error) {
	fam := family(t.doc.Language())
	paths, err := f.holders(ctx, s, fam, t.name)
	if err != nil {
		return nil, err
	}
	foreign := func(m mention) bool { return isNotebook(m.path) && !inFamily(m.doc, fam) }
	return slices.DeleteFunc(read(s, paths, t.name), foreign), ctx.Err()
}

// holders returns the paths of a family's documents, and of notebooks of any, that
// may hold a name as an identifier, sorted: by the index, or by the text while the index is not there.
func (f *Finder) holders(ctx context.Context, s *index.Snapshot, fam, name string) ([]string, error) {
	if !s.Indexed() {
		return f.wordIn(ctx, s, append(filesOf(s, fam), notebooksOf(s)...), name)
	}
	all, err := s.Mentions(ctx, name)
	if err != nil {
		return nil, err
	}
	other := func(p string) bool { return family(symbols.LanguageOf(p)) != fam && !isNotebook(p) }
	all = slices.DeleteFunc(all, other)
	rest, err := f.wordIn(ctx, s, slices.DeleteFunc(s.Unoutlined(), other), name)
	if err != nil || len(rest) == 0 {
		return all, err
	}
	all = append(all, rest...)
	slices.Sort(all)
	return all, nil
}

// wordIn returns those of the files that hold a name as a word.
func (f *Finder) wordIn(ctx context.Context, s *index.Snapshot, files []string, name string) ([]string, error) {
	if len(files) == 0 {
		return nil, nil
	}
	o := text.Options{RG: f.opts.RG, Overlays: s.Overlays()}
	if len(files) < rgFrom {
		o.RG = ""
	}
	found, err := text.Search(ctx, o, s.Root(), files, name)
	return distinct(found), err
}

// distinct returns the paths of matches, which are sorted by path.
func distinct(found []text.Match) []string {
	var out []string
	for _, m := range found {
		if len(out) == 0 || out[len(out)-1] != m.Path {
			out = append(out, m.Path)
		}
	}
	return out
}

// read returns those of the documents that hold the name as an identifier, in
// order. Reading syntax is most of what a question costs here, so all processors
// do it.
func read(s *index.Snapshot, paths []string, name string) []mention {
	all := make([]mention, len(paths))
	holds := make([]bool, len(paths))
	var next atomic.Int64
	var workers sync.WaitGroup
	for range min(runtime.GOMAXPROCS(0), len(paths)) {
		workers.Go(func() {
			for i := int(next.Add(1)) - 1; i < len(paths); i = int(next.Add(1)) - 1 {
				all[i], holds[i] = mentionIn(s, paths[i], name)
			}
		})
	}
	workers.Wait()
	var out []mention
	for i, m := range all {
		if holds[i] {
			out = append(out, m)
		}
	}
	return out
}

func mentionIn(s *index.Snapshot, path, name string) (mention, bool) {
	outline, err := s.Outline(path)
	if err != nil {
		return mention{}, false
	}
	doc, err := s.Document(path)
	if err != nil {
		return mention{}, false
	}
	tokens := outline.Named(name)
	return mention{path: path, doc: doc, outline: outline, tokens: tokens}, len(tokens) > 0
}

// isMarker reports whether a file name marks the root of a project that a
// server of the family loads as a whole.
func isMarker(fam, base string) bool {
	switch fam {
	case "go":
		return base == "go.mod"
	case "typescript":
		return base == "jsconfig.json" || strings.HasPrefix(base, "tsconfig") && strings.HasSuffix(base, ".json")
	case "python":
		return base == "pyproject.toml" || base == "pyrightconfig.json" || base == "setup.py" || base == "setup.cfg"
	}
	return false
}

// projects knows the folders of a snapshot that hold a project marker.
type projects struct {
	fam     string
	markers map[string]string   // folder → its first marker, root-relative
	files   map[string][]string // nearest marked folder → files, filled lazily
}

func newProjects(s *index.Snapshot, fam string) *projects {
	p := &projects{fam: fam, markers: map[string]string{}}
	add := func(file string) {
		if dir := path.Dir(file); isMarker(fam, path.Base(file)) && p.markers[dir] == "" {
			p.markers[dir] = file
		}
	}
	for _, f := range s.Files() {
		add(f.Path)
	}
	for _, link := range s.Links() {
		add(link)
	}
	return p
}

// folders returns the marked folders above a file, nearest first.
func (p *projects) folders(file string) []string {
	var out []string
	for dir := path.Dir(file); ; dir = path.Dir(dir) {
		if p.markers[dir] != "" {
			out = append(out, dir)
		}
		if dir == "." || dir == "/" {
			return out
		}
	}
}

// marker returns the nearest project marker of a file; empty when it has none.
func (p *projects) marker(file string) string {
	if dirs := p.folders(file); len(dirs) > 0 {
		return p.markers[dirs[0]]
	}
	return ""
}

// representative returns a file whose nearest marker is in dir: the shallowest,
// sources before declarations, by path; empty when there is none.
func (p *projects) representative(s *index.Snapshot, dir string) string {
	if p.files == nil {
		p.files = map[string][]string{}
		for _, f := range filesOf(s, p.fam) {
			if dirs := p.folders(f); len(dirs) > 0 {
				p.files[dirs[0]] = append(p.files[dirs[0]], f)
			}
		}
	}
	files := p.files[dir]
	if len(files) == 0 {
		return ""
	}
	best := files[0]
	for _, f := range files[1:] {
		if rank(f) < rank(best) {
			best = f
		}
	}
	return best
}

// first returns how many of the files belong to the first n projects.
func (p *projects) first(files []string, n int) int {
	seen := map[string]bool{}
	for i, file := range files {
		if m := p.marker(file); m != "" {
			seen[m] = true
		}
		if len(seen) > n {
			return i
		}
	}
	return len(files)
}

// rank orders files by how likely their project loads on opening them.
func rank(file string) int {
	n := strings.Count(file, "/") * 10
	switch {
	case strings.HasSuffix(file, ".d.ts"):
		n += 8
	case strings.HasSuffix(file, ".js") || strings.HasSuffix(file, ".cjs") || strings.HasSuffix(file, ".mjs"):
		n += 4
	}
	return n
}

// manyMentions is how many documents are all opened; above it one per project
// is (design: "all of them when they are few (about 200)").
const manyMentions = 200

// plan returns what to open for a complete answer: the mentions, or one per
// project when they are many, and for every marked folder above a mention one
// file of that project. A TypeScript server loads only projects of which a file
// is open; gopls and pyright load all files of a project at once, so one is
// always enough there.
func (p *projects) plan(s *index.Snapshot, declaring string, all []mention) []string {
	chosen := map[string]bool{declaring: true}
	covered := map[string]bool{}
	cover := func(file string) {
		chosen[file] = true
		if dirs := p.folders(file); len(dirs) > 0 {
			covered[dirs[0]] = true
		}
	}
	cover(declaring)
	every := p.fam == "typescript" && len(all) <= manyMentions
	for _, m := range all {
		if dirs := p.folders(m.path); every || len(dirs) == 0 && p.fam == "typescript" || len(dirs) > 0 && !covered[dirs[0]] {
			cover(m.path)
		}
	}
	for _, m := range all {
		for _, dir := range p.folders(m.path) {
			if covered[dir] {
				continue
			}
			covered[dir] = true
			if file := p.representative(s, dir); file != "" {
				chosen[file] = true
			}
		}
	}
	delete(chosen, declaring)
	out := make([]string, 0, len(chosen))
	for file := range chosen {
		out = append(out, file)
	}
	sort.Strings(out)
	return append([]string{declaring}, out...)
}
