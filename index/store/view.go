package store

import (
	"encoding/binary"
	"encoding/json"
)

// The sections of a view.
const (
	metaSection    = iota // a viewMeta as JSON
	fileSection           // fileSize bytes for each file, by path
	pathEndSection        // where each path ends
	pathSection           // paths, sorted
	viewSections
)

// viewMeta is what a view says of itself.
type viewMeta struct {
	Root     string   `json:"root"`
	Segments []string `json:"segments"`
}

// Stamp is the status by which a file is known to be still the same: its size in
// bytes, its times in nanoseconds since 1970, its device and its inode.
type Stamp struct {
	Size, ModTime, ChangeTime int64
	Device, Inode             uint64
}

// File is a file of a view.
type File struct {
	// Path is root-relative.
	Path  string
	Stamp Stamp
	// Racy says that the file may have changed since without its stamp showing it.
	Racy bool
	Record
}

// Record is one record of a segment. The zero value is none.
type Record struct {
	Segment *Segment
	Number  int
	Status  Status
}

// A file takes its stamp, a number that is its segment's with its status and
// whether it is racy above, and the number of its record.
const (
	fileSize    = 5*8 + 4 + 4
	statusShift = 24
	racyBit     = 1 << 31
	segmentMask = 1<<statusShift - 1
)

// View is the files of one worktree and their records, as they were when it was
// written. It is immutable and safe for concurrent use.
type View struct {
	*pages
	meta     viewMeta
	segments []*Segment
}

// Len returns the number of files.
func (v *View) Len() int { return v.size(pathEndSection) / 4 }

// Bytes returns the size of the view and its segments on disk. Other worktrees
// may share the segments.
func (v *View) Bytes() int64 {
	n := int64(len(v.data))
	for _, s := range v.segments {
		n += s.Bytes()
	}
	return n
}

// Each calls f for every file by path, until f returns false. The path is only
// valid during the call, and not in the File.
func (v *View) Each(f func(path []byte, file File) bool) error {
	return v.guard(func() error {
		from := 0
		for i := range v.Len() {
			to, err := v.number(pathEndSection, i)
			if err != nil {
				return err
			}
			path, err := v.bytes(pathSection, from, to-from)
			if err != nil {
				return err
			}
			from = to
			file, err := v.file(i)
			if err != nil {
				return err
			}
			if !f(path, file) {
				return nil
			}
		}
		return nil
	})
}

func (v *View) file(i int) (f File, err error) {
	b, err := v.bytes(fileSection, fileSize*i, fileSize)
	if err != nil {
		return f, err
	}
	order := binary.LittleEndian
	f.Stamp = Stamp{
		Size: int64(order.Uint64(b)), ModTime: int64(order.Uint64(b[8:])), ChangeTime: int64(order.Uint64(b[16:])),
		Device: order.Uint64(b[24:]), Inode: order.Uint64(b[32:]),
	}
	bits := order.Uint32(b[40:])
	f.Racy = bits&racyBit != 0
	segment := int(bits & segmentMask)
	if segment >= len(v.segments) {
		return f, ErrCorrupt
	}
	f.Record = Record{v.segments[segment], int(order.Uint32(b[44:])), Status(bits &^ racyBit >> statusShift)}
	if f.Number >= f.Segment.Len() {
		return f, ErrCorrupt
	}
	return f, nil
}

// writeView writes a view. The files are sorted by path, all with a record.
func writeView(w *pageWriter, root string, files []File) error {
	number := map[*Segment]uint32{}
	meta := viewMeta{Root: root}
	for _, f := range files {
		if _, ok := number[f.Segment]; !ok {
			number[f.Segment] = uint32(len(meta.Segments))
			meta.Segments = append(meta.Segments, f.Segment.id)
		}
	}
	head, err := json.Marshal(meta)
	if err != nil {
		return err
	}
	w.Write(head)
	w.end()
	var b [fileSize]byte
	for _, f := range files {
		f.put(b[:], number[f.Segment])
		w.Write(b[:])
	}
	w.end()
	size := 0
	for _, f := range files {
		size += len(f.Path)
		binary.LittleEndian.PutUint32(b[:], uint32(size))
		w.Write(b[:4])
	}
	w.end()
	for _, f := range files {
		w.Write([]byte(f.Path))
	}
	w.end()
	_, err = w.Write(nil)
	return err
}

func (f File) put(b []byte, segment uint32) {
	order := binary.LittleEndian
	order.PutUint64(b, uint64(f.Stamp.Size))
	order.PutUint64(b[8:], uint64(f.Stamp.ModTime))
	order.PutUint64(b[16:], uint64(f.Stamp.ChangeTime))
	order.PutUint64(b[24:], f.Stamp.Device)
	order.PutUint64(b[32:], f.Stamp.Inode)
	bits := segment | uint32(f.Status)<<statusShift
	if f.Racy {
		bits |= racyBit
	}
	order.PutUint32(b[40:], bits)
	order.PutUint32(b[44:], uint32(f.Number))
}

// readMeta opens the pages of a view and reads what it says of itself.
func readMeta(name string) (p *pages, meta viewMeta, err error) {
	if p, err = openPages(name, viewSections); err != nil {
		return nil, meta, err
	}
	err = p.guard(func() error {
		b, err := p.bytes(metaSection, 0, p.size(metaSection))
		if err != nil {
			return err
		}
		if json.Unmarshal(b, &meta) != nil {
			return ErrCorrupt
		}
		return nil
	})
	return p, meta, err
}
