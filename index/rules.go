package index

import "strings"

// rules are the ignore rules in force in one folder: those of its own files and,
// through parent, of the folders above. A folder that adds nothing shares its
// parent's.
//
// The order of precedence is ripgrep's: .ignore files, nearest first; then
// .gitignore files, nearest first, up to the top of the git repository; then that
// repository's .git/info/exclude; then the user's core.excludesFile. The first
// that decides wins.
type rules struct {
	parent     *rules
	skip       int      // bytes of a path that lead to the folder, slash included
	ignore     patterns // .ignore
	git        patterns // .gitignore
	repository bool     // the folder holds .git: git's rules end here
	exclude    patterns // the repository's info/exclude
	global     patterns // core.excludesFile; set in the topmost rules
}

// ignores reports whether an entry of the folder is ignored. name is the entry's
// path relative to where the topmost rules stand.
func (r *rules) ignores(name string, isFolder bool) bool {
	base := name[strings.LastIndexByte(name, '/')+1:]
	for l := r; l != nil; l = l.parent {
		if v := l.ignore.match(name[l.skip:], base, isFolder); v != undecided {
			return v == ignored
		}
	}
	l := r
	for ; ; l = l.parent {
		if v := l.git.match(name[l.skip:], base, isFolder); v != undecided {
			return v == ignored
		}
		if l.repository || l.parent == nil {
			break
		}
	}
	if v := l.exclude.match(name[l.skip:], base, isFolder); v != undecided {
		return v == ignored
	}
	rel := name[l.skip:]
	for l.parent != nil {
		l = l.parent
	}
	return l.global.match(rel, base, isFolder) == ignored
}

// ruleset is what a walk has found out about ignoring.
type ruleset struct {
	top     *rules            // the rules of the root folder
	prefix  string            // the root's path below where the topmost rules stand, "" or ending in "/"
	folders map[string]*rules // folders below the root that add rules, by root-relative path
	outside map[string]stamp  // rule files that are not in folders of the tree, as they were
}

// ignores reports whether a root-relative path, or a folder it is in, is left out
// of the workspace.
func (s *ruleset) ignores(rel string, isFolder bool) bool {
	in := s.top
	for start := 0; start < len(rel); {
		end := len(rel)
		if i := strings.IndexByte(rel[start:], '/'); i >= 0 {
			end = start + i
		}
		if skipped(rel[start:end]) || in.ignores(s.prefix+rel[:end], isFolder || end < len(rel)) {
			return true
		}
		if own := s.folders[rel[:end]]; own != nil {
			in = own
		}
		start = end + 1
	}
	return false
}

// skipped reports whether an entry is left out whatever the ignore files say.
func skipped(name string) bool { return name == ".git" || name == "node_modules" }
