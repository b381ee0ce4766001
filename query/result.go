//go:build cgo

package query

import (
	"context"
	"fmt"
	"regexp"
	"strings"

	duckdb "github.com/duckdb/duckdb-go-bindings"
)

// result is a statement that runs, and its rows.
type result struct {
	db      *DB
	conn    duckdb.Connection
	ctx     context.Context
	unwatch func()
	text    string

	prepared duckdb.PreparedStatement
	res      duckdb.Result
	open     bool // res is to be destroyed
	chunk    duckdb.DataChunk
	decoders []decoder
	closed   bool
	spoilt   bool // the connection may look up names elsewhere: nobody may use it again
}

// run executes the statements of a text, all but the last to their end.
func (r *result) run(text string) error {
	r.text = text
	if !r.db.opts.Unsafe {
		if err := closedDoor(text); err != nil {
			return err
		}
	}
	r.db.defining.Lock()
	err := define(r.conn, text)
	r.db.defining.Unlock()
	if err != nil {
		return err
	}
	var statements duckdb.ExtractedStatements
	n := duckdb.ExtractStatements(r.conn, text, &statements)
	defer duckdb.DestroyExtracted(&statements)
	if n == 0 {
		if msg := duckdb.ExtractStatementsError(statements); msg != "" {
			return newError(msg, text)
		}
		return nil
	}
	for i := range n {
		if err := r.ctx.Err(); err != nil {
			return err
		}
		if err := r.execute(statements, i, i == n-1); err != nil {
			return err
		}
	}
	return nil
}

func (r *result) execute(statements duckdb.ExtractedStatements, i duckdb.IdxT, last bool) error {
	defer func() {
		if !last {
			r.release()
		}
	}()
	if duckdb.PrepareExtractedStatement(r.conn, statements, i, &r.prepared) == duckdb.StateError {
		return newError(duckdb.PrepareError(r.prepared), r.text)
	}
	kind := duckdb.PreparedStatementType(r.prepared)
	if err := r.db.allow(kind, r.text); err != nil {
		return err
	}
	var pending duckdb.PendingResult
	defer duckdb.DestroyPending(&pending)
	// A result is streamed: it may be as large as the trace. The calls are
	// marked deprecated for want of a successor, not of support.
	start := duckdb.PendingPreparedStreaming
	if !last {
		start = duckdb.PendingPrepared
	}
	if start(r.prepared, &pending) == duckdb.StateError {
		return newError(duckdb.PendingError(pending), r.text)
	}
	r.open = true
	if duckdb.ExecutePending(pending, &r.res) == duckdb.StateError {
		return newError(duckdb.ResultError(&r.res), r.text)
	}
	// A result that streams ends when another statement runs, so this one runs
	// after those only that can switch: neither PREPARE nor EXPLAIN takes them.
	if r.db.opts.Unsafe || kind != duckdb.StatementTypeSet && kind != duckdb.StatementTypeVariableSet {
		return nil
	}
	err := stayHome(r.conn)
	r.spoilt = err != nil
	return err
}

// stayHome refuses a change of the schema that names are looked up in, which
// no lock of DuckDB's prevents: our macros must come before its functions.
func stayHome(conn duckdb.Connection) error {
	var res duckdb.Result
	defer duckdb.DestroyResult(&res)
	if duckdb.Query(conn, "SELECT 1 WHERE current_database() || '.' || current_schema() || '.' = "+literal(home), &res) == duckdb.StateError {
		return newError(duckdb.ResultError(&res), "")
	}
	chunk := duckdb.FetchChunk(res)
	defer duckdb.DestroyDataChunk(&chunk)
	if chunk.Ptr != nil && duckdb.DataChunkGetSize(chunk) == 1 {
		return nil
	}
	return &Error{Message: notAllowed("switching to another schema")}
}

// allow refuses what reaches outside of the trace. DuckDB's own settings do the
// same from the inside; this one says it in words, and closes what they leave
// open.
func (db *DB) allow(t duckdb.StatementType, text string) error {
	if db.opts.Unsafe {
		return nil
	}
	var what string
	switch t {
	case duckdb.StatementTypeCopy:
		what = "COPY"
	case duckdb.StatementTypeExport:
		what = "EXPORT"
	case duckdb.StatementTypeAttach:
		what = "ATTACH"
	case duckdb.StatementTypeDetach:
		what = "DETACH"
	case duckdb.StatementTypeLoad, duckdb.StatementTypeExtension:
		return &Error{Message: "INSTALL and LOAD are " + outside}
	case duckdb.StatementTypeCall:
		what = "CALL"
	case duckdb.StatementTypePragma:
		what = "PRAGMA"
	case duckdb.StatementTypeVariableSet, duckdb.StatementTypeSet:
		if !searchPath.MatchString(text) {
			return nil
		}
		what = "setting search_path"
	default:
		return nil
	}
	return &Error{Message: notAllowed(what)}
}

// describe prepares the decoding of the result and gives its columns.
func (r *result) describe() []ResultColumn {
	if !r.open || duckdb.ResultReturnType(r.res) != duckdb.ResultTypeQueryResult {
		return nil
	}
	columns := make([]ResultColumn, duckdb.ColumnCount(&r.res))
	for i := range columns {
		t := duckdb.ColumnLogicalType(&r.res, duckdb.IdxT(i))
		d, name, numeric := newDecoder(t)
		duckdb.DestroyLogicalType(&t)
		columns[i] = ResultColumn{r.title(i), name, numeric}
		r.decoders = append(r.decoders, d)
	}
	return columns
}

// title is a column's name. DuckDB makes the names of expressions from what it
// read them as; this one is as it was written.
func (r *result) title(i int) string {
	name := duckdb.ColumnName(&r.res, duckdb.IdxT(i))
	if !strings.Contains(r.text, "//") { // every / is read as one
		name = strings.ReplaceAll(name, " // ", " / ")
	}
	if !strings.Contains(r.text, "main") {
		name = mainFunction.ReplaceAllString(name, "$1")
	}
	return name
}

// mainFunction is a function with the schema that DuckDB found it in.
var mainFunction = regexp.MustCompile(`\bmain\.(\w+\()`)

// fetch gets the next chunk; false at the end.
func (r *result) fetch() (bool, error) {
	duckdb.DestroyDataChunk(&r.chunk)
	if r.decoders == nil {
		return false, nil
	}
	if err := r.ctx.Err(); err != nil {
		return false, err
	}
	r.chunk = duckdb.FetchChunk(r.res)
	if r.chunk.Ptr == nil {
		if err := r.ctx.Err(); err != nil {
			return false, err
		}
		if msg := duckdb.ResultError(&r.res); msg != "" {
			return false, newError(msg, r.text)
		}
		return false, nil
	}
	return true, nil
}

func (r *result) next() (int, error) {
	for {
		ok, err := r.fetch()
		if !ok {
			return 0, err
		}
		n := int(duckdb.DataChunkGetSize(r.chunk))
		if n == 0 {
			continue
		}
		for i := range r.decoders {
			r.decoders[i].bind(duckdb.DataChunkGetVector(r.chunk, duckdb.IdxT(i)))
		}
		return n, nil
	}
}

func (r *result) value(column, row int, v *Value) { r.decoders[column].decode(row, v) }

// release gives back what belongs to one statement.
func (r *result) release() {
	duckdb.DestroyDataChunk(&r.chunk)
	if r.open {
		duckdb.DestroyResult(&r.res)
		r.open = false
	}
	duckdb.DestroyPrepare(&r.prepared)
}

func (r *result) close() {
	if r.closed {
		return
	}
	r.closed = true
	r.unwatch()
	r.release()
	if r.spoilt {
		r.db.discard(r.conn)
	} else {
		r.db.disconnect(r.conn)
	}
}

// copyTo writes the rest of the result to a file in a format that DuckDB
// writes. It does so in a database of its own, which reads the chunks as they
// come: the one that runs the user's statements can't open files.
func (r *result) copyTo(path, format string) error {
	if r.decoders == nil {
		return ErrNoResult
	}
	e, conn, err := openEngine(r.db.engine.trace)
	if err != nil {
		return err
	}
	defer e.close()
	defer duckdb.Disconnect(&conn)
	f := &tableFunction{db: e, name: "weft_result", bind: func(*engine, []duckdb.Value) (*scan, error) { return &scan{db: e, from: r}, nil }}
	if err := f.register(conn); err != nil {
		return err
	}
	unwatch := watch(r.ctx, e, conn)
	defer unwatch()
	err = run(conn, fmt.Sprintf("COPY (SELECT %s FROM weft_result()) TO %s (FORMAT %s)", r.exactColumns(), literal(path), format))
	if r.ctx.Err() != nil {
		return r.ctx.Err()
	}
	return err
}

// exactColumns are the columns as they are to be written: Parquet has no
// integers of 128 bits, and DuckDB would write them as rounded doubles.
func (r *result) exactColumns() string {
	var wide []string
	for i, name := range r.names() {
		if duckdb.ColumnType(&r.res, duckdb.IdxT(i)) == duckdb.TypeHugeInt {
			wide = append(wide, fmt.Sprintf("CAST(%[1]s AS DECIMAL(38, 0)) AS %[1]s", quote(name)))
		}
	}
	if wide == nil {
		return "*"
	}
	return "* REPLACE (" + strings.Join(wide, ", ") + ")"
}

// names are the result's column names, those that occur twice told apart.
func (r *result) names() []string {
	columns := make([]ResultColumn, duckdb.ColumnCount(&r.res))
	for i := range columns {
		columns[i].Name = r.title(i)
	}
	return uniqueNames(columns)
}

// resultRunner is a scan of another database's result. One worker reads it.
type resultRunner struct {
	from    *result
	columns []int
}

// declare gives the columns of the result to a scan of it.
func (r *result) declare(info duckdb.BindInfo) {
	for i, name := range r.names() {
		t := duckdb.ColumnLogicalType(&r.res, duckdb.IdxT(i))
		duckdb.BindAddResultColumn(info, name, t)
		duckdb.DestroyLogicalType(&t)
	}
}

func (r *resultRunner) fill(_ *worker, chunk duckdb.DataChunk) (int, error) {
	for {
		ok, err := r.from.fetch()
		if !ok {
			return 0, err
		}
		n := int(duckdb.DataChunkGetSize(r.from.chunk))
		if n == 0 {
			continue
		}
		for i, c := range r.columns {
			if c >= 0 && c < len(r.from.decoders) {
				duckdb.VectorReferenceVector(duckdb.DataChunkGetVector(chunk, duckdb.IdxT(i)), duckdb.DataChunkGetVector(r.from.chunk, duckdb.IdxT(c)))
			}
		}
		return n, nil
	}
}
