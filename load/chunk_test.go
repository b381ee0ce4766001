package load

import (
	"bytes"
	"compress/gzip"
	"context"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"testing/iotest"

	"github.com/weft-trace/weft/bench/gen"
)

// mixed is a trace with everything in it, small enough to be opened many
// times.
func mixed(t testing.TB, n int) []byte {
	t.Helper()
	var b bytes.Buffer
	if err := (gen.Spec{Kind: "mix", N: n, Seed: 7}).Write(&b); err != nil {
		t.Fatal(err)
	}
	return b.Bytes()
}

// openReader opens what comes from a reader, as from a pipe.
func openReader(t testing.TB, r io.Reader, opts Options) []string {
	t.Helper()
	in, err := unwrapStream(context.Background(), r, nil, defaultMaxSize)
	if err != nil {
		t.Fatal(err)
	}
	tr, err := openTrace(context.Background(), in, "reader", opts)
	if err != nil {
		t.Fatal(err)
	}
	defer in.Close()
	return dump(tr)
}

// TestChunksDoNotMatter opens one text cut into chunks of any size, read from
// a file, and from a pipe in pieces of any size: the trace is always the same.
func TestChunksDoNotMatter(t *testing.T) {
	inputs := map[string][]byte{"mix": mixed(t, 600)}
	broken := bytes.Clone(inputs["mix"])
	for i := 1; i < 8; i++ {
		broken[len(broken)*i/9] = '"'
	}
	inputs["broken"] = broken
	for name, text := range inputs {
		want := dump(openText(t, string(text), Options{}))
		if len(want) < 100 {
			t.Fatalf("%s: only %d rows", name, len(want))
		}
		for _, size := range []int{1, 17, 100, 1000, 1 << 16} {
			for _, parallel := range []int{1, 3} {
				opts := Options{chunkSize: size, Parallel: parallel}
				what := fmt.Sprintf("%s in chunks of %d on %d goroutines", name, size, parallel)
				sameTrace(t, what, dump(openText(t, string(text), opts)), want)
			}
		}
		sameTrace(t, name+" a byte at a time", openReader(t, iotest.OneByteReader(bytes.NewReader(text)), Options{chunkSize: 999}), want)
		sameTrace(t, name+" from a pipe", openReader(t, bytes.NewBuffer(text), Options{}), want)
		var packed bytes.Buffer
		z := gzip.NewWriter(&packed)
		z.Write(text)
		z.Close()
		sameTrace(t, name+" in gzip", openReader(t, iotest.HalfReader(&packed), Options{}), want)
	}
}

// TestCutAnywhere cuts a small trace at each of its bytes. What comes before
// the cut is there, and one problem says that something is missing.
func TestCutAnywhere(t *testing.T) {
	const whole = `{"displayTimeUnit":"ns","traceEvents":[
{"ph":"M","name":"process_name","pid":1,"args":{"name":"p"}},
{"ph":"X","name":"a","cat":"c","pid":1,"tid":2,"ts":1.5,"dur":2,"args":{"s":"x\"y","l":[1,{"k":null}]}},
{"ph":"B","name":"b","pid":1,"tid":2,"ts":5}, {"ph":"E","pid":1,"tid":2,"ts":6.25},
{"ph":"i","name":"here","pid":1,"tid":2,"ts":7,"s":"p"}
],"otherData":{"version":"1"}}`
	ends := eventEnds(whole)
	last := -1
	for cut := 1; cut < len(whole); cut++ {
		tr, err := tryText(t, whole[:cut], Options{})
		if err != nil {
			t.Fatalf("cut at %d: %v", cut, err)
		}
		var events int64
		for _, e := range tr.Events {
			events += e.Count
		}
		want := 0
		for _, end := range ends {
			if end <= cut {
				want++
			}
		}
		if int(events) != want {
			t.Fatalf("cut at %d, after %q: %d events, want %d", cut, tail(whole[:cut]), events, want)
		}
		truncated := int64(0)
		for _, p := range tr.Problems {
			if p.Code == "truncated" {
				truncated = p.Count
			}
		}
		if truncated != 1 {
			t.Fatalf("cut at %d, after %q: %d problems \"truncated\", want one; problems %v", cut, tail(whole[:cut]), truncated, tr.Problems)
		}
		if want < last {
			t.Fatalf("cut at %d: fewer events than before", cut)
		}
		last = want
	}
}

// TestCutLarge cuts a trace of many chunks at a thousand places.
func TestCutLarge(t *testing.T) {
	text := mixed(t, 4_000)
	opts := Options{chunkSize: len(text) / 20}
	cuts := 1000
	if UnderRace {
		cuts = 100
	}
	last := int64(-1)
	for i := range cuts {
		cut := 1 + len(text)/cuts*i + i%7
		in := newSource()
		in.data, in.size, in.done = text, int64(cut), true
		tr, err := openTrace(context.Background(), &input{source: in}, "cut", opts)
		if err != nil {
			t.Fatalf("cut at %d: %v", cut, err)
		}
		var events int64
		for _, e := range tr.Events {
			events += e.Count
		}
		if events < last {
			t.Fatalf("cut at %d: %d events, %d before", cut, events, last)
		}
		last = events
		problems := int64(0)
		for _, p := range tr.Problems {
			if p.Code == "truncated" {
				problems += p.Count
			}
		}
		if problems != 1 {
			t.Fatalf("cut at %d, after %q: %d problems \"truncated\", want one", cut, tail(string(text[:cut])), problems)
		}
	}
}

func tail(s string) string { return s[max(0, len(s)-30):] }

// eventEnds lists where the events of a text end that has one '}' and nothing
// else of the array's level behind each.
func eventEnds(text string) []int {
	var ends []int
	depth := 0
	inString := false
	for i := 0; i < len(text); i++ {
		switch c := text[i]; {
		case inString && c == '\\':
			i++
		case c == '"':
			inString = !inString
		case inString:
		case c == '{':
			depth++
		case c == '}':
			if depth == 2 && strings.Contains(text[:i], "traceEvents") && !strings.Contains(text[:i], "otherData") {
				ends = append(ends, i+1)
			}
			depth--
		}
	}
	return ends
}

// TestNothingIsLeftBehind looks into the folder of temporary files.
func TestNothingIsLeftBehind(t *testing.T) {
	dir := t.TempDir()
	t.Setenv("TMPDIR", dir)
	openReader(t, bytes.NewBuffer(mixed(t, 100)), Options{})
	ctx, cancel := context.WithCancel(context.Background())
	r, w := io.Pipe()
	defer w.Close()
	go func() {
		w.Write([]byte(`[{"ph":"i","name":"a","ts":1},`))
		cancel()
	}()
	in, err := unwrapStream(ctx, r, nil, defaultMaxSize)
	if err == nil {
		_, err = openTrace(ctx, in, "pipe", Options{})
		in.Close()
	}
	if err == nil {
		t.Error("a trace that was cancelled is no error")
	}
	left, err := os.ReadDir(dir)
	if err != nil {
		t.Fatal(err)
	}
	for _, f := range left {
		t.Errorf("%s is left behind", filepath.Join(dir, f.Name()))
	}
}
