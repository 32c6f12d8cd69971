package tools

import (
	"encoding/json"
	"fmt"
	"path/filepath"
	"strings"
	"testing"
)

// TestReadGolden runs each archive of testdata/read: its comment is a JSON list
// of calls, want.txt what they print one after the other, want.json the JSON.
func TestReadGolden(t *testing.T) {
	goldens(t, "read", func(t *testing.T, files map[string]string, comment []byte) map[string]string {
		text, content := reading(t, files, comment)
		return map[string]string{"want.txt": text, "want.json": content}
	})
}

func reading(t *testing.T, files map[string]string, comment []byte) (text, content string) {
	t.Helper()
	var calls []ReadFunctionParams
	if err := json.Unmarshal(comment, &calls); err != nil {
		t.Fatalf("the comment is no list of calls: %v", err)
	}
	ws := workspace(t, files)
	results, err := New(ws, &words{}, Options{}).ReadFunctions(t.Context(), calls)
	if err != nil {
		t.Fatal(err)
	}
	for i, r := range results {
		call, err := json.Marshal(calls[i])
		if err != nil {
			t.Fatal(err)
		}
		text += fmt.Sprintf("=== %s\n", call)
		if r.Err != nil {
			text += fmt.Sprintf("%s: %s\n", code(t, r.Err, r.Err.(*Error).Code).Code,
				strings.ReplaceAll(r.Err.Error(), filepath.Base(ws.Root()), "ROOT"))
			continue
		}
		text += r.Answer.Text()
		one, err := json.MarshalIndent(r.Answer.JSON(), "", "  ")
		if err != nil {
			t.Fatal(err)
		}
		content += string(one) + "\n"
	}
	return text, content
}

func TestReadLimits(t *testing.T) {
	var b strings.Builder
	b.WriteString("export function long() {\n")
	for i := range 2100 {
		fmt.Fprintf(&b, "  use(%d)\n", i)
	}
	wide := strings.Repeat("é", 2001)
	fmt.Fprintf(&b, "}\nexport function wide() { return '%s' }\n", wide)
	e := New(workspace(t, map[string]string{"a.ts": b.String()}), &words{}, Options{})
	a, err := e.ReadFunction(t.Context(), ReadFunctionParams{Symbol: "long", FilePath: "a.ts"})
	if err != nil {
		t.Fatal(err)
	}
	if want := "\n2000 |   use(1998)\n[2000 of 2102 lines shown; continue with read_file, lines 2001-2102]\n"; !strings.HasSuffix(a.Text(), want) {
		t.Errorf("a long function ends with %q", a.Text()[len(a.Text())-120:])
	}
	a, err = e.ReadFunction(t.Context(), ReadFunctionParams{Symbol: "wide", FilePath: "a.ts"})
	if err != nil {
		t.Fatal(err)
	}
	line := strings.Split(a.Text(), "\n")[2]
	text := strings.TrimPrefix(line, "2103 | ")
	if n := len([]rune(text)); n != 2000 || !strings.HasSuffix(text, "é...") {
		t.Errorf("a long line has %d characters and ends with %q", n, text[len(text)-8:])
	}
}

func TestClip(t *testing.T) {
	exactly := strings.Repeat("ß", 500)
	for in, want := range map[string]string{
		"\tx \t":         "\tx",
		exactly:          exactly,
		exactly + "  ":   exactly,
		exactly + "y":    exactly + " [truncated...]",
		exactly + " y\r": exactly + " [truncated...]",
		"":               "",
	} {
		if got := clip(in); got != want {
			t.Errorf("clip(%.20q) = %.20q…, want %.20q…", in, got, want)
		}
	}
}

func TestNumbered(t *testing.T) {
	for _, c := range []struct {
		width, n int
		text     string
		want     string
	}{
		{3, 7, "x", "  7 | x"},
		{3, 99, "", " 99 |"},
		{3, 1234, "\tx", "1234 | \tx"},
		{1, 5, "}", "5 | }"},
	} {
		if got := numbered(c.width, c.n, c.text); got != c.want {
			t.Errorf("numbered(%d, %d, %q) = %q, want %q", c.width, c.n, c.text, got, c.want)
		}
	}
}
