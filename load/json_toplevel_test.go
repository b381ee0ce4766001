package load

import "testing"

func TestTopLevel(t *testing.T) {
	runColdTests(t, []coldTest{
		{"metadata", `{"traceEvents":[],"otherData":{"version":"My Application v1.0","runs":3},"custom":null,"traceAnnotations":[{"typeName":"note"}],"metadata":{"a":[1,2.5,true]}}`, `
			metadata otherData.version = "My Application v1.0"
			metadata otherData.runs = 3
			metadata custom = NULL
			metadata traceAnnotations[0].typeName = "note"
			metadata metadata.a[0] = 1
			metadata metadata.a[1] = "2.5"
			metadata metadata.a[2] = "true"`},
		{"units", `{"displayTimeUnit":"ns","traceEvents":[]}`, `unit ns`},
		{"a bad unit", `{"displayTimeUnit":"us","traceEvents":[]}`, `problem display_time_unit 1`},
		{"wrong shapes", `{"traceEvents":[],"stackFrames":[1],"samples":{"a":1}}`, `
			problem bad_samples 1
			problem bad_stack_frames 1`},
		{"system traces", `{"traceEvents":[],"systemTraceEvents":"# tracer: nop\n#\n x-1 [000] 1.0: sched_switch: a\n","powerTraceAsString":"# BattOr\n0.00 0.0 0.0\n"}`, `
			problem ftrace_not_loaded 3
			problem power_not_loaded 2`},
		{"ETW", `{"traceEvents":[],"systemTraceEvents":{"name":"ETW","content":"[{\"guid\":\"a\"},{\"guid\":\"b\"}]"}}`, `problem etw_not_loaded 2`},
		{"an empty one", `{"traceEvents":[],"systemTraceEvents":[]}`, ``},
		{"an unknown one", `{"traceEvents":[],"systemTraceEvents":{"name":"other"}}`, `problem bad_system_trace 1`},
	})
}

func TestProducer(t *testing.T) {
	for _, test := range []struct{ trace, want string }{
		{`{"traceEvents":[],"viztracer_metadata":{"version":"1.0.1"}}`, "VizTracer 1.0.1"},
		{`{"traceEvents":[],"metadata":{"product-version":"Chrome/120.0","clock-domain":"X"}}`, "Chrome/120.0"},
		{`{"traceEvents":[],"metadata":{"clock-domain":"X"}}`, "Chrome"},
		{`{"traceEvents":[],"otherData":{"version":"My Application v1.0"}}`, "My Application v1.0"},
		{`{"traceEvents":[],"otherData":{"version":"v1.0"}}`, ""},
		{`{"traceEvents":[],"otherData":{"build_id":"x"}}`, "Bazel"},
		{`{"traceEvents":[],"beginningOfTime":1}`, "clang -ftime-trace"},
		{`{"traceEvents":[],"deviceProperties":[]}`, "PyTorch Kineto"},
		{`[{"ph":"M","pid":1,"name":"version","args":{"node":"20.1.0"}}]`, "Node.js 20.1.0"},
		{`[{"ph":"M","pid":1,"name":"process_name","args":{"name":"Renderer"}}]`, "Chrome"},
		{`[{"name":"Running build command","ph":"B","ts":1,"pid":0,"tid":0}]`, "go build -debug-trace"},
		{`[{"name":"x","ph":"B","ts":1,"pid":0,"tid":0}]`, ""},
	} {
		if got := coldTrace(t, test.trace).Sources[0].Producer; got != test.want {
			t.Errorf("%s\nproducer %q, want %q", test.trace, got, test.want)
		}
	}
}
