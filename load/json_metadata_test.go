package load

import (
	"fmt"
	"strings"
	"testing"
)

func TestMetadataEvents(t *testing.T) {
	runColdTests(t, []coldTest{
		{"names", `[
			{"ph":"M","pid":1,"tid":2,"name":"process_name","args":{"name":"first"}},
			{"ph":"M","pid":"1","tid":2,"name":"process_name","args":{"name":"P"}},
			{"ph":"M","pid":1,"tid":2,"ts":0,"name":"thread_name","args":{"name":"T"}},
			{"ph":"M","pid":1,"name":"thread_name","args":{"name":"main"}},
			{"ph":"M","pid":"Server","tid":"io","name":"thread_sort_index","args":{"sort_index":"-3"}},
			{"ph":"M","pid":1,"name":"process_sort_index","args":{"sort_index":7}}]`, `
			process 1 "P" labels="" sort=7
			process - "Server" labels="" sort=NULL
			thread 1/2 "T" sort=NULL
			thread 1/1 "main" sort=NULL
			thread -/- "io" sort=-3`},
		{"labels", `[
			{"ph":"M","pid":1,"name":"process_labels","args":{"labels":"a, b,,a"}},
			{"ph":"M","pid":1,"name":"process_labels","args":{"labels":"b,c"}},
			{"ph":"M","pid":2,"name":"process_labels","args":{"labels":"c"}}]`, `
			process 1 "" labels="a, b, c" sort=NULL
			process 2 "" labels="c" sort=NULL`},
		{"broken", `[
			{"ph":"M","pid":1,"name":"process_name"},
			{"ph":"M","pid":1,"name":"thread_name","args":{"name":null}},
			{"ph":"M","pid":1,"name":"process_sort_index","args":{"sort_index":"high"}},
			{"ph":"M","pid":1,"args":{"name":"x"}}]`, `
			problem bad_sort_index 1
			problem metadata_without_name 1
			problem metadata_without_value 2`},
		{"others", `[
			{"ph":"M","pid":1,"name":"num_cpus","args":{"number":4}},
			{"ph":"M","pid":2,"name":"num_cpus","args":{"number":4}},
			{"ph":"M","pid":1,"name":"process_uptime_seconds","args":{"uptime":12}},
			{"ph":"M","pid":2,"name":"process_uptime_seconds","args":{"uptime":13.5}},
			{"ph":"M","name":"build","args":{"id":"x","tags":["a",{"b":null}],"none":[]}},
			{"ph":"M","pid":"Main","name":"typeNames","args":{"typeNames":{"1":"int"}}},
			{"ph":"M","pid":1,"name":"TracingStartedInBrowser"}]`, `
			metadata num_cpus.number = 4
			metadata process_uptime_seconds.uptime[1] = 12
			metadata process_uptime_seconds.uptime[2] = "13.5"
			metadata build.id = "x"
			metadata build.tags[0] = "a"
			metadata build.tags[1].b = NULL
			metadata build.none = "[]"
			metadata typeNames.typeNames.1[Main] = "int"
			metadata TracingStartedInBrowser = "{}"`},
		{"overflow", `[{"ph":"M","pid":1,"ts":3,"name":"trace_buffer_overflowed","args":{"overflowed_at_ts":12}}]`, `
			metadata trace_buffer_overflowed.overflowed_at_ts[1] = 12
			problem buffer_overflowed 1`},
	})
}

func TestProcessStackFrames(t *testing.T) {
	tr := coldTrace(t, `[{"ph":"M","pid":1,"name":"stackFrames","args":{"stackFrames":{"2":{"name":"f","parent":"1"},"1":{"name":"main"}}}}]`)
	if len(tr.Frames) != 2 || len(tr.Callsites) != 2 {
		t.Errorf("%d frames and %d callsites, want 2 of each", len(tr.Frames), len(tr.Callsites))
	}
}

func TestMetadataBounds(t *testing.T) {
	var wide strings.Builder
	for i := range 2000 {
		fmt.Fprintf(&wide, "%d,", i)
	}
	list := "[" + strings.TrimSuffix(wide.String(), ",") + "]"
	tr := coldTrace(t, `{"traceEvents":[],"wide":`+list+`,"deep":`+strings.Repeat(`{"a":`, 100)+"1"+strings.Repeat("}", 100)+`}`)
	if n := len(tr.Metadata); n != maxMetadataRows+2 {
		t.Fatalf("%d rows, want %d", n, maxMetadataRows+2)
	}
	rest, deep := tr.Metadata[maxMetadataRows], tr.Metadata[maxMetadataRows+1]
	if tr.Strings.Get(rest.Name) != "wide" || tr.Strings.Get(rest.Str) != list {
		t.Errorf("%s = %.40s, want the whole of it", tr.Strings.Get(rest.Name), tr.Strings.Get(rest.Str))
	}
	if name := tr.Strings.Get(deep.Name); name != "deep"+strings.Repeat(".a", maxMetadataDepth) {
		t.Errorf("the deep property is cut at %s", name)
	}
	if text := tr.Strings.Get(deep.Str); text != strings.Repeat(`{"a":`, 100-maxMetadataDepth)+"1"+strings.Repeat("}", 100-maxMetadataDepth) {
		t.Errorf("the rest of the deep property is %s", text)
	}
}
