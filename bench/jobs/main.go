// Command jobs measures whole jobs of the weft program: processes as a user
// starts them, from the first byte read to the last one printed.
//
//	go run ./bench/jobs              the yardstick against weft, in turn
//	go run ./bench/jobs -scale       does time grow with the number of events?
//	go run ./bench/jobs -shapes      does it for the shapes that hurt?
//
// Single timings on a shared machine are noise. What counts are ratios: of two
// programs that ran one right after the other, and of one program on two sizes.
package main

import (
	"context"
	"errors"
	"flag"
	"fmt"
	"os"
	"os/signal"
	"path/filepath"
	"time"
)

// options are what the flags say.
type options struct {
	dir     string // where generated files and built programs are kept
	weft    string // a program to measure in place of ./cmd/weft
	events  int
	max     int
	repeat  int
	seed    uint64
	timeout time.Duration
}

func main() {
	var o options
	scale := flag.Bool("scale", false, "measure the growth from 0.1 to 10 million events")
	shapes := flag.Bool("shapes", false, "measure the growth of each adversarial shape from N to 10 N")
	flag.StringVar(&o.dir, "dir", filepath.Join(os.TempDir(), "weft-bench"), "`folder` for generated files")
	flag.StringVar(&o.weft, "weft", "", "`program` to measure; built from ./cmd/weft when not given")
	flag.IntVar(&o.events, "events", 2_000_000, "slices in the yardstick's file")
	flag.IntVar(&o.max, "max", 10_000_000, "with -scale: the most events")
	flag.IntVar(&o.repeat, "n", 3, "pairs of runs; with -scale and -shapes: runs, of which the fastest counts")
	flag.Uint64Var(&o.seed, "seed", 1, "seed of the generator")
	flag.DurationVar(&o.timeout, "timeout", 5*time.Minute, "the longest that one run may take")
	flag.Parse()
	if flag.NArg() > 0 || o.repeat < 1 || *scale && *shapes {
		flag.Usage()
		os.Exit(2)
	}
	ctx, stop := signal.NotifyContext(context.Background(), os.Interrupt)
	defer stop()
	job := comparePairs
	switch {
	case *scale:
		job = measureScale
	case *shapes:
		job = measureShapes
	}
	if err := run(ctx, job, o); err != nil {
		fmt.Fprintln(os.Stderr, "jobs:", err)
		os.Exit(1)
	}
}

func run(ctx context.Context, job func(context.Context, options) error, o options) error {
	if err := os.MkdirAll(o.dir, 0o755); err != nil {
		return err
	}
	if o.weft == "" {
		weft, err := build(ctx, o.dir, "./cmd/weft")
		if err != nil {
			return err
		}
		o.weft = weft
	}
	err := job(ctx, o)
	if ctx.Err() != nil {
		return errors.New("interrupted")
	}
	return err
}
