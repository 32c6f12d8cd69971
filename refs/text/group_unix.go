//go:build unix

package text

import (
	"os/exec"
	"syscall"
)

// ownGroup makes a command lead a process group of its own, and its cancellation
// kill the whole group.
func ownGroup(cmd *exec.Cmd) {
	cmd.SysProcAttr = &syscall.SysProcAttr{Setpgid: true}
	cmd.Cancel = func() error { return syscall.Kill(-cmd.Process.Pid, syscall.SIGKILL) }
}
