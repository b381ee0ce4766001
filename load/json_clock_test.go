package load

import "testing"

func TestClockSync(t *testing.T) {
	runColdTests(t, []coldTest{
		{"receiver and issuer", `[
			{"ph":"c","pid":1,"ts":10,"name":"clock_sync","args":{"sync_id":"a"}},
			{"ph":"c","pid":1,"ts":120,"name":"clock_sync","args":{"sync_id":"b","issue_ts":100.5}}]`, `
			clock 10 trace value=10 sync=a snapshot=0
			clock 120 trace value=100500ns sync=b snapshot=1`},
		{"domains", `{"traceEvents":[{"ph":"c","pid":1,"ts":10,"name":"clock_sync","args":{"sync_id":"a"}}],"controllerTraceDataKey":"traceEvents"}`, `
			clock 10 traceEvents value=10 sync=a snapshot=0
			metadata controllerTraceDataKey = "traceEvents"`},
		{"Chrome's domain", `{"metadata":{"clock-domain":"LINUX_CLOCK_MONOTONIC"},"traceEvents":[{"ph":"c","pid":1,"ts":10,"name":"clock_sync","args":{"sync_id":"a"}}]}`, `
			clock 10 LINUX_CLOCK_MONOTONIC value=10 sync=a snapshot=0
			metadata metadata.clock-domain = "LINUX_CLOCK_MONOTONIC"`},
		{"broken", `[
			{"ph":"c","pid":1,"ts":10,"name":"clock_sync","args":{}},
			{"ph":"c","pid":1,"ts":11,"name":"clock_sync","args":{"sync_id":1,"issue_ts":"soon"}},
			{"ph":"c","pid":1,"ts":12,"name":"clock_sync","args":{"sync_id":"1"}}]`, `
			clock 11 trace value=11 sync=1 snapshot=0
			clock 12 trace value=12 sync=1 snapshot=0
			problem clock_sync_without_id 1
			problem clock_sync_issue_ts 1
			problem clock_sync_twice 1`},
	})
}

func TestLinkedIDs(t *testing.T) {
	runColdTests(t, []coldTest{
		{"linked", `[
			{"ph":"=","pid":1,"ts":5,"cat":"c","name":"n","id":"0x1","args":{"linked_id":"0x2"}},
			{"ph":"=","pid":1,"ts":6,"id2":{"local":"0x3"},"args":{"linked_id2":{"global":4}}},
			{"ph":"=","pid":1,"ts":7,"id":"0x1","args":{}},
			{"ph":"=","pid":1,"ts":7,"args":{"linked_id":1}}]`, `
			linked 5 1 0x1=0x2 cat="c"
			linked 6 1 0x3=4 cat=""
			problem linked_id_missing 2`},
	})
}
