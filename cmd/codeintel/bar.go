package main

import (
	"fmt"
	"time"

	"github.com/dustin/go-humanize"
	"github.com/schollz/progressbar/v3"

	"codeintel/index"
)

// barPause is how often the bar is drawn again.
const barPause = 65 * time.Millisecond

// files shows a bar of the files that are indexed: how many, how fast, how long it
// will take. Like all progress it waits until the calm is over.
func (p *progress) files(done index.Progress) {
	if !p.tty {
		return
	}
	p.mu.Lock()
	defer p.mu.Unlock()
	if p.timer == nil {
		p.timer = time.AfterFunc(calm, p.begin)
	}
	p.waiting = "" // the bar says it
	if p.bar == nil {
		p.bar = progressbar.NewOptions(done.AllFiles,
			progressbar.OptionSetWriter(p.w), progressbar.OptionSetItsString("files"), progressbar.OptionShowIts(),
			progressbar.OptionShowCount(), progressbar.OptionSetPredictTime(true), progressbar.OptionThrottle(barPause),
			progressbar.OptionClearOnFinish(), progressbar.OptionSetVisibility(false), progressbar.OptionFullWidth(),
		)
	}
	if p.live {
		p.erase()
		progressbar.OptionSetVisibility(true)(p.bar)
	}
	p.bar.Describe(fmt.Sprintf("codeintel: indexing, %s symbols", humanize.Comma(int64(done.Symbols))))
	// An error would be one of writing to stderr: nobody to tell.
	_ = p.bar.Set(done.Files)
	if done.Files == done.AllFiles {
		p.bar = nil
	}
}
