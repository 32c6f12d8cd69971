package store

import (
	"bufio"
	"encoding/binary"
	"errors"
	"fmt"
	"hash/crc32"
	"io"
	"os"
	"runtime"
	"runtime/debug"
	"sync/atomic"
)

// ErrCorrupt says that a file of the store does not hold what was written to it.
var ErrCorrupt = errors.New("the index file is damaged")

// ErrFormat says that a file is of another version of the format, or of none.
var ErrFormat = errors.New("the index file has another format")

// pageSize is the number of bytes that have a checksum together. Checking one
// takes some 10 µs, and few are touched by a question.
const pageSize = 64 << 10

// formatVersion grows with each change of the layout of files.
const formatVersion = 2

// A file ends in a directory: the sections' ends, the pages' checksums; and this
// trailer: directory offset and number of sections (8 bytes each, little endian),
// checksum of directory and these (4), version (4), magic (8).
const (
	magic       = "codeintl"
	trailerSize = 8 + 8 + 4 + 4 + 8
)

// checksum is CRC-32C, for which common processors have an instruction.
func checksum(sum uint32, data []byte) uint32 {
	return crc32.Update(sum, crc32.MakeTable(crc32.Castagnoli), data)
}

// pageWriter writes a file of sections, one after another.
type pageWriter struct {
	w    *bufio.Writer
	size uint64   // bytes written
	ends []uint64 // of the sections that are complete
	sums []uint32 // of the pages that are begun
}

func newPageWriter(w io.Writer) *pageWriter {
	return &pageWriter{w: bufio.NewWriterSize(w, pageSize)}
}

// Write adds to the current section. Errors are those of the file, and come back
// from finish too.
func (p *pageWriter) Write(data []byte) (int, error) {
	for rest := data; len(rest) > 0; {
		if p.size%pageSize == 0 {
			p.sums = append(p.sums, 0)
		}
		n := min(len(rest), int(pageSize-p.size%pageSize))
		last := &p.sums[len(p.sums)-1]
		*last = checksum(*last, rest[:n])
		p.size += uint64(n)
		rest = rest[n:]
	}
	return p.w.Write(data)
}

// end completes the current section.
func (p *pageWriter) end() { p.ends = append(p.ends, p.size) }

// finish writes the directory and the trailer.
func (p *pageWriter) finish() error {
	var dir []byte
	for _, e := range p.ends {
		dir = binary.LittleEndian.AppendUint64(dir, e)
	}
	for _, s := range p.sums {
		dir = binary.LittleEndian.AppendUint32(dir, s)
	}
	dir = binary.LittleEndian.AppendUint64(dir, p.size)
	dir = binary.LittleEndian.AppendUint64(dir, uint64(len(p.ends)))
	dir = binary.LittleEndian.AppendUint32(dir, checksum(0, dir))
	dir = binary.LittleEndian.AppendUint32(dir, formatVersion)
	dir = append(dir, magic...)
	if _, err := p.w.Write(dir); err != nil {
		return err
	}
	return p.w.Flush()
}

// pages is a file of sections that is read. It is safe for concurrent use.
type pages struct {
	name    string
	data    []byte // mapped
	ends    []uint64
	sums    []byte // four bytes a page
	checked []atomic.Bool
	damaged atomic.Bool // something in it was not what had been written
}

// openPages maps a file and checks its directory. The number of sections must be
// the one that the caller knows. The mapping ends when p cannot be reached any
// more: who reads data keeps p alive meanwhile (see [pages.guard]).
func openPages(name string, sections int) (p *pages, err error) {
	data, unmap, err := mapFile(name)
	if err != nil {
		return nil, err
	}
	p = &pages{name: name, data: data}
	runtime.AddCleanup(p, func(unmap func()) { unmap() }, unmap)
	return p, p.guard(func() error { return p.readDirectory(sections) })
}

func (p *pages) readDirectory(sections int) error {
	if len(p.data) < trailerSize || string(p.data[len(p.data)-8:]) != magic {
		return ErrCorrupt
	}
	trailer := p.data[len(p.data)-trailerSize:]
	if binary.LittleEndian.Uint32(trailer[20:]) != formatVersion {
		return ErrFormat
	}
	size := binary.LittleEndian.Uint64(trailer)
	count := binary.LittleEndian.Uint64(trailer[8:])
	all := uint64(len(p.data) - trailerSize)
	numbers := (size + pageSize - 1) / pageSize
	if size > all || count != uint64(sections) || all-size != 8*count+4*numbers {
		return ErrCorrupt
	}
	if checksum(0, p.data[size:len(p.data)-16]) != binary.LittleEndian.Uint32(trailer[16:]) {
		return ErrCorrupt
	}
	before := uint64(0)
	for i := range sections {
		end := binary.LittleEndian.Uint64(p.data[size+uint64(8*i):])
		if end < before || end > size {
			return ErrCorrupt
		}
		p.ends = append(p.ends, end)
		before = end
	}
	p.sums = p.data[size+8*count : len(p.data)-trailerSize]
	p.checked = make([]atomic.Bool, numbers)
	return nil
}

// guard runs a function that reads the mapping, and keeps the mapping for its
// time. Should somebody have cut the file meanwhile, the fault is returned as
// [ErrCorrupt] instead of ending the process.
func (p *pages) guard(read func() error) (err error) {
	defer debug.SetPanicOnFault(debug.SetPanicOnFault(true))
	defer func() {
		if fault := recover(); fault != nil {
			if _, ok := fault.(interface{ Addr() uintptr }); !ok {
				panic(fault)
			}
			err = ErrCorrupt
		}
		runtime.KeepAlive(p)
		if errors.Is(err, ErrCorrupt) {
			p.damaged.Store(true)
		}
		if err != nil {
			err = fmt.Errorf("%s: %w", p.name, err)
		}
	}()
	return read()
}

// size returns the number of bytes of a section.
func (p *pages) size(section int) int {
	return int(p.ends[section] - p.start(section))
}

func (p *pages) start(section int) uint64 {
	if section == 0 {
		return 0
	}
	return p.ends[section-1]
}

// bytes returns n bytes at an offset of a section, after checking their pages.
// They are only valid inside of guard.
func (p *pages) bytes(section, offset, n int) ([]byte, error) {
	if offset < 0 || n < 0 || offset > p.size(section)-n {
		return nil, ErrCorrupt
	}
	if n == 0 {
		return nil, nil
	}
	from := int(p.start(section)) + offset
	for page := from / pageSize; page <= (from+n-1)/pageSize; page++ {
		if p.checked[page].Load() {
			continue
		}
		end := min((page+1)*pageSize, int(p.ends[len(p.ends)-1]))
		if checksum(0, p.data[page*pageSize:end]) != binary.LittleEndian.Uint32(p.sums[4*page:]) {
			return nil, ErrCorrupt
		}
		p.checked[page].Store(true)
	}
	return p.data[from : from+n : from+n], nil
}

// number returns the i-th number of a section of 32-bit numbers.
func (p *pages) number(section, i int) (int, error) {
	b, err := p.bytes(section, 4*i, 4)
	if err != nil {
		return 0, err
	}
	return int(binary.LittleEndian.Uint32(b)), nil
}

// item returns the i-th item of a section, whose ends are in a section of 32-bit
// numbers.
func (p *pages) item(ends, section, i int) ([]byte, error) {
	from := 0
	var err error
	if i > 0 {
		if from, err = p.number(ends, i-1); err != nil {
			return nil, err
		}
	}
	to, err := p.number(ends, i)
	if err != nil {
		return nil, err
	}
	return p.bytes(section, from, to-from)
}

// writeFile writes a file under a temporary name in the same folder, and renames
// it when it is complete.
func writeFile(name string, write func(*pageWriter) error) error {
	f, err := os.CreateTemp(dirOf(name), temporary)
	if err != nil {
		return err
	}
	w := newPageWriter(f)
	err = write(w)
	if err == nil {
		err = w.finish()
	}
	if closeErr := f.Close(); err == nil {
		err = closeErr
	}
	if err == nil {
		err = os.Rename(f.Name(), name)
	}
	if err != nil {
		os.Remove(f.Name())
		return fmt.Errorf("writing %s: %w", name, err)
	}
	return nil
}
