package index_test

import (
	"context"
	"fmt"
	"math/rand"
	"os"
	"os/exec"
	"os/signal"
	"path/filepath"
	"strings"
	"syscall"
	"testing"
	"time"

	"codeintel/index"
)

// childEnv names what a process of these tests does, the root and the cache.
const childEnv = "CODEINTEL_TEST_INDEX"

func TestMain(m *testing.M) {
	what, folders, ok := strings.Cut(os.Getenv(childEnv), "\n")
	if !ok {
		os.Exit(m.Run())
	}
	root, cache, _ := strings.Cut(folders, "\n")
	run := indexForEver
	if what == "full" {
		run = indexOnFullDisk
	}
	if err := run(root, cache); err != nil {
		fmt.Println(err)
		os.Exit(1)
	}
}

func child(what, root, cache string) *exec.Cmd {
	cmd := exec.Command(os.Args[0])
	cmd.Env = append(os.Environ(), childEnv+"="+what+"\n"+root+"\n"+cache)
	return cmd
}

// indexForEver changes files and indexes them until it is killed.
func indexForEver(root, cache string) error {
	ctx := context.Background()
	r := rand.New(rand.NewSource(time.Now().UnixNano()))
	for i := 0; ; i++ {
		w, err := index.Open(ctx, root, index.Options{Cache: cache})
		if err != nil {
			return err
		}
		for range 5 {
			name := filepath.Join(root, fmt.Sprintf("k%d.go", r.Intn(30)))
			if err := os.WriteFile(name, fmt.Appendf(nil, "package p\n\nfunc K%d() { k%d() }\n", r.Intn(50), i), 0o644); err != nil {
				return err
			}
			if _, err = w.Index(ctx, index.IndexOptions{Wait: true}); err != nil {
				return err
			}
		}
		w.Close()
	}
}

// TestIndexKilled kills a process that builds, updates and compacts an index at
// random moments. The next one answers as if there had been none before.
func TestIndexKilled(t *testing.T) {
	rounds := 200
	if testing.Short() {
		rounds = 20
	}
	root, cache := newRoot(t), t.TempDir()
	module(t, root, 20)
	r := rand.New(rand.NewSource(1))
	for round := range rounds {
		if round%40 == 39 { // a build from the start
			check(t, os.RemoveAll(cache))
		}
		cmd := child("for ever", root, cache)
		check(t, cmd.Start())
		time.AfterFunc(time.Duration(r.Intn(60))*time.Millisecond, func() { _ = cmd.Process.Kill() })
		if err := cmd.Wait(); err == nil {
			t.Fatal("the child ended by itself")
		}
		w := openStored(t, root, cache)
		checkIndexed(t, w)
		if round%10 == 9 {
			build(t, w)
			checkIndexed(t, w)
			checkIndexed(t, openStored(t, root, cache))
		}
		if t.Failed() {
			t.Fatalf("after round %d", round)
		}
	}
}

// indexOnFullDisk indexes with a limit on the size of files, as a full disk has,
// and expects an error that says so.
func indexOnFullDisk(root, cache string) error {
	ctx := context.Background()
	signal.Ignore(syscall.SIGXFSZ)
	w, err := index.Open(ctx, root, index.Options{Cache: cache})
	if err != nil {
		return err
	}
	defer w.Close()
	if err := syscall.Setrlimit(syscall.RLIMIT_FSIZE, &syscall.Rlimit{Cur: 2000, Max: 2000}); err != nil {
		return err
	}
	_, err = w.Index(ctx, index.IndexOptions{})
	if err == nil || !strings.Contains(err.Error(), "file too large") || !strings.Contains(err.Error(), "storing the index") {
		return fmt.Errorf("indexing on a full disk: %v", err)
	}
	s := w.Snapshot()
	defer s.Release()
	if all, err := s.Mentions(ctx, "more7"); err != nil || len(all) != 1 {
		return fmt.Errorf("mentions after that: %q, %v", all, err)
	}
	return nil
}

// TestIndexFull fills the disk during an update: the old index stays.
func TestIndexFull(t *testing.T) {
	root, cache := newRoot(t), t.TempDir()
	module(t, root, 50)
	w := openStored(t, root, cache)
	settle(t, w)
	build(t, w)
	before := append(files(t, cache, ".view"), files(t, cache, ".segment")...)
	for i := range 40 {
		write(t, root, fmt.Sprintf("more%d.go", i), fmt.Sprintf("package p\n\nfunc More%d() { more%d() }\n", i, i))
	}
	if out, err := child("full", root, cache).CombinedOutput(); err != nil {
		t.Fatalf("%v\n%s", err, out)
	}
	after := append(files(t, cache, ".view"), files(t, cache, ".segment")...)
	if fmt.Sprint(after) != fmt.Sprint(before) {
		t.Errorf("files %q, were %q", after, before)
	}
	again := openStored(t, root, cache)
	checkIndexed(t, again)
	s := again.Snapshot()
	defer s.Release()
	if n := s.Unindexed(); n != 40 {
		t.Errorf("%d files to parse, want the 40 that were not stored", n)
	}
}
