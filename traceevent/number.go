package traceevent

import (
	"bytes"
	"math"
	"strconv"
)

// TimeState says what became of a time.
type TimeState uint8

// The states of a time.
const (
	TimeAbsent   TimeState = iota // the event has no such field
	TimeOK                        // exact to the nanosecond
	TimeBad                       // there is a value, but it isn't a number
	TimeOverflow                  // a number that leaves int64 nanoseconds
)

var timeStateNames = [...]string{"absent", "ok", "bad", "overflow"}

// String is the state's name, in lower case.
func (s TimeState) String() string {
	if int(s) < len(timeStateNames) {
		return timeStateNames[s]
	}
	return "unknown state"
}

// numeral is the text of a number or of a string that may hold one, without
// quotes. White space in a string stays, so that " 1" is no number. quoted tells
// which of both it was.
func (r Raw) numeral() (text []byte, quoted, ok bool) {
	switch r.Kind() {
	case KindNumber:
		return r, false, true
	case KindString:
		in, ok := r.inner()
		if bytes.IndexByte(in, '\\') >= 0 {
			in = appendUnescaped(nil, in) // what counts is the text, however it is written
		}
		return in, true, ok
	default:
		return nil, false, false
	}
}

// maxExp keeps sums of exponents and digit counts far from overflow. Any number
// with such an exponent is 0 or out of every range.
const maxExp = 1 << 40

// decimal is a number taken apart: ±0.d₁d₂d₃… × 10^point, where the digits are
// those in text, a '.' among them to be passed over, and d₁ isn't 0.
type decimal struct {
	digits []byte // from d₁; empty for zero
	point  int64
	neg    bool
}

// parseDecimal takes any of 12, -1.5, 1e3, +1, .5, 1., 01 apart.
func parseDecimal(s []byte) (d decimal, ok bool) {
	if len(s) > 0 && (s[0] == '-' || s[0] == '+') {
		d.neg = s[0] == '-'
		s = s[1:]
	}
	first, last := -1, -1 // where the first and last digits that aren't 0 stand
	seen, dot := 0, false // digits so far
	i := 0
	for ; i < len(s); i++ {
		c := s[i]
		if c == '.' {
			if dot {
				return d, false
			}
			dot = true
			continue
		}
		if c-'0' > 9 {
			break
		}
		seen++
		if c != '0' {
			last = i
			if first < 0 {
				first = i
			}
		}
		if first >= 0 && !dot {
			d.point++
		} else if first < 0 && dot {
			d.point--
		}
	}
	if seen == 0 {
		return d, false
	}
	if i < len(s) {
		if s[i]|0x20 != 'e' {
			return d, false
		}
		exp, ok := parseExponent(s[i+1:])
		if !ok {
			return d, false
		}
		d.point += exp
	}
	if first >= 0 {
		d.digits = s[first : last+1]
	}
	return d, true
}

func parseExponent(s []byte) (exp int64, ok bool) {
	neg := false
	if len(s) > 0 && (s[0] == '-' || s[0] == '+') {
		neg = s[0] == '-'
		s = s[1:]
	}
	for _, c := range s {
		if c-'0' > 9 {
			return 0, false
		}
		exp = min(exp*10+int64(c-'0'), maxExp)
	}
	if neg {
		exp = -exp
	}
	return exp, len(s) > 0
}

// scaled is |d| × 10^scale, rounded half up. exact tells that nothing was
// rounded; ok is false when it leaves uint64.
func (d decimal) scaled(scale int64) (v uint64, exact, ok bool) {
	n := d.point + scale // digits before the decimal point
	if len(d.digits) == 0 {
		return 0, true, true
	}
	if n > 20 {
		return 0, false, false
	}
	if n < 0 {
		return 0, false, true
	}
	for _, c := range d.digits {
		if c == '.' {
			continue
		}
		if n == 0 {
			if c < '5' {
				return v, false, true
			}
			return v + 1, false, v < math.MaxUint64
		}
		n--
		digit := uint64(c - '0')
		if v > (math.MaxUint64-digit)/10 {
			return 0, false, false
		}
		v = v*10 + digit
	}
	for ; n > 0; n-- {
		if v > math.MaxUint64/10 {
			return 0, false, false
		}
		v *= 10
	}
	return v, true, true
}

// hexLiteral reads 0x10, which some producers write for ids and addresses.
func hexLiteral(s []byte) (v uint64, neg, ok bool) {
	if len(s) > 0 && (s[0] == '-' || s[0] == '+') {
		neg = s[0] == '-'
		s = s[1:]
	}
	if len(s) < 3 || s[0] != '0' || s[1]|0x20 != 'x' {
		return 0, false, false
	}
	for _, c := range s[2:] {
		d, ok := hexDigit(c)
		if !ok || v>>60 != 0 {
			return 0, false, false
		}
		v = v<<4 | uint64(d)
	}
	return v, neg, true
}

// signed gives a magnitude its sign; false when that leaves int64.
func signed(v uint64, neg bool) (int64, bool) {
	if neg {
		return -int64(v), v <= 1<<63
	}
	return int64(v), v <= math.MaxInt64
}

// integer is the exact integer that r holds.
func (r Raw) integer() (v uint64, neg, ok bool) {
	text, quoted, ok := r.numeral()
	if !ok {
		return 0, false, false
	}
	if d, ok := parseDecimal(text); ok {
		v, exact, ok := d.scaled(0)
		return v, d.neg, ok && exact
	}
	if quoted {
		return 0, false, false
	}
	return hexLiteral(text)
}

// Int64 is the exact integer that a number or a decimal string holds: 5, 5.0,
// 1e3, "42". A string in hexadecimal is no integer here, for ids are compared as
// text; a literal 0x10 is. ok is false for anything else, and out of range.
func (r Raw) Int64() (n int64, ok bool) {
	v, neg, ok := r.integer()
	if !ok {
		return 0, false
	}
	n, ok = signed(v, neg)
	if !ok {
		return 0, false
	}
	return n, true
}

// Uint64 is like Int64 for integers that aren't negative, up to 2⁶⁴-1.
func (r Raw) Uint64() (n uint64, ok bool) {
	v, neg, ok := r.integer()
	if !ok || neg && v != 0 {
		return 0, false
	}
	return v, true
}

// Float64 is the number nearest to what a number or a numeric string holds; NaN
// and the infinities are what they say, true is 1 and false 0. ok is false for
// anything else.
func (r Raw) Float64() (x float64, ok bool) {
	if r.Kind() == KindBool {
		if r[0] == 't' {
			return 1, true
		}
		return 0, true
	}
	text, quoted, ok := r.numeral()
	if !ok {
		return 0, false
	}
	if _, ok := parseDecimal(text); ok {
		// Out of range it is ±Inf with an error, which is what the text means.
		x, _ = strconv.ParseFloat(string(text), 64)
		return x, true
	}
	switch string(text) {
	case "NaN", "-NaN", "+NaN":
		return math.NaN(), true
	case "Infinity", "+Infinity":
		return math.Inf(1), true
	case "-Infinity":
		return math.Inf(-1), true
	}
	if v, neg, ok := hexLiteral(text); ok && !quoted {
		if neg {
			return -float64(v), true
		}
		return float64(v), true
	}
	return 0, false
}

// Nanos reads decimal microseconds as nanoseconds, digit by digit: exact up to
// three decimals, half away from zero beyond. Numbers and numeric strings, with
// sign and exponent, and the forms +1, .5, 1. and 01. A string with white space
// in it is no number here, nor for Int64, Uint64 and Float64.
func (r Raw) Nanos() (ns int64, state TimeState) {
	if r == nil {
		return 0, TimeAbsent
	}
	text, quoted, ok := r.numeral()
	if !ok {
		return 0, TimeBad
	}
	d, ok := parseDecimal(text)
	if !ok {
		v, neg, hex := hexLiteral(text)
		if !hex || quoted {
			return 0, TimeBad
		}
		if v > math.MaxInt64/1000 {
			return 0, TimeOverflow
		}
		ns, _ = signed(v*1000, neg)
		return ns, TimeOK
	}
	v, _, ok := d.scaled(3)
	if !ok {
		return 0, TimeOverflow
	}
	if ns, ok = signed(v, d.neg); !ok {
		return 0, TimeOverflow
	}
	return ns, TimeOK
}
