package main

import (
	"bytes"
	"os"
	"path/filepath"
	"strings"
	"testing"
)

// TestLists checks that the files of pins can be read and pin everything.
func TestLists(t *testing.T) {
	for _, file := range []string{"corpora.json", "sources.json"} {
		all, err := readList(file)
		if err != nil {
			t.Fatal(err)
		}
		for _, c := range all {
			pins := 0
			for _, pin := range []bool{c.Commit != "", c.Module != "" && c.Sum != "", c.NPM != "" && c.Integrity != ""} {
				if pin {
					pins++
				}
			}
			if pins != 1 {
				t.Errorf("%s: %s has %d pins, want 1", file, c.Name, pins)
			}
			for _, q := range c.Checks {
				if _, _, _, err := split(q.At); err != nil || q.Symbol == "" || q.Occurrences == 0 {
					t.Errorf("%s: %s: %+v: %v", file, c.Name, q, err)
				}
			}
			if (len(c.Checks) > 0) != (file == "corpora.json") {
				t.Errorf("%s: %s has %d checks", file, c.Name, len(c.Checks))
			}
		}
	}
}

func TestLoad(t *testing.T) {
	names := func(s settings) string {
		s.list = "corpora.json"
		all, err := load(s)
		if err != nil {
			return err.Error()
		}
		var out []string
		for _, c := range all {
			out = append(out, c.Name)
		}
		return strings.Join(out, " ")
	}
	if got := names(settings{}); got != "cobra zod" {
		t.Errorf("releases: %s", got)
	}
	if got := names(settings{checkouts: "x", only: "trpc"}); got != "trpc" {
		t.Errorf("one checkout: %s", got)
	}
	if got := names(settings{only: "trpc"}); !strings.Contains(got, "no corpus") {
		t.Errorf("a checkout among releases: %s", got)
	}
}

// TestCheckCommit has a checkout at its commit and at another, an exported tree
// with and without a recorded commit, and one inside of another repository.
func TestCheckCommit(t *testing.T) {
	top := t.TempDir()
	t.Setenv("GIT_CONFIG_GLOBAL", os.DevNull)
	git := func(dir string, args ...string) string {
		t.Helper()
		out, err := output(t.Context(), dir, "git", append([]string{"-c", "user.name=n", "-c", "user.email=e@e"}, args...)...)
		if err != nil {
			t.Fatal(err)
		}
		return strings.TrimSpace(string(out))
	}
	repository := filepath.Join(top, "repository")
	inside := filepath.Join(repository, "inside")
	writeFile(t, filepath.Join(inside, "a.go"), "package a\n")
	git(repository, "init", "-q")
	git(repository, "add", ".")
	git(repository, "commit", "-qm", "one")
	head := git(repository, "rev-parse", "HEAD")
	exported := filepath.Join(top, "exported")
	writeFile(t, filepath.Join(exported, "a.go"), "package a\n")
	writeFile(t, exported+".commit", head+"\n")
	other := strings.Repeat("0", 40)
	for _, c := range []struct{ dir, commit, says, fails string }{
		{repository, head, "", ""},
		{repository, other, "", "is at commit " + head + ", the counts are for " + other},
		{inside, other, "commit not known", ""},
		{exported, head, "", ""},
		{exported, other, "", "is at commit " + head},
	} {
		var out bytes.Buffer
		err := corpus{Name: "c", Commit: c.commit}.checkCommit(t.Context(), &out, c.dir)
		if (err == nil) != (c.fails == "") || err != nil && !strings.Contains(err.Error(), c.fails) {
			t.Errorf("%s at %s: error %v, want %q", c.dir, c.commit, err, c.fails)
		}
		if !strings.Contains(out.String(), c.says) || c.says == "" && out.Len() > 0 {
			t.Errorf("%s at %s: says %q, want %q", c.dir, c.commit, out.String(), c.says)
		}
	}
	// The check is part of finding the folder.
	if _, err := (corpus{Name: "repository", Commit: other}).place(t.Context(), settings{checkouts: top}, top); err == nil {
		t.Error("a checkout of another commit is measured")
	}
	if _, err := (corpus{Name: "absent", Commit: other}).place(t.Context(), settings{checkouts: top}, top); err == nil {
		t.Error("a checkout that is not there is measured")
	}
}

func TestCompareAnswer(t *testing.T) {
	root := t.TempDir()
	writeFile(t, filepath.Join(root, "a.ts"), "class Name {}\n")
	writeFile(t, filepath.Join(root, "b.ts"), "import { Name as N } from './a';\nnew N();\nconst Other = 1;\n")
	const good = `{"references":[{"file":"a.ts","line":1,"column":7,"endColumn":11},{"file":"b.ts","line":2,"column":5,"endColumn":6}],
		"content":{"precision":"exact","totalReferences":2,"occurrences":2,"coverage":{"complete":true}}}`
	yes, no := true, false
	for _, c := range []struct {
		name, answer string
		q            check
		want         string
	}{
		{"right", good, check{Occurrences: 2, Lines: 2, Complete: &yes}, ""},
		{"unstated", good, check{Occurrences: 2}, ""},
		{"count", good, check{Occurrences: 3}, "2 occurrences (2 listed), want 3"},
		{"lines", good, check{Occurrences: 2, Lines: 1}, "2 lines, want 1"},
		{"complete", good, check{Occurrences: 2, Complete: &no}, "complete is true"},
		{"precision", strings.Replace(good, "exact", "textual", 1), check{Occurrences: 2}, "precision is textual"},
		{"listed", strings.Replace(good, `"occurrences":2`, `"occurrences":1`, 1), check{Occurrences: 1}, "1 occurrences (2 listed)"},
		{"another word", strings.Replace(good, `"line":2,"column":5,"endColumn":6`, `"line":3,"column":7,"endColumn":12`, 1), check{Occurrences: 2}, `b.ts:3:7 holds "Other"`},
		{"past the end", strings.Replace(good, `"line":2,"column":5`, `"line":9,"column":5`, 1), check{Occurrences: 2}, "b.ts:9:5 is not in the file"},
		{"no such file", strings.Replace(good, "b.ts", "c.ts", 1), check{Occurrences: 2}, "c.ts"},
	} {
		c.q.Symbol = "Name"
		a, err := parseAnswer([]byte(c.answer))
		if err != nil {
			t.Fatal(err)
		}
		err = c.q.compare(a, root)
		if (err == nil) != (c.want == "") || err != nil && !strings.Contains(err.Error(), c.want) {
			t.Errorf("%s: error %v, want %q", c.name, err, c.want)
		}
	}
}

func TestCheckMemory(t *testing.T) {
	if err := (corpus{}).checkMemory(1 << 40); err != nil {
		t.Errorf("no limit: %v", err)
	}
	c := corpus{Name: "c", MaxMemoryMB: 3000}
	if err := c.checkMemory(3_000_000_000); err != nil {
		t.Errorf("at the limit: %v", err)
	}
	if err := c.checkMemory(3_000_000_001); err == nil {
		t.Error("above the limit: no error")
	}
}
