package load

import "testing"

func TestContexts(t *testing.T) {
	runColdTests(t, []coldTest{
		{"nested, with an object", `[
			{"ph":"(","pid":1,"tid":2,"ts":0,"name":"Tree","cat":"c","id":"0x1","scope":"s"},
			{"ph":"(","pid":1,"tid":2,"ts":1,"name":"Frame","id":"0x2"},
			{"ph":")","pid":1,"tid":2,"ts":5,"name":"Frame","id":"0x2"},
			{"ph":"O","pid":1,"tid":2,"ts":3,"name":"Tree","id":"0x1","scope":"s","args":{"snapshot":{}}},
			{"ph":"(","pid":1,"tid":3,"ts":2,"name":"Tree","id":"0x1","scope":"s"},
			{"ph":")","pid":1,"tid":2,"ts":9,"name":"Tree","id":"0x1","scope":"s"}]`, `
			object 0 1 scope="s" id=0x1 type=Tree cat="" created=NULL by=NULL deleted=NULL
			snapshot 0 of 0 at 3 type=Tree base="" cat="" {args.snapshot:{}}
			context 0 dur=9 1/2 "Tree" id=0x1 cat="c" object=0
			context 1 dur=4 1/2 "Frame" id=0x2 cat="" object=NULL
			context 2 dur=open 1/3 "Tree" id=0x1 cat="" object=0`},
		{"unmatched", `[
			{"ph":")","pid":1,"ts":0,"name":"A","id":1},
			{"ph":"(","pid":1,"ts":1,"name":"A","id":1},
			{"ph":"(","pid":1,"ts":2,"name":"B","id":1},
			{"ph":")","pid":1,"ts":5,"name":"A","id":1},
			{"ph":")","pid":1,"ts":6,"name":"B","id":1},
			{"ph":"(","pid":1,"ts":7,"name":"B"}]`, `
			context 1 dur=4 1/1 "A" id=1 cat="" object=NULL
			context 2 dur=3 1/1 "B" id=1 cat="" object=NULL
			problem context_leave_without_enter 2
			problem context_without_id 1
			problem context_cut_short 1`},
	})
}
