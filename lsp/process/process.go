package process

import (
	"fmt"
	"io"
	"os"
	"os/exec"
	"runtime"
	"sync"
	"time"
)

// Command says what to run. Nothing is looked up: Path is absolute.
type Command struct {
	Path string       // executable, absolute
	Args []string     // arguments after the name
	Dir  string       // working directory; "" is the current one
	Env  []string     // environment; nil is this process's
	Line func(string) // called with each line of stderr by one goroutine; may be nil
}

// Process is a running child. Its methods are safe for concurrent use.
type Process struct {
	Stdin  io.WriteCloser // the child's standard input; the caller closes it
	Stdout io.ReadCloser  // the child's standard output; ends when the group is dead

	cmd    *exec.Cmd
	guard  *Guard
	stderr *tail
	done   chan struct{} // closed when the child is reaped and its group killed

	mu     sync.Mutex
	reaped bool  // guarded by mu; after it the group number may be another's
	err    error // written before done is closed
}

// Start runs c. The guard may be nil: then grandchildren can outlive this
// process when it is killed by SIGKILL.
func Start(c Command, g *Guard) (*Process, error) {
	pipes, err := openPipes()
	if err != nil {
		return nil, fmt.Errorf("starting %s: %w", c.Path, err)
	}
	cmd := &exec.Cmd{Path: c.Path, Args: append([]string{c.Path}, c.Args...), Dir: c.Dir, Env: c.Env,
		Stdin: pipes.inRead, Stdout: pipes.outWrite, Stderr: pipes.errWrite}
	setGroup(cmd)
	p := &Process{Stdin: pipes.inWrite, Stdout: pipes.outRead, cmd: cmd, guard: g,
		stderr: &tail{line: c.Line}, done: make(chan struct{})}
	started := make(chan error)
	go p.run(started, pipes)
	if err := <-started; err != nil {
		pipes.closeOurs()
		return nil, fmt.Errorf("starting %s: %w", c.Path, err)
	}
	return p, nil
}

// run starts the child and waits for it on one operating system thread: Linux
// sends the parent-death signal when the starting *thread* ends.
func (p *Process) run(started chan<- error, pipes *pipes) {
	runtime.LockOSThread()
	defer runtime.UnlockOSThread()
	err := p.cmd.Start()
	pipes.closeTheirs()
	if err != nil {
		started <- err
		return
	}
	p.guard.watch(p.cmd.Process.Pid)
	drained := make(chan struct{})
	go func() {
		defer close(drained)
		io.Copy(p.stderr, pipes.errRead)
		pipes.errRead.Close()
	}()
	started <- nil
	p.reap(drained)
}

// reap waits for the child's end and kills what is left of its group.
func (p *Process) reap(drained <-chan struct{}) {
	err := waitAnd(p.cmd, func() {
		p.mu.Lock()
		defer p.mu.Unlock()
		killGroup(p.cmd.Process.Pid)
		p.reaped = true
	})
	p.guard.forget(p.cmd.Process.Pid)
	// The group is dead, so stderr ends at once unless something left the
	// group and kept it open; nobody waits for that.
	select {
	case <-drained:
	case <-time.After(100 * time.Millisecond):
	}
	p.err = err
	close(p.done)
}

// PID is the child's process id, which is also its group's.
func (p *Process) PID() int { return p.cmd.Process.Pid }

// Done is closed when the child has exited and its group is dead.
func (p *Process) Done() <-chan struct{} { return p.done }

// Err is how the child ended: nil for exit status 0. Valid after Done.
func (p *Process) Err() error {
	<-p.done
	return p.err
}

// Stderr is the last part of what the child wrote to stderr, at most 4 KB.
func (p *Process) Stderr() string { return p.stderr.String() }

// Kill kills the whole group at once. Done follows.
func (p *Process) Kill() {
	p.mu.Lock()
	defer p.mu.Unlock()
	if !p.reaped {
		killGroup(p.cmd.Process.Pid)
	}
}

// pipes are the child's three standard streams.
type pipes struct {
	inRead, inWrite, outRead, outWrite, errRead, errWrite *os.File
}

func openPipes() (*pipes, error) {
	p := &pipes{}
	var err error
	for _, pair := range [][2]**os.File{{&p.inRead, &p.inWrite}, {&p.outRead, &p.outWrite}, {&p.errRead, &p.errWrite}} {
		if *pair[0], *pair[1], err = os.Pipe(); err != nil {
			p.closeTheirs()
			p.closeOurs()
			return nil, err
		}
	}
	return p, nil
}

// closeTheirs closes the ends that the child has inherited.
func (p *pipes) closeTheirs() {
	for _, f := range []*os.File{p.inRead, p.outWrite, p.errWrite} {
		f.Close() // nil is refused with an error, not a panic
	}
}

func (p *pipes) closeOurs() {
	for _, f := range []*os.File{p.inWrite, p.outRead, p.errRead} {
		f.Close()
	}
}
