package load

import (
	"context"
	"errors"
	"math/rand/v2"
	"os"
	"path/filepath"
	"testing"
)

// allCold has every cold event and every property of the container once.
const allCold = `{"displayTimeUnit":"ns","stackFrames":{"1":{"name":"main"},"2":{"name":"f","parent":1}},
"samples":[{"cpu":0,"tid":1,"ts":9,"name":"c","sf":2,"weight":3}],
"traceEvents":[
{"ph":"M","pid":1,"name":"process_labels","args":{"labels":"a,b"}},{"ph":"M","pid":1,"name":"stackFrames","args":{"stackFrames":{"9":{"name":"x"}}}},
{"ph":"M","pid":1,"name":"thread_sort_index","args":{"sort_index":"-5"}},{"ph":"M","pid":1,"name":"other","args":{"k":[1,{"l":null}]}},
{"ph":"N","pid":1,"ts":0,"name":"T","id":"0x1"},{"ph":"O","pid":1,"ts":1,"name":"T","id":"0x1","args":{"snapshot":{"in":{"id":"U/0x2","v":{"id_ref":"0x1"}}}}},
{"ph":"D","pid":1,"ts":9,"name":"T","id2":{"local":"0x1"}},{"ph":"X","pid":1,"ts":2,"dur":1,"name":"s","sf":2,"stack":["a","0x1"],"args":{"o":{"id_ref":"0x1"}}},
{"ph":"v","pid":1,"ts":3,"id":"0x1","args":{"dumps":{"allocators":{"global/g":{"guid":"1","attrs":{"size":{"value":"ff"}}},"m/a":{"guid":"2","flags":1}},
"allocators_graph":[{"source":"2","target":"1","type":"ownership","importance":1}],"process_mmaps":{"vm_regions":[{"sa":"1","sz":"2","pf":3,"mf":"f"}]}}}},
{"ph":"(","pid":1,"ts":4,"name":"c","id":"0x1"},{"ph":")","pid":1,"ts":5,"name":"c","id":"0x1"},
{"ph":"=","pid":1,"ts":5,"id":"1","args":{"linked_id":"2"}},{"ph":"c","pid":1,"ts":5,"args":{"sync_id":"s","issue_ts":4}},
{"ph":"P","pid":1,"ts":6,"name":"p","sf":2},{"ph":"P","pid":1,"ts":6,"name":"Profile","id":1,"args":{"data":{"startTime":1}}},
{"ph":"P","pid":1,"ts":7,"name":"ProfileChunk","id":1,"args":{"data":{"cpuProfile":{"nodes":[{"id":1,"callFrame":{"functionName":"f"},"children":[2]},{"id":2,"parent":1}],"samples":[2,1]},"timeDeltas":[1,-1]}}},
{"ph":"I","pid":1,"ts":8,"name":"CpuProfile","args":{"data":{"cpuProfile":{"head":{"id":1,"children":[{"id":2}]},"samples":[2],"startTime":1,"endTime":2}}}},
{"ph":"?","ts":1},{"ts":1}],
"systemTraceEvents":{"type":"fuchsia","events":[{"ph":"p","pid":1,"name":"p"},{"ph":"t","pid":1,"tid":2,"name":"t"},
{"ph":"k","ts":1,"cpu":0,"out":{"tid":1,"state":1},"in":{"tid":2,"prio":1}},{"ph":"w","ts":2,"cpu":0,"tid":2}]},
"powerTraceAsString":"# BattOr","controllerTraceDataKey":"traceEvents","metadata":{"clock-domain":"X"},"otherData":{"a":[[1],{}]}}`

// TestColdDamage cuts and changes a trace at every byte: whatever stands
// there, it is read or refused in good order.
func TestColdDamage(t *testing.T) {
	path := filepath.Join(t.TempDir(), "trace.json")
	open := func(text []byte) {
		if err := os.WriteFile(path, text, 0o600); err != nil {
			t.Fatal(err)
		}
		tr, err := Open(context.Background(), path, Options{Parallel: 1})
		switch {
		case err == nil:
			coldRows(tr)
			if err := tr.Close(); err != nil {
				t.Fatal(err)
			}
		case !errors.Is(err, ErrNotTrace):
			t.Fatalf("%v\n%s", err, text)
		}
	}
	random := rand.New(rand.NewPCG(1, 2))
	const with = `"{}[],:0-e\` + "\x00\xff"
	for i := range len(allCold) {
		open([]byte(allCold[:i]))
		changed := []byte(allCold)
		changed[i] = with[random.IntN(len(with))]
		open(changed)
		j := min(len(allCold), i+1+random.IntN(20))
		open(append([]byte(allCold[:i]), allCold[j:]...))
	}
}
