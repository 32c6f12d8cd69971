package symbols_test

import (
	"fmt"
	"slices"
	"strings"
	"testing"

	"codeintel/symbols"
)

const lookupGo = `package server

type Server struct{ Name string }

func (s *Server) Name2() {}
func (s *Server) Close() { err := s.Close(); _ = err }
func (c Client) Close()  {}

func Close() { err := 1; _ = err }

func Name() {}

const err2 = 1
`

const lookupTS = `namespace Outer {
  export class Inner { m() {} static m2() {} }
}
class Inner { m() {} }
export function over(a: string): void;
export function over(a: any) { const local = a; }
export class C { [Symbol.iterator]() {} "a b"() {} #p = 1; over() {} }
describe("x", () => { function local() {} });
`

func TestLookup(t *testing.T) {
	for _, c := range []struct {
		path, text, name string
		want             string
	}{
		{"a.go", lookupGo, "Server", "Server:3"},
		{"a.go", lookupGo, "server", ""},
		{"a.go", lookupGo, "Name", "Server.Name:3 Name:11"},
		{"a.go", lookupGo, "Close", "Server.Close:6 Client.Close:7 Close:9"},
		{"a.go", lookupGo, "Server.Close", "Server.Close:6"},
		{"a.go", lookupGo, "Server::Close", "Server.Close:6"},
		{"a.go", lookupGo, "(*Server).Close", "Server.Close:6"},
		{"a.go", lookupGo, "(Client).Close", "Client.Close:7"},
		{"a.go", lookupGo, "(*Server[K, V]).Close", "Server.Close:6"},
		{"a.go", lookupGo, "Server[T].Close", "Server.Close:6"},
		{"a.ts", lookupTS, "C.prototype.over", "C.over:7"},
		{"a.go", lookupGo, "server.Close", "Close:9"},
		{"a.go", lookupGo, "server.Server.Close", "Server.Close:6"},
		{"a.go", lookupGo, "other.Close", ""},
		{"a.go", lookupGo, "err", "Server.Close.err:6 Close.err:9"},
		{"a.go", lookupGo, "Close.err", "Close.err:9"},
		{"a.go", lookupGo, "", ""},
		{"a.go", lookupGo, ".", ""},
		{"a.go", lookupGo, "Server.", ""},
		{"a.ts", lookupTS, "Inner", "Outer.Inner:2 Inner:4"},
		{"a.ts", lookupTS, "Outer.Inner", "Outer.Inner:2"},
		{"a.ts", lookupTS, "Outer.Inner.m", "Outer.Inner.m:2"},
		{"a.ts", lookupTS, "Inner.m", "Inner.m:4"},
		{"a.ts", lookupTS, "Inner.m2", "Outer.Inner.m2:2"},
		{"a.ts", lookupTS, "Outer::Inner.m", "Outer.Inner.m:2"},
		{"a.ts", lookupTS, "over", "over:5 over:6 C.over:7"},
		{"a.ts", lookupTS, "C.over", "C.over:7"},
		{"a.ts", lookupTS, "C.#p", "C.#p:7"},
		{"a.ts", lookupTS, "C.[Symbol.iterator]", "C.[Symbol.iterator]:7"},
		{"a.ts", lookupTS, "C.a b", "C.a b:7"},
		{"a.ts", lookupTS, "local", "over.local:6 local:8"},
		{"a.ts", lookupTS, "toString", ""},
	} {
		var got []string
		o := extract(t, c.path, c.text)
		for _, s := range o.Lookup(c.name) {
			got = append(got, fmt.Sprintf("%s:%d", s.Qualified(), lineOf(o.Document(), s.Selection.Start)))
		}
		if g := strings.Join(got, " "); g != c.want {
			t.Errorf("%s in %s: %s, want %s", c.name, c.path, g, c.want)
		}
	}
}

// Overloads and merged declarations are one symbol; what stands in different
// blocks is not.
func TestSameAs(t *testing.T) {
	for _, c := range []struct {
		name, path, text, symbol string
		want                     bool
	}{
		{"overloads", "a.ts", "function f(a: string): void;\nfunction f(a: any) {}", "f", true},
		{"merged interfaces", "a.ts", "interface I { a: 1 }\ninterface I { b: 2 }", "I", true},
		{"members of merged namespaces", "a.ts", "namespace N { export function f(a: 1): void }\nnamespace N { export function f() {} }", "f", true},
		{"getter and setter", "a.ts", "class C { get a() { return 1 } set a(v) {} }", "a", true},
		{"methods of two classes", "a.ts", "class A { m() {} }\nclass B { m() {} }", "m", false},
		{"functions of two callbacks", "a.ts", "it(() => { function f() {} })\nit(() => { function f() {} })", "f", false},
		{"constants of two blocks", "a.ts", "{ const a = 1 }\n{ const a = 2 }", "a", false},
		{"handlers of two calls", "a.ts", "call({ on() {} })\ncall({ on() {} })", "on", false},
		{"classes of two functions", "a.ts", "it(() => { class A {} })\nit(() => { class A {} })", "A", false},
		{"members of unnamed classes", "a.ts", "use(class { m() {} })\nuse(class { m() {} })", "m", false},
		{"type parameters of two call signatures", "a.ts", "interface A { <T>(a: T): void; <T>(b: T[]): void }", "T", false},
		{"types inferred in two places", "a.ts", "type A<B> = B extends (infer U)[] ? U : B extends { a: infer U } ? U : never", "U", false},
		{"named classes in two places", "a.ts", "use(class A { m() {} })\nuse(class A { m() {} })", "A", false},
		{"parameters of two functions", "a.go", "package p\nfunc f(a int) {}\nfunc g(a int) {}", "a", false},
		{"shadowed variable", "a.go", "package p\nfunc f() { a := 1; { a := 2; _ = a }; _ = a }", "a", false},
		{"variable in if and its block", "a.go", "package p\nfunc f() { if a := 1; a > 0 { a := 2; _ = a } }", "a", false},
		{"python comprehensions", "a.py", "a = [i for i in x]\nb = [i for i in y]", "i", false},
		{"python property", "a.py", "class A:\n  @property\n  def p(self): ...\n  @p.setter\n  def p(self, v): ...", "p", true},
	} {
		t.Run(c.name, func(t *testing.T) {
			found := extract(t, c.path, c.text).Lookup(c.symbol)
			if len(found) != 2 {
				t.Fatalf("%d symbols, want 2: %v", len(found), found)
			}
			if got := found[0].SameAs(found[1]); got != c.want {
				t.Errorf("same: %v, want %v: %+v", got, c.want, found)
			}
		})
	}
}

func TestNearest(t *testing.T) {
	const text = `package p
func ParseConfig() {}
func parseConfigFile() {}
func Render() {}
func Name() {}
func a() { Rendr := 1; _ = Rendr }
`
	for _, c := range []struct {
		asked string
		n     int
		want  []string
	}{
		{"parseconfig", 5, []string{"ParseConfig", "parseConfigFile"}},
		{"ParseConfgi", 1, []string{"ParseConfig"}},
		{"Rendre", 5, []string{"Render", "Rendr"}},
		{"T.Nmae", 5, []string{"Name"}},
		{"ConfigFile", 5, []string{"parseConfigFile"}},
		{"Unrelated", 5, nil},
		{"Render", 5, []string{"Rendr"}},
		{"", 5, nil},
		{"Name", 0, nil},
	} {
		if got := extract(t, "a.go", text).Nearest(c.asked, c.n); !slices.Equal(got, c.want) {
			t.Errorf("nearest of %q: %q, want %q", c.asked, got, c.want)
		}
	}
}

func TestIsType(t *testing.T) {
	o := extract(t, "a.ts", "class A {}\ninterface B {}\nenum C {}\ntype D = 1\nnamespace E { const f = 1 }\nfunction g() {}")
	var types []string
	for _, s := range o.Symbols() {
		if s.IsType() {
			types = append(types, s.Name)
		}
	}
	if got := strings.Join(types, ""); got != "ABCD" {
		t.Errorf("types: %s, want ABCD", got)
	}
}

func TestLanguageOf(t *testing.T) {
	for path, want := range map[string]symbols.Language{
		"a.go": symbols.Go, "x/a.ts": symbols.TypeScript, "a.d.ts": symbols.TypeScript, "a.mts": symbols.TypeScript, "a.cts": symbols.TypeScript,
		"a.tsx": symbols.TypeScriptReact, "a.js": symbols.JavaScript, "a.mjs": symbols.JavaScript, "a.cjs": symbols.JavaScript,
		"a.jsx": symbols.JavaScriptReact, "a.py": symbols.Python, "a.pyi": symbols.Python, "A.GO": symbols.Go, `dir\a.py`: symbols.Python,
		"a.rs": symbols.Rust, "a.c": symbols.C, "a.h": symbols.C, "a.cc": symbols.CPP, "a.hpp": symbols.CPP, "a.inl": symbols.CPP,
		"A.java": symbols.Java, "a.cs": symbols.CSharp, "a.csx": symbols.CSharp, "a.kt": symbols.Kotlin, "a.gradle.kts": symbols.Kotlin,
		"a.scala": symbols.Scala, "a.sc": symbols.Scala, "a.swift": "swift", "a": "", ".go/a": "", "": "", "go": "", "a.txt": "",
	} {
		if got := symbols.LanguageOf(path); got != want {
			t.Errorf("language of %q: %q, want %q", path, got, want)
		}
	}
	for l, want := range map[symbols.Language]bool{symbols.Go: true, symbols.JavaScriptReact: true, symbols.Rust: true, symbols.Scala: true, "swift": false, "": false} {
		if l.HasGrammar() != want {
			t.Errorf("grammar of %q: %v", l, !want)
		}
	}
}
