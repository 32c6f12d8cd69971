//go:build !unix

package main

// stdoutClosed reports whether the process was started without a stdout; that is
// not looked for here.
func stdoutClosed() bool { return false }
