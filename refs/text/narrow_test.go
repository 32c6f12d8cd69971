package text

import (
	"context"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"testing"
)

// TestNarrow checks that rg is really asked: its answer and that of the search in
// Go are the same, so nothing else would show that it never works.
func TestNarrow(t *testing.T) {
	rg, err := exec.LookPath("rg")
	if err != nil {
		t.Skip("rg is not on PATH")
	}
	root := t.TempDir()
	files := []string{"-a", "b c", "none", "utf8", "latin1"}
	for i, content := range []string{"word", "xwordx", "w ord", "\ufeffword", "\xe9word\x00"} {
		if err := os.WriteFile(filepath.Join(root, files[i]), []byte(content), 0o644); err != nil {
			t.Fatal(err)
		}
	}
	s := &search{Options: Options{RG: rg}, root: root, word: "word"}
	found, ok := s.runRG(context.Background(), files)
	slices.Sort(found)
	if want := []string{"-a", "b c", "latin1", "utf8"}; !ok || !slices.Equal(found, want) {
		t.Errorf("rg found %q (ok %v), want %q", found, ok, want)
	}
	if found, ok := s.runRG(context.Background(), append(files, "missing")); ok {
		t.Errorf("rg found %q with a missing file and says nothing of it", found)
	}
}
