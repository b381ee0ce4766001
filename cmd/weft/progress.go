package main

import (
	"fmt"
	"os"
	"sync"
	"time"

	"golang.org/x/term"

	"github.com/weft-trace/weft/load"
)

// progressDelay is how long a load may take before it says so.
const progressDelay = 500 * time.Millisecond

// progressBar shows how far a load is, on one line of a terminal.
type progressBar struct {
	out   *os.File
	start time.Time

	mu    sync.Mutex
	last  time.Time // when the line was written; zero before
	ended bool
}

func newProgressBar(out *os.File) *progressBar { return &progressBar{out: out, start: time.Now()} }

// update may be called from any goroutine.
func (p *progressBar) update(at load.Progress) {
	p.mu.Lock()
	defer p.mu.Unlock()
	now := time.Now()
	if p.ended || now.Sub(p.start) < progressDelay || now.Sub(p.last) < 100*time.Millisecond {
		return
	}
	p.last = now
	line := progressLine(at, now.Sub(p.start))
	if width, _, err := term.GetSize(int(p.out.Fd())); err == nil && len(line) >= width && width > 1 {
		line = line[:width-1]
	}
	fmt.Fprintf(p.out, "\r\x1b[K%s", line)
}

// progressLine is "decode  45%  123 MB of 270 MB  200 MB/s  1 s left".
func progressLine(at load.Progress, took time.Duration) string {
	line := at.Stage
	rate := float64(at.Done) / took.Seconds()
	switch {
	case at.Total > 0:
		line += fmt.Sprintf("  %d%%  %s of %s", at.Done*100/at.Total, size(at.Done), size(at.Total))
	default:
		line += "  " + size(at.Done)
	}
	if rate >= 1 {
		line += fmt.Sprintf("  %s/s", size(int64(rate)))
		if left := at.Total - at.Done; at.Total > 0 && left > 0 {
			line += fmt.Sprintf("  %s left", (time.Duration(float64(left) / rate * float64(time.Second))).Round(time.Second))
		}
	}
	return line
}

// close takes the line away. It may be called on nil.
func (p *progressBar) close() {
	if p == nil {
		return
	}
	p.mu.Lock()
	defer p.mu.Unlock()
	p.ended = true
	if !p.last.IsZero() {
		fmt.Fprint(p.out, "\r\x1b[K")
	}
}

// size writes bytes for people.
func size(n int64) string {
	f := float64(n)
	for _, unit := range []string{"B", "kB", "MB", "GB"} {
		if f < 999.5 {
			if unit == "B" || f >= 99.95 {
				return fmt.Sprintf("%.0f %s", f, unit)
			}
			return fmt.Sprintf("%.1f %s", f, unit)
		}
		f /= 1000
	}
	return fmt.Sprintf("%.1f TB", f)
}

func isTerminal(f *os.File) bool { return term.IsTerminal(int(f.Fd())) }
