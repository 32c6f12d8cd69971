//go:build !unix

package process

import (
	"os"
	"os/exec"
)

func setGroup(*exec.Cmd) {}

func setOwnGroup(*exec.Cmd) {}

// killGroup kills the process alone: these systems have no process groups.
func killGroup(pid int) {
	if p, err := os.FindProcess(pid); err == nil {
		p.Kill()
	}
}

func waitAnd(cmd *exec.Cmd, kill func()) error { return cmd.Wait() }
