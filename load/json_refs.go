package load

import (
	"bytes"
	"strconv"
	"sync"

	"github.com/weft-trace/weft/trace"
	"github.com/weft-trace/weft/traceevent"
)

var (
	idRefKey = []byte(`"id_ref"`)
	idKey    = []byte(`"id"`)
)

// refRow is a row whose args may refer to snapshots.
type refRow struct {
	set     trace.ArgSetID
	ts      int64
	process trace.UPID
	scope   trace.StringID
	prefix  string // of the keys of the set's members
	// A snapshot's args may hold snapshots, which have rows of their own.
	snapshot bool
}

// foundRef is an argument of the form {"id_ref": ID, "scope": SCOPE}, or a
// snapshot inside a snapshot.
type foundRef struct {
	refRow
	path     string
	id       traceevent.Raw
	ownScope traceevent.Raw // nil when it has none
	implicit bool
}

// resolveRefs finds the args that refer to an object by its id, and tells
// which snapshot was in force when their row began. The rows are searched side
// by side, then resolved in order.
func (j *jsonBuild) resolveRefs() {
	if len(j.t.ObjectSnapshots) == 0 {
		return
	}
	if holds := j.args.setsWith(&j.t.Args, idRefKey); holds != nil {
		s := &j.t.Slices
		j.findRefs(s.Len(), func(i int) refRow {
			set := s.ArgSet[i]
			if !holds[set] {
				return refRow{}
			}
			return refRow{set: set, ts: s.TS[i], process: j.t.Tracks[s.Track[i]].Process, prefix: "args"}
		})
	}
	j.findRefs(len(j.t.ObjectSnapshots), func(i int) refRow {
		row := &j.t.ObjectSnapshots[i]
		object := &j.t.Objects[row.Object]
		r := refRow{
			set: row.ArgSet, ts: row.TS, process: object.Process, scope: object.Scope, prefix: "args", snapshot: true,
		}
		if row.Implicit {
			r.prefix = "args.snapshot"
		}
		return r
	})
}

// refBatch is how many rows are searched at once by one goroutine.
const refBatch = 1 << 14

// findRefs searches and resolves n rows.
func (j *jsonBuild) findRefs(n int, row func(i int) refRow) {
	workers := j.b.Workers()
	found := make([][]foundRef, workers)
	for from := 0; from < n; {
		var wg sync.WaitGroup
		for w := 0; w < workers && from < n; w++ {
			first, last := from, min(from+refBatch, n)
			from = last
			wg.Go(func() {
				var f refFinder
				found[w] = found[w][:0]
				for i := first; i < last; i++ {
					found[w] = append(found[w], f.search(&j.t.Args, row(i))...)
				}
			})
		}
		wg.Wait()
		for w := range found {
			j.resolve(found[w])
			found[w] = found[w][:0]
		}
	}
}

// resolve looks up what was found; the refs of one set stand together.
func (j *jsonBuild) resolve(found []foundRef) {
	for len(found) > 0 {
		set := found[0].set
		var refs []argRef
		for len(found) > 0 && found[0].set == set {
			if snapshot := j.refTarget(&found[0]); snapshot != trace.NoSnapshot {
				refs = append(refs, argRef{found[0].path, snapshot})
			}
			found = found[1:]
		}
		if len(refs) > 0 {
			j.args.setRefs(&j.t.Args, set, refs)
		}
	}
}

// refTarget is the snapshot that a reference stands for: of the object with
// that id in the row's process, else of one whose id holds everywhere.
func (j *jsonBuild) refTarget(r *foundRef) trace.SnapshotID {
	key := objectKey{r.process, j.text(r.ownScope), j.text(r.id)}
	if r.implicit && r.ownScope == nil {
		key.scope = r.scope
	}
	object := j.objectAt(key, r.ts)
	if object == trace.NoObject {
		key.process = trace.NoProcess
		object = j.objectAt(key, r.ts)
	}
	snapshot := j.snapshotAt(object, r.ts)
	if snapshot == trace.NoSnapshot {
		j.log.add(problemUnknownRef, -1, r.ts, []byte(r.path+": "+string(r.id)))
	}
	return snapshot
}

// refFinder searches args for references.
type refFinder struct {
	tok    traceevent.Tokenizer
	text   []byte
	key    []byte
	levels []refLevel
	// The row's args, found so far.
	row   refRow
	found []foundRef
}

// refLevel is a container that is open.
type refLevel struct {
	key       int // length of its own path
	index     int
	object    bool
	member    refMember // which the value at hand is
	first     int       // how many refs were found before
	ref       traceevent.Raw
	id, scope traceevent.Raw
}

type refMember uint8

const (
	refOther refMember = iota
	refIDRef
	refID
	refScope
)

// search returns the references in a row's args, valid until the next call.
func (f *refFinder) search(args *trace.ArgSets, row refRow) []foundRef {
	f.found, f.row = f.found[:0], row
	if row.set == 0 {
		return nil
	}
	f.text = args.JSON(f.text[:0], row.set)
	if !bytes.Contains(f.text, idRefKey) && !(row.snapshot && bytes.Contains(f.text, idKey)) {
		return nil
	}
	f.tok.Reset(bytes.Clone(f.text)) // what is found points into it
	f.key = append(f.key[:0], row.prefix...)
	f.levels = f.levels[:0]
	for {
		switch kind := f.tok.Next(); kind {
		case traceevent.TokenEnd, traceevent.TokenInvalid:
			return f.found
		case traceevent.TokenKey:
			f.member()
		case traceevent.TokenObjectStart, traceevent.TokenArrayStart:
			f.element()
			if len(f.levels) == maxArgDepth || len(f.key) > maxArgKey {
				f.tok.Skip() // has no keys of its own in the args either
				continue
			}
			f.levels = append(f.levels, refLevel{
				key: len(f.key), object: kind == traceevent.TokenObjectStart, first: len(f.found),
			})
		case traceevent.TokenObjectEnd, traceevent.TokenArrayEnd:
			f.closeLevel()
		default: // a scalar
			f.element()
			f.scalar()
		}
	}
}

// closeLevel ends a container, which may be a reference itself. What a
// snapshot inside a snapshot refers to is left to that one's row.
func (f *refFinder) closeLevel() {
	l := f.levels[len(f.levels)-1]
	f.levels = f.levels[:len(f.levels)-1]
	f.key = f.key[:l.key]
	ref := foundRef{refRow: f.row, id: l.ref, ownScope: l.scope}
	if id, ok := f.implicitID(l); ok {
		f.found = f.found[:l.first]
		ref.id, ref.implicit = id, true
	}
	if ref.id != nil {
		ref.path = string(f.key)
		f.found = append(f.found, ref)
	}
}

// implicitID is the id of a snapshot inside a snapshot.
func (f *refFinder) implicitID(l refLevel) (traceevent.Raw, bool) {
	within := 1 // the row's snapshot itself
	if f.row.prefix == "args" {
		within = 2 // it is a member of args
	}
	if !f.row.snapshot || len(f.levels) < within {
		return nil, false
	}
	text, ok := l.id.Plain()
	if !ok {
		return nil, false
	}
	_, id, ok := cutImplicitID(text)
	return traceevent.Raw(id), ok
}

// member notes the key of the value that follows.
func (f *refFinder) member() {
	l := &f.levels[len(f.levels)-1]
	raw := f.tok.Raw()
	switch string(raw) {
	case string(idRefKey):
		l.member = refIDRef
	case string(idKey):
		l.member = refID
	case `"scope"`:
		l.member = refScope
	default:
		l.member = refOther
	}
	f.key = raw.AppendText(append(f.key[:l.key], '.'))
}

// element names a value that stands in an array.
func (f *refFinder) element() {
	if n := len(f.levels); n > 0 && !f.levels[n-1].object {
		l := &f.levels[n-1]
		f.key = append(f.key[:l.key], '[')
		f.key = append(strconv.AppendInt(f.key, int64(l.index), 10), ']')
		l.index++
	}
}

func (f *refFinder) scalar() {
	if len(f.levels) == 0 {
		return
	}
	l := &f.levels[len(f.levels)-1]
	switch l.member {
	case refIDRef:
		l.ref = f.tok.Raw()
	case refID:
		l.id = f.tok.Raw()
	case refScope:
		l.scope = f.tok.Raw()
	default: // data
	}
	l.member = refOther
}
