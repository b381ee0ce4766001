package load

import (
	"cmp"
	"slices"
	"sort"

	"github.com/weft-trace/weft/trace"
	"github.com/weft-trace/weft/traceevent"
)

// objectKey identifies an object at any one time. An id that holds everywhere
// has NoProcess.
type objectKey struct {
	process trace.UPID
	scope   trace.StringID
	id      trace.StringID
}

// objectEvents are the events of objects, and what came of them.
type objectEvents struct {
	events []objectEvent
	lives  map[objectKey]*objectLives
	// Snapshots of each object: rows of ObjectSnapshots from first[o] to
	// first[o+1] of bySnapshot.
	first      []uint32
	bySnapshot []trace.SnapshotID
	found      implicitFinder
}

// objectEvent is the creation, a snapshot or the deletion of an object.
type objectEvent struct {
	ts       int64
	key      objectKey
	name     trace.StringID
	category trace.StringID
	base     trace.StringID
	thread   trace.UTID
	args     trace.ArgSetID
	phase    traceevent.Phase
	implicit bool // a snapshot that stood inside another one
	offset   int64
	raw      traceevent.Raw
}

// objectLives are the objects that had the same identity, in time order.
type objectLives struct {
	objects []trace.ObjectID
	starts  []int64        // from when each may be referred to
	base    trace.StringID // the last one's base type
	alive   bool           // the last one was not deleted yet
	last    int64          // when its last snapshot was taken; NoTime before
}

// addObjectEvent handles an event of phase N, O or D.
func (j *jsonBuild) addObjectEvent(e *traceevent.Event) {
	ts, ok := j.placedAt(e)
	if !ok {
		return
	}
	id := j.eventID(e, true)
	if id.id == nil {
		j.problem(problemObjectID, e)
		return
	}
	thread := j.thread(e)
	o := objectEvent{
		ts: ts, phase: e.Phase(), thread: thread, offset: e.Offset, raw: e.Raw,
		key:      objectKey{trace.NoProcess, j.text(e.Get(traceevent.FieldScope)), j.text(id.id)},
		name:     j.text(e.Get(traceevent.FieldName)),
		category: j.text(e.Get(traceevent.FieldCat)),
	}
	if id.local {
		o.key.process = j.t.Threads[thread].Process
	}
	objects := &j.cold.objects
	if o.phase != traceevent.PhaseObjectSnapshot {
		o.args = j.argSet(e, placedObject)
		objects.events = append(objects.events, o)
		return
	}
	args := e.Get(traceevent.FieldArgs)
	snapshot, at := j.memberAt(args, "snapshot")
	if snapshot == nil {
		j.problem(problemSnapshotMissing, e)
		return
	}
	o.overrideFrom(j, args)
	o.overrideFrom(j, snapshot)
	o.args = j.argSet(e, placedObject)
	objects.events = append(objects.events, o)
	j.addImplicitSnapshots(o, snapshot, e.FieldOffset(traceevent.FieldArgs)+int64(at))
}

// overrideFrom takes the category and the base type that a snapshot gives for
// itself.
func (o *objectEvent) overrideFrom(j *jsonBuild, object traceevent.Raw) {
	j.walk.visit(object, func(key []byte, value traceevent.Raw, _ int) bool {
		if value.Kind() != traceevent.KindString {
			return true
		}
		switch string(key) {
		case "cat":
			o.category = j.text(value)
		case "base_type":
			o.base = j.text(value)
		default: // the object's own state
		}
		return true
	})
}

// finishObjects gives the events their order in time and makes objects of
// them.
func (j *jsonBuild) finishObjects() {
	objects := &j.cold.objects
	if len(objects.events) == 0 {
		return
	}
	slices.SortStableFunc(objects.events, func(a, b objectEvent) int {
		if c := cmp.Compare(a.ts, b.ts); c != 0 || a.implicit == b.implicit {
			return c
		}
		if a.implicit {
			return 1
		}
		return -1
	})
	objects.lives = map[objectKey]*objectLives{}
	for i := range objects.events {
		j.objectEvent(&objects.events[i])
	}
	objects.events = nil
	j.indexSnapshots()
	j.resolveRefs()
}

// objectEvent handles the next event in time.
func (j *jsonBuild) objectEvent(o *objectEvent) {
	lives := j.cold.objects.lives[o.key]
	if lives == nil {
		lives = &objectLives{}
		j.cold.objects.lives[o.key] = lives
	}
	switch o.phase {
	case traceevent.PhaseObjectCreated:
		if lives.alive {
			j.objectProblem(problemObjectAlive, o)
			return
		}
		j.beginLife(lives, o, o.ts)
	case traceevent.PhaseObjectDeleted:
		if !lives.alive {
			j.objectProblem(problemObjectNotAlive, o)
			return
		}
		object := &j.t.Objects[lives.objects[len(lives.objects)-1]]
		if o.name != object.Type && o.name != lives.base {
			j.objectProblem(problemObjectType, o)
		}
		object.Deleted = o.ts
		j.joinArgs(&object.ArgSet, o.args)
		lives.alive = false
	default: // a snapshot
		j.snapshot(lives, o)
	}
}

// beginLife makes a new object. created is NoTime when nothing announced it.
func (j *jsonBuild) beginLife(lives *objectLives, o *objectEvent, created int64) {
	row := trace.Object{
		Type: o.name, Category: o.category, Scope: o.key.scope, ID: o.key.id,
		Process: o.key.process, Thread: trace.NoThread, Created: created, Deleted: trace.NoTime,
	}
	start := created
	if created != trace.NoTime {
		row.Thread, row.ArgSet = o.thread, o.args
	} else if n := len(lives.objects); n > 0 {
		start = j.t.Objects[lives.objects[n-1]].Deleted
	}
	lives.objects = append(lives.objects, trace.ObjectID(len(j.t.Objects)))
	lives.starts = append(lives.starts, start)
	lives.alive, lives.last, lives.base = true, trace.NoTime, o.base
	j.t.Objects = append(j.t.Objects, row)
}

func (j *jsonBuild) snapshot(lives *objectLives, o *objectEvent) {
	if !lives.alive {
		j.beginLife(lives, o, trace.NoTime)
	} else if lives.last == o.ts {
		if !o.implicit { // an implicit one is part of another snapshot's args anyway
			j.objectProblem(problemSnapshotTwice, o)
		}
		return
	}
	lives.last = o.ts
	if lives.base == 0 {
		lives.base = o.base
	}
	j.t.ObjectSnapshots = append(j.t.ObjectSnapshots, trace.ObjectSnapshot{
		Object: lives.objects[len(lives.objects)-1], TS: o.ts, Type: o.name, BaseType: o.base,
		Category: o.category, ArgSet: o.args, Implicit: o.implicit,
	})
}

func (j *jsonBuild) objectProblem(kind *trace.ProblemKind, o *objectEvent) {
	j.log.add(kind, o.offset, o.ts, o.raw)
}

// indexSnapshots lists the snapshots of each object, which stand in time order.
func (j *jsonBuild) indexSnapshots() {
	objects := &j.cold.objects
	objects.first = make([]uint32, len(j.t.Objects)+1)
	for _, s := range j.t.ObjectSnapshots {
		objects.first[s.Object+1]++
	}
	for i := range j.t.Objects {
		objects.first[i+1] += objects.first[i]
	}
	next := slices.Clone(objects.first)
	objects.bySnapshot = make([]trace.SnapshotID, len(j.t.ObjectSnapshots))
	for i, s := range j.t.ObjectSnapshots {
		objects.bySnapshot[next[s.Object]] = trace.SnapshotID(i)
		next[s.Object]++
	}
}

// objectAt is the object that an identity stood for at a time. Where nothing
// announced the first object of an identity, it is taken to have been there
// all along; and a later one, since the one before was deleted.
func (j *jsonBuild) objectAt(key objectKey, ts int64) trace.ObjectID {
	lives := j.cold.objects.lives[key]
	if lives == nil {
		return trace.NoObject
	}
	i := sort.Search(len(lives.starts), func(i int) bool { return lives.starts[i] > ts }) - 1
	if i < 0 {
		return trace.NoObject
	}
	object := lives.objects[i]
	if end := j.t.Objects[object].Deleted; end != trace.NoTime && ts >= end {
		return trace.NoObject
	}
	return object
}

// snapshotAt is the snapshot of an object that was in force at a time: the
// last one so far, and before the first one that.
func (j *jsonBuild) snapshotAt(object trace.ObjectID, ts int64) trace.SnapshotID {
	if object == trace.NoObject {
		return trace.NoSnapshot
	}
	objects := &j.cold.objects
	of := objects.bySnapshot[objects.first[object]:objects.first[object+1]]
	if len(of) == 0 {
		return trace.NoSnapshot
	}
	i := sort.Search(len(of), func(i int) bool { return j.t.ObjectSnapshots[of[i]].TS > ts })
	return of[max(i-1, 0)]
}
