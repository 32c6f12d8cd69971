package refs_test

import (
	"errors"
	"os"
	"path/filepath"
	"strings"
	"syscall"
	"testing"
	"time"

	"codeintel/refs"
)

// TestPipes has pipes with the names of sources in the workspace. Where a server
// would wait for one, another tier answers at once and says why.
func TestPipes(t *testing.T) {
	tests := []struct {
		lang, symbol, pipe string
		precision          refs.Precision
	}{
		{"go", "Sum", "x.go", refs.Syntactic},
		{"go", "Sum", "deep/down/x.go", refs.Syntactic},
		{"go", "Sum", "testdata/x.go", refs.Exact},
		{"go", "Sum", "_x.go", refs.Exact},
		{"go", "Sum", "x.txt", refs.Exact},
		{"ts", "sum", "x.ts", refs.Exact},
		{"py", "total", "x.py", refs.Exact},
	}
	for _, tt := range tests {
		t.Run(tt.lang+" "+tt.pipe, func(t *testing.T) {
			root := lay(t, placesFiles[tt.lang])
			pipe := filepath.Join(root, tt.pipe)
			if err := os.MkdirAll(filepath.Dir(pipe), 0o755); err != nil {
				t.Fatal(err)
			}
			if err := syscall.Mkfifo(pipe, 0o600); err != nil {
				t.Fatal(err)
			}
			q := refs.Query{Symbol: tt.symbol, Path: "a." + tt.lang}
			r := references(t, root, refs.Options{ServerTimeout: time.Minute}, q)
			if r.Precision != tt.precision || r.Precision != refs.Exact && !strings.HasPrefix(r.Reason, tt.pipe+" is no regular file") {
				t.Errorf("%s: %q", r.Precision, r.Reason)
			}
			if tt.precision == refs.Exact {
				return
			}
			ws, f := engine(t, root, refs.Options{})
			s := ws.Snapshot()
			defer s.Release()
			q.Tier = refs.Exact
			var none *refs.NoServerError
			if _, err := f.Find(t.Context(), s, q); !errors.As(err, &none) {
				t.Errorf("tier exact: %v, want a NoServerError", err)
			}
		})
	}
}
