package query

import (
	"strings"

	"github.com/weft-trace/weft/trace"
)

// Type is the SQL type of a column.
type Type uint8

// The types that the tables use. A query's result may have any of DuckDB's.
const (
	BigInt  Type = iota // 64 bits, signed
	UBigInt             // 64 bits, unsigned: addresses
	Double              //
	Varchar             // UTF-8
	Blob                // bytes
	typeCount
)

var typeNames = [typeCount]string{"BIGINT", "UBIGINT", "DOUBLE", "VARCHAR", "BLOB"}

// String is the type's name in SQL.
func (t Type) String() string {
	if t < typeCount {
		return typeNames[t]
	}
	return "unknown"
}

// Formats is a set of trace formats.
type Formats uint8

// The formats that a column can be filled from.
const (
	JSON     Formats = 1 << iota // Trace Event JSON
	FXT                          // Fuchsia trace format
	Perfetto                     // Perfetto protobuf
	Ftrace                       // Linux ftrace text

	AnyFormat = JSON | FXT | Perfetto | Ftrace
)

// String lists the formats, "all" for every one.
func (f Formats) String() string {
	if f == AnyFormat {
		return "all"
	}
	var names []string
	for i, name := range [...]string{"JSON", "FXT", "Perfetto", "ftrace"} {
		if f&(1<<i) != 0 {
			names = append(names, name)
		}
	}
	return strings.Join(names, ", ")
}

// Column is one column of a table: what it means to the user, and where its
// values lie in the model.
type Column struct {
	Name string
	Type Type
	Unit string // "ns", "bytes", …; "" for none
	Doc  string
	// Ours says that Perfetto's trace_processor has no such column.
	Ours bool
	// Formats are those that can fill it; zero means those of its table.
	Formats Formats

	get getter // nil: nothing fills it yet, always NULL
}

// getter finds a column's values in a trace.
type getter func(*trace.Trace) values

// values are the values of one column, by row. It is one of the types below;
// the engine copies each of them in its own way.
type values interface{}

type (
	rowNumbers struct{}                           // the row's own number
	ints       []int64                            // NULL is trace.NoInt
	ids        []uint32                           // NULL is all ones
	counts     []uint32                           // never NULL
	argSets    []trace.ArgSetID                   // NULL is zero
	texts      []trace.StringID                   // NULL is zero
	reals      []float64                          // never NULL
	intAt      func(row int) int64                // NULL is trace.NoInt
	idAt       func(row int) (v int64, ok bool)   // NULL where not ok: any int64 may be an id
	uintAt     func(row int) uint64               // never NULL
	realAt     func(row int) (v float64, ok bool) // NULL where not ok
	textAt     func(row int) trace.StringID       // NULL is zero
	bytesAt    func(dst []byte, row int) []byte   // appends; NULL is nil
	nulls      struct{}                           // always NULL
)

// at gives the values in another order: row i of the result is row rows[i].
func at(v values, rows []uint32) values {
	switch v := v.(type) {
	case rowNumbers:
		return intAt(func(i int) int64 { return int64(rows[i]) })
	case ints:
		return intAt(func(i int) int64 { return v[rows[i]] })
	case ids:
		return intAt(func(i int) int64 { return idOrNull(v[rows[i]]) })
	case counts:
		return intAt(func(i int) int64 { return int64(v[rows[i]]) })
	case argSets:
		return intAt(func(i int) int64 { return argSetOrNull(v[rows[i]]) })
	case texts:
		return textAt(func(i int) trace.StringID { return v[rows[i]] })
	case reals:
		return realAt(func(i int) (float64, bool) { return v[rows[i]], true })
	case intAt:
		return intAt(func(i int) int64 { return v(int(rows[i])) })
	case idAt:
		return idAt(func(i int) (int64, bool) { return v(int(rows[i])) })
	case uintAt:
		return uintAt(func(i int) uint64 { return v(int(rows[i])) })
	case realAt:
		return realAt(func(i int) (float64, bool) { return v(int(rows[i])) })
	case textAt:
		return textAt(func(i int) trace.StringID { return v(int(rows[i])) })
	case bytesAt:
		return bytesAt(func(dst []byte, i int) []byte { return v(dst, int(rows[i])) })
	case nulls:
		return v
	default:
		panic("query: column of a kind that can't be picked from")
	}
}

func idOrNull[T ~uint32](id T) int64 {
	if id == ^T(0) {
		return trace.NoInt
	}
	return int64(id)
}

func argSetOrNull(id trace.ArgSetID) int64 {
	if id == 0 {
		return trace.NoInt
	}
	return int64(id)
}

func cpuOrNull(cpu int32) int64 {
	if cpu < 0 {
		return trace.NoInt
	}
	return int64(cpu)
}

func number(is bool) int64 {
	if is {
		return 1
	}
	return 0
}

func rowNumber(*trace.Trace) values { return rowNumbers{} }

// rows is how a table that is a slice of structs is found in a trace.
type rows[R any] func(*trace.Trace) []R

func (rs rows[R]) len(t *trace.Trace) int { return len(rs(t)) }

func (rs rows[R]) int(f func(*R) int64) getter {
	return func(t *trace.Trace) values {
		r := rs(t)
		return intAt(func(i int) int64 { return f(&r[i]) })
	}
}

// id is for numbers of which all 64 bits may mean something.
func (rs rows[R]) id(f func(*R) (v int64, ok bool)) getter {
	return func(t *trace.Trace) values {
		r := rs(t)
		return idAt(func(i int) (int64, bool) { return f(&r[i]) })
	}
}

func (rs rows[R]) uint(f func(*R) uint64) getter {
	return func(t *trace.Trace) values {
		r := rs(t)
		return uintAt(func(i int) uint64 { return f(&r[i]) })
	}
}

func (rs rows[R]) real(f func(*R) float64) getter {
	return func(t *trace.Trace) values {
		r := rs(t)
		return realAt(func(i int) (float64, bool) { return f(&r[i]), true })
	}
}

func (rs rows[R]) text(f func(*R) trace.StringID) getter {
	return func(t *trace.Trace) values {
		r := rs(t)
		return textAt(func(i int) trace.StringID { return f(&r[i]) })
	}
}

func (rs rows[R]) args(f func(*R) trace.ArgSetID) getter {
	return rs.int(func(r *R) int64 { return argSetOrNull(f(r)) })
}

// string is for text that is not interned.
func (rs rows[R]) string(f func(*R) string) getter {
	return func(t *trace.Trace) values {
		r := rs(t)
		return bytesAt(func(dst []byte, i int) []byte { return append(dst, f(&r[i])...) })
	}
}
