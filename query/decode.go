//go:build cgo

package query

import (
	"encoding/binary"
	"encoding/hex"
	"fmt"
	"math"
	"math/big"
	"strconv"
	"strings"
	"time"
	"unsafe"

	duckdb "github.com/duckdb/duckdb-go-bindings"
)

// decoder reads the values of one column of a result. bind turns to the vector
// of the next chunk.
type decoder interface {
	bind(vec duckdb.Vector)
	decode(row int, v *Value)
}

// flat decodes a column whose values have a fixed width.
type flat struct {
	column
	width int
	read  func(p unsafe.Pointer, v *Value)
}

func (d *flat) bind(vec duckdb.Vector) { d.column = readVector(vec) }

func (d *flat) decode(row int, v *Value) {
	if d.null(row) {
		*v = Value{}
		return
	}
	d.read(unsafe.Add(d.data, row*d.width), v)
}

func integer[T int8 | int16 | int32 | int64 | uint8 | uint16 | uint32](p unsafe.Pointer, v *Value) {
	*v = Value{Kind: KindInt, Int: int64(*(*T)(p))}
}

func textValue(s string) Value { return Value{Kind: KindText, Text: []byte(s)} }

// simpleTypes are the types whose decoder needs no more than the type's id.
var simpleTypes = map[duckdb.Type]struct {
	name    string
	numeric bool
	width   int
	read    func(p unsafe.Pointer, v *Value)
}{
	duckdb.TypeBoolean: {"BOOLEAN", false, 1, func(p unsafe.Pointer, v *Value) {
		*v = Value{Kind: KindBool, Int: int64(*(*uint8)(p) & 1)}
	}},
	duckdb.TypeTinyInt:   {"TINYINT", true, 1, integer[int8]},
	duckdb.TypeSmallInt:  {"SMALLINT", true, 2, integer[int16]},
	duckdb.TypeInteger:   {"INTEGER", true, 4, integer[int32]},
	duckdb.TypeBigInt:    {"BIGINT", true, 8, integer[int64]},
	duckdb.TypeUTinyInt:  {"UTINYINT", true, 1, integer[uint8]},
	duckdb.TypeUSmallInt: {"USMALLINT", true, 2, integer[uint16]},
	duckdb.TypeUInteger:  {"UINTEGER", true, 4, integer[uint32]},
	duckdb.TypeUBigInt: {"UBIGINT", true, 8, func(p unsafe.Pointer, v *Value) {
		if u := *(*uint64)(p); u > math.MaxInt64 {
			*v = Value{Kind: KindNumber, Text: strconv.AppendUint(nil, u, 10)}
		} else {
			*v = Value{Kind: KindInt, Int: int64(u)}
		}
	}},
	duckdb.TypeHugeInt:  {"HUGEINT", true, 16, func(p unsafe.Pointer, v *Value) { bigValue(huge(p, true), v) }},
	duckdb.TypeUHugeInt: {"UHUGEINT", true, 16, func(p unsafe.Pointer, v *Value) { bigValue(huge(p, false), v) }},
	duckdb.TypeFloat: {"FLOAT", true, 4, func(p unsafe.Pointer, v *Value) {
		*v = Value{Kind: KindReal, Real: float64(*(*float32)(p))}
	}},
	duckdb.TypeDouble: {"DOUBLE", true, 8, func(p unsafe.Pointer, v *Value) {
		*v = Value{Kind: KindReal, Real: *(*float64)(p)}
	}},
	duckdb.TypeVarchar: {"VARCHAR", false, 16, func(p unsafe.Pointer, v *Value) {
		*v = Value{Kind: KindText, Text: (*stringT)(p).bytes()}
	}},
	duckdb.TypeBlob: {"BLOB", false, 16, func(p unsafe.Pointer, v *Value) {
		*v = Value{Kind: KindBlob, Text: (*stringT)(p).bytes()}
	}},
	duckdb.TypeBit: {"BIT", false, 16, func(p unsafe.Pointer, v *Value) { *v = textValue(bits((*stringT)(p).bytes())) }},
	duckdb.TypeBigNum: {"BIGNUM", true, 16, func(p unsafe.Pointer, v *Value) {
		bigValue(bigNum((*stringT)(p).bytes()), v)
	}},
	duckdb.TypeDate: {"DATE", false, 4, func(p unsafe.Pointer, v *Value) {
		*v = timeValue(int64(*(*int32)(p)), 86400, 1, "2006-01-02")
	}},
	duckdb.TypeTime:        {"TIME", false, 8, clock(1e6)},
	duckdb.TypeTimeNS:      {"TIME_NS", false, 8, clock(1e9)},
	duckdb.TypeTimeTZ:      {"TIMETZ", false, 8, func(p unsafe.Pointer, v *Value) { *v = textValue(timeTZ(*(*uint64)(p))) }},
	duckdb.TypeTimestamp:   {"TIMESTAMP", false, 8, instant(1e6, "2006-01-02 15:04:05.999999")},
	duckdb.TypeTimestampTZ: {"TIMESTAMPTZ", false, 8, instant(1e6, "2006-01-02 15:04:05.999999+00")},
	duckdb.TypeTimestampS:  {"TIMESTAMP_S", false, 8, instant(1, "2006-01-02 15:04:05")},
	duckdb.TypeTimestampMS: {"TIMESTAMP_MS", false, 8, instant(1e3, "2006-01-02 15:04:05.999")},
	duckdb.TypeTimestampNS: {"TIMESTAMP_NS", false, 8, instant(1e9, "2006-01-02 15:04:05.999999999")},
	duckdb.TypeInterval:    {"INTERVAL", false, 16, func(p unsafe.Pointer, v *Value) { *v = textValue(interval(p)) }},
	duckdb.TypeUUID:        {"UUID", false, 16, func(p unsafe.Pointer, v *Value) { *v = textValue(uuid(p)) }},
	duckdb.TypeSQLNull:     {"NULL", false, 4, func(_ unsafe.Pointer, v *Value) { *v = Value{} }},
}

// newDecoder makes the decoder of a type, and tells the type's name and
// whether its values are numbers.
func newDecoder(t duckdb.LogicalType) (d decoder, name string, numeric bool) {
	id := duckdb.GetTypeId(t)
	if s, ok := simpleTypes[id]; ok {
		if alias := duckdb.LogicalTypeGetAlias(t); alias != "" {
			return &flat{width: s.width, read: s.read}, alias, s.numeric
		}
		return &flat{width: s.width, read: s.read}, s.name, s.numeric
	}
	switch id {
	case duckdb.TypeDecimal:
		scale := int(duckdb.DecimalScale(t))
		return decimal(duckdb.DecimalInternalType(t), scale), fmt.Sprintf("DECIMAL(%d,%d)", duckdb.DecimalWidth(t), scale), true
	case duckdb.TypeEnum:
		return enum(t), "ENUM", false
	case duckdb.TypeList:
		child := duckdb.ListTypeChildType(t)
		defer duckdb.DestroyLogicalType(&child)
		elem, name, _ := newDecoder(child)
		return &list{elem: elem}, name + "[]", false
	case duckdb.TypeArray:
		child := duckdb.ArrayTypeChildType(t)
		defer duckdb.DestroyLogicalType(&child)
		elem, name, _ := newDecoder(child)
		size := int(duckdb.ArrayTypeArraySize(t))
		return &list{elem: elem, size: size}, fmt.Sprintf("%s[%d]", name, size), false
	case duckdb.TypeStruct:
		s := &structure{}
		for i := range duckdb.StructTypeChildCount(t) {
			child := duckdb.StructTypeChildType(t, i)
			field, _, _ := newDecoder(child)
			duckdb.DestroyLogicalType(&child)
			s.names = append(s.names, duckdb.StructTypeChildName(t, i))
			s.fields = append(s.fields, field)
		}
		return s, "STRUCT", false
	case duckdb.TypeMap:
		key, value := duckdb.MapTypeKeyType(t), duckdb.MapTypeValueType(t)
		defer duckdb.DestroyLogicalType(&key)
		defer duckdb.DestroyLogicalType(&value)
		k, kn, _ := newDecoder(key)
		v, vn, _ := newDecoder(value)
		return &list{elem: &structure{names: []string{"key", "value"}, fields: []decoder{k, v}}}, "MAP(" + kn + ", " + vn + ")", false
	default:
		return &flat{width: 0, read: func(_ unsafe.Pointer, v *Value) {
			*v = textValue("(a value of a type that can't be shown: cast it to VARCHAR)")
		}}, fmt.Sprintf("type %d", id), false
	}
}

func bigValue(n *big.Int, v *Value) {
	if n.IsInt64() {
		*v = Value{Kind: KindInt, Int: n.Int64()}
		return
	}
	*v = Value{Kind: KindNumber, Text: n.Append(nil, 10)}
}

// huge reads 128 bits: the lower half first, the upper one signed or not.
func huge(p unsafe.Pointer, signed bool) *big.Int {
	lower, upper := *(*uint64)(p), *(*uint64)(unsafe.Add(p, 8))
	n := new(big.Int)
	if signed {
		n.SetInt64(int64(upper))
	} else {
		n.SetUint64(upper)
	}
	return n.Lsh(n, 64).Add(n, new(big.Int).SetUint64(lower))
}

// bigNum reads a number of any length: 3 bytes of header, whose top bit is set
// for a positive number, then the magnitude, most significant byte first; a
// negative number has all bits turned.
func bigNum(b []byte) *big.Int {
	if len(b) < 3 {
		return new(big.Int)
	}
	magnitude := append([]byte(nil), b[3:]...)
	if b[0]&0x80 != 0 {
		return new(big.Int).SetBytes(magnitude)
	}
	for i := range magnitude {
		magnitude[i] = ^magnitude[i]
	}
	n := new(big.Int).SetBytes(magnitude)
	return n.Neg(n)
}

// bits reads a bit string: the first byte says how many bits of the second are
// padding.
func bits(b []byte) string {
	if len(b) < 2 {
		return ""
	}
	var s strings.Builder
	for _, x := range b[1:] {
		fmt.Fprintf(&s, "%08b", x)
	}
	return s.String()[min(int(b[0]), s.Len()):]
}

// timeValue writes a count of units since 1970; perSecond units are a second,
// or a unit is seconds seconds.
func timeValue(n, seconds, perSecond int64, layout string) Value {
	switch n {
	case math.MaxInt64, math.MaxInt32:
		if n == math.MaxInt64 || seconds > 1 {
			return textValue("infinity")
		}
	case -math.MaxInt64, -math.MaxInt32:
		if n == -math.MaxInt64 || seconds > 1 {
			return textValue("-infinity")
		}
	}
	sec, frac := n/perSecond, n%perSecond
	return textValue(time.Unix(sec*seconds, frac*(1e9/perSecond)).UTC().Format(layout))
}

func instant(perSecond int64, layout string) func(unsafe.Pointer, *Value) {
	return func(p unsafe.Pointer, v *Value) { *v = timeValue(*(*int64)(p), 1, perSecond, layout) }
}

func clock(perSecond int64) func(unsafe.Pointer, *Value) {
	return func(p unsafe.Pointer, v *Value) {
		*v = textValue(time.Unix(0, *(*int64)(p)*(1e9/perSecond)).UTC().Format("15:04:05.999999999"))
	}
}

// timeTZ reads a time of day (40 bits, microseconds) and its offset from UTC
// (24 bits, seconds, stored as 16 h less one second minus the offset).
func timeTZ(b uint64) string {
	offset := 16*3600 - 1 - int64(b&0xffffff)
	sign := '+'
	if offset < 0 {
		sign, offset = '-', -offset
	}
	return time.UnixMicro(int64(b>>24)).UTC().Format("15:04:05.999999") + fmt.Sprintf("%c%02d:%02d", sign, offset/3600, offset/60%60)
}

func interval(p unsafe.Pointer) string {
	months, days, micros := *(*int32)(p), *(*int32)(unsafe.Add(p, 4)), *(*int64)(unsafe.Add(p, 8))
	var parts []string
	add := func(n int32, unit string) {
		if n != 0 {
			parts = append(parts, fmt.Sprintf("%d %s", n, unit))
		}
	}
	add(months/12, "years")
	add(months%12, "months")
	add(days, "days")
	if micros != 0 || len(parts) == 0 {
		sign := ""
		u := uint64(micros)
		if micros < 0 {
			sign, u = "-", -u
		}
		s := fmt.Sprintf("%s%02d:%02d:%02d", sign, u/3600e6, u/60e6%60, u/1e6%60)
		if f := u % 1e6; f != 0 {
			s += strings.TrimRight(fmt.Sprintf(".%06d", f), "0")
		}
		parts = append(parts, s)
	}
	return strings.Join(parts, " ")
}

// uuid reads 128 bits, the upper half with its top bit turned.
func uuid(p unsafe.Pointer) string {
	var b [16]byte
	binary.BigEndian.PutUint64(b[:], *(*uint64)(unsafe.Add(p, 8))^1<<63)
	binary.BigEndian.PutUint64(b[8:], *(*uint64)(p))
	h := hex.EncodeToString(b[:])
	return h[:8] + "-" + h[8:12] + "-" + h[12:16] + "-" + h[16:20] + "-" + h[20:]
}

func decimal(internal duckdb.Type, scale int) decoder {
	inner, ok := simpleTypes[internal]
	if !ok {
		panic("query: decimal stored in an unknown type")
	}
	return &flat{width: inner.width, read: func(p unsafe.Pointer, v *Value) {
		inner.read(p, v)
		digits := string(v.Text)
		if v.Kind == KindInt {
			digits = strconv.FormatInt(v.Int, 10)
		}
		*v = Value{Kind: KindNumber, Text: []byte(point(digits, scale))}
	}}
}

// point puts a decimal point before the last scale digits.
func point(digits string, scale int) string {
	if scale == 0 {
		return digits
	}
	sign := ""
	if digits[0] == '-' {
		sign, digits = "-", digits[1:]
	}
	if len(digits) <= scale {
		digits = strings.Repeat("0", scale-len(digits)+1) + digits
	}
	return sign + digits[:len(digits)-scale] + "." + digits[len(digits)-scale:]
}

func enum(t duckdb.LogicalType) decoder {
	inner := simpleTypes[duckdb.EnumInternalType(t)]
	words := make([]string, duckdb.EnumDictionarySize(t))
	for i := range words {
		words[i] = duckdb.EnumDictionaryValue(t, duckdb.IdxT(i))
	}
	return &flat{width: inner.width, read: func(p unsafe.Pointer, v *Value) {
		inner.read(p, v)
		*v = textValue(words[v.Int])
	}}
}

// list decodes lists, arrays (of a fixed size) and maps, as JSON.
type list struct {
	column
	elem decoder
	size int // of an array; 0 for a list
}

func (d *list) bind(vec duckdb.Vector) {
	d.column = readVector(vec)
	if d.size > 0 {
		d.elem.bind(duckdb.ArrayVectorGetChild(vec))
	} else {
		d.elem.bind(duckdb.ListVectorGetChild(vec))
	}
}

func (d *list) decode(row int, v *Value) {
	if d.null(row) {
		*v = Value{}
		return
	}
	from, n := row*d.size, d.size
	if d.size == 0 {
		entry := *(*[2]uint64)(unsafe.Add(d.data, row*16))
		from, n = int(entry[0]), int(entry[1])
	}
	out := []byte{'['}
	for i := range n {
		if i > 0 {
			out = append(out, ',')
		}
		var e Value
		d.elem.decode(from+i, &e)
		out = e.AppendJSON(out)
	}
	*v = Value{Kind: KindJSON, Text: append(out, ']')}
}

// structure decodes structs, as JSON.
type structure struct {
	mask   unsafe.Pointer
	names  []string
	fields []decoder
}

func (d *structure) bind(vec duckdb.Vector) {
	d.mask = duckdb.VectorGetValidity(vec)
	for i := range d.fields {
		d.fields[i].bind(duckdb.StructVectorGetChild(vec, duckdb.IdxT(i)))
	}
}

func (d *structure) decode(row int, v *Value) {
	if !valid(d.mask, row) {
		*v = Value{}
		return
	}
	out := []byte{'{'}
	for i := range d.fields {
		if i > 0 {
			out = append(out, ',')
		}
		out = append(appendJSONString(out, d.names[i]), ':')
		var f Value
		d.fields[i].decode(row, &f)
		out = f.AppendJSON(out)
	}
	*v = Value{Kind: KindJSON, Text: append(out, '}')}
}
