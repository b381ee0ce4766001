package load

import "testing"

func TestSamples(t *testing.T) {
	runColdTests(t, []coldTest{
		{"events", `[
			{"ph":"P","pid":1,"tid":2,"ts":3,"name":"hot","cat":"c","stack":["main","f"]},
			{"ph":"P","pid":1,"tid":2,"ts":1.5,"name":"named"}]`, `
			sample 1500ns 1/2 cpu=-1 "named" weight=1 P named
			sample 3 1/2 cpu=-1 "hot" weight=1 P main>f`},
		{"global", `{"traceEvents":[{"ph":"i","pid":1,"tid":2,"ts":0,"name":"i"}],"samples":[
			{"cpu":0,"tid":2,"ts":"1000.0","name":"cycles:HG","sf":3,"weight":"7"},
			{"tid":2,"ts":1,"name":"c","sf":3,"value":2.5},
			{"cpu":"-1","pid":9,"tid":9,"ts":2,"name":"c"},
			{"tid":77,"ts":3,"name":"c"},
			{"ts":4,"name":"c","weight":"heavy"},
			{"tid":2,"name":"c"},
			17],
			"stackFrames":{"3":{"name":"main"}}}`, `
			sample 1 1/2 cpu=-1 "c" weight=2.5 samples main
			sample 2 9/9 cpu=-1 "c" weight=1 samples NULL
			sample 3 -/77 cpu=-1 "c" weight=1 samples NULL
			sample 4 NULL cpu=-1 "c" weight=1 samples NULL
			sample 1000 1/2 cpu=0 "cycles:HG" weight=7 samples main
			problem bad_sample 1
			problem no_timestamp 1
			problem sample_weight 1`},
		{"nothing but samples", `{"traceEvents":[],"samples":[{"tid":5,"ts":10,"name":"cycles","weight":3}]}`, `
			sample 10 5/5 cpu=-1 "cycles" weight=3 samples NULL`},
	})
}

func TestV8Profiles(t *testing.T) {
	runColdTests(t, []coldTest{
		{"chunks", `[
			{"ph":"P","pid":1,"tid":9,"ts":130,"name":"ProfileChunk","id":"0x1","args":{"data":{
				"cpuProfile":{"nodes":[{"id":4,"parent":2,"callFrame":{"functionName":"g"}}],"samples":[4,99]},"timeDeltas":[7,-3],"lines":[1,2]}}},
			{"ph":"P","pid":1,"tid":2,"ts":105,"name":"Profile","id":"0x1","args":{"data":{"startTime":100}}},
			{"ph":"P","pid":1,"tid":9,"ts":120,"name":"ProfileChunk","id":"0x1","args":{"data":{"endTime":150,
				"cpuProfile":{"nodes":[{"id":1,"callFrame":{"functionName":"(root)"}},{"id":2,"parent":1,"callFrame":{"functionName":"f","url":"f.js","lineNumber":3,"codeType":"JS"}}],
				"samples":[2,2,1]},"timeDeltas":[1,2.5,3]}}}]`, `
			sample 101 1/2 cpu=-1 "V8 Sample" weight=1 cpu_profile f@JS(f.js:4)
			sample 103500ns 1/2 cpu=-1 "V8 Sample" weight=1 cpu_profile f@JS(f.js:4)
			sample 106500ns 1/2 cpu=-1 "V8 Sample" weight=1 cpu_profile (root)
			sample 110500ns 1/2 cpu=-1 "V8 Sample" weight=1 cpu_profile NULL
			sample 113500ns 1/2 cpu=-1 "V8 Sample" weight=1 cpu_profile f@JS(f.js:4)>g
			problem profile_node_missing 1`},
		{"without a start", `[{"ph":"P","pid":1,"tid":9,"ts":130,"name":"ProfileChunk","id":"0x1","args":{"data":{
				"cpuProfile":{"nodes":[{"id":2,"parent":7,"callFrame":{"functionName":"f"}}],"samples":[2,2,2]},"timeDeltas":[1,"x"]}}}]`, `
			sample 131 1/9 cpu=-1 "V8 Sample" weight=1 cpu_profile f
			sample 131 1/9 cpu=-1 "V8 Sample" weight=1 cpu_profile f
			sample 131 1/9 cpu=-1 "V8 Sample" weight=1 cpu_profile f
			problem profile_parent_missing 1
			problem profile_sample_time 2
			problem profile_without_start 1`},
		{"one event", `[{"ph":"I","pid":1,"tid":2,"ts":50,"name":"CpuProfile","args":{"data":{"cpuProfile":{
			"nodes":[{"id":1,"callFrame":{"functionName":"(root)"},"children":[2,3]},{"id":2,"callFrame":{"functionName":"a"},"children":[4]},
				{"id":3,"callFrame":{"functionName":"b"},"positionTicks":[{"line":1,"ticks":2}]},{"id":4,"callFrame":{"functionName":"c"}}],
			"startTime":10,"endTime":20,"samples":[4,3],"timeDeltas":[1,1]}}}}]`, `
			slice 50 "CpuProfile" stack=NULL end=NULL {args.data.cpuProfile.nodes[0].id:1 args.data.cpuProfile.nodes[0].callFrame.functionName:"(root)" args.data.cpuProfile.nodes[0].children[0]:2 args.data.cpuProfile.nodes[0].children[1]:3 args.data.cpuProfile.nodes[1].id:2 args.data.cpuProfile.nodes[1].callFrame.functionName:"a" args.data.cpuProfile.nodes[1].children[0]:4 args.data.cpuProfile.nodes[2].id:3 args.data.cpuProfile.nodes[2].callFrame.functionName:"b" args.data.cpuProfile.nodes[2].positionTicks[0].line:1 args.data.cpuProfile.nodes[2].positionTicks[0].ticks:2 args.data.cpuProfile.nodes[3].id:4 args.data.cpuProfile.nodes[3].callFrame.functionName:"c" args.data.cpuProfile.startTime:10 args.data.cpuProfile.endTime:20 args.data.cpuProfile.samples[0]:4 args.data.cpuProfile.samples[1]:3 args.data.cpuProfile.timeDeltas[0]:1 args.data.cpuProfile.timeDeltas[1]:1}
			sample 11 1/2 cpu=-1 "V8 Sample" weight=1 cpu_profile a>c
			sample 12 1/2 cpu=-1 "V8 Sample" weight=1 cpu_profile b`},
		{"the oldest form", `[{"ph":"P","pid":1,"tid":2,"ts":50,"name":"CpuProfile","args":{"data":{"cpuProfile":{
			"head":{"functionName":"(root)","id":1,"children":[{"functionName":"a","url":"a.js","lineNumber":0,"id":2,"children":[{"functionName":"c","id":3,"children":[]}]}]},
			"startTime":0.00001,"endTime":0.00002,"samples":[3,2]}}}}]`, `
			sample 15 1/2 cpu=-1 "V8 Sample" weight=1 cpu_profile a(a.js:1)>c
			sample 20 1/2 cpu=-1 "V8 Sample" weight=1 cpu_profile a(a.js:1)`},
		{"a file of its own", `{"nodes":[{"id":1,"callFrame":{"functionName":"(root)","lineNumber":-1},"children":[2]},{"id":2,"callFrame":{"functionName":"a"}}],
			"startTime":10,"endTime":20,"samples":[2,1],"timeDeltas":[1,2],"traceEvents":[]}`, `
			sample 11 -/- cpu=-1 "V8 Sample" weight=1 cpu_profile a
			sample 13 -/- cpu=-1 "V8 Sample" weight=1 cpu_profile (root)
			metadata startTime = 10
			metadata endTime = 20`},
		{"a P of that name without a profile", `[{"ph":"P","pid":1,"ts":5,"name":"CpuProfile"},{"ph":"P","pid":1,"ts":6,"name":"ProfileChunk"}]`, `
			sample 5 1/1 cpu=-1 "CpuProfile" weight=1 P CpuProfile
			sample 6 1/1 cpu=-1 "ProfileChunk" weight=1 P ProfileChunk`},
	})
}
