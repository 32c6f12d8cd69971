package refs

import (
	"bytes"
	"path"
	"path/filepath"
	"slices"
	"strings"

	"codeintel/index"
	"codeintel/lsp"
	"codeintel/symbols"
)

// maxPyProjects bounds the folders that pyright is given: it looks each of them up
// in Python's search paths, and repositories of build tools hold hundreds of tiny
// projects as test data. The ones with most files are taken.
const maxPyProjects = 32

// pyProject is a folder of the snapshot that Python files import from.
type pyProject struct {
	dir        string // root-relative with forward slashes; "." is the root
	configured bool   // the user says there how pyright is to look at it
	src        bool   // it has Python files below src
	files      int
	inner      []string // the projects right below it
}

// pyProjects returns the root and every folder with a project file as projects
// for pyright, by path. A file belongs to the nearest of them and imports from
// there first, then from those around it, then from all others. Below a folder
// that the user has configured for pyright only configured ones are taken.
func pyProjects(s *index.Snapshot) []lsp.Project {
	found := pyMarked(s)
	for _, f := range filesOf(s, "python") {
		dir := nearest(found, path.Dir(f))
		found[dir].files++
		if src := path.Join(dir, "src"); strings.HasPrefix(f, src+"/") {
			found[dir].src = true
		}
	}
	all := pyLargest(found)
	for _, p := range all {
		if p.dir != "." {
			around := found[nearest(found, path.Dir(p.dir))]
			around.inner = append(around.inner, p.dir)
		}
	}
	out := make([]lsp.Project, 0, len(all))
	for _, p := range all {
		out = append(out, p.project(s.Root(), all))
	}
	return out
}

// pyMarked returns the root and the folders with a project file, by path.
func pyMarked(s *index.Snapshot) map[string]*pyProject {
	found := map[string]*pyProject{".": {dir: "."}}
	for _, f := range s.Files() {
		dir, base := path.Split(f.Path)
		if dir = path.Clean(dir); !isMarker("python", base) {
			continue
		}
		if found[dir] == nil {
			found[dir] = &pyProject{dir: dir}
		}
		if base == "pyrightconfig.json" || base == "pyproject.toml" && configuresPyright(s, f.Path) {
			found[dir].configured = true
		}
	}
	for dir, p := range found {
		for at := dir; at != "." && !p.configured; {
			at = path.Dir(at)
			if around := found[at]; around != nil && around.configured {
				delete(found, dir)
				break
			}
		}
	}
	return found
}

// configuresPyright reports whether a pyproject.toml has a table for pyright.
func configuresPyright(s *index.Snapshot, file string) bool {
	doc, err := s.Document(file)
	return err == nil && bytes.Contains(doc.Text(), []byte("[tool.pyright"))
}

// nearest returns the folder of the project that dir lies in.
func nearest(found map[string]*pyProject, dir string) string {
	for found[dir] == nil && dir != "." {
		dir = path.Dir(dir)
	}
	return dir
}

// pyLargest returns the root and the projects with most files, by path, and takes
// the others out of found.
func pyLargest(found map[string]*pyProject) []*pyProject {
	all := make([]*pyProject, 0, len(found))
	for dir, p := range found {
		if p.files == 0 && dir != "." {
			delete(found, dir)
			continue
		}
		all = append(all, p)
	}
	slices.SortFunc(all, func(a, b *pyProject) int {
		switch {
		case a.dir == "." || b.dir == ".":
			return len(a.dir) - len(b.dir)
		case a.files != b.files:
			return b.files - a.files
		}
		return strings.Compare(a.dir, b.dir)
	})
	if len(all) > maxPyProjects {
		for _, p := range all[maxPyProjects:] {
			delete(found, p.dir)
		}
		all = all[:maxPyProjects]
	}
	slices.SortFunc(all, func(a, b *pyProject) int { return strings.Compare(a.dir, b.dir) })
	return all
}

// project says to pyright what p is among all projects. A configured one is left
// to its configuration.
func (p *pyProject) project(root string, all []*pyProject) lsp.Project {
	out := lsp.Project{Dir: filepath.Join(root, filepath.FromSlash(p.dir))}
	if p.configured {
		return out
	}
	var around, others []string
	for _, q := range all {
		dirs := []string{absolute(root, q.dir)}
		if q.src {
			dirs = []string{absolute(root, path.Join(q.dir, "src")), dirs[0]}
		}
		switch {
		case q == p:
		case q.dir == "." || strings.HasPrefix(p.dir, q.dir+"/"):
			around = append(dirs, around...) // the nearest first
		default:
			others = append(others, dirs...)
		}
	}
	out.Paths = append(around, others...)
	for _, dir := range p.inner {
		out.Exclude = append(out.Exclude, absolute(root, dir))
	}
	return out
}

// concernsPyProjects reports whether a changed file can change what pyProjects
// returns.
func concernsPyProjects(c index.Change) bool {
	return isMarker("python", path.Base(c.Path)) ||
		(c.Created || c.Removed) && family(symbols.LanguageOf(c.Path)) == "python"
}
