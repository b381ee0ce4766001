package load

import "testing"

func TestFuchsia(t *testing.T) {
	fuchsia := func(events string) string {
		return `{"traceEvents":[],"systemTraceEvents":{"type":"fuchsia","events":[` + events + `]}}`
	}
	runColdTests(t, []coldTest{
		{"switches", fuchsia(`
			{"ph":"p","pid":10,"name":"app","sort_index":4},
			{"ph":"t","pid":10,"tid":11,"name":"main"},{"ph":"t","pid":10,"tid":12,"name":"io","sort_index":1},
			{"ph":"k","ts":5,"cpu":0,"out":{"pid":0,"tid":11,"state":3,"prio":20},"in":{"pid":0,"tid":12,"prio":16}},
			{"ph":"k","ts":1.5,"cpu":0,"out":{"pid":0,"tid":1,"state":1,"prio":0},"in":{"pid":0,"tid":11,"prio":20}},
			{"ph":"w","ts":7,"cpu":1,"pid":10,"tid":11,"prio":20},
			{"ph":"k","ts":8,"cpu":1,"out":{"pid":0,"tid":1,"state":1,"prio":0},"in":{"pid":10,"tid":11,"prio":20}},
			{"ph":"k","ts":9,"cpu":0,"out":{"pid":10,"tid":12,"state":0,"prio":16},"in":{"pid":0,"tid":1,"prio":0}}`), `
			process 10 "app" labels="" sort=4
			thread 10/11 "main" sort=NULL
			thread 10/12 "io" sort=1
			sched 1500ns dur=3500ns cpu=0 10/11 end=S prio=20
			sched 5 dur=4 cpu=0 10/12 end=R prio=16
			sched 8 dur=open cpu=1 10/11 end= prio=20
			state 1500ns dur=3500ns cpu=0 10/11 Running
			state 5 dur=2 cpu=-1 10/11 S
			state 5 dur=4 cpu=0 10/12 Running
			state 7 dur=1 cpu=-1 10/11 R
			state 8 dur=open cpu=1 10/11 Running
			state 9 dur=open cpu=-1 10/12 R`},
		{"without pids", fuchsia(`
			{"ph":"k","ts":1,"cpu":0,"out":{"tid":1,"state":1,"prio":-2147483648},"in":{"tid":5,"prio":3}},
			{"ph":"k","ts":2,"cpu":0,"out":{"tid":5,"state":5,"prio":3},"in":{"tid":1,"prio":-2147483648}}`), `
			sched 1 dur=1 cpu=0 -/5 end=X prio=3
			state 1 dur=1 cpu=0 -/5 Running
			state 2 dur=open cpu=-1 -/5 X`},
		{"broken", fuchsia(`
			{"ph":"k","ts":1,"cpu":0,"out":{"pid":1,"tid":1,"state":3},"in":{"pid":1,"tid":2}},
			{"ph":"k","ts":2,"cpu":0,"out":{"pid":1,"tid":9,"state":3},"in":{"pid":1,"tid":3}},
			{"ph":"k","ts":3,"cpu":0,"out":{"pid":1,"tid":3,"state":42},"in":{"pid":1,"tid":2}},
			{"ph":"k","ts":4,"cpu":0},{"ph":"z"},7`), `
			sched 1 dur=1 cpu=0 1/2 end= prio=NULL
			sched 2 dur=1 cpu=0 1/3 end= prio=NULL
			sched 3 dur=open cpu=0 1/2 end= prio=NULL
			state 1 dur=1 cpu=0 1/2 Running
			state 2 dur=1 cpu=0 1/3 Running
			state 3 dur=open cpu=0 1/2 Running
			problem fuchsia_event 3
			problem fuchsia_switch 1
			problem fuchsia_thread_state 1`},
		{"no events", `{"traceEvents":[],"systemTraceEvents":{"type":"fuchsia"}}`, `problem bad_system_trace 1`},
	})
}
