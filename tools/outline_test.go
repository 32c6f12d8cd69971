package tools

import (
	"encoding/json"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/rogpeppe/go-internal/txtar"
)

// TestOutlineGolden runs each archive of testdata/outline: its comment is the
// call, want.txt the text, want.json the JSON.
func TestOutlineGolden(t *testing.T) {
	archives, err := filepath.Glob("testdata/outline/*.txtar")
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
					files[f.Name] = string(f.Data)
				}
			}
			got := outlines(t, files, archive.Comment)
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

func outlines(t *testing.T, files map[string]string, comment []byte) map[string]string {
	t.Helper()
	var p OutlineParams
	if err := json.Unmarshal(comment, &p); err != nil {
		t.Fatalf("the comment is no call: %v", err)
	}
	a, err := New(workspace(t, files), &words{}, Options{}).Outline(t.Context(), p)
	if err != nil {
		t.Fatal(err)
	}
	content, err := json.MarshalIndent(a.JSON(), "", "  ")
	if err != nil {
		t.Fatal(err)
	}
	return map[string]string{"want.txt": a.Text(), "want.json": string(content) + "\n"}
}

func TestOutlineErrors(t *testing.T) {
	ws := workspace(t, map[string]string{"a.ts": "", "n.txt": "x\n", ".rooignore": "secret/\n", "secret/s.ts": "export const k = 1\n"})
	e := New(ws, &words{}, Options{})
	for path, want := range map[string]Code{
		"": MissingParam, "absent": NotFound, "n.txt": NoLanguageService, "/etc": OutsideWorkspace, "secret/s.ts": AccessDenied,
	} {
		_, err := e.Outline(t.Context(), OutlineParams{Path: path})
		if err == nil {
			t.Errorf("%q: no error", path)
			continue
		}
		code(t, err, want)
	}
	a, err := e.Outline(t.Context(), OutlineParams{Path: "."})
	if err != nil || a.Total() != 0 || a.Text() != "No symbols found in .\n" {
		t.Errorf("the folder shows %+v, %v", a, err)
	}
}
