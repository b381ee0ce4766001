package load

import (
	"bytes"
	"cmp"
	"slices"

	"github.com/weft-trace/weft/trace"
	"github.com/weft-trace/weft/traceevent"
)

// A V8 CPU profile is a tree of nodes, each a function called from its parent,
// and for each sample the node that ran. It comes as an event Profile with
// events ProfileChunk of the same process and id, or whole: as an event
// CpuProfile, or as a file of its own.

// v8Profiles are the profiles of a trace.
type v8Profiles struct {
	list  []*v8Profile
	index map[objectKey]*v8Profile
}

// v8Profile is one profile.
type v8Profile struct {
	start  int64 // NoTime until it is known
	guess  int64 // the start, when nothing tells: when the first event came
	thread trace.UTID
	offset int64
	chunks []v8Chunk
	nodes  v8Nodes
}

// v8Chunk is a part of a profile.
type v8Chunk struct {
	ts     int64 // of the event that brought it
	offset int64
	args   trace.ArgSetID
	nodes  traceevent.Raw      // array, or in the oldest form the root, whose children lie in it
	ids    traceevent.Raw      // array of the samples: ids of nodes
	idList []traceevent.Member // or these
	deltas traceevent.Raw      // array of the microseconds since the sample before
	stamps traceevent.Raw      // array of microseconds; where there are no deltas
	end    traceevent.Raw      // of the profile; where there are neither
	oldest bool                // start and end are seconds
}

// v8SampleName is what the samples of profiles are called.
const v8SampleName = "V8 Sample"

// addProfilePart takes an event that is a part of a profile; false for any
// other.
func (j *jsonBuild) addProfilePart(e *traceevent.Event) bool {
	name, _ := e.Text(traceevent.FieldName)
	switch string(name) {
	case "Profile", "ProfileChunk":
	case "CpuProfile":
		return j.addWholeProfile(e)
	default:
		return false
	}
	begins := string(name) == "Profile"
	id := j.eventID(e, true)
	if id.id == nil {
		return false
	}
	data := j.member(e.Get(traceevent.FieldArgs), "data")
	if data == nil && !begins {
		return false
	}
	thread := j.thread(e)
	key := objectKey{process: j.t.Threads[thread].Process, id: j.text(id.id)}
	ts, state := e.Time(traceevent.FieldTS)
	if state != traceevent.TimeOK {
		ts = trace.NoTime
	}
	profiles := &j.cold.profiles
	p := profiles.index[key]
	if p == nil {
		if profiles.index == nil {
			profiles.index = map[objectKey]*v8Profile{}
		}
		p = &v8Profile{start: trace.NoTime, guess: ts, thread: thread, offset: e.Offset}
		profiles.index[key] = p
		profiles.list = append(profiles.list, p)
	}
	if begins {
		p.thread, p.guess, p.offset = thread, ts, e.Offset
	}
	chunk := v8Chunk{ts: ts, offset: e.Offset, args: j.argSet(e, placedProfile)}
	if start := j.readChunk(&chunk, data); begins && start != trace.NoTime {
		p.start = start
	}
	p.chunks = append(p.chunks, chunk)
	return true
}

// addProfileEvent takes an instant or a slice CpuProfile. It is a row of its
// own already, whatever its args are.
func (j *jsonBuild) addProfileEvent(e *traceevent.Event) { j.addWholeProfile(e) }

// addWholeProfile takes an event CpuProfile, which has a whole profile; false
// when it has none.
func (j *jsonBuild) addWholeProfile(e *traceevent.Event) bool {
	data := j.member(e.Get(traceevent.FieldArgs), "data")
	if j.member(data, "cpuProfile").Kind() != traceevent.KindObject {
		return false
	}
	ts, state := e.Time(traceevent.FieldTS)
	if state != traceevent.TimeOK {
		ts = trace.NoTime
	}
	p := &v8Profile{start: trace.NoTime, guess: ts, thread: j.thread(e), offset: e.Offset}
	chunk := v8Chunk{ts: ts, offset: e.Offset, args: j.argSet(e, placedProfile)}
	p.start = j.readChunk(&chunk, data)
	p.chunks = append(p.chunks, chunk)
	j.cold.profiles.list = append(j.cold.profiles.list, p)
	return true
}

// readChunk finds the parts of a chunk in an event's data, and the start time
// where that is given there.
func (j *jsonBuild) readChunk(c *v8Chunk, data traceevent.Raw) (start int64) {
	var profile, started traceevent.Raw
	read := func(key []byte, value traceevent.Raw, _ int) bool {
		if string(key) == "cpuProfile" {
			profile = value
		} else if v := c.part(key, value); v != nil {
			started = v
		}
		return true
	}
	j.walk.visit(data, read)
	j.walk.visit(profile, read)
	return c.time(started)
}

// part keeps one member of a chunk. The start time it returns.
func (c *v8Chunk) part(key []byte, value traceevent.Raw) (started traceevent.Raw) {
	switch string(key) {
	case "nodes":
		c.nodes = value
	case "head":
		c.nodes, c.oldest = value, true
	case "samples":
		c.ids = value
	case "timeDeltas":
		c.deltas = value
	case "timestamps":
		c.stamps = value
	case "startTime":
		return value
	case "endTime":
		c.end = value
	default: // more about each sample: it stays in the args
	}
	return nil
}

// time reads the start or the end of a profile; NoTime when it is none.
func (c *v8Chunk) time(r traceevent.Raw) int64 {
	if c.oldest && r.Kind() == traceevent.KindNumber {
		r = append(bytes.Clone(r), "e6"...) // seconds, exactly, in microseconds
	}
	ns, state := r.Nanos()
	if state != traceevent.TimeOK {
		return trace.NoTime
	}
	return ns
}

// addProfileFile takes a file that is a profile itself: its properties are
// those of the container, and its samples are plain ids.
func (j *jsonBuild) addProfileFile() {
	top := &j.cold.top
	if top.profile == nil {
		return
	}
	p := &v8Profile{guess: trace.NoTime, offset: top.profile[0].Offset}
	p.thread = j.b.Thread(j.b.Process(trace.Ident{}), trace.Ident{})
	chunk := v8Chunk{ts: trace.NoTime, offset: p.offset, idList: j.cold.samples}
	j.cold.samples = nil
	var started traceevent.Raw
	for _, m := range top.profile {
		if v := chunk.part(m.Key, m.Value); v != nil {
			started = v
		}
	}
	p.start = chunk.time(started)
	p.chunks = append(p.chunks, chunk)
	j.cold.profiles.list = append(j.cold.profiles.list, p)
}

// finishProfiles makes samples of all profiles.
func (j *jsonBuild) finishProfiles() {
	j.addProfileFile()
	for _, p := range j.cold.profiles.list {
		slices.SortStableFunc(p.chunks, func(a, b v8Chunk) int { return cmp.Compare(a.ts, b.ts) })
		if p.start == trace.NoTime {
			j.log.add(problemProfileStart, p.offset, p.guess, nil)
			if p.start = p.guess; p.start == trace.NoTime {
				p.start = 0
			}
		}
		for i := range p.chunks {
			j.readNodes(&p.nodes, p.chunks[i].nodes)
		}
		j.linkNodes(&p.nodes, p.offset)
		at := p.start
		for i := range p.chunks {
			at = j.profileSamples(p, &p.chunks[i], at)
		}
	}
	j.cold.profiles = v8Profiles{}
}

// profileSamples adds the samples of a chunk, of which the first comes the
// first delta after at. It returns the time of the last one.
func (j *jsonBuild) profileSamples(p *v8Profile, c *v8Chunk, at int64) int64 {
	ids := sampleIDs{list: c.idList}
	ids.array.reset(c.ids)
	times := c.clock(at)
	row := trace.Sample{
		Thread: p.thread, CPU: -1, Name: j.in.InternString(v8SampleName), Weight: 1,
		Source: j.in.InternString(sourceProfile), ArgSet: c.args,
	}
	for id := ids.next(); id != nil; id = ids.next() {
		next, ok := times.next()
		if !ok {
			j.log.add(problemProfileTime, c.offset, at, id)
		} else {
			at = next
		}
		row.TS, row.Callsite = at, trace.NoCallsite
		n, isInt := id.Int64()
		node, known := p.nodes.byID[n]
		if isInt && known {
			row.Callsite = j.siteOf(p.nodes.tree, node)
		} else {
			j.log.add(problemProfileNode, c.offset, at, id)
		}
		j.t.Samples = append(j.t.Samples, row)
	}
	return at
}

// sampleIDs goes through the samples of a chunk.
type sampleIDs struct {
	array elements
	list  []traceevent.Member
}

// next is the next sample, nil behind the last one.
func (s *sampleIDs) next() traceevent.Raw {
	if s.array.next() {
		return s.array.value
	}
	if len(s.list) == 0 {
		return nil
	}
	v := s.list[0].Value
	s.list = s.list[1:]
	return v
}

// v8Clock tells when the samples of a chunk were taken.
type v8Clock struct {
	values elements
	deltas bool
	at     int64
	step   int64 // where the chunk only says when it began and ended
}

func (c *v8Chunk) clock(at int64) v8Clock {
	clock := v8Clock{at: at}
	switch {
	case c.deltas != nil:
		clock.deltas = true
		clock.values.reset(c.deltas)
	case c.stamps != nil:
		clock.values.reset(c.stamps)
	default: // the oldest form: spread evenly
		n := int64(len(c.idList))
		eachElement(c.ids, func(traceevent.Raw, int) bool { n++; return true })
		if end := c.time(c.end); n > 0 && end > at {
			clock.step = elapsed(at, end) / n
		}
	}
	return clock
}

// next is the time of the next sample; false when there is none for it, or it
// is beyond what int64 holds.
func (c *v8Clock) next() (at int64, ok bool) {
	if c.step > 0 {
		c.at += c.step
		return c.at, true
	}
	if !c.values.next() {
		return 0, false
	}
	ns, state := c.values.value.Nanos()
	if state != traceevent.TimeOK {
		return 0, false
	}
	if c.deltas {
		sum := c.at + ns
		if (sum > c.at) != (ns > 0) && ns != 0 {
			return 0, false
		}
		ns = sum
	}
	c.at = ns
	return ns, true
}
