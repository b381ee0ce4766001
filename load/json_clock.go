package load

import (
	"github.com/weft-trace/weft/trace"
	"github.com/weft-trace/weft/traceevent"
)

// clockEvents are the clock sync markers of the events.
type clockEvents struct {
	bySync map[trace.StringID]int64 // number of the snapshot
}

// addClockSync handles an event of phase c. All events of one file are of one
// clock domain, the trace's; its name is known only at the end.
func (j *jsonBuild) addClockSync(e *traceevent.Event) {
	ts, ok := j.placedAt(e)
	if !ok {
		return
	}
	args := e.Get(traceevent.FieldArgs)
	sync := j.member(args, "sync_id")
	if sync == nil || sync.Kind() == traceevent.KindNull {
		j.problem(problemSyncID, e)
		return
	}
	row := trace.ClockSnapshot{TS: ts, Value: ts, SyncID: j.text(sync), ArgSet: j.argSet(e, placedCommon)}
	if issued := j.member(args, "issue_ts"); issued != nil {
		value, state := issued.Nanos()
		if state == traceevent.TimeOK {
			row.Value = value
		} else {
			j.problem(problemIssueTime, e)
		}
	}
	clocks := &j.cold.clocks
	if clocks.bySync == nil {
		clocks.bySync = map[trace.StringID]int64{}
	}
	snapshot, again := clocks.bySync[row.SyncID]
	if again {
		j.problem(problemSyncTwice, e)
	} else {
		snapshot = int64(len(clocks.bySync))
		clocks.bySync[row.SyncID] = snapshot
	}
	row.Snapshot = snapshot
	j.t.ClockSnapshots = append(j.t.ClockSnapshots, row)
}

// finishClocks names the clock domain: as Chrome's metadata does, else by the
// key that the container says holds the controller's events, else "trace".
func (j *jsonBuild) finishClocks() {
	if len(j.t.ClockSnapshots) == 0 {
		return
	}
	name := j.in.InternString("trace")
	if v := j.member(j.cold.top.metadata, "clock-domain"); v != nil {
		name = j.text(v)
	} else if j.cold.top.controller != nil {
		name = j.text(j.cold.top.controller)
	}
	for i := range j.t.ClockSnapshots {
		j.t.ClockSnapshots[i].Name = name
	}
}

// addLinkedID handles an event of phase =.
func (j *jsonBuild) addLinkedID(e *traceevent.Event) {
	ts, ok := j.placedAt(e)
	if !ok {
		return
	}
	id := j.eventID(e, true)
	args := e.Get(traceevent.FieldArgs)
	linked := identity{id: j.member(args, "linked_id"), local: true}
	if v := j.member(args, "linked_id2"); v != nil {
		linked, _ = parseID2(v)
	}
	if id.id == nil || linked.id == nil {
		j.problem(problemLinkedID, e)
		return
	}
	j.t.LinkedIDs = append(j.t.LinkedIDs, trace.LinkedID{
		TS: ts, Process: j.process(e), A: j.text(id.id), B: j.text(linked.id),
		Name: j.text(e.Get(traceevent.FieldName)), Category: j.text(e.Get(traceevent.FieldCat)),
		ArgSet: j.argSet(e, placedObject),
	})
}
