package traceevent

import "strconv"

// Reset empties the event, for building another.
func (e *Event) Reset() {
	e.Offset, e.Raw, e.Extra = 0, nil, e.Extra[:0]
	e.set, e.escaped, e.numeric, e.built, e.given = 0, 0, 0, 0, 0
	e.odd = false
	e.doc, e.text, e.scratch = nil, e.text[:0], e.scratch[:0]
}

// put makes what was appended to e.text since from the value of f.
func (e *Event) put(f Field, from int) {
	bit := FieldSet(1) << f
	e.span[f&31] = span{from, len(e.text)}
	e.set |= bit
	e.built |= bit
	e.escaped &^= bit
	e.numeric &^= bit
	e.given &^= bit
	e.Raw = nil
}

// SetText makes a string the value of a field. Its bytes are kept, also where
// they aren't UTF-8.
func (e *Event) SetText(f Field, s string) {
	from := len(e.text)
	e.text = appendQuoted(e.text, s)
	e.put(f, from)
	if len(e.text)-from != len(s)+2 {
		e.escaped = e.escaped.With(f)
	}
}

// SetPhase sets the event's phase.
func (e *Event) SetPhase(p Phase) {
	from := len(e.text)
	e.text = append(e.text, '"', byte(p), '"')
	e.put(FieldPh, from)
}

// SetNanos makes a time in nanoseconds the value of a field, written as
// microseconds with as many decimals as it needs.
func (e *Event) SetNanos(f Field, ns int64) {
	from := len(e.text)
	e.text = appendMicros(e.text, ns)
	e.put(f, from)
	if isTime(f) {
		e.num[(f-FieldTS)&7] = ns
		e.numeric = e.numeric.With(f)
	}
}

// SetInt makes an integer the value of a field.
func (e *Event) SetInt(f Field, n int64) {
	from := len(e.text)
	e.text = strconv.AppendInt(e.text, n, 10)
	e.put(f, from)
}

// SetRaw makes a JSON value, which it copies, the value of a field.
func (e *Event) SetRaw(f Field, v Raw) {
	from := len(e.text)
	e.text = append(e.text, v...)
	e.put(f, from)
	e.escaped = e.escaped.With(f) // it may be a string with escapes,
	e.given = e.given.With(f)     // and no JSON at all
}

// Delete takes a field away.
func (e *Event) Delete(f Field) {
	e.set &^= 1 << f
	e.numeric &^= 1 << f
	e.Raw = nil
}

// AddExtra adds a member that is no field of the specification. It keeps key and v.
func (e *Event) AddExtra(key []byte, v Raw) {
	e.Extra = append(e.Extra, Member{Key: key, Value: v})
	e.Raw = nil
}

// appendMicros appends nanoseconds as decimal microseconds: 1.5, 0.001, -3.
func appendMicros(dst []byte, ns int64) []byte {
	u := uint64(ns)
	if ns < 0 {
		dst = append(dst, '-')
		u = -u
	}
	dst = strconv.AppendUint(dst, u/1000, 10)
	if frac := u % 1000; frac != 0 {
		d := [4]byte{'.', byte('0' + frac/100), byte('0' + frac/10%10), byte('0' + frac%10)}
		n := 4
		for d[n-1] == '0' {
			n--
		}
		dst = append(dst, d[:n]...)
	}
	return dst
}

const hexDigits = "0123456789abcdef"

// appendQuoted appends a JSON string. Only what must be escaped is.
func appendQuoted[T string | []byte](dst []byte, s T) []byte {
	dst = append(dst, '"')
	from := 0
	for i := 0; i < len(s); i++ {
		c := s[i]
		if c >= 0x20 && c != '"' && c != '\\' {
			continue
		}
		dst = append(dst, s[from:i]...)
		from = i + 1
		switch c {
		case '"', '\\':
			dst = append(dst, '\\', c)
		case '\n':
			dst = append(dst, '\\', 'n')
		case '\r':
			dst = append(dst, '\\', 'r')
		case '\t':
			dst = append(dst, '\\', 't')
		default:
			dst = append(dst, '\\', 'u', '0', '0', hexDigits[c>>4], hexDigits[c&15])
		}
	}
	dst = append(dst, s[from:]...)
	return append(dst, '"')
}
