package store

import (
	"bytes"
	"encoding/binary"
	"sort"

	"codeintel/symbols"
)

// The sections of a segment. Numbers are 32 bits, little endian.
const (
	keySection        = iota // the keys of the records, sorted
	recordEndSection         // where each record ends
	recordSection            // records, in the order of the keys
	nameEndSection           // where each name ends
	nameSection              // names, sorted
	postingEndSection        // where each posting ends
	postingSection           // for each name, the records with it
	segmentSections
)

// Status says what a record is.
type Status uint8

// The statuses of records.
const (
	// Outlined is a record with an outline.
	Outlined Status = iota
	// Generated is a record with an outline, of a document that a program wrote.
	Generated
	// Minified, Binary and Unparsed are records without one, for that reason; the
	// last for what no parser could read in reasonable time.
	Minified
	Binary
	Unparsed
	// Foreign is a record without one, of a notebook that cannot be read or that is
	// in a language without a grammar: there is nothing to be found in it.
	Foreign
)

// Segment is an immutable file of records. It is safe for concurrent use. All its
// methods return [ErrCorrupt], wrapped, when the file is damaged.
type Segment struct {
	*pages
	id string // the file's name without folder
}

func openSegment(name string) (*Segment, error) {
	p, err := openPages(name, segmentSections)
	if err != nil {
		return nil, err
	}
	return &Segment{pages: p, id: baseOf(name)}, nil
}

// Len returns the number of records.
func (s *Segment) Len() int { return s.size(recordEndSection) / 4 }

// Names returns the number of names.
func (s *Segment) Names() int { return s.size(nameEndSection) / 4 }

// Bytes returns the size of the file.
func (s *Segment) Bytes() int64 { return int64(len(s.data)) }

// Find returns the number of the record with a key; ok is false when there is
// none.
func (s *Segment) Find(k Key) (record int, ok bool, err error) {
	err = s.guard(func() error {
		var failed error
		record = sort.Search(s.Len(), func(i int) bool {
			key, err := s.bytes(keySection, keySize*i, keySize)
			if err != nil {
				failed = err
			}
			return bytes.Compare(key, k[:]) >= 0
		})
		if failed != nil || record == s.Len() {
			return failed
		}
		key, err := s.bytes(keySection, keySize*record, keySize)
		ok = err == nil && bytes.Equal(key, k[:])
		return err
	})
	return record, ok, err
}

// Key returns the key of a record.
func (s *Segment) Key(record int) (k Key, err error) {
	err = s.guard(func() error {
		b, err := s.bytes(keySection, keySize*record, keySize)
		copy(k[:], b)
		return err
	})
	return k, err
}

// Status returns the status of a record and the number of its symbols that are
// not local.
func (s *Segment) Status(record int) (status Status, count int, err error) {
	err = s.guard(func() error {
		b, err := s.item(recordEndSection, recordSection, record)
		n := numbers{b: b}
		status, count = Status(n.next()), n.next()
		if err == nil && n.failed {
			err = ErrCorrupt
		}
		return err
	})
	return status, count, err
}

// Outline returns what a record holds; an empty outline for a record without.
func (s *Segment) Outline(record int) (e symbols.Encoded, err error) {
	err = s.guard(func() error {
		r, err := s.record(record)
		if err != nil {
			return err
		}
		e.Names = make([]string, len(r.names))
		for i, n := range r.names {
			name, err := s.item(nameEndSection, nameSection, n)
			if err != nil {
				return err
			}
			e.Names[i] = string(name)
		}
		e.Defined = r.defined
		e.Data = bytes.Clone(r.data)
		return nil
	})
	return e, err
}

// Places returns the identifiers in a record that are a name, which is given with
// its number.
func (s *Segment) Places(record, number int, name string) (found []symbols.Identifier, err error) {
	err = s.guard(func() error {
		r, err := s.record(record)
		if err != nil {
			return err
		}
		for i, n := range r.names {
			if n == number {
				names := make([]string, len(r.names))
				names[i] = name
				found, err = symbols.Encoded{Names: names, Data: r.data}.Places(i)
				return err
			}
		}
		return nil
	})
	return found, err
}

// record is a record as it is on disk: its status, the number of symbols, how
// many of its names are defined, the number of names and the names' numbers, and
// the rest.
type record struct {
	status  Status
	symbols int
	defined int
	names   []int
	data    []byte // in the mapping
}

func (s *Segment) record(i int) (record, error) {
	b, err := s.item(recordEndSection, recordSection, i)
	if err != nil {
		return record{}, err
	}
	return parseRecord(b, s.Names())
}

func parseRecord(b []byte, names int) (r record, err error) {
	n := numbers{b: b}
	r.status = Status(n.next())
	r.symbols = n.next()
	r.defined = n.next()
	count := n.next()
	if count > len(n.b) {
		return r, ErrCorrupt
	}
	r.names = make([]int, count)
	for i := range r.names {
		r.names[i] = n.next()
		if r.names[i] >= names {
			return r, ErrCorrupt
		}
	}
	r.data = n.b
	if n.failed || r.defined > count {
		return r, ErrCorrupt
	}
	return r, nil
}

func (r record) append(b []byte) []byte {
	for _, n := range []int{int(r.status), r.symbols, r.defined, len(r.names)} {
		b = binary.AppendUvarint(b, uint64(n))
	}
	for _, n := range r.names {
		b = binary.AppendUvarint(b, uint64(n))
	}
	return append(b, r.data...)
}

// numbers reads varints; after one that is none it only returns zeros.
type numbers struct {
	b      []byte
	failed bool
}

func (n *numbers) next() int {
	v, size := binary.Uvarint(n.b)
	if size <= 0 || v > 1<<40 {
		n.failed = true
		n.b = nil
		return 0
	}
	n.b = n.b[size:]
	return int(v)
}

// Name returns the number of a name; ok is false when no record has it.
func (s *Segment) Name(name string) (number int, ok bool, err error) {
	err = s.guard(func() error {
		var failed error
		number = sort.Search(s.Names(), func(i int) bool {
			b, err := s.item(nameEndSection, nameSection, i)
			if err != nil {
				failed = err
			}
			return string(b) >= name
		})
		if failed != nil || number == s.Names() {
			return failed
		}
		b, err := s.item(nameEndSection, nameSection, number)
		ok = err == nil && string(b) == name
		return err
	})
	return number, ok, err
}

// Posting returns the records that define a name and those that hold it, sorted;
// the first are among the second.
func (s *Segment) Posting(number int) (defining, holding []int, err error) {
	err = s.guard(func() error {
		b, err := s.item(postingEndSection, postingSection, number)
		if err != nil {
			return err
		}
		n := numbers{b: b}
		defining, holding = n.list(s.Len()), n.list(s.Len())
		if n.failed || len(n.b) > 0 {
			return ErrCorrupt
		}
		return nil
	})
	return defining, holding, err
}

// list reads ascending numbers below a limit, behind how many they are.
func (n *numbers) list(limit int) []int {
	count := n.next()
	if count > len(n.b) {
		n.failed = true
		return nil
	}
	all := make([]int, count)
	at := -1
	for i := range all {
		at += n.next() + 1
		if at >= limit {
			n.failed = true
			return nil
		}
		all[i] = at
	}
	return all
}

func appendList(b []byte, all []uint32) []byte {
	b = binary.AppendUvarint(b, uint64(len(all)))
	before := -1
	for _, n := range all {
		b = binary.AppendUvarint(b, uint64(int(n)-before-1))
		before = int(n)
	}
	return b
}

// EachDefined calls f for every name that a record defines, in byte order, until
// f returns false. The name is only valid during the call.
func (s *Segment) EachDefined(f func(number int, name []byte) bool) error {
	return s.guard(func() error {
		from := 0
		for i := range s.Names() {
			posting, err := s.item(postingEndSection, postingSection, i)
			if err != nil {
				return err
			}
			to, err := s.number(nameEndSection, i)
			if err != nil {
				return err
			}
			name, err := s.bytes(nameSection, from, to-from)
			if err != nil {
				return err
			}
			from = to
			if len(posting) > 0 && posting[0] != 0 && !f(i, name) {
				return nil
			}
		}
		return nil
	})
}
