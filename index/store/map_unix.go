//go:build unix

package store

import (
	"os"
	"syscall"
)

// mapFile maps a file for reading. unmap is called once, when nobody reads it any
// more. An empty file has no data.
func mapFile(name string) (data []byte, unmap func(), err error) {
	f, err := os.Open(name)
	if err != nil {
		return nil, nil, err
	}
	defer f.Close()
	info, err := f.Stat()
	if err != nil {
		return nil, nil, err
	}
	if info.Size() == 0 || !info.Mode().IsRegular() {
		return nil, func() {}, nil
	}
	data, err = syscall.Mmap(int(f.Fd()), 0, int(info.Size()), syscall.PROT_READ, syscall.MAP_SHARED)
	if err != nil {
		return nil, nil, &os.PathError{Op: "map", Path: name, Err: err}
	}
	// An error would mean that there was no such mapping.
	return data, func() { _ = syscall.Munmap(data) }, nil
}
