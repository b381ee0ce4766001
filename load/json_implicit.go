package load

import (
	"bytes"
	"cmp"
	"slices"

	"github.com/weft-trace/weft/traceevent"
)

// maxImplicitDepth is how many implicit snapshots may lie in one another; each
// has the args of all that it contains, so that without a limit they would
// take the square of the input. What lies deeper is data of the last one.
const maxImplicitDepth = 32

// implicitFinder looks for objects inside a snapshot that are snapshots of
// their own: those with a member "id": "Type/0x2".
type implicitFinder struct {
	tok    traceevent.Tokenizer
	levels []implicitLevel
	found  []implicitObject
}

// implicitLevel is a container that is open.
type implicitLevel struct {
	object   bool
	start    int // offset in the snapshot
	key      implicitKey
	id       traceevent.Raw // of the form Type/0x2; nil so far
	slash    int            // in id
	category traceevent.Raw
	base     traceevent.Raw
	scope    traceevent.Raw
}

// implicitKey is which member of an object is being read.
type implicitKey uint8

const (
	otherKey implicitKey = iota
	keyID
	keyCat
	keyBaseType
	keyScope
)

// implicitObject is an object that was found, where it begins and ends.
type implicitObject struct {
	implicitLevel
	end int
}

// addImplicitSnapshots finds the implicit snapshots inside one that starts at
// an offset of the input.
func (j *jsonBuild) addImplicitSnapshots(o objectEvent, snapshot traceevent.Raw, offset int64) {
	if !bytes.Contains(snapshot, idKey) {
		return
	}
	f := &j.cold.objects.found
	f.find(snapshot)
	depth := 0
	var ends [maxImplicitDepth]int
	for i := range f.found {
		in := &f.found[i]
		for depth > 0 && ends[depth-1] <= in.start {
			depth--
		}
		if depth == maxImplicitDepth {
			j.log.add(problemImplicitDepth, offset+int64(in.start), o.ts, snapshot[in.start:in.end])
			continue
		}
		ends[depth] = in.end
		depth++
		id, _ := in.id.Plain()
		nested := o
		nested.implicit = true
		nested.name = j.in.Intern(id[:in.slash])
		nested.key.id = j.in.Intern(id[in.slash+1:])
		nested.base = j.text(in.base)
		if in.category != nil {
			nested.category = j.text(in.category)
		}
		if in.scope != nil {
			nested.key.scope = j.text(in.scope)
		}
		nested.offset = offset + int64(in.start)
		nested.raw = snapshot[in.start:in.end:in.end]
		nested.args = j.argsFrom("args.snapshot", nested.offset)
		j.cold.objects.events = append(j.cold.objects.events, nested)
	}
}

// find lists the implicit snapshots inside v, in order of where they begin. v
// itself is none.
func (f *implicitFinder) find(v traceevent.Raw) {
	f.tok.Reset(v)
	f.levels, f.found = f.levels[:0], f.found[:0]
	for {
		switch kind := f.tok.Next(); kind {
		case traceevent.TokenEnd, traceevent.TokenInvalid:
			// They end before those that they lie in; by where they begin, the outer
			// ones come first.
			slices.SortFunc(f.found, func(a, b implicitObject) int { return cmp.Compare(a.start, b.start) })
			return
		case traceevent.TokenObjectStart, traceevent.TokenArrayStart:
			f.levels = append(f.levels, implicitLevel{
				object: kind == traceevent.TokenObjectStart, start: f.tok.Offset(),
			})
		case traceevent.TokenObjectEnd, traceevent.TokenArrayEnd:
			l := f.levels[len(f.levels)-1]
			f.levels = f.levels[:len(f.levels)-1]
			if l.id != nil && len(f.levels) > 0 {
				f.found = append(f.found, implicitObject{l, f.tok.Offset() + 1})
			}
		case traceevent.TokenKey:
			f.levels[len(f.levels)-1].key = implicitKeyOf(f.tok.Raw())
		case traceevent.TokenString:
			if n := len(f.levels); n > 0 && f.levels[n-1].object {
				f.levels[n-1].take(f.tok.Raw())
			}
		default: // other scalars say nothing
		}
	}
}

func implicitKeyOf(key traceevent.Raw) implicitKey {
	switch string(key) {
	case `"id"`:
		return keyID
	case `"cat"`:
		return keyCat
	case `"base_type"`:
		return keyBaseType
	case `"scope"`:
		return keyScope
	default:
		return otherKey
	}
}

// take notes a string that is a member of the level's object.
func (l *implicitLevel) take(value traceevent.Raw) {
	switch l.key {
	case keyID:
		if text, ok := value.Plain(); ok {
			if name, _, ok := cutImplicitID(text); ok {
				l.id, l.slash = value, len(name)
			}
		}
	case keyCat:
		l.category = value
	case keyBaseType:
		l.base = value
	case keyScope:
		l.scope = value
	default: // the object's own state
	}
	l.key = otherKey
}

// cutImplicitID cuts Type/0x2 at its last slash.
func cutImplicitID(text []byte) (name, id []byte, ok bool) {
	slash := bytes.LastIndexByte(text, '/')
	if slash <= 0 {
		return nil, nil, false
	}
	name, id = text[:slash], text[slash+1:]
	_, ok = hexAddress(id)
	return name, id, ok
}
