package load

import (
	"cmp"
	"math"
	"slices"

	"github.com/weft-trace/weft/trace"
	"github.com/weft-trace/weft/traceevent"
)

// systemTraceEvents of Fuchsia is an object {"type": "fuchsia", "events": […]}
// with events of its own kinds: p and t name a process or a thread, k says
// that a cpu switched from one thread to another, w that a thread may run
// again.

// fuchsiaSwitch is an event of kind k or w.
type fuchsiaSwitch struct {
	ts       int64
	offset   int64
	raw      traceevent.Raw
	cpu      int32
	wake     bool
	out, in  fuchsiaThread // of k; in is the thread of w
	outState int64
}

// fuchsiaThread is a thread as an event names it.
type fuchsiaThread struct {
	pid, tid traceevent.Raw
	prio     int64 // NoInt when not given
}

// fuchsiaState is what a thread does, as column thread_state.state says it.
type fuchsiaState string

const (
	fuchsiaRunning  fuchsiaState = "Running"
	fuchsiaRunnable fuchsiaState = "R"
)

// fuchsiaOutStates are the states in which a thread may leave a cpu.
var fuchsiaOutStates = map[int64]fuchsiaState{
	0: fuchsiaRunnable, // new
	1: fuchsiaRunnable, // running
	2: "T",             // suspended
	3: "S",             // blocked
	4: "Z",             // dying
	5: "X",             // dead
}

// fuchsiaTrace is the kernel's trace on its way to the tables.
type fuchsiaTrace struct {
	j        *jsonBuild
	byTID    map[int64]trace.UTID
	switches []fuchsiaSwitch
	cpus     map[int32]int      // row of Sched that runs
	states   map[trace.UTID]int // row of ThreadStates that lasts
}

// fuchsiaEvents loads the kernel's events.
func (j *jsonBuild) fuchsiaEvents(m traceevent.Member, events traceevent.Raw) {
	if events.Kind() != traceevent.KindArray {
		j.log.add(problemSystemTrace, m.Offset, trace.NoTime, m.Value)
		return
	}
	f := &fuchsiaTrace{j: j, byTID: map[int64]trace.UTID{}, cpus: map[int32]int{}, states: map[trace.UTID]int{}}
	for i, t := range j.t.Threads {
		if _, ok := f.byTID[t.TID]; t.HasTID && !ok {
			f.byTID[t.TID] = trace.UTID(i)
		}
	}
	eachElement(events, func(e traceevent.Raw, _ int) bool {
		f.event(e, m.Offset)
		return true
	})
	slices.SortStableFunc(f.switches, func(a, b fuchsiaSwitch) int { return cmp.Compare(a.ts, b.ts) })
	for i := range f.switches {
		f.apply(&f.switches[i])
	}
}

// event reads one event. Those that take time are kept until all are there.
func (f *fuchsiaTrace) event(e traceevent.Raw, offset int64) {
	var kind, ts, cpu, out, in, name, sort traceevent.Raw
	s := fuchsiaSwitch{offset: offset, raw: e}
	who := fuchsiaThread{prio: trace.NoInt}
	f.j.walk.visit(e, func(key []byte, value traceevent.Raw, _ int) bool {
		switch string(key) {
		case "ph":
			kind = value
		case "ts":
			ts = value
		case "cpu":
			cpu = value
		case "out":
			out = value
		case "in":
			in = value
		case "name":
			name = value
		case "sort_index":
			sort = value
		default:
			who.take(key, value)
		}
		return true
	})
	switch string(kind) {
	case `"p"`:
		row := &f.j.t.Processes[f.j.b.Process(f.j.ident(who.pid))]
		setNameAndSort(f.j, &row.Name, &row.SortIndex, name, sort)
		return
	case `"t"`:
		t := f.j.b.Thread(f.j.b.Process(f.j.ident(who.pid)), f.j.ident(who.tid))
		row := &f.j.t.Threads[t]
		setNameAndSort(f.j, &row.Name, &row.SortIndex, name, sort)
		if row.HasTID {
			f.byTID[row.TID] = t
		}
		return
	case `"w"`:
		s.wake, s.in = true, who
	case `"k"`:
		s.out, s.outState = f.side(out)
		s.in, _ = f.side(in)
	default: // no other kind is known
		f.problem(problemFuchsiaEvent, &s)
		return
	}
	at, state := ts.Nanos()
	n, ok := cpu.Int64()
	if state != traceevent.TimeOK || s.in.tid == nil || !ok || n < 0 || n > math.MaxInt32 {
		f.problem(problemFuchsiaEvent, &s)
		return
	}
	s.ts, s.cpu = at, int32(n)
	f.switches = append(f.switches, s)
}

// side reads the members out or in.
func (f *fuchsiaTrace) side(v traceevent.Raw) (t fuchsiaThread, state int64) {
	t.prio = trace.NoInt
	f.j.walk.visit(v, func(key []byte, value traceevent.Raw, _ int) bool {
		if string(key) == "state" {
			state = integer(value)
		} else {
			t.take(key, value)
		}
		return true
	})
	return t, state
}

func (t *fuchsiaThread) take(key []byte, value traceevent.Raw) {
	switch string(key) {
	case "pid":
		t.pid = value
	case "tid":
		t.tid = value
	case "prio":
		t.prio = integer(value)
	default: // no column for it
	}
}

func setNameAndSort(j *jsonBuild, name *trace.StringID, sortIndex *int64, newName, newSort traceevent.Raw) {
	if newName != nil {
		*name = j.text(newName)
	}
	if n, ok := newSort.Int64(); ok {
		*sortIndex = n
	}
}

// idle tells whether a thread is what a cpu runs when it has nothing to do.
func (t *fuchsiaThread) idle() bool {
	if t.prio == trace.NoInt {
		return false
	}
	if t.pid == nil {
		return t.prio <= math.MinInt32
	}
	pid, ok := t.pid.Int64()
	return ok && pid == 0 && t.prio == 0
}

// thread finds a thread: by its own id, which is unique in the whole system,
// for the kernel doesn't always know the process.
func (f *fuchsiaTrace) thread(t *fuchsiaThread) trace.UTID {
	id := f.j.ident(t.tid)
	if id.Kind == trace.IdentNumber {
		if known, ok := f.byTID[id.Number]; ok {
			return known
		}
	}
	row := f.j.b.Thread(f.j.b.Process(f.j.ident(t.pid)), id)
	if id.Kind == trace.IdentNumber {
		f.byTID[id.Number] = row
	}
	return row
}

// apply handles the next event in time.
func (f *fuchsiaTrace) apply(s *fuchsiaSwitch) {
	if s.wake {
		f.state(f.thread(&s.in), s.ts, fuchsiaRunnable, -1)
		return
	}
	if running, ok := f.cpus[s.cpu]; ok {
		f.leave(running, s)
	}
	if s.in.idle() {
		delete(f.cpus, s.cpu)
		return
	}
	t := f.thread(&s.in)
	f.cpus[s.cpu] = len(f.j.t.Sched)
	f.j.t.Sched = append(f.j.t.Sched, trace.Sched{
		TS: s.ts, Dur: trace.Unfinished, CPU: s.cpu, Thread: t, Priority: s.in.prio,
	})
	f.state(t, s.ts, fuchsiaRunning, s.cpu)
}

// leave ends what ran on a cpu.
func (f *fuchsiaTrace) leave(running int, s *fuchsiaSwitch) {
	row := &f.j.t.Sched[running]
	row.Dur = elapsed(row.TS, s.ts)
	if s.out.tid == nil || f.thread(&s.out) != row.Thread {
		f.problem(problemFuchsiaSwitch, s)
		f.endState(row.Thread, s.ts)
		return
	}
	state, ok := fuchsiaOutStates[s.outState]
	if !ok {
		f.problem(problemFuchsiaState, s)
		f.endState(row.Thread, s.ts)
		return
	}
	row.EndState = f.j.in.InternString(string(state))
	f.state(row.Thread, s.ts, state, -1)
}

// state begins a state of a thread, and ends the one before.
func (f *fuchsiaTrace) state(t trace.UTID, ts int64, state fuchsiaState, cpu int32) {
	f.endState(t, ts)
	f.states[t] = len(f.j.t.ThreadStates)
	f.j.t.ThreadStates = append(f.j.t.ThreadStates, trace.ThreadState{
		TS: ts, Dur: trace.Unfinished, CPU: cpu, Thread: t, State: f.j.in.InternString(string(state)),
		IOWait: trace.NoInt, Waker: trace.NoThread, WakerState: trace.NoInt,
	})
}

func (f *fuchsiaTrace) endState(t trace.UTID, ts int64) {
	if i, ok := f.states[t]; ok {
		row := &f.j.t.ThreadStates[i]
		row.Dur = elapsed(row.TS, ts)
		delete(f.states, t)
	}
}

func (f *fuchsiaTrace) problem(kind *trace.ProblemKind, s *fuchsiaSwitch) {
	f.j.log.add(kind, s.offset, s.ts, s.raw)
}
