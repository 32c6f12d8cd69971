package store

import (
	"bytes"
	"encoding/binary"
	"slices"

	"codeintel/symbols"
)

// builder gathers the records of a new segment. Names and data are kept in memory
// until it is written.
type builder struct {
	numbers map[string]uint32
	names   []string
	records []built
	keys    map[Key]bool
	bytes   int // about what the records take
}

// built is a record whose names are numbered in the order of their coming.
type built struct {
	key Key
	record
}

func newBuilder() *builder {
	return &builder{numbers: map[string]uint32{}, keys: map[Key]bool{}}
}

// add adds a record unless there is one with its key.
func (b *builder) add(k Key, status Status, e symbols.Encoded, count int) {
	if b.keys[k] {
		return
	}
	b.keys[k] = true
	r := record{status: status, symbols: count, defined: e.Defined, data: e.Data, names: make([]int, len(e.Names))}
	for i, name := range e.Names {
		n, ok := b.numbers[name]
		if !ok {
			n = uint32(len(b.names))
			// The name may be a part of a whole document, which must not stay in
			// memory for it.
			name = string([]byte(name))
			b.numbers[name] = n
			b.names = append(b.names, name)
		}
		r.names[i] = int(n)
	}
	b.records = append(b.records, built{k, r})
	b.bytes += len(e.Data) + 8*len(e.Names)
}

// write writes the segment.
func (b *builder) write(w *pageWriter) error {
	slices.SortFunc(b.records, func(x, y built) int { return bytes.Compare(x.key[:], y.key[:]) })
	order := b.sortNames()
	for i := range b.records {
		w.Write(b.records[i].key[:])
	}
	w.end()
	var ends []byte
	var size int
	// The records' ends stand before the records, so each is encoded twice.
	var scratch []byte
	for i := range b.records {
		scratch = b.records[i].append(scratch[:0])
		size += len(scratch)
		ends = binary.LittleEndian.AppendUint32(ends, uint32(size))
	}
	w.Write(ends)
	w.end()
	for i := range b.records {
		scratch = b.records[i].append(scratch[:0])
		w.Write(scratch)
	}
	w.end()
	b.writeNames(w, order)
	_, err := w.Write(nil)
	return err
}

// sortNames renumbers the names of all records by byte order, and returns the
// names in that order.
func (b *builder) sortNames() []string {
	order := slices.Clone(b.names)
	slices.Sort(order)
	now := make([]int, len(order)) // by the number before
	for i, name := range order {
		now[b.numbers[name]] = i
	}
	for _, r := range b.records {
		for i, n := range r.names {
			r.names[i] = now[n]
		}
	}
	return order
}

// writeNames writes the names and their postings.
func (b *builder) writeNames(w *pageWriter, order []string) {
	var ends []byte
	size := 0
	for _, name := range order {
		size += len(name)
		ends = binary.LittleEndian.AppendUint32(ends, uint32(size))
	}
	w.Write(ends)
	w.end()
	for _, name := range order {
		w.Write([]byte(name))
	}
	w.end()
	defining := b.postings(len(order), func(r built) []int { return r.names[:r.defined] })
	holding := b.postings(len(order), func(r built) []int { return r.names })
	ends = ends[:0]
	var all []byte
	for i := range order {
		all = appendList(all, defining.of(i))
		all = appendList(all, holding.of(i))
		ends = binary.LittleEndian.AppendUint32(ends, uint32(len(all)))
	}
	w.Write(ends)
	w.end()
	w.Write(all)
	w.end()
}

// postings holds a list of records for each name.
type postings struct {
	ends    []uint32 // by name
	records []uint32
}

func (p *postings) of(name int) []uint32 {
	from := uint32(0)
	if name > 0 {
		from = p.ends[name-1]
	}
	return p.records[from:p.ends[name]]
}

// postings turns the names of records into the records of names.
func (b *builder) postings(names int, of func(built) []int) *postings {
	next := make([]uint32, names+1)
	for _, r := range b.records {
		for _, n := range of(r) {
			next[n+1]++
		}
	}
	for i := range names {
		next[i+1] += next[i]
	}
	p := &postings{records: make([]uint32, next[names])}
	for i, r := range b.records {
		for _, n := range of(r) {
			p.records[next[n]] = uint32(i)
			next[n]++
		}
	}
	p.ends = next[:names]
	return p
}
