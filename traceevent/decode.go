package traceevent

import "math/bits"

// quoteMark marks the quotes in w by their high bits; the lowest mark is exact.
func quoteMark(w uint64) uint64 {
	q := w ^ ones*'"'
	return (q - ones) &^ q & highs
}

// event reads the event whose '{' stands at i into e.
func (p *parser) event(doc []byte, i int, e *Event) int {
	var (
		set, escaped, numeric FieldSet
		start                 = i
		n                     int // members so far
	)
	p.oddAt, p.dupAt = -1, -1
	e.doc, e.built, e.given = doc, 0, 0
	e.text = e.text[:0]
	e.Extra, e.scratch = e.Extra[:0], e.scratch[:0]
	i++
	for {
		// The key, or the end.
		if uint(i) >= uint(len(doc)) {
			return p.failCut(doc)
		}
		if c := doc[i]; c != '"' {
			if isSpace(c) {
				i++
				continue
			}
			if c != '}' {
				return p.fail(i)
			}
			if n > 0 {
				p.odd(i, 1) // a comma stood before it
			}
			i++
			break
		}
		i++
		keyAt := i
		w := load(doc, i)
		f := noField
		if k := &p.order[n&31]; w&k.mask == k.word && k.size != 0 {
			f = k.field
			i += int(k.size)
		} else if k := lookup(w); k != nil {
			f = k.field
			i += int(k.size)
			p.order[n&31] = *k
		} else if i, f = p.longKey(doc, i, e); i < 0 {
			return i
		}
		keyEnd := i - 1
		n++

		// The colon and what lies around it.
		if uint(i) >= uint(len(doc)) {
			return p.failCut(doc)
		}
		if doc[i] != ':' {
			if i = skipSpace(doc, i); i >= len(doc) {
				return p.failCut(doc)
			}
			if doc[i] != ':' {
				return p.fail(i)
			}
		}
		i++
		if uint(i) >= uint(len(doc)) {
			return p.failCut(doc)
		}
		c := doc[i]
		if c <= ' ' {
			if i = skipSpace(doc, i); i >= len(doc) {
				return p.failCut(doc)
			}
			c = doc[i]
		}

		// The value.
		from := i
		bit := FieldSet(1) << (f & 31)
		if f != noField {
			if set&bit != 0 {
				if p.dupAt < 0 {
					p.dupAt, p.dupLen = keyAt-1, keyEnd-keyAt+2
				}
				escaped &^= bit
				numeric &^= bit
			}
			set |= bit
		}
		switch {
		case c == '"':
			i++
			m := stops(load(doc, i))
			if m == 0 {
				i += 8
				m = stops(load(doc, i))
			}
			i += bits.TrailingZeros64(m) >> 3
			if m != 0 && uint(i) < uint(len(doc)) && doc[i] == '"' {
				i++
				break
			}
			var esc bool
			if i, esc = p.str(doc, i); i < 0 {
				return i
			}
			if esc {
				escaped |= bit
			}
		case c-'0' <= 9 && f-FieldTS <= FieldTID-FieldTS:
			v, end := shortNumber(doc, i, f <= FieldTDur)
			if end > 0 {
				e.num[(f-FieldTS)&7] = v
				numeric |= bit
				i = end
			} else if i = p.number(doc, i); i < 0 {
				return i
			}
		case c == '{' || c == '[':
			if i = p.container(doc, i); i < 0 {
				return i
			}
		default:
			if i = p.scalar(doc, i); i < 0 {
				return i
			}
		}
		if f != noField {
			e.span[f&31] = span{from, i}
		} else {
			p.extra(e, doc, span{keyAt, keyEnd}, span{from, i})
		}

		// What follows.
		if uint(i) >= uint(len(doc)) {
			return p.failCut(doc)
		}
		c = doc[i]
		if c <= ' ' {
			if i = skipSpace(doc, i); i >= len(doc) {
				return p.failCut(doc)
			}
			c = doc[i]
		}
		if c == ',' {
			i++
			continue
		}
		if c != '}' {
			return p.fail(i)
		}
		i++
		break
	}
	e.set, e.escaped, e.numeric = set, escaped, numeric
	e.odd = p.oddAt >= 0
	e.base = p.base
	e.Offset = p.base + int64(start)
	e.Raw = Raw(doc[start:i:i])
	return i
}

// lookup finds the key that begins w, nil when it isn't one of the short ones.
func lookup(w uint64) *keyWord {
	m := quoteMark(w)
	if m == 0 {
		return nil
	}
	word := w & (m ^ (m - 1)) // up to and with the lowest quote: its mark is the top bit of its byte
	k := &keyTable[word*keyHashMul>>keyHashShift]
	if k.word != word || k.size == 0 {
		return nil
	}
	return k
}

// longKey reads any key from the byte after its opening quote.
func (p *parser) longKey(doc []byte, i int, e *Event) (end int, f Field) {
	end, escaped := p.str(doc, i)
	if end < 0 {
		return end, noField
	}
	key := doc[i : end-1]
	if escaped {
		from := len(e.scratch)
		e.scratch = appendUnescaped(e.scratch, key)
		key = e.scratch[from:]
	}
	return end, fieldOf(key)
}

// extra keeps a member that is no field of the specification.
func (p *parser) extra(e *Event, doc []byte, key, value span) {
	k := doc[key.from:key.to:key.to]
	if _, plain := (Raw)(doc[key.from-1 : key.to+1]).Plain(); !plain {
		from := len(e.scratch)
		e.scratch = appendUnescaped(e.scratch, k)
		k = e.scratch[from:len(e.scratch):len(e.scratch)]
	}
	e.Extra = append(e.Extra, Member{
		Key:    k,
		Value:  Raw(doc[value.from:value.to:value.to]),
		Offset: p.base + int64(value.from),
	})
}

// pow10 has the powers of ten that eight digits need.
var pow10 = [16]int64{1, 10, 100, 1000, 10000, 100000, 1000000, 10000000, 100000000}

// eight reads the decimal digits that begin w: how many of its bytes they are, and
// their value.
func eight(w uint64) (v int64, n int) {
	// Of a digit both d and d+6 stay below 16. The lowest mark is exact: the sum
	// carries only out of a byte that is marked itself.
	d := w ^ ones*'0'
	n = bits.TrailingZeros64((d|(d+ones*6))&(ones*0xf0)) >> 3
	d <<= uint(64 - 8*n) // zeros in front
	d = d*10 + d>>8
	const low = 0x000000ff000000ff
	d = (d&low)*(100+1000000<<32) + (d>>16&low)*(1+10000<<32)
	return int64(d >> 32), n
}

// shortNumber reads the common forms of a number that begins with a digit: up to 16
// digits, and if micros up to three decimals, giving thousandths. Anything else,
// also what isn't standard, is left to number and Raw: end is 0.
func shortNumber(doc []byte, i int, micros bool) (v int64, end int) {
	first := doc[i]
	v, n := eight(load(doc, i))
	i += n
	if n == 8 {
		low, k := eight(load(doc, i))
		v = v*pow10[k&15] + low
		i += k
		n += k
	}
	if first == '0' && n > 1 || i >= len(doc) {
		return 0, 0
	}
	c := doc[i]
	if micros {
		if v > (1<<63-1)/1000-1 {
			return 0, 0
		}
		v *= 1000
		if c == '.' {
			f, k := eight(load(doc, i+1))
			if k == 0 || k > 3 {
				return 0, 0
			}
			v += f * pow10[3-k]
			if i += 1 + k; i >= len(doc) {
				return 0, 0
			}
			c = doc[i]
		}
	}
	if c == ',' || c == '}' || isSpace(c) {
		return v, i
	}
	return 0, 0
}
