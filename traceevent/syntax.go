package traceevent

import (
	"encoding/binary"
	"math/bits"
)

// parser reads JSON values in one pass: it finds where they end and whether they
// are well formed. Its methods take the document and the index where something
// begins, and return the index after it, or -1 when it can't be read; then failAt
// is where, and cut tells that it was because the document ended. Whatever they
// return before the end of the document doesn't depend on what lies behind, so a
// document that is still growing can be tried again.
type parser struct {
	base   int64 // offset of the document's first byte in the input
	failAt int
	cut    bool
	oddAt  int // first place that isn't standard JSON; -1 none
	oddLen int
	dupAt  int // first key that an event has twice; -1 none
	dupLen int
	stack  []uint64    // a bit for each open container, 64 levels a word: 1 is an object
	order  [32]keyWord // the keys of the event before: producers repeat themselves
}

const (
	ones  = 0x0101010101010101
	highs = 0x8080808080808080
)

// load is the eight bytes at i, the first one lowest. Past the end it is zero,
// which is neither a quote nor a digit, and below 0x20.
func load(doc []byte, i int) uint64 {
	if b := doc[i:]; len(b) >= 8 {
		return binary.LittleEndian.Uint64(b)
	}
	return loadTail(doc[i:])
}

func loadTail(b []byte) (w uint64) {
	for k, c := range b {
		w |= uint64(c) << (8 * k)
	}
	return w
}

// stops marks the bytes of w that a string's scan stops at, a quote, a backslash
// and anything below 0x20, by their high bits. The lowest mark is exact; those
// above it may be false.
func stops(w uint64) uint64 {
	q := w ^ ones*'"'
	b := w ^ ones*'\\'
	return ((q-ones)&^q | (b-ones)&^b | (w-ones*0x20)&^w) & highs
}

func isSpace(c byte) bool { return c == ' ' || c == '\n' || c == '\r' || c == '\t' }

// skipSpace is the index of the first byte at or after i that isn't white space.
func skipSpace(doc []byte, i int) int {
	for i < len(doc) && isSpace(doc[i]) {
		i++
	}
	return i
}

func (p *parser) fail(at int) int {
	p.failAt, p.cut = at, false
	return -1
}

func (p *parser) failCut(doc []byte) int {
	p.failAt, p.cut = len(doc), true
	return -1
}

// odd notes a place that isn't JSON by the letter but clear.
func (p *parser) odd(at, size int) {
	if p.oddAt < 0 {
		p.oddAt, p.oddLen = at, size
	}
}

// shortString is str for what is at most seven bytes and needs no second look; -1 for
// anything else.
func shortString(doc []byte, i int) int {
	w := load(doc, i)
	m := stops(w)
	k := bits.TrailingZeros64(m)
	if m == 0 || byte(w>>(k-7)) != '"' {
		return -1
	}
	return i + k>>3 + 1
}

// str skips a string from the byte after its opening quote.
func (p *parser) str(doc []byte, i int) (end int, escaped bool) {
	for {
		m := stops(load(doc, i))
		if m == 0 {
			i += 8
			continue
		}
		i += bits.TrailingZeros64(m) >> 3
		if i >= len(doc) {
			return p.failCut(doc), escaped
		}
		switch doc[i] {
		case '"':
			return i + 1, escaped
		case '\\':
			escaped = true
			if i = p.escape(doc, i); i < 0 {
				return i, escaped
			}
		default: // a control character
			p.odd(i, 1)
			i++
		}
	}
}

// escape skips the escape sequence at i.
func (p *parser) escape(doc []byte, i int) int {
	if i+1 >= len(doc) {
		return p.failCut(doc)
	}
	switch doc[i+1] {
	case '"', '\\', '/', 'b', 'f', 'n', 'r', 't':
		return i + 2
	case 'u':
		for k := i + 2; k < i+6; k++ {
			if k >= len(doc) {
				return p.failCut(doc)
			}
			if _, ok := hexDigit(doc[k]); !ok {
				p.odd(i, 2)
				return i + 2
			}
		}
		return i + 6
	default:
		p.odd(i, 2)
		return i + 2
	}
}

// value skips any value that begins at i.
func (p *parser) value(doc []byte, i int) int {
	if i >= len(doc) {
		return p.failCut(doc)
	}
	switch doc[i] {
	case '"':
		end, _ := p.str(doc, i+1)
		return end
	case '{', '[':
		return p.container(doc, i)
	default:
		return p.scalar(doc, i)
	}
}

// scalar skips a number, true, false or null. A number may end with the document;
// it is up to the caller to see that more might have followed.
func (p *parser) scalar(doc []byte, i int) int {
	switch doc[i] {
	case 't':
		return p.literal(doc, i, "true")
	case 'f':
		return p.literal(doc, i, "false")
	case 'n':
		return p.literal(doc, i, "null")
	default:
		return p.number(doc, i)
	}
}

func (p *parser) literal(doc []byte, i int, text string) int {
	for k := range len(text) {
		if i+k >= len(doc) {
			return p.failCut(doc)
		}
		if doc[i+k] != text[k] {
			return p.fail(i + k)
		}
	}
	return i + len(text)
}

// digits is the index of the first byte at or after i that is no decimal digit.
func digits(doc []byte, i int) int {
	for i < len(doc) && doc[i]-'0' <= 9 {
		i++
	}
	return i
}

// number skips a number, also in the forms that JSON doesn't allow.
func (p *parser) number(doc []byte, i int) int {
	start, odd := i, false
	if doc[i] == '-' || doc[i] == '+' {
		odd = doc[i] == '+'
		if i++; i >= len(doc) {
			return p.failCut(doc)
		}
	}
	switch doc[i] {
	case 'N':
		i = p.literal(doc, i, "NaN")
		odd = true
	case 'I':
		i = p.literal(doc, i, "Infinity")
		odd = true
	default:
		var strange bool
		i, strange = p.numeral(doc, i)
		odd = odd || strange
	}
	if i >= 0 && odd {
		p.odd(start, i-start)
	}
	return i
}

// numeral skips the digits, decimals and exponent of a number, or a hexadecimal
// literal.
func (p *parser) numeral(doc []byte, i int) (end int, odd bool) {
	first := i
	i = digits(doc, i)
	whole := i - first
	odd = whole == 0 || whole > 1 && doc[first] == '0'
	if i >= len(doc) {
		if whole == 0 {
			return p.failCut(doc), odd
		}
		return i, odd
	}
	if doc[i]|0x20 == 'x' && whole == 1 && doc[first] == '0' {
		for i++; i < len(doc); i++ {
			if _, ok := hexDigit(doc[i]); !ok {
				break
			}
		}
		if i == first+2 {
			if i == len(doc) {
				return p.failCut(doc), true
			}
			return p.fail(i), true
		}
		return i, true
	}
	if doc[i] == '.' {
		point := i
		i = digits(doc, i+1)
		decimals := i - point - 1
		odd = odd || decimals == 0
		if whole+decimals == 0 {
			if i == len(doc) {
				return p.failCut(doc), odd
			}
			return p.fail(i), odd
		}
	} else if whole == 0 {
		return p.fail(i), odd
	}
	if i < len(doc) && doc[i]|0x20 == 'e' {
		if i++; i < len(doc) && (doc[i] == '-' || doc[i] == '+') {
			i++
		}
		exp := i
		if i = digits(doc, i); i == exp {
			if i == len(doc) {
				return p.failCut(doc), odd
			}
			return p.fail(i), odd
		}
	}
	return i, odd
}

// container skips the object or array that opens at i, whatever its depth.
func (p *parser) container(doc []byte, i int) int {
	var (
		open  uint64 // the innermost levels, the last one lowest: 1 is an object
		depth int
		end   int
	)
	p.stack = p.stack[:0]

value:
	if i = skipSpace(doc, i); i >= len(doc) {
		return p.failCut(doc)
	}
	switch doc[i] {
	case '"':
		if end = shortString(doc, i+1); end < 0 {
			if end, _ = p.str(doc, i+1); end < 0 {
				return end
			}
		}
		i = end
		goto after
	case '1', '2', '3', '4', '5', '6', '7', '8', '9':
		// A plain integer, as most are.
		if end = digits(doc, i+1); end < len(doc) && (doc[end] == ',' || doc[end] == '}' || doc[end] == ']') {
			i = end
			goto after
		}
		if i = p.number(doc, i); i < 0 {
			return i
		}
	case '{', '[':
		if depth&63 == 0 && depth > 0 {
			p.stack = append(p.stack, open)
		}
		depth++
		open <<= 1
		if doc[i] == '{' {
			open |= 1
			i++
			goto key
		}
		if i = skipSpace(doc, i+1); i < len(doc) && doc[i] == ']' {
			goto closed
		}
		goto value
	default:
		if i = p.scalar(doc, i); i < 0 {
			return i
		}
	}

after: // a value ended before i
	if i = skipSpace(doc, i); i >= len(doc) {
		return p.failCut(doc)
	}
	if open&1 != 0 {
		switch doc[i] {
		case ',':
			if i = skipSpace(doc, i+1); i < len(doc) && doc[i] == '}' {
				p.odd(i, 1)
			}
			goto key
		case '}':
			goto closed
		}
		return p.fail(i)
	}
	switch doc[i] {
	case ',':
		if i = skipSpace(doc, i+1); i < len(doc) && doc[i] == ']' {
			p.odd(i, 1)
			goto closed
		}
		goto value
	case ']':
		goto closed
	}
	return p.fail(i)

key: // a key of an object, or its end
	if i = skipSpace(doc, i); i >= len(doc) {
		return p.failCut(doc)
	}
	if doc[i] == '}' {
		goto closed
	}
	if doc[i] != '"' {
		return p.fail(i)
	}
	if end = shortString(doc, i+1); end < 0 {
		if end, _ = p.str(doc, i+1); end < 0 {
			return end
		}
	}
	if i = skipSpace(doc, end); i >= len(doc) {
		return p.failCut(doc)
	}
	if doc[i] != ':' {
		return p.fail(i)
	}
	i++
	goto value

closed: // the closing bracket stands at i
	i++
	open >>= 1
	if depth--; depth == 0 {
		return i
	}
	if depth&63 == 0 {
		open = p.stack[len(p.stack)-1]
		p.stack = p.stack[:len(p.stack)-1]
	}
	goto after
}
