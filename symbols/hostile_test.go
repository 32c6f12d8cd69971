package symbols_test

import (
	"runtime"
	"strings"
	"testing"
)

// TestDeepContainers nests functions far deeper than containers have names: the
// names must not grow with the depth, or they are larger than the text.
func TestDeepContainers(t *testing.T) {
	const deep = 10_000
	for name, text := range map[string]string{
		"a.ts": "package p\nvar x = " + strings.Repeat("func(){", deep) + strings.Repeat("}", deep),
		"b.ts": "const x = " + strings.Repeat("{ a() { return ", deep) + "1" + strings.Repeat("}}", deep),
		"c.js": strings.Repeat("function f() {", deep) + strings.Repeat("}", deep),
		"d.ts": strings.Repeat("namespace N {", deep) + strings.Repeat("}", deep),
		"e.go": "package p\n\ntype T " + strings.Repeat("struct { A ", deep) + "int" + strings.Repeat("}", deep) + "\n",
	} {
		var before, after runtime.MemStats
		runtime.ReadMemStats(&before)
		o := extract(t, name, text)
		runtime.ReadMemStats(&after)
		for _, s := range o.Symbols() {
			if n := strings.Count(s.Container, ".") + 1; n > 33 { // a member's own container beside the 32
				t.Errorf("%s: a container of %d names", name, n)
				break
			}
		}
		if used := after.TotalAlloc - before.TotalAlloc; used > 200*uint64(len(text)) {
			t.Errorf("%s: %d bytes for a text of %d", name, used, len(text))
		}
	}
}
