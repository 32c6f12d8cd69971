package index_test

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"io/fs"
	"math/rand"
	"os"
	"path/filepath"
	"runtime"
	"strings"
	"syscall"
	"testing"
	"time"

	"codeintel/index"
	"codeintel/symbols/syntax"
)

// sound are files of whom nothing may be different because of what else is there.
func sound() map[string]string {
	return map[string]string{
		"sound/a.go":  "package sound\n\nfunc Sound() { Sound() }\n",
		"sound/b.ts":  "export class Sound { ring(): void {} }\n",
		"sound/c.py":  "class Sound:\n    def ring(self): pass\n",
		"sound/d.js":  "export const sound = () => sound();\n",
		"sound/e.tsx": "export const Sound = () => <a>{1}</a>;\n",
	}
}

// mostTime is the CPU time that one file may take: several times what the worst
// here takes, and less than where work grows with the square of the size.
const mostTime = 15 * time.Second

// within fails the test when f takes too long: by CPU time, since the machine may
// have other work, or by not ending at all.
func within(t *testing.T, what string, f func()) {
	t.Helper()
	start := usedTime(t)
	done := make(chan struct{})
	go func() {
		defer close(done)
		f()
	}()
	select {
	case <-done:
	case <-time.After(5 * time.Minute):
		t.Fatalf("%s: no answer", what)
	}
	if used := usedTime(t) - start; used > mostTime {
		t.Errorf("%s: took %v of CPU time", what, used)
	}
}

// usedTime returns the CPU time of this process.
func usedTime(t *testing.T) time.Duration {
	t.Helper()
	var u syscall.Rusage
	check(t, syscall.Getrusage(syscall.RUSAGE_SELF, &u))
	return time.Duration(u.Utime.Nano() + u.Stime.Nano())
}

// soundOutlines returns what is seen in the sound files.
func soundOutlines(t *testing.T, s *index.Snapshot) string {
	t.Helper()
	var out strings.Builder
	for _, name := range []string{"sound/a.go", "sound/b.ts", "sound/c.py", "sound/d.js", "sound/e.tsx"} {
		o, err := s.Outline(name)
		check(t, err)
		fmt.Fprintf(&out, "%s %d errors %v\n", name, len(o.Errors()), o.Symbols())
	}
	return out.String()
}

// beside opens a workspace of sound files, and of hostile ones that others come
// after in the list of files.
func beside(t *testing.T, hostile map[string]string) *index.Snapshot {
	t.Helper()
	root := newRoot(t)
	for name, text := range sound() {
		write(t, root, name, text)
	}
	alone := open(t, root).Snapshot()
	defer alone.Release()
	want := soundOutlines(t, alone)
	for name, text := range hostile {
		write(t, root, name, text)
	}
	s := open(t, root).Snapshot()
	t.Cleanup(func() {
		if got := soundOutlines(t, s); got != want {
			t.Errorf("outlines of the sound files:\n%s\nwithout the hostile ones:\n%s", got, want)
		}
		s.Release()
	})
	return s
}

// TestHostileNesting nests a hundred thousand brackets, closed and not, between
// two definitions of which the first must be found whatever the brackets are.
func TestHostileNesting(t *testing.T) {
	const deep = 100_000
	before := map[string]string{
		".go": "package p\n\nfunc First() {}\n\nvar x = ", ".ts": "function First() {}\n\nconst x = ", ".py": "def First(): pass\n\nx = ",
		".js": "function First() {}\n\nconst x = ", ".tsx": "function First() {}\n\nconst x = ",
	}
	files := map[string]string{}
	for ending, start := range before {
		for i, pair := range []string{"()", "[]", "{}"} {
			files[fmt.Sprintf("closed%d%s", i, ending)] = start + strings.Repeat(pair[:1], deep) + strings.Repeat(pair[1:], deep) + "\n"
			files[fmt.Sprintf("opened%d%s", i, ending)] = start + strings.Repeat(pair[:1], deep) + "\n"
			files[fmt.Sprintf("ended%d%s", i, ending)] = start + strings.Repeat(pair[1:], deep) + "\n"
		}
	}
	s := beside(t, files)
	for name, text := range files {
		within(t, name, func() {
			o, err := s.Outline(name)
			if err != nil {
				t.Errorf("%s: %v", name, err)
				return
			}
			// Unclosed brackets make an error of all that is around them, so there
			// may be nothing to find; but it must not be found elsewhere.
			if found := o.Lookup("First"); strings.HasPrefix(name, "closed0") && len(found) != 1 {
				t.Errorf("%s: First is found %d times", name, len(found))
			}
			for _, sym := range o.Symbols() {
				if sym.Range.Start < 0 || sym.Range.End > len(text) || sym.Range.Start > sym.Selection.Start || sym.Selection.End > sym.Range.End {
					t.Errorf("%s: %s at %v, its name at %v", name, sym.Name, sym.Range, sym.Selection)
				}
			}
		})
	}
}

// TestHostileNoise has text with which the work may grow with the square of its
// size. Parsing is given up then, and that is said; an answer would do, too.
func TestHostileNoise(t *testing.T) {
	files := map[string]string{
		"noise.ts": strings.Repeat(") a ", 50_000),
		"noise.go": "package p\n" + strings.Repeat(") a ", 50_000),
		// A hundred thousand errors on one line.
		"imports.tsx": strings.Repeat("import a;", 110_000),
	}
	s := beside(t, files)
	for name := range files {
		within(t, name, func() {
			if _, err := s.Outline(name); err != nil && !errors.Is(err, syntax.ErrTooSlow) {
				t.Errorf("%s: %v", name, err)
			}
			if _, err := s.Document(name); err != nil {
				t.Errorf("%s: %v", name, err)
			}
		})
	}
}

// TestHostileLine has one line of 50 MB, which is not read, and lines of 1 MB.
func TestHostileLine(t *testing.T) {
	const large = 50_000_000
	files := map[string]string{"large.js": strings.Repeat("a;", large/2)}
	for _, ending := range []string{".go", ".ts", ".py", ".js", ".tsx"} {
		files["long"+ending] = strings.Repeat("x = 1;", 1_000_000/6)
	}
	s := beside(t, files)
	var before, after runtime.MemStats
	runtime.ReadMemStats(&before)
	if _, err := s.Document("large.js"); !isError(err, index.ErrTooLarge) {
		t.Errorf("Document of 50 MB: error %v", err)
	}
	if _, err := s.Outline("large.js"); !isError(err, index.ErrTooLarge) {
		t.Errorf("Outline of 50 MB: error %v", err)
	}
	runtime.ReadMemStats(&after)
	if used := after.TotalAlloc - before.TotalAlloc; used > large/10 {
		t.Errorf("refusing 50 MB takes %d bytes", used)
	}
	for name, text := range files {
		if name == "large.js" {
			continue
		}
		within(t, name, func() {
			doc, err := s.Document(name)
			if err != nil || doc.LineCount() != 1 {
				t.Errorf("%s: error %v, or not one line", name, err)
				return
			}
			if p, err := doc.OffsetPoint(len(text)); err != nil || p.Column != len(text)+1 {
				t.Errorf("%s: the end is at %v, error %v", name, p, err)
			}
			if _, err := s.Outline(name); err != nil {
				t.Errorf("%s: %v", name, err)
			}
		})
	}
}

// TestHostileBytes has what is no text: with and without a NUL where binary files
// are told by it.
func TestHostileBytes(t *testing.T) {
	random := make([]byte, 100_000)
	rand.New(rand.NewSource(1)).Read(random)
	noZero := bytes.ReplaceAll(random, []byte{0}, []byte{0xff})
	files := map[string]string{}
	for _, ending := range []string{".go", ".ts", ".py", ".js", ".tsx"} {
		files["binary"+ending] = string(random)
		files["bytes"+ending] = string(noZero)
		files["late"+ending] = strings.Repeat("x = 1\n", 5000) + string(random[:5000])
		files["invalid"+ending] = strings.Repeat("\xff\xfe\x80 ", 20_000)
	}
	s := beside(t, files)
	for name, text := range files {
		within(t, name, func() {
			doc, err := s.Document(name)
			if strings.HasPrefix(name, "binary") {
				if !isError(err, index.ErrBinary) {
					t.Errorf("%s: error %v", name, err)
				}
				if _, err := s.Outline(name); !isError(err, index.ErrBinary) {
					t.Errorf("%s: outline: error %v", name, err)
				}
				return
			}
			if err != nil || string(doc.Text()) != text {
				t.Errorf("%s: error %v, or another text", name, err)
			}
			if _, err := s.Outline(name); err != nil && !errors.Is(err, syntax.ErrTooSlow) {
				t.Errorf("%s: outline: error %v", name, err)
			}
		})
	}
}

// TestHostileReplacement puts something else in a file's place after the walk has
// seen the file: the reading must say what is there, and not wait for it.
func TestHostileReplacement(t *testing.T) {
	root := beside(t, map[string]string{"fifo.go": "package a\n", "folder.go": "package a\n", "gone.go": "package a\n", "grown.go": "package a\n", "loop.go": "package a\n"}).Root()
	settle(t, open(t, root)) // what is just written is read by the walk
	s := open(t, root).Snapshot()
	defer s.Release()
	at := func(name string) string { return filepath.Join(s.Root(), name) }
	for _, name := range []string{"fifo.go", "folder.go", "gone.go", "loop.go"} {
		check(t, os.Remove(at(name)))
	}
	check(t, syscall.Mkfifo(at("fifo.go"), 0o644))
	check(t, os.Mkdir(at("folder.go"), 0o755))
	check(t, os.Symlink("loop.go", at("loop.go")))
	check(t, os.Truncate(at("grown.go"), 50_000_000))
	for name, want := range map[string]error{
		"fifo.go": index.ErrNotRegular, "folder.go": index.ErrIsDirectory, "gone.go": index.ErrNotFound,
		"grown.go": index.ErrTooLarge, "loop.go": syscall.ELOOP,
	} {
		within(t, name, func() {
			if _, err := s.Document(name); !isError(err, want) || !strings.HasPrefix(err.Error(), name+" ") {
				t.Errorf("%s: error %v, want %v and the path", name, err, want)
			}
			if _, err := s.Outline(name); !isError(err, want) {
				t.Errorf("%s: outline: error %v, want %v", name, err, want)
			}
		})
	}
}

func TestUnreadableFile(t *testing.T) {
	s := beside(t, map[string]string{"shut.go": "package a\n"})
	name := filepath.Join(s.Root(), "shut.go")
	check(t, os.Chmod(name, 0))
	defer os.Chmod(name, 0o644)
	_, err := s.Outline("shut.go")
	if _, allowed := os.ReadFile(name); allowed == nil {
		if err != nil { // root may read everything
			t.Errorf("a file that may be read: %v", err)
		}
		return
	}
	if !errors.Is(err, fs.ErrPermission) || !strings.HasPrefix(err.Error(), "shut.go cannot be read") {
		t.Errorf("error %v", err)
	}
	check(t, os.Chmod(name, 0o644))
	if _, err := s.Outline("shut.go"); err != nil {
		t.Errorf("an error of reading is kept: %v", err)
	}
}

// TestReplacedWhileRead reads a file that is being replaced by another all the
// time: what is read is one of the two, never parts of both.
func TestReplacedWhileRead(t *testing.T) {
	s := beside(t, map[string]string{"a.go": ""})
	root := s.Root()
	versions := [2][]byte{}
	for i, letter := range []string{"a", "b"} {
		versions[i] = []byte("package p\n" + strings.Repeat("var "+letter+" = 1\n", 20_000*(i+1)))
	}
	name, beside := filepath.Join(root, "a.go"), filepath.Join(t.TempDir(), "next")
	put := func(i int) error {
		if err := os.WriteFile(beside, versions[i%2], 0o644); err != nil {
			return err
		}
		return os.Rename(beside, name)
	}
	check(t, put(0))
	w := open(t, root)
	stop, ended := make(chan struct{}), make(chan error, 1)
	go func() {
		for i := 1; ; i++ {
			select {
			case <-stop:
				ended <- put(0)
				return
			default:
			}
			if err := put(i); err != nil {
				ended <- err
				return
			}
		}
	}()
	seen := map[int]int{}
	for range 150 {
		check(t, w.Refresh(context.Background()))
		now := w.Snapshot()
		doc, err := now.Document("a.go")
		switch {
		case err != nil:
			t.Errorf("a file that is always there: %v", err)
		case bytes.Equal(doc.Text(), versions[0]):
			seen[0]++
		case bytes.Equal(doc.Text(), versions[1]):
			seen[1]++
		default:
			t.Errorf("%d bytes of neither version", len(doc.Text()))
		}
		now.Release()
	}
	close(stop)
	check(t, <-ended)
	if len(seen) < 2 {
		t.Errorf("versions seen: %v", seen)
	}
	check(t, w.Refresh(context.Background()))
	last := w.Snapshot()
	defer last.Release()
	if doc, err := last.Document("a.go"); err != nil || !bytes.Equal(doc.Text(), versions[0]) {
		t.Errorf("error %v, or not the last version", err)
	}
	if o, err := last.Outline("a.go"); err != nil || len(o.Symbols()) == 0 {
		t.Errorf("no outline: %v", err)
	}
}
