package load

import (
	"bytes"
	"context"
	"errors"
	"testing"

	"github.com/weft-trace/weft/bench/gen"
	"github.com/weft-trace/weft/trace"
)

// FuzzOpen opens any text as a trace, whole and in small chunks: nothing
// panics or hangs, both give the same tables, and the tables hold what every
// trace must hold.
func FuzzOpen(f *testing.F) {
	var mix bytes.Buffer
	if err := (gen.Spec{Kind: "mix", N: 60, Seed: 3}).Write(&mix); err != nil {
		f.Fatal(err)
	}
	f.Add(mix.Bytes())
	for _, seed := range []string{
		`[]`, `{}`, ``, `{"traceEvents":[]}`,
		`[{"ph":"B","name":"a","ts":1,"pid":1,"tid":1},{"ph":"E","ts":"2.5","pid":"1","tid":1,"args":{"a":1,"a":{"b":[]}}}`,
		`{"ph":"X","ts":1,"dur":-1,"args":"__stripped__","x":1}` + "\n" + `{"ph":"C","name":"c","ts":2,"args":{"a":NaN,"b":"7"}}`,
		`[{"ph":"b","id2":{"local":1},"ts":0},{"ph":"e","id2":{"local":"1"},"ts":1},{"ph":"s","id":1,"ts":0},{"ph":"f","bp":"e","id":1,"ts":9}]`,
		`{"traceEvents":[{"ph":"O","name":"T","id":"0x1","ts":3,"args":{"snapshot":{"id":"U/0x2","r":{"id_ref":"0x1"}}}}],"stackFrames":{"1":{"name":"f","parent":"1"}},"samples":[{"ts":1,"sf":1}]}`,
		`[{"ph":"v","id":"0x1","ts":1,"args":{"dumps":{"allocators":{"a/b":{"attrs":{"size":{"value":"ff"}}}}}}},{"ph":"P","name":"Profile","id":1,"ts":1,"args":{"data":{"startTime":1}}}]`,
		`{"systemTraceEvents":{"type":"fuchsia","events":[{"ph":"k","ts":1,"cpu":0,"out":{"tid":1,"state":3,"prio":1},"in":{"tid":2,"prio":2}}]},"traceEvents":[]}`,
	} {
		f.Add([]byte(seed))
	}
	f.Fuzz(func(t *testing.T, text []byte) {
		whole, err := openBytes(text, Options{Parallel: 1})
		chunked, err2 := openBytes(text, Options{Parallel: 2, chunkSize: 1 + len(text)%97})
		if (err == nil) != (err2 == nil) {
			t.Fatalf("whole: %v; in chunks: %v", err, err2)
		}
		if err != nil {
			if !errors.Is(err, ErrNotTrace) {
				t.Fatalf("%v is not %v", err, ErrNotTrace)
			}
			return
		}
		checkTrace(t, whole)
		sameTrace(t, "in chunks", dump(chunked), dump(whole))
	})
}

// openBytes opens a text in memory.
func openBytes(text []byte, opts Options) (*trace.Trace, error) {
	in := newSource()
	in.data, in.size, in.done = text, int64(len(text)), true
	return openTrace(context.Background(), &input{source: in}, "text", opts)
}

// checkTrace holds a trace against what every trace must be: ids that name
// rows, time order, children within their parents' tracks.
func checkTrace(t testing.TB, tr *trace.Trace) {
	t.Helper()
	s := &tr.Slices
	for i := range s.Len() {
		if i > 0 && s.TS[i] < s.TS[i-1] {
			t.Fatalf("slice %d starts before slice %d", i, i-1)
		}
		if int(s.Track[i]) >= len(tr.Tracks) || int(s.Name[i]) > tr.Strings.Len() || int(s.ArgSet[i]) > tr.Args.Len() {
			t.Fatalf("slice %d names a row that is not there", i)
		}
		if s.Dur[i] < 0 && s.Dur[i] != trace.Unfinished {
			t.Fatalf("slice %d lasts %d", i, s.Dur[i])
		}
		if p := s.Parent[i]; p != trace.NoSlice {
			if int(p) >= i || s.Track[p] != s.Track[i] || s.Depth[p]+1 != s.Depth[i] {
				t.Fatalf("slice %d has parent %d", i, p)
			}
		} else if s.Depth[i] != 0 {
			t.Fatalf("slice %d has no parent and depth %d", i, s.Depth[i])
		}
	}
	for i, track := range tr.Tracks {
		if track.Thread != trace.NoThread && int(track.Thread) >= len(tr.Threads) ||
			track.Process != trace.NoProcess && int(track.Process) >= len(tr.Processes) ||
			track.Parent != trace.NoTrack && int(track.Parent) >= len(tr.Tracks) {
			t.Fatalf("track %d names a row that is not there", i)
		}
	}
	for i, f := range tr.Flows {
		if int(f.Out) >= s.Len() || int(f.In) >= s.Len() {
			t.Fatalf("flow %d names a slice that is not there", i)
		}
	}
	for i, c := range tr.Callsites {
		if c.Parent != trace.NoCallsite && int(c.Parent) >= i || int(c.Frame) >= len(tr.Frames) {
			t.Fatalf("callsite %d has parent %d and frame %d", i, c.Parent, c.Frame)
		}
	}
	for i, p := range tr.Problems {
		if p.Count <= 0 || int64(len(p.Samples)) > p.Count || p.Code == "" || p.Message == "" {
			t.Fatalf("problem %d is %+v", i, p)
		}
	}
}
