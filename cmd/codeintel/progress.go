package main

import (
	"fmt"
	"io"
	"os"
	"strings"
	"sync"
	"time"

	"github.com/schollz/progressbar/v3"
	"golang.org/x/term"
)

// calm is how long nothing is shown: most answers come sooner, and a line that
// flashes up helps nobody.
const calm = 300 * time.Millisecond

// patient is how long a wait is before it is mentioned where there is no terminal,
// and then at least between two mentions; each gap is twice the one before.
const patient = 10 * time.Second

// progress shows what is being waited for on stderr. On a terminal there is one
// line that is overwritten; elsewhere what happens once and takes long (an
// installation) is written, and a few lines of a long wait.
type progress struct {
	tty bool

	mu      sync.Mutex
	w       io.Writer   // guarded by mu
	waiting string      // guarded by mu: the newest status, empty for none
	timer   *time.Timer // guarded by mu: starts showing; nil before the first status
	live    bool        // guarded by mu: the calm is over
	shown   bool        // guarded by mu: a status line is on the screen
	began   time.Time   // guarded by mu: of the wait; no terminal

	bar *progressbar.ProgressBar // guarded by mu: of the files that are indexed; nil when there is none
}

func newProgress(w io.Writer, tty bool) *progress { return &progress{w: w, tty: tty} }

const eraseLine = "\r\x1b[K"

// status overwrites the status line. Where stderr is no terminal it is kept until
// the wait is long.
func (p *progress) status(text string) {
	p.mu.Lock()
	defer p.mu.Unlock()
	p.waiting = text
	if !p.tty {
		if p.timer == nil {
			p.began = time.Now()
			p.timer = time.AfterFunc(patient, func() { p.mention(2 * patient) })
		}
		return
	}
	if p.timer == nil {
		p.timer = time.AfterFunc(calm, p.begin)
	}
	if p.live {
		p.draw()
	}
}

// begin ends the calm.
func (p *progress) begin() {
	p.mu.Lock()
	defer p.mu.Unlock()
	p.live = true
	if p.waiting != "" {
		p.draw()
	}
}

// mention writes how long the wait has been so far, and again after a gap.
func (p *progress) mention(gap time.Duration) {
	p.mu.Lock()
	defer p.mu.Unlock()
	if p.waiting == "" {
		return
	}
	fmt.Fprintf(p.w, "codeintel: %s (%v)\n", p.waiting, time.Since(p.began).Round(time.Second))
	p.timer = time.AfterFunc(gap, func() { p.mention(2 * gap) })
}

// draw shows the newest status, cut to the terminal's width.
func (p *progress) draw() {
	width := 80
	if f, ok := p.w.(*os.File); ok {
		if w, _, err := term.GetSize(int(f.Fd())); err == nil && w > 8 {
			width = w
		}
	}
	runes := []rune("codeintel: " + p.waiting)
	if len(runes) > width-1 {
		runes = append(runes[:width-2], '…')
	}
	fmt.Fprintf(p.w, "%s%s", eraseLine, string(runes))
	p.shown = true
}

// server shows what a language server is busy with. Installing one happens once
// and takes long, so that is written wherever stderr goes.
func (p *progress) server(text string) {
	if strings.Contains(strings.ToLower(text), "install") {
		p.line(text)
		return
	}
	p.status(text)
}

// line writes a line that stays.
func (p *progress) line(text string) {
	p.mu.Lock()
	defer p.mu.Unlock()
	p.erase()
	fmt.Fprintf(p.w, "codeintel: %s\n", text)
}

// clear takes the status line away.
func (p *progress) clear() {
	p.mu.Lock()
	defer p.mu.Unlock()
	p.waiting = ""
	if !p.tty && p.timer != nil {
		p.timer.Stop()
		p.timer = nil
	}
	p.erase()
	if p.bar != nil {
		_ = p.bar.Clear()
		p.bar = nil
	}
}

func (p *progress) erase() {
	if p.shown {
		io.WriteString(p.w, eraseLine)
		p.shown = false
	}
}
