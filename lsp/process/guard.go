package process

import (
	"fmt"
	"os"
	"os/exec"
	"sync"
)

// guardScript reads which groups to watch and to forget. Its input ends when
// this process ends, however it ends; then it kills what it still watches. It
// ignores the signals that a terminal sends, to be there when they are over.
const guardScript = `trap '' INT HUP TERM QUIT PIPE
watched=' '
while read -r verb group; do
	case $verb in
	watch) watched="$watched$group " ;;
	forget) watched="${watched%% $group *} ${watched#* $group }" ;;
	esac
done
for group in $watched; do kill -9 "-$group"; done 2>/dev/null`

// Guard kills process groups when this process dies without having done so
// itself, be it by SIGKILL: the parent-death signal reaches children only, and
// a server's own children (tsserver, go list) work on for seconds. It is one
// small shell, started with the first child. The zero value is ready; a nil
// Guard guards nothing.
type Guard struct {
	mu    sync.Mutex
	tried bool      // guarded by mu
	input *os.File  // guarded by mu; nil when there is no shell
	shell *exec.Cmd // guarded by mu
}

// watch hands a group to the guard. Where there is no shell nothing is guarded.
func (g *Guard) watch(group int) { g.tell("watch", group) }

// forget takes a dead group from the guard.
func (g *Guard) forget(group int) { g.tell("forget", group) }

func (g *Guard) tell(verb string, group int) {
	if g == nil {
		return
	}
	g.mu.Lock()
	defer g.mu.Unlock()
	if !g.tried {
		g.tried = true
		g.start()
	}
	if g.input != nil {
		fmt.Fprintf(g.input, "%s %d\n", verb, group)
	}
}

// start starts the shell; the caller holds mu.
func (g *Guard) start() {
	read, write, err := os.Pipe()
	if err != nil {
		return
	}
	defer read.Close()
	cmd := &exec.Cmd{Path: "/bin/sh", Args: []string{"sh", "-c", guardScript}, Dir: "/", Env: []string{}, Stdin: read}
	setOwnGroup(cmd)
	if err := cmd.Start(); err != nil {
		write.Close()
		return
	}
	g.input, g.shell = write, cmd
}

// Close ends the guard, which kills what it still watches. The guard starts
// again if it is used again.
func (g *Guard) Close() {
	if g == nil {
		return
	}
	g.mu.Lock()
	defer g.mu.Unlock()
	if g.input != nil {
		g.input.Close()
		g.shell.Wait()
	}
	g.tried, g.input, g.shell = false, nil, nil
}
