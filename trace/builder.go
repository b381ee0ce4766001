package trace

import (
	"cmp"
	"runtime"
	"slices"
)

// Builder makes a Trace. A loader tells it what the input holds, in any order,
// then calls Finish. It is not safe for concurrent use; what costs time it
// does on many goroutines itself.
type Builder struct {
	t       *Trace
	in      *Interner
	workers int

	processes    map[Ident]UPID
	threads      map[threadKey]UTID
	threadTracks []TrackID // by UTID; NoTrack until asked for
	procTracks   map[UPID]TrackID
	globalTrack  TrackID
	problems     map[*ProblemKind]*Problem

	slices *merged // where each slice came from, until Finish
}

// Ident is an id of a process or a thread as a file gives it: a number, a
// text, or nothing.
type Ident struct {
	Kind   IdentKind
	Number int64    // for IdentNumber
	Text   StringID // for IdentText
}

// IdentKind says what an Ident is.
type IdentKind uint8

// The kinds of ids.
const (
	IdentNone IdentKind = iota
	IdentNumber
	IdentText
)

type threadKey struct {
	process UPID
	id      Ident
}

// NewBuilder returns a builder whose strings are those of in, and which works
// on that many goroutines; 0 is one for each cpu.
func NewBuilder(in *Interner, workers int) *Builder {
	if workers <= 0 {
		workers = runtime.GOMAXPROCS(0)
	}
	return &Builder{
		t:           &Trace{TimeUnit: "ms"},
		in:          in,
		workers:     workers,
		processes:   map[Ident]UPID{},
		threads:     map[threadKey]UTID{},
		procTracks:  map[UPID]TrackID{},
		globalTrack: NoTrack,
		problems:    map[*ProblemKind]*Problem{},
	}
}

// Workers is how many goroutines the builder works on.
func (b *Builder) Workers() int { return b.workers }

// Trace is the trace so far. Its small tables may be changed; its slices must
// not.
func (b *Builder) Trace() *Trace { return b.t }

// Interner is what gives strings their ids.
func (b *Builder) Interner() *Interner { return b.in }

// Process returns the process with this id, which it makes when it is new. A
// process whose id is text is named by it.
func (b *Builder) Process(id Ident) UPID {
	if p, ok := b.processes[id]; ok {
		return p
	}
	p := UPID(len(b.t.Processes))
	b.processes[id] = p
	row := Process{StartTS: NoTime, EndTS: NoTime, Parent: NoProcess, SortIndex: NoInt}
	switch id.Kind {
	case IdentNumber:
		row.PID, row.HasPID = id.Number, true
	case IdentText:
		row.Name = id.Text
	default: // the process of all events that name none
	}
	b.t.Processes = append(b.t.Processes, row)
	return p
}

// Thread returns a process's thread with this id, which it makes when it is
// new. IdentNone is the main thread, whose id is that of its process. A thread
// whose id is text is named by it.
func (b *Builder) Thread(p UPID, id Ident) UTID {
	proc := &b.t.Processes[p]
	if id.Kind == IdentNone && proc.HasPID {
		id = Ident{Kind: IdentNumber, Number: proc.PID}
	}
	key := threadKey{p, id}
	if t, ok := b.threads[key]; ok {
		return t
	}
	t := UTID(len(b.t.Threads))
	b.threads[key] = t
	row := Thread{Process: p, StartTS: NoTime, EndTS: NoTime, SortIndex: NoInt}
	switch id.Kind {
	case IdentNumber:
		row.TID, row.HasTID = id.Number, true
		row.IsMain = proc.HasPID && proc.PID == id.Number
	case IdentText:
		row.Name = id.Text
	default: // the main thread of a process without a number
		row.IsMain = true
	}
	b.t.Threads = append(b.t.Threads, row)
	b.threadTracks = append(b.threadTracks, NoTrack)
	return t
}

// AddTrack adds a track.
func (b *Builder) AddTrack(t Track) TrackID {
	b.t.Tracks = append(b.t.Tracks, t)
	return TrackID(len(b.t.Tracks) - 1)
}

// NewTrack is a track of a kind that belongs to nothing yet.
func NewTrack(kind TrackType) Track {
	return Track{Type: kind, Parent: NoTrack, Process: NoProcess, Thread: NoThread, CPU: -1, SortIndex: NoInt}
}

// ThreadTrack is the track of a thread's slices.
func (b *Builder) ThreadTrack(t UTID) TrackID {
	if b.threadTracks[t] == NoTrack {
		track := NewTrack(TrackThread)
		track.Thread, track.Process = t, b.t.Threads[t].Process
		b.threadTracks[t] = b.AddTrack(track)
	}
	return b.threadTracks[t]
}

// ProcessTrack is the track of what belongs to a process as a whole.
func (b *Builder) ProcessTrack(p UPID) TrackID {
	if t, ok := b.procTracks[p]; ok {
		return t
	}
	track := NewTrack(TrackProcess)
	track.Process = p
	b.procTracks[p] = b.AddTrack(track)
	return b.procTracks[p]
}

// GlobalTrack is the track of what belongs to the whole trace.
func (b *Builder) GlobalTrack() TrackID {
	if b.globalTrack == NoTrack {
		b.globalTrack = b.AddTrack(NewTrack(TrackGlobal))
	}
	return b.globalTrack
}

// Problem counts a problem count times, with samples of where. A kind is
// listed once, whatever the number of calls.
func (b *Builder) Problem(kind *ProblemKind, count int64, samples ...ProblemSample) {
	if count == 0 {
		return
	}
	p := b.problems[kind]
	if p == nil {
		p = &Problem{ProblemKind: kind}
		b.problems[kind] = p
	}
	p.Count += count
	p.Samples = append(p.Samples, samples[:min(len(samples), MaxProblemSamples-len(p.Samples))]...)
}

// Lines asks, once, for the lines that all samples of problems stand in: of is
// given ascending byte offsets and returns a line, from 1, for each.
func (b *Builder) Lines(of func(offsets []int64) []int64) {
	var samples []*ProblemSample
	for _, p := range b.problems {
		for i := range p.Samples {
			if p.Samples[i].Offset >= 0 {
				samples = append(samples, &p.Samples[i])
			}
		}
	}
	slices.SortFunc(samples, func(a, b *ProblemSample) int { return cmp.Compare(a.Offset, b.Offset) })
	offsets := make([]int64, len(samples))
	for i, s := range samples {
		offsets[i] = s.Offset
	}
	for i, line := range of(offsets) {
		samples[i].Line = line
	}
}

// Parallel calls f(0) … f(n-1) on as many goroutines as the builder works on,
// and waits for all.
func (b *Builder) Parallel(n int, f func(i int)) { parallel(b.workers, n, f) }

// Finish completes the trace: bounds, and tables in their order. The builder
// must not be used afterwards.
func (b *Builder) Finish() *Trace {
	t := b.t
	b.slices = nil
	t.Strings = *b.in.Strings()
	for i := range t.Tracks {
		b.nameTrack(&t.Tracks[i])
	}
	byTime(t.Flows, func(r *Flow) int64 { return r.TSOut })
	byTime(t.Samples, func(r *Sample) int64 { return r.TS })
	byTime(t.Contexts, func(r *Context) int64 { return r.TS })
	byTime(t.LinkedIDs, func(r *LinkedID) int64 { return r.TS })
	byTime(t.ClockSnapshots, func(r *ClockSnapshot) int64 { return r.TS })
	byTime(t.Sched, func(r *Sched) int64 { return r.TS })
	b.bounds()
	t.Problems = b.sortedProblems()
	return t
}

// nameTrack names the tracks of threads and processes after them.
func (b *Builder) nameTrack(track *Track) {
	if track.Name != 0 {
		return
	}
	switch track.Type {
	case TrackThread, TrackOverflow:
		if track.Thread != NoThread {
			track.Name = b.t.Threads[track.Thread].Name
		}
	case TrackProcess, TrackMemory:
		if track.Process != NoProcess {
			track.Name = b.t.Processes[track.Process].Name
		}
	default: // others are named by what they show
	}
}

func byTime[R any](rows []R, ts func(*R) int64) {
	slices.SortStableFunc(rows, func(a, b R) int { return cmp.Compare(ts(&a), ts(&b)) })
}

// sortedProblems lists the problems, the worst first, then by code.
func (b *Builder) sortedProblems() []Problem {
	var list []Problem
	for _, p := range b.problems {
		slices.SortStableFunc(p.Samples, func(a, b ProblemSample) int { return cmp.Compare(a.Offset, b.Offset) })
		list = append(list, *p)
	}
	slices.SortFunc(list, func(a, b Problem) int {
		return cmp.Or(cmp.Compare(b.Severity, a.Severity), cmp.Compare(a.Code, b.Code))
	})
	return list
}

// bounds sets the trace's first and last time.
func (b *Builder) bounds() {
	t := b.t
	lo, hi := int64(0), int64(0)
	any := false
	see := func(ts int64) {
		if ts == NoTime {
			return
		}
		if !any {
			lo, hi, any = ts, ts, true
		}
		lo, hi = min(lo, ts), max(hi, ts)
	}
	span := func(ts, dur int64) {
		see(ts)
		if end := sliceEnd(ts, dur); dur > 0 && end > ts {
			see(end)
		}
	}
	for i, ts := range t.Slices.TS {
		span(ts, t.Slices.Dur[i])
	}
	if n := t.Counters.Len(); n > 0 {
		see(t.Counters.TS[0])
		see(t.Counters.TS[n-1])
	}
	for _, r := range t.Flows {
		see(r.TSOut)
		see(r.TSIn)
	}
	for _, r := range t.Samples {
		see(r.TS)
	}
	for _, r := range t.Objects {
		see(r.Created)
		see(r.Deleted)
	}
	for _, r := range t.ObjectSnapshots {
		see(r.TS)
	}
	for _, r := range t.MemorySnapshots {
		see(r.TS)
	}
	for _, r := range t.Contexts {
		span(r.TS, r.Dur)
	}
	for _, r := range t.LinkedIDs {
		see(r.TS)
	}
	for _, r := range t.Sched {
		span(r.TS, r.Dur)
	}
	for _, r := range t.ThreadStates {
		span(r.TS, r.Dur)
	}
	t.Start, t.End = lo, hi
}
