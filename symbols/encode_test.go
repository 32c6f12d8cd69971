package symbols_test

import (
	"errors"
	"testing"

	"github.com/google/go-cmp/cmp"
	"github.com/google/go-cmp/cmp/cmpopts"

	"codeintel/symbols"
)

// checkEncoding reports what is lost when an outline is encoded and decoded.
func checkEncoding(t testing.TB, o *symbols.Outline) {
	t.Helper()
	d := o.Document()
	e := o.Encode()
	back, err := e.Decode(d)
	if err != nil {
		t.Fatal(err)
	}
	for _, part := range []struct {
		name      string
		got, want any
	}{
		{"package", back.Package(), o.Package()},
		{"symbols", back.Symbols(), o.Symbols()},
		{"identifiers", back.Identifiers(), o.Identifiers()},
		{"imports", back.Imports(), o.Imports()},
		{"errors", back.Errors(), o.Errors()},
	} {
		if diff := cmp.Diff(part.want, part.got, cmpopts.EquateEmpty()); diff != "" {
			t.Errorf("%s: %s are different after decoding (-want +got):\n%s", d.Path(), part.name, diff)
		}
	}
	for offset := range d.Text() {
		a, inA := o.Enclosing(offset)
		b, inB := back.Enclosing(offset)
		if a != b || inA != inB || o.InError(offset) != back.InError(offset) {
			t.Fatalf("%s: offset %d is in %v, after decoding in %v", d.Path(), offset, a, b)
		}
	}
	symbolsAlone, err := e.Symbols()
	if diff := cmp.Diff(o.Symbols(), symbolsAlone, cmpopts.EquateEmpty()); err != nil || diff != "" {
		t.Errorf("%s: symbols without text: %v\n%s", d.Path(), err, diff)
	}
	for i, name := range e.Names {
		places, err := e.Places(i)
		if diff := cmp.Diff(o.Named(name), places, cmpopts.EquateEmpty()); err != nil || diff != "" {
			t.Errorf("%s: places of %q: %v\n%s", d.Path(), name, err, diff)
		}
	}
}

func TestEncode(t *testing.T) {
	for _, source := range sources(t) {
		checkEncoding(t, extract(t, source.Name, string(source.Data)))
	}
}

func TestEncodeNames(t *testing.T) {
	e := extract(t, "a.go", "package p\n\nfunc F(a int) { b := a; F(b) }\n").Encode()
	if want := []string{"F"}; !cmp.Equal(e.Names[:e.Defined], want) {
		t.Errorf("defined names %q, want %q", e.Names[:e.Defined], want)
	}
	if want := []string{"F", "p", "a", "int", "b"}; !cmp.Equal(e.Names, want) {
		t.Errorf("names %q, want %q", e.Names, want)
	}
}

// TestDecodeOther gives data to Decode that are not of the document: an error or
// an outline inside the text, no panic.
func TestDecodeOther(t *testing.T) {
	e := extract(t, "a.ts", "import {a as b} from './c'\nexport class C { m() { return b(`x${a}`) } }\nlet = ;\n").Encode()
	short := symbols.NewDocument("a.ts", []byte("let a"))
	if _, err := e.Decode(short); !errors.Is(err, symbols.ErrEncoding) {
		t.Errorf("a shorter text: %v, want ErrEncoding", err)
	}
	for i := range e.Data {
		cut := symbols.Encoded{Names: e.Names, Data: e.Data[:i]}
		if _, err := cut.Decode(short); !errors.Is(err, symbols.ErrEncoding) {
			t.Errorf("cut at %d: %v, want ErrEncoding", i, err)
		}
	}
}

func FuzzDecode(f *testing.F) {
	text := []byte("import {a as b} from './c'\nexport class C { m() { return b(`x${a}`) } }\nlet = ;\n")
	e := extract(f, "a.ts", string(text)).Encode()
	f.Add(e.Data)
	f.Fuzz(func(t *testing.T, data []byte) {
		d := symbols.NewDocument("a.ts", text)
		changed := symbols.Encoded{Names: e.Names, Data: data}
		if o, err := changed.Decode(d); err == nil {
			for _, s := range o.Symbols() {
				if s.Range.End > len(text) || s.Selection.End > len(text) {
					t.Fatalf("symbol at %s, %s outside a text of %d bytes", s.Range, s.Selection, len(text))
				}
			}
		}
		for i := range e.Names {
			_, _ = changed.Places(i)
		}
		_, _ = changed.Symbols()
	})
}
