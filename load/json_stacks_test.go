package load

import "testing"

func TestStacks(t *testing.T) {
	const frames = `"stackFrames":{"5":{"name":"main","category":"app"},"7":{"parent":5,"name":"f","category":"app"},"9":{"parent":"7","name":"g","line":"12","file":"g.c"}}`
	runColdTests(t, []coldTest{
		{"frames of a dictionary", `{` + frames + `,"traceEvents":[
			{"ph":"X","pid":1,"ts":0,"dur":1,"name":"x","sf":7,"esf":"9"},
			{"ph":"B","pid":1,"ts":2,"name":"b","sf":"5"},{"ph":"E","pid":1,"ts":3,"sf":9}]}`, `
			slice 0 "x" stack=main@app>f@app end=main@app>f@app>g(g.c:12) {}
			slice 2 "b" stack=main@app end=main@app>f@app>g(g.c:12) {}`},
		{"the dictionary behind the events", `{"traceEvents":[{"ph":"i","pid":1,"ts":0,"name":"i","sf":9}],` + frames + `}`, `
			slice 0 "i" stack=main@app>f@app>g(g.c:12) end=NULL {}`},
		{"written out", `[
			{"ph":"X","pid":1,"ts":0,"dur":1,"name":"x","stack":["main","0x1f"],"estack":["main"]},
			{"ph":"X","pid":1,"ts":2,"dur":1,"name":"y","stack":"at leaf\n\n  at main\n"}]`, `
			slice 0 "x" stack=main>0x1f[0x1f] end=main {}
			slice 2 "y" stack=at main>at leaf end=NULL {}`},
		{"broken", `{"stackFrames":{"1":{"name":"a","parent":2},"2":{"name":"b","parent":3},"3":{"name":"c","parent":1},"4":{"name":"d","parent":99},"5":{"name":"e","parent":5}},
			"traceEvents":[
			{"ph":"X","pid":1,"ts":0,"dur":1,"name":"w","sf":1},
			{"ph":"X","pid":1,"ts":2,"dur":1,"name":"x","sf":4},
			{"ph":"X","pid":1,"ts":4,"dur":1,"name":"y","sf":8},
			{"ph":"X","pid":1,"ts":6,"dur":1,"name":"z","stack":{"a":1}},
			{"ph":"P","pid":1,"ts":8,"name":"p","sf":4,"stack":["q"]}]}`, `
			slice 0 "w" stack=c>b>a end=NULL {}
			slice 2 "x" stack=d end=NULL {}
			sample 8 1/1 cpu=-1 "p" weight=1 P d
			problem unknown_frame 1
			problem bad_stack 1
			problem frame_cycle 2
			problem frame_parent_missing 1
			problem two_stacks 1`},
	})
}

func TestStacksAreShared(t *testing.T) {
	tr := coldTrace(t, `{"stackFrames":{"1":{"name":"main"},"2":{"name":"f","parent":1},"3":{"name":"f","parent":1},"4":{"name":"unused"}},
		"traceEvents":[{"ph":"i","pid":1,"ts":0,"name":"i","stack":["main","f"]},{"ph":"i","pid":1,"ts":1,"name":"i","sf":3},{"ph":"i","pid":1,"ts":1,"name":"i","sf":2}]}`)
	if len(tr.Frames) != 3 || len(tr.Callsites) != 3 {
		t.Errorf("%d frames and %d callsites, want 3 of each: equal ones are one", len(tr.Frames), len(tr.Callsites))
	}
}
