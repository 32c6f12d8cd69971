package refs_test

import (
	"bytes"
	"fmt"
	"io"
	"os"
	"os/exec"
	"testing"
)

// The test binary is also a stand-in server: run with proxyFor set it is the
// real server, except that it dies when a message holds the text of proxyDeath.
const (
	proxyFor   = "CODEINTEL_TEST_PROXY_FOR"
	proxyDeath = "CODEINTEL_TEST_PROXY_DEATH"
)

func TestMain(m *testing.M) {
	if real := os.Getenv(proxyFor); real != "" {
		os.Exit(proxy(real, os.Getenv(proxyDeath)))
	}
	os.Exit(m.Run())
}

func proxy(real, death string) int {
	cmd := exec.Command(real, os.Args[1:]...)
	cmd.Stdout, cmd.Stderr = os.Stdout, os.Stderr
	in, err := cmd.StdinPipe()
	if err != nil {
		return 1
	}
	if err := cmd.Start(); err != nil {
		return 1
	}
	buf := make([]byte, 1<<16)
	for {
		n, err := os.Stdin.Read(buf)
		if bytes.Contains(buf[:n], []byte(death)) {
			_ = cmd.Process.Kill()
			return 3
		}
		if _, werr := in.Write(buf[:n]); err != nil || werr != nil {
			break
		}
	}
	in.Close()
	if err := cmd.Wait(); err != nil && err != io.EOF {
		return 1
	}
	return 0
}

// writeProxy writes a program that stands in for a server and dies at the first
// message that holds death.
func writeProxy(t *testing.T, file, real, death string) {
	t.Helper()
	self, err := os.Executable()
	if err != nil {
		t.Fatal(err)
	}
	writeFile(t, file, fmt.Sprintf("#!/bin/sh\n%s='%s' %s='%s' exec '%s' \"$@\"\n", proxyFor, real, proxyDeath, death, self))
	if err := os.Chmod(file, 0o755); err != nil {
		t.Fatal(err)
	}
}
