package index

import (
	"cmp"
	"maps"
	"slices"

	"codeintel/index/store"
	"codeintel/symbols"
)

// Status says what is known of a workspace.
type Status struct {
	Root       string
	Generation uint64
	// State is that of the stored index when the workspace was opened or the index
	// was last written; empty where nothing is stored. Damage says what is wrong
	// with it when it is [store.Corrupt].
	State  State
	Damage string
	// Dir is the folder of the stored index and Bytes its size; other worktrees of
	// the repository may share a part of it.
	Dir   string
	Bytes int64
	// Files are all files of the workspace, Indexed those with a stored outline,
	// Unindexed those that lookups parse each time.
	Files, Indexed, Unindexed int
	Symbols                   int // in stored outlines, without local ones
	Names                     int // different ones; those of several parts of the index count once in each
	Languages                 []LanguageStatus
	Skipped                   []SkippedFile
	// Unreadable are folders that could not be listed, Unsaved documents with
	// unsaved text.
	Unreadable, Unsaved []string
}

// LanguageStatus counts the files of one language.
type LanguageStatus struct {
	Language symbols.Language // empty for what has none
	Files    int
	Bytes    int64
	Symbols  int
	Grammar  bool // whether its files can be outlined
}

// SkippedFile is a file with a grammar that is not outlined.
type SkippedFile struct {
	Path, Reason string
}

// Status returns what is known of the workspace in this snapshot.
func (s *Snapshot) Status() Status {
	st := Status{
		Root: s.ws.root, Generation: s.generation, Files: len(s.shown.entries), Unindexed: s.Unindexed(),
		Unreadable: s.unreadable, Unsaved: slices.Sorted(maps.Keys(s.Overlays())),
	}
	s.ws.disk.status(&st)
	languages := map[symbols.Language]*LanguageStatus{}
	for _, e := range s.shown.entries {
		l := symbols.LanguageOf(e.path)
		of := languages[l]
		if of == nil {
			of = &LanguageStatus{Language: l, Grammar: l.HasGrammar()}
			languages[l] = of
		}
		of.Files++
		of.Bytes += e.stamp.size
		n := s.count(&st, e)
		of.Symbols += n
		st.Symbols += n
	}
	for _, of := range languages {
		st.Languages = append(st.Languages, *of)
	}
	slices.SortFunc(st.Languages, func(a, b LanguageStatus) int {
		return cmp.Or(cmp.Compare(b.Files, a.Files), cmp.Compare(a.Language, b.Language))
	})
	for seg := range s.lookup().first {
		st.Names += seg.Names()
	}
	return st
}

// count adds a file to what is indexed or skipped, and returns its symbols.
func (s *Snapshot) count(st *Status, e *entry) int {
	r := e.record.Load()
	if r == nil {
		if e.oversized() {
			st.Skipped = append(st.Skipped, SkippedFile{e.path, "larger than 1 MiB"})
		}
		return 0
	}
	switch r.Status {
	case store.Minified:
		st.Skipped = append(st.Skipped, SkippedFile{e.path, "minified"})
	case store.Binary:
		st.Skipped = append(st.Skipped, SkippedFile{e.path, "binary"})
	case store.Unparsed:
		st.Skipped = append(st.Skipped, SkippedFile{e.path, "takes too long to parse"})
	case store.Foreign:
		st.Skipped = append(st.Skipped, SkippedFile{e.path, "a notebook that cannot be read, or in a language without a grammar"})
	default:
		st.Indexed++
	}
	_, n, err := r.Segment.Status(r.Number)
	if err != nil {
		return 0
	}
	return n
}

func (d *disk) status(st *Status) {
	if d == nil {
		return
	}
	d.mu.Lock()
	defer d.mu.Unlock()
	st.State, st.Dir = d.state, d.store.Dir()
	if d.err != nil {
		st.Damage = d.err.Error()
	}
	if d.view != nil {
		st.Bytes = d.view.Bytes()
	}
}
