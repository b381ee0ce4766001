//go:build cgo

package query

import (
	"bytes"
	"context"
	"fmt"
	"os"
	"path/filepath"
	"testing"

	"github.com/apache/arrow-go/v18/arrow/array"
	"github.com/apache/arrow-go/v18/arrow/ipc"
)

const writeSample = `SELECT * FROM (VALUES
	(1, 9007199254740993, 'plain', 1.5, NULL, true, 27670116110564327421::HUGEINT, 1.50::DECIMAL(5,2), [1,2]),
	(-2, NULL, 'a "quote", a comma', 'NaN'::DOUBLE, '', false, -1, 0.25, NULL),
	(3, 0, E'two\nlines | \x1b[31m', 1e300, '日本', NULL, NULL, -0.05, [])) t(a, big, s, r, s, flag, huge, dec, list)`

func TestWrite(t *testing.T) {
	db := open(t, newFixture().Trace, Options{})
	write := func(opts WriteOptions, sql string) []byte {
		rows, err := db.Query(context.Background(), sql)
		if err != nil {
			t.Fatal(err)
		}
		defer rows.Close()
		var b bytes.Buffer
		if err := Write(&b, rows, opts); err != nil {
			t.Fatalf("%s: %v", opts.Format, err)
		}
		return b.Bytes()
	}
	for _, format := range []string{"table", "csv", "json", "jsonl", "markdown"} {
		golden(t, "testdata/write/"+format+".txt", string(write(WriteOptions{Format: format}, writeSample)))
		golden(t, "testdata/write/"+format+"_empty.txt", string(write(WriteOptions{Format: format}, "SELECT 1 AS a, 2 AS b WHERE false")))
	}
	golden(t, "testdata/write/table_80.txt", string(write(WriteOptions{Format: "table", Width: 80}, "SELECT id, ts, dur, name, repeat(name, 20) AS long FROM slice")))

	numbers := "SELECT 9223372036854775807 AS a, -9223372036854775808 AS b, 0.1 AS c, repeat('text', 9) AS t, NULL AS nothing FROM range(2)"
	for _, width := range []int{70, 40} {
		golden(t, fmt.Sprintf("testdata/write/numbers_%d.txt", width), string(write(WriteOptions{Format: "table", Width: width}, numbers)))
	}
	golden(t, "testdata/write/numbers_none.txt", string(write(WriteOptions{Format: "table", Width: 40}, numbers+" WHERE range < 0")))

	r, err := ipc.NewFileReader(bytes.NewReader(write(WriteOptions{Format: "arrow"}, writeSample)))
	if err != nil {
		t.Fatal(err)
	}
	defer r.Close()
	batch, err := r.RecordBatch(0)
	if err != nil {
		t.Fatal(err)
	}
	if got := batch.Column(1).(*array.Int64).Value(0); got != 9007199254740993 || batch.NumRows() != 3 {
		t.Errorf("arrow: big %d, %d rows", got, batch.NumRows())
	}
	golden(t, "testdata/write/arrow.txt", r.Schema().String()+"\n"+batch.Column(6).String()+"\n"+batch.Column(7).String()+"\n")

	path := filepath.Join(t.TempDir(), "x.parquet")
	if err := os.WriteFile(path, write(WriteOptions{Format: "parquet"}, writeSample), 0o666); err != nil {
		t.Fatal(err)
	}
	reader := open(t, newFixture().Trace, Options{Unsafe: true})
	if got, want := text(t, reader, "SELECT * FROM '"+path+"'"), text(t, db, writeSample); got != want {
		t.Errorf("parquet: got\n%s\nwant\n%s", got, want)
	}
}

func TestWriteUnknownFormat(t *testing.T) {
	if err := Write(&bytes.Buffer{}, &Rows{}, WriteOptions{Format: "xml"}); err == nil {
		t.Error("xml was accepted")
	}
}

func TestNothingToWrite(t *testing.T) {
	db := open(t, newFixture().Trace, Options{})
	for i, format := range WriteFormats {
		rows, err := db.Query(context.Background(), fmt.Sprintf("CREATE TABLE nothing_%d AS SELECT 1", i))
		if err != nil {
			t.Fatal(err)
		}
		var out bytes.Buffer
		if err := Write(&out, rows, WriteOptions{Format: format}); err != ErrNoResult || out.Len() != 0 {
			t.Errorf("%s: %v, %d bytes", format, err, out.Len())
		}
		rows.Close()
	}
	for _, sql := range []string{"", " \n", ";", "-- nothing", "/* nothing */ ;;"} {
		if _, err := db.Query(context.Background(), sql); err != ErrNoStatement {
			t.Errorf("%q: %v", sql, err)
		}
	}
}
