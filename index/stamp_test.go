package index

import (
	"context"
	"os"
	"path/filepath"
	"testing"
	"time"
)

func TestRacy(t *testing.T) {
	looked := time.Date(2026, 1, 1, 12, 0, 0, 5e8, time.UTC)
	at := func(d time.Duration) int64 { return looked.Add(d).UnixNano() }
	for _, c := range []struct {
		name string
		s    stamp
		want bool
	}{
		{"old", stamp{mtime: at(-time.Hour), ctime: at(-time.Minute)}, false},
		{"just written", stamp{mtime: at(-time.Millisecond), ctime: at(-time.Millisecond)}, true},
		{"while looking", stamp{mtime: at(time.Millisecond), ctime: at(time.Millisecond)}, true},
		{"time put back just now", stamp{mtime: at(-time.Hour), ctime: at(-time.Millisecond)}, true},
		{"time set ahead long ago", stamp{mtime: at(time.Hour), ctime: at(-time.Minute)}, false},
		{"whole seconds", stamp{mtime: at(-1500 * time.Millisecond), ctime: at(-1500 * time.Millisecond)}, true},
		{"whole seconds, old", stamp{mtime: at(-3500 * time.Millisecond), ctime: at(-3500 * time.Millisecond)}, false},
		{"no change time", stamp{mtime: at(-time.Millisecond)}, true},
	} {
		if got := c.s.racy(looked); got != c.want {
			t.Errorf("%s: racy %v, want %v", c.name, got, c.want)
		}
	}
}

// TestSameStamp edits a file and makes the old stamp equal to the new one, as a
// file system with a slow clock does. It is read again while it is racy or under
// suspicion; this also shows that nothing else would notice.
func TestSameStamp(t *testing.T) {
	for _, c := range []struct {
		name          string
		racy, suspect bool
		want          string
	}{
		{"racy", true, false, "new"},
		{"hint", false, true, "new"},
		{"neither", false, false, "old"},
	} {
		t.Run(c.name, func(t *testing.T) {
			alone(t)
			root := t.TempDir()
			name := filepath.Join(root, "a.go")
			check(t, os.WriteFile(name, []byte("old"), 0o644))
			w, err := Open(context.Background(), root, Options{})
			check(t, err)
			defer w.Close()
			s := w.Snapshot()
			defer s.Release()
			_, err = s.Document("a.go")
			check(t, err)
			check(t, os.WriteFile(name, []byte("new"), 0o644))
			info, err := os.Stat(name)
			check(t, err)
			e := s.listing.find("a.go")
			e.stamp = stampOf(info)
			e.racy.Store(c.racy)
			if c.suspect {
				w.Apply(Change{Path: "a.go"})
			}
			check(t, w.Refresh(context.Background()))
			now := w.Snapshot()
			defer now.Release()
			if doc, err := now.Document("a.go"); err != nil || string(doc.Text()) != c.want {
				t.Errorf("text %q, error %v; want %q", doc.Text(), err, c.want)
			}
		})
	}
}
