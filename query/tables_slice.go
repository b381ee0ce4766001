package query

import (
	"strconv"
	"unsafe"

	"github.com/weft-trace/weft/trace"
)

var flows rows[trace.Flow] = func(t *trace.Trace) []trace.Flow { return t.Flows }

// asIDs sees a column of ids of any kind as plain numbers.
func asIDs[T ~uint32](col []T) ids {
	return unsafe.Slice((*uint32)(unsafe.Pointer(unsafe.SliceData(col))), len(col))
}

// optional turns a column that no row has a value in into NULLs.
func optional[S ~[]E, E any](col S, v values) values {
	if col == nil {
		return nulls{}
	}
	return v
}

var sliceTables = []*Table{
	{
		Name: "slice", Formats: AnyFormat, Columns: sliceColumns,
		len: func(t *trace.Trace) int { return t.Slices.Len() },
		Doc: "Everything that has a start and a duration on a track. An instant is a slice of duration 0 with a scope.",
	},
	{
		Name: "instant", Ours: true, Formats: AnyFormat, Columns: sliceColumns,
		Doc:  "The slices that are instants.",
		View: "SELECT * FROM slice WHERE scope IS NOT NULL",
	},
	{
		Name: "thread_slice", Formats: AnyFormat, Columns: namedSliceColumns,
		Doc:  "The slices on the tracks of threads (see thread_track), with the names and ids of the thread and its process. Async slices are in process_slice.",
		scan: namedSliceScan(namedSliceColumns, "of_thread = 1"),
		View: namedSliceView("JOIN thread ON thread.utid = track.utid LEFT JOIN process ON process.upid = thread.upid", "thread.upid") +
			" WHERE track." + onThread,
	},
	{
		Name: "process_slice", Formats: AnyFormat, Columns: processSliceColumns,
		Doc:  "The slices on the tracks of processes (see process_track), async ones among them, with the process's name and id.",
		scan: namedSliceScan(processSliceColumns, "of_thread = 0"),
		View: "SELECT slice.id, slice.ts, slice.dur, slice.category, slice.name, slice.track_id, track.name AS track_name, " +
			"track.upid, process.pid, process.name AS process_name, slice.depth, slice.parent_id, slice.arg_set_id, slice.thread_ts, slice.thread_dur " +
			"FROM slice JOIN track ON track.id = slice.track_id JOIN process ON process.upid = track.upid WHERE track." + onProcess,
	},
	{
		Name: "thread_or_process_slice", Formats: AnyFormat, Columns: namedSliceColumns,
		Doc:  "The slices of thread_slice and of process_slice; utid, tid, thread_name and is_main_thread are NULL for those of process_slice. What belongs to the whole trace is in neither.",
		scan: namedSliceScan(namedSliceColumns, "of_thread IS NOT NULL"),
		View: namedSliceView("LEFT JOIN thread ON thread.utid = track.utid AND track."+onThread+
			" LEFT JOIN process ON process.upid = CASE WHEN thread.utid IS NULL THEN track.upid ELSE thread.upid END", "process.upid") +
			" WHERE thread.utid IS NOT NULL OR track." + onProcess + " AND track.upid IS NOT NULL",
	},
	{
		Name: "counter", Formats: AnyFormat,
		len: func(t *trace.Trace) int { return t.Counters.Len() },
		Doc: "One row a sample of a counter. A counter with several series has a track for each.",
		Columns: []Column{
			{Name: "id", Doc: "The row's number; rows stand in time order.", get: rowNumber},
			{Name: "ts", Unit: "ns", Doc: "When.", get: func(t *trace.Trace) values { return ints(t.Counters.TS) }},
			{Name: "track_id", Doc: "Which series → counter_track.id.", get: func(t *trace.Trace) values { return asIDs(t.Counters.Track) }},
			{Name: "value", Type: Double, Doc: "The value from here on.", get: func(t *trace.Trace) values { return reals(t.Counters.Value) }},
			{Name: "arg_set_id", Doc: "The event's args → args.arg_set_id.", get: func(t *trace.Trace) values {
				return optional(t.Counters.ArgSet, argSets(t.Counters.ArgSet))
			}},
		},
	},
	{
		Name: "flow", Formats: JSON | FXT | Perfetto, len: flows.len, Columns: flowColumns,
		Doc: "One row an arrow from slice to slice.",
	},
}

var sliceColumns = []Column{
	{Name: "id", Doc: "The slice; the row's number. Rows stand in time order.", get: rowNumber},
	{Name: "ts", Unit: "ns", Doc: "When it began, on the trace's clock.", get: func(t *trace.Trace) values { return ints(t.Slices.TS) }},
	{Name: "dur", Unit: "ns", Doc: "How long it took; -1 when it did not finish, 0 for an instant.", get: func(t *trace.Trace) values { return ints(t.Slices.Dur) }},
	{Name: "track_id", Doc: "Where it stands → track.id.", get: func(t *trace.Trace) values { return asIDs(t.Slices.Track) }},
	{Name: "category", Type: Varchar, Doc: "Its categories as in the file, separated by commas.", get: sliceCategory},
	{Name: "cat", Type: Varchar, Doc: "The same as category.", get: sliceCategory},
	{Name: "name", Type: Varchar, Doc: "What it is called.", get: func(t *trace.Trace) values { return texts(t.Slices.Name) }},
	{Name: "depth", Doc: "How many slices of its track it lies in; 0 for the outermost.", get: func(t *trace.Trace) values { return counts(t.Slices.Depth) }},
	{Name: "parent_id", Doc: "The slice it lies in → slice.id; NULL for the outermost.", get: func(t *trace.Trace) values { return asIDs(t.Slices.Parent) }},
	{Name: "arg_set_id", Doc: "Its args → args.arg_set_id.", get: func(t *trace.Trace) values { return argSets(t.Slices.ArgSet) }},
	{Name: "thread_ts", Unit: "ns", Doc: "The thread's own clock at its start.", Formats: JSON | Perfetto, get: func(t *trace.Trace) values {
		return optional(t.Slices.ThreadTS, ints(t.Slices.ThreadTS))
	}},
	{Name: "thread_dur", Unit: "ns", Doc: "How much cpu time its thread used in it.", Formats: JSON | Perfetto, get: func(t *trace.Trace) values {
		return optional(t.Slices.ThreadDur, ints(t.Slices.ThreadDur))
	}},
	{Name: "thread_instruction_count", Doc: "The thread's count of instructions at its start.", Formats: JSON | Perfetto, get: func(t *trace.Trace) values {
		return optional(t.Slices.ThreadInstr, ints(t.Slices.ThreadInstr))
	}},
	{Name: "thread_instruction_delta", Doc: "How many instructions its thread ran in it.", Formats: JSON | Perfetto, get: func(t *trace.Trace) values {
		return optional(t.Slices.ThreadInstrDelta, ints(t.Slices.ThreadInstrDelta))
	}},
	{Name: "stack_id", Ours: true, Doc: "The callstack at its start → stack_profile_callsite.id.", Formats: JSON | Perfetto, get: func(t *trace.Trace) values {
		return optional(t.Slices.Stack, asIDs(t.Slices.Stack))
	}},
	{Name: "end_stack_id", Ours: true, Doc: "The callstack at its end → stack_profile_callsite.id.", Formats: JSON, get: func(t *trace.Trace) values {
		return optional(t.Slices.EndStack, asIDs(t.Slices.EndStack))
	}},
	{Name: "color", Type: Varchar, Ours: true, Doc: "The colour that the file asks for, by name.", Formats: JSON, get: func(t *trace.Trace) values {
		return optional(t.Slices.Color, texts(t.Slices.Color))
	}},
	{Name: "scope", Type: Varchar, Ours: true, Doc: "Instants: t (thread), p (process) or g (global).", get: sliceScope},
	{Name: "correlation_id", Type: Varchar, Ours: true, Doc: "The id that ties slices of several tracks together, as in the file.", get: func(t *trace.Trace) values {
		return optional(t.Slices.CorrelationID, texts(t.Slices.CorrelationID))
	}},
}

func sliceCategory(t *trace.Trace) values { return texts(t.Slices.Category) }

func sliceScope(t *trace.Trace) values {
	scope := t.Slices.Scope
	return optional(scope, bytesAt(func(dst []byte, i int) []byte {
		if scope[i] == 0 {
			return nil
		}
		return append(dst, scope[i])
	}))
}

var flowColumns = []Column{
	{Name: "id", Doc: "The arrow; the row's number.", get: rowNumber},
	{Name: "slice_out", Doc: "Where it leaves → slice.id.", get: flows.int(func(f *trace.Flow) int64 { return idOrNull(f.Out) })},
	{Name: "slice_in", Doc: "Where it arrives → slice.id.", get: flows.int(func(f *trace.Flow) int64 { return idOrNull(f.In) })},
	{Name: "trace_id", Doc: "Its id where that is a decimal or 0x number of 64 bits (a number above the largest signed one shows as a negative number of the same bits), else NULL.", get: flowNumber},
	{Name: "arg_set_id", Doc: "Its args → args.arg_set_id.", get: flows.args(func(f *trace.Flow) trace.ArgSetID { return f.ArgSet })},
	{Name: "flow_id", Type: Varchar, Ours: true, Doc: "Its id, the text as in the file.", get: flows.text(func(f *trace.Flow) trace.StringID { return f.ID })},
	{Name: "name", Type: Varchar, Ours: true, Doc: "What it is called.", get: flows.text(func(f *trace.Flow) trace.StringID { return f.Name })},
	{Name: "category", Type: Varchar, Ours: true, Doc: "Its categories, separated by commas.", get: flows.text(func(f *trace.Flow) trace.StringID { return f.Category })},
	{Name: "ts_out", Unit: "ns", Ours: true, Doc: "When it leaves.", get: flows.int(func(f *trace.Flow) int64 { return f.TSOut })},
	{Name: "ts_in", Unit: "ns", Ours: true, Doc: "When it arrives.", get: flows.int(func(f *trace.Flow) int64 { return f.TSIn })},
}

func flowNumber(t *trace.Trace) values {
	return intAt(func(i int) int64 {
		n, ok := idNumber(t.Strings.Get(t.Flows[i].ID))
		if !ok {
			return trace.NoInt
		}
		return n
	})
}

// idNumber reads a decimal or 0x number of 64 bits, signed or unsigned.
func idNumber(s string) (int64, bool) {
	digits, base := s, 10
	if len(s) > 2 && s[0] == '0' && (s[1] == 'x' || s[1] == 'X') {
		digits, base = s[2:], 16
	}
	if n, err := strconv.ParseUint(digits, base, 64); err == nil {
		return int64(n), true
	}
	if base == 10 {
		if n, err := strconv.ParseInt(digits, 10, 64); err == nil {
			return n, true
		}
	}
	return 0, false
}
