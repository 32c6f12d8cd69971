//go:build unix && !linux

package process

import (
	"os/exec"
	"syscall"
)

func setGroup(cmd *exec.Cmd) { setOwnGroup(cmd) }

// setOwnGroup makes the child lead a group of its own and outlive this process.
func setOwnGroup(cmd *exec.Cmd) {
	cmd.SysProcAttr = &syscall.SysProcAttr{Setpgid: true}
}

func killGroup(pid int) { syscall.Kill(-pid, syscall.SIGKILL) }

// waitAnd reaps the child and calls kill at once: waiting without reaping is not
// to be had from the standard library here.
func waitAnd(cmd *exec.Cmd, kill func()) error {
	err := cmd.Wait()
	kill()
	return err
}
