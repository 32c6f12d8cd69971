package symbols_test

import (
	"fmt"
	"slices"
	"strings"
	"testing"

	"codeintel/symbols"
)

func TestLanguageOfNames(t *testing.T) {
	for path, want := range map[string]symbols.Language{
		"a.rb": symbols.Ruby, "lib/x.rake": symbols.Ruby, "x.gemspec": symbols.Ruby, "Rakefile": symbols.Ruby, `a\Gemfile`: symbols.Ruby,
		"a.php": symbols.PHP, "a.sh": symbols.Bash, "a.bash": symbols.Bash, "a.lua": symbols.Lua, "A.HS": symbols.Haskell,
		"a.ml": symbols.OCaml, "a.mli": symbols.OCamlInterface, "README.md": symbols.Markdown, "a.markdown": symbols.Markdown,
		"Rakefile/x": "", "my.gemfile": "", "": "", ".": "", "rakefile.txt": "", "sh": "", "bash": "",
	} {
		if got := symbols.LanguageOf(path); got != want {
			t.Errorf("%q: %q, want %q", path, got, want)
		}
	}
}

func TestEnclosingElsewhere(t *testing.T) {
	for _, c := range []struct{ name, path, text, want string }{
		{"method", "a.rb", "class A\n  def m\n    ‸x\n  end\nend", "A.m"},
		{"block", "a.rb", "def f\n  a.each { |b| ‸x }\nend", "f"},
		{"empty method", "a.rb", "class A\n  def ‸m; end\nend", "A.m"},
		{"writer", "a.rb", "class A\n  def v=(a) ‸x end\nend", "A.v"},
		{"class body", "a.rb", "module M\n  class A\n    include ‸X\n  end\nend", "M.A"},
		{"made class", "a.rb", "A = Struct.new(:b) do\n  def m = ‸x\nend", "A.m"},
		{"dynamic method", "a.rb", "class A\n  define_method(:d) { ‸x }\nend", "A.d"},
		{"constant", "a.rb", "A = ‸x", ""},
		{"method", "a.php", "<?php class A { function m() { ‸x(); } }", "A.m"},
		{"closure", "a.php", "<?php function f() { return array_map(fn($a) => ‸x, $b); }", "f"},
		{"bound closure", "a.php", "<?php $f = function () { ‸x(); };", "f"},
		{"attribute", "a.php", "<?php class A {\n #[B(‸X)]\n function m() {} }", "A.m"},
		{"promoted", "a.php", "<?php class A { function __construct(private ‸B $c) {} }", "A.__construct"},
		{"namespace", "a.php", "<?php namespace A\\B { ‸x(); }", "A.B"},
		{"class without a name", "a.php", "<?php function f() { return new class { public $p = ‸X; }; }", "f"},
		{"its method", "a.php", "<?php function f() { return new class { function m() { ‸x(); } }; }", "f.m"},
		{"function", "a.sh", "f() { ‸x; }", "f"},
		{"subshell", "a.sh", "f() ( ‸x )", "f"},
		{"top", "a.sh", "f() { x; }\n‸x", ""},
		{"function", "a.lua", "function M.f() ‸x() end", "M.f"},
		{"method", "a.lua", "function M:f() ‸x() end", "M.f"},
		{"callback", "a.lua", "local function f() g(function() ‸x() end) end", "f"},
		{"member", "a.lua", "local t = { f = function() ‸x() end }", "t.f"},
		{"returned", "a.lua", "return { f = function() ‸x() end }", "f"},
		{"first equation", "a.hs", "f 0 = ‸x\nf n = y", "f"},
		{"second equation", "a.hs", "f 0 = y\nf n = ‸x", "f"},
		{"signature", "a.hs", "f :: ‸X\nf = y", "f"},
		{"where", "a.hs", "f = g where g = ‸x", "f"},
		{"local function", "a.hs", "f = g where g a = ‸x", "f.g"},
		{"instance", "a.hs", "instance A B where\n  m = ‸x", "B.m"},
		{"data", "a.hs", "data A = A ‸B", "A"},
		{"action", "a.hs", "main = do\n  a\n  ‸x", "main"},
		{"function", "a.ml", "let f a = ‸x", "f"},
		{"and", "a.ml", "let rec f a = y and g b = ‸x", "g"},
		{"module", "a.ml", "module M = struct let v = ‸x end", "M"},
		{"in a module", "a.ml", "module M = struct let f () = ‸x end", "M.f"},
		{"method", "a.ml", "class c = object method m = ‸x end", "c.m"},
		{"unnamed", "a.ml", "let () = ‸x", ""},
		{"value", "a.mli", "val f : a -> ‸b", "f"},
		{"section", "a.md", "# A\n\n## B\n\n‸x\n\n# C", "A.B"},
		{"before", "a.md", "‸x\n\n# C", ""},
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

// Identifiers are listed in source order, with a mark where they are more than a
// plain name: = declares, . is a member, < is imported.
func TestIdentifiersElsewhere(t *testing.T) {
	for _, c := range []struct{ path, text, want string }{
		{"a.rb", "class A < B::C\n  attr_reader :a\n  def m=(b) self.c = @d end\nend", "=A B .C attr_reader =a =m =b .c @d"},
		{"a.rb", "x.y&.z(k: 1, :l => w)\nf(\"s #{t}\")\nD::E.g?", "x .y .z .k .l w f t D .E .g?"},
		{"a.php", "<?php class A { public $b; function m() { return $this->b->c($d) . E::F . G::$h . self::i(); } }", "=A =b =m .b .c d E .F G .h .i"},
		{"a.php", "<?php use A\\B as C; f(g: \\D\\E::class); $x?->y; \"$z {$w->v}\";", "<A <B <C f .g D E x .y z w .v"},
		{"a.sh", "f() { g \"$a\" ${b:-c}; d=1; }\nf; ./x; $h i", "=f g a b =d f h"},
		{"a.lua", "local M = require 'm'\nfunction M.f(a) return a.b.c + M:d{ e = g, [h] = 1 } end", "<M require M =f =a a .b .c M .d .e g h"},
		{"a.hs", "import A.B (c)\nf :: D -> E.F\nf g' = h g' `i` J.k", "<A <B <c =f D E .F f =g' h g' i J .k"},
		{"a.ml", "open A.B\nlet f x ~y = M.N.g x.h + o#p { q = y }", "<A <B =f =x =y M .N .g x .h o .p .q y"},
		{"a.mli", "val f : a -> M.b", "=f a M .b"},
		{"a.md", "# A `b`\n\nc", ""},
	} {
		marks := map[symbols.Role]string{symbols.RoleDeclaration: "=", symbols.RoleMember: ".", symbols.RoleImport: "<"}
		var got []string
		for _, id := range extract(t, c.path, c.text).Identifiers() {
			got = append(got, marks[id.Role]+c.text[id.Range.Start:id.Range.End])
		}
		if g := strings.Join(got, " "); g != c.want {
			t.Errorf("%s: %s\n%s, want\n%s", c.path, c.text, g, c.want)
		}
	}
}

func TestImportsElsewhere(t *testing.T) {
	for _, c := range []struct {
		path, text string
		want       []string
	}{
		{"a.rb", "require 'a/b'\nrequire_relative \"../c\"\nload('d.rb')\nautoload :E, 'e'", []string{"a/b", "../c", "d.rb", "e E"}},
		{"a.rb", "require a\nrequire \"a#{b}\"\nx.require 'c'", nil},
		{"a.php", "<?php use A\\B, C as D;\nuse function E\\f;\nuse G\\{H, I\\J as K};\nuse \\L;", []string{`A\B B`, "C C=D", `E\f f`, `G\H H module at "H"`, `G\I\J J=K module at "I\\J"`, `L L module at "\\L"`}},
		{"a.php", "<?php require 'a.php'; include_once(\"b.php\"); require_once __DIR__ . '/c.php'; require $d; require D . '/e';", []string{"a.php", "b.php", `./c.php module at "/c.php"`}},
		{"a.sh", "source a.sh\n. \"$D/b.sh\"\n. 'c.sh'\nsource", []string{"a.sh", "$D/b.sh", "c.sh"}},
		{"a.lua", "local a = require('a.b')\nlocal c = require \"c\".d\nrequire'e'\nf(require [[g]])\nrequire(h)", []string{"a.b *=a", "c d=c", "e", `g module at "[[g]]"`}},
		{"a.hs", "import A\nimport qualified B.C as D\nimport E (f, G(..), (+))\nimport H hiding (i)\nimport J qualified\nimport K as L", []string{"A all", "B.C *=D", "E f G +", "H all", "J *=J", "K *=L all"}},
		{"a.ml", "open A.B\nopen! C\ninclude D\ninclude struct end\nlet f = let open E in g", []string{"A.B all", "C all", "D all export", "E all"}},
		{"a.mli", "open A\ninclude B", []string{"A all", "B all export"}},
	} {
		o := extract(t, c.path, c.text)
		var got []string
		for _, im := range o.Imports() {
			got = append(got, importText(c.text, im))
		}
		if !slices.Equal(got, c.want) {
			t.Errorf("%s: %s\n%q, want\n%q", c.path, c.text, got, c.want)
		}
		checkOutline(t, o)
	}
}

func TestLookupElsewhere(t *testing.T) {
	for _, c := range []struct{ path, text, name, want string }{
		{"a.rb", "module A\n  class B\n    def c; end\n  end\nend", "A::B.c", "A.B.c:3"},
		{"a.rb", "class A\n  attr_reader :b\n  def b=(c) end\nend", "A.b", "A.b:2 A.b:3"},
		{"a.php", "<?php namespace A\\B;\nclass C { function d() {} }", `A\B\C::d`, "C.d:2"},
		{"a.php", "<?php namespace A\\B;\nclass C { function d() {} }", "C.d", "C.d:2"},
		{"a.hs", "module A.B where\nf = 1", "A.B.f", "f:2"},
		{"a.ml", "module A = struct let b = 1 end", "A.b", "A.b:1"},
		{"a.md", "# A\n## B c", "B c", "A.B c:2"},
	} {
		o := extract(t, c.path, c.text)
		var got []string
		for _, s := range o.Lookup(c.name) {
			got = append(got, fmt.Sprintf("%s:%d", s.Qualified(), lineOf(o.Document(), s.Selection.Start)))
		}
		if g := strings.Join(got, " "); g != c.want {
			t.Errorf("%s in %s: %s, want %s", c.name, c.text, g, c.want)
		}
	}
}

// A heading may have several lines; its name has one.
func TestLongHeading(t *testing.T) {
	o := extract(t, "a.md", "Two\n  lines\n===\n\ntext\n")
	if s := o.Symbols(); len(s) != 1 || s[0].Name != "Two lines" || s[0].Kind != symbols.Section {
		t.Errorf("symbols: %+v", s)
	}
	checkOutline(t, o)
}

// The grammar keeps the blocks around a line in a buffer that overflows.
func TestDeepBlocks(t *testing.T) {
	for _, line := range []string{strings.Repeat(">", 5000), strings.Repeat("> ", 5000), strings.Repeat("- ", 5000) + "a", strings.Repeat("1. ", 5000) + "a"} {
		if got := outlineText(extract(t, "a.md", "# A\n\n"+line+"\n\n# B\n"), true); got != "A section 1-4\nB section 5-5\n" {
			t.Errorf("%.10s: %s", line, got)
		}
	}
	var nested strings.Builder
	for i := range 500 {
		nested.WriteString(strings.Repeat("  ", i) + "- a\n")
	}
	checkOutline(t, extract(t, "a.md", nested.String()))
	nested.Reset()
	for i := range 500 {
		nested.WriteString(strings.Repeat("\t", i) + "- - a\n")
	}
	checkOutline(t, extract(t, "a.md", nested.String()))
}

// Errors spoil a statement, not the file.
func TestInErrorElsewhere(t *testing.T) {
	for _, c := range []struct{ path, bad, good string }{
		{"a.rb", "def f\n  x = ‸)\nend\ndef g\n  y\nend", "def f\n  x = )\nend\ndef g\n  ‸y\nend"},
		{"a.php", "<?php function f() { $x = ‸; }\nfunction g() { y(); }", "<?php function f() { $x = ; }\nfunction g() { ‸y(); }"},
		{"a.sh", "f() {\n  x )‸\n}\ng() {\n  y\n}", "f() {\n  x )\n}\ng() {\n  ‸y\n}"},
		{"a.lua", "function f()\n  x = ‸= 1\nend\nfunction g()\n  y()\nend", "function f()\n  x = = 1\nend\nfunction g()\n  ‸y()\nend"},
		{"a.hs", "f = ‸= x\n\ng = y", "f = = x\n\ng = ‸y"},
		{"a.ml", "module M = struct\n  type t = { a ‸: }\nend\nlet g = y", "module M = struct\n  type t = { a : }\nend\nlet g = ‸y"},
	} {
		text, offset := at(t, c.bad)
		if o := extract(t, c.path, text); !o.InError(offset) {
			t.Errorf("%s: %s is not in error, broken are the places at %v", c.path, c.bad, o.Errors())
		}
		text, offset = at(t, c.good)
		if o := extract(t, c.path, text); o.InError(offset) {
			t.Errorf("%s: %s is in error", c.path, c.good)
		}
	}
}
