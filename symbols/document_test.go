package symbols_test

import (
	"fmt"
	"strings"
	"testing"
	"unicode/utf16"
	"unicode/utf8"

	"codeintel/symbols"
)

func TestDocumentLines(t *testing.T) {
	for _, c := range []struct {
		text string
		want []string
	}{
		{"", []string{""}},
		{"a", []string{"a"}},
		{"a\n", []string{"a", ""}},
		{"a\r\nb\r\n", []string{"a", "b", ""}},
		{"a\rb\n", []string{"a\rb", ""}},
		{"\r\n\n", []string{"", "", ""}},
		{"\r", []string{"\r"}},
		{"\xef\xbb\xbfa\nb", []string{"a", "b"}},
		{"\xef\xbb\xbf\xef\xbb\xbfa", []string{"\ufeffa"}},
		{"caf\xe9\n\xff\xfe", []string{"caf\ufffd", "\ufffd\ufffd"}},
	} {
		d := symbols.NewDocument("a.go", []byte(c.text))
		var got []string
		for n := 1; n <= d.LineCount(); n++ {
			got = append(got, d.Line(n))
		}
		if fmt.Sprintf("%q", got) != fmt.Sprintf("%q", c.want) {
			t.Errorf("lines of %q: %q, want %q", c.text, got, c.want)
		}
		if d.Line(0) != "" || d.Line(len(got)+1) != "" {
			t.Errorf("lines outside of %q are not empty", c.text)
		}
	}
}

func TestDocumentPositions(t *testing.T) {
	for _, c := range []struct {
		name, text string
		offset     int
		position   symbols.Position
		point      symbols.Point
	}{
		{"start", "ab\ncd", 0, symbols.Position{}, symbols.Point{Line: 1, Column: 1}},
		{"second line", "ab\ncd", 4, symbols.Position{Line: 1, Character: 1}, symbols.Point{Line: 2, Column: 2}},
		{"end of line", "ab\ncd", 2, symbols.Position{Character: 2}, symbols.Point{Line: 1, Column: 3}},
		{"end of text", "ab\ncd", 5, symbols.Position{Line: 1, Character: 2}, symbols.Point{Line: 2, Column: 3}},
		{"after two-byte character", "é=1", 2, symbols.Position{Character: 1}, symbols.Point{Line: 1, Column: 3}},
		{"after astral character", "a😀b", 5, symbols.Position{Character: 3}, symbols.Point{Line: 1, Column: 6}},
		{"after invalid bytes", "\xff\xfex", 2, symbols.Position{Character: 2}, symbols.Point{Line: 1, Column: 3}},
		{"after half of a surrogate pair", "\xed\xa0\xbdx", 3, symbols.Position{Character: 3}, symbols.Point{Line: 1, Column: 4}},
		{"after CRLF", "é\r\nb", 4, symbols.Position{Line: 1}, symbols.Point{Line: 2, Column: 1}},
		{"before CRLF", "é\r\nb", 2, symbols.Position{Character: 1}, symbols.Point{Line: 1, Column: 3}},
		{"after a mark", "\xef\xbb\xbfab", 1, symbols.Position{Character: 1}, symbols.Point{Line: 1, Column: 2}},
		{"far in a long line", strings.Repeat("é😀", 5000) + "x", 30_000, symbols.Position{Character: 15_000}, symbols.Point{Line: 1, Column: 30_001}},
	} {
		t.Run(c.name, func(t *testing.T) {
			d := symbols.NewDocument("a.go", []byte(c.text))
			if p, err := d.OffsetPosition(c.offset); err != nil || p != c.position {
				t.Errorf("position of %d: %v, %v, want %v", c.offset, p, err, c.position)
			}
			if o, err := d.PositionOffset(c.position); err != nil || o != c.offset {
				t.Errorf("offset of %v: %d, %v, want %d", c.position, o, err, c.offset)
			}
			if p, err := d.OffsetPoint(c.offset); err != nil || p != c.point {
				t.Errorf("point of %d: %v, %v, want %v", c.offset, p, err, c.point)
			}
			if o, err := d.PointOffset(c.point); err != nil || o != c.offset {
				t.Errorf("offset of %v: %d, %v, want %d", c.point, o, err, c.offset)
			}
		})
	}
}

func TestDocumentClamps(t *testing.T) {
	d := symbols.NewDocument("a.go", []byte("aé😀\r\nb"))
	for p, want := range map[symbols.Position]int{
		{Line: 0, Character: 3}:       3, // inside the surrogate pair: its start
		{Line: 0, Character: 99}:      7, // past the end: before the terminator
		{Line: 1, Character: 1 << 40}: 10,
	} {
		if got, err := d.PositionOffset(p); err != nil || got != want {
			t.Errorf("offset of %v: %d, %v, want %d", p, got, err, want)
		}
	}
	for offset, want := range map[int]symbols.Position{
		2: {Character: 1}, // inside é
		5: {Character: 2}, // inside the emoji
		8: {Character: 4}, // between CR and LF
	} {
		if got, err := d.OffsetPosition(offset); err != nil || got != want {
			t.Errorf("position of %d: %v, %v, want %v", offset, got, err, want)
		}
	}
	if got, err := d.PointOffset(symbols.Point{Line: 1, Column: 99}); err != nil || got != 7 {
		t.Errorf("offset of 1:99: %d, %v, want 7", got, err)
	}
}

func TestDocumentErrors(t *testing.T) {
	d := symbols.NewDocument("dir/a.go", []byte("a\nb"))
	for _, offset := range []int{-1, 4} {
		if _, err := d.OffsetPosition(offset); err == nil || !strings.Contains(err.Error(), "dir/a.go") {
			t.Errorf("position of %d: %v", offset, err)
		}
		if _, err := d.OffsetPoint(offset); err == nil {
			t.Errorf("point of %d is no error", offset)
		}
	}
	for _, p := range []symbols.Position{{Line: -1}, {Line: 2}, {Character: -1}} {
		if _, err := d.PositionOffset(p); err == nil {
			t.Errorf("offset of position %v is no error", p)
		}
	}
	for _, p := range []symbols.Point{{Line: 0, Column: 1}, {Line: 3, Column: 1}, {Line: 1, Column: 0}} {
		if _, err := d.PointOffset(p); err == nil {
			t.Errorf("offset of point %v is no error", p)
		}
	}
}

var positionSeeds = []string{
	"", "a", "\n", "\r\n", "\r", "\n\r", "\xef\xbb\xbfx", "\xef\xbb", "é\r\n😀\n", "\xff\xfe\n\xed\xa0\xbd\xed\xb8\x80", "\x00\n\x00", "\u2028a\u0085b",
	strings.Repeat("😀", 600), strings.Repeat("é", 1023) + "😀\r\nz", strings.Repeat("a", 3000) + "\xf0\x9f\x98", strings.Repeat("ab\r\n", 50),
}

// FuzzDocument compares every place of a text with a count done character by
// character, and requires that places survive the way there and back.
func FuzzDocument(f *testing.F) {
	for _, s := range positionSeeds {
		f.Add([]byte(s))
	}
	f.Fuzz(func(t *testing.T, raw []byte) {
		d := symbols.NewDocument("a.go", raw)
		if len(raw) > 8_000 {
			return
		}
		if !utf8.ValidString(d.UTF8()) {
			t.Fatal("the text for a server is not valid UTF-8")
		}
		if got, want := len(utf16.Encode([]rune(d.UTF8()))), naiveUnits(d.Text()); got != want {
			t.Fatalf("the text for a server has %d code units, want %d", got, want)
		}
		position := symbols.Position{}
		text := d.Text()
		for offset := 0; offset <= len(text); {
			checkPlace(t, d, offset, position)
			if offset == len(text) {
				break
			}
			r, size := utf8.DecodeRune(text[offset:])
			for inside := offset + 1; inside < offset+size; inside++ {
				if p, err := d.OffsetPosition(inside); err != nil || p != position {
					t.Fatalf("position of %d inside a character: %v, %v, want %v", inside, p, err, position)
				}
			}
			offset += size
			switch {
			case r == '\n':
				position = symbols.Position{Line: position.Line + 1}
			case r == '\r' && offset < len(text) && text[offset] == '\n':
				// The terminator is no part of the line.
			default:
				position.Character += len(utf16.Encode([]rune{r}))
			}
		}
		if position.Line+1 != d.LineCount() {
			t.Fatalf("%d lines, want %d", d.LineCount(), position.Line+1)
		}
	})
}

func naiveUnits(text []byte) int {
	n := 0
	for len(text) > 0 {
		r, size := utf8.DecodeRune(text)
		n += len(utf16.Encode([]rune{r}))
		text = text[size:]
	}
	return n
}

func checkPlace(t *testing.T, d *symbols.Document, offset int, want symbols.Position) {
	t.Helper()
	p, err := d.OffsetPosition(offset)
	if err != nil || p != want {
		t.Fatalf("position of %d: %v, %v, want %v", offset, p, err, want)
	}
	inTerminator := offset > 0 && offset < len(d.Text()) && d.Text()[offset] == '\n' && d.Text()[offset-1] == '\r'
	back, err := d.PositionOffset(p)
	if err != nil || back != offset && !inTerminator {
		t.Fatalf("offset of %v: %d, %v, want %d", p, back, err, offset)
	}
	point, err := d.OffsetPoint(offset)
	if err != nil || point.Line != p.Line+1 {
		t.Fatalf("point of %d: %v, %v, want line %d", offset, point, err, p.Line+1)
	}
	if back, err := d.PointOffset(point); err != nil || back != offset && !inTerminator {
		t.Fatalf("offset of point %v: %d, %v, want %d", point, back, err, offset)
	}
	if r := d.LineRange(point.Line); !r.Touches(offset) && !inTerminator {
		t.Fatalf("line %d is %s, without %d", point.Line, r, offset)
	}
}

func BenchmarkOffsetPosition(b *testing.B) {
	for _, c := range []struct{ name, text string }{
		{"ascii lines", strings.Repeat("some words of a usual line of code\n", 20_000)},
		{"mixed lines", strings.Repeat("some wörds of a usual line of códe 😀\n", 20_000)},
		{"one long line", strings.Repeat("wörd😀", 100_000)},
	} {
		b.Run(c.name, func(b *testing.B) {
			d := symbols.NewDocument("a.go", []byte(c.text))
			offset := 0
			b.ReportAllocs()
			for b.Loop() {
				offset = (offset + 7919) % len(c.text)
				p, err := d.OffsetPosition(offset)
				if err != nil {
					b.Fatal(err)
				}
				if _, err := d.PositionOffset(p); err != nil {
					b.Fatal(err)
				}
			}
		})
	}
}

func BenchmarkNewDocument(b *testing.B) {
	text := []byte(strings.Repeat("some wörds of a usual line of code\n", 20_000))
	b.SetBytes(int64(len(text)))
	for b.Loop() {
		symbols.NewDocument("a.go", text).LineCount()
	}
}
