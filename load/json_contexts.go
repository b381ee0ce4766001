package load

import (
	"cmp"
	"slices"

	"github.com/weft-trace/weft/trace"
	"github.com/weft-trace/weft/traceevent"
)

// contextEvent enters a context, or leaves it.
type contextEvent struct {
	ts       int64
	thread   trace.UTID
	key      objectKey
	name     trace.StringID
	category trace.StringID
	args     trace.ArgSetID
	leave    bool
	offset   int64
	raw      traceevent.Raw
}

// addContextEvent handles an event of phase ( or ).
func (j *jsonBuild) addContextEvent(e *traceevent.Event) {
	ts, ok := j.placedAt(e)
	if !ok {
		return
	}
	id := j.eventID(e, true)
	if id.id == nil {
		j.problem(problemContextID, e)
		return
	}
	c := contextEvent{
		ts: ts, thread: j.thread(e), leave: e.Phase() == traceevent.PhaseContextLeave,
		key:      objectKey{trace.NoProcess, j.text(e.Get(traceevent.FieldScope)), j.text(id.id)},
		name:     j.text(e.Get(traceevent.FieldName)),
		category: j.text(e.Get(traceevent.FieldCat)),
		args:     j.argSet(e, placedObject),
		offset:   e.Offset, raw: e.Raw,
	}
	if id.local {
		c.key.process = j.t.Threads[c.thread].Process
	}
	j.cold.contexts = append(j.cold.contexts, c)
}

// openContext is what a context is known by on its thread.
type openContext struct {
	thread trace.UTID
	key    objectKey
	name   trace.StringID
}

// finishContexts pairs the events of each thread. Contexts nest: leaving one
// leaves all that were entered since.
func (j *jsonBuild) finishContexts() {
	events := j.cold.contexts
	slices.SortStableFunc(events, func(a, b contextEvent) int { return cmp.Compare(a.ts, b.ts) })
	stacks := map[trace.UTID][]int{} // rows of Contexts
	open := map[openContext]int{}    // how many are entered
	keys := make([]openContext, 0, len(events))
	for i := range events {
		e := &events[i]
		key := openContext{e.thread, e.key, e.name}
		stack := stacks[e.thread]
		if !e.leave {
			stacks[e.thread] = append(stack, len(j.t.Contexts))
			open[key]++
			keys = append(keys, key)
			j.t.Contexts = append(j.t.Contexts, trace.Context{
				TS: e.ts, Dur: trace.Unfinished, Thread: e.thread, Name: e.name, Category: e.category,
				ID: e.key.id, Object: j.objectAt(e.key, e.ts), ArgSet: e.args,
			})
			continue
		}
		if open[key] == 0 {
			j.log.add(problemContextLeave, e.offset, e.ts, e.raw)
			continue
		}
		for {
			row := stack[len(stack)-1]
			stack = stack[:len(stack)-1]
			j.t.Contexts[row].Dur = elapsed(j.t.Contexts[row].TS, e.ts)
			open[keys[row]]--
			if keys[row] == key {
				j.joinArgs(&j.t.Contexts[row].ArgSet, e.args)
				break
			}
			j.log.add(problemContextCutShort, e.offset, e.ts, e.raw)
		}
		stacks[e.thread] = stack
	}
	j.cold.contexts = nil
}
