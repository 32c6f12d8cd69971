package refs

import (
	"runtime"
	"sync"
	"sync/atomic"

	"codeintel/index"
	"codeintel/refs/text"
	"codeintel/symbols"
)

// spoken returns the matches, which are sorted by path, without those in comments
// and strings of documents that have a grammar.
func spoken(s *index.Snapshot, found []text.Match) []text.Match {
	var files [][]text.Match
	for start := 0; start < len(found); {
		end := start
		for end < len(found) && found[end].Path == found[start].Path {
			end++
		}
		files = append(files, found[start:end])
		start = end
	}
	var next atomic.Int64
	var workers sync.WaitGroup
	for range min(runtime.GOMAXPROCS(0), len(files)) {
		workers.Go(func() {
			for i := int(next.Add(1)) - 1; i < len(files); i = int(next.Add(1)) - 1 {
				files[i] = spokenIn(s, files[i])
			}
		})
	}
	workers.Wait()
	var out []text.Match
	for _, kept := range files {
		out = append(out, kept...)
	}
	return out
}

// spokenIn is spoken for the matches in one document.
func spokenIn(s *index.Snapshot, found []text.Match) []text.Match {
	path := found[0].Path
	if !symbols.LanguageOf(path).HasGrammar() {
		return found
	}
	doc, err := s.Document(path)
	if err != nil {
		return found
	}
	passages, err := symbols.ReadPassages(doc)
	if err != nil {
		return found
	}
	var kept []text.Match
	for _, m := range found {
		if p, ok := passages.At(m.Start); !ok || p.Kind == symbols.Keyword {
			kept = append(kept, m)
		}
	}
	return kept
}
