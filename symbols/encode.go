package symbols

import (
	"encoding/binary"
	"errors"
	"fmt"
	"slices"
)

// EncodingVersion is the number of the format that [Outline.Encode] writes. It
// grows with each change of the format or of what outlines hold, so that nobody
// reads what an older program stored.
const EncodingVersion = 1

// ErrEncoding says that bytes are no encoded outline.
var ErrEncoding = errors.New("not an encoded outline")

// Encoded is an outline without its text, to be stored. Names are apart from the
// data so that whoever stores many can keep each name once.
type Encoded struct {
	// Names are the distinct names of the outline's symbols and identifiers. The
	// first Defined of them name symbols that are not local.
	Names   []string
	Defined int
	// Data is the rest. It means names by their number in Names.
	Data []byte
}

// kinds numbers the kinds for the encoding. New ones go to the end.
var kinds = [...]Kind{
	Function, Method, Constructor, Property, Field, Variable, Constant, Class, Interface, Struct, Enum, EnumMember,
	Type, Namespace, Parameter, TypeParameter, Section,
}

// Kinds returns all kinds of symbols.
func Kinds() []Kind { return slices.Clone(kinds[:]) }

const (
	flagLocal = 1 << iota
	flagSignature
	flagCallable
)

// Encode returns the outline for storage; [Encoded.Decode] is the way back.
//
// The data are varints: the package; the identifiers behind their length; the
// containers, each once; the symbols; the imports; the places of syntax errors and
// of what they spoil. Offsets are differences to the one before, which makes most
// of them one byte.
func (o *Outline) Encode() Encoded {
	e := encoder{numbers: make(map[string]int, len(o.tokens)/4+len(o.symbols))}
	for _, s := range o.symbols {
		if !s.Local {
			e.name(s.Name)
		}
	}
	defined := len(e.names)
	e.string(o.pkg)
	e.tokens(o)
	e.symbols(o.symbols)
	e.imports(o.imports)
	e.ranges(o.faults)
	e.ranges(o.broken)
	return Encoded{Names: e.names, Defined: defined, Data: e.data}
}

// An encoder gathers names and data.
type encoder struct {
	names   []string
	numbers map[string]int // of names
	data    []byte
}

func (e *encoder) name(s string) int {
	n, ok := e.numbers[s]
	if !ok {
		n = len(e.names)
		e.numbers[s] = n
		e.names = append(e.names, s)
	}
	return n
}

func (e *encoder) number(n int) { e.data = binary.AppendUvarint(e.data, uint64(n)) }

func (e *encoder) signed(n int) { e.data = binary.AppendVarint(e.data, int64(n)) }

func (e *encoder) string(s string) {
	e.number(len(s))
	e.data = append(e.data, s...)
}

func (e *encoder) flag(set bool) {
	if set {
		e.data = append(e.data, 1)
	} else {
		e.data = append(e.data, 0)
	}
}

func (e *encoder) symbols(all []Symbol) {
	var containers []string
	number := map[string]int{}
	for _, s := range all {
		if _, ok := number[s.Container]; !ok {
			number[s.Container] = len(containers)
			containers = append(containers, s.Container)
		}
	}
	e.number(len(containers))
	for _, c := range containers {
		e.string(c)
	}
	e.number(len(all))
	start := 0
	for _, s := range all {
		e.data = append(e.data, byte(slices.Index(kinds[:], s.Kind)), s.flags())
		e.number(e.name(s.Name))
		e.number(number[s.Container])
		e.signed(s.Range.Start - start)
		start = s.Range.Start
		e.number(s.Range.Len())
		e.signed(s.Header - start)
		e.signed(s.Selection.Start - start)
		e.number(s.Selection.Len())
		e.number(s.Scope)
	}
}

func (s Symbol) flags() byte {
	var f byte
	if s.Local {
		f |= flagLocal
	}
	if s.Signature {
		f |= flagSignature
	}
	if s.Callable {
		f |= flagCallable
	}
	return f
}

func (e *encoder) tokens(o *Outline) {
	before := e.data
	e.data = make([]byte, 0, 3*len(o.tokens)+8)
	e.number(len(o.tokens))
	start := 0
	for _, t := range o.tokens {
		r := t.rangeOf()
		n, ok := e.numbers[string(o.document.text[r.Start:r.End])] // no allocation
		if !ok {
			n = e.name(string(o.document.text[r.Start:r.End]))
		}
		e.number((r.Start-start)<<2 | int(t.size&3))
		e.number(n)
		start = r.Start
	}
	tokens := e.data
	e.data = before
	e.number(len(tokens))
	e.data = append(e.data, tokens...)
}

func (e *encoder) imports(all []Import) {
	e.number(len(all))
	for _, im := range all {
		e.string(im.Module)
		e.rangeOf(im.Range)
		e.rangeOf(im.ModuleRange)
		e.flag(im.Wildcard)
		e.flag(im.Export)
		e.number(len(im.Names))
		for _, n := range im.Names {
			e.string(n.Name)
			e.string(n.Alias)
			e.rangeOf(n.Range)
		}
	}
}

func (e *encoder) rangeOf(r Range) {
	e.number(r.Start)
	e.number(r.Len())
}

func (e *encoder) ranges(all []Range) {
	e.number(len(all))
	for _, r := range all {
		e.rangeOf(r)
	}
}

// Decode returns the outline of a document that was encoded from one of the same
// text. It returns [ErrEncoding], wrapped, when the data cannot be that.
func (e Encoded) Decode(d *Document) (*Outline, error) {
	r := decoder{data: e.Data, size: len(d.text)}
	o := &Outline{document: d, pkg: r.string()}
	tokens := r.section()
	o.symbols = r.symbols(e.Names)
	o.tokens = tokens.tokens(e.Names)
	o.imports = r.imports()
	o.faults = r.ranges()
	o.broken = r.ranges()
	if r.failed || tokens.failed || len(r.data)+len(tokens.data) > 0 {
		return nil, fmt.Errorf("%s: %w", d.path, ErrEncoding)
	}
	o.nest()
	return o, nil
}

// Symbols returns the symbols alone, without need of the text.
func (e Encoded) Symbols() ([]Symbol, error) {
	r := decoder{data: e.Data, size: maxOffset}
	r.string()
	r.section()
	all := r.symbols(e.Names)
	if r.failed {
		return nil, ErrEncoding
	}
	return all, nil
}

// Places returns the identifiers with the name of a number, without need of the
// text or of other names than that one.
func (e Encoded) Places(name int) ([]Identifier, error) {
	r := decoder{data: e.Data, size: maxOffset}
	r.string()
	tokens := r.section()
	var out []Identifier
	start := 0
	for range tokens.count() {
		step := tokens.number()
		start += step >> 2
		if tokens.number() == name {
			out = append(out, Identifier{tokens.span(start, len(e.Names[name])), Role(step & 3)})
		}
	}
	if r.failed || tokens.failed {
		return nil, ErrEncoding
	}
	return out, nil
}

// maxOffset is the greatest offset in a document: [token] keeps them in 30 bits.
const maxOffset = 1<<30 - 1

// A decoder reads what an encoder wrote. The first thing that does not fit makes
// it fail; it then returns zeros.
type decoder struct {
	data   []byte
	size   int // no offset is beyond
	failed bool
}

func (r *decoder) fail() {
	r.failed = true
	r.data = nil
}

func (r *decoder) number() int {
	n, size := binary.Uvarint(r.data)
	if size <= 0 || n > 1<<32 {
		r.fail()
		return 0
	}
	r.data = r.data[size:]
	return int(n)
}

func (r *decoder) signed() int {
	n, size := binary.Varint(r.data)
	if size <= 0 || n > 1<<32 || n < -1<<32 {
		r.fail()
		return 0
	}
	r.data = r.data[size:]
	return int(n)
}

// count returns a number of things that take at least a byte each.
func (r *decoder) count() int {
	n := r.number()
	if n > len(r.data) {
		r.fail()
		return 0
	}
	return n
}

func (r *decoder) byte() byte {
	if len(r.data) == 0 {
		r.fail()
		return 0
	}
	b := r.data[0]
	r.data = r.data[1:]
	return b
}

func (r *decoder) string() string {
	n := r.count()
	s := string(r.data[:n])
	r.data = r.data[n:]
	return s
}

// section returns a decoder of the bytes behind their number.
func (r *decoder) section() *decoder {
	n := r.count()
	s := &decoder{data: r.data[:n], size: r.size, failed: r.failed}
	r.data = r.data[n:]
	return s
}

// index returns a number below a limit.
func (r *decoder) index(limit int) int {
	n := r.number()
	if n >= limit {
		r.fail()
		return -1
	}
	return n
}

// span returns the range of a length at a start.
func (r *decoder) span(start, length int) Range {
	if start < 0 || start+length > r.size {
		r.fail()
		return Range{}
	}
	return Range{start, start + length}
}

func (r *decoder) rangeOf() Range {
	start := r.number()
	return r.span(start, r.number())
}

func (r *decoder) ranges() []Range {
	n := r.count()
	if n == 0 {
		return nil
	}
	all := make([]Range, n)
	for i := range all {
		all[i] = r.rangeOf()
	}
	return all
}

func (r *decoder) symbols(names []string) []Symbol {
	containers := make([]string, r.count())
	for i := range containers {
		containers[i] = r.string()
	}
	all := make([]Symbol, r.count())
	start := 0
	for i := range all {
		s := &all[i]
		kind, flags := int(r.byte()), r.byte()
		name, container := r.index(len(names)), r.index(len(containers))
		start += r.signed()
		s.Range = r.span(start, r.number())
		s.Header = start + r.signed()
		from := start + r.signed()
		s.Selection = r.span(from, r.number())
		s.Scope = r.number()
		if r.failed || kind >= len(kinds) {
			r.fail()
			return nil
		}
		s.Kind, s.Name, s.Container = kinds[kind], names[name], containers[container]
		s.Local, s.Signature, s.Callable = flags&flagLocal != 0, flags&flagSignature != 0, flags&flagCallable != 0
	}
	return all
}

func (r *decoder) tokens(names []string) []token {
	all := make([]token, r.count())
	start := 0
	for i := range all {
		step := r.number()
		name := r.index(len(names))
		if r.failed {
			return nil
		}
		start += step >> 2
		at := r.span(start, len(names[name]))
		all[i] = newToken(at.Start, at.End, Role(step&3))
	}
	return all
}

func (r *decoder) imports() []Import {
	all := make([]Import, r.count())
	for i := range all {
		im := &all[i]
		im.Module = r.string()
		im.Range, im.ModuleRange = r.rangeOf(), r.rangeOf()
		im.Wildcard, im.Export = r.byte() != 0, r.byte() != 0
		if n := r.count(); n > 0 {
			im.Names = make([]ImportName, n)
		}
		for j := range im.Names {
			im.Names[j] = ImportName{Name: r.string(), Alias: r.string(), Range: r.rangeOf()}
		}
	}
	return all
}
