package refs

import (
	"runtime"
	"strings"
	"testing"
)

func TestExcludedGo(t *testing.T) {
	other, otherArch := "windows", "s390x"
	if runtime.GOOS == other {
		other = "linux"
	}
	if runtime.GOARCH == otherArch {
		otherArch = "amd64"
	}
	tests := []struct {
		file, text  string
		tags        []string
		cause, cure string // empty cause: built
	}{
		{file: "a/a.go", text: "package a"},
		{file: "a/a_test.go", text: "package a"},
		{file: "a/a.ts", text: "//go:build never"},
		{file: "a/a_" + other + ".go", text: "package a", cause: "platform in its name", cure: "GOOS=" + other},
		{file: "a/a_" + otherArch + "_test.go", text: "package a", cause: "platform in its name", cure: "GOARCH=" + otherArch},
		{file: "a/a_" + runtime.GOOS + ".go", text: "package a"},
		{file: "a/a.go", text: "//go:build " + other + "\n\npackage a", cause: "//go:build " + other, cure: "GOOS=" + other},
		{file: "a/a.go", text: "// Copyright\n\n//go:build integration && extra\n\npackage a", cause: "//go:build integration && extra", cure: "GOFLAGS=-tags=integration,extra"},
		{file: "a/a.go", text: "//go:build integration\n\npackage a", tags: []string{"integration"}},
		{file: "a/a.go", text: "//go:build !" + runtime.GOOS + "\n\npackage a", cause: "//go:build !" + runtime.GOOS},
		{file: "a/a.go", text: "//go:build ignore\n\npackage main", cause: "//go:build ignore", cure: "GOFLAGS=-tags=ignore"},
		{file: "a/a.go", text: "package a\n\n//go:build ignore\n"},
		{file: "a/_a.go", text: "package a", cause: "begins with _"},
	}
	for _, tt := range tests {
		cause, cure, excluded := excludedGo(tt.file, []byte(tt.text), tt.tags)
		if excluded != (tt.cause != "") || !strings.Contains(cause, tt.cause) || cure != tt.cure {
			t.Errorf("excludedGo(%s, %q, %v) = %q, %q, %v; want %q, %q", tt.file, tt.text, tt.tags, cause, cure, excluded, tt.cause, tt.cure)
		}
	}
}
