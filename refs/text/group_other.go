//go:build !unix

package text

import "os/exec"

// ownGroup does nothing: cancellation kills the command alone, and rg has no
// children.
func ownGroup(*exec.Cmd) {}
