package query

import "github.com/weft-trace/weft/trace"

var (
	scheds       rows[trace.Sched]       = func(t *trace.Trace) []trace.Sched { return t.Sched }
	threadStates rows[trace.ThreadState] = func(t *trace.Trace) []trace.ThreadState { return t.ThreadStates }
)

const kernelFormats = FXT | Perfetto | Ftrace

var schedColumns = []Column{
	{Name: "id", Doc: "The row's number; rows stand in time order.", get: rowNumber},
	{Name: "ts", Unit: "ns", Doc: "When it began to run.", get: scheds.int(func(s *trace.Sched) int64 { return s.TS })},
	{Name: "dur", Unit: "ns", Doc: "For how long; -1 when it was still running at the end.", get: scheds.int(func(s *trace.Sched) int64 { return s.Dur })},
	{Name: "ts_end", Unit: "ns", Doc: "When it stopped; NULL when it did not.", get: scheds.int(func(s *trace.Sched) int64 {
		if s.Dur == trace.Unfinished {
			return trace.NoTime
		}
		return s.TS + s.Dur
	})},
	{Name: "cpu", Doc: "Where it ran.", get: scheds.int(func(s *trace.Sched) int64 { return cpuOrNull(s.CPU) })},
	{Name: "utid", Doc: "Who ran → thread.utid.", get: scheds.int(func(s *trace.Sched) int64 { return idOrNull(s.Thread) })},
	{Name: "end_state", Type: Varchar, Doc: "The state that it was in when it stopped, as the kernel writes it: R, S, D and others.", get: scheds.text(func(s *trace.Sched) trace.StringID { return s.EndState })},
	{Name: "priority", Doc: "The thread's priority as the kernel counts it.", get: scheds.int(func(s *trace.Sched) int64 { return s.Priority })},
}

var schedTables = []*Table{
	{
		Name: "sched", Formats: kernelFormats, len: scheds.len, Columns: schedColumns,
		Doc: "One row a stretch of time that a thread ran on a cpu.",
	},
	{
		Name: "sched_slice", Formats: kernelFormats, Columns: schedColumns,
		Doc: "The same as sched.", View: "SELECT * FROM sched",
	},
	{
		Name: "thread_state", Formats: kernelFormats, len: threadStates.len,
		Doc: "One row a stretch of time that a thread spent in one scheduling state.",
		Columns: []Column{
			{Name: "id", Doc: "The row's number; rows stand in time order.", get: rowNumber},
			{Name: "ts", Unit: "ns", Doc: "When it began.", get: threadStates.int(func(s *trace.ThreadState) int64 { return s.TS })},
			{Name: "dur", Unit: "ns", Doc: "For how long; -1 when it lasted to the end.", get: threadStates.int(func(s *trace.ThreadState) int64 { return s.Dur })},
			{Name: "cpu", Doc: "Where it ran; NULL when it did not.", get: threadStates.int(func(s *trace.ThreadState) int64 { return cpuOrNull(s.CPU) })},
			{Name: "utid", Doc: "Whose state → thread.utid.", get: threadStates.int(func(s *trace.ThreadState) int64 { return idOrNull(s.Thread) })},
			{Name: "state", Type: Varchar, Doc: "Running, R (can run), S (sleeps), D (sleeps and can't be woken) and others.", get: threadStates.text(func(s *trace.ThreadState) trace.StringID { return s.State })},
			{Name: "io_wait", Doc: "1 when it waited for a device, 0 when not, NULL when not known.", get: threadStates.int(func(s *trace.ThreadState) int64 { return s.IOWait })},
			{Name: "blocked_function", Type: Varchar, Doc: "The kernel function that it slept in.", get: threadStates.text(func(s *trace.ThreadState) trace.StringID { return s.BlockedFunction })},
			{Name: "waker_utid", Doc: "Who woke it → thread.utid.", get: threadStates.int(func(s *trace.ThreadState) int64 { return idOrNull(s.Waker) })},
			{Name: "waker_id", Doc: "The state that its waker was in → thread_state.id.", get: threadStates.int(func(s *trace.ThreadState) int64 { return s.WakerState })},
		},
	},
	{
		Name: "ftrace_event", Formats: Ftrace | Perfetto,
		Doc: "One row a line of the kernel's trace, known or not.",
		Columns: []Column{
			{Name: "id", Doc: "The row's number; rows stand in time order.", get: rowNumber},
			{Name: "ts", Unit: "ns", Doc: "When."},
			{Name: "name", Type: Varchar, Doc: "The event's name."},
			{Name: "cpu", Doc: "Where."},
			{Name: "utid", Doc: "Who → thread.utid."},
			{Name: "arg_set_id", Doc: "Its fields → args.arg_set_id."},
			{Name: "flags", Type: Varchar, Ours: true, Doc: "The flags of interrupts and preemption, as in the file."},
		},
	},
}
