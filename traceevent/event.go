package traceevent

// Member is a key with its value.
type Member struct {
	Key    []byte // decoded
	Value  Raw
	Offset int64 // of the value's first byte in the input
}

// Event is one event: where its fields stand in the text. What its methods return
// points into the input, or into buffers of the event, and is valid until the
// next event is read into it. The zero Event has no fields and can be built upon.
type Event struct {
	Offset int64    // of its '{' in the input
	Raw    Raw      // the whole event's text; nil for an event that was built
	Extra  []Member // fields that the specification doesn't know, in file order

	base    int64    // offset in the input of doc's first byte
	set     FieldSet // fields present
	escaped FieldSet // strings that hold a backslash
	numeric FieldSet // fields whose value is in num
	built   FieldSet // fields whose value is in text, not doc
	given   FieldSet // fields that SetRaw set: nobody has looked at them
	odd     bool     // something in doc isn't standard JSON
	doc     []byte
	text    []byte // values that were set
	scratch []byte // decoded strings
	span    [32]span
	num     [8]int64 // of FieldTS, …: nanoseconds, and integers for FieldPID and FieldTID
}

// span is where a value stands.
type span struct{ from, to int }

// Has tells whether the event has the field, whatever its value.
func (e *Event) Has(f Field) bool { return e.set.Has(f) }

// Set is the set of the fields that the event has.
func (e *Event) Set() FieldSet { return e.set }

// Get is a field's value as it stands, nil when the event doesn't have it. Where
// the input repeats a key, the last one counts.
func (e *Event) Get(f Field) Raw {
	if !e.set.Has(f) {
		return nil
	}
	s := e.span[f&31]
	if e.built.Has(f) {
		return Raw(e.text[s.from:s.to:s.to])
	}
	return Raw(e.doc[s.from:s.to:s.to])
}

// FieldOffset is where in the input a field's value begins; -1 when the event
// doesn't have it, or it was set.
func (e *Event) FieldOffset(f Field) int64 {
	if !e.set.Has(f) || e.built.Has(f) {
		return -1
	}
	return e.base + int64(e.span[f&31].from)
}

// Phase is the event's phase, whether the specification knows it or not; 0 when
// "ph" is absent or not a string of one character.
func (e *Event) Phase() Phase {
	r := e.Get(FieldPh)
	if len(r) == 3 && r[0] == '"' && r[2] == '"' {
		return Phase(r[1])
	}
	if text, ok := e.Text(FieldPh); ok && len(text) == 1 {
		return Phase(text[0])
	}
	return 0
}

// Time is the value of FieldTS, FieldDur, FieldTTS or FieldTDur in nanoseconds.
func (e *Event) Time(f Field) (ns int64, state TimeState) {
	if e.numeric.Has(f) && isTime(f) {
		return e.num[(f-FieldTS)&7], TimeOK
	}
	return e.Get(f).Nanos()
}

// Int is the exact integer that a field holds, as a number or a decimal string.
func (e *Event) Int(f Field) (n int64, ok bool) {
	if e.numeric.Has(f) && !isTime(f) {
		return e.num[(f-FieldTS)&7], true
	}
	return e.Get(f).Int64()
}

// Text is the decoded text of a string. ok is false when the field is absent or
// not a string.
func (e *Event) Text(f Field) (text []byte, ok bool) {
	in, ok := e.Get(f).inner()
	if !ok {
		return nil, false
	}
	if !e.escaped.Has(f) {
		return in, true
	}
	from := len(e.scratch)
	e.scratch = appendUnescaped(e.scratch, in)
	return e.scratch[from:len(e.scratch):len(e.scratch)], true
}

// ParseEvent reads one event that stands alone into e. Irregularities that a
// Scanner would report as issues are read as meant; a text that isn't one whole
// object is a *SyntaxError, and e is then empty.
func ParseEvent(text []byte, e *Event) error {
	var p parser
	i := skipSpace(text, 0)
	switch {
	case i == len(text):
		p.failCut(text)
	case text[i] != '{':
		p.fail(i)
	default:
		end := p.event(text, i, e)
		if end >= 0 {
			if end = skipSpace(text, end); end == len(text) {
				return nil
			}
			p.fail(end)
		}
	}
	e.Reset()
	return syntaxError(text, &p)
}
