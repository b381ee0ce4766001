package load

import (
	"bytes"

	"github.com/weft-trace/weft/trace"
	"github.com/weft-trace/weft/traceevent"
)

// seriesTable numbers the counter series of one chunk.
type seriesTable struct {
	ids  *trace.Interner // of their identities
	list []series        // by id-1
}

// series is one series of one counter. Strings and the process are the
// chunk's.
type series struct {
	pid                trace.Ident
	name, id, key, cat trace.StringID
}

// counter keeps the values of all series of a counter, one sample each.
func (c *jsonChunk) counter(e *traceevent.Event) {
	ts, ok := c.placed(e)
	if !ok {
		return
	}
	if c.series.ids == nil {
		c.series.ids = trace.NewInterner()
	}
	id := c.identity(e)
	c.key = c.appendField(c.key[:0], e, traceevent.FieldPID)
	c.key = c.appendField(c.key, e, traceevent.FieldName)
	c.key = c.appendIdentity(c.key, e, id)
	prefix := len(c.key)
	any := false
	members(e.Get(traceevent.FieldArgs), func(key []byte, value traceevent.Raw, _ int) bool {
		any = true
		v, ok := value.Float64()
		if !ok {
			c.log.add(problemCounterValue, e.Offset, ts, e.Raw)
			return true
		}
		c.key = appendPart(c.key[:prefix], key)
		n := c.series.ids.Intern(c.key)
		if int(n) > len(c.series.list) {
			c.series.list = append(c.series.list, series{
				pid:  c.ident(e, traceevent.FieldPID),
				name: c.text(e, traceevent.FieldName),
				id:   c.value(id.id),
				key:  c.names.Intern(key),
				cat:  c.text(e, traceevent.FieldCat),
			})
		}
		c.samples = append(c.samples, counterSample{ts, v, uint32(n - 1)})
		return true
	})
	if !any {
		c.log.add(problemCounterEmpty, e.Offset, ts, e.Raw)
	}
}

// joinSeries makes the tracks of a chunk's series and returns them by the
// chunk's numbers.
func (j *jsonBuild) joinSeries(c *jsonChunk, names []trace.StringID) []trace.TrackID {
	tracks := make([]trace.TrackID, len(c.series.list))
	for i, s := range c.series.list {
		text := c.series.ids.Strings().Bytes(trace.StringID(i + 1))
		n := j.series.Intern(text)
		if int(n) <= len(j.seriesTracks) {
			tracks[i] = j.seriesTracks[n-1]
			continue
		}
		s.pid.Text = names[s.pid.Text]
		t := trace.NewTrack(trace.TrackCounter)
		t.Process = j.b.Process(s.pid)
		t.Category = names[s.cat]
		group := names[s.name]
		if s.id != 0 {
			group = j.in.Intern(bytes.Join([][]byte{
				j.in.Strings().Bytes(group), j.in.Strings().Bytes(names[s.id])}, []byte(" ")))
		}
		t.CounterGroup = group
		t.Name = group
		t.Description = names[s.key]
		tracks[i] = j.b.AddTrack(t)
		j.seriesTracks = append(j.seriesTracks, tracks[i])
	}
	return tracks
}
