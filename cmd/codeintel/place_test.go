package main

import (
	"os"
	"path/filepath"
	"reflect"
	"testing"

	"codeintel/tools"
)

// at returns an app in a new folder with the named empty files.
func at(t *testing.T, files ...string) *app {
	t.Helper()
	dir := t.TempDir()
	for _, name := range files {
		if err := os.WriteFile(filepath.Join(dir, name), nil, 0o644); err != nil {
			t.Fatal(err)
		}
	}
	return &app{dir: dir, env: func(string) (string, bool) { return "", false }}
}

func TestParseSpot(t *testing.T) {
	a := at(t, "a.go", "odd:3", "odd:3:4")
	for arg, want := range map[string]spot{
		"a.go":                      {file: "a.go"},
		"a.go:12":                   {file: "a.go", line: 12},
		"a.go:12:3":                 {file: "a.go", line: 12, column: 3},
		"a.go:12:3:":                {file: "a.go", line: 12, column: 3},
		"a.go:12-40":                {file: "a.go", line: 12, until: 40},
		"a.go:x":                    {file: "a.go:x"},
		"a.go:":                     {file: "a.go:"},
		"odd:3":                     {file: "odd:3"},
		"odd:3:4":                   {file: "odd:3:4"},
		"odd:3:4:5":                 {file: "odd:3", line: 4, column: 5},
		"C:/x.go:1:2":               {file: "C:/x.go", line: 1, column: 2},
		"Ns::name":                  {file: "Ns::name"},
		"a.go:99999999999999999999": {file: "a.go", line: int(^uint(0) >> 1)},
	} {
		if got := a.parseSpot(arg); got != want {
			t.Errorf("%q is %+v, want %+v", arg, got, want)
		}
	}
}

func TestParseRead(t *testing.T) {
	a := at(t, "a.ts", "b.ts", "Makefile")
	f := func(file, symbol string, line, end int) tools.ReadFunctionParams {
		return tools.ReadFunctionParams{FilePath: file, Symbol: symbol, Line: line, EndLine: end}
	}
	for _, c := range []struct {
		args []string
		o    readOptions
		want []tools.ReadFunctionParams
	}{
		{[]string{"f", "a.ts"}, readOptions{}, []tools.ReadFunctionParams{f("a.ts", "f", 0, 0)}},
		{[]string{"f", "g", "a.ts", "h", "b.ts"}, readOptions{}, []tools.ReadFunctionParams{f("a.ts", "f", 0, 0), f("a.ts", "g", 0, 0), f("b.ts", "h", 0, 0)}},
		{[]string{"a.ts:3", "b.ts:4-9"}, readOptions{}, []tools.ReadFunctionParams{f("a.ts", "", 3, 0), f("b.ts", "", 4, 9)}},
		{[]string{"f", "a.ts:3"}, readOptions{}, []tools.ReadFunctionParams{f("a.ts", "f", 3, 0)}},
		{[]string{"a.ts"}, readOptions{line: 3}, []tools.ReadFunctionParams{f("a.ts", "", 3, 0)}},
		{[]string{"f", "a.ts"}, readOptions{lines: "3-5"}, []tools.ReadFunctionParams{f("a.ts", "f", 3, 5)}},
		{[]string{"f"}, readOptions{}, []tools.ReadFunctionParams{f("", "f", 0, 0)}},
		{[]string{"Makefile", "a.ts"}, readOptions{}, []tools.ReadFunctionParams{f("a.ts", "Makefile", 0, 0)}},
		{[]string{"f", "absent.ts"}, readOptions{}, []tools.ReadFunctionParams{f("absent.ts", "f", 0, 0)}},
	} {
		got, err := a.parseRead(c.args, c.o)
		if err != nil || !reflect.DeepEqual(got, c.want) {
			t.Errorf("%q gives %+v, %v, want %+v", c.args, got, err, c.want)
		}
	}
	for _, c := range []struct {
		args []string
		o    readOptions
	}{
		{[]string{"a.ts"}, readOptions{}},
		{[]string{"a.ts", "b.ts:3"}, readOptions{}},
		{[]string{"dir/absent"}, readOptions{}},
		{[]string{"f", "a.ts"}, readOptions{line: -1}},
		{[]string{"f", "a.ts"}, readOptions{line: 1, lines: "1-2"}},
		{[]string{"f", "a.ts"}, readOptions{lines: "0-2"}},
	} {
		if got, err := a.parseRead(c.args, c.o); err == nil {
			t.Errorf("%q gives %+v, want an error", c.args, got)
		}
	}
}

func FuzzParseSpot(f *testing.F) {
	for _, seed := range []string{"a.go:1:2", "a:3-4", "::", "x:1:", "é:9:9:9"} {
		f.Add(seed)
	}
	a := &app{dir: f.TempDir()}
	f.Fuzz(func(t *testing.T, arg string) {
		s := a.parseSpot(arg)
		if len(s.file) > len(arg) || s.line < 0 || s.column < 0 || s.until < 0 || s.line == 0 && s.column > 0 && s.file == arg {
			t.Errorf("%q is %+v", arg, s)
		}
	})
}
