package process

import "testing"

func TestParseStat(t *testing.T) {
	stat := "12 (a) (b c) S 1 77 77 0 -1 4194560 1 2 3 4 5 6 7 8 20 0 1 0 100 1000 42 18446744073709551615 1"
	if group, pages := parseStat([]byte(stat)); group != 77 || pages != 42 {
		t.Errorf("got group %d, %d pages", group, pages)
	}
	if group, pages := parseStat([]byte("garbage")); group != 0 || pages != 0 {
		t.Errorf("garbage: got group %d, %d pages", group, pages)
	}
}

func TestMemoryCountsTheGroup(t *testing.T) {
	p := start(t, family, nil)
	pids(t, p.Stdout, 2)
	if p.Memory() <= 0 {
		t.Error("no memory")
	}
}
