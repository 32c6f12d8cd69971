package main

import (
	"bytes"
	"os"
	"path/filepath"
	"strconv"
	"sync"
	"time"
)

const (
	// lookEvery is the time between two looks at the processes. A look reads a
	// small file per process of the machine, a millisecond or two in all.
	lookEvery = 25 * time.Millisecond
	// tick is the unit of CPU time in /proc, which Linux fixes for programs.
	tick = 10 * time.Millisecond
)

// watcher follows a process and all that descend from it, where there is a /proc;
// elsewhere it sees nothing. Processes that nobody waits for, and the memory of
// several at a time, are in no other account.
type watcher struct {
	top  int
	stop chan struct{}
	wait sync.WaitGroup

	mu   sync.Mutex // guards the rest
	seen map[identity]time.Duration
	peak int64
}

// identity tells processes apart whose number was used twice.
type identity struct {
	pid     int
	started string
}

// watch begins to follow a process. The caller ends it.
func watch(pid int) *watcher {
	w := &watcher{top: pid, stop: make(chan struct{}), seen: map[identity]time.Duration{}}
	w.look()
	w.wait.Go(func() {
		t := time.NewTicker(lookEvery)
		defer t.Stop()
		for {
			select {
			case <-w.stop:
				return
			case <-t.C:
				w.look()
			}
		}
	})
	return w
}

// end stops watching and returns the CPU time and the peak memory seen.
func (w *watcher) end() cost {
	close(w.stop)
	w.wait.Wait()
	w.mu.Lock()
	defer w.mu.Unlock()
	c := cost{memory: w.peak}
	for _, used := range w.seen {
		c.cpu += used
	}
	return c
}

// look takes note of what the processes use now.
func (w *watcher) look() { w.note(processes("/proc")) }

// note adds a list of all processes: to the account belong the one that is
// followed, the children of those that do, and those that once did.
func (w *watcher) note(all []process) {
	w.mu.Lock()
	defer w.mu.Unlock()
	ours := map[int]bool{w.top: true}
	for _, p := range all {
		if _, known := w.seen[p.identity]; known {
			ours[p.pid] = true
		}
	}
	for grown := true; grown; {
		grown = false
		for _, p := range all {
			if !ours[p.pid] && ours[p.parent] {
				ours[p.pid], grown = true, true
			}
		}
	}
	var resident int64
	for _, p := range all {
		if ours[p.pid] {
			w.seen[p.identity] = p.cpu
			resident += p.resident
		}
	}
	w.peak = max(w.peak, resident)
}

// process is what is read of one.
type process struct {
	identity
	parent   int
	cpu      time.Duration // of its own, children apart
	resident int64         // bytes
}

// processes lists what runs, from a folder as /proc.
func processes(proc string) []process {
	files, _ := filepath.Glob(filepath.Join(proc, "[0-9]*", "stat"))
	var out []process
	for _, file := range files {
		stat, err := os.ReadFile(file)
		if err != nil {
			continue // it has ended
		}
		if p, ok := parseProcess(stat); ok {
			out = append(out, p)
		}
	}
	return out
}

// parseProcess reads a stat file as proc(5) describes it. The command in
// parentheses may hold spaces and parentheses itself.
func parseProcess(stat []byte) (process, bool) {
	pid, _, _ := bytes.Cut(stat, []byte(" "))
	f := bytes.Fields(stat[bytes.LastIndexByte(stat, ')')+1:])
	if len(f) < 22 {
		return process{}, false
	}
	number := func(b []byte) int64 {
		n, _ := strconv.ParseInt(string(b), 10, 64)
		return n
	}
	return process{
		identity: identity{int(number(pid)), string(f[19])},
		parent:   int(number(f[1])),
		cpu:      time.Duration(number(f[11])+number(f[12])) * tick,
		resident: number(f[21]) * int64(os.Getpagesize()),
	}, true
}
