package index

import (
	"bytes"
	"fmt"
	"path/filepath"
	"strings"
)

// accessFiles are the access control files, read from the workspace root only.
func accessFiles() []string { return []string{".rooignore", ".clineignore"} }

// access is what the access control files of a workspace say. Unlike ignore rules
// it decides who may read, so it fails closed: a file that is there but cannot be
// read is an error of the whole workspace.
type access struct {
	files []accessFile // those that exist and are not empty
}

// accessFile is one access control file.
type accessFile struct {
	name     string
	raw      []byte // with the texts it includes, to notice changes
	patterns patterns
}

// readAccess reads the access control files of root. Absent and empty files
// allow everything.
func readAccess(root string) (*access, error) {
	a := &access{}
	for _, name := range accessFiles() {
		data, err := readSmall(filepath.Join(root, name))
		if notExist(err) {
			continue
		}
		if err != nil {
			return nil, fmt.Errorf("reading the access rules %s: %w", name, err)
		}
		f := accessFile{name: name}
		// "!include FILE" is Cline's; to everyone else it is a pattern.
		if err := f.add(root, data, name == ".clineignore", 0); err != nil {
			return nil, fmt.Errorf("reading the access rules %s: %w", name, err)
		}
		if len(f.raw) > 0 {
			a.files = append(a.files, f)
		}
	}
	return a, nil
}

// maxIncludes bounds how deeply access files may include each other.
const maxIncludes = 8

// add appends the lines of an access file, with what they include in its place.
// A missing include is skipped, as Cline does.
func (f *accessFile) add(root string, data []byte, include bool, depth int) error {
	f.raw = append(f.raw, data...)
	for _, line := range lines(data) {
		name, ok := strings.CutPrefix(strings.TrimSpace(line), "!include ")
		if !include || !ok {
			if p, ok := parsePattern(line); ok {
				f.patterns = append(f.patterns, p)
			}
			continue
		}
		if depth == maxIncludes {
			return fmt.Errorf("%q is included %d levels deep; includes may form a circle", name, depth)
		}
		included, err := readSmall(filepath.Join(root, filepath.FromSlash(strings.TrimSpace(name))))
		if notExist(err) {
			continue
		}
		if err != nil {
			return err
		}
		if err := f.add(root, included, include, depth+1); err != nil {
			return err
		}
	}
	return nil
}

// blocks returns the name of the access file that blocks a root-relative path. A
// pattern that matches a folder blocks all that is in it, whatever later patterns
// say about the contents; an access file blocks itself.
func (a *access) blocks(rel string, isFolder bool) (by string, blocked bool) {
	for _, f := range a.files {
		if rel == f.name || f.blocks(rel, isFolder) {
			return f.name, true
		}
	}
	return "", false
}

func (f *accessFile) blocks(rel string, isFolder bool) bool {
	for start := 0; start < len(rel); {
		end := len(rel)
		if i := strings.IndexByte(rel[start:], '/'); i >= 0 {
			end = start + i
		}
		if f.patterns.match(rel[:end], rel[start:end], isFolder || end < len(rel)) == ignored {
			return true
		}
		start = end + 1
	}
	return false
}

// blocksEntry is blocks for an entry of a folder that is itself not blocked.
func (a *access) blocksEntry(rel, base string, isFolder bool) bool {
	for _, f := range a.files {
		if rel == f.name || f.patterns.match(rel, base, isFolder) == ignored {
			return true
		}
	}
	return false
}

// equal reports whether two access rules are the same.
func (a *access) equal(b *access) bool {
	if len(a.files) != len(b.files) {
		return false
	}
	for i := range a.files {
		if a.files[i].name != b.files[i].name || !bytes.Equal(a.files[i].raw, b.files[i].raw) {
			return false
		}
	}
	return true
}
