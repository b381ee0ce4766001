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
	Name: "weft_named_slice", Columns: append(slices.Clip(namedSliceColumns), ofThread),
	len: func(t *trace.Trace) int { return t.Slices.Len() },
}

// ofThread is 1 for a slice of a thread and 0 for one of a process: which of the
// views it is in, as onThread and onProcess say in SQL.
var ofThread = Column{Name: "of_thread", get: func(t *trace.Trace) values {
	return intAt(func(i int) int64 {
		switch {
		case sliceThread(t, i) != trace.NoThread:
			return 1
		case sliceProcess(t, i) != trace.NoProcess:
			return 0
		default:
			return trace.NoInt
		}
	})
}}

var namedSliceColumns = slices.Concat(take(sliceColumns, "id", "ts", "dur", "category", "name", "track_id"), []Column{
	Column{Name: "track_name", Type: Varchar, Doc: "The track's name.", get: func(t *trace.Trace) values {
		return textAt(func(i int) trace.StringID { return t.Tracks[t.Slices.Track[i]].Name })
	}},
	Column{Name: "utid", Doc: "Its thread → thread.utid.", get: func(t *trace.Trace) values {
		return intAt(func(i int) int64 { return idOrNull(sliceThread(t, i)) })
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
		id := sliceThread(t, row)
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
		case idAt:
			return idAt(func(i int) (int64, bool) {
				if r, ok := row(t, i); ok {
					return v(r)
				}
				return 0, false
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

// sliceThread is the thread of a slice that stands on a thread's track.
func sliceThread(t *trace.Trace, row int) trace.UTID {
	track := &t.Tracks[t.Slices.Track[row]]
	switch track.Type {
	case trace.TrackThread, trace.TrackOverflow:
		return track.Thread
	default:
		return trace.NoThread
	}
}

// sliceProcess is the process of a slice's thread, or else that of its track if
// it stands on a process's track.
func sliceProcess(t *trace.Trace, row int) trace.UPID {
	if thread := sliceThread(t, row); thread != trace.NoThread {
		return t.Threads[thread].Process
	}
	track := &t.Tracks[t.Slices.Track[row]]
	switch track.Type {
	case trace.TrackProcess, trace.TrackAsync, trace.TrackMemory:
		return track.Process
	default:
		return trace.NoProcess
	}
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
		"thread.utid, thread.tid, thread.name AS thread_name, thread.is_main_thread, " + upid + " AS upid, process.pid, process.name AS process_name, " +
		"slice.depth, slice.parent_id, slice.arg_set_id, slice.thread_ts, slice.thread_dur " +
		"FROM slice JOIN track ON track.id = slice.track_id " + joins
}
