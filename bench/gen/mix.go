package gen

import (
	"math/rand/v2"
	"strconv"
)

// mix writes a program's life as a sequence of scenes. A scene plays on one
// thread, takes some time of that thread's clock and leaves nothing open, so
// scenes follow one another in any order.
type mix struct {
	*out
	rng     *rand.Rand
	v       *vocabulary
	threads []*thread
	ids     uint64 // the last id given to an async, a flow or an object
}

// scenes is every scene, the commonest several times.
var scenes = []func(*mix, *thread){
	(*mix).task, (*mix).task, (*mix).task, (*mix).completes, (*mix).completes,
	(*mix).instants, (*mix).counters, (*mix).async, (*mix).legacyAsync, (*mix).flow, (*mix).bindID,
	(*mix).object, (*mix).sample, (*mix).memoryDump, (*mix).context, (*mix).oddities,
}

func writeMix(o *out, rng *rand.Rand, n int) {
	m := &mix{out: o, rng: rng, v: newVocabulary(rng), threads: newThreads()}
	o.open()
	writeThreadNames(o, m.threads)
	m.metadata()
	for o.events < n && o.err == nil {
		t := m.threads[rng.IntN(len(m.threads))]
		scenes[rng.IntN(len(scenes))](m, t)
		t.now += m.span()
	}
	o.close(mixStackFrames + m.samples() + mixTopLevel)
}

const mixStackFrames = `,
"stackFrames":{
"1":{"category":"libc.so","name":"_start"},
"2":{"category":"app","name":"main","parent":"1"},
"3":{"category":"app","name":"run","parent":2},
"4":{"category":"app","name":"draw","parent":"3"},
"leaf":{"category":"libgpu.so","name":"submit","parent":"4"}}`

const mixTopLevel = `,
"controllerTraceDataKey":"traceEvents",
"otherData":{"version":"1.0","build":{"bits":64,"debug":false}},
"metadata":{"product":"Weft's generator"}`

var mixFrames = []string{"2", "3", "4", "leaf"}

// span draws a length of time, nanoseconds.
func (m *mix) span() int64 { return 500 + int64(m.rng.IntN(1<<(4+m.rng.IntN(14)))) }

func (m *mix) newID() uint64 { m.ids++; return 0x10000 + m.ids*16 }

// named begins an event of a drawn name, and with its category.
func (m *mix) named(ph string, t *thread, ts int64, n *name) {
	m.event(ph, t.pid, t.tid, ts)
	m.str("cat", n.category)
	m.str("name", n.text)
}

func (m *mix) args(json string) { m.raw(`,"args":` + json) }

func (m *mix) metadata() {
	for i, t := range m.threads {
		m.event("M", t.pid, t.tid, noTS)
		m.str("name", "thread_sort_index")
		m.args(`{"sort_index":` + strconv.Itoa(i%8-1) + `}`)
		m.end()
		if i%8 != 0 {
			continue
		}
		m.event("M", t.pid, t.tid, noTS)
		m.str("name", "process_sort_index")
		m.args(`{"sort_index":` + strconv.Itoa(-i) + `}`)
		m.end()
		m.event("M", t.pid, t.tid, noTS)
		m.str("name", "process_labels")
		m.args(`{"labels":"tab ` + strconv.Itoa(i) + `,generated"}`)
		m.end()
		m.event("M", t.pid, t.tid, noTS)
		m.str("name", "num_cpus")
		m.args(`{"number":8}`)
		m.end()
	}
}

// task is a slice made of B and E, with children of both kinds.
func (m *mix) task(t *thread) {
	outer, start := m.v.draw(m.rng), t.now
	m.named("B", t, start, outer)
	m.time("tts", start-epoch)
	m.args(`{"queued":` + strconv.Itoa(m.rng.IntN(900)) + `,"src":{"file":"loop.cc","line":12}}`)
	m.end()
	for range m.rng.IntN(4) {
		inner := m.v.draw(m.rng)
		t.now += m.span()
		m.named("B", t, t.now, inner)
		m.str("sf", mixFrames[m.rng.IntN(len(mixFrames))])
		m.end()
		t.now += m.span()
		m.event("E", t.pid, t.tid, t.now)
		if m.rng.IntN(2) == 0 {
			m.str("name", inner.text)
		}
		m.end()
	}
	t.now += m.span()
	m.named("E", t, t.now, outer)
	m.time("tts", t.now-epoch)
	m.args(`{"result":"ok","src":{"file":"loop.cc","line":13}}`)
	m.end()
}

// completes is X events, children first, with all their optional fields.
func (m *mix) completes(t *thread) {
	start := t.now
	for range 1 + m.rng.IntN(3) {
		t.now += m.span()
		childStart := t.now
		t.now += m.span()
		m.named("X", t, childStart, m.v.draw(m.rng))
		m.time("dur", t.now-childStart)
		m.args(`{"list":[1,2.5,"three",null,true],"empty":{}}`)
		m.end()
	}
	t.now += m.span()
	m.named("X", t, start, m.v.draw(m.rng))
	m.time("dur", t.now-start)
	m.time("tts", start-epoch)
	m.time("tdur", (t.now-start)/2)
	m.int("ticount", start-epoch)
	m.int("tidelta", (t.now-start)*3)
	m.str("sf", "4")
	m.str("esf", "3")
	m.str("cname", "thread_state_running")
	m.end()
}

func (m *mix) instants(t *thread) {
	for _, scope := range []string{"", "t", "p", "g"} {
		t.now += m.span()
		ph := "i"
		if scope == "t" {
			ph = "I"
		}
		m.named(ph, t, t.now, m.v.draw(m.rng))
		if scope != "" {
			m.str("s", scope)
		}
		m.end()
	}
	m.event("R", t.pid, t.tid, t.now)
	m.str("cat", "blink.user_timing")
	m.str("name", "domComplete")
	m.end()
}

func (m *mix) counters(t *thread) {
	for range 1 + m.rng.IntN(4) {
		t.now += m.span()
		m.event("C", t.pid, t.tid, t.now)
		m.str("name", "heap")
		m.args(`{"used":` + strconv.Itoa(m.rng.IntN(1<<30)) + `,"free":` + strconv.Itoa(m.rng.IntN(1<<28)) + `,"mapped":4096}`)
		m.end()
		m.event("C", t.pid, t.tid, t.now)
		m.str("name", "queue")
		m.int("id", int64(m.rng.IntN(3)))
		m.args(`{"length":` + strconv.Itoa(m.rng.IntN(100)) + `.5}`)
		m.end()
	}
}

// async is a nested tree of b, n and e that begins on one thread and may end
// on another.
func (m *mix) async(t *thread) {
	id, start := m.newID(), t.now
	async := func(ph, name, args string, t2 *thread, local bool) {
		m.event(ph, t2.pid, t2.tid, t.now)
		m.str("cat", "net")
		m.str("name", name)
		if local {
			m.raw(`,"id2":{"local":"0x` + strconv.FormatUint(id, 16) + `"}`)
		} else {
			m.hex("id", id)
			m.str("scope", "request")
		}
		if args != "" {
			m.args(args)
		}
		m.end()
		t.now += m.span()
	}
	local := m.rng.IntN(4) == 0
	other := t
	if !local {
		other = m.threads[m.rng.IntN(len(m.threads))]
	}
	async("b", "URLRequest", `{"url":"`+hosts[m.rng.IntN(len(hosts))]+`"}`, t, local)
	async("b", "Headers", "", t, local)
	async("n", "CacheHit", `{"age":`+strconv.FormatInt(t.now-start, 10)+`}`, other, local)
	async("e", "Headers", `{"status":200}`, other, local)
	async("b", "Body", "", other, local)
	async("e", "Body", "", other, local)
	async("e", "URLRequest", `{"bytes":`+strconv.Itoa(m.rng.IntN(1<<20))+`}`, other, local)
}

func (m *mix) legacyAsync(t *thread) {
	id := m.newID()
	step := [...]string{"T", "p"}[m.rng.IntN(2)]
	for i, ph := range []string{"S", step, step, "F"} {
		m.event(ph, t.pid, t.tid, t.now)
		m.str("cat", "input")
		m.str("name", "Gesture")
		m.hex("id", id)
		if ph == step {
			m.args(`{"step":"phase ` + strconv.Itoa(i) + `"}`)
		}
		m.end()
		t.now += m.span()
	}
}

// flow is an arrow over three slices on two threads.
func (m *mix) flow(t *thread) {
	id, other := m.newID(), m.threads[m.rng.IntN(len(m.threads))]
	now := max(t.now, other.now)
	for i, ph := range []string{"s", "t", "f"} {
		th := t
		if ph == "t" {
			th = other
		}
		now += m.span()
		m.named("X", th, now, m.v.draw(m.rng))
		m.int("dur", 2)
		m.end()
		m.event(ph, th.pid, th.tid, now+1000)
		m.str("cat", "ipc")
		m.str("name", "PostTask")
		m.hex("id", id)
		if ph == "f" {
			m.str("bp", "e")
		}
		m.args(`{"hop":` + strconv.Itoa(i) + `}`)
		m.end()
		now += 2000
	}
	t.now, other.now = now, now
}

// bindID is an arrow given by fields of the slices themselves.
func (m *mix) bindID(t *thread) {
	id := m.newID()
	for _, dirs := range []string{`,"flow_out":true`, `,"flow_in":true,"flow_out":true`, `,"flow_in":true`} {
		m.named("X", t, t.now, m.v.draw(m.rng))
		m.int("dur", 3)
		m.hex("bind_id", id)
		m.raw(dirs)
		m.end()
		t.now += 3000 + m.span()
	}
}

// object is the life of a scene node with snapshots, one of which refers to
// another object.
func (m *mix) object(t *thread) {
	id := m.newID()
	object := func(ph, name, args string) {
		m.event(ph, t.pid, t.tid, t.now)
		m.str("cat", "scene")
		m.str("name", name)
		m.hex("id", id)
		if args != "" {
			m.args(args)
		}
		m.end()
		t.now += m.span()
	}
	object("N", "Node", "")
	object("O", "Node", `{"snapshot":{"children":[],"visible":true}}`)
	object("O", "SpriteNode", `{"snapshot":{"base_type":"Node","cat":"sprite","texture":{"id":"Texture/0x`+strconv.FormatUint(id+1, 16)+
		`","width":64,"height":64},"self":{"id_ref":"0x`+strconv.FormatUint(id, 16)+`"}}}`)
	if m.rng.IntN(3) != 0 {
		object("D", "Node", "")
	}
}

func (m *mix) sample(t *thread) {
	m.event("P", t.pid, t.tid, t.now)
	m.str("cat", "profiler")
	m.str("name", "sample")
	m.str("sf", mixFrames[m.rng.IntN(len(mixFrames))])
	m.end()
	t.now += m.span()
	m.event("P", t.pid, t.tid, t.now)
	m.str("name", "sample")
	m.raw(`,"stack":["0x1000","0x2040","app::draw"]`)
	m.end()
}

func (m *mix) memoryDump(t *thread) {
	id := m.newID()
	m.event("V", t.pid, t.tid, t.now)
	m.str("name", "periodic_interval")
	m.hex("id", id)
	m.args(`{"dumps":{"level_of_detail":"light"}}`)
	m.end()
	m.event("v", t.pid, t.tid, t.now)
	m.str("name", "periodic_interval")
	m.hex("id", id)
	m.args(`{"dumps":{"level_of_detail":"light","process_totals":{"resident_set_bytes":"` + strconv.FormatInt(int64(m.rng.IntN(1<<30)), 16) +
		`"},"process_mmaps":{"vm_regions":[{"sa":"7f0000000000","sz":"2000","pf":5,"mf":"/lib/libc.so","bs":{"pss":"1000"}}]},` +
		`"allocators":{"malloc":{"guid":"a1","attrs":{"size":{"type":"scalar","units":"bytes","value":"3000"}}},` +
		`"malloc/objects":{"guid":"a2","attrs":{"size":{"type":"scalar","units":"bytes","value":"2000"}}}},` +
		`"allocators_graph":[{"source":"a2","target":"a1","type":"ownership","importance":1}]}}`)
	m.end()
}

func (m *mix) context(t *thread) {
	id := m.newID()
	m.event("(", t.pid, t.tid, t.now)
	m.str("cat", "blame")
	m.str("name", "FrameTree")
	m.hex("id", id)
	m.end()
	t.now += m.span()
	m.task(t)
	t.now += m.span()
	m.event(")", t.pid, t.tid, t.now)
	m.str("cat", "blame")
	m.str("name", "FrameTree")
	m.hex("id", id)
	m.end()
}

// oddities is what few producers write: clock syncs, linked ids, strings where
// numbers are usual, ids that are text.
func (m *mix) oddities(t *thread) {
	id := strconv.FormatUint(m.newID(), 16)
	m.event("c", t.pid, t.tid, t.now)
	m.str("name", "clock_sync")
	m.args(`{"sync_id":"` + id + `","issue_ts":` + string(appendMicros(nil, t.now-300)) + `}`)
	m.end()
	m.event("=", t.pid, t.tid, t.now)
	m.str("cat", "link")
	m.str("name", "same")
	m.str("id", "0x"+id)
	m.args(`{"linked_id":"other-` + id + `"}`)
	m.end()
	m.raw(",\n" + `{"pid":"` + strconv.Itoa(t.pid) + `","tid":"worker","ph":"X","ts":"` + string(appendMicros(nil, t.now)) +
		`","dur":"0.5","name":"caf\u00e9 \ud83d\ude00 \"quoted\"","args":"__stripped__"}`)
	m.events++
}

// samples is the top-level key of that name.
func (m *mix) samples() string {
	b := []byte(",\n\"samples\":[")
	for i := range 1 + m.events/50 {
		if i > 0 {
			b = append(b, ',')
		}
		t := m.threads[i%len(m.threads)]
		b = append(b, "\n{\"cpu\":"...)
		b = strconv.AppendInt(b, int64(i%4), 10)
		b = append(b, `,"tid":`...)
		b = strconv.AppendInt(b, int64(t.tid), 10)
		b = append(b, `,"ts":`...)
		b = appendMicros(b, epoch+int64(i)*1_000_003)
		b = append(b, `,"name":"cycles","sf":"`...)
		b = append(b, mixFrames[i%len(mixFrames)]...)
		b = append(b, `","weight":1}`...)
	}
	return string(append(b, ']'))
}
