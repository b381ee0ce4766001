package main

import (
	"context"
	"fmt"
	"time"

	"github.com/weft-trace/weft/bench/gen"
)

// measureScale runs the yardstick's job on files of growing size. Linear means
// that the last two columns stay what they are.
func measureScale(ctx context.Context, o options) error {
	fmt.Println("    events       MB      s     MB/s   anon MB   anon/file   bytes/slice   ns/event")
	for _, n := range []int{100_000, 300_000, 1_000_000, 3_000_000, 10_000_000} {
		if n > o.max {
			break
		}
		in, err := generate(o.dir, gen.Spec{Kind: "x", N: n, Seed: o.seed})
		if err != nil {
			return err
		}
		if err := readAhead(in.path); err != nil {
			return err
		}
		c, _, err := fastest(ctx, o, o.weft, query(in.path, sliceQuery)...)
		if err != nil {
			return err
		}
		fmt.Printf("%10d %8.1f %6.3f %8.1f %9.1f %11.2f %13.1f %10.1f\n", n, mb(in.size), c.wall.Seconds(), mb(in.size)/c.wall.Seconds(),
			mb(c.anon), float64(c.anon)/float64(in.size), float64(c.anon)/float64(n), float64(c.wall.Nanoseconds())/float64(n))
	}
	return nil
}

// shape is an adversarial shape with the smaller of its two sizes and a query
// that touches what the shape is about.
type shape struct {
	kind string
	n    int
	sql  string
}

var shapes = []shape{
	{"open", 100_000, sliceQuery},
	{"onethreadBE", 100_000, sliceQuery},
	{"tracks", 100_000, "select count(*), count(distinct track_id) from slice"},
	{"flowid", 100_000, "select count(*) from flow"},
	{"longstring", 10_000_000, "select count(*), max(length(string_value)) from args"},
	{"deepargs", 10_000, "select count(*), max(length(key)) from args"},
	{"uniquenames", 100_000, "select count(distinct name) from slice"},
	{"overlap", 100_000, sliceQuery},
	{"equalts", 100_000, sliceQuery},
	{"mix", 100_000, sliceQuery},
}

// measureShapes runs a query on each shape at N and at 10 N. What an empty
// file takes is subtracted; linear is a factor of about 10, quadratic of 100.
func measureShapes(ctx context.Context, o options) error {
	empty, err := generate(o.dir, gen.Spec{Kind: "x", N: 0, Seed: o.seed})
	if err != nil {
		return err
	}
	base, _, err := fastest(ctx, o, o.weft, query(empty.path, sliceQuery)...)
	if err != nil {
		return err
	}
	fmt.Printf("an empty file: %.3f s, %.1f MB anonymous; both subtracted below\n\n", base.wall.Seconds(), mb(base.anon))
	fmt.Println("shape                N      s at N   s at 10N  factor    MB at N  MB at 10N  factor   answer at 10N")
	for _, s := range shapes {
		var costs [2]cost
		var answer string
		for i, n := range []int{s.n, 10 * s.n} {
			in, err := generate(o.dir, gen.Spec{Kind: s.kind, N: n, Seed: o.seed})
			if err != nil {
				return err
			}
			if err := readAhead(in.path); err != nil {
				return err
			}
			costs[i], answer, err = fastest(ctx, o, o.weft, query(in.path, s.sql)...)
			if err != nil {
				return fmt.Errorf("%s: %w", in.Spec, err)
			}
		}
		t0, t1 := above(costs[0].wall, base.wall), above(costs[1].wall, base.wall)
		m0, m1 := above(costs[0].anon, base.anon), above(costs[1].anon, base.anon)
		fmt.Printf("%-12s %9d  %10.3f %10.3f %7.1f %10.1f %10.1f %7.1f   %s\n", s.kind, s.n,
			t0.Seconds(), t1.Seconds(), float64(t1)/float64(t0), mb(m0), mb(m1), float64(m1)/float64(m0), lastLine(answer))
	}
	return nil
}

// above is by how much v exceeds base, and at least a thousandth of that: it
// becomes a divisor, and less can't be told from nothing.
func above[T int64 | time.Duration](v, base T) T { return max(v-base, base/1000, 1) }
