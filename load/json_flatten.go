package load

import (
	"strconv"

	"github.com/weft-trace/weft/trace"
	"github.com/weft-trace/weft/traceevent"
)

// Args nested deeper than maxArgDepth, or below a longer key than maxArgKey,
// are one leaf of JSON text each: keys that grow with the depth would else
// take the square of the input.
const (
	maxArgDepth = 100
	maxArgKey   = 4096
)

// flatten turns JSON values into leaves with a key each. Leaves are collected
// first, because a key that comes twice in an object counts for its last
// value.
type flatten struct {
	tok    traceevent.Tokenizer
	keys   []byte // the leaves' keys and flat keys
	leaves []leaf
	levels []level
	key    []byte // of the value at hand
	flat   []byte
	text   []byte
	arg    trace.Arg
}

// leaf is a value that has no members. Its keys lie in flatten.keys.
type leaf struct {
	key, flat, end int // key from key to flat, flat key from flat to end
	value          traceevent.Raw
	dead           bool // its key comes again in the same object
}

// level is a container that is open.
type level struct {
	object    bool
	index     int // of an array: the next element's
	key, flat int // length of its own keys
	members   []memberLeaves
	seen      map[string]int // index into members by key, once they are many
}

// memberLeaves is a member of an object and its leaves.
type memberLeaves struct {
	key         traceevent.Raw
	first, last int
}

// manyMembers is from how many members on an object's keys are looked up in a
// map.
const manyMembers = 12

func (f *flatten) reset() {
	f.keys, f.leaves, f.levels = f.keys[:0], f.leaves[:0], f.levels[:0]
}

// value adds the leaves of a value, the first of the text that starts at v.
func (f *flatten) value(prefix string, v traceevent.Raw) {
	f.key = append(f.key[:0], prefix...)
	f.flat = append(f.flat[:0], prefix...)
	f.run(v)
}

// member adds the leaves of a member of an object that is named prefix.
func (f *flatten) member(prefix string, key []byte, v traceevent.Raw) {
	f.key = append(append(append(f.key[:0], prefix...), '.'), key...)
	f.flat = append(f.flat[:0], f.key...)
	f.run(v)
}

func (f *flatten) run(v traceevent.Raw) {
	f.tok.Reset(v)
	for {
		switch f.tok.Next() {
		case traceevent.TokenObjectStart, traceevent.TokenArrayStart:
			if f.openLevel() {
				continue
			}
		case traceevent.TokenObjectEnd, traceevent.TokenArrayEnd:
			f.closeLevel()
		case traceevent.TokenKey:
			f.memberKey(f.tok.Raw())
			continue
		case traceevent.TokenEnd, traceevent.TokenInvalid:
			return
		default: // a scalar
			f.beginElement()
			f.add(f.tok.Raw())
		}
		if len(f.levels) == 0 {
			return
		}
		f.endElement()
	}
}

// beginElement names a value that stands in an array.
func (f *flatten) beginElement() {
	if len(f.levels) == 0 {
		return
	}
	if l := &f.levels[len(f.levels)-1]; !l.object {
		f.key = append(f.key[:l.key], '[')
		f.key = strconv.AppendInt(f.key, int64(l.index), 10)
		f.key = append(f.key, ']')
		l.index++
	}
}

// endElement takes the name off that a value added to its container's.
func (f *flatten) endElement() {
	l := &f.levels[len(f.levels)-1]
	if l.object && len(l.members) > 0 {
		l.members[len(l.members)-1].last = len(f.leaves)
	}
	f.key, f.flat = f.key[:l.key], f.flat[:l.flat]
}

// openLevel enters a container; false when it is added whole, as one leaf.
func (f *flatten) openLevel() bool {
	object := f.tok.Raw()[0] == '{'
	f.beginElement()
	if len(f.levels) >= maxArgDepth || len(f.key) > maxArgKey {
		f.add(f.tok.Skip())
		return false
	}
	if n := len(f.levels); n < cap(f.levels) {
		f.levels = f.levels[:n+1]
		f.levels[n].members = f.levels[n].members[:0]
	} else {
		f.levels = append(f.levels, level{})
	}
	l := &f.levels[len(f.levels)-1]
	l.object, l.index, l.key, l.flat, l.seen = object, 0, len(f.key), len(f.flat), nil
	return true
}

func (f *flatten) closeLevel() {
	l := &f.levels[len(f.levels)-1]
	empty := l.index == 0 && len(l.members) == 0
	text := traceevent.Raw("[]")
	if l.object {
		text = traceevent.Raw("{}")
	}
	f.key, f.flat = f.key[:l.key], f.flat[:l.flat]
	f.levels = f.levels[:len(f.levels)-1]
	if empty {
		f.add(text)
	}
}

// memberKey names the member that follows, and drops an earlier one of the
// same key.
func (f *flatten) memberKey(raw traceevent.Raw) {
	l := &f.levels[len(f.levels)-1]
	if at := l.find(raw); at >= 0 {
		m := l.members[at]
		for i := m.first; i < m.last; i++ {
			f.leaves[i].dead = true
		}
	}
	l.members = append(l.members, memberLeaves{raw, len(f.leaves), len(f.leaves)})
	if l.seen != nil {
		l.seen[string(raw)] = len(l.members) - 1
	}
	f.key = raw.AppendText(append(f.key[:l.key], '.'))
	f.flat = raw.AppendText(append(f.flat[:l.flat], '.'))
}

// find returns the last member of a key, or -1.
func (l *level) find(key traceevent.Raw) int {
	if len(l.members) > manyMembers && l.seen == nil {
		l.seen = make(map[string]int, 2*len(l.members))
		for i, m := range l.members {
			l.seen[string(m.key)] = i
		}
	}
	if l.seen != nil {
		if at, ok := l.seen[string(key)]; ok {
			return at
		}
		return -1
	}
	for i := len(l.members) - 1; i >= 0; i-- {
		if string(l.members[i].key) == string(key) {
			return i
		}
	}
	return -1
}

func (f *flatten) add(value traceevent.Raw) {
	l := leaf{key: len(f.keys), value: value}
	f.keys = append(f.keys, f.key...)
	l.flat = len(f.keys)
	f.keys = append(f.keys, f.flat...)
	l.end = len(f.keys)
	f.leaves = append(f.leaves, l)
}

// emit visits the leaves, and after them what names a snapshot.
func (f *flatten) emit(visit func(*trace.Arg) bool, refs []argRef) {
	for i := range f.leaves {
		l := &f.leaves[i]
		if l.dead {
			continue
		}
		f.arg.Key, f.arg.FlatKey = f.keys[l.key:l.flat], f.keys[l.flat:l.end]
		f.typed(l.value)
		if !visit(&f.arg) {
			return
		}
	}
	for _, r := range refs {
		f.arg = trace.Arg{
			Key: []byte(r.path), FlatKey: flatKey(r.path), Kind: trace.ArgSnapshot, Int: int64(r.snapshot),
			Text: strconv.AppendInt(nil, int64(r.snapshot), 10),
		}
		f.arg.JSON = f.arg.Text
		if !visit(&f.arg) {
			return
		}
	}
}

// typed sets the arg's value and its type.
func (f *flatten) typed(v traceevent.Raw) {
	a := &f.arg
	a.Int, a.Real, a.Text, a.JSON = 0, 0, v, v
	switch v.Kind() {
	case traceevent.KindNull:
		a.Kind = trace.ArgNull
	case traceevent.KindBool:
		a.Kind = trace.ArgBool
		if v[0] == 't' {
			a.Int = 1
		}
	case traceevent.KindNumber:
		f.number(v)
	case traceevent.KindString:
		a.Kind = trace.ArgString
		if text, ok := v.Plain(); ok {
			a.Text = text
			return
		}
		f.text = v.AppendText(f.text[:0])
		a.Text = f.text
	default: // a container that was not opened
		a.Kind = trace.ArgJSON
	}
}

func (f *flatten) number(v traceevent.Raw) {
	a := &f.arg
	integer := true
	for _, c := range v {
		if c == '.' || c|0x20 == 'e' {
			integer = false
			break
		}
	}
	if integer {
		if n, ok := v.Int64(); ok {
			a.Kind, a.Int = trace.ArgInt, n
			return
		}
		if u, err := strconv.ParseUint(string(v), 10, 64); err == nil {
			a.Kind, a.Int = trace.ArgUint, int64(u)
			return
		}
	}
	a.Kind = trace.ArgReal
	a.Real, _ = v.Float64()
}

// flatKey is a key without the indexes of arrays.
func flatKey(key string) []byte {
	var flat []byte
	for i := 0; i < len(key); i++ {
		if key[i] == '[' {
			j := i + 1
			for j < len(key) && key[j] >= '0' && key[j] <= '9' {
				j++
			}
			if j > i+1 && j < len(key) && key[j] == ']' {
				i = j
				continue
			}
		}
		flat = append(flat, key[i])
	}
	return flat
}
