package refs

import (
	"encoding/json"
	"slices"
	"testing"
)

func TestEntries(t *testing.T) {
	tests := []struct {
		manifest, subpath string
		want              []string
	}{
		{`{"main":"./dist/index.js","types":"dist/index.d.ts"}`, ".", []string{"dist/index.d.ts", "./dist/index.js"}},
		{`{"main":"x.js"}`, "./sub", nil},
		{`{"exports":"./a.js"}`, ".", []string{"./a.js"}},
		{`{"exports":{"import":"./a.mjs","require":"./a.cjs"}}`, ".", []string{"./a.mjs", "./a.cjs"}},
		{`{"exports":{".":{"types":"./d.d.ts","source":"./src/i.ts","default":"./d.js"}}}`, ".", []string{"./src/i.ts", "./d.js", "./d.d.ts"}},
		{`{"exports":{".":"./a.js","./*":"./dist/*.js","./x/*":["./x/*.js"]}}`, "./u/v", []string{"./dist/u/v.js"}},
		{`{"exports":{"./a":null,"./b":7}}`, "./b", nil},
		{`{"exports":{"./*.js":"./src/*.ts"}}`, "./.js", []string{"./src/.ts"}},
	}
	for _, tt := range tests {
		var p packageJSON
		if err := json.Unmarshal([]byte(tt.manifest), &p); err != nil {
			t.Fatal(err)
		}
		if got := p.entries(tt.subpath); !slices.Equal(got, tt.want) {
			t.Errorf("entries(%s, %s) = %q, want %q", tt.manifest, tt.subpath, got, tt.want)
		}
	}
}

func TestSplitModule(t *testing.T) {
	for _, tt := range [][3]string{
		{"zod", "zod", "."}, {"zod/v4", "zod", "./v4"}, {"@a/b", "@a/b", "."}, {"@a/b/c/d", "@a/b", "./c/d"}, {"@a", "@a", "."},
	} {
		if name, sub := splitModule(tt[0]); name != tt[1] || sub != tt[2] {
			t.Errorf("splitModule(%q) = %q, %q", tt[0], name, sub)
		}
	}
}

func TestMirrors(t *testing.T) {
	tests := []struct {
		source, built string
		want          bool
	}{
		{"packages/core/src/a/b.ts", "packages/core/dist/a/b.d.ts", true},
		{"packages/core/src/b.ts", "packages/core/dist/b.d.mts", true},
		{"packages/core/src/b.ts", "packages/core/dist/a/b.d.ts", false},
		{"packages/core/src/b.ts", "packages/app/node_modules/@mono/core/dist/b.d.ts", true},
		{"packages/core/src/b.ts", "packages/other/dist/b.d.ts", false},
		{"packages/core/index.ts", "packages/core/index.d.ts", true},
	}
	for _, tt := range tests {
		if got := mirrors("packages/core", "@mono/core", tt.source, tt.built); got != tt.want {
			t.Errorf("mirrors(%s, %s) = %v", tt.source, tt.built, got)
		}
	}
}
