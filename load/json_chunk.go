package load

import (
	"encoding/binary"
	"math"

	"github.com/weft-trace/weft/trace"
	"github.com/weft-trace/weft/traceevent"
)

// jsonChunk is what one stretch of the event array holds. Everything in it is
// numbered within the chunk, so that chunks are decoded side by side; joining
// them gives the numbers of the trace.
type jsonChunk struct {
	worker int             // whose interner names is
	names  *trace.Interner // of all strings, shared by the chunks of one worker
	recent *textCache      // of names, likewise
	texts  trace.Strings   // those of names when the chunk was done
	keys   *trace.Interner // of async, flow and link identities
	who    threadTable

	run      trace.SliceRun
	stacks   []stackKey // SliceRun's callstacks, by CallsiteID
	stackIDs map[string]trace.CallsiteID
	async    []trace.AsyncEvent // Thread, Tree and strings within the chunk
	flows    []trace.FlowPoint  // likewise
	links    []trace.Link       // likewise
	series   seriesTable
	samples  []counterSample
	profiles []eventRef // V8 profiles that came as instants or slices
	cold     []eventRef // all that is handled once the chunks are joined

	argLocs    []uint32 // by ArgSetID-1: where the args lie, from run.Base on; or inComposite and an index
	composites []composite

	log    problemLog
	phases [256]int64

	key     []byte // scratch
	scratch []byte
}

// inComposite marks a chunk's args that do not simply lie in its text.
const inComposite = 1 << 31

// workerTexts are what one worker keeps from chunk to chunk: the strings that it
// has met, and how dense the slices were.
type workerTexts struct {
	in     *trace.Interner
	recent textCache

	bytes, slices int // of the chunk before
}

// expect guesses how many slices a stretch of text holds, from the chunk before,
// so that there is room for them at once and hardly more than that.
func (w *workerTexts) expect(bytes int) int {
	if w.bytes == 0 {
		return bytes / 200
	}
	return int(int64(bytes)*int64(w.slices)/int64(w.bytes)) + bytes/50_000
}

func (w *workerTexts) learn(bytes, slices int) {
	w.bytes, w.slices = bytes, slices
}

// eventRef is where an event stands in the input.
type eventRef struct {
	offset int64
	length int
}

// counterSample is one value of one series.
type counterSample struct {
	ts     int64
	value  float64
	series uint32 // within the chunk, then of the trace
}

func newJSONChunk(base int64, worker int, names *workerTexts) *jsonChunk {
	c := &jsonChunk{worker: worker, names: names.in, recent: &names.recent, keys: trace.NewInterner()}
	c.run.Base = base
	c.who.init()
	return c
}

// done ends the chunk: nothing is added to it any more.
func (c *jsonChunk) done() {
	c.run.Sort()
	c.texts, c.names, c.recent = c.names.Snapshot(), nil, nil
}

// grow makes room for n slices with args.
func (c *jsonChunk) grow(n int) {
	c.run.Grow(n)
	c.argLocs = make([]uint32, 0, n)
}

// Fields that have a place of their own in a kind of event's row. All others
// that an event carries become args named event.FIELD.
var (
	placedCommon = fields(traceevent.FieldName, traceevent.FieldCat, traceevent.FieldPh, traceevent.FieldTS,
		traceevent.FieldPID, traceevent.FieldTID, traceevent.FieldArgs)
	placedSlice = placedCommon | fields(traceevent.FieldTTS, traceevent.FieldTICount, traceevent.FieldSF,
		traceevent.FieldStack, traceevent.FieldCName)
	placedLink    = fields(traceevent.FieldBindID, traceevent.FieldFlowIn, traceevent.FieldFlowOut)
	placedBegin   = placedSlice | placedLink
	placedEnd     = placedSlice
	placedInstant = placedSlice | placedLink | fields(traceevent.FieldS)
	placedX       = placedSlice | placedLink | fields(traceevent.FieldDur, traceevent.FieldTDur,
		traceevent.FieldTIDelta, traceevent.FieldESF, traceevent.FieldEStack)
	placedID    = fields(traceevent.FieldID, traceevent.FieldID2, traceevent.FieldScope)
	placedAsync = placedCommon | placedID | placedLink | fields(traceevent.FieldTTS, traceevent.FieldUseAsyncTTS)
	placedFlow  = placedCommon | placedID | fields(traceevent.FieldBP)

	rareSlice = (placedX | placedInstant) &^ (placedCommon | fields(traceevent.FieldDur))
)

func fields(fs ...traceevent.Field) traceevent.FieldSet {
	var set traceevent.FieldSet
	for _, f := range fs {
		set |= 1 << f
	}
	return set
}

// add puts one event where it belongs.
func (c *jsonChunk) add(e *traceevent.Event) {
	ph := e.Phase()
	c.phases[ph]++
	switch ph {
	case 'X':
		c.complete(e)
	case 'B':
		c.begin(e)
	case 'E':
		c.end(e)
	case 'i', 'I', 'R':
		c.instant(e)
	case 'C':
		c.counter(e)
	case 'b', 'n', 'e', 'S', 'T', 'p', 'F':
		c.asyncEvent(e, ph)
	case 's', 't', 'f':
		c.flow(e, ph)
	default: // metadata, objects, samples, dumps, …, and what no specification knows
		c.cold = append(c.cold, refTo(e))
	}
}

func refTo(e *traceevent.Event) eventRef { return eventRef{e.Offset, len(e.Raw)} }

// placed is the time of an event that must have one.
func (c *jsonChunk) placed(e *traceevent.Event) (ts int64, ok bool) {
	ts, state := e.Time(traceevent.FieldTS)
	switch state {
	case traceevent.TimeOK:
		return ts, true
	case traceevent.TimeOverflow:
		c.log.add(problemTimestampOverflow, e.Offset, trace.NoTime, e.Raw)
	default: // absent, or no number
		c.log.add(problemNoTimestamp, e.Offset, trace.NoTime, e.Raw)
	}
	return 0, false
}

func (c *jsonChunk) complete(e *traceevent.Event) {
	ts, ok := c.placed(e)
	if !ok {
		return
	}
	dur, state := e.Time(traceevent.FieldDur)
	switch {
	case state == traceevent.TimeOK && dur >= 0:
	case state == traceevent.TimeOK:
		c.log.add(problemNegativeDuration, e.Offset, ts, e.Raw)
		dur = 0
	case state == traceevent.TimeAbsent:
		dur = trace.Unfinished
	case state == traceevent.TimeOverflow:
		c.log.add(problemDurationOverflow, e.Offset, ts, e.Raw)
		dur = trace.Unfinished
	default: // no number
		c.log.add(problemBadDuration, e.Offset, ts, e.Raw)
		dur = trace.Unfinished
	}
	if dur > math.MaxInt64-max(ts, 0) {
		c.log.add(problemDurationOverflow, e.Offset, ts, e.Raw)
		dur = trace.Unfinished
	}
	c.run.Add(trace.Complete, ts, dur, c.threadTrack(e), c.text(e, traceevent.FieldName),
		c.text(e, traceevent.FieldCat), c.args(e, placedX), e.Offset)
	if rare := e.Set() & rareSlice; rare != 0 {
		c.rare(e, rare, ts)
	}
	c.profile(e)
}

func (c *jsonChunk) begin(e *traceevent.Event) {
	ts, ok := c.placed(e)
	if !ok {
		return
	}
	c.run.Add(trace.Begin, ts, trace.Unfinished, c.threadTrack(e), c.text(e, traceevent.FieldName),
		c.text(e, traceevent.FieldCat), c.args(e, placedBegin), e.Offset)
	if rare := e.Set() & rareSlice; rare != 0 {
		c.rare(e, rare&(placedBegin), ts)
	}
}

func (c *jsonChunk) end(e *traceevent.Event) {
	ts, ok := c.placed(e)
	if !ok {
		return
	}
	name := c.text(e, traceevent.FieldName)
	if text, ok := e.Text(traceevent.FieldName); ok && len(text) == 0 {
		name = 0 // an empty name says no more than none
	}
	c.run.Add(trace.End, ts, trace.Unfinished, c.threadTrack(e), name,
		c.text(e, traceevent.FieldCat), c.args(e, placedEnd), e.Offset)
	if rare := e.Set() & rareSlice; rare != 0 {
		c.rare(e, rare&placedEnd, ts)
	}
}

func (c *jsonChunk) instant(e *traceevent.Event) {
	ts, ok := c.placed(e)
	if !ok {
		return
	}
	scope := byte('t')
	if s, ok := e.Text(traceevent.FieldS); ok && len(s) == 1 && (s[0] == 't' || s[0] == 'p' || s[0] == 'g') {
		scope = s[0]
	} else if e.Has(traceevent.FieldS) {
		c.log.add(problemInstantScope, e.Offset, ts, e.Raw)
	}
	track := c.threadTrack(e)
	switch scope {
	case 'p':
		track = c.who.use(uint32(track)/tracksPerThread, onProcess)
	case 'g':
		track = c.who.use(uint32(track)/tracksPerThread, onGlobal)
	}
	c.run.Add(trace.Complete, ts, 0, track, c.text(e, traceevent.FieldName),
		c.text(e, traceevent.FieldCat), c.args(e, placedInstant), e.Offset)
	c.run.SetScope(scope)
	if rare := e.Set() & rareSlice; rare != 0 {
		c.rare(e, rare&placedInstant, ts)
	}
	c.profile(e)
}

// profile keeps the V8 profiles that old Chrome wrote as one instant.
func (c *jsonChunk) profile(e *traceevent.Event) {
	if name := e.Get(traceevent.FieldName); string(name) == `"CpuProfile"` {
		c.profiles = append(c.profiles, refTo(e))
	}
}

// rare sets the columns that few events have.
func (c *jsonChunk) rare(e *traceevent.Event, rare traceevent.FieldSet, ts int64) {
	if rare&clockFields != 0 {
		c.run.SetThreadTime(c.clock(e, rare, traceevent.FieldTTS), c.clock(e, rare, traceevent.FieldTDur))
	}
	if rare&instrFields != 0 {
		c.run.SetThreadInstr(c.integer(e, rare, traceevent.FieldTICount), c.integer(e, rare, traceevent.FieldTIDelta))
	}
	if rare&stackFields != 0 {
		c.run.SetStacks(
			c.stack(e, rare, traceevent.FieldSF, traceevent.FieldStack),
			c.stack(e, rare, traceevent.FieldESF, traceevent.FieldEStack))
	}
	if rare.Has(traceevent.FieldCName) {
		c.color(e, ts)
	}
	if rare.Has(traceevent.FieldBindID) {
		c.link(e)
	}
}

var (
	clockFields = fields(traceevent.FieldTTS, traceevent.FieldTDur)
	instrFields = fields(traceevent.FieldTICount, traceevent.FieldTIDelta)
	stackFields = fields(traceevent.FieldSF, traceevent.FieldStack, traceevent.FieldESF, traceevent.FieldEStack)
)

// clock is a thread time in nanoseconds, NoTime when the event has none.
func (c *jsonChunk) clock(e *traceevent.Event, rare traceevent.FieldSet, f traceevent.Field) int64 {
	if !rare.Has(f) {
		return trace.NoTime
	}
	ns, state := e.Time(f)
	if state != traceevent.TimeOK {
		c.log.add(problemThreadTime, e.Offset, trace.NoTime, e.Raw)
		return trace.NoTime
	}
	return ns
}

// integer is an instruction count, NoInt when the event has none.
func (c *jsonChunk) integer(e *traceevent.Event, rare traceevent.FieldSet, f traceevent.Field) int64 {
	if !rare.Has(f) {
		return trace.NoInt
	}
	n, ok := e.Get(f).Int64()
	if !ok {
		c.log.add(problemThreadTime, e.Offset, trace.NoTime, e.Raw)
		return trace.NoInt
	}
	return n
}

// stack returns the chunk's number of a callstack, given as a frame's id or as
// a list of frames.
func (c *jsonChunk) stack(e *traceevent.Event, rare traceevent.FieldSet, frame, list traceevent.Field) trace.CallsiteID {
	if !rare.Has(frame) && !rare.Has(list) {
		return trace.NoCallsite
	}
	if rare.Has(frame) && rare.Has(list) {
		c.log.add(problemTwoStacks, e.Offset, trace.NoTime, e.Raw)
	}
	key := stackKey{frame: e.Get(frame), stack: e.Get(list)}
	raw := key.frame
	if raw == nil {
		raw = key.stack
	}
	if id, ok := c.stackIDs[string(raw)]; ok {
		return id
	}
	if c.stackIDs == nil {
		c.stackIDs = map[string]trace.CallsiteID{}
	}
	id := trace.CallsiteID(len(c.stacks))
	c.stacks = append(c.stacks, key)
	c.stackIDs[string(raw)] = id
	return id
}

func (c *jsonChunk) color(e *traceevent.Event, ts int64) {
	name, ok := e.Text(traceevent.FieldCName)
	if !ok || !knownColor(name) {
		c.log.add(problemUnknownColor, e.Offset, ts, e.Raw)
	}
	if ok {
		c.run.SetColor(c.names.Intern(name))
	}
}

// linked says whether an event takes part in a flow by bind_id: as a producer,
// a consumer or both. An id of zero is none.
func linked(e *traceevent.Event) (out, in bool) {
	switch string(e.Get(traceevent.FieldBindID)) {
	case "", "0", `"0"`, `"0x0"`, "null":
		return false, false
	default:
		return truthy(e.Get(traceevent.FieldFlowOut)), truthy(e.Get(traceevent.FieldFlowIn))
	}
}

// link remembers that the slice added last produces or consumes a flow.
func (c *jsonChunk) link(e *traceevent.Event) {
	out, in := linked(e)
	if !out && !in {
		return
	}
	tag := uint32(len(c.links) + 1)
	c.run.SetTag(tag)
	c.links = append(c.links, c.newLink(e, tag, out, in))
}

func (c *jsonChunk) newLink(e *traceevent.Event, tag uint32, out, in bool) trace.Link {
	id := e.Get(traceevent.FieldBindID)
	c.key = append(c.key[:0], 'l')
	c.key = id.AppendText(c.key)
	return trace.Link{
		Tag: tag, Chain: uint32(c.keys.Intern(c.key)), ID: c.value(id), Out: out, In: in,
		Offset: e.Offset, Category: c.text(e, traceevent.FieldCat),
	}
}

// truthy says whether a flag is set, as JavaScript would.
func truthy(r traceevent.Raw) bool {
	switch r.Kind() {
	case traceevent.KindBool:
		return r[0] == 't'
	case traceevent.KindNumber:
		v, _ := r.Float64()
		return v != 0
	case traceevent.KindString:
		return len(r) > 2
	case traceevent.KindObject, traceevent.KindArray:
		return true
	default: // absent or null
		return false
	}
}

// text is a string field; 0 when the event has none. What is no string is
// taken as it stands.
func (c *jsonChunk) text(e *traceevent.Event, f traceevent.Field) trace.StringID {
	if text, ok := e.Text(f); ok {
		return c.recent.intern(c.names, text)
	}
	if !e.Has(f) {
		return 0
	}
	return c.value(e.Get(f))
}

// value is a value's text; 0 for null.
func (c *jsonChunk) value(r traceevent.Raw) trace.StringID {
	if k := r.Kind(); k == traceevent.KindNull || k == traceevent.KindInvalid {
		return 0
	}
	c.scratch = r.AppendText(c.scratch[:0])
	return c.names.Intern(c.scratch)
}

// args is the chunk's number for an event's args, and for the fields that have
// no place of their own; 0 when it has neither.
func (c *jsonChunk) args(e *traceevent.Event, placed traceevent.FieldSet) trace.ArgSetID {
	if e.Has(traceevent.FieldBindID) {
		if out, in := linked(e); !out && !in {
			placed &^= placedLink
		}
	}
	if e.Set()&^placed == 0 && len(e.Extra) == 0 {
		if e.Get(traceevent.FieldArgs).Kind() <= traceevent.KindNull { // absent, or null
			return 0
		}
		if at := e.FieldOffset(traceevent.FieldArgs) - c.run.Base; at < inComposite {
			c.argLocs = append(c.argLocs, uint32(at))
			return trace.ArgSetID(len(c.argLocs))
		}
	}
	c.composites = append(c.composites, composite{partOf(e, placed)})
	c.argLocs = append(c.argLocs, inComposite|uint32(len(c.composites)-1))
	return trace.ArgSetID(len(c.argLocs))
}

// threadTrack is the chunk's number for the track of the event's thread.
func (c *jsonChunk) threadTrack(e *traceevent.Event) trace.TrackID {
	return c.who.use(c.thread(e), onThread)
}

// thread is the chunk's number for the event's thread.
func (c *jsonChunk) thread(e *traceevent.Event) uint32 {
	pid, ok := e.Int(traceevent.FieldPID)
	tid, ok2 := e.Int(traceevent.FieldTID)
	if ok && ok2 {
		return c.who.numbers(pid, tid)
	}
	return c.who.find(threadKey{c.ident(e, traceevent.FieldPID), c.ident(e, traceevent.FieldTID)})
}

func (c *jsonChunk) ident(e *traceevent.Event, f traceevent.Field) trace.Ident {
	if n, ok := e.Int(f); ok {
		return trace.Ident{Kind: trace.IdentNumber, Number: n}
	}
	if text := c.text(e, f); text != 0 {
		return trace.Ident{Kind: trace.IdentText, Text: text}
	}
	return trace.Ident{}
}

// appendPart appends one part of an identity, so that no two identities
// become the same bytes.
func appendPart(dst, part []byte) []byte {
	dst = binary.AppendUvarint(dst, uint64(len(part)))
	return append(dst, part...)
}
