//go:build cgo

package query

import (
	"context"
	"errors"
	"fmt"
	"runtime"
	"strconv"
	"strings"
	"sync"
	"sync/atomic"
	"time"

	duckdb "github.com/duckdb/duckdb-go-bindings"

	"github.com/weft-trace/weft/trace"
)

// errStopped ends a scan whose statement was cancelled.
var errStopped = errors.New("interrupted")

// engine is one DuckDB database whose tables read a trace.
type engine struct {
	trace *trace.Trace
	db    duckdb.Database

	stringsOnce sync.Once
	table       *stringTable
	flowsOnce   sync.Once
	flows       *flowIndex
	leaves      leafCounts

	stops sync.Map // connection id → *atomic.Bool: its statement is being cancelled
}

// stopFlag is what a connection's scans look at to see whether their statement
// is being cancelled.
func (e *engine) stopFlag(ctx duckdb.ClientContext) *atomic.Bool {
	flag, _ := e.stops.LoadOrStore(uint64(duckdb.ClientContextGetConnectionId(ctx)), new(atomic.Bool))
	return flag.(*atomic.Bool)
}

// strings is the table of all strings, made when a statement first reads a
// column of them.
func (e *engine) strings() *stringTable {
	e.stringsOnce.Do(func() { e.table = newStringTable(&e.trace.Strings) })
	return e.table
}

func (e *engine) flowIndex() *flowIndex {
	e.flowsOnce.Do(func() { e.flows = newFlowIndex(e.trace.Flows) })
	return e.flows
}

// settings hold for every database of ours: nothing comes from the network,
// nothing is left on the disk, and errors come with their place.
var settings = [][2]string{
	{"autoinstall_known_extensions", "false"},
	{"autoload_known_extensions", "false"},
	{"allow_community_extensions", "false"},
	{"errors_as_json", "true"},
	{"integer_division", "true"}, // as in Perfetto's SQL
}

// openEngine opens an empty database in memory and gives it the functions that
// read a trace, which may come later.
func openEngine(t *trace.Trace) (*engine, duckdb.Connection, error) {
	var config duckdb.Config
	defer duckdb.DestroyConfig(&config)
	var conn duckdb.Connection
	if duckdb.CreateConfig(&config) == duckdb.StateError {
		return nil, conn, errors.New("query: can't configure the SQL engine")
	}
	for _, s := range append(settings, [2]string{"threads", strconv.Itoa(runtime.GOMAXPROCS(0))}) {
		if duckdb.SetConfig(config, s[0], s[1]) == duckdb.StateError {
			return nil, conn, fmt.Errorf("query: the SQL engine refuses the setting %s=%s", s[0], s[1])
		}
	}
	e := &engine{trace: t}
	var msg string
	if duckdb.OpenExt("", &e.db, config, &msg) == duckdb.StateError {
		return nil, conn, errors.New("query: can't start the SQL engine: " + msg)
	}
	if duckdb.Connect(e.db, &conn) == duckdb.StateError {
		e.close()
		return nil, conn, errors.New("query: can't connect to the SQL engine")
	}
	err := run(conn, "SET temp_directory = ''")
	for _, f := range tableFunctions() {
		f.db = e
		err = errors.Join(err, f.register(conn))
	}
	for _, f := range scalarFunctions() {
		f.db = e
		err = errors.Join(err, f.register(conn))
	}
	if err != nil {
		duckdb.Disconnect(&conn)
		e.close()
		return nil, conn, err
	}
	return e, conn, nil
}

func (e *engine) close() {
	duckdb.Close(&e.db)
	if e.table != nil {
		e.table.release()
	}
}

// run executes a statement of our own.
func run(conn duckdb.Connection, sql string) error {
	var res duckdb.Result
	state := duckdb.Query(conn, sql, &res)
	defer duckdb.DestroyResult(&res)
	if state == duckdb.StateError {
		return newError(duckdb.ResultError(&res), sql)
	}
	return nil
}

// DB is a trace opened for SQL. It may be used by several goroutines at once.
// Nothing of the trace is copied: the trace must not be closed before the DB.
type DB struct {
	engine *engine
	opts   Options

	defining sync.Mutex // held while views are made: the engine refuses to make one twice at once

	mu     sync.Mutex
	idle   []duckdb.Connection
	active sync.WaitGroup // results that are still open
	closed bool
}

// Open opens a trace for SQL. It takes less than 20 ms whatever the trace's size:
// statements read the trace itself. Start does most of it beforehand.
func Open(t *trace.Trace, opts Options) (*DB, error) { return Start(opts).Open(t) }

// Starting is the SQL engine getting ready.
type Starting struct{ db func() (*DB, error) }

// Start begins to make the engine ready, on a goroutine of its own, so that it
// costs no time beside the loading of a trace. Either Open or Close must be
// called, once.
func Start(opts Options) *Starting {
	s := &Starting{db: sync.OnceValues(func() (*DB, error) { return startDB(opts) })}
	go s.db()
	return s
}

// Open waits until the engine is ready and opens a trace with it.
func (s *Starting) Open(t *trace.Trace) (*DB, error) {
	db, err := s.db()
	if err == nil {
		db.engine.trace = t
	}
	return db, err
}

// Close gives the engine up, for want of a trace.
func (s *Starting) Close() {
	if db, err := s.db(); err == nil {
		db.Close()
	}
}

func startDB(opts Options) (*DB, error) {
	e, conn, err := openEngine(nil)
	if err != nil {
		return nil, err
	}
	if !opts.Unsafe {
		for _, s := range []string{closeFunctions(), "SET enable_external_access = false", "SET lock_configuration = true"} {
			if err := run(conn, s); err != nil {
				duckdb.Disconnect(&conn)
				e.close()
				return nil, err
			}
		}
	}
	return &DB{engine: e, opts: opts, idle: []duckdb.Connection{conn}}, nil
}

// Close closes the database, after the results that are still open. The trace
// stays open.
func (db *DB) Close() error {
	db.mu.Lock()
	closed := db.closed
	db.closed = true
	db.mu.Unlock()
	if closed {
		return nil
	}
	db.active.Wait()
	for i := range db.idle {
		duckdb.Disconnect(&db.idle[i])
	}
	db.idle = nil
	db.engine.close()
	return nil
}

// connect takes a connection that nobody uses, the last one first: temporary
// tables and variables belong to a connection, and whoever runs one statement
// after another keeps them.
func (db *DB) connect() (duckdb.Connection, error) {
	db.mu.Lock()
	defer db.mu.Unlock()
	var conn duckdb.Connection
	if db.closed {
		return conn, errors.New("query: the database is closed")
	}
	if n := len(db.idle); n > 0 {
		conn = db.idle[n-1]
		db.idle = db.idle[:n-1]
	} else if duckdb.Connect(db.engine.db, &conn) == duckdb.StateError {
		return conn, errors.New("query: can't connect to the SQL engine")
	}
	db.active.Add(1)
	return conn, nil
}

func (db *DB) disconnect(conn duckdb.Connection) {
	db.mu.Lock()
	db.idle = append(db.idle, conn)
	db.mu.Unlock()
	db.active.Done()
}

// discard ends a connection that must not be used again.
func (db *DB) discard(conn duckdb.Connection) {
	duckdb.Disconnect(&conn)
	db.active.Done()
}

func (db *DB) notice(format string, args ...any) {
	if db.opts.Notice != nil {
		db.opts.Notice(fmt.Sprintf(format, args...))
	}
}

// Query runs all statements of a text and returns the result of the last. An
// error that comes from the text is an *Error; for a text without a statement it
// is ErrNoStatement. When ctx ends the statement that
// runs is stopped.
func (db *DB) Query(ctx context.Context, sql string) (*Rows, error) {
	text, modules := adapt(sql)
	for _, m := range modules {
		db.notice("INCLUDE PERFETTO MODULE %s does nothing here: all views are always there", m)
	}
	if len(modules) == 0 && empty(text) {
		return nil, ErrNoStatement
	}
	conn, err := db.connect()
	if err != nil {
		return nil, err
	}
	r := &result{db: db, conn: conn, ctx: ctx}
	r.unwatch = watch(ctx, db.engine, conn)
	if err := r.run(text); err != nil {
		r.close()
		if ctx.Err() != nil {
			return nil, ctx.Err()
		}
		return nil, err
	}
	return &Rows{columns: r.describe(), source: r, row: -1}, nil
}

// watch interrupts what a connection does when ctx ends, until the function
// that it returns is called.
func watch(ctx context.Context, e *engine, conn duckdb.Connection) (unwatch func()) {
	var client duckdb.ClientContext
	duckdb.ConnectionGetClientContext(conn, &client)
	stopped := e.stopFlag(client)
	duckdb.DestroyClientContext(&client)
	done, ended := make(chan struct{}), make(chan struct{})
	stop := context.AfterFunc(ctx, func() {
		defer close(ended)
		stopped.Store(true)
		defer stopped.Store(false)
		for {
			// Again and again: the engine forgets an interrupt between
			// the phases of a statement.
			duckdb.Interrupt(conn)
			select {
			case <-done:
				return
			case <-time.After(20 * time.Millisecond):
			}
		}
	})
	return func() {
		close(done)
		if !stop() {
			<-ended
		}
	}
}

// define makes the views and macros that a text mentions and that are not
// there: all of them would cost more than most statements.
func define(conn duckdb.Connection, text string) error {
	tables, macros := mentions(text)
	done := map[string]bool{}
	var sql strings.Builder
	var add func(t *Table)
	add = func(t *Table) {
		if done[t.Name] {
			return
		}
		done[t.Name] = true
		body := t.View
		switch {
		case t.scan != "":
			body = t.scan
		case t.View == "":
			body = "SELECT * FROM " + tableSource + "(" + literal(t.Name) + ")"
		default:
			used, _ := mentions(body)
			for _, u := range used {
				add(u)
			}
		}
		fmt.Fprintf(&sql, "CREATE VIEW IF NOT EXISTS "+home+"%s AS %s;\n", quote(t.Name), body)
	}
	for _, t := range tables {
		add(t)
	}
	for _, m := range macros {
		sql.WriteString(strings.Replace(m.Macro, "EXISTS ", "EXISTS "+home, 1) + ";\n")
	}
	if sql.Len() == 0 {
		return nil
	}
	return run(conn, sql.String())
}
