package load

import "testing"

func TestObjects(t *testing.T) {
	runColdTests(t, []coldTest{
		{"life", `[
			{"ph":"N","pid":1,"tid":2,"ts":0,"name":"T","cat":"c","id":"0x1"},
			{"ph":"O","pid":1,"tid":2,"ts":3,"name":"T","cat":"c","id":"0x1","args":{"snapshot":{"v":1}}},
			{"ph":"D","pid":1,"tid":2,"ts":5,"name":"T","cat":"c","id":"0x1"},
			{"ph":"N","pid":1,"tid":2,"ts":5,"name":"U","cat":"c","id":"0x1"}]`, `
			object 0 1 scope="" id=0x1 type=T cat="c" created=0 by=1/2 deleted=5
			object 1 1 scope="" id=0x1 type=U cat="c" created=5 by=1/2 deleted=NULL
			snapshot 0 of 0 at 3 type=T base="" cat="c" {args.snapshot.v:1}`},
		{"any order", `[
			{"ph":"D","pid":1,"ts":10,"name":"T","id":"0x1"},
			{"ph":"O","pid":1,"ts":5,"name":"T","id":"0x1","args":{"snapshot":15}},
			{"ph":"N","pid":1,"ts":0,"name":"T","id":"0x1"}]`, `
			object 0 1 scope="" id=0x1 type=T cat="" created=0 by=1/1 deleted=10
			snapshot 0 of 0 at 5 type=T base="" cat="" {args.snapshot:15}`},
		{"identity", `[
			{"ph":"N","pid":1,"ts":0,"name":"A","id":7},
			{"ph":"N","pid":2,"ts":0,"name":"B","id":"7"},
			{"ph":"N","pid":1,"ts":0,"name":"C","id":7,"scope":"s"},
			{"ph":"N","pid":1,"ts":0,"name":"D","id2":{"global":"7"}},
			{"ph":"D","pid":2,"ts":9,"name":"D","id2":{"global":"7"}},
			{"ph":"N","pid":1,"ts":1,"name":"E","id2":{"local":"8"},"id":"9"},
			{"ph":"D","pid":1,"ts":8,"name":"A","id":"7"}]`, `
			object 0 1 scope="" id=7 type=A cat="" created=0 by=1/1 deleted=8
			object 1 2 scope="" id=7 type=B cat="" created=0 by=2/2 deleted=NULL
			object 2 1 scope="s" id=7 type=C cat="" created=0 by=1/1 deleted=NULL
			object 3 all scope="" id=7 type=D cat="" created=0 by=1/1 deleted=9
			object 4 1 scope="" id=8 type=E cat="" created=1 by=1/1 deleted=NULL
			problem id_and_id2 1`},
		{"never announced, after deletion", `[
			{"ph":"O","pid":1,"ts":5,"name":"T","id":"0x1","args":{"snapshot":{}}},
			{"ph":"N","pid":1,"ts":7,"name":"T","id":"0x1"},
			{"ph":"D","pid":1,"ts":8,"name":"T","id":"0x1"},
			{"ph":"O","pid":1,"ts":9,"name":"T","id":"0x1","args":{"snapshot":{}}},
			{"ph":"D","pid":1,"ts":3,"name":"T","id":"0x1"}]`, `
			object 0 1 scope="" id=0x1 type=T cat="" created=NULL by=NULL deleted=8
			object 1 1 scope="" id=0x1 type=T cat="" created=NULL by=NULL deleted=NULL
			snapshot 0 of 0 at 5 type=T base="" cat="" {args.snapshot:{}}
			snapshot 1 of 1 at 9 type=T base="" cat="" {args.snapshot:{}}
			problem object_created_twice 1
			problem object_deleted_unseen 1`},
		{"overrides", `[
			{"ph":"N","pid":1,"ts":0,"name":"Base","cat":"c","id":"1"},
			{"ph":"O","pid":1,"ts":1,"name":"Sub","cat":"c","id":"1","args":{"snapshot":{"base_type":"Base","cat":"real"}}},
			{"ph":"O","pid":1,"ts":2,"name":"Sub","cat":"c","id":"1","tts":4,"args":{"cat":"outer","snapshot":{"base_type":"Base"}}},
			{"ph":"D","pid":1,"ts":3,"name":"Base","cat":"c","id":"1"},
			{"ph":"O","pid":1,"ts":4,"name":"Sub","cat":"c","id":"2","args":{"snapshot":{"base_type":"Base"}}},
			{"ph":"D","pid":1,"ts":5,"name":"Base","cat":"c","id":"2"},
			{"ph":"N","pid":1,"ts":5,"name":"T","id":"3"},
			{"ph":"D","pid":1,"ts":6,"name":"Other","id":"3"}]`, `
			object 0 1 scope="" id=1 type=Base cat="c" created=0 by=1/1 deleted=3
			object 1 1 scope="" id=2 type=Sub cat="c" created=NULL by=NULL deleted=5
			object 2 1 scope="" id=3 type=T cat="" created=5 by=1/1 deleted=6
			snapshot 0 of 0 at 1 type=Sub base="Base" cat="real" {args.snapshot.base_type:"Base" args.snapshot.cat:"real"}
			snapshot 1 of 0 at 2 type=Sub base="Base" cat="outer" {args.cat:"outer" args.snapshot.base_type:"Base" event.tts:4}
			snapshot 2 of 1 at 4 type=Sub base="Base" cat="c" {args.snapshot.base_type:"Base"}
			problem object_type_differs 1`},
		{"unusable", `[
			{"ph":"O","pid":1,"ts":5,"name":"T","id":"0x1","args":{"v":1}},
			{"ph":"N","pid":1,"ts":5,"name":"T"},
			{"ph":"O","pid":1,"ts":6,"name":"T","id":1,"args":{"snapshot":{"v":1}}},
			{"ph":"O","pid":1,"ts":6,"name":"T","id":1,"args":{"snapshot":{"v":2}}}]`, `
			object 0 1 scope="" id=1 type=T cat="" created=NULL by=NULL deleted=NULL
			snapshot 0 of 0 at 6 type=T base="" cat="" {args.snapshot.v:1}
			problem object_without_id 1
			problem snapshot_missing 1
			problem snapshot_twice 1`},
	})
}

func TestImplicitSnapshots(t *testing.T) {
	runColdTests(t, []coldTest{
		{"nested", `[{"ph":"O","pid":1,"ts":5,"name":"T","cat":"c","id":"0x1","scope":"s","args":{"snapshot":{
				"a":{"v":1,"id":"x::A/0x2","list":[{"id":"B/0x3","cat":"d","base_type":"Z"}]},
				"plain":{"id":42},"text":{"id":"Type/name"},"none":{"id":"/0x4"}}}},
			{"ph":"D","pid":1,"ts":6,"name":"B","id":"0x3","scope":"s"}]`, `
			object 0 1 scope="s" id=0x1 type=T cat="c" created=NULL by=NULL deleted=NULL
			object 1 1 scope="s" id=0x2 type=x::A cat="c" created=NULL by=NULL deleted=NULL
			object 2 1 scope="s" id=0x3 type=B cat="d" created=NULL by=NULL deleted=6
			snapshot 0 of 0 at 5 type=T base="" cat="c" {args.snapshot.a.v:1 args.snapshot.a.id:"x::A/0x2" args.snapshot.a.list[0].id:"B/0x3" args.snapshot.a.list[0].cat:"d" args.snapshot.a.list[0].base_type:"Z" args.snapshot.plain.id:42 args.snapshot.text.id:"Type/name" args.snapshot.none.id:"/0x4" args.snapshot.a:snapshot 1}
			snapshot 1 of 1 at 5 type=x::A base="" cat="c" implicit {args.snapshot.v:1 args.snapshot.id:"x::A/0x2" args.snapshot.list[0].id:"B/0x3" args.snapshot.list[0].cat:"d" args.snapshot.list[0].base_type:"Z" args.snapshot.list[0]:snapshot 2}
			snapshot 2 of 2 at 5 type=B base="Z" cat="d" implicit {args.snapshot.id:"B/0x3" args.snapshot.cat:"d" args.snapshot.base_type:"Z"}`},
		{"an explicit one at the same time counts", `[
			{"ph":"O","pid":1,"ts":5,"name":"T","id":"0x1","args":{"snapshot":{"a":{"id":"A/0x2"}}}},
			{"ph":"O","pid":1,"ts":5,"name":"A","id":"0x2","args":{"snapshot":{"v":1}}}]`, `
			object 0 1 scope="" id=0x1 type=T cat="" created=NULL by=NULL deleted=NULL
			object 1 1 scope="" id=0x2 type=A cat="" created=NULL by=NULL deleted=NULL
			snapshot 0 of 0 at 5 type=T base="" cat="" {args.snapshot.a.id:"A/0x2" args.snapshot.a:snapshot 1}
			snapshot 1 of 1 at 5 type=A base="" cat="" {args.snapshot.v:1}`},
	})
}

func TestReferences(t *testing.T) {
	const object = `{"ph":"N","pid":1,"ts":0,"name":"T","id":"0x1"},
		{"ph":"O","pid":1,"ts":10,"name":"T","id":"0x1","args":{"snapshot":{"v":10}}},
		{"ph":"O","pid":1,"ts":20,"name":"T","id":"0x1","args":{"snapshot":{"v":20}}},
		{"ph":"D","pid":1,"ts":30,"name":"T","id":"0x1"}`
	const rows = `
		object 0 1 scope="" id=0x1 type=T cat="" created=0 by=1/1 deleted=30
		snapshot 0 of 0 at 10 type=T base="" cat="" {args.snapshot.v:10}
		snapshot 1 of 0 at 20 type=T base="" cat="" {args.snapshot.v:20}`
	slice := func(ts string) string {
		return `{"ph":"X","pid":1,"tid":5,"ts":` + ts + `,"dur":0.1,"name":"s","args":{"o":{"id_ref":"0x1"}}}`
	}
	runColdTests(t, []coldTest{
		{"the specification's table", `[` + object + `,` + slice("5") + `,` + slice("15") + `,` + slice("20") + `,` + slice("25") + `,` + slice("30") + `,` + slice("-1") + `]`, `
			slice -1 "s" stack=NULL end=NULL {args.o.id_ref:"0x1"}
			slice 5 "s" stack=NULL end=NULL {args.o.id_ref:"0x1" args.o:snapshot 0}
			slice 15 "s" stack=NULL end=NULL {args.o.id_ref:"0x1" args.o:snapshot 0}
			slice 20 "s" stack=NULL end=NULL {args.o.id_ref:"0x1" args.o:snapshot 1}
			slice 25 "s" stack=NULL end=NULL {args.o.id_ref:"0x1" args.o:snapshot 1}
			slice 30 "s" stack=NULL end=NULL {args.o.id_ref:"0x1"}` + rows + `
			problem unknown_id_ref 2`},
		{"where they stand", `[` + object + `,
			{"ph":"B","pid":1,"ts":15,"name":"b","args":{"list":[1,{"x":{"id_ref":"0x1"}}]}},{"ph":"E","pid":1,"ts":16,"args":{"end":{"id_ref":"0x1"}}},
			{"ph":"b","pid":1,"ts":17,"name":"async","cat":"c","id":1,"args":{"o":{"id_ref":"0x1"}}}]`, `
			slice 15 "b" stack=NULL end=NULL {args.list[0]:1 args.list[1].x.id_ref:"0x1" args.end.id_ref:"0x1" args.list[1].x:snapshot 0 args.end:snapshot 0}
			slice 17 "async" stack=NULL end=NULL {args.o.id_ref:"0x1" args.o:snapshot 0}` + rows},
		{"other identities", `[
			{"ph":"O","pid":1,"ts":10,"name":"S","id":"1","scope":"s","args":{"snapshot":1}},
			{"ph":"O","pid":1,"ts":10,"name":"G","id2":{"global":"1"},"args":{"snapshot":{"other":{"id_ref":1,"scope":"s"}}}},
			{"ph":"i","pid":2,"ts":0,"name":"i","args":{"o":{"id_ref":1}}}]`, `
			slice 0 "i" stack=NULL end=NULL {args.o.id_ref:1 args.o:snapshot 1}
			object 0 1 scope="s" id=1 type=S cat="" created=NULL by=NULL deleted=NULL
			object 1 all scope="" id=1 type=G cat="" created=NULL by=NULL deleted=NULL
			snapshot 0 of 0 at 10 type=S base="" cat="" {args.snapshot:1}
			snapshot 1 of 1 at 10 type=G base="" cat="" {args.snapshot.other.id_ref:1 args.snapshot.other.scope:"s"}
			problem unknown_id_ref 1`},
	})
}
