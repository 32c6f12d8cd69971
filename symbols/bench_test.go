package symbols_test

import (
	"io/fs"
	"os"
	"path/filepath"
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

// BenchmarkRatio compares extraction by grammar with nothing but parsing, on the
// same files in turns, as one is only worth something beside the other. The files
// are those of CODEINTEL_CORPUS, by default a part of Go's own sources.
func BenchmarkRatio(b *testing.B) {
	for language, documents := range realDocuments(b) {
		b.Run(string(language), func(b *testing.B) {
			var parsing, extracting time.Duration
			for b.Loop() {
				for _, d := range documents {
					start := cpuTime()
					if err := symbols.ParseOnly(d); err != nil {
						b.Fatal(err)
					}
					parsed := cpuTime()
					if _, err := symbols.ExtractByGrammar(d); err != nil {
						b.Fatal(err)
					}
					parsing += parsed - start
					extracting += cpuTime() - parsed
				}
			}
			b.ReportMetric(float64(extracting)/float64(parsing), "ratio")
			b.ReportMetric(float64(size(documents)*b.N)/1e6/parsing.Seconds(), "parsedMB/s")
			b.ReportMetric(float64(size(documents)*b.N)/1e6/extracting.Seconds(), "extractedMB/s")
			b.ReportMetric(0, "ns/op")
		})
	}
}

// BenchmarkFiles extracts the same files as [symbols.Extract] does.
func BenchmarkFiles(b *testing.B) {
	for language, documents := range realDocuments(b) {
		b.Run(string(language), func(b *testing.B) {
			b.ReportAllocs()
			start := cpuTime()
			for b.Loop() {
				for _, d := range documents {
					if _, err := symbols.Extract(d); err != nil {
						b.Fatal(err)
					}
				}
			}
			b.ReportMetric(float64(size(documents)*b.N)/1e6/(cpuTime()-start).Seconds(), "cpuMB/s")
		})
	}
}

// realDocuments returns the documents of a corpus by language.
func realDocuments(b *testing.B) map[symbols.Language][]*symbols.Document {
	b.Helper()
	out := map[symbols.Language][]*symbols.Document{}
	err := filepath.WalkDir(corpus(b, "net"), func(path string, e fs.DirEntry, err error) error {
		if err != nil || !e.Type().IsRegular() || !symbols.LanguageOf(path).HasGrammar() {
			return err
		}
		text, err := os.ReadFile(path)
		l := symbols.LanguageOf(path)
		out[l] = append(out[l], symbols.NewDocument(path, text))
		return err
	})
	if err != nil {
		b.Fatal(err)
	}
	return out
}

func size(documents []*symbols.Document) int {
	n := 0
	for _, d := range documents {
		n += len(d.Text())
	}
	return n
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
