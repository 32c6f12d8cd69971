package store

import (
	"crypto/sha256"
	"os"
	"path/filepath"

	"codeintel/symbols"
)

const keySize = 16

// Key is what an outline was made from: a hash of the language and the text.
type Key [keySize]byte

// KeyOf returns the key of a text: the first half of its SHA-256, which is more
// than chance needs and halves the tables.
func KeyOf(l symbols.Language, text []byte) Key {
	h := sha256.New()
	h.Write([]byte(l))
	h.Write([]byte{0})
	h.Write(text)
	var sum [sha256.Size]byte
	return Key(h.Sum(sum[:0])[:keySize])
}

// temporary is the pattern of names of files that are being written.
const temporary = "new-*.tmp"

func dirOf(name string) string { return filepath.Dir(name) }

func baseOf(name string) string { return filepath.Base(name) }

// removeAll removes files. What cannot be removed stays, and costs only space.
func removeAll(names []string) {
	for _, name := range names {
		_ = os.Remove(name)
	}
}
