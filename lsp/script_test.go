package lsp

import "testing"

func TestModular(t *testing.T) {
	for _, test := range []struct {
		name, text string
		want       bool
	}{
		{"empty", "", false},
		{"no sign", "let a = 1", false},
		{"import", "import a from './a'", true},
		{"import for effect", "import './a'", true},
		{"export", "export const a = 1", true},
		{"export at the end", "const a = 1\nexport { a }", true},
		{"hashbang", "#!/usr/bin/env node\nimport a from './a'", true},
		{"require", "import a from './a'\nconst b = require('b')", false},
		{"a member require", "import a from './a'\na.require('b')", true},
		{"exports", "exports.a = 1", false},
		{"module.exports", "export const a = 1; module.exports = a", false},
		{"member exports", "import p from './p'; p.exports.a = 1", true},
		{"key exports", "export default { exports: 1 }", true},
		{"exports by name", "export const a = 1; exports['b'] = 2", false},
		{"exports at the end", "import a from 'a'; f(module.exports", false},
		{"dynamic import", "const a = import('./a')", false},
		{"import.meta", "const a = import.meta.url", false},
		{"in comments", "// import a from 'a'\n/* export const b = 1 */", false},
		{"require in a comment", "import a from 'a' // require('b')", true},
		{"in a string", "const s = \"import a from 'a'\"", false},
		{"in a template", "const s = `\nexport const a = 1\n`", false},
		{"template with substitution", "const s = `${f(`}` + {a: 1})} exports.b`; export { s }", true},
		{"in a block", "if (a) { import_('x') } function f() { return 1 }", false},
		{"in a regular expression", "const r = /require\\('x[/]'\\)/; export { r }", true},
		{"division", "const x = a / b; const y = c / d; export { x }", true},
		{"quote in an element", "export const A = () => <p>don't</p>\nexport const B = 1", true},
		{"key export", "const a = { export: 1 }", false},
		{"unclosed", "export const s = `abc", true},
		{"escape at the end", "export const s = 'abc\\", true},
		{"class at the end", "export const s = /[abc\\", true},
	} {
		t.Run(test.name, func(t *testing.T) {
			if got := modular([]byte(test.text)); got != test.want {
				t.Errorf("got %v, want %v", got, test.want)
			}
		})
	}
}

func FuzzModular(f *testing.F) {
	f.Add([]byte("import a from `x${`y`}`; exports.a = /[/]/"))
	f.Fuzz(func(t *testing.T, text []byte) { modular(text) }) // it ends and does not panic
}
