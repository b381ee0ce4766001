package traceevent

import (
	"bytes"
	"strconv"
)

// appendStandard appends a value that is read as meant in the way that JSON writes
// it: without superfluous commas, with strings escaped as they must be, and numbers
// in JSON's form.
func appendStandard(dst []byte, v Raw, t *Tokenizer) []byte {
	var text []byte
	first := true // in its container, or after a key: no comma
	for t.Reset(v); ; {
		k := t.Next()
		switch k {
		case TokenEnd, TokenInvalid:
			return dst
		case TokenObjectEnd, TokenArrayEnd:
			dst = append(dst, t.Raw()...)
			first = false
			continue
		}
		if !first {
			dst = append(dst, ',')
		}
		first = false
		switch k {
		case TokenKey, TokenString:
			text = t.Raw().AppendText(text[:0])
			dst = appendQuoted(dst, text)
			if k == TokenKey {
				dst = append(dst, ':')
				first = true
			}
		case TokenNumber:
			dst = appendNumber(dst, t.Raw())
		case TokenObjectStart, TokenArrayStart:
			dst = append(dst, t.Raw()...)
			first = true
		default:
			dst = append(dst, t.Raw()...)
		}
	}
}

// appendNumber appends a number in JSON's form; NaN and the infinities, which have
// none, as strings.
func appendNumber(dst []byte, v Raw) []byte {
	s := []byte(v)
	if u, neg, ok := hexLiteral(s); ok {
		if neg && u != 0 {
			dst = append(dst, '-')
		}
		return strconv.AppendUint(dst, u, 10)
	}
	if _, ok := parseDecimal(s); !ok {
		return appendQuoted(dst, bytes.TrimPrefix(s, []byte("+")))
	}
	switch s[0] {
	case '-':
		dst = append(dst, '-')
		s = s[1:]
	case '+':
		s = s[1:]
	}
	whole := bytes.TrimLeft(s[:digits(s, 0)], "0")
	if len(whole) == 0 {
		dst = append(dst, '0')
	}
	dst = append(dst, whole...)
	s = s[digits(s, 0):]
	if len(s) > 0 && s[0] == '.' && digits(s, 1) == 1 {
		s = s[1:]
	}
	return append(dst, s...)
}
