package symbols_test

import (
	"strings"
	"testing"
	"time"

	"codeintel/symbols"
)

// BenchmarkExtract extracts the sources of the outline archives, each language's
// many times over in one document. Real trees are measured by setting
// CODEINTEL_CORPUS for TestCorpus.
func BenchmarkExtract(b *testing.B) {
	all := sources(b)
	for _, ending := range endings {
		var text strings.Builder
		for _, f := range all {
			if strings.HasSuffix(f.Name, ending) && !strings.Contains(f.Name, "errors") && !strings.Contains(f.Name, "mended") {
				text.Write(f.Data)
				text.WriteByte('\n')
			}
		}
		raw := []byte(strings.Repeat(text.String(), 1+100_000/text.Len()))
		b.Run(ending[1:], func(b *testing.B) {
			b.SetBytes(int64(len(raw)))
			for b.Loop() {
				if _, err := symbols.Extract(symbols.NewDocument("a"+ending, raw)); err != nil {
					b.Fatal(err)
				}
			}
		})
	}
}

// BenchmarkOutline asks an outline of a hundred thousand lines.
func BenchmarkOutline(b *testing.B) {
	text := "package p\n" + strings.Repeat("// F.\nfunc F(a int) error {\n\tx := a\n\treturn f(x)\n}\n", 20_000)
	start := time.Now()
	o := extract(b, "a.go", text)
	b.Logf("extracted in %s", time.Since(start))
	b.Run("Enclosing", func(b *testing.B) {
		offset := 0
		for b.Loop() {
			offset = (offset + 7919) % len(text)
			o.Enclosing(offset)
		}
	})
	b.Run("IdentifierAt", func(b *testing.B) {
		offset := 0
		for b.Loop() {
			offset = (offset + 7919) % len(text)
			o.IdentifierAt(offset)
		}
	})
	b.Run("Named", func(b *testing.B) {
		for b.Loop() {
			o.Named("error")
		}
	})
	b.Run("Lookup", func(b *testing.B) {
		for b.Loop() {
			o.Lookup("G")
		}
	})
}
