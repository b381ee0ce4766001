package load

import (
	"bytes"
	"strconv"
	"sync"

	"github.com/weft-trace/weft/trace"
	"github.com/weft-trace/weft/traceevent"
)

var idRefKey = []byte(`"id_ref"`)

// refRow is a row whose args may refer to snapshots.
type refRow struct {
	set     trace.ArgSetID
	ts      int64
	process trace.UPID
	prefix  string // of the set's keys, for a set that is one value
}

// foundRef is an argument of the form {"id_ref": ID, "scope": SCOPE}.
type foundRef struct {
	refRow
	path      string
	id, scope traceevent.Raw
}

// resolveRefs finds the args that refer to an object by its id, and tells
// which snapshot was in force when their row began. The rows are searched side
// by side, then resolved in order.
func (j *jsonBuild) resolveRefs() {
	if len(j.t.ObjectSnapshots) == 0 || !bytes.Contains(j.doc, idRefKey) {
		return
	}
	s := &j.t.Slices
	j.findRefs(s.Len(), func(i int) refRow {
		process := j.t.Tracks[s.Track[i]].Process
		return refRow{s.ArgSet[i], s.TS[i], process, "args"}
	})
	j.findRefs(len(j.t.ObjectSnapshots), func(i int) refRow {
		row := &j.t.ObjectSnapshots[i]
		prefix := "args"
		if row.Implicit {
			prefix = "args.snapshot"
		}
		return refRow{row.ArgSet, row.TS, j.t.Objects[row.Object].Process, prefix}
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
					found[w] = f.search(found[w], &j.t.Args, row(i))
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
	key := objectKey{r.process, j.text(r.scope), j.text(r.id)}
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
}

// refLevel is a container that is open.
type refLevel struct {
	key       int // length of its own path
	index     int
	object    bool
	member    refMember // which the value at hand is
	id, scope traceevent.Raw
}

type refMember uint8

const (
	refOther refMember = iota
	refID
	refScope
)

// search appends the references in a row's args.
func (f *refFinder) search(found []foundRef, args *trace.ArgSets, row refRow) []foundRef {
	if row.set == 0 {
		return found
	}
	f.text = args.JSON(f.text[:0], row.set)
	if !bytes.Contains(f.text, idRefKey) {
		return found
	}
	text := bytes.Clone(f.text) // what is found points into it
	f.tok.Reset(text)
	f.key = append(f.key[:0], row.prefix...)
	f.levels = f.levels[:0]
	for {
		switch kind := f.tok.Next(); kind {
		case traceevent.TokenEnd, traceevent.TokenInvalid:
			return found
		case traceevent.TokenKey:
			f.member()
		case traceevent.TokenObjectStart, traceevent.TokenArrayStart:
			f.element()
			if len(f.levels) == maxArgDepth || len(f.key) > maxArgKey {
				f.tok.Skip() // has no keys of its own in the args either
				continue
			}
			f.levels = append(f.levels, refLevel{key: len(f.key), object: kind == traceevent.TokenObjectStart})
		case traceevent.TokenObjectEnd, traceevent.TokenArrayEnd:
			l := f.levels[len(f.levels)-1]
			f.levels = f.levels[:len(f.levels)-1]
			if l.id != nil {
				found = append(found, foundRef{row, string(f.key[:l.key]), l.id, l.scope})
			}
			f.key = f.key[:l.key]
		default: // a scalar
			f.element()
			f.scalar()
		}
	}
}

// member notes the key of the value that follows.
func (f *refFinder) member() {
	l := &f.levels[len(f.levels)-1]
	raw := f.tok.Raw()
	switch string(raw) {
	case string(idRefKey):
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
	case refID:
		l.id = f.tok.Raw()
	case refScope:
		l.scope = f.tok.Raw()
	default: // data
	}
	l.member = refOther
}
