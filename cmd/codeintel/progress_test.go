package main

import (
	"bytes"
	"strings"
	"testing"
	"testing/synctest"
	"time"
)

func TestProgressOnATerminal(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		var out shared
		p := newProgress(&out, true)
		p.status("one")
		p.status("two")
		if out.String() != "" {
			t.Errorf("at once: %q", out.String())
		}
		<-time.After(calm)
		synctest.Wait()
		p.status(strings.Repeat("x", 100))
		p.server("gopls: installing v0.23.0")
		p.clear()
		p.clear()
		want := "\r\x1b[Kcodeintel: two" +
			"\r\x1b[Kcodeintel: " + strings.Repeat("x", 67) + "…" +
			"\r\x1b[Kcodeintel: gopls: installing v0.23.0\n"
		if out.String() != want {
			t.Errorf("shown %q, want %q", out.String(), want)
		}
	})
}

func TestProgressThatEndsSoonShowsNothing(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		var out shared
		p := newProgress(&out, true)
		p.status("one")
		p.clear()
		<-time.After(2 * calm)
		synctest.Wait()
		if out.String() != "" {
			t.Errorf("shown %q", out.String())
		}
	})
}

// TestLongWaitElsewhere waits where stderr is no terminal.
func TestLongWaitElsewhere(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		var out shared
		p := newProgress(&out, false)
		p.status("reading /w")
		<-time.After(9 * time.Second)
		p.status("gopls: loading")
		<-time.After(30 * time.Second)
		synctest.Wait()
		p.clear()
		<-time.After(time.Hour)
		synctest.Wait()
		p.status("again")
		<-time.After(11 * time.Second)
		synctest.Wait()
		p.clear()
		if want := "codeintel: gopls: loading (10s)\ncodeintel: gopls: loading (30s)\ncodeintel: again (10s)\n"; out.String() != want {
			t.Errorf("written %q, want %q", out.String(), want)
		}
	})
}

func TestProgressElsewhere(t *testing.T) {
	var out bytes.Buffer
	p := newProgress(&out, false)
	p.status("one")
	p.server("gopls: loading")
	p.server("gopls: installing v0.23.0")
	p.clear()
	if want := "codeintel: gopls: installing v0.23.0\n"; out.String() != want {
		t.Errorf("written %q, want %q", out.String(), want)
	}
}
