package index_test

import (
	"context"
	"fmt"
	"os"
	"path/filepath"
	"testing"

	"codeintel/index"
)

// benchTree makes a tree of 20,000 files in 1,000 folders, a quarter of it ignored.
func benchTree(b *testing.B) string {
	b.Helper()
	root := newRoot(b)
	check(b, os.Mkdir(filepath.Join(root, ".git"), 0o755))
	for i := range 1000 {
		dir := fmt.Sprintf("p%d/q%d/r%d", i%10, i%100, i)
		for j := range 20 {
			ext := []string{"go", "ts", "md", "log"}[j%4]
			write(b, root, fmt.Sprintf("%s/file%d.%s", dir, j, ext), "package x\n")
		}
	}
	rules := "node_modules/\ndist\n*.log\n!keep.log\n.DS_Store\n/tmp/\n**/gen/*.go\n*.py[cod]\n"
	for i := range 40 {
		rules += fmt.Sprintf("name%d\n*.ext%d\n", i, i)
	}
	write(b, root, ".gitignore", rules)
	return root
}

func BenchmarkOpen(b *testing.B) {
	root := benchTree(b)
	for b.Loop() {
		w, err := index.Open(context.Background(), root, index.Options{})
		check(b, err)
		w.Close()
	}
}

func BenchmarkRefreshUnchanged(b *testing.B) {
	w := open(b, benchTree(b))
	for b.Loop() {
		check(b, w.Refresh(context.Background()))
	}
}

func BenchmarkRefreshOneEdit(b *testing.B) {
	root := benchTree(b)
	w := open(b, root)
	i := 0
	for b.Loop() {
		i++
		write(b, root, "p0/q0/r0/file0.go", fmt.Sprint(i))
		check(b, w.Refresh(context.Background()))
	}
}

func BenchmarkApply(b *testing.B) {
	w := open(b, benchTree(b))
	i := 0
	for b.Loop() {
		i++
		w.Apply(index.Change{Path: "p0/q0/r0/file0.go", Text: fmt.Appendf(nil, "%d", i)})
	}
}
