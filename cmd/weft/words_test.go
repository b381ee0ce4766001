package main

import (
	"math"
	"strings"
	"testing"
	"time"

	"github.com/weft-trace/weft/load"
)

func TestThousands(t *testing.T) {
	for n, want := range map[int64]string{0: "0", 999: "999", 1000: "1,000", -1234567: "-1,234,567", 100: "100"} {
		if got := thousands(n); got != want {
			t.Errorf("%d: %q, want %q", n, got, want)
		}
	}
}

func TestSpan(t *testing.T) {
	for _, c := range []struct {
		start, end int64
		want       string
	}{{-5000, 5000, "10 µs"}, {-5000, math.MaxInt64, "2562047 h 47 min"}, {math.MinInt64, math.MaxInt64, "5124095 h 34 min"}} {
		if got := span(c.start, c.end); got != c.want {
			t.Errorf("%d to %d: %q, want %q", c.start, c.end, got, c.want)
		}
	}
}

func TestSize(t *testing.T) {
	for n, want := range map[int64]string{0: "0 B", 999: "999 B", 1000: "1.0 kB", 99_949: "99.9 kB", 123_456: "123 kB", 999_999: "1.0 MB", 5_000_000_000_000: "5.0 TB"} {
		if got := size(n); got != want {
			t.Errorf("%d: %q, want %q", n, got, want)
		}
	}
}

func TestPrintable(t *testing.T) {
	for s, want := range map[string]string{"plain": "plain", `"q"`: `"q"`, "a\nb\x1b[31m": `a\nb\u001b[31m`, "日本": "日本", "\xff": "\uFFFD"} {
		if got := printable(s); got != want {
			t.Errorf("%q: %q, want %q", s, got, want)
		}
	}
}

// A character that is written in two parts is one.
func TestHarmless(t *testing.T) {
	const text = "a\tb\r\n\x1b[31m \u009b日本\U000E0001\u202e\n"
	for cut := range len(text) {
		var b strings.Builder
		h := &harmless{w: &b}
		h.Write([]byte(text[:cut]))
		h.Write([]byte(text[cut:]))
		if want := "a\tb\\r\n\\u001b[31m \\u009b日本\\U000e0001\\u202e\n"; b.String() != want {
			t.Errorf("cut at %d: %q, want %q", cut, b.String(), want)
		}
	}
}

func TestProgressLine(t *testing.T) {
	for _, c := range []struct {
		at   load.Progress
		want string
	}{
		{load.Progress{Done: 100e6, Total: 400e6, Stage: "decode"}, "decode  25%  100 MB of 400 MB  50.0 MB/s  6s left"},
		{load.Progress{Done: 100e6, Stage: "decode"}, "decode  100 MB  50.0 MB/s"},
		{load.Progress{Stage: "nest"}, "nest  0 B"},
	} {
		if got := progressLine(c.at, 2*time.Second); got != c.want {
			t.Errorf("got %q, want %q", got, c.want)
		}
	}
}

func TestHistory(t *testing.T) {
	t.Setenv("XDG_STATE_HOME", t.TempDir())
	h := openHistory()
	for _, line := range []string{"SELECT 1;", "SELECT 1;", " ", "SELECT\n2;\n"} {
		h.Add(line)
	}
	h.close()
	h = openHistory()
	defer h.close()
	if h.Len() != 2 || h.At(0) != "SELECT 2;" || h.At(1) != "SELECT 1;" {
		t.Errorf("history %q", h.lines)
	}
}
