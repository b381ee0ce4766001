package query

import (
	"encoding/json"
	"flag"
	"fmt"
	"os"
	"path/filepath"
	"strconv"
	"testing"

	"github.com/weft-trace/weft/trace"
)

var update = flag.Bool("update", false, "rewrite goldens and docs/tables.md")

// fixture is a small trace made by hand with rows in every table that the model
// has.
type fixture struct {
	*trace.Trace
	in   *trace.Interner
	args *fixtureArgs
}

// fixtureArgs decodes sets that are written as lists of leaves.
type fixtureArgs struct{ sets [][]trace.Arg }

func (a *fixtureArgs) DecodeArgs(loc uint64, visit func(*trace.Arg) bool) {
	for i := range a.sets[loc] {
		leaf := a.sets[loc][i]
		if !visit(&leaf) {
			return
		}
	}
}

func (a *fixtureArgs) ArgsJSON(dst []byte, loc uint64) []byte {
	return fmt.Appendf(dst, "%d leaves", len(a.sets[loc]))
}

func leaf(key, flat string, kind trace.ArgKind, text string) trace.Arg {
	a := trace.Arg{Key: []byte(key), FlatKey: []byte(flat), Kind: kind, Text: []byte(text), JSON: []byte(text)}
	switch kind {
	case trace.ArgBool:
		if text == "true" {
			a.Int = 1
		}
	case trace.ArgInt, trace.ArgSnapshot:
		a.Int, _ = strconv.ParseInt(text, 10, 64)
	case trace.ArgUint, trace.ArgPointer:
		u, _ := strconv.ParseUint(text, 0, 64)
		a.Int = int64(u)
	case trace.ArgReal:
		a.Real, _ = strconv.ParseFloat(text, 64)
	case trace.ArgString:
		a.JSON, _ = json.Marshal(text)
	}
	return a
}

func (f *fixture) s(text string) trace.StringID { return f.in.InternString(text) }

func (f *fixture) set(leaves ...trace.Arg) trace.ArgSetID {
	f.args.sets = append(f.args.sets, leaves)
	return f.Args.Add(0, uint64(len(f.args.sets)-1))
}

func newFixture() *fixture {
	f := &fixture{Trace: &trace.Trace{TimeUnit: "ms", Start: 1000, End: 9000}, in: trace.NewInterner(), args: &fixtureArgs{}}
	f.Args.Register(f.args)
	f.Sources = []trace.Source{{Name: "hand.json", Format: "trace event json", Producer: "hand", Size: 1234}}

	f.Processes = []trace.Process{
		{PID: 0, Name: f.s("idle"), StartTS: trace.NoTime, EndTS: trace.NoTime, Parent: trace.NoProcess, SortIndex: trace.NoInt, HasPID: true},
		{PID: -5, HasPID: true, Name: f.s("browser"), StartTS: 1000, EndTS: 9000, Parent: 0, Cmdline: f.s("browser --headless"), Labels: f.s("a, b"), SortIndex: -1},
		{Name: f.s("text pid"), StartTS: trace.NoTime, EndTS: trace.NoTime, Parent: trace.NoProcess, SortIndex: trace.NoInt},
	}
	f.Threads = []trace.Thread{
		{TID: 1, HasTID: true, IsMain: true, Name: f.s("main"), StartTS: trace.NoTime, EndTS: trace.NoTime, Process: 1, SortIndex: 3},
		{TID: 1 << 40, HasTID: true, Name: f.s("a worker with a long name"), StartTS: 2000, EndTS: trace.NoTime, Process: 1, SortIndex: trace.NoInt},
		{Name: f.s("bad \xff text"), StartTS: trace.NoTime, EndTS: trace.NoTime, Process: trace.NoProcess, SortIndex: trace.NoInt},
	}
	track := func(typ trace.TrackType, name string) trace.Track {
		return trace.Track{Type: typ, Name: f.s(name), Parent: trace.NoTrack, Process: trace.NoProcess, Thread: trace.NoThread, CPU: -1, SortIndex: trace.NoInt}
	}
	f.Tracks = []trace.Track{
		track(trace.TrackThread, "main"), track(trace.TrackThread, "a worker with a long name"), track(trace.TrackProcess, "browser"),
		track(trace.TrackAsync, "request"), track(trace.TrackCounter, "memory"), track(trace.TrackCPU, "cpu 0"), track(trace.TrackMemory, "dumps"),
		track(trace.TrackOverflow, "main"), track(trace.TrackGlobal, "global"),
	}
	f.Tracks[0].Thread, f.Tracks[0].Process = 0, 1
	f.Tracks[1].Thread, f.Tracks[1].Process = 1, 1
	f.Tracks[2].Process = 1
	f.Tracks[3].Process, f.Tracks[3].Thread, f.Tracks[3].Category = 1, 1, f.s("net")
	f.Tracks[4].Process, f.Tracks[4].Unit, f.Tracks[4].CounterGroup, f.Tracks[4].Description = 1, f.s("bytes"), f.s("memory"), f.s("what is in use")
	f.Tracks[5].CPU = 0
	f.Tracks[6].Process = 1
	f.Tracks[7].Thread, f.Tracks[7].Process, f.Tracks[7].Parent = 0, 1, 0

	req := f.set(
		leaf("args.data.url", "args.data.url", trace.ArgString, "https://weft.example/ä"),
		leaf("args.size", "args.size", trace.ArgInt, "4096"),
		leaf("args.ratio", "args.ratio", trace.ArgReal, "0.5"),
		leaf("args.list[0]", "args.list", trace.ArgBool, "true"),
		leaf("args.list[1]", "args.list", trace.ArgNull, "null"),
		leaf("args.big", "args.big", trace.ArgUint, "18446744073709551615"),
		leaf("args.none", "args.none", trace.ArgJSON, "{}"),
		leaf("args.at", "args.at", trace.ArgPointer, "0xff"),
		leaf("args.obj", "args.obj", trace.ArgSnapshot, "1"),
	)
	small := f.set(leaf("args.n", "args.n", trace.ArgInt, "7"))
	f.set() // an empty set
	f.Processes[1].ArgSet = small

	add := func(tr trace.TrackID, ts, dur int64, name string, depth uint32, parent trace.SliceID, args trace.ArgSetID, scope byte) {
		s := &f.Slices
		s.TS, s.Dur, s.Track = append(s.TS, ts), append(s.Dur, dur), append(s.Track, tr)
		s.Name, s.Category = append(s.Name, f.s(name)), append(s.Category, f.s("cat"))
		s.Depth, s.Parent, s.ArgSet = append(s.Depth, depth), append(s.Parent, parent), append(s.ArgSet, args)
		s.Scope = append(s.Scope, scope)
		s.ThreadTS = append(s.ThreadTS, trace.NoTime)
		s.ThreadDur = append(s.ThreadDur, trace.NoTime)
		s.Stack = append(s.Stack, trace.NoCallsite)
	}
	add(0, 1000, 5000, "outer", 0, trace.NoSlice, req, 0)          // 0
	add(0, 1500, 2000, "middle", 1, 0, small, 0)                   // 1
	add(1, 1600, trace.Unfinished, "work", 0, trace.NoSlice, 0, 0) // 2
	add(0, 2000, 500, "inner", 2, 1, 0, 0)                         // 3
	add(3, 2100, 300, "request", 0, trace.NoSlice, 0, 0)           // 4
	add(2, 3000, 0, "mark", 0, trace.NoSlice, 0, 'p')              // 5
	add(0, 4000, 100, "", 1, 0, 0, 0)                              // 6
	add(0, 7000, 10, "tick", 0, trace.NoSlice, 0, 0)               // 7
	add(8, 8000, 0, "flash", 0, trace.NoSlice, 0, 'g')             // 8
	f.Slices.Category[7] = 0
	f.Slices.ThreadTS[0], f.Slices.ThreadDur[0], f.Slices.Stack[0] = 10, 20, 1

	f.Counters = trace.Counters{TS: []int64{1000, 2000}, Track: []trace.TrackID{4, 4}, Value: []float64{1.5, -2}}
	f.Flows = []trace.Flow{
		{Out: 0, In: 2, TSOut: 1500, TSIn: 1600, ID: f.s("0xff"), Name: f.s("to"), Category: f.s("cat")},
		{Out: 2, In: 4, TSOut: 1700, TSIn: 2100, ID: f.s("18446744073709551615"), Name: f.s("to")},
		{Out: 7, In: 7, TSOut: 7000, TSIn: 7010, ID: f.s("not a number"), Name: f.s("self")},
	}
	f.Mappings = []trace.Mapping{{BuildID: f.s("abcd"), Start: 1 << 63, End: 1<<63 + 4096, Name: f.s("libweft.so")}}
	f.Frames = []trace.Frame{
		{Name: f.s("main"), Mapping: trace.NoMapping, RelPC: trace.NoInt, Line: trace.NoInt, Category: f.s("app")},
		{Name: f.s("run"), Mapping: 0, RelPC: 16, Line: 12, SourceFile: f.s("run.go")},
	}
	f.Callsites = []trace.Callsite{{Depth: 0, Parent: trace.NoCallsite, Frame: 0}, {Depth: 1, Parent: 0, Frame: 1}}
	f.Samples = []trace.Sample{
		{TS: 1100, Thread: 0, CPU: 0, Name: f.s("cycles"), Weight: 1, Callsite: 1, Source: f.s("samples")},
		{TS: 1200, Thread: trace.NoThread, CPU: -1, Weight: 0.25, Callsite: trace.NoCallsite, Source: f.s("P")},
	}
	f.Objects = []trace.Object{{Type: f.s("Tree"), Category: f.s("cc"), ID: f.s("0x1000"), Process: 1, Thread: trace.NoThread, Created: trace.NoTime, Deleted: 8000}}
	f.ObjectSnapshots = []trace.ObjectSnapshot{
		{Object: 0, TS: 2000, Type: f.s("SubTree"), BaseType: f.s("Tree"), ArgSet: small},
		{Object: 0, TS: 3000, Type: f.s("Tree"), Implicit: true},
	}
	f.MemorySnapshots = []trace.MemorySnapshot{{TS: 5000, Track: 6, DetailLevel: f.s("detailed"), DumpID: f.s("0x1"), Process: 1}}
	f.MemoryNodes = []trace.MemoryNode{
		{Snapshot: 0, Parent: ^uint32(0), Path: f.s("malloc"), Size: 100, EffectiveSize: trace.NoInt},
		{Snapshot: 0, Parent: 0, Path: f.s("malloc/allocated_objects"), Size: 60, EffectiveSize: 50},
	}
	f.MemoryRegions = []trace.MemoryRegion{{Snapshot: 0, Start: 4096, Size: 8192, Name: f.s("[heap]"), Protection: 6}}
	f.Contexts = []trace.Context{{TS: 1000, Dur: 10, Thread: 0, Name: f.s("FrameTree"), ID: f.s("0x5"), Object: trace.NoObject}}
	f.LinkedIDs = []trace.LinkedID{{TS: 1000, Process: 1, A: f.s("0x1"), B: f.s("0x2"), Category: f.s("cc")}}
	f.ClockSnapshots = []trace.ClockSnapshot{{TS: 1000, ClockID: 6, Name: f.s("boottime"), Value: 5, Snapshot: 0, SyncID: f.s("guid-1")}}
	f.Metadata = []trace.Metadata{{Name: f.s("otherData.version"), Int: trace.NoInt, Str: f.s("1.0")}, {Name: f.s("otherData.count"), Int: 3}}
	f.Sched = []trace.Sched{
		{TS: 1000, Dur: 500, CPU: 0, Thread: 0, EndState: f.s("S"), Priority: 120},
		{TS: 1500, Dur: trace.Unfinished, CPU: 1, Thread: 1, Priority: trace.NoInt},
	}
	f.ThreadStates = []trace.ThreadState{
		{TS: 1000, Dur: 500, CPU: 0, Thread: 0, State: f.s("Running"), IOWait: trace.NoInt, Waker: trace.NoThread, WakerState: trace.NoInt},
		{TS: 1500, Dur: 7500, CPU: -1, Thread: 0, State: f.s("S"), IOWait: 1, BlockedFunction: f.s("do_wait"), Waker: 1, WakerState: 0},
	}
	f.Problems = []trace.Problem{
		{ProblemKind: &trace.ProblemKind{Code: "end_without_begin", Severity: trace.Error, Message: "An end event has no begin.", Hint: "The start of the recording was cut off."},
			Count: 2, Samples: []trace.ProblemSample{{Offset: 17, Line: 3, TS: 5000, Text: `{"ph":"E"}`}, {Offset: -1, TS: trace.NoTime, Text: "bad \xff"}}},
		{ProblemKind: &trace.ProblemKind{Code: "events_dropped", Severity: trace.DataLoss, Message: "The producer lost events.", Hint: "Use a larger buffer."}, Count: 5},
	}
	f.Events = []trace.EventCount{{Kind: "X", Name: "complete", Count: 9}, {Kind: "M", Name: "metadata", Count: 4}}
	f.Strings = *f.in.Strings()
	return f
}

// golden compares with a file, which -update rewrites.
func golden(t *testing.T, path, got string) {
	t.Helper()
	if *update {
		if err := os.MkdirAll(filepath.Dir(path), 0o777); err != nil {
			t.Fatal(err)
		}
		if err := os.WriteFile(path, []byte(got), 0o666); err != nil {
			t.Fatal(err)
		}
		return
	}
	want, err := os.ReadFile(path)
	if err != nil {
		t.Fatal(err)
	}
	if got != string(want) {
		t.Errorf("%s: run with -update and read the diff\ngot\n%s\nwant\n%s", path, got, want)
	}
}
