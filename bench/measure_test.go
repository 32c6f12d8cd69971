package main

import (
	"bytes"
	"context"
	"errors"
	"os"
	"strings"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"
)

func TestMedian(t *testing.T) {
	for _, c := range []struct {
		in   []time.Duration
		want time.Duration
	}{
		{nil, 0},
		{[]time.Duration{7}, 7},
		{[]time.Duration{9, 1}, 5},
		{[]time.Duration{9, 1, 2}, 2},
		{[]time.Duration{100, 1, 3, 2}, 2}, // (2+3)/2, whole nanoseconds
	} {
		before := append([]time.Duration(nil), c.in...)
		if got := median(c.in); got != c.want {
			t.Errorf("median of %v is %v, want %v", c.in, got, c.want)
		}
		if diff := cmp.Diff(before, c.in); diff != "" {
			t.Errorf("median changed its argument:\n%s", diff)
		}
	}
}

func TestRatio(t *testing.T) {
	for _, c := range []struct {
		a, b int64
		want string
	}{{3, 2, "1.50"}, {1, 3, "0.33"}, {0, 3, "-"}, {3, 0, "-"}, {-1, 3, "-"}} {
		if got := ratio(c.a, c.b); got != c.want {
			t.Errorf("ratio(%d, %d) is %q, want %q", c.a, c.b, got, c.want)
		}
	}
}

// TestRace checks the order of the runs, and what becomes of their figures.
func TestRace(t *testing.T) {
	var order []string
	run := func(name string, notes []string, walls ...time.Duration) contender {
		i := 0
		return contender{name, func(context.Context) (cost, string, error) {
			order = append(order, name)
			i++
			return cost{wall: walls[i-1], cpu: 2 * walls[i-1], memory: int64(walls[i-1])}, notes[i-1], nil
		}}
	}
	got, err := race(t.Context(), 3, []contender{
		run("a", []string{"1 refs", "1 refs", "1 refs"}, 5, 1, 3),
		run("b", []string{"1 refs", "2 refs", "1 refs"}, 8, 9, 7),
	})
	if err != nil {
		t.Fatal(err)
	}
	if s := strings.Join(order, ""); s != "ababab" {
		t.Errorf("runs in the order %s", s)
	}
	want := []result{{"a", "1 refs", cost{3, 6, 5}}, {"b", "1 refs or 2 refs", cost{8, 16, 9}}}
	if diff := cmp.Diff(want, got, cmp.AllowUnexported(result{}, cost{})); diff != "" {
		t.Errorf("results (-want +got):\n%s", diff)
	}
	broken := contender{"c", func(context.Context) (cost, string, error) { return cost{}, "", errors.New("broken") }}
	if _, err := race(t.Context(), 1, []contender{broken}); err == nil || err.Error() != "c: broken" {
		t.Errorf("error %v", err)
	}
	if _, err := race(t.Context(), 0, nil); err == nil {
		t.Error("no runs are a measurement")
	}
}

func TestPrintTable(t *testing.T) {
	var out bytes.Buffer
	err := printTable(&out, "cobra Name", []result{
		{"codeintel", "121 refs", cost{1500 * time.Millisecond, 3 * time.Second, 250e6}},
		{"gopls references", "120 refs", cost{3 * time.Second, 2 * time.Second, 500e6}},
		{"nothing", "", cost{}},
	})
	if err != nil {
		t.Fatal(err)
	}
	want := `cobra Name
                              wall s  cpu s  peak MB  codeintel / it:  wall  cpu   peak
  codeintel         121 refs  1.500   3.000  250
  gopls references  120 refs  3.000   2.000  500                       0.50  1.50  0.50
  nothing                     0.000   0.000  0                         -     -     -
`
	if diff := cmp.Diff(want, out.String()); diff != "" {
		t.Errorf("table (-want +got):\n%s", diff)
	}
}

func TestTimed(t *testing.T) {
	s := fakes(t, nil)
	_, err := timed(t.Context(), command{args: []string{s.codeintel, "nonsense"}})
	if err == nil || !strings.Contains(err.Error(), "fake: unknown command") {
		t.Errorf("error %v does not hold what the program said", err)
	}
	ran, err := timed(t.Context(), command{env: []string{"XDG_CACHE_HOME=" + t.TempDir()}, args: []string{s.codeintel, "index"}})
	if err != nil {
		t.Fatal(err)
	}
	if ran.cost.wall <= 0 || ran.cost.memory <= 0 {
		t.Errorf("cost %+v", ran.cost)
	}
}

func TestParseProcess(t *testing.T) {
	stat := "42 (a) b (c) S 7 42 42 0 -1 4194560 100 0 0 0 150 25 999 999 20 0 1 0 31337 1000000 300 18446744073709551615"
	p, ok := parseProcess([]byte(stat))
	want := process{identity{42, "31337"}, 7, 1750 * time.Millisecond, 300 * int64(os.Getpagesize())}
	if !ok || p != want {
		t.Errorf("process %+v, want %+v", p, want)
	}
	if _, ok := parseProcess([]byte("42 (x) S 7")); ok {
		t.Error("half a line is a process")
	}
}

// TestWatcher follows a process whose child starts a grandchild and ends: the
// grandchild, then an orphan, still belongs to it; others do not.
func TestWatcher(t *testing.T) {
	p := func(pid, parent int, started string, cpu time.Duration, resident int64) process {
		return process{identity{pid, started}, parent, cpu, resident}
	}
	w := &watcher{top: 10, stop: make(chan struct{}), seen: map[identity]time.Duration{}}
	stranger := p(5, 1, "0", 1000, 1e9)
	w.note([]process{p(12, 11, "3", 4, 400), p(10, 1, "1", 1, 100), p(11, 10, "2", 2, 200), stranger})
	w.note([]process{p(12, 1, "3", 40, 300), p(10, 1, "1", 5, 100), stranger})
	w.note([]process{p(12, 1, "99", 7777, 9999), p(10, 1, "1", 6, 100), stranger}) // another process of that number
	if got, want := w.end(), (cost{cpu: 6 + 2 + 40, memory: 700}); got != want {
		t.Errorf("cost %+v, want %+v", got, want)
	}
}

func TestWatchSelf(t *testing.T) {
	if _, err := os.Stat("/proc/self/stat"); err != nil {
		t.Skip("this system has no /proc")
	}
	w := watch(os.Getpid())
	if got := w.end(); got.memory < 1<<20 {
		t.Errorf("this test uses %d bytes", got.memory)
	}
}
