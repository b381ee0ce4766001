package load

import (
	"math"

	"github.com/weft-trace/weft/trace"
	"github.com/weft-trace/weft/traceevent"
)

// The cold events are those of which traces have few. They are handled one
// after another once the chunks are joined: what a single event says at once,
// the rest when all have been seen, because snapshots, stacks and profiles may
// stand in any order.

// jsonCold is what the cold events and the container's properties came to so
// far.
type jsonCold struct {
	metadata metadataEvents
	stacks   stackTables
	objects  objectEvents
	contexts []contextEvent
	memory   memoryEvents
	clocks   clockEvents
	profiles v8Profiles
	samples  []traceevent.Member // elements of the container's samples
	top      topLevel
	unknown  unknownPhases
}

// Fields of cold events that have a column, or are of no further use once they
// are read. All others become args.
var (
	placedObject  = placedCommon | placedID
	placedMemory  = placedCommon | fields(traceevent.FieldID)
	placedSample  = placedCommon | fields(traceevent.FieldSF, traceevent.FieldStack)
	placedProfile = placedCommon | fields(traceevent.FieldID)
)

// addColdEvent handles an event of any phase that the chunks leave alone. It
// is called in the order of the input, when all chunks are joined.
func (j *jsonBuild) addColdEvent(e *traceevent.Event) {
	switch e.Phase() {
	case traceevent.PhaseMetadata:
		j.addMetadata(e)
	case traceevent.PhaseObjectCreated, traceevent.PhaseObjectSnapshot, traceevent.PhaseObjectDeleted:
		j.addObjectEvent(e)
	case traceevent.PhaseMemoryGlobal, traceevent.PhaseMemoryProcess:
		j.addMemoryDump(e)
	case traceevent.PhaseSample:
		j.addSampleEvent(e)
	case traceevent.PhaseContextEnter, traceevent.PhaseContextLeave:
		j.addContextEvent(e)
	case traceevent.PhaseLinkIDs:
		j.addLinkedID(e)
	case traceevent.PhaseClockSync:
		j.addClockSync(e)
	default: // a phase that no specification knows, or none
		j.addUnknownPhase(e)
	}
}

// finishCold resolves what the cold events left open. It is called once, when
// the table of slices is final.
func (j *jsonBuild) finishCold() {
	j.finishTopLevel()
	j.finishMetadata()
	j.finishStacks()
	j.finishProfiles()
	j.finishGlobalSamples()
	j.finishObjects()
	j.finishContexts()
	j.finishMemory()
	j.finishClocks()
	j.finishUnknownPhases()
}

// placedAt is the time of an event that must have one.
func (j *jsonBuild) placedAt(e *traceevent.Event) (ts int64, ok bool) {
	ts, state := e.Time(traceevent.FieldTS)
	switch state {
	case traceevent.TimeOK:
		return ts, true
	case traceevent.TimeOverflow:
		j.problem(problemTimestampOverflow, e)
	default: // absent, or no number
		j.problem(problemNoTimestamp, e)
	}
	return 0, false
}

// member finds a member of an object, nil when it has none of that key. The
// last one counts.
func (j *jsonBuild) member(object traceevent.Raw, key string) (value traceevent.Raw) {
	value, _ = j.memberAt(object, key)
	return value
}

// memberAt is member with where in the object the value begins.
func (j *jsonBuild) memberAt(object traceevent.Raw, key string) (value traceevent.Raw, offset int) {
	j.walk.visit(object, func(k []byte, v traceevent.Raw, at int) bool {
		if string(k) == key {
			value, offset = v, at
		}
		return true
	})
	return value, offset
}

// eventID is the id of an event: that of id2, else id. local says whether a
// bare id holds within its process only.
func (j *jsonBuild) eventID(e *traceevent.Event, local bool) identity {
	if e.Has(traceevent.FieldID2) {
		if id, ok := parseID2(e.Get(traceevent.FieldID2)); ok {
			if e.Has(traceevent.FieldID) {
				j.problem(problemTwoIDs, e)
			}
			return id
		}
		j.problem(problemBadID2, e)
	}
	return identity{id: e.Get(traceevent.FieldID), local: local}
}

// integer is the integer that a value holds, also as a decimal string or a
// number with zero decimals; NoInt when it holds none.
func integer(r traceevent.Raw) int64 {
	if n, ok := r.Int64(); ok {
		return n
	}
	return trace.NoInt
}

// elapsed is the time from one moment to a later one, at most what int64 holds.
func elapsed(from, to int64) int64 {
	if d := to - from; d >= 0 {
		return d
	}
	return math.MaxInt64
}

// unknownPhases counts events whose phase no specification knows, by phase.
type unknownPhases struct {
	index map[string]int
	rows  []unknownPhase
}

type unknownPhase struct {
	phase  string
	count  int64
	sample trace.ProblemSample // the first of them
}

// maxUnknownPhases is how many phases are counted apart; all others are
// counted as one.
const maxUnknownPhases = 100

func (j *jsonBuild) addUnknownPhase(e *traceevent.Event) {
	if !e.Has(traceevent.FieldPh) {
		j.problem(problemMissingPhase, e)
		return
	}
	u := &j.cold.unknown
	text := e.Get(traceevent.FieldPh)
	phase := string(text[:min(len(text), 20)])
	i, ok := u.index[phase]
	if !ok && len(u.rows) == maxUnknownPhases {
		i, ok = maxUnknownPhases-1, true
	}
	if !ok {
		if u.index == nil {
			u.index = map[string]int{}
		}
		i = len(u.rows)
		u.index[phase] = i
		ts, state := e.Time(traceevent.FieldTS)
		if state != traceevent.TimeOK {
			ts = trace.NoTime
		}
		u.rows = append(u.rows, unknownPhase{phase: phase, sample: trace.ProblemSample{
			Offset: e.Offset, TS: ts, Text: string(e.Raw[:min(len(e.Raw), trace.MaxProblemText)]),
		}})
	}
	u.rows[i].count++
}

// finishUnknownPhases reports each phase with its first event.
func (j *jsonBuild) finishUnknownPhases() {
	for _, u := range j.cold.unknown.rows {
		j.b.Problem(problemUnknownPhase, u.count, u.sample)
	}
}
