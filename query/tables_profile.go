package query

import "github.com/weft-trace/weft/trace"

var (
	mappings  rows[trace.Mapping]  = func(t *trace.Trace) []trace.Mapping { return t.Mappings }
	frames    rows[trace.Frame]    = func(t *trace.Trace) []trace.Frame { return t.Frames }
	callsites rows[trace.Callsite] = func(t *trace.Trace) []trace.Callsite { return t.Callsites }
	samples   rows[trace.Sample]   = func(t *trace.Trace) []trace.Sample { return t.Samples }
)

const (
	profileFormats = JSON | FXT | Perfetto
	mappingFormats = FXT | Perfetto
)

var profileTables = []*Table{
	{
		Name: "stack_profile_mapping", Formats: mappingFormats, len: mappings.len,
		Doc: "One row a file that was mapped into a process as code.",
		Columns: []Column{
			{Name: "id", Doc: "The row's number.", get: rowNumber},
			{Name: "build_id", Type: Varchar, Doc: "The file's build id, in hex.", get: mappings.text(func(m *trace.Mapping) trace.StringID { return m.BuildID })},
			{Name: "start", Type: UBigInt, Doc: "The first address.", get: mappings.uint(func(m *trace.Mapping) uint64 { return m.Start })},
			{Name: "end", Type: UBigInt, Doc: `The address after the last. The word is SQL's own: write "end".`, get: mappings.uint(func(m *trace.Mapping) uint64 { return m.End })},
			{Name: "start_offset", Type: UBigInt, Unit: "bytes", Doc: "Where in the file the mapping begins.", get: mappings.uint(func(m *trace.Mapping) uint64 { return m.StartOffset })},
			{Name: "load_bias", Type: UBigInt, Unit: "bytes", Doc: "What to add to an address of the file.", get: mappings.uint(func(m *trace.Mapping) uint64 { return m.LoadBias })},
			{Name: "name", Type: Varchar, Doc: "The file.", get: mappings.text(func(m *trace.Mapping) trace.StringID { return m.Name })},
		},
	},
	{
		Name: "stack_profile_frame", Formats: profileFormats, len: frames.len,
		Doc: "One row a function, or an address in one.",
		Columns: []Column{
			{Name: "id", Doc: "The row's number.", get: rowNumber},
			{Name: "name", Type: Varchar, Doc: "The function.", get: frames.text(func(f *trace.Frame) trace.StringID { return f.Name })},
			{Name: "mapping", Doc: "Where its code lies → stack_profile_mapping.id.", Formats: mappingFormats, get: frames.int(func(f *trace.Frame) int64 { return idOrNull(f.Mapping) })},
			{Name: "rel_pc", Doc: "Its address, relative to the mapping where there is one.", get: frames.int(func(f *trace.Frame) int64 { return f.RelPC })},
			{Name: "category", Type: Varchar, Ours: true, Doc: "Its category or library, as in the file.", Formats: JSON, get: frames.text(func(f *trace.Frame) trace.StringID { return f.Category })},
			{Name: "source_file", Type: Varchar, Ours: true, Doc: "The source file.", get: frames.text(func(f *trace.Frame) trace.StringID { return f.SourceFile })},
			{Name: "line_number", Ours: true, Doc: "The line in it.", get: frames.int(func(f *trace.Frame) int64 { return f.Line })},
		},
	},
	{
		Name: "stack_profile_callsite", Formats: profileFormats, len: callsites.len,
		Doc: "One row a frame in the context of its callers: a callstack is a callsite and its parents.",
		Columns: []Column{
			{Name: "id", Doc: "The row's number.", get: rowNumber},
			{Name: "depth", Doc: "How many callers it has.", get: callsites.int(func(c *trace.Callsite) int64 { return int64(c.Depth) })},
			{Name: "parent_id", Doc: "The caller → stack_profile_callsite.id; NULL for the outermost.", get: callsites.int(func(c *trace.Callsite) int64 { return idOrNull(c.Parent) })},
			{Name: "frame_id", Doc: "The function → stack_profile_frame.id.", get: callsites.int(func(c *trace.Callsite) int64 { return idOrNull(c.Frame) })},
		},
	},
	{
		Name: "sample", Ours: true, Formats: profileFormats, len: samples.len, Columns: sampleColumns,
		Doc: "One row a look of a profiler at what ran, wherever the file keeps them.",
	},
	{
		Name: "cpu_profile_stack_sample", Formats: profileFormats,
		Doc:     "The samples that have a callstack.",
		View:    "SELECT id, ts, callsite_id, utid FROM sample WHERE callsite_id IS NOT NULL",
		Columns: take(sampleColumns, "id", "ts", "callsite_id", "utid"),
	},
	{
		Name: "perf_sample", Formats: profileFormats,
		Doc:     "The samples of profilers that look at cpus.",
		View:    "SELECT id, ts, utid, cpu, callsite_id FROM sample WHERE cpu IS NOT NULL",
		Columns: take(sampleColumns, "id", "ts", "utid", "cpu", "callsite_id"),
	},
}

var sampleColumns = []Column{
	{Name: "id", Doc: "The row's number; rows stand in time order.", get: rowNumber},
	{Name: "ts", Unit: "ns", Doc: "When.", get: samples.int(func(s *trace.Sample) int64 { return s.TS })},
	{Name: "utid", Doc: "Who ran → thread.utid.", get: samples.int(func(s *trace.Sample) int64 { return idOrNull(s.Thread) })},
	{Name: "cpu", Doc: "Where.", get: samples.int(func(s *trace.Sample) int64 { return cpuOrNull(s.CPU) })},
	{Name: "name", Type: Varchar, Doc: "What was sampled.", get: samples.text(func(s *trace.Sample) trace.StringID { return s.Name })},
	{Name: "weight", Type: Double, Doc: "How much it counts in a sum.", get: samples.real(func(s *trace.Sample) float64 { return s.Weight })},
	{Name: "callsite_id", Doc: "The callstack → stack_profile_callsite.id.", get: samples.int(func(s *trace.Sample) int64 { return idOrNull(s.Callsite) })},
	{Name: "source", Type: Varchar, Doc: "What in the file it was: P, samples, cpu_profile and others.", get: samples.text(func(s *trace.Sample) trace.StringID { return s.Source })},
	{Name: "arg_set_id", Doc: "Its args → args.arg_set_id.", get: samples.args(func(s *trace.Sample) trace.ArgSetID { return s.ArgSet })},
}
