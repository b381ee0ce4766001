package traceevent

import (
	"bytes"
	"unicode/utf16"
	"unicode/utf8"
)

// Kind is the type of a JSON value.
type Kind uint8

// The kinds of values.
const (
	KindInvalid Kind = iota // absent, or no JSON value
	KindNull
	KindBool
	KindNumber // NaN, Infinity and hexadecimal literals are numbers too
	KindString
	KindObject
	KindArray
)

var kindNames = [...]string{"invalid", "null", "bool", "number", "string", "object", "array"}

// String is the kind's name, in lower case.
func (k Kind) String() string {
	if int(k) < len(kindNames) {
		return kindNames[k]
	}
	return "unknown kind"
}

// Raw is one JSON value exactly as it stands in the input, without white space
// around it. A nil Raw is an absent value.
type Raw []byte

// Kind is the type of the value, told by its first bytes.
func (r Raw) Kind() Kind {
	if len(r) == 0 {
		return KindInvalid
	}
	switch c := r[0]; c {
	case '"':
		return KindString
	case '{':
		return KindObject
	case '[':
		return KindArray
	case 't', 'f':
		return KindBool
	case 'n':
		return KindNull
	case 'N', 'I', '-', '+', '.':
		return KindNumber
	default:
		if c-'0' <= 9 {
			return KindNumber
		}
		return KindInvalid
	}
}

// inner is what stands between the quotes of a string.
func (r Raw) inner() ([]byte, bool) {
	if len(r) < 2 || r[0] != '"' || r[len(r)-1] != '"' {
		return nil, false
	}
	return r[1 : len(r)-1 : len(r)-1], true
}

// Plain is the text of a string that has no escapes: the bytes between its
// quotes, not a copy. ok is false for any other value.
func (r Raw) Plain() (text []byte, ok bool) {
	in, ok := r.inner()
	if !ok || bytes.IndexByte(in, '\\') >= 0 {
		return nil, false
	}
	return in, true
}

// AppendText appends the text of the value to dst: a string decoded, any other
// value as it stands. In a string surrogate pairs become one character, a lone
// surrogate U+FFFD, and an unknown escape the character after the backslash.
// Bytes that are no UTF-8 are kept.
func (r Raw) AppendText(dst []byte) []byte {
	in, ok := r.inner()
	if !ok {
		return append(dst, r...)
	}
	return appendUnescaped(dst, in)
}

func appendUnescaped(dst, in []byte) []byte {
	for {
		i := bytes.IndexByte(in, '\\')
		if i < 0 || i == len(in)-1 {
			return append(dst, in...)
		}
		dst = append(dst, in[:i]...)
		c := in[i+1]
		in = in[i+2:]
		switch c {
		case 'b':
			dst = append(dst, '\b')
		case 'f':
			dst = append(dst, '\f')
		case 'n':
			dst = append(dst, '\n')
		case 'r':
			dst = append(dst, '\r')
		case 't':
			dst = append(dst, '\t')
		case 'u':
			r, ok := hex4(in)
			if !ok {
				dst = append(dst, c)
				continue
			}
			in = in[4:]
			if utf16.IsSurrogate(r) {
				low := rune(-1)
				if len(in) >= 6 && in[0] == '\\' && in[1] == 'u' {
					low, _ = hex4(in[2:])
				}
				if r = utf16.DecodeRune(r, low); r != utf8.RuneError {
					in = in[6:]
				}
			}
			dst = utf8.AppendRune(dst, r)
		default:
			dst = append(dst, c)
		}
	}
}

// hex4 reads the four hexadecimal digits of a \u escape.
func hex4(b []byte) (rune, bool) {
	if len(b) < 4 {
		return -1, false
	}
	var r rune
	for _, c := range b[:4] {
		d, ok := hexDigit(c)
		if !ok {
			return -1, false
		}
		r = r<<4 | rune(d)
	}
	return r, true
}

func hexDigit(c byte) (byte, bool) {
	switch {
	case c-'0' <= 9:
		return c - '0', true
	case c|0x20 >= 'a' && c|0x20 <= 'f':
		return c | 0x20 - 'a' + 10, true
	}
	return 0, false
}
