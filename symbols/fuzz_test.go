package symbols_test

import (
	"errors"
	"os"
	"path/filepath"
	"runtime"
	"strings"
	"sync"
	"testing"
	"time"

	"golang.org/x/tools/txtar"

	"codeintel/symbols"
	"codeintel/symbols/syntax"
)

var endings = []string{
	".go", ".ts", ".tsx", ".js", ".jsx", ".py", ".rb", ".php", ".sh", ".lua", ".hs", ".ml", ".mli", ".md",
	".rs", ".c", ".cpp", ".java", ".cs", ".kt", ".scala",
}

// FuzzExtract requires of any bytes in any language that extraction neither fails
// nor panics and that the outline holds together. The first byte chooses the
// language.
func FuzzExtract(f *testing.F) {
	for _, source := range sources(f) {
		for i, ending := range endings {
			if strings.HasSuffix(source.Name, ending) {
				f.Add(uint8(i), source.Data)
			}
		}
	}
	for i := range endings {
		for _, text := range []string{"", "\xff\xfe\x00", "{[(<\"'`", "\xef\xbb\xbfx", "a.b.c = d = {", "/*", "\"\"\"", "f'{", "<A b={", "`${`${", "// é\n", "<?php $a = [", "f() { x=$(", "def f(", "{- -", "(* \"", "--[[", "# é\n=\n"} {
			f.Add(uint8(i), []byte(text))
		}
	}
	f.Fuzz(func(t *testing.T, language uint8, raw []byte) {
		if len(raw) > 20_000 {
			return
		}
		d := symbols.NewDocument("a"+endings[int(language)%len(endings)], raw)
		o, err := symbols.Extract(d)
		if errors.Is(err, syntax.ErrTooSlow) {
			t.Skip(err)
		}
		if err != nil {
			t.Fatal(err)
		}
		checkOutline(t, o)
		checkEncoding(t, o)
		askAll(o)
	})
}

// askAll asks every question at every place: none may panic.
func askAll(o *symbols.Outline) {
	for offset := -1; offset <= len(o.Document().Text())+1; offset++ {
		o.Enclosing(offset)
		o.IdentifierAt(offset)
		o.InError(offset)
	}
	for _, s := range o.Symbols()[:min(20, len(o.Symbols()))] {
		o.Lookup(s.Qualified())
		o.Named(s.Name)
		o.Nearest(s.Name+"x", 3)
	}
}

// sources returns the sources of the outline archives, named by their archive.
func sources(t testing.TB) []txtar.File {
	t.Helper()
	names, err := filepath.Glob("testdata/outline/*.txtar")
	if err != nil || len(names) == 0 {
		t.Fatalf("no archives: %v", err)
	}
	var out []txtar.File
	for _, name := range names {
		archive, err := txtar.ParseFile(name)
		if err != nil {
			t.Fatal(err)
		}
		for _, f := range archive.Files {
			// Broken bytes of a notebook are no code; FuzzNotebook has them.
			if f.Name != "want" && symbols.LanguageOf(f.Name) != symbols.Notebook {
				f.Name = strings.TrimSuffix(filepath.Base(name), ".txtar") + "/" + f.Name
				out = append(out, f)
			}
		}
	}
	return out
}

// Broken and cut texts of real shape are what an editor sees all day.
func TestCutSources(t *testing.T) {
	for _, f := range sources(t) {
		for cut := 0; cut < len(f.Data); cut += 7 {
			checkOutline(t, extract(t, f.Name, string(f.Data[:cut])))
			checkOutline(t, extract(t, f.Name, string(f.Data[cut:])))
		}
	}
}

// Nesting of any depth must neither overflow a stack nor blow up the names.
func TestDeepNesting(t *testing.T) {
	const depth = 20_000
	for path, text := range map[string]string{
		"a.go":  "package p\nvar x = " + strings.Repeat("(", depth) + "1" + strings.Repeat(")", depth),
		"b.go":  "package p\nfunc f() " + strings.Repeat("{", depth) + strings.Repeat("}", depth),
		"c.go":  "package p\ntype T " + strings.Repeat("struct { A ", depth),
		"d.go":  "package p\nvar x = " + strings.Repeat("(", 5*depth) + "1" + strings.Repeat(")", 5*depth),
		"e.go":  "package p\nvar x = " + strings.Repeat("[", 5*depth),
		"f.go":  "package p\nfunc f() { if a {} " + strings.Repeat("else if a {} ", 4*depth) + "}",
		"g.go":  "package p\nvar x " + strings.Repeat("func() ", depth) + "a",
		"a.ts":  "const a = " + strings.Repeat("{ a: ", depth) + "1" + strings.Repeat(" }", depth),
		"b.ts":  strings.Repeat("namespace N { ", depth) + strings.Repeat("}", depth),
		"c.ts":  strings.Repeat("function f() { ", depth) + strings.Repeat("}", depth),
		"d.ts":  "x" + strings.Repeat(".a", depth) + " = function () {}",
		"e.ts":  "const " + strings.Repeat("[", depth) + "a" + strings.Repeat("]", depth) + " = 1",
		"a.tsx": strings.Repeat("<a>", depth) + strings.Repeat("</a>", depth),
		"a.js":  strings.Repeat("a = ", depth) + "function () {}",
		"b.js":  strings.Repeat("[", depth),
		"a.py":  "x = " + strings.Repeat("[", depth) + strings.Repeat("]", depth),
		"b.py":  strings.Repeat("a", depth) + strings.Repeat("(", depth),
		"a.rb":  strings.Repeat("module A; ", depth) + strings.Repeat("end; ", depth),
		"b.rb":  "x = " + strings.Repeat("[", depth) + strings.Repeat("]", depth),
		"c.rb":  "class A" + strings.Repeat("::A", depth) + "; def f; end; end",
		"a.php": "<?php " + strings.Repeat("function f() { ", depth) + strings.Repeat("}", depth),
		"b.php": "<?php namespace " + strings.Repeat(`a\`, depth) + "a; class C {}",
		"a.sh":  strings.Repeat("f() { ", depth) + strings.Repeat("}; ", depth),
		"a.lua": strings.Repeat("function f() ", depth) + strings.Repeat("end ", depth),
		"b.lua": "a = " + strings.Repeat("{ a = ", depth) + "1" + strings.Repeat(" }", depth),
		"c.lua": "function a" + strings.Repeat(".a", depth) + "() end",
		"d.lua": strings.Repeat("do x = 1 ", depth) + strings.Repeat("end ", depth),
		"a.hs":  "f = " + strings.Repeat("(", depth) + "1" + strings.Repeat(")", depth),
		"b.hs":  strings.Repeat("f 1 = 1\n", depth),
		"c.hs":  "module " + strings.Repeat("A.", depth) + "B where\nf = 1",
		"a.ml":  strings.Repeat("module M = struct ", depth) + strings.Repeat("end ", depth),
		"b.ml":  "let f = 1" + strings.Repeat(" and f = 1", depth),
		"a.mli": strings.Repeat("module M : sig ", depth) + strings.Repeat("end ", depth),
		"a.md":  strings.Repeat("# a\n## b\n", depth),
		"b.md":  strings.Repeat("> ", depth) + "# a",

		"a.rs":    strings.Repeat("mod m { ", depth) + strings.Repeat("}", depth),
		"b.rs":    "impl T for " + strings.Repeat("&", depth) + "u8 {}",
		"c.rs":    "use " + strings.Repeat("a::{", depth) + strings.Repeat("}", depth) + ";",
		"a.c":     "int " + strings.Repeat("*", depth) + "p;",
		"b.c":     strings.Repeat("struct s { ", depth) + strings.Repeat("};", depth),
		"a.cpp":   strings.Repeat("namespace a::b { ", depth) + strings.Repeat("}", depth),
		"b.cpp":   "void " + strings.Repeat("a::", depth) + "f() {}",
		"a.java":  strings.Repeat("class A { ", depth) + strings.Repeat("}", depth),
		"a.cs":    strings.Repeat("namespace A.B { ", depth) + strings.Repeat("}", depth),
		"a.kt":    strings.Repeat("object A { ", depth) + strings.Repeat("}", depth),
		"a.scala": strings.Repeat("object A { ", depth/20) + strings.Repeat("}", depth/20), // its scanner takes the square of this
	} {
		start := time.Now()
		o := extract(t, path, text)
		checkOutline(t, o)
		for _, s := range o.Symbols() {
			if len(s.Container) > 2000 {
				t.Fatalf("%s: a container of %d bytes", path, len(s.Container))
			}
		}
		if took := time.Since(start); took > 20*time.Second {
			t.Errorf("%s took %s", path, took)
		}
	}
}

// Text that is no code at all must cost no more than a multiple of its size.
func TestNoise(t *testing.T) {
	noise := make([]byte, 100_000)
	state := uint32(1)
	for i := range noise {
		state = state*1664525 + 1013904223
		noise[i] = byte(state >> 24)
	}
	for _, ending := range endings {
		start := time.Now()
		checkOutline(t, extract(t, "a"+ending, string(noise)))
		if took := time.Since(start); took > 20*time.Second {
			t.Errorf("%s took %s", ending, took)
		}
	}
}

// The grammar for OCaml interfaces takes minutes for some texts that are none.
func TestTimeout(t *testing.T) {
	text := "# Above.\n@decorator\n# Between.\n@other.thing(arg=lambda: 1)\ndef decorated(\x11: ...\n\n@dataclass(frozen=True)\n" +
		"class Point:\n    x: it    n\ny: int = 0\n\n    @overload\n    def m(self, a: intI -> int: ...\n    @overload\n" +
		"    def m(self, a: str) -> str: ...\n    def m(self, a): return a\n"
	if _, err := symbols.Extract(symbols.NewDocument("a.mli", []byte(text))); !errors.Is(err, syntax.ErrTooSlow) {
		t.Errorf("error %v, want a timeout", err)
	}
}

func TestNoGrammar(t *testing.T) {
	for _, path := range []string{"a.txt", "a.swift", "Makefile", ""} {
		if _, err := symbols.Extract(symbols.NewDocument(path, []byte("x"))); !errors.Is(err, symbols.ErrNoGrammar) {
			t.Errorf("%q: %v", path, err)
		}
	}
}

// Outlines and documents are shared by goroutines without locks.
func TestConcurrentUse(t *testing.T) {
	all := sources(t)
	shared := extract(t, "a.go", "package p\nfunc F() { x := \"é\"; _ = x }\n")
	var group sync.WaitGroup
	for range 8 {
		group.Go(func() {
			for _, f := range all {
				if _, err := symbols.Extract(symbols.NewDocument(f.Name, f.Data)); err != nil {
					t.Error(err)
				}
				askAll(shared)
				if _, err := shared.Document().OffsetPosition(25); err != nil {
					t.Error(err)
				}
			}
		})
	}
	group.Wait()
}

// A tree that is not freed is many times its source, so extracting a few hundred
// megabytes would show.
func TestNoLeak(t *testing.T) {
	text := strings.Repeat("export function f(a: string, b = { c: 1 }) { return a + b.c; }\n", 2000)
	run := func(n int) {
		for range n {
			extract(t, "a.ts", text)
		}
		runtime.GC()
	}
	run(5)
	before := residentKB(t)
	run(25)
	if grown := residentKB(t) - before; grown > 40_000 {
		t.Errorf("resident memory grew by %d KB", grown)
	}
}

func residentKB(t *testing.T) int {
	t.Helper()
	status, err := os.ReadFile("/proc/self/statm")
	if err != nil {
		t.Skip("no /proc here")
	}
	fields := strings.Fields(string(status))
	pages := 0
	for _, c := range fields[1] {
		pages = pages*10 + int(c-'0')
	}
	return pages * os.Getpagesize() / 1024
}

// Code that only the grammar finds wrong is not in error.
func TestMended(t *testing.T) {
	for _, f := range sources(t) {
		if !strings.HasPrefix(f.Name, "ts_mended/") {
			continue
		}
		if errs := extract(t, f.Name, string(f.Data)).Errors(); len(errs) > 0 {
			t.Errorf("%s: errors at %v: %.40q", f.Name, errs, f.Data[errs[0].Start:])
		}
	}
	for _, text := range []string{"const a = b &", "interface A<in out> {", "export type *", "using x", "using", "in", "interface A {\n(", "(", "\n("} {
		checkOutline(t, extract(t, "a.ts", text))
	}
}
