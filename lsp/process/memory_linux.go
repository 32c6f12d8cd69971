package process

import (
	"bytes"
	"os"
	"path/filepath"
	"strconv"
)

// Memory returns the resident bytes of the child and all of its group, 0 when
// that cannot be read. Pages shared between them are counted in each.
func (p *Process) Memory() int64 {
	paths, _ := filepath.Glob("/proc/[0-9]*/stat")
	var pages int64
	for _, path := range paths {
		stat, err := os.ReadFile(path)
		if err != nil {
			continue // it has ended
		}
		if group, rss := parseStat(stat); group == p.PID() {
			pages += rss
		}
	}
	return pages * int64(os.Getpagesize())
}

// parseStat reads the process group and the resident pages of a stat file. The
// command in parentheses may hold spaces and parentheses itself.
func parseStat(stat []byte) (group int, pages int64) {
	fields := bytes.Fields(stat[bytes.LastIndexByte(stat, ')')+1:])
	if len(fields) < 22 {
		return 0, 0
	}
	group, _ = strconv.Atoi(string(fields[2]))
	pages, _ = strconv.ParseInt(string(fields[21]), 10, 64)
	return group, pages
}
