package load_test

import (
	"encoding/json"
	"strconv"
	"strings"

	"github.com/weft-trace/weft/trace"
)

// traceFacts is everything in a trace that a dump could say, too.
func traceFacts(t *trace.Trace) []*fact {
	v := &traceView{Trace: t}
	v.names()
	v.slices()
	v.counters()
	v.flows()
	v.objects()
	v.samples()
	return v.facts
}

type traceView struct {
	*trace.Trace
	facts []*fact
	rows  []*fact // of the slices
}

func (v *traceView) add(kind, owner, name string, at int64, fields ...field) *fact {
	f := &fact{kind, owner, name, exactly(at), fields, nil}
	v.facts = append(v.facts, f)
	return f
}

func (v *traceView) str(id trace.StringID) string { return v.Strings.Get(id) }

// process is the dumps' name for a process: its pid, or the text that stands
// in its place.
func (v *traceView) process(p trace.UPID) string {
	if p == trace.NoProcess {
		return ""
	}
	if row := v.Processes[p]; !row.HasPID {
		return v.str(row.Name)
	}
	return intID(v.Processes[p].PID)
}

func (v *traceView) thread(t trace.UTID) string {
	if t == trace.NoThread {
		return ""
	}
	row := v.Threads[t]
	tid := v.str(row.Name)
	if row.HasTID {
		tid = intID(row.TID)
	}
	return threadOf(v.process(row.Process), tid)
}

func sortIndex(i int64) string {
	if i == trace.NoInt {
		i = 0 // what the original shows for none
	}
	return intID(i)
}

func (v *traceView) names() {
	for i, p := range v.Processes {
		v.add("process", v.process(trace.UPID(i)), "", 0, textField("name", v.str(p.Name)), textField("labels", labels([]string{v.str(p.Labels)})),
			textField("sort_index", sortIndex(p.SortIndex)))
	}
	for i, t := range v.Threads {
		v.add("thread", v.thread(trace.UTID(i)), "", 0, textField("name", v.str(t.Name)), textField("sort_index", sortIndex(t.SortIndex)))
	}
}

func (v *traceView) slices() {
	s := &v.Slices
	v.rows = make([]*fact, s.Len())
	for i := range s.Len() {
		v.rows[i] = v.slice(i)
	}
	for i, parent := range s.Parent {
		if parent != trace.NoSlice {
			v.rows[i].parent = v.rows[parent]
		}
	}
}

func (v *traceView) slice(i int) *fact {
	s := &v.Slices
	track := &v.Tracks[s.Track[i]]
	kind := track.Type
	if kind == trace.TrackOverflow && track.Parent != trace.NoTrack {
		kind = v.Tracks[track.Parent].Type
	}
	switch kind {
	case trace.TrackThread:
		return v.threadSlice(i, track)
	case trace.TrackAsync:
		return v.add("async", "", v.str(s.Name[i])+"\x00"+v.str(s.Category[i]), s.TS[i], v.dur(i), intField("depth", int64(s.Depth[i])), v.args(s.ArgSet[i]))
	case trace.TrackProcess:
		return v.add("process instant", v.process(track.Process), v.str(s.Name[i]), s.TS[i], textField("cat", v.str(s.Category[i])), v.args(s.ArgSet[i]))
	case trace.TrackGlobal:
		return v.add("global instant", "", v.str(s.Name[i]), s.TS[i], textField("cat", v.str(s.Category[i])), v.args(s.ArgSet[i]))
	default:
		return v.add("slice on a "+track.Type.String()+" track", "", v.str(s.Name[i]), s.TS[i])
	}
}

func (v *traceView) dur(i int) field {
	if v.Slices.Dur[i] == trace.Unfinished {
		return textField("dur", "unfinished")
	}
	return timeField("dur", exactly(v.Slices.Dur[i]))
}

func (v *traceView) args(id trace.ArgSetID) field { return jsonField("args", v.Args.JSON(nil, id)) }

func (v *traceView) threadSlice(i int, track *trace.Track) *fact {
	s := &v.Slices
	f := v.add("slice", v.thread(track.Thread), v.str(s.Name[i]), s.TS[i], v.dur(i), intField("depth", int64(s.Depth[i])),
		textField("cat", v.str(s.Category[i])), boolField("overflow", track.Type == trace.TrackOverflow))
	if parent := s.Parent[i]; parent != trace.NoSlice {
		f.fields = append(f.fields, textField("parent", v.str(s.Name[parent])), timeField("parent_start", exactly(s.TS[parent])))
	} else {
		f.fields = append(f.fields, textField("parent", ""))
	}
	if s.Scope != nil && s.Scope[i] != 0 {
		f.fields = append(f.fields, textField("scope", string(s.Scope[i])))
	}
	if s.ThreadTS != nil && s.ThreadTS[i] != trace.NoTime {
		f.fields = append(f.fields, timeField("thread_ts", exactly(s.ThreadTS[i])))
	}
	if s.ThreadDur != nil && s.ThreadDur[i] != trace.NoTime {
		f.fields = append(f.fields, timeField("thread_dur", exactly(s.ThreadDur[i])))
	}
	if s.Stack != nil && s.Stack[i] != trace.NoCallsite {
		f.fields = append(f.fields, textField("stack", v.stack(s.Stack[i])))
	}
	if s.EndStack != nil && s.EndStack[i] != trace.NoCallsite {
		f.fields = append(f.fields, textField("end_stack", v.stack(s.EndStack[i])))
	}
	f.fields = append(f.fields, v.args(s.ArgSet[i]))
	return f
}

// stack is the names of a callstack, leaf first.
func (v *traceView) stack(c trace.CallsiteID) string {
	var names []string
	for ; c != trace.NoCallsite; c = v.Callsites[c].Parent {
		names = append(names, v.str(v.Frames[v.Callsites[c].Frame].Name))
	}
	return strings.Join(names, " < ")
}

func (v *traceView) counters() {
	c := &v.Counters
	for i := range c.Len() {
		track := &v.Tracks[c.Track[i]]
		v.add("counter", v.process(track.Process), counterName(v.str(track.CounterGroup))+"\x00"+v.str(track.Description), c.TS[i],
			textField("value", strconv.FormatFloat(c.Value[i], 'g', -1, 64)))
	}
}

func (v *traceView) flows() {
	s := &v.Slices
	for _, f := range v.Flows {
		from, to := v.Tracks[s.Track[f.Out]].Thread, v.Tracks[s.Track[f.In]].Thread
		v.add("flow", "", "", f.TSIn, timeField("ts_out", exactly(f.TSOut)),
			textField("from_thread", v.thread(from)), textField("to_thread", v.thread(to)),
			timeField("from_start", exactly(s.TS[f.Out])), timeField("to_start", exactly(s.TS[f.In])),
			textField("from_name", v.str(s.Name[f.Out])), textField("to_name", v.str(s.Name[f.In])),
			textField("name", v.str(f.Name)), textField("cat", v.str(f.Category)),
			timeField("from_end", exactly(s.TS[f.Out]+s.Dur[f.Out])), timeField("to_end", exactly(s.TS[f.In]+s.Dur[f.In])))
	}
}

func (v *traceView) objects() {
	snapshots := make([]int64, len(v.Objects))
	for _, s := range v.ObjectSnapshots {
		snapshots[s.Object]++
		o := &v.Objects[s.Object]
		v.add("snapshot", v.process(o.Process), v.str(o.ID), s.TS, boolField("implicit", s.Implicit), v.snapshot(s.ArgSet))
	}
	for i, o := range v.Objects {
		life := func(name string, ts int64) field {
			if ts == trace.NoTime {
				return textField(name, "unknown")
			}
			return timeField(name, exactly(ts))
		}
		v.add("object", v.process(o.Process), v.str(o.ID)+"\x00"+v.str(o.Type), 0, life("created", o.Created), life("deleted", o.Deleted),
			textField("cat", v.str(o.Category)), intField("snapshots", snapshots[i]))
	}
}

// snapshot is the args of a snapshot: what stands in args.snapshot.
func (v *traceView) snapshot(id trace.ArgSetID) field {
	args := v.args(id)
	var wrapped struct{ Snapshot json.RawMessage }
	if err := json.Unmarshal(args.json, &wrapped); err == nil && wrapped.Snapshot != nil {
		args.json = wrapped.Snapshot
	}
	return args
}

func (v *traceView) samples() {
	for _, s := range v.Samples {
		name, stack := v.str(s.Name), ""
		if s.Callsite != trace.NoCallsite {
			stack = v.stack(s.Callsite)
		}
		if source := v.str(s.Source); source == "P" {
			if stack == "" {
				stack = name // as the dumps have it
			}
			name = ""
		}
		v.add("sample", v.thread(s.Thread), name, s.TS, textField("stack", stack), textField("source", v.str(s.Source)),
			textField("weight", strconv.FormatFloat(s.Weight, 'g', -1, 64)))
	}
	for _, m := range v.MemorySnapshots {
		if m.Process != trace.NoProcess {
			v.add("memory dump", v.process(m.Process), "", 0)
		}
	}
}
