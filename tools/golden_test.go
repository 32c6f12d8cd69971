package tools

import (
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/rogpeppe/go-internal/txtar"
)

// goldens runs each archive of a folder of testdata: its comment is the call, its
// files are the workspace, and its want.* files what render gives by that name.
// -update rewrites them.
func goldens(t *testing.T, folder string, render func(t *testing.T, files map[string]string, comment []byte) map[string]string) {
	archives, err := filepath.Glob(filepath.Join("testdata", folder, "*.txtar"))
	if err != nil || len(archives) == 0 {
		t.Fatalf("no archives: %v", err)
	}
	for _, path := range archives {
		t.Run(strings.TrimSuffix(filepath.Base(path), ".txtar"), func(t *testing.T) {
			archive, err := txtar.ParseFile(path)
			if err != nil {
				t.Fatal(err)
			}
			files := map[string]string{}
			for _, f := range archive.Files {
				if !strings.HasPrefix(f.Name, "want.") {
					files[f.Name] = unescape(string(f.Data))
				}
			}
			got := render(t, files, archive.Comment)
			for i, f := range archive.Files {
				if !strings.HasPrefix(f.Name, "want.") {
					continue
				}
				if *update {
					archive.Files[i].Data = []byte(got[f.Name])
					continue
				}
				diff(t, got[f.Name], string(f.Data))
			}
			if *update {
				if err := os.WriteFile(path, txtar.Format(archive), 0o644); err != nil {
					t.Fatal(err)
				}
			}
		})
	}
}

// unescape lets archives hold carriage returns and tabs visibly.
func unescape(text string) string {
	return strings.NewReplacer("<CR>\n", "\r\n", "<TAB>", "\t").Replace(text)
}
