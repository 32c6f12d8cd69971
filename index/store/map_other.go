//go:build !unix

package store

import "os"

// mapFile reads the file: this system has no mapping that an open file could be
// renamed over.
func mapFile(name string) (data []byte, unmap func(), err error) {
	data, err = os.ReadFile(name)
	return data, func() {}, err
}
