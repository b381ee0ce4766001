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
			pid := c.ident(e, traceevent.FieldPID)
			c.who.process(pid)
			c.series.list = append(c.series.list, series{
				pid:  pid,
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

// joinSeries returns the trace's numbers of a chunk's series by the chunk's.
// names are the trace's strings by the chunk's.
func (j *jsonBuild) joinSeries(c *jsonChunk, names []trace.StringID) []uint32 {
	numbers := make([]uint32, len(c.series.list))
	for i, s := range c.series.list {
		n := j.series.Intern(c.series.ids.Strings().Bytes(trace.StringID(i + 1)))
		numbers[i] = uint32(n - 1)
		if int(n) > len(j.seriesList) {
			s.pid.Text = names[s.pid.Text]
			s.name, s.id, s.key, s.cat = names[s.name], names[s.id], names[s.key], names[s.cat]
			j.seriesList = append(j.seriesList, s)
		}
	}
	return numbers
}

// joinWords is two texts with a space between them, or the only one there is.
func (j *jsonBuild) joinWords(a, b trace.StringID) trace.StringID {
	if a == 0 || b == 0 {
		return a | b
	}
	return j.in.Intern(bytes.Join([][]byte{j.in.Strings().Bytes(a), j.in.Strings().Bytes(b)}, []byte{' '}))
}
