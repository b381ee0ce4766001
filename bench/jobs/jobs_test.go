package main

import (
	"context"
	"os"
	"path/filepath"
	"runtime"
	"strings"
	"testing"
	"time"

	"github.com/weft-trace/weft/bench/gen"
)

// TestMain lets the test's own program play a program that is measured.
func TestMain(m *testing.M) {
	switch os.Getenv("WEFT_JOBS_CHILD") {
	case "":
		os.Exit(m.Run())
	case "allocate":
		block := make([]byte, 64<<20)
		for i := range block {
			block[i] = 1
		}
		time.Sleep(50 * time.Millisecond)
		runtime.KeepAlive(block)
		os.Stdout.WriteString("done\n")
	case "hang":
		time.Sleep(time.Hour)
	}
	os.Exit(0)
}

func TestStartMeasuresMemory(t *testing.T) {
	t.Setenv("WEFT_JOBS_CHILD", "allocate")
	c, out, err := start(context.Background(), time.Minute, os.Args[0])
	if err != nil {
		t.Fatal(err)
	}
	if out != "done" {
		t.Errorf("printed %q, want done", out)
	}
	if c.wall < 50*time.Millisecond {
		t.Errorf("wall time %v, want at least the 50 ms that it slept", c.wall)
	}
	if runtime.GOOS != "linux" {
		t.Skip("memory is only measured on Linux")
	}
	// The race detector's own memory is several times the program's.
	if c.anon < 64<<20 || c.anon > 400<<20 || c.rss < c.anon {
		t.Errorf("anonymous memory %d, resident %d; want a little over 64 MiB, and no less resident", c.anon, c.rss)
	}
}

func TestStartStopsAtTheTimeout(t *testing.T) {
	t.Setenv("WEFT_JOBS_CHILD", "hang")
	if _, _, err := start(context.Background(), 100*time.Millisecond, os.Args[0]); err == nil || !strings.Contains(err.Error(), "took longer") {
		t.Errorf("error %v, want one about the time", err)
	}
}

func TestGenerateKeepsFiles(t *testing.T) {
	dir := t.TempDir()
	in, err := generate(dir, gen.Spec{Kind: "x", N: 10, Seed: 1})
	if err != nil {
		t.Fatal(err)
	}
	if err := os.WriteFile(in.path, []byte("kept"), 0o644); err != nil {
		t.Fatal(err)
	}
	if in, err = generate(dir, in.Spec); err != nil || in.size != 4 {
		t.Errorf("a second time: size %d, %v; want the file of before", in.size, err)
	}
	if _, err := generate(dir, gen.Spec{Kind: "nothing"}); err == nil {
		t.Error("no error for a kind that isn't")
	}
	if left, _ := filepath.Glob(filepath.Join(dir, "*.part")); len(left) > 0 {
		t.Errorf("left behind: %v", left)
	}
}

func TestSameAnswer(t *testing.T) {
	const yardstick = "3,10.500"
	if err := sameAnswer(yardstick, "count_star(),sum(dur),max(depth)\n3,10500,2"); err != nil {
		t.Error(err)
	}
	for _, weft := range []string{"", "n\n3,10500", "n\n4,10500,2", "n\n3,10501,2", "n\nx,y,z"} {
		if sameAnswer(yardstick, weft) == nil {
			t.Errorf("%q passes for the answer %q", weft, yardstick)
		}
	}
}

func TestMedian(t *testing.T) {
	for want, v := range map[float64][]float64{5: {5}, 2: {3, 1, 2}, 2.5: {4, 1, 2, 3}} {
		if got := median(v); got != want {
			t.Errorf("median(%v) = %v, want %v", v, got, want)
		}
	}
}

// TestShapesExist fails when a shape is renamed in the generator, or a new one
// isn't measured.
func TestShapesExist(t *testing.T) {
	measured := map[string]bool{"x": true}
	for _, s := range shapes {
		measured[s.kind] = true
	}
	for _, k := range gen.Kinds() {
		if !measured[k.Name] {
			t.Errorf("shape %s is not measured", k.Name)
		}
		delete(measured, k.Name)
	}
	for kind := range measured {
		t.Errorf("no shape %s in the generator", kind)
	}
}
