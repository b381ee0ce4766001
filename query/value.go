package query

import (
	"encoding/base64"
	"math"
	"strconv"
	"unicode/utf8"
)

// AppendText appends a value as plain text: numbers as digits, bytes in hex
// (\xAB), nothing for NULL.
func (v Value) AppendText(dst []byte) []byte {
	switch v.Kind {
	case KindNull:
		return dst
	case KindBool:
		return strconv.AppendBool(dst, v.Int != 0)
	case KindInt:
		return strconv.AppendInt(dst, v.Int, 10)
	case KindReal:
		return appendReal(dst, v.Real)
	case KindNumber, KindText, KindJSON:
		return append(dst, v.Text...)
	case KindBlob:
		const hex = "0123456789ABCDEF"
		for _, b := range v.Text {
			if b >= ' ' && b < 0x7f && b != '\\' {
				dst = append(dst, b)
			} else {
				dst = append(dst, '\\', 'x', hex[b>>4], hex[b&15])
			}
		}
		return dst
	default:
		panic("query: value of an unknown kind")
	}
}

// AppendJSON appends a value as JSON. Integers keep all digits; bytes are
// base64; what JSON has no number for (NaN, infinity) is a string.
func (v Value) AppendJSON(dst []byte) []byte {
	switch v.Kind {
	case KindNull:
		return append(dst, "null"...)
	case KindBool, KindInt, KindNumber, KindJSON:
		return v.AppendText(dst)
	case KindReal:
		if math.IsNaN(v.Real) || math.IsInf(v.Real, 0) {
			return appendJSONString(dst, string(appendReal(nil, v.Real)))
		}
		return appendReal(dst, v.Real)
	case KindText:
		return appendJSONString(dst, v.Text)
	case KindBlob:
		dst = append(dst, '"')
		dst = base64.StdEncoding.AppendEncode(dst, v.Text)
		return append(dst, '"')
	default:
		panic("query: value of an unknown kind")
	}
}

// appendReal writes a number with as many digits as tell it from all others,
// and a point, so that it is seen to be no integer.
func appendReal(dst []byte, f float64) []byte {
	switch {
	case math.IsNaN(f):
		return append(dst, "NaN"...)
	case math.IsInf(f, 1):
		return append(dst, "Infinity"...)
	case math.IsInf(f, -1):
		return append(dst, "-Infinity"...)
	}
	format := byte('f')
	if abs := math.Abs(f); abs != 0 && (abs < 1e-6 || abs >= 1e21) {
		format = 'e'
	}
	start := len(dst)
	dst = strconv.AppendFloat(dst, f, format, -1, 64)
	for _, c := range dst[start:] {
		if c == '.' || c == 'e' {
			return dst
		}
	}
	return append(dst, ".0"...)
}

func appendJSONString[S string | []byte](dst []byte, s S) []byte {
	const hex = "0123456789abcdef"
	dst = append(dst, '"')
	for i := 0; i < len(s); {
		c := s[i]
		if c < utf8.RuneSelf {
			switch {
			case c == '"' || c == '\\':
				dst = append(dst, '\\', c)
			case c == '\n':
				dst = append(dst, '\\', 'n')
			case c == '\r':
				dst = append(dst, '\\', 'r')
			case c == '\t':
				dst = append(dst, '\\', 't')
			case c < ' ' || c == 0x7f:
				dst = append(dst, '\\', 'u', '0', '0', hex[c>>4], hex[c&15])
			default:
				dst = append(dst, c)
			}
			i++
			continue
		}
		end := min(i+utf8.UTFMax, len(s))
		r, size := utf8.DecodeRuneInString(string(s[i:end]))
		dst = utf8.AppendRune(dst, r) // U+FFFD for what is not UTF-8
		i += size
	}
	return append(dst, '"')
}
