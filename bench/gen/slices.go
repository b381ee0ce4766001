package gen

import (
	"math/rand/v2"
	"strconv"
)

const (
	// epoch is when every trace begins: 1.6e15 µs and a bit, as clocks that
	// count from 1970 give.
	epoch = int64(1600000000154123457)

	maxDepth    = 12
	threadChunk = 64 // events that a thread writes at a time, as tracers buffer them
)

var processNames = []string{"Browser", "Renderer", "Renderer (background)", "GPU Process", "Network Service"}

// thread is a thread that runs slices one inside another.
type thread struct {
	pid, tid int
	name     string
	now      int64
	stack    []openSlice
}

type openSlice struct {
	start int64
	name  *name
	frame int64
}

// newThreads gives eight threads to each process.
func newThreads() []*thread {
	names := []string{"CrMain", "Compositor", "IOThread", "ThreadPoolForegroundWorker", "ThreadPoolBackgroundWorker", "Audio", "Raster", "Watchdog"}
	var ts []*thread
	for p := range processNames {
		for i, n := range names {
			pid := 4200 + 17*p
			ts = append(ts, &thread{pid: pid, tid: pid + i, name: n, now: epoch + int64(len(ts))*811})
		}
	}
	return ts
}

func writeThreadNames(o *out, threads []*thread) {
	for i, t := range threads {
		if i == 0 || threads[i-1].pid != t.pid {
			o.nameMetadata("process_name", t.pid, t.tid, processNames[(t.pid-4200)/17])
		}
		o.nameMetadata("thread_name", t.pid, t.tid, t.name)
	}
}

// step lets time pass on a thread and then begins a slice or ends the
// innermost, which it returns. It ends one whenever mayBegin is false.
func (t *thread) step(rng *rand.Rand, v *vocabulary, mayBegin bool) (ended openSlice, ok bool) {
	r := rng.Uint64()
	// Mostly hundreds of nanoseconds, now and then a hundred microseconds.
	t.now += int64(r>>8&255) << (r & 7) >> (r >> 3 & 1) * (1 + int64(r>>4&1))
	depth := len(t.stack)
	begin := depth == 0 || depth < maxDepth && int(r>>32&63) < 36-2*depth
	if mayBegin && begin {
		t.stack = append(t.stack, openSlice{t.now, v.draw(rng), t.now / 16666667 % 100000})
		return openSlice{}, false
	}
	if depth == 0 {
		return openSlice{}, false
	}
	ended = t.stack[depth-1]
	t.stack = t.stack[:depth-1]
	return ended, true
}

// writeSlices writes the yardstick's input. Threads take turns by their clocks
// and write the slices that they complete, a chunk at a time.
func writeSlices(o *out, rng *rand.Rand, n int) {
	v := newVocabulary(rng)
	threads := newThreads()
	o.open()
	writeThreadNames(o, threads)
	begun, written := 0, 0
	for written < n && o.err == nil {
		t := nextThread(threads, begun < n)
		for chunk := 0; chunk < threadChunk; {
			mayBegin := begun < n
			depth := len(t.stack)
			s, ended := t.step(rng, v, mayBegin)
			if ended {
				writeComplete(o, rng, t, s)
				written++
				chunk++
			} else if len(t.stack) > depth {
				begun++
			} else {
				break // nothing is open and nothing may begin
			}
		}
	}
	o.close("")
}

// nextThread is the thread whose clock is behind all others; once no slice may
// begin, of those that still have one open.
func nextThread(threads []*thread, mayBegin bool) *thread {
	var next *thread
	for _, t := range threads {
		if (mayBegin || len(t.stack) > 0) && (next == nil || t.now < next.now) {
			next = t
		}
	}
	return next
}

func writeComplete(o *out, rng *rand.Rand, t *thread, s openSlice) {
	o.event("X", t.pid, t.tid, s.start)
	o.time("dur", t.now-s.start)
	o.str("cat", s.name.category)
	o.str("name", s.name.text)
	o.raw(`,"args":{"frame":`)
	o.b = strconv.AppendInt(o.b, s.frame, 10)
	r := rng.Uint64()
	if r&1 == 0 {
		o.raw(`,"url":"`)
		o.raw(hosts[r>>2&3])
		o.raw(files[r>>8%uint64(len(files))])
		o.b = append(o.b, '-')
		o.b = strconv.AppendUint(o.b, r>>44, 16)
		if r>>16&15 == 0 {
			o.raw(`.js?session=`)
			o.b = strconv.AppendUint(o.b, r*0x9E3779B97F4A7C15, 36)
		}
		o.raw(`"}`)
	} else {
		o.str("detail", details[r>>8%uint64(len(details))])
		o.b = append(o.b, '}')
	}
	o.end()
}
