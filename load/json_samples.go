package load

import (
	"github.com/weft-trace/weft/trace"
	"github.com/weft-trace/weft/traceevent"
)

// Where samples come from, as column sample.source says it.
const (
	sourceEvent   = "P"
	sourceGlobal  = "samples"
	sourceProfile = "cpu_profile"
)

// addGlobalSample remembers an element of the container's samples: its frames
// may stand behind it.
func (j *jsonBuild) addGlobalSample(v traceevent.Member) {
	v.Key = nil
	j.cold.samples = append(j.cold.samples, v)
}

// addSampleEvent handles an event of phase P: a sample, or a part of a V8 CPU
// profile.
func (j *jsonBuild) addSampleEvent(e *traceevent.Event) {
	if j.addProfilePart(e) {
		return
	}
	ts, ok := j.placedAt(e)
	if !ok {
		return
	}
	key := stackKey{frame: e.Get(traceevent.FieldSF), stack: e.Get(traceevent.FieldStack)}
	if key.frame != nil && key.stack != nil {
		j.problem(problemTwoStacks, e)
	}
	name := j.text(e.Get(traceevent.FieldName))
	site := j.callsiteOf(key)
	if key.frame == nil && key.stack == nil && name != 0 {
		site = j.callsite(trace.NoCallsite, j.namedFrame(name)) // the name is what ran
	}
	j.t.Samples = append(j.t.Samples, trace.Sample{
		TS: ts, Thread: j.thread(e), CPU: -1, Name: name, Weight: 1,
		Callsite: site, Source: j.in.InternString(sourceEvent), ArgSet: j.argSet(e, placedSample),
	})
}

// finishGlobalSamples makes rows of the elements of samples.
func (j *jsonBuild) finishGlobalSamples() {
	if len(j.cold.samples) == 0 {
		return
	}
	threads := j.newThreadFinder()
	for _, m := range j.cold.samples {
		if m.Value.Kind() == traceevent.KindObject {
			j.globalSample(m, threads)
		} else {
			j.log.add(problemSampleShape, m.Offset, trace.NoTime, m.Value)
		}
	}
	j.cold.samples = nil
}

// globalSample reads one element of samples.
func (j *jsonBuild) globalSample(m traceevent.Member, threads *threadFinder) {
	var ts, pid, tid, cpu, weight, name traceevent.Raw
	var key stackKey
	others := false
	j.walk.visit(m.Value, func(k []byte, v traceevent.Raw, _ int) bool {
		switch string(k) {
		case "ts":
			ts = v
		case "pid":
			pid = v
		case "tid":
			tid = v
		case "cpu":
			cpu = v
		case "weight":
			weight = v
		case "value":
			if weight == nil {
				weight = v
			}
		case "name":
			name = v
		case "sf":
			key.frame = v
		case "stack":
			key.stack = v
		default:
			others = true
		}
		return true
	})
	at, state := ts.Nanos()
	switch state {
	case traceevent.TimeOK:
	case traceevent.TimeOverflow:
		j.log.add(problemTimestampOverflow, m.Offset, trace.NoTime, m.Value)
		return
	default: // absent, or no number
		j.log.add(problemNoTimestamp, m.Offset, trace.NoTime, m.Value)
		return
	}
	if key.frame != nil && key.stack != nil {
		j.log.add(problemTwoStacks, m.Offset, at, m.Value)
	}
	row := trace.Sample{
		TS: at, Thread: threads.find(j, pid, tid), CPU: -1, Name: j.text(name), Weight: 1,
		Callsite: j.callsiteOf(key), Source: j.in.InternString(sourceGlobal),
	}
	if n, ok := cpu.Int64(); ok && n >= 0 && n < 1<<31 {
		row.CPU = int32(n)
	}
	if weight != nil {
		w, ok := weight.Float64()
		if ok {
			row.Weight = w
		} else {
			j.log.add(problemSampleWeight, m.Offset, at, m.Value)
		}
	}
	if others {
		row.ArgSet = j.argsFrom("args", m.Offset)
	}
	j.t.Samples = append(j.t.Samples, row)
}

// threadFinder finds threads by their own ids alone, which is all that a
// system-wide profiler knows.
type threadFinder struct {
	byTID    map[int64]trace.UTID // of threads with that tid the first
	noOthers bool                 // the trace has no threads but those of samples
}

func (j *jsonBuild) newThreadFinder() *threadFinder {
	f := &threadFinder{byTID: make(map[int64]trace.UTID, len(j.t.Threads)), noOthers: len(j.t.Threads) == 0}
	for i, t := range j.t.Threads {
		if !t.HasTID {
			continue
		}
		if _, ok := f.byTID[t.TID]; !ok {
			f.byTID[t.TID] = trace.UTID(i)
		}
	}
	return f
}

// find is a sample's thread. One that nothing else in the trace mentions
// belongs to the process without a pid; in a trace that has samples only, to
// the process with the pid that is its tid.
func (f *threadFinder) find(j *jsonBuild, pid, tid traceevent.Raw) trace.UTID {
	if tid == nil && pid == nil {
		return trace.NoThread
	}
	id := j.ident(tid)
	if pid != nil {
		return j.b.Thread(j.b.Process(j.ident(pid)), id)
	}
	if id.Kind == trace.IdentNumber {
		if t, ok := f.byTID[id.Number]; ok {
			return t
		}
	}
	process := trace.Ident{}
	if f.noOthers {
		process = id
	}
	t := j.b.Thread(j.b.Process(process), id)
	if id.Kind == trace.IdentNumber {
		f.byTID[id.Number] = t
	}
	return t
}
