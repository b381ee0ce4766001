package query

import "github.com/weft-trace/weft/trace"

var (
	clocks   rows[trace.ClockSnapshot] = func(t *trace.Trace) []trace.ClockSnapshot { return t.ClockSnapshots }
	metadata rows[trace.Metadata]      = func(t *trace.Trace) []trace.Metadata { return t.Metadata }
)

var logColumns = []Column{
	{Name: "id", Doc: "The row's number; rows stand in time order.", get: rowNumber},
	{Name: "ts", Unit: "ns", Doc: "When."},
	{Name: "utid", Doc: "By whom → thread.utid."},
	{Name: "prio", Doc: "How grave, as Android counts: 2 verbose, 3 debug, 4 info, 5 warning, 6 error, 7 fatal."},
	{Name: "tag", Type: Varchar, Doc: "The part of the program that speaks."},
	{Name: "msg", Type: Varchar, Doc: "What it says."},
}

// factTables are those about the trace as a whole and how it was made.
var factTables = []*Table{
	{
		Name: "log", Ours: true, Formats: FXT | Perfetto | Ftrace, Columns: logColumns,
		Doc: "One row a message of a log.",
	},
	{
		Name: "android_logs", Formats: FXT | Perfetto | Ftrace, Columns: logColumns,
		Doc: "The same as log.", View: "SELECT * FROM log",
	},
	{
		Name: "clock_snapshot", Formats: JSON | Perfetto, len: clocks.len,
		Doc: "One row a reading of one clock.",
		Columns: []Column{
			{Name: "id", Doc: "The row's number; rows stand in time order.", get: rowNumber},
			{Name: "ts", Unit: "ns", Doc: "When, on the trace's clock.", get: clocks.int(func(c *trace.ClockSnapshot) int64 { return c.TS })},
			{Name: "clock_id", Doc: "The clock's number.", get: clocks.int(func(c *trace.ClockSnapshot) int64 { return c.ClockID })},
			{Name: "clock_name", Type: Varchar, Doc: "The clock's domain.", get: clocks.text(func(c *trace.ClockSnapshot) trace.StringID { return c.Name })},
			{Name: "clock_value", Unit: "ns", Doc: "What the clock showed.", get: clocks.int(func(c *trace.ClockSnapshot) int64 { return c.Value })},
			{Name: "snapshot_id", Doc: "Readings that were taken together share it.", get: clocks.int(func(c *trace.ClockSnapshot) int64 { return c.Snapshot })},
			{Name: "sync_id", Type: Varchar, Ours: true, Doc: "The id that two domains share.", Formats: JSON, get: clocks.text(func(c *trace.ClockSnapshot) trace.StringID { return c.SyncID })},
			{Name: "arg_set_id", Ours: true, Doc: "What the marker brought → args.arg_set_id.", Formats: JSON, get: clocks.args(func(c *trace.ClockSnapshot) trace.ArgSetID { return c.ArgSet })},
		},
	},
	{
		Name: "metadata", Formats: AnyFormat, len: metadata.len,
		Doc: "One row a fact about the whole trace. The top-level properties of a JSON file are flattened: `otherData.version`.",
		Columns: []Column{
			{Name: "id", Doc: "The row's number.", get: rowNumber},
			{Name: "name", Type: Varchar, Doc: "What.", get: metadata.text(func(m *trace.Metadata) trace.StringID { return m.Name })},
			{Name: "key_type", Type: Varchar, Doc: "single.", get: metadata.string(func(*trace.Metadata) string { return "single" })},
			{Name: "int_value", Doc: "The value of an integer.", get: metadata.int(func(m *trace.Metadata) int64 { return m.Int })},
			{Name: "str_value", Type: Varchar, Doc: "The value of anything else, as text.", get: metadata.text(func(m *trace.Metadata) trace.StringID { return m.Str })},
		},
	},
	{
		Name: "provider", Ours: true, Formats: FXT | Perfetto,
		Doc: "One row a producer that wrote a part of the trace, and what of it was lost.",
		Columns: []Column{
			{Name: "id", Doc: "The row's number.", get: rowNumber},
			{Name: "name", Type: Varchar, Doc: "Its name."},
			{Name: "records", Doc: "How many records it wrote."},
			{Name: "dropped", Doc: "How many are known to be lost."},
		},
	},
	{
		Name: "trace_bounds", Formats: AnyFormat,
		len: func(*trace.Trace) int { return 1 },
		Doc: "One row: when the trace begins and ends.",
		Columns: []Column{
			{Name: "start_ts", Unit: "ns", Doc: "The earliest timestamp; 0 in an empty trace.", get: func(t *trace.Trace) values { return ints{t.Start} }},
			{Name: "end_ts", Unit: "ns", Doc: "The latest.", get: func(t *trace.Trace) values { return ints{t.End} }},
		},
	},
}
