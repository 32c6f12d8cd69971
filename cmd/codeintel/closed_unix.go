//go:build unix

package main

/*
#include <fcntl.h>

static int closed;

// Constructors run before Go's runtime, which opens /dev/null in the place of a
// standard stream that is closed: all that is written there would seem to arrive.
__attribute__((constructor)) static void look(void) { closed = fcntl(1, F_GETFD) == -1; }

static int stdout_closed(void) { return closed; }
*/
import "C"

// stdoutClosed reports whether the process was started without a stdout.
func stdoutClosed() bool { return C.stdout_closed() != 0 }
