package main

import (
	"bytes"
	"context"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"time"
)

// sampleEvery is how often a running process is asked for its memory. A peak
// that is shorter can be missed.
const sampleEvery = 2 * time.Millisecond

// cost is what one process took from start to end.
type cost struct {
	wall time.Duration
	cpu  time.Duration // user and system, all threads
	anon int64         // bytes of anonymous memory at the peak; 0 when the system doesn't tell
	rss  int64         // bytes resident at the peak, mapped files included; likewise
}

// start runs a program to its end, watching it, and returns what it printed.
func start(ctx context.Context, timeout time.Duration, program string, args ...string) (cost, string, error) {
	ctx, cancel := context.WithTimeout(ctx, timeout)
	defer cancel()
	var out, errOut bytes.Buffer
	cmd := exec.CommandContext(ctx, program, args...)
	cmd.Stdout, cmd.Stderr = &out, &errOut
	began := time.Now()
	if err := cmd.Start(); err != nil {
		return cost{}, "", err
	}
	done := make(chan struct{})
	peak := make(chan int64)
	go func() { peak <- watch(cmd.Process.Pid, done) }()
	err := cmd.Wait()
	c := cost{wall: time.Since(began)}
	close(done)
	c.anon = <-peak
	if ctx.Err() == context.DeadlineExceeded {
		return c, "", fmt.Errorf("%s: took longer than %v", filepath.Base(program), timeout)
	}
	if err != nil {
		return c, "", fmt.Errorf("%s %s: %w\n%s", filepath.Base(program), strings.Join(args, " "), err, errOut.Bytes())
	}
	c.cpu = cmd.ProcessState.UserTime() + cmd.ProcessState.SystemTime()
	c.rss = maxRSS(cmd.ProcessState)
	return c, strings.TrimSpace(out.String()), nil
}

// watch samples a process's anonymous memory until done is closed and returns
// the most that it saw.
func watch(pid int, done <-chan struct{}) (peak int64) {
	tick := time.NewTicker(sampleEvery)
	defer tick.Stop()
	for {
		peak = max(peak, anonymous(pid))
		select {
		case <-done:
			return peak
		case <-tick.C:
		}
	}
}

// fastest runs a program several times and returns the costs of the fastest
// run, with the most memory of any.
func fastest(ctx context.Context, o options, program string, args ...string) (cost, string, error) {
	var best cost
	var answer string
	for i := range o.repeat {
		c, a, err := start(ctx, o.timeout, program, args...)
		if err != nil {
			return c, "", err
		}
		if i == 0 {
			best, answer = c, a
			continue
		}
		if a != answer {
			return c, "", fmt.Errorf("two runs on one file printed %q and %q", answer, a)
		}
		anon, rss := max(best.anon, c.anon), max(best.rss, c.rss)
		if c.wall < best.wall {
			best = c
		}
		best.anon, best.rss = anon, rss
	}
	return best, answer, nil
}

// readAhead reads a file once, so that every measured run finds it in the
// system's cache.
func readAhead(path string) error {
	f, err := os.Open(path)
	if err != nil {
		return err
	}
	defer f.Close()
	buf := make([]byte, 1<<20)
	for {
		if n, err := f.Read(buf); n == 0 || err != nil {
			return nil
		}
	}
}

func mb(bytes int64) float64 { return float64(bytes) / 1e6 }
