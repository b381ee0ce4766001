package load

import (
	"bytes"
	"cmp"
	"slices"
	"sync"

	"github.com/weft-trace/weft/trace"
	"github.com/weft-trace/weft/traceevent"
)

// jsonArgs decodes the args of a Trace Event file, which lie in its text.
//
// A loc is a kind in its top two bits and a number: the offset of an event's
// args; or the index of a composite; or of a value with a prefix of its own.
type jsonArgs struct {
	doc        []byte
	decoder    uint8
	composites []composite
	values     []prefixedValue
	refs       map[uint64][]argRef // by loc
	flattens   sync.Pool           // of *flatten
}

const (
	locShift     = 54
	locValue     = 0
	locComposite = 1 << locShift
	locPrefixed  = 2 << locShift
	locNothing   = 3 << locShift // the set was joined to another
	locKind      = 3 << locShift
	noArgs       = ^uint64(0)
)

// composite is a set of args that lie in several places: those of a begin and
// its end, or an event's args and its fields without a column.
type composite []argPart

// argPart is what one event brings.
type argPart struct {
	args   int64 // offset of its args; -1 when it has none
	event  int64 // offset of the event, when it has fields without a column; else -1
	length int   // of the event
	placed traceevent.FieldSet
}

// prefixedValue is one value whose leaves are named by something else than
// "args".
type prefixedValue struct {
	prefix string
	offset int64
}

// argRef is an argument that was found to name an object's snapshot.
type argRef struct {
	path     string // the argument's key, as in column args.key
	snapshot trace.SnapshotID
}

func compositeLoc(i int) uint64 { return locComposite | uint64(i) }

func partOf(e *traceevent.Event, placed traceevent.FieldSet) argPart {
	p := argPart{args: -1, event: -1}
	if e.Get(traceevent.FieldArgs).Kind() > traceevent.KindNull {
		p.args = e.FieldOffset(traceevent.FieldArgs)
	}
	if e.Set()&^placed != 0 || len(e.Extra) > 0 {
		p.event, p.length, p.placed = e.Offset, len(e.Raw), placed
	}
	return p
}

// eventLoc is where the args of an event lie, with those of its fields that
// are not placed; noArgs when it has neither.
func (a *jsonArgs) eventLoc(e *traceevent.Event, placed traceevent.FieldSet) uint64 {
	part := partOf(e, placed)
	switch {
	case part.event >= 0:
		a.composites = append(a.composites, composite{part})
		return compositeLoc(len(a.composites) - 1)
	case part.args >= 0:
		return uint64(part.args)
	default:
		return noArgs
	}
}

// valueLoc is where a value lies whose leaves are named by prefix.
func (a *jsonArgs) valueLoc(prefix string, offset int64) uint64 {
	a.values = append(a.values, prefixedValue{prefix, offset})
	return locPrefixed | uint64(len(a.values)-1)
}

// join makes the args of one set part of another's, whose own values yield
// where both have a key. With last, the second set is of no use of its own
// afterwards.
func (a *jsonArgs) join(sets *trace.ArgSets, first, second trace.ArgSetID, last bool) {
	parts := append(a.parts(sets.Loc(first)), a.parts(sets.Loc(second))...)
	a.composites = append(a.composites, parts)
	sets.Move(first, a.decoder, compositeLoc(len(a.composites)-1))
	if last {
		sets.Move(second, a.decoder, locNothing)
	}
}

func (a *jsonArgs) parts(loc uint64) composite {
	switch loc & locKind {
	case locValue:
		return composite{{args: int64(loc), event: -1}}
	case locComposite:
		return append(composite(nil), a.composites[loc&^locKind]...)
	default: // values with prefixes are never joined
		return nil
	}
}

// setRefs tells which of a set's arguments name snapshots.
func (a *jsonArgs) setRefs(sets *trace.ArgSets, set trace.ArgSetID, refs []argRef) {
	if a.refs == nil {
		a.refs = map[uint64][]argRef{}
	}
	a.refs[sets.Loc(set)] = refs
}

// setsWith says, by ArgSetID, which sets of events can hold a text: those
// behind whose beginning it stands before another begins. It is nil when the
// text stands nowhere. It takes one look at the whole input instead of one at
// each set.
func (a *jsonArgs) setsWith(sets *trace.ArgSets, text []byte) []bool {
	at := bytes.Index(a.doc, text)
	if at < 0 {
		return nil
	}
	type begin struct {
		offset int64
		set    trace.ArgSetID
	}
	begins := make([]begin, 0, sets.Len())
	for id := trace.ArgSetID(1); int(id) <= sets.Len(); id++ {
		for _, p := range a.parts(sets.Loc(id)) {
			if p.args >= 0 {
				begins = append(begins, begin{p.args, id})
			}
		}
	}
	slices.SortFunc(begins, func(x, y begin) int { return cmp.Compare(x.offset, y.offset) })
	holds := make([]bool, sets.Len()+1)
	for next := 0; ; {
		for next < len(begins) && begins[next].offset <= int64(at) {
			next++
		}
		for i := next - 1; i >= 0 && begins[i].offset == begins[next-1].offset; i-- {
			holds[begins[i].set] = true // an end's args are part of two sets
		}
		more := bytes.Index(a.doc[at+1:], text)
		if more < 0 {
			return holds
		}
		at += 1 + more
	}
}

// value is the JSON value at an offset, and all that follows it.
func (a *jsonArgs) value(offset int64) traceevent.Raw { return traceevent.Raw(a.doc[offset:]) }

// DecodeArgs visits the leaves of a set.
func (a *jsonArgs) DecodeArgs(loc uint64, visit func(*trace.Arg) bool) {
	f, _ := a.flattens.Get().(*flatten)
	if f == nil {
		f = new(flatten)
	}
	defer a.flattens.Put(f)
	f.reset()
	switch loc & locKind {
	case locValue:
		f.value("args", a.value(int64(loc)))
	case locPrefixed:
		v := a.values[loc&^locKind]
		f.value(v.prefix, a.value(v.offset))
	case locComposite:
		a.flattenComposite(f, a.composites[loc&^locKind])
	default: // nothing: joined to another set
	}
	f.emit(visit, a.refs[loc])
}

func (a *jsonArgs) flattenComposite(f *flatten, parts composite) {
	a.mergedMembers(parts, func(key []byte, value traceevent.Raw) {
		if key == nil {
			f.value("args", value)
		} else {
			f.member("args", key, value)
		}
	})
	a.mergedFields(parts, func(name string, value traceevent.Raw) { f.value("event."+name, value) })
}

// mergedFields visits the fields without a column of several events: one that
// two of them have counts for the later one.
func (a *jsonArgs) mergedFields(parts composite, visit func(name string, value traceevent.Raw)) {
	last := map[string]int{}
	for i, p := range parts {
		a.eventFields(p, func(name string, _ traceevent.Raw) { last[name] = i })
	}
	for i, p := range parts {
		a.eventFields(p, func(name string, value traceevent.Raw) {
			if last[name] == i {
				visit(name, value)
			}
		})
	}
}

// mergedMembers visits the top-level args of several events: a key that two of
// them have counts for the later one. Args that are no object are visited
// whole, with a nil key.
func (a *jsonArgs) mergedMembers(parts composite, visit func(key []byte, value traceevent.Raw)) {
	last := map[string]int{}
	for i, p := range parts {
		if len(parts) > 1 && p.args >= 0 {
			members(a.value(p.args), func(key []byte, _ traceevent.Raw, _ int) bool {
				last[string(key)] = i
				return true
			})
		}
	}
	whole := -1 // the last part whose args are no object
	for i, p := range parts {
		if p.args >= 0 && a.value(p.args).Kind() != traceevent.KindObject {
			whole = i
		}
	}
	for i, p := range parts {
		if p.args < 0 {
			continue
		}
		v := a.value(p.args)
		if v.Kind() != traceevent.KindObject {
			if i == whole {
				visit(nil, v)
			}
			continue
		}
		members(v, func(key []byte, value traceevent.Raw, _ int) bool {
			if by, ok := last[string(key)]; !ok || by == i {
				visit(key, value)
			}
			return true
		})
	}
}

// eventFields visits the fields of an event that have no column.
func (a *jsonArgs) eventFields(p argPart, visit func(name string, value traceevent.Raw)) {
	if p.event < 0 {
		return
	}
	var e traceevent.Event
	if err := traceevent.ParseEvent(a.doc[p.event:p.event+int64(p.length)], &e); err != nil {
		return // it was read before: only a file that changed meanwhile ends here
	}
	for f := traceevent.Field(0); f < traceevent.NumFields; f++ {
		if e.Has(f) && !p.placed.Has(f) {
			visit(traceevent.Fields[f].Key, e.Get(f))
		}
	}
	for _, m := range e.Extra {
		visit(string(m.Key), m.Value)
	}
}

// ArgsJSON appends a whole set as one JSON value: the args as they stand in the
// input; those of a composite as one object, with the fields without a column
// as members named event.FIELD.
func (a *jsonArgs) ArgsJSON(dst []byte, loc uint64) []byte {
	switch loc & locKind {
	case locValue:
		return append(dst, wholeValue(a.value(int64(loc)))...)
	case locPrefixed:
		return append(dst, wholeValue(a.value(a.values[loc&^locKind].offset))...)
	case locComposite:
		return a.compositeJSON(dst, a.composites[loc&^locKind])
	default: // nothing: joined to another set
		return append(dst, "{}"...)
	}
}

func (a *jsonArgs) compositeJSON(dst []byte, parts composite) []byte {
	comma := byte('{')
	member := func(key []byte, value traceevent.Raw) {
		dst = append(dst, comma)
		dst = appendJSONString(dst, key)
		dst = append(dst, ':')
		dst = append(dst, wholeValue(value)...)
		comma = ','
	}
	a.mergedMembers(parts, func(key []byte, value traceevent.Raw) {
		if key == nil {
			key = []byte("args")
		}
		member(key, value)
	})
	a.mergedFields(parts, func(name string, value traceevent.Raw) { member([]byte("event."+name), value) })
	if comma == '{' {
		dst = append(dst, '{')
	}
	return append(dst, '}')
}

// appendJSONString appends text as a JSON string.
func appendJSONString(dst, text []byte) []byte {
	const hex = "0123456789abcdef"
	dst = append(dst, '"')
	for _, c := range text {
		switch {
		case c == '"' || c == '\\':
			dst = append(dst, '\\', c)
		case c < 0x20:
			dst = append(dst, '\\', 'u', '0', '0', hex[c>>4], hex[c&15])
		default:
			dst = append(dst, c)
		}
	}
	return append(dst, '"')
}

// wholeValue cuts a value from what follows it.
func wholeValue(r traceevent.Raw) traceevent.Raw {
	var tok traceevent.Tokenizer
	tok.Reset(r)
	switch tok.Next() {
	case traceevent.TokenObjectStart, traceevent.TokenArrayStart:
		return tok.Skip()
	case traceevent.TokenEnd, traceevent.TokenInvalid:
		return nil
	default: // a scalar
		return bytes.TrimSpace(tok.Raw())
	}
}
