//go:build unix

package symbols_test

import (
	"syscall"
	"time"
)

// cpuTime returns the processor time that the test has used so far on all threads:
// on a machine that does other work, too, clocks say little.
func cpuTime() time.Duration {
	var use syscall.Rusage
	if err := syscall.Getrusage(syscall.RUSAGE_SELF, &use); err != nil {
		return 0
	}
	return time.Duration(use.Utime.Nano() + use.Stime.Nano())
}
