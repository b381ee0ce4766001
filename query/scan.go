//go:build cgo

package query

import (
	"runtime"
	"sync/atomic"
	"unsafe"

	duckdb "github.com/duckdb/duckdb-go-bindings"

	"github.com/weft-trace/weft/trace"
)

// morsel is how many rows a worker takes at a time: the size of DuckDB's
// vectors.
const morsel = 2048

// scan is a table function with its parameters: what a statement reads.
type scan struct {
	db      *engine
	columns []Column
	rows    int       // how many; of args a guess
	pick    []uint32  // if not nil: only these rows of the table, in this order
	args    *argRange // if not nil: the leaves of these sets
	from    *result   // if not nil: the rows of another database's result

	stopped *atomic.Bool // set while the statement is being cancelled
}

// runner is a scan that has begun, shared by the workers of one statement.
type runner interface {
	// fill puts up to a morsel of rows into chunk; 0 rows is the end.
	fill(w *worker, chunk duckdb.DataChunk) (int, error)
}

// worker is what one thread of a running scan keeps for itself.
type worker struct {
	outputs []output
	leaves  *leafBuffer
}

// output is the i-th column's, ready for vec.
func (w *worker) output(i int, vec duckdb.Vector) *output {
	for len(w.outputs) <= i {
		w.outputs = append(w.outputs, output{})
	}
	w.outputs[i].begin(vec)
	return &w.outputs[i]
}

func (t Type) duckdb() duckdb.Type {
	switch t {
	case BigInt:
		return duckdb.TypeBigInt
	case UBigInt:
		return duckdb.TypeUBigInt
	case Double:
		return duckdb.TypeDouble
	case Varchar:
		return duckdb.TypeVarchar
	case Blob:
		return duckdb.TypeBlob
	default:
		panic("query: column type without an engine type: " + t.String())
	}
}

// declare tells DuckDB the columns and how many rows will come.
func (s *scan) declare(info duckdb.BindInfo) {
	if s.from != nil {
		s.from.declare(info)
		return
	}
	for i := range s.columns {
		t := duckdb.CreateLogicalType(s.columns[i].Type.duckdb())
		duckdb.BindAddResultColumn(info, s.columns[i].Name, t)
		duckdb.DestroyLogicalType(&t)
	}
	duckdb.BindSetCardinality(info, duckdb.IdxT(s.rows), s.args == nil)
}

// start begins the scan of the columns that the statement uses. An index beyond
// the columns is DuckDB's pseudo column of count(*), of which no value is read.
func (s *scan) start(columns []int) (runner, int, error) {
	if s.from != nil {
		return &resultRunner{s.from, columns}, 1, nil
	}
	if s.args != nil {
		r, err := s.startArgs(columns)
		return r, runtime.GOMAXPROCS(0), err
	}
	r := &tableRunner{n: s.rows, values: make([]values, len(columns))}
	for i, c := range columns {
		if c >= len(s.columns) || c < 0 {
			continue
		}
		column := &s.columns[c]
		if column.get == nil {
			r.values[i] = nulls{}
			continue
		}
		v := column.get(s.db.trace)
		if s.pick != nil {
			v = at(v, s.pick)
		}
		if column.Type == Varchar {
			r.strings = s.db.strings()
		}
		r.values[i] = v
	}
	return r, min(runtime.GOMAXPROCS(0), 1+s.rows/(16*morsel)), nil
}

// tableRunner is a scan of a table that lies in the trace.
type tableRunner struct {
	n       int
	values  []values // by output column; nil: nobody looks
	strings *stringTable
	next    atomic.Int64
}

func (r *tableRunner) fill(w *worker, chunk duckdb.DataChunk) (int, error) {
	from := int(r.next.Add(morsel)) - morsel
	if from >= r.n {
		return 0, nil
	}
	to := min(from+morsel, r.n)
	for i, v := range r.values {
		if v != nil {
			out := w.output(i, duckdb.DataChunkGetVector(chunk, duckdb.IdxT(i)))
			out.fill(v, from, to, r.strings)
		}
	}
	return to - from, nil
}

// vector sees a vector's memory as a slice.
func vector[T any](o *output, n int) []T { return unsafe.Slice((*T)(o.data()), n) }

// fill writes rows from to to of a column.
func (o *output) fill(v values, from, to int, st *stringTable) {
	n := to - from
	switch v := v.(type) {
	case rowNumbers:
		for i, d := 0, vector[int64](o, n); i < n; i++ {
			d[i] = int64(from + i)
		}
	case ints:
		d := vector[int64](o, n)
		copy(d, v[from:to])
		for i, x := range d {
			if x == trace.NoInt {
				o.setNull(i)
			}
		}
	case ids:
		d := vector[int64](o, n)
		for i, x := range v[from:to] {
			d[i] = int64(x)
			if x == ^uint32(0) {
				o.setNull(i)
			}
		}
	case counts:
		d := vector[int64](o, n)
		for i, x := range v[from:to] {
			d[i] = int64(x)
		}
	case argSets:
		d := vector[int64](o, n)
		for i, x := range v[from:to] {
			d[i] = int64(x)
			if x == 0 {
				o.setNull(i)
			}
		}
	case texts:
		d := vector[stringT](o, n)
		for i, x := range v[from:to] {
			d[i] = st.strings[x]
			if x == 0 {
				o.setNull(i)
			}
		}
	case reals:
		copy(vector[float64](o, n), v[from:to])
	case intAt:
		d := vector[int64](o, n)
		for i := range d {
			d[i] = v(from + i)
			if d[i] == trace.NoInt {
				o.setNull(i)
			}
		}
	case idAt:
		d := vector[int64](o, n)
		for i := range d {
			var ok bool
			if d[i], ok = v(from + i); !ok {
				o.setNull(i)
			}
		}
	case uintAt:
		d := vector[uint64](o, n)
		for i := range d {
			d[i] = v(from + i)
		}
	case realAt:
		d := vector[float64](o, n)
		for i := range d {
			var ok bool
			if d[i], ok = v(from + i); !ok {
				o.setNull(i)
			}
		}
	case textAt:
		d := vector[stringT](o, n)
		for i := range d {
			id := v(from + i)
			d[i] = st.strings[id]
			if id == 0 {
				o.setNull(i)
			}
		}
	case bytesAt:
		var scratch [64]byte
		for i := range n {
			o.texts.add(v(scratch[:0], from+i))
		}
		o.storeTexts(&o.texts, 0, n)
	case nulls:
		for i := range n {
			o.setNull(i)
		}
	default:
		panic("query: column of a kind that the engine does not know")
	}
}
