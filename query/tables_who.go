package query

import (
	"slices"

	"github.com/weft-trace/weft/trace"
)

var (
	processes rows[trace.Process] = func(t *trace.Trace) []trace.Process { return t.Processes }
	threads   rows[trace.Thread]  = func(t *trace.Trace) []trace.Thread { return t.Threads }
	tracks    rows[trace.Track]   = func(t *trace.Trace) []trace.Track { return t.Tracks }
)

// The kinds of tracks that are a thread's and a process's. A lane of async slices
// remembers the thread that began the first, but stands beside the thread's own
// slices, not among them.
const (
	onThread  = "type IN ('thread', 'overflow')"
	onProcess = "type IN ('process', 'async', 'memory')"
)

var whoTables = []*Table{
	{
		Name: "process", Formats: AnyFormat, len: processes.len, Columns: processColumns,
		Doc: "One row a process over its life.",
	},
	{
		Name: "thread", Formats: AnyFormat, len: threads.len, Columns: threadColumns,
		Doc: "One row a thread over its life.",
	},
	{
		Name: "track", Formats: AnyFormat, len: tracks.len, Columns: trackColumns,
		Doc: "One row a row of the viewer: whatever holds slices or counter samples.",
	},
	{
		Name: "thread_track", Formats: AnyFormat,
		Doc:     "The tracks of threads: what each thread did, and its overflow tracks. Lanes of async slices are in process_track and async_track.",
		View:    "SELECT id, name, type, parent_id, source_arg_set_id, utid, category, sort_index FROM track WHERE " + onThread,
		Columns: take(trackColumns, "id", "name", "type", "parent_id", "source_arg_set_id", "utid", "category", "sort_index"),
	},
	{
		Name: "process_track", Formats: AnyFormat,
		Doc:     "The tracks of whole processes: what belongs to no thread of its own, lanes of async slices, and memory dumps.",
		View:    "SELECT id, name, type, parent_id, source_arg_set_id, upid, category, sort_index FROM track WHERE upid IS NOT NULL AND " + onProcess,
		Columns: take(trackColumns, "id", "name", "type", "parent_id", "source_arg_set_id", "upid", "category", "sort_index"),
	},
	{
		Name: "counter_track", Formats: AnyFormat,
		Doc:     "The tracks of counters, one a series.",
		View:    "SELECT id, name, type, parent_id, source_arg_set_id, unit, description, counter_group, upid, utid, cpu FROM track WHERE type = 'counter'",
		Columns: take(trackColumns, "id", "name", "type", "parent_id", "source_arg_set_id", "unit", "description", "counter_group", "upid", "utid", "cpu"),
	},
	{
		Name: "process_counter_track", Formats: AnyFormat,
		Doc:     "The counters of processes.",
		View:    "SELECT id, name, type, parent_id, source_arg_set_id, unit, description, counter_group, upid FROM track WHERE type = 'counter' AND upid IS NOT NULL AND utid IS NULL",
		Columns: take(trackColumns, "id", "name", "type", "parent_id", "source_arg_set_id", "unit", "description", "counter_group", "upid"),
	},
	{
		Name: "thread_counter_track", Formats: JSON | Perfetto,
		Doc:     "The counters of threads.",
		View:    "SELECT id, name, type, parent_id, source_arg_set_id, unit, description, counter_group, utid FROM track WHERE type = 'counter' AND utid IS NOT NULL",
		Columns: take(trackColumns, "id", "name", "type", "parent_id", "source_arg_set_id", "unit", "description", "counter_group", "utid"),
	},
	{
		Name: "cpu_counter_track", Formats: Perfetto | Ftrace,
		Doc:     "The counters of cpus.",
		View:    "SELECT id, name, type, parent_id, source_arg_set_id, unit, description, counter_group, cpu FROM track WHERE type = 'counter' AND cpu IS NOT NULL",
		Columns: take(trackColumns, "id", "name", "type", "parent_id", "source_arg_set_id", "unit", "description", "counter_group", "cpu"),
	},
	{
		Name: "cpu_track", Formats: FXT | Perfetto | Ftrace,
		Doc:     "The tracks of cpus: who ran where.",
		View:    "SELECT id, name, type, parent_id, source_arg_set_id, cpu FROM track WHERE cpu IS NOT NULL AND type <> 'counter'",
		Columns: take(trackColumns, "id", "name", "type", "parent_id", "source_arg_set_id", "cpu"),
	},
	{
		Name: "async_track", Ours: true, Formats: AnyFormat,
		Doc:     "The lanes of async slices.",
		View:    "SELECT id, name, type, parent_id, source_arg_set_id, upid, utid, category, sort_index FROM track WHERE type = 'async'",
		Columns: take(trackColumns, "id", "name", "type", "parent_id", "source_arg_set_id", "upid", "utid", "category", "sort_index"),
	},
	{
		Name: "cpu", Formats: FXT | Perfetto | Ftrace,
		Doc: "One row a cpu that the trace mentions.",
		len: func(t *trace.Trace) int { return len(cpus(t)) },
		Columns: []Column{
			{Name: "id", Doc: "The row's number.", get: rowNumber},
			{Name: "cpu", Doc: "The cpu's number.", get: func(t *trace.Trace) values { return ints(cpus(t)) }},
			{Name: "arg_set_id", Doc: "More facts about it → args.arg_set_id."},
		},
	},
}

var trackColumns = []Column{
	{Name: "id", Doc: "The track; the row's number.", get: rowNumber},
	{Name: "name", Type: Varchar, Doc: "What it is called.", get: tracks.text(func(t *trace.Track) trace.StringID { return t.Name })},
	{Name: "type", Type: Varchar, Doc: "What it shows: thread, overflow (slices of a thread that overlap those of its first track), process, global, async, counter, cpu, memory.", get: tracks.string(func(t *trace.Track) string { return t.Type.String() })},
	{Name: "parent_id", Doc: "The track that it stands under → track.id.", get: tracks.int(func(t *trace.Track) int64 { return idOrNull(t.Parent) })},
	{Name: "upid", Doc: "Its process → process.upid.", get: tracks.int(func(t *trace.Track) int64 { return idOrNull(t.Process) })},
	{Name: "utid", Doc: "Its thread → thread.utid.", get: tracks.int(func(t *trace.Track) int64 { return idOrNull(t.Thread) })},
	{Name: "cpu", Doc: "Its cpu.", get: tracks.int(func(t *trace.Track) int64 { return cpuOrNull(t.CPU) })},
	{Name: "source_arg_set_id", Doc: "What the file says about it → args.arg_set_id.", get: tracks.args(func(t *trace.Track) trace.ArgSetID { return t.ArgSet })},
	{Name: "category", Type: Varchar, Ours: true, Doc: "The category that its slices have in common.", get: tracks.text(func(t *trace.Track) trace.StringID { return t.Category })},
	{Name: "sort_index", Ours: true, Doc: "Where the file wants it shown; lower is higher up.", get: tracks.int(func(t *trace.Track) int64 { return t.SortIndex })},
	{Name: "description", Type: Varchar, Ours: true, Doc: "What it means, in the file's words.", get: tracks.text(func(t *trace.Track) trace.StringID { return t.Description })},
	{Name: "unit", Type: Varchar, Ours: true, Doc: "Counters: the unit of the values.", get: tracks.text(func(t *trace.Track) trace.StringID { return t.Unit })},
	{Name: "counter_group", Type: Varchar, Ours: true, Doc: "Counters: the series of one counter share it and are drawn stacked.", get: tracks.text(func(t *trace.Track) trace.StringID { return t.CounterGroup })},
}

// cpus are the numbers of all cpus that a trace mentions, in order.
func cpus(t *trace.Trace) []int64 {
	seen := map[int32]bool{}
	for i := range t.Sched {
		seen[t.Sched[i].CPU] = true
	}
	for i := range t.Tracks {
		seen[t.Tracks[i].CPU] = true
	}
	for i := range t.Samples {
		seen[t.Samples[i].CPU] = true
	}
	var out []int64
	for cpu := range seen {
		if cpu >= 0 {
			out = append(out, int64(cpu))
		}
	}
	slices.Sort(out)
	return out
}

var processColumns = []Column{
	{Name: "upid", Doc: "The process, unique over the trace; the row's number.", get: rowNumber},
	{Name: "pid", Doc: "The id as the file gave it, 64 bits, negative too. NULL where the file gave none or one that is text.", get: processes.id(func(p *trace.Process) (int64, bool) { return p.PID, p.HasPID })},
	{Name: "name", Type: Varchar, Doc: "Its name; for a pid that is text, that text.", get: processes.text(func(p *trace.Process) trace.StringID { return p.Name })},
	{Name: "start_ts", Unit: "ns", Doc: "When it started, if the file tells.", Formats: Perfetto | Ftrace, get: processes.int(func(p *trace.Process) int64 { return p.StartTS })},
	{Name: "end_ts", Unit: "ns", Doc: "When it ended, if the file tells.", Formats: Perfetto | Ftrace, get: processes.int(func(p *trace.Process) int64 { return p.EndTS })},
	{Name: "parent_upid", Doc: "The process that started it → process.upid.", Formats: Perfetto | Ftrace, get: processes.int(func(p *trace.Process) int64 { return idOrNull(p.Parent) })},
	{Name: "cmdline", Type: Varchar, Doc: "Its command line.", Formats: Perfetto, get: processes.text(func(p *trace.Process) trace.StringID { return p.Cmdline })},
	{Name: "arg_set_id", Doc: "More facts about it → args.arg_set_id.", get: processes.args(func(p *trace.Process) trace.ArgSetID { return p.ArgSet })},
	{Name: "labels", Type: Varchar, Ours: true, Doc: `Its labels, joined by ", ".`, Formats: JSON, get: processes.text(func(p *trace.Process) trace.StringID { return p.Labels })},
	{Name: "sort_index", Ours: true, Doc: "Where the file wants it shown; lower is higher up.", Formats: JSON | Perfetto, get: processes.int(func(p *trace.Process) int64 { return p.SortIndex })},
}

var threadColumns = []Column{
	{Name: "utid", Doc: "The thread, unique over the trace; the row's number.", get: rowNumber},
	{Name: "tid", Doc: "The id as the file gave it, 64 bits, negative too; 0 is an id like any other. NULL where it is text or not known. An event without a tid is on its process's main thread.", get: threads.id(func(t *trace.Thread) (int64, bool) { return t.TID, t.HasTID })},
	{Name: "name", Type: Varchar, Doc: "Its name; for a tid that is text, that text.", get: threads.text(func(t *trace.Thread) trace.StringID { return t.Name })},
	{Name: "start_ts", Unit: "ns", Doc: "When it started, if the file tells.", Formats: Perfetto | Ftrace, get: threads.int(func(t *trace.Thread) int64 { return t.StartTS })},
	{Name: "end_ts", Unit: "ns", Doc: "When it ended, if the file tells.", Formats: Perfetto | Ftrace, get: threads.int(func(t *trace.Thread) int64 { return t.EndTS })},
	{Name: "upid", Doc: "Its process → process.upid.", get: threads.int(func(t *trace.Thread) int64 { return idOrNull(t.Process) })},
	{Name: "is_main_thread", Doc: "1 for the thread that its process began with, else 0.", get: threads.int(func(t *trace.Thread) int64 { return number(t.IsMain) })},
	{Name: "arg_set_id", Doc: "More facts about it → args.arg_set_id.", get: threads.args(func(t *trace.Thread) trace.ArgSetID { return t.ArgSet })},
	{Name: "sort_index", Ours: true, Doc: "Where the file wants it shown; lower is higher up.", Formats: JSON | Perfetto, get: threads.int(func(t *trace.Thread) int64 { return t.SortIndex })},
}
