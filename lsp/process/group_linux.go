package process

import (
	"os/exec"
	"syscall"

	"golang.org/x/sys/unix"
)

// setGroup makes the child lead a group of its own and die with the thread that
// starts it.
func setGroup(cmd *exec.Cmd) {
	cmd.SysProcAttr = &syscall.SysProcAttr{Setpgid: true, Pdeathsig: syscall.SIGKILL}
}

// setOwnGroup makes the child lead a group of its own and outlive this process.
func setOwnGroup(cmd *exec.Cmd) {
	cmd.SysProcAttr = &syscall.SysProcAttr{Setpgid: true}
}

func killGroup(pid int) { syscall.Kill(-pid, syscall.SIGKILL) }

// waitAnd waits for the child's exit, calls kill and reaps the child. While the
// child is not reaped its number, and so its group's, cannot be reused.
func waitAnd(cmd *exec.Cmd, kill func()) error {
	for unix.Waitid(unix.P_PID, cmd.Process.Pid, nil, unix.WEXITED|unix.WNOWAIT, nil) == unix.EINTR {
	}
	kill()
	return cmd.Wait()
}
