package query

// Options are how a trace is opened for SQL. The zero value is what a user
// wants: read-only, all cpus.
type Options struct {
	// Unsafe lets statements read and write files, open other databases and
	// change settings. Without it no statement reaches anything outside of
	// the trace.
	Unsafe bool
	// Notice is called with what a user should know beside the result, one
	// sentence a call; nil drops it.
	Notice func(string)
}

// Kind is what a Value holds.
type Kind uint8

// The kinds of values.
const (
	KindNull   Kind = iota
	KindBool        // Int is 0 or 1
	KindInt         // Int: any integer that fits in 64 bits, signed
	KindNumber      // Text: the exact digits of a larger integer, or of a decimal
	KindReal        // Real
	KindText        // Text: UTF-8; dates, times, intervals and ids too
	KindBlob        // Text: the bytes
	KindJSON        // Text: a list, struct or map as JSON
)

// Value is one cell of a result.
type Value struct {
	Kind Kind
	Int  int64
	Real float64
	Text []byte // valid until the next call of Rows.Next
}

// ResultColumn is one column of a result.
type ResultColumn struct {
	Name string
	Type string // DuckDB's name of it: "BIGINT", "DECIMAL(18,3)", "VARCHAR[]"
	// Numeric says that it holds numbers: they are aligned to the right.
	Numeric bool
}

// Rows is the result of a statement, read from first to last. It must be
// closed.
//
//	for rows.Next() {
//		for i := range rows.Columns() {
//			v := rows.Value(i)
//		}
//	}
//	if err := rows.Err(); err != nil { … }
type Rows struct {
	columns []ResultColumn
	source  rowSource
	n, row  int // rows of the chunk at hand, and the one that Next is at
	err     error
	done    bool
}

// rowSource hands out a result in chunks.
type rowSource interface {
	next() (rows int, err error)      // 0 rows is the end
	value(column, row int, v *Value)  // of the chunk at hand
	copyTo(path, format string) error // writes all that is left to a file
	close()
}

// Columns are the result's columns; none for a statement that has no result.
func (r *Rows) Columns() []ResultColumn { return r.columns }

// Next goes to the next row, false when there is none.
func (r *Rows) Next() bool {
	r.row++
	if r.row < r.n {
		return true
	}
	if r.done || r.source == nil {
		return false
	}
	r.row = 0
	r.n, r.err = r.source.next()
	if r.err != nil || r.n == 0 {
		r.n, r.done = 0, true
		return false
	}
	return true
}

// Value is a cell of the row that Next went to.
func (r *Rows) Value(column int) Value {
	var v Value
	r.source.value(column, r.row, &v)
	return v
}

// Err is what ended the rows early; nil at the end of a complete result.
func (r *Rows) Err() error { return r.err }

// Close gives the result's memory back, and ends the statement if it still
// runs.
func (r *Rows) Close() {
	r.done, r.n = true, 0
	if r.source != nil {
		r.source.close()
		r.source = nil
	}
}
