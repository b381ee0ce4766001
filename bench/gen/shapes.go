package gen

import (
	"math/rand/v2"
	"strconv"
	"strings"
)

// The shapes. Each is the plainest file that has its trouble in full, so that
// time and memory at N and at 10 N tell whether a reader takes it in linear
// time.

func writeOpen(o *out, _ *rand.Rand, n int) {
	o.open()
	for i := range n {
		o.event("B", 1, 1, epoch+int64(i)*1000)
		o.str("name", "open")
		o.end()
	}
	o.close("")
}

func writeOneThreadBE(o *out, rng *rand.Rand, n int) {
	v := newVocabulary(rng)
	t := &thread{pid: 1, tid: 1, now: epoch}
	o.open()
	for begun, ended := 0, 0; ended < n && o.err == nil; {
		depth := len(t.stack)
		s, end := t.step(rng, v, begun < n)
		if end {
			o.event("E", t.pid, t.tid, t.now)
			o.str("name", s.name.text)
			o.end()
			ended++
		} else if len(t.stack) > depth {
			s := t.stack[depth]
			o.event("B", t.pid, t.tid, s.start)
			o.str("cat", s.name.category)
			o.str("name", s.name.text)
			o.end()
			begun++
		}
	}
	o.close("")
}

func writeTracks(o *out, rng *rand.Rand, n int) {
	o.open()
	for i := range n {
		writeX(o, 1, i+1, epoch+int64(rng.IntN(1_000_000_000)), 1000, "alone")
	}
	o.close("")
}

func writeFlowID(o *out, _ *rand.Rand, n int) {
	o.open()
	writeX(o, 1, 1, epoch, int64(n)*1000+1000, "around")
	for i := range n {
		ph := "t"
		switch i {
		case 0:
			ph = "s"
		case n - 1:
			ph = "f"
		}
		o.event(ph, 1, 1, epoch+int64(i)*1000+500)
		o.str("cat", "flow")
		o.str("name", "step")
		o.int("id", 7)
		if ph == "f" {
			o.str("bp", "e")
		}
		o.end()
	}
	o.close("")
}

func writeLongString(o *out, _ *rand.Rand, n int) {
	o.open()
	o.event("X", 1, 1, epoch)
	o.int("dur", 5)
	o.str("name", "long")
	o.raw(`,"args":{"text":"`)
	fill(o, `abcdefghijklmnopqrstuvwxyz 0123456789 \n`, n)
	o.raw(`"}`)
	o.end()
	o.close("")
}

// fill writes exactly n bytes of text, over and over; what is left over at the
// end becomes dots.
func fill(o *out, text string, n int) {
	for ; n >= len(text) && o.err == nil; n -= len(text) {
		o.raw(text)
		if len(o.b) >= outBuffer {
			o.flush()
		}
	}
	if o.err == nil {
		o.raw(strings.Repeat(".", n))
	}
}

func writeDeepArgs(o *out, _ *rand.Rand, n int) {
	o.open()
	o.event("X", 1, 1, epoch)
	o.int("dur", 5)
	o.str("name", "deep")
	o.raw(`,"args":{"leaf":1`)
	o.key("a")
	for i := range n {
		o.raw([...]string{`{"a":`, `[`}[i%2])
		if len(o.b) >= outBuffer {
			o.flush()
		}
	}
	o.raw("0")
	for i := n - 1; i >= 0; i-- {
		o.raw([...]string{`}`, `]`}[i%2])
		if len(o.b) >= outBuffer {
			o.flush()
		}
	}
	o.raw("}")
	o.end()
	o.close("")
}

func writeUniqueNames(o *out, rng *rand.Rand, n int) {
	o.open()
	for i := range n {
		writeX(o, 1, 1, epoch+int64(i)*1000, 900, "unique/"+strconv.FormatUint(rng.Uint64(), 36)+"/"+strconv.Itoa(i))
	}
	o.close("")
}

// writeOverlap lets slice i run from i to i+n: each begins before the ones
// begun earlier have ended and ends after them.
func writeOverlap(o *out, _ *rand.Rand, n int) {
	o.open()
	for i := range n {
		writeX(o, 1, 1, epoch+int64(i)*2000, int64(n)*2000+1000, "overlap")
	}
	o.close("")
}

func writeEqualTS(o *out, rng *rand.Rand, n int) {
	o.open()
	for range n {
		writeX(o, 1, 1, epoch, int64(rng.IntN(n+1))*1000, "equal")
	}
	o.close("")
}

func writeX(o *out, pid, tid int, ts, dur int64, name string) {
	o.event("X", pid, tid, ts)
	o.time("dur", dur)
	o.str("name", name)
	o.end()
}
