//go:build cgo

package query

import (
	"context"
	"fmt"
	"math/rand/v2"
	"testing"

	"github.com/weft-trace/weft/trace"
)

// bigSlices is a trace of n slices of 1000 names on 8 tracks.
func bigSlices(n int) *trace.Trace {
	in := trace.NewInterner()
	var names []trace.StringID
	for i := range 1000 {
		names = append(names, in.InternString(fmt.Sprintf("MyFunctionName%04d", i)))
	}
	r := rand.New(rand.NewPCG(1, 2))
	t := &trace.Trace{End: int64(n) * 1000, Processes: make([]trace.Process, 1)}
	for i := range 8 {
		t.Threads = append(t.Threads, trace.Thread{TID: int64(i), HasTID: true})
		t.Tracks = append(t.Tracks, trace.Track{Parent: trace.NoTrack, Thread: trace.UTID(i)})
	}
	s := &t.Slices
	for i := range n {
		s.TS = append(s.TS, int64(i)*1000)
		s.Dur = append(s.Dur, r.Int64N(1000))
		s.Track = append(s.Track, trace.TrackID(i%8))
		s.Name = append(s.Name, names[r.IntN(len(names))])
		s.Category = append(s.Category, names[0])
		s.Depth = append(s.Depth, 0)
		s.Parent = append(s.Parent, trace.NoSlice)
		s.ArgSet = append(s.ArgSet, 0)
	}
	t.Strings = *in.Strings()
	return t
}

// drain runs a statement and gives the number of its rows.
func drain(t testing.TB, db *DB, sql string) (n int) {
	t.Helper()
	rows, err := db.Query(context.Background(), sql)
	if err != nil {
		t.Fatal(err)
	}
	defer rows.Close()
	for rows.Next() {
		n++
	}
	if rows.Err() != nil {
		t.Fatal(rows.Err())
	}
	return n
}

// Without ORDER BY rows come in id order, however many threads read them.
func TestRowsComeInOrder(t *testing.T) {
	const n = 1_000_000
	db := open(t, bigSlices(n), Options{})
	for _, sql := range []string{
		"SELECT id, dur FROM slice",
		"SELECT id, name FROM slice WHERE dur >= 0",
		"SELECT id FROM thread_slice",
	} {
		rows, err := db.Query(context.Background(), sql)
		if err != nil {
			t.Fatal(err)
		}
		want := int64(0)
		for rows.Next() {
			if got := rows.Value(0).Int; got != want {
				t.Errorf("%s: row %d has id %d", sql, want, got)
				break
			}
			want++
		}
		if rows.Err() != nil || want != n {
			t.Errorf("%s: %d rows, %v", sql, want, rows.Err())
		}
		rows.Close()
	}
	text(t, db, "CREATE TABLE copy AS SELECT id, row_number() OVER () AS n FROM slice")
	if got := text(t, db, "SELECT count(*) FROM copy WHERE n <> id + 1"); got != "0\n" {
		t.Errorf("rows out of order in a copy: %s", got)
	}
}

func BenchmarkOpen(b *testing.B) {
	tr := newFixture().Trace
	for b.Loop() {
		db, err := Open(tr, Options{})
		if err != nil {
			b.Fatal(err)
		}
		drain(b, db, "SELECT count(*), sum(dur) FROM thread_slice")
		db.Close()
	}
}

// BenchmarkSlice scans the trace's own columns, and beside it a native table of
// the engine with the same rows.
func BenchmarkSlice(b *testing.B) {
	const n = 10_000_000
	db := open(b, bigSlices(n), Options{})
	text(b, db, "CREATE TABLE native AS SELECT name, dur, depth FROM slice")
	for _, q := range []struct{ name, sql string }{
		{"count", "SELECT count(*) FROM %s"},
		{"sum", "SELECT count(*), sum(dur), max(depth) FROM %s"},
		{"group", "SELECT name, count(*), sum(dur) FROM %s GROUP BY name"},
	} {
		for _, table := range []string{"slice", "native"} {
			b.Run(q.name+"/"+table, func(b *testing.B) {
				b.SetBytes(n)
				for b.Loop() {
					drain(b, db, fmt.Sprintf(q.sql, table))
				}
			})
		}
	}
	b.Run("rows", func(b *testing.B) {
		b.SetBytes(n)
		for b.Loop() {
			drain(b, db, "SELECT id, name, dur FROM slice")
		}
	})
}

func BenchmarkArgs(b *testing.B) {
	const sets = 200_000
	f := newFixture()
	leaves := f.args.sets[0]
	for range sets {
		f.set(leaves...)
	}
	db := open(b, f.Trace, Options{})
	for _, sql := range []string{
		"SELECT count(*) FROM args WHERE key = 'args.size'",
		"SELECT count(key), count(display_value), count(json), max(id) FROM args",
		"SELECT count(extract_arg(arg_set_id, 'args.size')) FROM (SELECT range AS arg_set_id FROM range(200000))",
	} {
		b.Run(sql, func(b *testing.B) {
			b.SetBytes(int64(sets * len(leaves)))
			for b.Loop() {
				drain(b, db, sql)
			}
		})
	}
}
