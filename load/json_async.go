package load

import (
	"bytes"

	"github.com/weft-trace/weft/trace"
	"github.com/weft-trace/weft/traceevent"
)

// identity is an event's id with what makes it unique.
type identity struct {
	id    traceevent.Raw // the id itself; nil when the event has none
	local bool           // holds within the event's process only
}

// identity finds an event's id: that of id2, else id.
func (c *jsonChunk) identity(e *traceevent.Event) identity {
	if e.Has(traceevent.FieldID2) {
		id, ok := parseID2(e.Get(traceevent.FieldID2))
		if ok {
			if e.Has(traceevent.FieldID) {
				c.log.add(problemTwoIDs, e.Offset, trace.NoTime, e.Raw)
			}
			return id
		}
		c.log.add(problemBadID2, e.Offset, trace.NoTime, e.Raw)
	}
	return identity{id: e.Get(traceevent.FieldID)}
}

// parseID2 reads {"local": ID} or {"global": ID}.
func parseID2(r traceevent.Raw) (identity, bool) {
	var id identity
	members(r, func(key []byte, value traceevent.Raw, _ int) bool {
		switch string(key) {
		case "local":
			id = identity{value, true}
		case "global":
			id = identity{value, false}
		}
		return id.id == nil
	})
	return id, id.id != nil
}

// appendIdentity appends an event's id, its scope, and its process for an id
// that holds only there.
func (c *jsonChunk) appendIdentity(dst []byte, e *traceevent.Event, id identity) []byte {
	c.scratch = id.id.AppendText(c.scratch[:0])
	dst = appendPart(dst, c.scratch)
	c.scratch = e.Get(traceevent.FieldScope).AppendText(c.scratch[:0])
	dst = appendPart(dst, c.scratch)
	if id.local {
		c.scratch = e.Get(traceevent.FieldPID).AppendText(c.scratch[:0])
		dst = appendPart(dst, c.scratch)
	}
	return dst
}

// appendText appends a field's text as one part of an identity.
func (c *jsonChunk) appendField(dst []byte, e *traceevent.Event, f traceevent.Field) []byte {
	c.scratch = e.Get(f).AppendText(c.scratch[:0])
	return appendPart(dst, c.scratch)
}

// asyncEvent keeps an event of an async tree: one of b n e, whose tree is told
// by category, scope and id, or one of the older S T p F, by name, scope and
// id.
func (c *jsonChunk) asyncEvent(e *traceevent.Event, ph traceevent.Phase) {
	ts, ok := c.placed(e)
	if !ok {
		return
	}
	id := c.identity(e)
	a := trace.AsyncEvent{
		TS:       ts,
		ThreadTS: trace.NoTime,
		Offset:   e.Offset,
		Thread:   trace.UTID(c.thread(e)),
		Name:     c.text(e, traceevent.FieldName),
		Category: c.text(e, traceevent.FieldCat),
		ID:       c.value(id.id),
		ArgSet:   c.args(e, placedAsync),
	}
	legacy := false
	switch ph {
	case 'b':
		a.Kind = trace.AsyncBegin
	case 'n':
		a.Kind = trace.AsyncInstant
	case 'e':
		a.Kind = trace.AsyncEnd
	case 'S':
		a.Kind, legacy = trace.AsyncBegin, true
	case 'F':
		a.Kind, legacy = trace.AsyncEnd, true
	case 'T':
		a.Kind, legacy = trace.AsyncStep, true
	default: // p
		a.Kind, legacy = trace.AsyncPast, true
	}
	if e.Has(traceevent.FieldTTS) && (legacy || truthy(e.Get(traceevent.FieldUseAsyncTTS))) {
		a.ThreadTS = c.clock(e, e.Set(), traceevent.FieldTTS)
	}
	if legacy {
		c.key = c.appendField(append(c.key[:0], 'a'), e, traceevent.FieldName)
		if a.Kind == trace.AsyncStep || a.Kind == trace.AsyncPast {
			a.Step = c.step(e)
		}
	} else {
		c.key = c.appendField(append(c.key[:0], 'n'), e, traceevent.FieldCat)
	}
	c.key = c.appendIdentity(c.key, e, id)
	a.Tree = uint32(c.keys.Intern(c.key))
	c.async = append(c.async, a)
}

// step is the name of the step that a T or p event tells of: its argument
// "step".
func (c *jsonChunk) step(e *traceevent.Event) trace.StringID {
	var step traceevent.Raw
	members(e.Get(traceevent.FieldArgs), func(key []byte, value traceevent.Raw, _ int) bool {
		if string(key) == "step" {
			step = value
		}
		return true
	})
	return c.value(step)
}

// flow keeps a point of a chain of arrows, told by id, category, name and
// scope.
func (c *jsonChunk) flow(e *traceevent.Event, ph traceevent.Phase) {
	ts, ok := c.placed(e)
	if !ok {
		return
	}
	id := c.identity(e)
	p := trace.FlowPoint{
		TS:       ts,
		Offset:   e.Offset,
		Thread:   trace.UTID(c.thread(e)),
		ID:       c.value(id.id),
		Name:     c.text(e, traceevent.FieldName),
		Category: c.text(e, traceevent.FieldCat),
		ArgSet:   c.args(e, placedFlow),
	}
	switch ph {
	case 's':
		p.Kind = trace.FlowStart
	case 't':
		p.Kind = trace.FlowStep
	default: // f
		p.Kind = trace.FlowEnd
		p.Next = !bindsAround(e)
	}
	c.key = c.appendField(append(c.key[:0], 'f'), e, traceevent.FieldCat)
	c.key = c.appendField(c.key, e, traceevent.FieldName)
	c.key = c.appendIdentity(c.key, e, id)
	p.Chain = uint32(c.keys.Intern(c.key))
	c.flows = append(c.flows, p)
}

// bindsAround says whether the end of a flow binds to the slice around it, as
// bp says, or as old versions of Chrome meant by the category.
func bindsAround(e *traceevent.Event) bool {
	if bp, ok := e.Text(traceevent.FieldBP); ok {
		return string(bp) == "e"
	}
	cat, _ := e.Text(traceevent.FieldCat)
	for part := range bytes.SplitSeq(cat, []byte(",")) {
		switch string(bytes.TrimSpace(part)) {
		case "input", "ipc.flow":
			return true
		default: // any other category binds by the rule
		}
	}
	return false
}
