package query

import (
	"slices"
	"strings"

	"github.com/weft-trace/weft/trace"
)

// namedSlices is what the engine reads for the views that join slices with
// their threads and processes: it looks the names up row by row, which costs
// less than a join and keeps the rows in order, as a join does not.
var namedSlices = &Table{
	Name: "weft_named_slice", Columns: namedSliceColumns,
	len: func(t *trace.Trace) int { return t.Slices.Len() },
}

var namedSliceColumns = slices.Concat(take(sliceColumns, "id", "ts", "dur", "category", "name", "track_id"), []Column{
	Column{Name: "track_name", Type: Varchar, Doc: "The track's name.", get: func(t *trace.Trace) values {
		return textAt(func(i int) trace.StringID { return t.Tracks[t.Slices.Track[i]].Name })
	}},
	Column{Name: "utid", Doc: "Its thread → thread.utid.", get: func(t *trace.Trace) values {
		return intAt(func(i int) int64 { return idOrNull(t.Tracks[t.Slices.Track[i]].Thread) })
	}},
	threadColumn("tid", Column{Name: "tid", Doc: "The thread's id as in the file."}),
	threadColumn("name", Column{Name: "thread_name", Type: Varchar, Doc: "The thread's name."}),
	threadColumn("is_main_thread", Column{Name: "is_main_thread", Doc: "1 for the thread that its process began with."}),
	Column{Name: "upid", Doc: "Its process → process.upid.", get: func(t *trace.Trace) values {
		return intAt(func(i int) int64 { return idOrNull(sliceProcess(t, i)) })
	}},
	processColumn("pid", Column{Name: "pid", Doc: "The process's id as in the file."}),
	processColumn("name", Column{Name: "process_name", Type: Varchar, Doc: "The process's name."}),
}, take(sliceColumns, "depth", "parent_id", "arg_set_id", "thread_ts", "thread_dur"))

// threadColumn is a column of thread, looked up by the track of each slice.
func threadColumn(name string, c Column) Column {
	return lookupColumn(c, threadColumns, name, func(t *trace.Trace, row int) (int, bool) {
		id := t.Tracks[t.Slices.Track[row]].Thread
		return int(id), id != trace.NoThread
	})
}

// processColumn is a column of process, looked up likewise.
func processColumn(name string, c Column) Column {
	return lookupColumn(c, processColumns, name, func(t *trace.Trace, row int) (int, bool) {
		id := sliceProcess(t, row)
		return int(id), id != trace.NoProcess
	})
}

// lookupColumn makes c the column of another table, at the row that row finds.
func lookupColumn(c Column, from []Column, name string, row func(*trace.Trace, int) (int, bool)) Column {
	get := take(from, name)[0].get
	c.get = func(t *trace.Trace) values {
		switch v := get(t).(type) {
		case intAt:
			return intAt(func(i int) int64 {
				if r, ok := row(t, i); ok {
					return v(r)
				}
				return trace.NoInt
			})
		case textAt:
			return textAt(func(i int) trace.StringID {
				if r, ok := row(t, i); ok {
					return v(r)
				}
				return 0
			})
		default:
			panic("query: lookup of a column of a kind that can't be looked up: " + name)
		}
	}
	return c
}

// sliceProcess is the process of a slice's thread, or else of its track.
func sliceProcess(t *trace.Trace, row int) trace.UPID {
	track := &t.Tracks[t.Slices.Track[row]]
	if track.Thread != trace.NoThread && t.Threads[track.Thread].Process != trace.NoProcess {
		return t.Threads[track.Thread].Process
	}
	return track.Process
}

func namedSliceScan(columns []Column, where string) string {
	names := make([]string, len(columns))
	for i := range columns {
		names[i] = columns[i].Name
	}
	return "SELECT " + strings.Join(names, ", ") + " FROM " + tableSource + "('weft_named_slice') WHERE " + where
}

var processSliceColumns = take(namedSliceColumns, "id", "ts", "dur", "category", "name", "track_id", "track_name",
	"upid", "pid", "process_name", "depth", "parent_id", "arg_set_id", "thread_ts", "thread_dur")

func namedSliceView(joins, upid string) string {
	return "SELECT slice.id, slice.ts, slice.dur, slice.category, slice.name, slice.track_id, track.name AS track_name, " +
		"track.utid, thread.tid, thread.name AS thread_name, thread.is_main_thread, " + upid + " AS upid, process.pid, process.name AS process_name, " +
		"slice.depth, slice.parent_id, slice.arg_set_id, slice.thread_ts, slice.thread_dur " +
		"FROM slice JOIN track ON track.id = slice.track_id " + joins
}
