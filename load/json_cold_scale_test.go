package load

import (
	"fmt"
	"runtime"
	"strings"
	"testing"
	"time"
)

// coldShapes are traces that grow in one respect, each the kind that takes the
// square of it when something is looked up by walking.
var coldShapes = []struct {
	name string
	make func(n int) string
}{
	{"processes named", func(n int) string {
		return events(n, func(i int) string {
			return fmt.Sprintf(`{"ph":"M","pid":%d,"tid":%d,"name":"thread_name","args":{"name":"t%d"}}`, i, i, i)
		})
	}},
	{"labels of one process", func(n int) string {
		return events(n, func(i int) string {
			return fmt.Sprintf(`{"ph":"M","pid":1,"name":"process_labels","args":{"labels":"l%d"}}`, i)
		})
	}},
	{"other metadata", func(n int) string {
		return events(n, func(i int) string {
			return fmt.Sprintf(`{"ph":"M","pid":%d,"name":"thread_flags","args":{"flags":%d}}`, i, i)
		})
	}},
	{"lives of one id", func(n int) string {
		return events(n, func(i int) string {
			return fmt.Sprintf(`{"ph":"%c","pid":1,"ts":%d,"name":"T","id":"0x1"}`, "ND"[i&1], i)
		})
	}},
	{"snapshots of one object", func(n int) string {
		return events(n, func(i int) string {
			return fmt.Sprintf(`{"ph":"O","pid":1,"ts":%d,"name":"T","id":"0x1","args":{"snapshot":{"v":%d}}}`, n-i, i)
		})
	}},
	{"objects", func(n int) string {
		return events(n, func(i int) string {
			return fmt.Sprintf(`{"ph":"O","pid":1,"ts":%d,"name":"T","id":"%#x","args":{"snapshot":{"next":{"id_ref":"%#x"}}}}`, i, i, i-1)
		})
	}},
	{"references to one object", func(n int) string {
		return events(n, func(i int) string {
			if i == 0 {
				return `{"ph":"O","pid":1,"ts":0,"name":"T","id":"0x1","args":{"snapshot":{}}}`
			}
			return fmt.Sprintf(`{"ph":"X","pid":1,"ts":%d,"dur":1,"name":"s","args":{"o":{"id_ref":"0x1"}}}`, i)
		})
	}},
	{"implicit snapshots side by side", func(n int) string {
		return `[{"ph":"O","pid":1,"ts":1,"name":"T","id":"0x1","args":{"snapshot":` +
			events(n, func(i int) string { return fmt.Sprintf(`{"id":"U/%#x","v":{"id_ref":"0x1"}}`, i+2) }) + `}}]`
	}},
	{"implicit snapshots in one another", func(n int) string {
		var b strings.Builder
		for i := range n {
			fmt.Fprintf(&b, `{"id":"U/%#x","in":`, i+2)
		}
		return `[{"ph":"O","pid":1,"ts":1,"name":"T","id":"0x1","args":{"snapshot":` + b.String() + `1` + strings.Repeat("}", n) + `}}]`
	}},
	{"references in one another", func(n int) string {
		return `[{"ph":"O","pid":1,"ts":1,"name":"T","id":"0x1","args":{"snapshot":` +
			strings.Repeat(`{"id_ref":"0x1","in":`, n) + `1` + strings.Repeat("}", n) + `}}]`
	}},
	{"contexts open", func(n int) string {
		return events(n, func(i int) string { return fmt.Sprintf(`{"ph":"(","pid":1,"ts":%d,"name":"c","id":%d}`, i, i) })
	}},
	{"contexts nested", func(n int) string {
		return events(n, func(i int) string {
			if i < n/2 {
				return fmt.Sprintf(`{"ph":"(","pid":1,"ts":%d,"name":"c","id":%d}`, i, i)
			}
			return fmt.Sprintf(`{"ph":")","pid":1,"ts":%d,"name":"c","id":%d}`, i, i-n/2)
		})
	}},
	{"clock syncs", func(n int) string {
		return events(n, func(i int) string { return fmt.Sprintf(`{"ph":"c","pid":1,"ts":%d,"args":{"sync_id":%d}}`, i, i) })
	}},
	{"one chain of frames", func(n int) string {
		return `{"traceEvents":` + events(n, func(i int) string { return fmt.Sprintf(`{"ph":"P","pid":1,"ts":%d,"name":"p","sf":%d}`, i, n-1-i) }) +
			`,"stackFrames":{` + list(n, func(i int) string { return fmt.Sprintf(`"%d":{"name":"f","parent":%d}`, i, i-1) }) + `}}`
	}},
	{"a circle of frames", func(n int) string {
		return `{"traceEvents":[],"stackFrames":{` + list(n, func(i int) string { return fmt.Sprintf(`"%d":{"name":"f","parent":%d}`, i, (i+1)%n) }) + `}}`
	}},
	{"global samples", func(n int) string {
		return `{"traceEvents":[],"samples":` + events(n, func(i int) string { return fmt.Sprintf(`{"tid":%d,"ts":%d,"name":"c"}`, i, i) }) + `}`
	}},
	{"chunks of a profile", func(n int) string {
		return events(n, func(i int) string {
			return fmt.Sprintf(`{"ph":"P","pid":1,"ts":%d,"name":"ProfileChunk","id":1,"args":{"data":{"cpuProfile":{"nodes":[{"id":%d,"parent":%d,"callFrame":{"functionName":"f"}}],"samples":[%d]},"timeDeltas":[1]}}}`, i, i+1, i, i+1)
		})
	}},
	{"an old profile, deep", func(n int) string {
		return `[{"ph":"I","pid":1,"ts":1,"name":"CpuProfile","args":{"data":{"cpuProfile":{"samples":[1],"head":` +
			strings.Repeat(`{"functionName":"f","children":[`, n) + strings.Repeat("]}", n) + `}}}}]`
	}},
	{"allocators", func(n int) string {
		return `[{"ph":"v","pid":1,"ts":1,"id":1,"args":{"dumps":{"allocators":{` +
			list(n, func(i int) string { return fmt.Sprintf(`"m/%d/x":{"guid":%d,"attrs":{"size":{"value":"1"}}}`, i, i) }) +
			`},"allocators_graph":` + events(n, func(i int) string { return fmt.Sprintf(`{"source":%d,"target":0,"type":"ownership"}`, i) }) + `}}}]`
	}},
	{"a chain of owners", func(n int) string {
		return `[{"ph":"v","pid":1,"ts":1,"id":1,"args":{"dumps":{"allocators":{` +
			list(n, func(i int) string { return fmt.Sprintf(`"m%d":{"guid":%d}`, i, i) }) +
			`},"allocators_graph":` + events(n, func(i int) string { return fmt.Sprintf(`{"source":%d,"target":%d,"type":"ownership"}`, i, i+1) }) + `}}}]`
	}},
	{"a path of many parts", func(n int) string {
		return `[{"ph":"v","pid":1,"ts":1,"id":1,"args":{"dumps":{"allocators":{"` + strings.Repeat("a/", n) + `":{}}}}}]`
	}},
	{"memory dumps", func(n int) string {
		return events(n, func(i int) string {
			return fmt.Sprintf(`{"ph":"v","pid":1,"ts":%d,"id":%d,"args":{"dumps":{"allocators":{"global/a":{"guid":1}}}}}`, i, i)
		})
	}},
	{"switches", func(n int) string {
		return `{"traceEvents":[],"systemTraceEvents":{"type":"fuchsia","events":` + events(n, func(i int) string {
			return fmt.Sprintf(`{"ph":"k","ts":%d,"cpu":0,"out":{"pid":1,"tid":%d,"state":3},"in":{"pid":1,"tid":%d}}`, i, i, i+1)
		}) + `}}`
	}},
	{"a wide property", func(n int) string {
		return `{"traceEvents":[],"p":` + events(n, func(i int) string { return "1" }) + `}`
	}},
	{"unknown phases", func(n int) string {
		return events(n, func(i int) string { return fmt.Sprintf(`{"ph":"x%d","ts":1}`, i) })
	}},
}

// events is a JSON array of n elements.
func events(n int, element func(i int) string) string { return "[" + list(n, element) + "]" }

func list(n int, element func(i int) string) string {
	var b strings.Builder
	for i := range n {
		if i > 0 {
			b.WriteByte(',')
		}
		b.WriteString(element(i))
	}
	return b.String()
}

// TestColdIsLinear loads each shape at two sizes. What takes the square needs
// a hundred times as long for ten times as much.
func TestColdIsLinear(t *testing.T) {
	small, large, limit := 5_000, 50_000, time.Duration(35)
	if UnderRace {
		small, large = 300, 3_000 // only to have each shape loaded
	}
	for _, shape := range coldShapes {
		t.Run(shape.name, func(t *testing.T) {
			measure := func(text string) time.Duration {
				runtime.GC()
				start := time.Now()
				coldTrace(t, text)
				return time.Since(start)
			}
			few, many := shape.make(small), shape.make(large)
			one, ten := time.Hour, time.Hour
			slow := func() bool { return ten > limit*one && ten > 300*time.Millisecond }
			for try := 0; try == 0 || try < 3 && slow(); try++ {
				one, ten = min(one, measure(few)), min(ten, measure(many))
			}
			t.Logf("%v for %d, %v for %d", one, small, ten, large)
			if slow() {
				t.Errorf("%d took %v, %d took %v: more than %d times as long", small, one, large, ten, limit)
			}
		})
	}
}
