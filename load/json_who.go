package load

import "github.com/weft-trace/weft/trace"

// threadKey is what tells threads apart: the ids of its process and its own.
// Texts are numbered within the chunk.
type threadKey struct{ pid, tid trace.Ident }

// threadTable numbers the threads of one chunk.
type threadTable struct {
	keys  []threadKey
	used  []byte // which of its tracks have slices, as bits
	index map[threadKey]uint32
	cache [threadCache]cachedThread
}

// threadCache is a power of two.
const threadCache = 256

type cachedThread struct {
	pid, tid int64
	thread   uint32 // +1; 0 is an empty place
}

// The tracks that an event's place names within a chunk: its thread's number
// times tracksPerThread, plus one of these.
const (
	onThread = iota
	onProcess
	onGlobal
	tracksPerThread
)

func (t *threadTable) init() { t.index = map[threadKey]uint32{} }

// numbers finds a thread whose ids are both numbers, as nearly all are.
func (t *threadTable) numbers(pid, tid int64) uint32 {
	at := &t.cache[(uint64(pid)*31+uint64(tid))%threadCache]
	if at.thread != 0 && at.pid == pid && at.tid == tid {
		return at.thread - 1
	}
	n := t.find(threadKey{
		trace.Ident{Kind: trace.IdentNumber, Number: pid},
		trace.Ident{Kind: trace.IdentNumber, Number: tid},
	})
	*at = cachedThread{pid, tid, n + 1}
	return n
}

func (t *threadTable) find(key threadKey) uint32 {
	if n, ok := t.index[key]; ok {
		return n
	}
	n := uint32(len(t.keys))
	t.keys = append(t.keys, key)
	t.used = append(t.used, 0)
	t.index[key] = n
	return n
}

// process notes a process of which no thread is told.
func (t *threadTable) process(pid trace.Ident) {
	t.find(threadKey{pid, trace.Ident{Kind: wholeProcess}})
}

// wholeProcess stands in a threadKey for no thread at all.
const wholeProcess = ^trace.IdentKind(0)

// use is the chunk's number for one of a thread's tracks.
func (t *threadTable) use(thread uint32, on uint32) trace.TrackID {
	t.used[thread] |= 1 << on
	return trace.TrackID(thread*tracksPerThread + on)
}

// join returns the trace's threads by the chunk's numbers. names are the
// trace's strings by the chunk's.
func (t *threadTable) join(b *trace.Builder, names []trace.StringID) []trace.UTID {
	threads := make([]trace.UTID, len(t.keys))
	for i, key := range t.keys {
		key.pid.Text, key.tid.Text = names[key.pid.Text], names[key.tid.Text]
		p := b.Process(key.pid)
		if key.tid.Kind == wholeProcess {
			threads[i] = trace.NoThread
			continue
		}
		threads[i] = b.Thread(p, key.tid)
	}
	return threads
}

// assignTracks makes the tracks that any chunk uses, in the order of threads,
// processes and counters, which does not depend on how the input was cut. Then
// it tells each chunk which its own are.
func (l *jsonLoader) assignTracks() {
	j := l.j
	used := make([]byte, len(j.t.Threads))
	for _, c := range l.chunks {
		for i, u := range c.who.used {
			if u != 0 {
				used[c.threads[i]] |= u
			}
		}
	}
	for on := range uint32(tracksPerThread) {
		for t, u := range used {
			if u&(1<<on) != 0 {
				j.track(trace.UTID(t), on)
			}
		}
	}
	for _, s := range j.seriesList {
		t := trace.NewTrack(trace.TrackCounter)
		t.Process = j.b.Process(s.pid)
		t.Category = s.cat
		t.CounterGroup = j.joinWords(s.name, s.id)
		t.Name = j.joinWords(t.CounterGroup, s.key)
		t.Description = s.key
		j.seriesTracks = append(j.seriesTracks, j.b.AddTrack(t))
	}
	for _, c := range l.chunks {
		c.tracks = make([]trace.TrackID, len(c.who.used)*tracksPerThread)
		for i, u := range c.who.used {
			for on := range uint32(tracksPerThread) {
				if u&(1<<on) != 0 {
					c.tracks[uint32(i)*tracksPerThread+on] = j.track(c.threads[i], on)
				}
			}
		}
		c.who = threadTable{}
	}
}

// track is one of the tracks that a thread's events can be on.
func (j *jsonBuild) track(t trace.UTID, on uint32) trace.TrackID {
	switch on {
	case onThread:
		return j.b.ThreadTrack(t)
	case onProcess:
		return j.b.ProcessTrack(j.t.Threads[t].Process)
	default: // onGlobal
		return j.b.GlobalTrack()
	}
}
