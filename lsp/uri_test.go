package lsp

import (
	"path/filepath"
	"testing"

	"go.lsp.dev/protocol"
)

func TestURIRoundTrip(t *testing.T) {
	for _, path := range []string{
		"/", "/a/b.go", "/with space/#hash/per%cent/+plus@at/ünï/😀.ts", "/a:b/c", "/[id]/page.tsx", "/q?x=1&y", "/%41",
	} {
		u, err := URIOf(filepath.FromSlash(path))
		if err != nil {
			t.Fatal(err)
		}
		back, err := PathOf(u)
		if err != nil || filepath.ToSlash(back) != path {
			t.Errorf("%s: %s gives %s, %v", path, u, back, err)
		}
	}
}

// Servers escape the same path differently.
func TestPathOfEscapes(t *testing.T) {
	const want = "/w/a+b@c:d/e f.ts"
	for _, u := range []protocol.DocumentURI{
		"file:///w/a+b@c:d/e%20f.ts", "file:///w/a%2Bb%40c%3Ad/e%20f.ts", "file:///w/a%2bb@c%3ad/e%20f.ts",
		"file://localhost/w/a+b@c:d/e%20f.ts",
	} {
		if got, err := PathOf(u); err != nil || got != want {
			t.Errorf("%s: got %s, %v", u, got, err)
		}
	}
}

func TestPathOfRefuses(t *testing.T) {
	for _, u := range []protocol.DocumentURI{"", "untitled:Untitled-1", "https://a/b.ts", "file://host/a.ts", "file:", "file:///%zz", "/a/b.ts"} {
		if path, err := PathOf(u); err == nil {
			t.Errorf("%s: got %s, want an error", u, path)
		}
	}
}

func TestURIOfRelative(t *testing.T) {
	if u, err := URIOf("a/b.go"); err == nil {
		t.Errorf("got %s, want an error", u)
	}
}
