package load

import "testing"

func TestMemoryDumps(t *testing.T) {
	runColdTests(t, []coldTest{
		{"two events of one dump", `[
			{"ph":"v","pid":1,"tid":-1,"ts":7,"id":"0x1","name":"d","args":{"dumps":{"allocators":{
				"malloc/heap/a":{"guid":"1","attrs":{"size":{"type":"scalar","units":"bytes","value":"1a"}}},
				"malloc/heap/b":{"guid":"2","attrs":{"size":{"value":"10"},"effective_size":{"value":"4"}}}}}}},
			{"ph":"v","pid":1,"ts":5,"id":"0x1","name":"d","args":{"dumps":{"level_of_detail":"light","process_totals":{"resident_set_bytes":"ff"}}}},
			{"ph":"V","pid":2,"ts":6,"id":"0x1","name":"d","args":{"dumps":{"ram":"100"}}}]`, `
			memory 0 5 1 dump=0x1 level=light track=memory 1
			memory 1 6 all dump=0x1 level= track=memory all
			node 0 of 0 up=NULL malloc size=42 effective=30 {}
			node 1 of 0 up=0 malloc/heap size=42 effective=30 {}
			node 2 of 0 up=1 malloc/heap/a size=26 effective=26 {args.guid:"1" args.attrs.size.type:"scalar" args.attrs.size.units:"bytes" args.attrs.size.value:"1a"}
			node 3 of 0 up=1 malloc/heap/b size=16 effective=4 {args.guid:"2" args.attrs.size.value:"10" args.attrs.effective_size.value:"4"}`},
		{"heaps in another event", `[
			{"ph":"v","pid":1,"ts":5,"id":"0x1","args":{"dumps":{"process_totals":{"resident_set_bytes":"ff"}}}},
			{"ph":"v","pid":1,"ts":5,"id":"0x1","args":{"dumps":{"level_of_detail":"light","heaps":{"malloc":{}}}}}]`, `
			memory 0 5 1 dump=0x1 level=light track=memory 1
			problem memory_dump_apart 1`},
		{"ownership", `[{"ph":"v","pid":1,"ts":5,"id":1,"args":{"dumps":{
			"allocators":{
				"gpu":{"guid":"a","attrs":{"size":{"value":"64"}}},
				"cc":{"guid":"b","attrs":{"size":{"value":"3c"}}},
				"skia":{"guid":"c","attrs":{"size":{"value":"14"}}},
				"weak":{"guid":"d","flags":1,"attrs":{"size":{"value":"1"}}}},
			"allocators_graph":[
				{"source":"b","target":"a","type":"ownership","importance":1},
				{"source":"c","target":"a","type":"ownership","importance":1},
				{"source":"d","target":"x","type":"ownership"},
				{"source":"d","target":"a","type":"kinship"}]}}}]`, `
			memory 0 5 1 dump=1 level= track=memory 1
			node 0 of 0 up=NULL gpu size=100 effective=40 {args.guid:"a" args.attrs.size.value:"64"}
			node 1 of 0 up=NULL cc size=60 effective=50 {args.guid:"b" args.attrs.size.value:"3c"}
			node 2 of 0 up=NULL skia size=20 effective=10 {args.guid:"c" args.attrs.size.value:"14"}
			node 3 of 0 up=NULL weak size=1 effective=0 {args.guid:"d" args.flags:1 args.attrs.size.value:"1"}
			problem memory_dump_edge 2`},
		{"shared by processes", `[
			{"ph":"v","pid":1,"ts":5,"id":1,"args":{"dumps":{
				"allocators":{"global/s":{"guid":"g","attrs":{"size":{"value":"a"}}},"mine":{"guid":"m"}},
				"allocators_graph":[{"source":"m","target":"g","type":"ownership","importance":2}]}}},
			{"ph":"v","pid":2,"ts":6,"id":1,"args":{"dumps":{
				"allocators":{"global/s":{"guid":"g","attrs":{"size":{"value":"a"}}},"theirs":{"guid":"t"}},
				"allocators_graph":[{"source":"t","target":"g","type":"ownership","importance":1}]}}}]`, `
			memory 0 5 all dump=1 level= track=memory all
			memory 1 5 1 dump=1 level= track=memory 1
			memory 2 6 2 dump=1 level= track=memory 2
			node 0 of 0 up=NULL s size=10 effective=0 {args.guid:"g" args.attrs.size.value:"a"}
			node 1 of 1 up=NULL mine size=10 effective=10 {args.guid:"m"}
			node 2 of 2 up=NULL theirs size=10 effective=0 {args.guid:"t"}`},
		{"a circle", `[{"ph":"v","pid":1,"ts":5,"id":1,"args":{"dumps":{
			"allocators":{"a":{"guid":"1"},"a/b":{"guid":"2","attrs":{"size":{"value":"2"}}},"c":{"guid":"3"}},
			"allocators_graph":[{"source":"1","target":"2","type":"ownership"},{"source":"3","target":"3","type":"ownership"}]}}}]`, `
			memory 0 5 1 dump=1 level= track=memory 1
			node 0 of 0 up=NULL a size=2 effective=2 {args.guid:"1"}
			node 1 of 0 up=0 a/b size=2 effective=2 {args.guid:"2" args.attrs.size.value:"2"}
			node 2 of 0 up=NULL c size=NULL effective=NULL {args.guid:"3"}
			problem memory_dump_cycle 1
			problem memory_dump_edge 1`},
		{"regions", `[{"ph":"v","pid":1,"ts":5,"id":1,"args":{"dumps":{"process_mmaps":{"vm_regions":[
			{"sa":"7fffffff0000","sz":"1000","pf":5,"mf":"/lib/x","bs":{"pss":"ff"}},{"sa":"x","sz":"1"},{"sa":"ffffffffffff0000","sz":"1000","pf":0,"mf":""}]}}}}]`, `
			memory 0 5 1 dump=1 level= track=memory 1
			region of 0 0x7fffffff0000+4096 "/lib/x" protection=5 {args.sa:"7fffffff0000" args.sz:"1000" args.pf:5 args.mf:"/lib/x" args.bs.pss:"ff"}
			region of 0 0xffffffffffff0000+4096 "" protection=0 {args.sa:"ffffffffffff0000" args.sz:"1000" args.pf:0 args.mf:""}
			problem memory_region 1`},
		{"broken", `[{"ph":"v","pid":1,"ts":10,"id":1,"name":"d"},
			{"ph":"v","pid":2,"ts":11,"id":1,"args":{"dumps":{"allocators":{"a":{"attrs":{"size":{"value":"many"}}}}}}}]`, `
			memory 0 10 1 dump=1 level= track=memory 1
			memory 1 11 2 dump=1 level= track=memory 2
			node 0 of 1 up=NULL a size=NULL effective=NULL {args.attrs.size.value:"many"}
			problem memory_dump_empty 1
			problem memory_dump_size 1`},
	})
}
