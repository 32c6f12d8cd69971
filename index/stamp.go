package index

import (
	"io/fs"
	"time"
)

// stamp is what tells one version of a file from another without reading it. The
// change time and the inode notice what the modification time hides: an edit of
// the same size with its time put back, a file renamed over another.
type stamp struct {
	size         int64
	mtime, ctime int64 // nanoseconds since 1970; ctime 0 where there is none
	device       uint64
	inode        uint64
}

// racy reports whether the file may change again without its stamp changing:
// file systems stamp with a clock that ticks, so an edit within the tick in which
// the file was looked at is not seen. looked is a time before the look.
func (s stamp) racy(looked time.Time) bool {
	tick := 20 * time.Millisecond // Linux: at most 10 ms
	last := s.ctime
	if last == 0 {
		last = s.mtime
	}
	if last%int64(time.Second) == 0 {
		tick = 2 * time.Second // a file system that keeps whole seconds
	}
	return last >= looked.Add(-tick).UnixNano()
}

// stampOf returns the stamp of a file from its status.
func stampOf(info fs.FileInfo) stamp {
	s := stamp{size: info.Size(), mtime: info.ModTime().UnixNano()}
	s.addSystem(info.Sys())
	return s
}
