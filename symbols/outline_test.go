package symbols_test

import (
	"fmt"
	"strings"
	"testing"

	"codeintel/symbols"
)

// at returns the offset of the mark ‸ in a text, and the text without it.
func at(t *testing.T, marked string) (text string, offset int) {
	t.Helper()
	offset = strings.Index(marked, "‸")
	if offset < 0 {
		t.Fatalf("no mark in %q", marked)
	}
	return strings.Replace(marked, "‸", "", 1), offset
}

func TestEnclosing(t *testing.T) {
	for _, c := range []struct{ name, path, text, want string }{
		{"top level", "a.go", "package p\nvar ‸x = 1", ""},
		{"function", "a.go", "package p\nfunc f() { ‸x() }", "f"},
		{"its name", "a.go", "package p\nfunc ‸f() {}", "f"},
		{"its comment", "a.go", "package p\n// ‸doc\nfunc f() {}", "f"},
		{"after it", "a.go", "package p\nfunc f() {}‸", ""},
		{"receiver", "a.go", "package p\nfunc (c *‸C) m() {}", "C.m"},
		{"unnamed function", "a.go", "package p\nfunc f() { go func() { ‸x() }() }", "f"},
		{"bound function", "a.go", "package p\nfunc f() { g := func() { ‸x() }; g() }", "f.g"},
		{"bound at the top", "a.go", "package p\nvar g = func() { ‸x() }", "g"},
		{"callback at the top", "a.go", "package p\nvar c = &C{Run: func() { ‸x() }}", ""},
		{"struct", "a.go", "package p\ntype T struct { a ‸B }", "T"},
		{"local struct", "a.go", "package p\nfunc f() { type T struct { a ‸B } }", "f"},
		{"interface method", "a.go", "package p\ntype I interface { m(a ‸B) }", "I.m"},
		{"second of two", "a.go", "package p\nfunc f() {}\nfunc g() { ‸x() }", "g"},
		{"arrow", "a.ts", "const f = () => { ‸x() }", "f"},
		{"arrow in a class", "a.ts", "class A { f = () => { ‸x() } }", "A.f"},
		{"arrow of a property", "a.ts", "const o = { p: () => ‸x() }", "o.p"},
		{"arrow of an argument's property", "a.ts", "call({ p: () => ‸x() })", "p"},
		{"callback", "a.ts", "function f() { list.map((i) => ‸x(i)) }", "f"},
		{"callback at the top", "a.ts", "it('x', () => { ‸x() })", ""},
		{"named callback", "a.ts", "it('x', function named() { ‸x() })", "named"},
		{"function in a callback", "a.ts", "it('x', () => { function g() { ‸x() } })", "g"},
		{"constructor", "a.ts", "class A { constructor() { ‸x() } }", "A.constructor"},
		{"accessor", "a.ts", "class A { get p() { return ‸x } }", "A.p"},
		{"class", "a.ts", "class A extends ‸B {}", "A"},
		{"class field", "a.ts", "class A { f = ‸x }", "A"},
		{"class in a function", "a.ts", "function f() { return class { a = ‸x } }", "f"},
		{"decorator", "a.ts", "class A {\n  @d(‸x)\n  m() {} }", "A.m"},
		{"type", "a.ts", "type T = ‸X", "T"},
		{"namespace", "a.ts", "namespace N { const a = ‸x }", "N"},
		{"overload", "a.ts", "function f(a: ‸X): void;\nfunction f() {}", "f"},
		{"constant", "a.ts", "const a = ‸x", ""},
		{"unnamed default", "a.ts", "export default () => ‸x", "default"},
		{"prototype", "a.js", "A.prototype.m = function () { ‸x() }", "A.m"},
		{"exports", "a.js", "exports.f = function () { ‸x() }", "f"},
		{"module", "a.js", "module.exports = { f() { ‸x() } }", "f"},
		{"wrapper", "a.js", "(function () { ‸x() })()", ""},
		{"component", "a.jsx", "const A = () => <B c={() => ‸d()} />", "A"},
		{"method", "a.py", "class A:\n  def m(self): ‸x()", "A.m"},
		{"lambda", "a.py", "f = lambda: ‸x", "f"},
		{"unnamed lambda", "a.py", "def f():\n  return map(lambda: ‸x, y)", "f"},
		{"decorator", "a.py", "@‸d\ndef f(): pass", "f"},
		{"property", "a.py", "class A:\n  @property\n  def p(self): return ‸x", "A.p"},
		{"default of a parameter", "a.py", "def f(a=‸x): pass", "f"},
		{"class attribute", "a.py", "class A:\n  a = ‸x", "A"},
		{"module", "a.py", "a = ‸x", ""},
		{"method of an impl", "a.rs", "impl<T> A<T> { fn m() { ‸x() } }", "A.m"},
		{"impl alone", "a.rs", "impl A { const B: u8 = ‸x; }", ""},
		{"attribute", "a.rs", "#[a(‸x)]\nfn f() {}", "f"},
		{"unnamed closure", "a.rs", "fn f() { g(|a| ‸a) }", "f"},
		{"bound closure", "a.rs", "fn f() { let g = |a| ‸a; }", "f.g"},
		{"macro", "a.rs", "macro_rules! m { () => { ‸x() } }", "m"},
		{"trait", "a.rs", "trait T: ‸U {}", "T"},
		{"function", "a.c", "static char *f(int a) { return ‸a; }", "f"},
		{"struct", "a.c", "typedef struct { int ‸a; } t;", "t"},
		{"initializer", "a.c", "int a = ‸x;", ""},
		{"method outside", "a.cpp", "namespace n { void A<int>::m() { ‸x(); } }", "n.A.m"},
		{"constructor", "a.cpp", "struct A { A() : a(‸x) {} };", "A.A"},
		{"lambda", "a.cpp", "void f() { g([] { ‸x(); }); }", "f"},
		{"bound lambda", "a.cpp", "auto f = [] { ‸x(); };", "f"},
		{"template", "a.cpp", "template <class ‸T> void f() {}", "f"},
		{"anonymous class", "A.java", "class A { void m() { new B() { void n() { ‸x(); } }; } }", "A.m.n"},
		{"lambda", "A.java", "class A { void m() { f(() -> ‸x()); } }", "A.m"},
		{"field with a lambda", "A.java", "class A { B b = () -> ‸x(); }", "A.b"},
		{"static initializer", "A.java", "class A { static { ‸x(); } }", "A"},
		{"annotation", "A.java", "class A { @B(‸x) void m() {} }", "A.m"},
		{"accessor", "a.cs", "class A { int P { get { return ‸x; } } }", "A.P"},
		{"local function", "a.cs", "class A { void M() { void L() { ‸x(); } } }", "A.M.L"},
		{"file namespace", "a.cs", "namespace N;\nclass A { B ‸b; }", "N.A"},
		{"getter", "a.kt", "class A {\n val p: Int get() = ‸x\n}", "A.p"},
		{"extension", "a.kt", "fun A.f() = ‸x", "A.f"},
		{"initializer", "a.kt", "class A {\n init { ‸x() }\n}", "A"},
		{"lambda", "a.kt", "fun f() { g { ‸x() } }", "f"},
		{"companion", "a.kt", "class A {\n companion object {\n fun f() = ‸x\n }\n}", "A.f"},
		{"method", "a.scala", "object A { def m = ‸x }", "A.m"},
		{"extension", "a.scala", "extension (s: A) def m = ‸x", "A.m"},
		{"lambda", "a.scala", "def f = g(a => ‸a)", "f"},
	} {
		t.Run(c.path+"/"+c.name, func(t *testing.T) {
			text, offset := at(t, c.text)
			s, ok := extract(t, c.path, text).Enclosing(offset)
			if ok != (c.want != "") || s.Qualified() != c.want {
				t.Errorf("enclosing: %q, %v, want %q", s.Qualified(), ok, c.want)
			}
		})
	}
}

func TestIdentifierAt(t *testing.T) {
	for _, c := range []struct{ path, text, want string }{
		{"a.go", "package p\nvar ‸abc = 1", "abc"},
		{"a.go", "package p\nvar ab‸c = 1", "abc"},
		{"a.go", "package p\nvar abc‸ = 1", "abc"},
		{"a.go", "package p\nvar abc ‸= 1", ""},
		{"a.go", "package p\n// ab‸c\n", ""},
		{"a.go", "package p\nvar a = \"ab‸c\"", ""},
		{"a.go", "package p\nvar a = b.‸c", "c"},
		{"a.go", "package p\nvar a = b‸.c", "b"},
		{"a.go", "pack‸age p\n", ""},
		{"a.ts", "const a = `x ${ab‸c} y`", "abc"},
		{"a.ts", "const a = `ab‸c`", ""},
		{"a.ts", "const a = 'ab‸c'", ""},
		{"a.ts", "const a = /ab‸c/", ""},
		{"a.ts", "class A { #pr‸iv = 1 }", "#priv"},
		{"a.ts", "const { sh‸ort } = x", "short"},
		{"a.ts", "const x = { sh‸ort }", "short"},
		{"a.ts", "let x: Foo.Ba‸r", "Bar"},
		{"a.tsx", "const a = <Fo‸o b={1}>text</Foo>", "Foo"},
		{"a.tsx", "const a = <Foo b‸={1}>text</Foo>", "b"},
		{"a.tsx", "const a = <Foo>te‸xt</Foo>", ""},
		{"a.tsx", "const a = <Foo>{te‸xt}</Foo>", "text"},
		{"a.py", "a = f'x {ab‸c!r:>{width}}'", "abc"},
		{"a.py", "a = f'x {abc!r:>{wid‸th}}'", "width"},
		{"a.py", "a = 'ab‸c'", ""},
		{"a.py", "def f():\n  '''ab‸c'''", ""},
		{"a.go", "package p\nvar größ‸e = 1", "größe"},
	} {
		text, offset := at(t, c.text)
		o := extract(t, c.path, text)
		id, ok := o.IdentifierAt(offset)
		if got := text[id.Range.Start:id.Range.End]; got != c.want || ok != (c.want != "") {
			t.Errorf("%q: %q, %v, want %q", c.text, got, ok, c.want)
		}
	}
}

// Each identifier is followed by the first letter of its role where it is not
// plain: m, d, i.
func TestRoles(t *testing.T) {
	for _, c := range []struct{ path, text, want string }{
		{"a.go", "package p\nimport q \"r\"\nvar a = b.c", "p q:i a:d b c:m"},
		{"a.go", "package p\nvar a = T{B: c, d: 1}", "p a:d T B:m c d:m"},
		{"a.go", "package p\nvar a = map[K]V{B: {C: d}}", "p a:d K V B C:m d"},
		{"a.go", "package p\nvar a = []T{{B: c}, E: {}}", "p a:d T B:m c E"},
		{"a.go", "package p\ntype T struct{ A q.B; *C }\nfunc (t *T) m() { t.A = 1 }", "p T:d A:d q B:m C t:d T m:d t A:m"},
		{"a.go", "package p\nfunc f() {\nL:\n\tfor { break L }\n}", "p f:d L L"},
		{"a.go", "package p\ntype F func(a int)", "p F:d a int"},
		{"a.ts", "import a, { b as c } from 'm'\nexport { d as e } from 'n'\nexport { f }", "a:i b:i c:i d:i e:i f"},
		{"a.ts", "const { a, b: c } = d?.e", "a:d b:m c:d d e:m"},
		{"a.ts", "const a = { b: c, d, 'e': 1, f() {} }", "a:d b:d c d f:d"},
		{"a.ts", "call({ a: b })", "call a:m b"},
		{"a.ts", "let a: B.C<D>; enum E { F }", "a:d B C:m D E:d F:d"},
		{"a.ts", "class A { #b = this.#b; get c() { return 1 } }", "A:d #b:d #b:m c:d"},
		{"a.ts", "const a = await import('m')", "a:i"},
		{"a.ts", "export default function () { a() }", "a"},
		{"a.tsx", "const a = <B c={d} {...e}><f.g /></B>", "a:d B c:m d e f g:m B"},
		{"a.js", "const { a } = require('m'); exports.b = function (c) { a.d(c) }", "a:i require exports b:d c:d a d:m c"},
		{"a.py", "import a.b as c\nfrom d import e as f\nx = c.g(h=1)", "a:i b:i c:i d:i e:i f:i x:d c g:m h:m"},
		{"a.py", "class A:\n  def m(self): self.n = 1; self.n = 2", "A:d m:d self:d self n:d self n:m"},
		{"a.rs", "use a::b;\nfn f(c: d::E) { c.g(h { i: j }); k::l() }", "a:i b:i f:d c:d d E:m c g:m h i:m j k l:m"},
		{"a.rs", "struct A { b: C }\nimpl D for A {}", "A:d b:d C D A"},
		{"a.c", "struct a { int b; };\nint c = d->e + sizeof(struct a);", "a:d b:d c:d d e:m a"},
		{"a.cpp", "void a::b::c() { d::e(f.g); this->h(); }", "a b:m c:d d e:m f g:m h:m"},
		{"A.java", "import a.B;\nclass C { D e = f().g(h.i).j; }", "a:i B:i C:d D e:d f g:m h i:m j:m"},
		{"a.cs", "using A.B;\nclass C { D e = f.g<H>(i: j); K l = new K { M = n }; }", "A:i B:i C:d D e:d f g:m H i:m j K l:d K M:m n"},
		{"a.kt", "import a.B\nval c: d.E = f.g(h = i).j", "a:i B:i c:d d E:m f g:m h:m i j:m"},
		{"a.scala", "import a.B\nval c: D = e.f(g = h).i", "a:i B:i c:d D e f:m g:m h i:m"},
		{"a.c", "LIB_API void *f(int);\nLIB_END\nint a = B;", "LIB_API f:d LIB_END a:d B"},
		{"a.kt", "fun `a b`() = `a b`()", "a b:d a b"},
	} {
		o := extract(t, c.path, c.text)
		var got []string
		for _, id := range o.Identifiers() {
			word := c.text[id.Range.Start:id.Range.End]
			if id.Role != symbols.RolePlain {
				word += ":" + id.Role.String()[:1]
			}
			got = append(got, word)
		}
		if g := strings.Join(got, " "); g != c.want {
			t.Errorf("%q:\n%s\nwant\n%s", c.text, g, c.want)
		}
	}
}

func TestNamed(t *testing.T) {
	o := extract(t, "a.ts", "const ab = 1 // ab\nconst abc = ab + 'ab' + `${ab}` + x.ab\n")
	var got []string
	for _, id := range o.Named("ab") {
		got = append(got, fmt.Sprint(id.Range.Start))
	}
	if g := strings.Join(got, " "); g != "6 31 46 55" {
		t.Errorf("named ab: %s", g)
	}
	if len(o.Named("a")) != 0 || len(o.Named("")) != 0 {
		t.Error("parts of names are found")
	}
}

func TestInError(t *testing.T) {
	for _, c := range []struct {
		name, path string
		text       string // ‸ marks places in an error, ‹ places that are not
	}{
		{"no error", "a.go", "package p\n‹func f() { ‹x() }"},
		{"statement", "a.go", "package p\nfunc f() {\n\t‹a()\n\t‸b( := 1\n\t‹c()\n}\nfunc ‹g() {}\n"},
		{"missing", "a.go", "package p\nfunc f() {\n\t‹a()\n\tif ‸x. {\n\t}\n\t‹c()\n}\n"},
		{"header of a function", "a.go", "package p\nfunc ‸f(a int, , b) {\n\t‹a()\n\t‹b()\n}\nfunc ‹g() {}\n"},
		{"field", "a.go", "package p\ntype T struct {\n\t‹A int\n\t‸B int int\n\t‹C string\n}\n"},
		{"element", "a.go", "package p\nvar a = []int{\n\t‹b,\n\t‸c d,\n\t‹e,\n}\n"},
		{"between functions", "a.go", "package p\nfunc ‹f() {}\n‸} ‸x\nfunc ‹g() {}\n"},
		{"statement", "a.ts", "‹a();\n‸b(c d);\n‹e();\n"},
		{"statement in a method", "a.ts", "class ‹A {\n  ‹b() {\n    ‹c();\n    const ‸d = ;\n    ‹e();\n  }\n  ‹f() {}\n}\n"},
		{"parameters", "a.ts", "function ‸f(a, , b) {\n  ‹c();\n}\n‹d();\n"},
		{"argument beside a callback", "a.ts", "‸f(a b, () => {\n  ‹c();\n});\n"},
		{"property", "a.ts", "const ‹a = {\n  ‹b: 1,\n  ‸c: = 2,\n  ‹d: 3,\n};\n"},
		{"statement", "a.py", "‹a()\n‸b(c d)\n‹e()\n"},
		{"statement in a function", "a.py", "def ‹f():\n  ‹a()\n  ‸b = = 1\n  ‹c()\n"},
		{"parameters", "a.py", "def ‸f(a, = b):\n  ‹c()\n‹d()\n"},
		{"statement", "a.rs", "fn ‹f() {\n  ‹a();\n  let ‸b = ;\n  ‹c();\n}\n"},
		{"statement", "a.c", "int ‹f() {\n  ‹a();\n  ‸b(x y);\n  ‹c();\n}\n"},
		{"statement", "a.cpp", "int ‹f() {\n  ‹a();\n  int ‸b = ;\n  ‹c();\n}\n"},
		{"statement", "A.java", "class ‹A {\n  void ‹f() {\n    ‹a();\n    int ‸b = ;\n    ‹c();\n  }\n  ‹int g;\n}\n"},
		{"statement", "a.cs", "class ‹A {\n  void ‹F() {\n    ‹a();\n    int ‸b = ;\n    ‹c();\n  }\n  ‹int g;\n}\n"},
		{"parameters", "a.kt", "fun ‸f(a: ) {\n  ‹c()\n}\n‹val d = 1\n"},
		{"value", "a.scala", "val ‸a = = 1\n‹val d = 1\n"},
	} {
		t.Run(c.path+"/"+c.name, func(t *testing.T) {
			text := strings.NewReplacer("‸", "", "‹", "").Replace(c.text)
			o := extract(t, c.path, text)
			offset := 0
			for _, r := range c.text {
				switch r {
				case '‸', '‹':
					if got, want := o.InError(offset), r == '‸'; got != want {
						t.Errorf("offset %d, before %.10q, in error: %v, want %v (errors at %v)", offset, text[offset:], got, want, o.Errors())
					}
				default:
					offset += len(string(r))
				}
			}
			if strings.Contains(c.text, "‸") != (len(o.Errors()) > 0) {
				t.Errorf("errors: %v", o.Errors())
			}
		})
	}
}
