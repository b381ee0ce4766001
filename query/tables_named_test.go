//go:build cgo

package query

import (
	"math"
	"testing"

	"github.com/weft-trace/weft/trace"
)

// Each slice is in the view of its track's kind, and no view differs from what the
// engine runs in its place.
func TestNamedSlices(t *testing.T) {
	f := newFixture()
	f.Slices.Track[7] = 7                                        // of an overflow track
	f.Tracks[1].Thread, f.Tracks[1].Process = 2, trace.NoProcess // a thread of no process
	db := open(t, f.Trace, Options{})
	for _, c := range []struct{ view, ids string }{
		{"thread_slice", "0,1,2,3,6,7"},
		{"process_slice", "4,5"}, // an async slice and a process's instant
		{"thread_or_process_slice", "0,1,2,3,4,5,6,7"},
		{"slice", "0,1,2,3,4,5,6,7,8"}, // also a global instant
	} {
		if got := text(t, db, "SELECT string_agg(id, ',' ORDER BY id) FROM "+c.view); got != c.ids+"\n" {
			t.Errorf("%s has %s, want %s", c.view, got, c.ids)
		}
		view := Lookup(c.view).View
		if view == "" {
			continue
		}
		got, want := text(t, db, "SELECT * FROM "+c.view+" ORDER BY id"), text(t, db, view+" ORDER BY slice.id")
		if got != want {
			t.Errorf("%s:\n%s\nits view:\n%s", c.view, got, want)
		}
	}
	for _, c := range []struct{ slices, tracks string }{{"thread_slice", "thread_track"}, {"process_slice", "process_track"}} {
		if got := text(t, db, "SELECT count(*) FROM "+c.slices+" WHERE track_id NOT IN (SELECT id FROM "+c.tracks+")"); got != "0\n" {
			t.Errorf("%s has slices that are not on a %s: %s", c.slices, c.tracks, got)
		}
	}
}

// Every number of 64 bits is an id like any other.
func TestSmallestID(t *testing.T) {
	f := newFixture()
	f.Processes[1].PID, f.Threads[0].TID = math.MinInt64, math.MinInt64
	db := open(t, f.Trace, Options{})
	for _, c := range []struct{ sql, want string }{
		{"SELECT pid FROM process WHERE upid = 1", "-9223372036854775808\n"},
		{"SELECT tid FROM thread WHERE utid = 0", "-9223372036854775808\n"},
		{"SELECT DISTINCT tid, pid FROM thread_slice WHERE utid = 0", "-9223372036854775808 | -9223372036854775808\n"},
		{"SELECT tid FROM thread WHERE utid = 2", "NULL\n"},
	} {
		if got := text(t, db, c.sql); got != c.want {
			t.Errorf("%s: got %q, want %q", c.sql, got, c.want)
		}
	}
}
