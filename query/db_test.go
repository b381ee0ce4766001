//go:build cgo

package query

import (
	"context"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/weft-trace/weft/trace"
)

// open opens a trace for the time of a test.
func open(t testing.TB, tr *trace.Trace, opts Options) *DB {
	t.Helper()
	db, err := Open(tr, opts)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { db.Close() })
	return db
}

// text runs a statement and gives its result as lines of cells.
func text(t testing.TB, db *DB, sql string) string {
	t.Helper()
	out, err := tryText(db, sql)
	if err != nil {
		t.Fatalf("%s\n%v", sql, err)
	}
	return out
}

func tryText(db *DB, sql string) (string, error) {
	rows, err := db.Query(context.Background(), sql)
	if err != nil {
		return "", err
	}
	defer rows.Close()
	var b []byte
	for rows.Next() {
		for i := range rows.Columns() {
			if i > 0 {
				b = append(b, " | "...)
			}
			if v := rows.Value(i); v.Kind == KindNull {
				b = append(b, "NULL"...)
			} else {
				b = v.AppendText(b)
			}
		}
		b = append(b, '\n')
	}
	return string(b), rows.Err()
}

func TestTables(t *testing.T) {
	db := open(t, newFixture().Trace, Options{})
	for _, table := range Tables() {
		t.Run(table.Name, func(t *testing.T) {
			rows, err := db.Query(context.Background(), "SELECT * FROM "+table.Name)
			if err != nil {
				t.Fatal(err)
			}
			var names, want []string
			for i, c := range rows.Columns() {
				names = append(names, c.Name+" "+c.Type)
				if i < len(table.Columns) {
					want = append(want, table.Columns[i].Name+" "+table.Columns[i].Type.String())
				}
			}
			rows.Close()
			if got, want := strings.Join(names, ", "), strings.Join(want, ", "); got != want {
				t.Errorf("columns\n%s\nwant\n%s", got, want)
			}
			golden(t, "testdata/tables/"+table.Name+".txt", strings.Join(names, " | ")+"\n"+text(t, db, "SELECT * FROM "+table.Name))
		})
	}
}

func TestExamples(t *testing.T) {
	db := open(t, newFixture().Trace, Options{})
	var b strings.Builder
	for _, f := range Functions() {
		fmt.Fprintf(&b, "%s\n%s\n", f.Example, text(t, db, f.Example))
	}
	golden(t, "testdata/examples.txt", b.String())
}

func TestQueries(t *testing.T) {
	db := open(t, newFixture().Trace, Options{})
	for _, c := range []struct{ sql, want string }{
		{"SELECT count(*) FROM slice", "9\n"},
		{"SELECT count(*) FROM args", "10\n"},
		{"SELECT count(*), min(id), max(id), sum(id) FROM args", "10 | 0 | 9 | 45\n"},
		{"SELECT key FROM args WHERE id = 9", "args.n\n"},
		{"SELECT id, key FROM args_of(2)", "9 | args.n\n"},
		{"SELECT count(*) FROM args_of(3)", "0\n"},
		{"SELECT count(*) FROM args_of(99)", "0\n"},
		{"SELECT count(*) FROM args_of(NULL)", "0\n"},
		{"SELECT sum(dur) FROM slice WHERE dur > 0", "7910\n"},
		{"SELECT sum(9223372036854775807 + 0::HUGEINT) FROM range(3)", "27670116110564327421\n"},
		{"SELECT 7 / 2", "3\n"},
		{"SELECT name FROM thread WHERE utid = 2", "bad \uFFFD text\n"},
		{"SELECT a.name, b.name FROM slice a JOIN slice b ON b.parent_id = a.id ORDER BY b.id", "outer | middle\nmiddle | inner\nouter | \n"},
		{"CREATE TABLE x AS SELECT 1 AS a; INSERT INTO x VALUES (2); SELECT sum(a) FROM x", "3\n"},
		{"SELECT name FROM ancestor_slice(3)", "outer\nmiddle\n"},
		{"SELECT id FROM descendant_slice(0)", "1\n3\n6\n"},
		{"SELECT id FROM descendant_slice(-1)", ""},
		{"SELECT id FROM descendant_slice(NULL)", ""},
		{"SELECT slice_is_ancestor(0, 3), slice_is_ancestor(3, 0), slice_is_ancestor(0, 0), slice_is_ancestor(0, NULL), slice_is_ancestor(0, 99)", "true | false | false | NULL | NULL\n"},
		{"SELECT id, ancestor_slice_ids(id) FROM slice WHERE id IN (0, 3)", "0 | []\n3 | [0,1]\n"},
		{"SELECT id FROM following_flow(0)", "0\n1\n"},
		{"SELECT id FROM preceding_flow(4)", "0\n1\n"},
		{"SELECT id FROM following_flow(7)", "2\n"},
		{"SELECT extract_arg(arg_set_id, 'args.data.url') FROM slice WHERE id IN (0, 1, 2)", "https://weft.example/ä\nNULL\nNULL\n"},
		{"SELECT extract_arg(1, 'args.big'), extract_arg_int(1, 'args.size'), extract_arg_real(1, 'args.big')", "18446744073709551615 | 4096 | 18446744073709552000.0\n"},
		{"SELECT extract_arg(1, 'args.list[1]'), extract_arg_int(1, 'args.list[0]')", "NULL | 1\n"},
		{"SELECT time_ms(1500000), pretty_dur(1234567)", "1.5 | 1.235 ms\n"},
		{"INCLUDE PERFETTO MODULE slices.with_context; SELECT count(*) FROM thread_slice", "6\n"},
		{"CREATE PERFETTO TABLE y AS SELECT 5 AS a; SELECT a FROM y", "5\n"},
		{"SELECT ts, dur, cpu, state FROM span_join('sched', 'thread_state', 'utid')", "1000 | 500 | 0 | Running\n"},
		{"SELECT count(*) FROM span_join('sched', 'sched')", "2\n"},
		{"SELECT list_value(1, NULL), {'a': 'x\"', 'b': 1.5}, MAP {'k': 2}, 1.50::DECIMAL(10,3), '2024-01-02'::DATE, 'x'::BLOB, INTERVAL 90 SECOND", `[1,null] | {"a":"x\"","b":1.5} | [{"key":"k","value":2}] | 1.500 | 2024-01-02 | x | 00:01:30` + "\n"},
		{"SELECT '2024-01-02 03:04:05.5'::TIMESTAMP, 'c4f2b6d2-0000-4000-8000-0123456789ab'::UUID, 18446744073709551615::UBIGINT, NULL, (-170141183460469231731687303715884105727)::HUGEINT", "2024-01-02 03:04:05.5 | c4f2b6d2-0000-4000-8000-0123456789ab | 18446744073709551615 | NULL | -170141183460469231731687303715884105727\n"},
		{"SELECT 'b'::ENUM('a', 'b'), '101'::BIT, '10:20:30.25'::TIME, [1,2]::INTEGER[2], 123456789012345678901234567890::BIGNUM, (-5)::BIGNUM", "b | 101 | 10:20:30.25 | [1,2] | 123456789012345678901234567890 | -5\n"},
	} {
		got, err := tryText(db, c.sql)
		if err != nil {
			t.Errorf("%s\n%v", c.sql, err)
		} else if got != c.want {
			t.Errorf("%s\ngot  %q\nwant %q", c.sql, got, c.want)
		}
	}
}

// A column is called what the statement says.
func TestTitles(t *testing.T) {
	db := open(t, newFixture().Trace, Options{})
	for _, c := range []struct{ sql, want string }{
		{"SELECT 1/0", "(1 / 0)"},
		{"SELECT 7 // 2", "(7 // 2)"},
		{"SELECT sum(dur)/1e6 FROM slice", "(sum(dur) / 1000000.0)"},
		{"SELECT {'a': 1}", "struct_pack(a := 1)"},
		{"SELECT 'a // b' AS \"a // b\"", "a // b"},
		{"SELECT 1 AS \"main.x(\"", "main.x("},
	} {
		rows, err := db.Query(context.Background(), c.sql)
		if err != nil {
			t.Fatal(err)
		}
		if got := rows.Columns()[0].Name; got != c.want {
			t.Errorf("%s: got %q, want %q", c.sql, got, c.want)
		}
		rows.Close()
	}
}

func TestErrors(t *testing.T) {
	db := open(t, newFixture().Trace, Options{})
	var b strings.Builder
	for _, sql := range []string{
		"SELECT nmae FROM slice",
		"SELECT s.nmae FROM slice s",
		"SELECT slice.nmae FROM slice",
		"SELECT * FROM slise",
		"SELECT * FROM thread_slices",
		"SELECT * FROM completely_unknown_thing",
		"SELECT xyzzyplugh FROM slice",
		"SELECT extract_args(1, 'x')",
		"SELECT * FROM ancestor_slices(1)",
		"SELEC 1",
		"SELECT name,\n  durr\nFROM slice",
		"SELECT count(*) FROM slice JOIN thread USING (utidd)",
		"SELECT name FROM slice WHERE extract_arg(arg_set_id, 'args.size') > 5",
		"SELECT 1 FROM slice WHERE",
		"SELECT name FROM slice, thread",
		"SELECT 'x'::INTEGER",
		"",
		"SELECT pid FROM slice",
		"SELECT utid FROM slice",
		"SELECT s.end FROM slice s",
		"SELECT duration FROM slice",
		"SELECT timestamp FROM slice",
		"SELECT cat FROM thread_slice",
		"SELECT tid FROM thread_state",
		"SELECT process FROM thread_slice",
		"SELECT name FROM slice WHERE name = \"Frame\"",
		"SELECT iif(true, 1, 2)",
		"SELECT st_point(1, 2)",
		"INSTALL httpfs",
		"SET LOCAL x = 1",
		"SET search_path = 'main'",
		"SELECT * FROM slice s, ancestor_slice(s.id)",
		"SELECT * FROM slice s, following_flow(s.id)",
	} {
		rows, err := db.Query(context.Background(), sql)
		if err == nil {
			for rows.Next() {
			}
			err = rows.Err()
			rows.Close()
		}
		fmt.Fprintf(&b, "> %s\n%v\n\n", strings.ReplaceAll(sql, "\n", "\n> "), err)
	}
	golden(t, "testdata/errors.txt", b.String())
}

func TestReadOnly(t *testing.T) {
	dir := t.TempDir()
	secret := filepath.Join(dir, "secret.csv")
	if err := os.WriteFile(secret, []byte("a\n1\n"), 0o666); err != nil {
		t.Fatal(err)
	}
	db := open(t, newFixture().Trace, Options{})
	for _, sql := range []string{
		"COPY (SELECT 1) TO '%s/out.csv'",
		"COPY slice TO '%s/out.parquet' (FORMAT parquet)",
		"EXPLAIN ANALYZE COPY (SELECT 1) TO '%s/out.csv'",
		"EXPORT DATABASE '%s/out'",
		"IMPORT DATABASE '%s'",
		"ATTACH '%s/out.db'",
		"ATTACH ':memory:' AS other",
		"SELECT * FROM read_csv('%s/secret.csv')",
		"SELECT * FROM '%s/secret.csv'",
		"SELECT * FROM read_text('%s/secret.csv')",
		"SELECT * FROM read_blob('%s/secret.csv')",
		"SELECT * FROM glob('%s/*')",
		"SELECT * FROM query('SELECT * FROM read_text(''%s/secret.csv'')')",
		"CREATE TABLE t (a INTEGER); COPY t FROM '%s/secret.csv'",
		"SET enable_external_access = true",
		"SET lock_configuration = false",
		"SET temp_directory = '%s'",
		"SET GLOBAL allowed_directories = ['%s']",
		"RESET enable_external_access",
		"PRAGMA enable_profiling",
		"PRAGMA profile_output = '%s/out'",
		"CALL enable_logging('QueryLog', storage = 'file', storage_path = '%s/log')",
		"INSTALL httpfs",
		"LOAD httpfs",
		"INSTALL x FROM community",
		"CREATE PERSISTENT SECRET s (TYPE s3)",
		"SELECT * FROM 'https://example.invalid/x.csv'",
		"PREPARE p AS COPY (SELECT 1) TO '%s/out.csv'; EXECUTE p",
		"SET search_path = 'main'",
		"CREATE SCHEMA s; USE s",
		"BEGIN; CREATE SCHEMA s; SET schema = 's'",
	} {
		if strings.Contains(sql, "%s") {
			sql = strings.ReplaceAll(sql, "%s", dir)
		}
		if out, err := tryText(db, sql); err == nil {
			t.Errorf("%s was allowed: %q", sql, out)
		}
	}
	entries, err := os.ReadDir(dir)
	if err != nil {
		t.Fatal(err)
	}
	if len(entries) != 1 {
		t.Errorf("files were written: %v", entries)
	}
	if got := text(t, db, "SELECT count(*) FROM slice"); got != "9\n" {
		t.Errorf("after all that: %q", got)
	}
}

func TestUnsafe(t *testing.T) {
	db := open(t, newFixture().Trace, Options{Unsafe: true})
	path := filepath.Join(t.TempDir(), "x.csv")
	text(t, db, "COPY (SELECT name FROM slice) TO '"+path+"'")
	if got := text(t, db, "SELECT count(*) FROM '"+path+"'"); got != "9\n" {
		t.Errorf("got %q", got)
	}
}

func TestViewsComeBack(t *testing.T) {
	db := open(t, newFixture().Trace, Options{})
	text(t, db, "CREATE OR REPLACE VIEW slice AS SELECT 1 AS mine")
	if got := text(t, db, "SELECT * FROM slice"); got != "1\n" {
		t.Errorf("replaced view: %q", got)
	}
	text(t, db, "DROP VIEW slice")
	if got := text(t, db, "SELECT count(*) FROM slice"); got != "9\n" {
		t.Errorf("dropped view: %q", got)
	}
	text(t, db, "DROP VIEW slice; CREATE TABLE slice AS SELECT 3 AS mine")
	if got := text(t, db, "SELECT * FROM slice"); got != "3\n" {
		t.Errorf("table in its place: %q", got)
	}
}

func TestNotice(t *testing.T) {
	var notices []string
	db := open(t, newFixture().Trace, Options{Notice: func(s string) { notices = append(notices, s) }})
	text(t, db, "INCLUDE PERFETTO MODULE android.startup.startups;\nSELECT 1")
	if len(notices) != 1 || !strings.Contains(notices[0], "android.startup.startups") {
		t.Errorf("notices %q", notices)
	}
}

func TestCancel(t *testing.T) {
	db := open(t, newFixture().Trace, Options{})
	for _, sql := range []string{
		"SELECT count(*) FROM range(100000000) a, range(1000000) b WHERE a.range * b.range = 7",
		"SELECT a.range FROM range(100000000) a, range(1000000) b",
	} {
		ctx, cancel := context.WithTimeout(context.Background(), 50*time.Millisecond)
		start := time.Now()
		rows, err := db.Query(ctx, sql)
		if err == nil {
			for rows.Next() {
			}
			err = rows.Err()
			rows.Close()
		}
		cancel()
		if !errors.Is(err, context.DeadlineExceeded) {
			t.Errorf("%s: %v", sql, err)
		}
		if d := time.Since(start); d > 5*time.Second {
			t.Errorf("%s: took %v to stop", sql, d)
		}
	}
	if got := text(t, db, "SELECT count(*) FROM slice"); got != "9\n" {
		t.Errorf("afterwards: %q", got)
	}
}

// A fault in a decoder is an error of the statement; the program and the
// database go on.
func TestPanicIsAnError(t *testing.T) {
	f := newFixture()
	broken := f.Args.Add(0, 1<<40) // there are no args at this place
	db := open(t, f.Trace, Options{})
	for _, sql := range []string{
		"SELECT count(*) FROM args",
		"SELECT key FROM args",
		fmt.Sprintf("SELECT * FROM args_of(%d)", broken),
		fmt.Sprintf("SELECT extract_arg(%d, 'x')", broken),
	} {
		if _, err := tryText(db, sql); err == nil || !strings.Contains(err.Error(), "internal error") {
			t.Errorf("%s: %v", sql, err)
		}
	}
	if got := text(t, db, "SELECT count(*) FROM slice"); got != "9\n" {
		t.Errorf("afterwards: %q", got)
	}
}

// Statements run side by side, and cancelling one leaves the others alone.
func TestConcurrentQueries(t *testing.T) {
	db := open(t, newFixture().Trace, Options{})
	var group sync.WaitGroup
	for i := range 8 {
		group.Go(func() {
			for range 10 {
				if i == 0 {
					ctx, cancel := context.WithTimeout(context.Background(), time.Millisecond)
					rows, err := db.Query(ctx, "SELECT count(*) FROM range(10000000) a, range(1000000) b WHERE a.range * b.range = 7")
					if err == nil {
						for rows.Next() {
						}
						rows.Close()
					}
					cancel()
					continue
				}
				got, err := tryText(db, "SELECT count(*), max(a.id), min(b.name) FROM args a, thread_slice b, args c")
				if want := "600 | 9 | \n"; err != nil || got != want {
					t.Errorf("got %q, %v", got, err)
				}
			}
		})
	}
	group.Wait()
}

func TestExport(t *testing.T) {
	db := open(t, newFixture().Trace, Options{})
	dir := t.TempDir()
	if err := db.Export(context.Background(), filepath.Join(dir, "p")); err != nil {
		t.Fatal(err)
	}
	file := filepath.Join(dir, "x.duckdb")
	if err := db.Export(context.Background(), file); err != nil {
		t.Fatal(err)
	}
	reader := open(t, newFixture().Trace, Options{Unsafe: true})
	text(t, reader, "ATTACH '"+file+"' AS x (READ_ONLY); USE x")
	for _, table := range Tables() {
		want := text(t, db, "SELECT * FROM "+table.Name+" ORDER BY ALL")
		if got := text(t, reader, "SELECT * FROM x."+table.Name+" ORDER BY ALL"); got != want {
			t.Errorf("%s in the database:\n%s\nwant\n%s", table.Name, got, want)
		}
		if table.View == "" {
			if got := text(t, reader, "SELECT * FROM '"+filepath.Join(dir, "p", table.Name+".parquet")+"' ORDER BY ALL"); got != want {
				t.Errorf("%s as Parquet:\n%s\nwant\n%s", table.Name, got, want)
			}
		}
	}
	for _, sql := range []string{"SELECT x.extract_arg(1, 'args.size')", "SELECT x.time_ms(5)", "SELECT count(*) FROM x.span_join('sched', 'sched')"} {
		text(t, reader, sql)
	}
	entries, _ := os.ReadDir(dir)
	if len(entries) != 2 {
		t.Errorf("left behind: %v", entries)
	}
}
