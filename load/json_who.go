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

// use is the chunk's number for one of a thread's tracks.
func (t *threadTable) use(thread uint32, on uint32) trace.TrackID {
	t.used[thread] |= 1 << on
	return trace.TrackID(thread*tracksPerThread + on)
}

// join returns the trace's threads by the chunk's numbers, and its tracks for
// the places in use. names are the trace's strings by the chunk's.
func (t *threadTable) join(b *trace.Builder, names []trace.StringID) (threads []trace.UTID, tracks []trace.TrackID) {
	threads = make([]trace.UTID, len(t.keys))
	tracks = make([]trace.TrackID, len(t.keys)*tracksPerThread)
	for i, key := range t.keys {
		key.pid.Text, key.tid.Text = names[key.pid.Text], names[key.tid.Text]
		p := b.Process(key.pid)
		threads[i] = b.Thread(p, key.tid)
		at := tracks[i*tracksPerThread:]
		if t.used[i]&(1<<onThread) != 0 {
			at[onThread] = b.ThreadTrack(threads[i])
		}
		if t.used[i]&(1<<onProcess) != 0 {
			at[onProcess] = b.ProcessTrack(p)
		}
		if t.used[i]&(1<<onGlobal) != 0 {
			at[onGlobal] = b.GlobalTrack()
		}
	}
	return threads, tracks
}
