package main

import (
	"context"
	"fmt"
	"math"
	"slices"
	"strconv"
	"strings"

	"github.com/weft-trace/weft/bench/gen"
)

// sliceQuery is the job that is compared with the yardstick.
const sliceQuery = "select count(*), sum(dur), max(depth) from slice"

// query is weft's arguments for one SQL statement whose answer is one row.
func query(path, sql string) []string { return []string{"query", "--format", "csv", path, sql} }

// comparePairs runs the yardstick and weft in turn and prints each pair.
func comparePairs(ctx context.Context, o options) error {
	in, err := generate(o.dir, gen.Spec{Kind: "x", N: o.events, Seed: o.seed})
	if err != nil {
		return err
	}
	yardstick, err := build(ctx, o.dir, "./bench/yardstick")
	if err != nil {
		return err
	}
	how, err := fasterYardstick(ctx, o, yardstick, in)
	if err != nil {
		return err
	}
	fmt.Printf("%s: %.1f MB, %d slices. A: encoding/json (%s) into structs. B: weft query, whole process.\n\n", in.Spec, mb(in.size), in.N, how)
	fmt.Println("pair    A s   A cpu   A anon MB |    B s   B cpu   B MB/s   B anon MB   anon/file   B rss MB |    A/B")
	var ratios, anons []float64
	for pair := range o.repeat {
		a, want, err := start(ctx, o.timeout, yardstick, "-how", how, in.path)
		if err != nil {
			return err
		}
		b, got, err := start(ctx, o.timeout, o.weft, query(in.path, sliceQuery)...)
		if err != nil {
			return err
		}
		if err := sameAnswer(want, got); err != nil {
			return err
		}
		ratio, anon := a.wall.Seconds()/b.wall.Seconds(), float64(b.anon)/float64(in.size)
		ratios, anons = append(ratios, ratio), append(anons, anon)
		fmt.Printf("%4d %6.2f  %6.2f  %10.1f | %6.3f  %6.2f  %7.1f  %10.1f  %10.2f  %9.1f | %6.2f\n", pair+1,
			a.wall.Seconds(), a.cpu.Seconds(), mb(a.anon),
			b.wall.Seconds(), b.cpu.Seconds(), mb(in.size)/b.wall.Seconds(), mb(b.anon), anon, mb(b.rss), ratio)
	}
	fmt.Printf("\nmedian: %.2f times the yardstick's speed, anonymous memory at its peak %.2f of the file's size\n", median(ratios), median(anons))
	return nil
}

// fasterYardstick is the faster of the two ways to decode a file with
// encoding/json.
func fasterYardstick(ctx context.Context, o options, yardstick string, in input) (string, error) {
	if err := readAhead(in.path); err != nil {
		return "", err
	}
	ways := []string{"decoder", "unmarshal"}
	var took [2]float64
	for i, how := range ways {
		c, _, err := start(ctx, o.timeout, yardstick, "-how", how, in.path)
		if err != nil {
			return "", err
		}
		took[i] = c.wall.Seconds()
		fmt.Printf("encoding/json, %s: %.2f s\n", how, took[i])
	}
	if took[1] < took[0] {
		return ways[1], nil
	}
	return ways[0], nil
}

// sameAnswer fails unless weft's row (count, nanoseconds, depth, below a
// header) agrees with the yardstick's (count, microseconds): a fast wrong
// answer is worth nothing.
func sameAnswer(yardstick, weft string) error {
	wantCount, wantDur, _ := strings.Cut(yardstick, ",")
	row := strings.Split(lastLine(weft), ",")
	if len(row) == 3 && row[0] == wantCount {
		want, err1 := strconv.ParseFloat(wantDur, 64)
		got, err2 := strconv.ParseFloat(row[1], 64)
		if err1 == nil && err2 == nil && math.Abs(got/1000-want) <= want*1e-9 {
			return nil
		}
	}
	return fmt.Errorf("the answers differ: the yardstick has %q slices and microseconds, weft printed %q", yardstick, weft)
}

func lastLine(s string) string { return strings.TrimSpace(s[strings.LastIndexByte(s, '\n')+1:]) }

func median(v []float64) float64 {
	v = slices.Sorted(slices.Values(v))
	n := len(v)
	return (v[(n-1)/2] + v[n/2]) / 2
}
