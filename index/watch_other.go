//go:build !linux

package index

// watchable is false: the order of events, on which the watcher relies, is known
// for Linux only.
func watchable(string) bool { return false }
