package gen

import (
	"io"
	"strconv"
)

// outBuffer is how much is gathered before it is written.
const outBuffer = 1 << 18

// out appends JSON to a buffer and writes it out whenever it is full. The
// strings given to it must not need escaping. After the first failed write it
// writes no more; flush returns that error.
type out struct {
	w      io.Writer
	b      []byte
	err    error
	events int // events begun
}

func newOut(w io.Writer) *out { return &out{w: w, b: make([]byte, 0, outBuffer+1<<12)} }

func (o *out) flush() error {
	if o.err == nil {
		_, o.err = o.w.Write(o.b)
	}
	o.b = o.b[:0]
	return o.err
}

// open begins the object container, up to the first event.
func (o *out) open() { o.raw("{\"displayTimeUnit\":\"ms\",\"traceEvents\":[\n") }

// close ends the container; more holds further top-level keys, each led by a
// comma.
func (o *out) close(more string) {
	o.raw("\n]")
	o.raw(more)
	o.raw("}\n")
}

// event begins an event on a line of its own. No ts is written when it is
// noTS.
func (o *out) event(ph string, pid, tid int, ts int64) {
	if len(o.b) >= outBuffer {
		o.flush()
	}
	if o.events > 0 {
		o.b = append(o.b, ',', '\n')
	}
	o.events++
	o.raw(`{"pid":`)
	o.b = strconv.AppendInt(o.b, int64(pid), 10)
	o.raw(`,"tid":`)
	o.b = strconv.AppendInt(o.b, int64(tid), 10)
	o.raw(`,"ph":"`)
	o.raw(ph)
	o.b = append(o.b, '"')
	if ts != noTS {
		o.time("ts", ts)
	}
}

// noTS stands for an event without a timestamp.
const noTS = int64(-1) << 63

func (o *out) end() { o.b = append(o.b, '}') }

func (o *out) raw(s string) { o.b = append(o.b, s...) }

// key begins a field of an object that already has one.
func (o *out) key(k string) {
	o.raw(`,"`)
	o.raw(k)
	o.raw(`":`)
}

func (o *out) str(k, v string) {
	o.key(k)
	o.b = append(o.b, '"')
	o.raw(v)
	o.b = append(o.b, '"')
}

func (o *out) int(k string, v int64) {
	o.key(k)
	o.b = strconv.AppendInt(o.b, v, 10)
}

// hex writes an id as producers print pointers: a string.
func (o *out) hex(k string, v uint64) {
	o.key(k)
	o.raw(`"0x`)
	o.b = strconv.AppendUint(o.b, v, 16)
	o.b = append(o.b, '"')
}

// time writes nanoseconds as microseconds with up to three decimals.
func (o *out) time(k string, ns int64) {
	o.key(k)
	o.b = appendMicros(o.b, ns)
}

func appendMicros(b []byte, ns int64) []byte {
	if ns < 0 {
		b = append(b, '-')
		ns = -ns
	}
	b = strconv.AppendInt(b, ns/1000, 10)
	f := ns % 1000
	if f == 0 {
		return b
	}
	b = append(b, '.', byte('0'+f/100))
	if f%100 != 0 {
		b = append(b, byte('0'+f/10%10))
	}
	if f%10 != 0 {
		b = append(b, byte('0'+f%10))
	}
	return b
}

// nameMetadata writes the M events that name a process or, with tid, a thread.
func (o *out) nameMetadata(what string, pid, tid int, name string) {
	o.event("M", pid, tid, noTS)
	o.str("name", what)
	o.raw(`,"args":{"name":"`)
	o.raw(name)
	o.raw(`"}`)
	o.end()
}
