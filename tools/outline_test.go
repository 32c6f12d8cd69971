package tools

import (
	"encoding/json"
	"testing"
)

// TestOutlineGolden runs each archive of testdata/outline: its comment is the
// call, want.txt the text, want.json the JSON.
func TestOutlineGolden(t *testing.T) { goldens(t, "outline", outlines) }

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
