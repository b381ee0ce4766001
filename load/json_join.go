package load

import (
	"bytes"
	"cmp"
	"slices"
	"strconv"

	"github.com/weft-trace/weft/trace"
	"github.com/weft-trace/weft/traceevent"
)

// joinedChunk is a chunk whose strings, threads and identities have got the
// trace's numbers.
type joinedChunk struct {
	*jsonChunk
	names   []trace.StringID // all by the chunk's numbers
	keys    []trace.StringID
	threads []trace.UTID
	tracks  []trace.TrackID
	series  []uint32
	stacks  []trace.CallsiteID
	argBase trace.ArgSetID
	tagBase uint32
}

// accept joins a chunk's numbering with the trace's. Chunks come in the order
// of the input, so the numbers do not depend on how it was cut.
func (l *jsonLoader) accept(c *jsonChunk) {
	j := l.j
	joined := &joinedChunk{jsonChunk: c}
	l.names[c.worker] = j.in.Merge(l.names[c.worker], c.texts)
	joined.names = l.names[c.worker]
	joined.keys = j.keys.Merge(nil, c.keys.Snapshot())
	joined.threads = c.who.join(j.b, joined.names)
	joined.series = j.joinSeries(c, joined.names)
	c.texts, c.keys, c.series = trace.Strings{}, nil, seriesTable{}
	l.chunks = append(l.chunks, joined)
}

// join makes the trace out of all chunks.
func (l *jsonLoader) join() (*trace.Trace, error) {
	j := l.j
	l.assignTracks()
	tags := l.numberSets()
	for _, c := range l.chunks {
		for _, key := range c.jsonChunk.stacks {
			c.stacks = append(c.stacks, j.callsiteOf(key))
		}
	}
	l.eachChunk((*joinedChunk).remap)
	l.step("join", strconv.Itoa(j.in.Strings().Len())+" strings")

	runs := make([]*trace.SliceRun, 0, len(l.chunks)+1)
	var async []trace.AsyncEvent
	var points []trace.FlowPoint
	var links []trace.Link
	for _, c := range l.chunks {
		runs = append(runs, &c.run)
		async = append(async, c.async...)
		points = append(points, c.flows...)
		links = append(links, c.links...)
		c.async, c.flows, c.links = nil, nil, nil
	}
	sets := &j.t.Args
	joinLast := func(first, second trace.ArgSetID) { j.args.join(sets, first, second, true) }
	run, orphans := j.b.AsyncRun(async, joinLast)
	l.places(problemAsyncEnd, orphans)
	runs = append(runs, run)
	report := j.b.SetSlices(runs, tags, trace.SliceRules{
		Tolerance: l.tolerance(),
		JoinArgs:  joinLast,
		Overlaps:  func(t trace.TrackType) bool { return t == trace.TrackThread },
	})
	l.places(problemEndWithoutBegin, report.Orphans)
	l.places(problemSliceCutShort, report.CutShort)
	l.places(problemSliceOverlap, report.Overlaps)
	l.step("nest", strconv.Itoa(j.t.Slices.Len())+" slices")
	if err := l.ctx.Err(); err != nil {
		return nil, err
	}

	bound := j.b.BindFlows(points, func(first, second trace.ArgSetID) { j.args.join(sets, first, second, false) })
	l.places(problemFlowUnbound, bound.Unbound)
	l.places(problemFlowOrphan, bound.Orphans)
	l.places(problemLinkUnbound, j.b.BindLinks(links, report.Tagged))
	l.counters()
	l.cold()
	l.count()
	l.problems()
	t := j.b.Finish()
	l.step("finish", strconv.Itoa(len(t.Problems))+" kinds of problems")
	return t, nil
}

// tolerance is by how much less than this a child may outlast its parent:
// producers round to microseconds, unless they say that they don't.
func (l *jsonLoader) tolerance() int64 {
	if l.j.t.TimeUnit == "ns" {
		return 0
	}
	return 1000
}

// numberSets gives the args of all chunks their place among the trace's and
// returns how many tags there are.
func (l *jsonLoader) numberSets() uint32 {
	sets := &l.j.t.Args
	n := 0
	for _, c := range l.chunks {
		n += len(c.argLocs)
	}
	sets.Reserve(n)
	tags := uint32(0)
	for _, c := range l.chunks {
		before := len(l.j.args.composites)
		l.j.args.composites = append(l.j.args.composites, c.composites...)
		c.argBase = trace.ArgSetID(sets.Len())
		for _, at := range c.argLocs {
			loc := uint64(c.run.Base) + uint64(at)
			if at&inComposite != 0 {
				loc = compositeLoc(before + int(at&^inComposite))
			}
			sets.Add(l.j.args.decoder, loc)
		}
		c.argLocs, c.composites = nil, nil
		c.tagBase = tags
		tags += uint32(len(c.links))
	}
	return tags
}

// eachChunk calls f for each chunk, on many goroutines.
func (l *jsonLoader) eachChunk(f func(*joinedChunk)) {
	l.j.b.Parallel(len(l.chunks), func(i int) { f(l.chunks[i]) })
}

// remap gives everything in the chunk the trace's numbers.
func (c *joinedChunk) remap() {
	c.run.Remap(c.tracks, c.names, c.stacks, c.argBase, c.tagBase)
	set := func(a trace.ArgSetID) trace.ArgSetID {
		if a != 0 {
			a += c.argBase
		}
		return a
	}
	for i := range c.async {
		e := &c.async[i]
		e.Thread, e.Tree = c.threads[e.Thread], uint32(c.keys[e.Tree])
		e.Name, e.Category, e.ID, e.Step = c.names[e.Name], c.names[e.Category], c.names[e.ID], c.names[e.Step]
		e.ArgSet = set(e.ArgSet)
	}
	for i := range c.flows {
		p := &c.flows[i]
		p.Thread, p.Chain = c.threads[p.Thread], uint32(c.keys[p.Chain])
		p.Name, p.Category, p.ID = c.names[p.Name], c.names[p.Category], c.names[p.ID]
		p.ArgSet = set(p.ArgSet)
	}
	for i := range c.links {
		k := &c.links[i]
		k.Tag += c.tagBase
		k.Chain, k.ID, k.Category = uint32(c.keys[k.Chain]), c.names[k.ID], c.names[k.Category]
	}
	for i := range c.samples {
		c.samples[i].series = c.series[c.samples[i].series]
	}
}

// counters makes the table of counter samples, in time order.
func (l *jsonLoader) counters() {
	n := 0
	for _, c := range l.chunks {
		n += len(c.samples)
	}
	if n == 0 {
		return
	}
	all := make([]counterSample, 0, n)
	for _, c := range l.chunks {
		all = append(all, c.samples...)
		c.samples = nil
	}
	slices.SortStableFunc(all, func(a, b counterSample) int { return cmp.Compare(a.ts, b.ts) })
	k := &l.j.t.Counters
	k.TS, k.Track, k.Value = make([]int64, n), make([]trace.TrackID, n), make([]float64, n)
	for i, s := range all {
		k.TS[i], k.Track[i], k.Value[i] = s.ts, l.j.seriesTracks[s.series], s.value
	}
}

// cold hands on the events of which a trace has few, in the input's order.
func (l *jsonLoader) cold() {
	var scan traceevent.Chunk
	each := func(refs []eventRef, f func(*traceevent.Event)) {
		for _, ref := range refs {
			scan.Reset(l.j.doc, int(ref.offset), int(ref.offset)+1)
			if scan.Next() {
				f(scan.Event())
			}
		}
	}
	for _, c := range l.chunks {
		each(c.jsonChunk.cold, l.j.addColdEvent)
		each(c.profiles, l.j.addProfileEvent)
	}
	l.j.finishCold()
}

// count lists the events by phase.
func (l *jsonLoader) count() {
	var phases [256]int64
	for _, c := range l.chunks {
		for p, n := range c.phases {
			phases[p] += n
		}
	}
	for _, spec := range traceevent.Phases {
		if n := phases[spec.Phase]; n > 0 {
			l.j.t.Events = append(l.j.t.Events, trace.EventCount{Kind: string(rune(spec.Phase)), Name: spec.Name, Count: n})
			phases[spec.Phase] = 0
		}
	}
	for p, n := range phases {
		switch {
		case n == 0:
		case p == 0:
			l.j.t.Events = append(l.j.t.Events, trace.EventCount{Name: "without a phase", Count: n})
		default:
			l.j.t.Events = append(l.j.t.Events, trace.EventCount{Kind: string(rune(p)), Name: "unknown", Count: n})
		}
	}
}

// places reports what the builder found at many places.
func (l *jsonLoader) places(kind *trace.ProblemKind, p trace.Places) {
	samples := make([]trace.ProblemSample, len(p.First))
	for i, place := range p.First {
		samples[i] = trace.ProblemSample{Offset: place.Offset, TS: place.TS, Text: l.eventText(place.Offset)}
	}
	l.j.b.Problem(kind, p.Count, samples...)
}

// eventText is the text of the event at an offset, cut to what a sample keeps.
func (l *jsonLoader) eventText(offset int64) string {
	if offset < 0 {
		return ""
	}
	var scan traceevent.Chunk
	scan.Reset(l.j.doc, int(offset), int(offset)+1)
	if !scan.Next() {
		return ""
	}
	raw := scan.Event().Raw
	return string(raw[:min(len(raw), trace.MaxProblemText)])
}

// problems hands all that was logged to the builder, then finds the lines.
func (l *jsonLoader) problems() {
	logs := []*problemLog{l.j.log}
	for _, c := range l.chunks {
		logs = append(logs, &c.log)
	}
	for _, log := range logs {
		for kind, e := range log.kinds {
			l.j.b.Problem(kind, e.count, e.samples...)
		}
	}
	for _, name := range l.in.skipped {
		l.j.b.Problem(problemMemberSkipped, 1, trace.ProblemSample{Offset: -1, TS: trace.NoTime, Text: name})
	}
	if len(l.in.members) > 1 {
		for _, name := range l.in.members {
			l.j.b.Problem(problemSeveralTraces, 1, trace.ProblemSample{Offset: -1, TS: trace.NoTime, Text: name})
		}
	}
	if len(bytes.TrimSpace(l.j.doc)) == 0 {
		l.j.b.Problem(problemEmpty, 1, trace.ProblemSample{Offset: 0, TS: trace.NoTime})
	}
	l.j.b.Lines(func(offsets []int64) []int64 { return lineNumbers(l.j.doc, offsets) })
}

// lineNumbers returns the line, from 1, of each of the ascending offsets.
func lineNumbers(doc []byte, offsets []int64) []int64 {
	lines := make([]int64, len(offsets))
	line, at := int64(1), int64(0)
	for i, offset := range offsets {
		offset = min(offset, int64(len(doc)))
		line += int64(bytes.Count(doc[at:offset], []byte{'\n'}))
		at = offset
		lines[i] = line
	}
	return lines
}
