package query

import "github.com/weft-trace/weft/trace"

var (
	memorySnapshots rows[trace.MemorySnapshot] = func(t *trace.Trace) []trace.MemorySnapshot { return t.MemorySnapshots }
	memoryNodes     rows[trace.MemoryNode]     = func(t *trace.Trace) []trace.MemoryNode { return t.MemoryNodes }
	memoryRegions   rows[trace.MemoryRegion]   = func(t *trace.Trace) []trace.MemoryRegion { return t.MemoryRegions }
)

const memoryFormats = JSON | Perfetto

var memoryTables = []*Table{
	{
		Name: "memory_snapshot", Formats: memoryFormats, len: memorySnapshots.len,
		Doc: "One row a memory dump of a process, or of the whole system.",
		Columns: []Column{
			{Name: "id", Doc: "The row's number; rows stand in time order.", get: rowNumber},
			{Name: "timestamp", Unit: "ns", Doc: "When.", get: memorySnapshots.int(func(m *trace.MemorySnapshot) int64 { return m.TS })},
			{Name: "track_id", Doc: "Where it is shown → track.id.", get: memorySnapshots.int(func(m *trace.MemorySnapshot) int64 { return idOrNull(m.Track) })},
			{Name: "detail_level", Type: Varchar, Doc: "background, light or detailed.", get: memorySnapshots.text(func(m *trace.MemorySnapshot) trace.StringID { return m.DetailLevel })},
			{Name: "dump_id", Type: Varchar, Ours: true, Doc: "The dumps of several processes that were taken together share it.", get: memorySnapshots.text(func(m *trace.MemorySnapshot) trace.StringID { return m.DumpID })},
			{Name: "upid", Ours: true, Doc: "Whose memory → process.upid; NULL for the whole system.", get: memorySnapshots.int(func(m *trace.MemorySnapshot) int64 { return idOrNull(m.Process) })},
			{Name: "arg_set_id", Doc: "The dump's totals → args.arg_set_id.", get: memorySnapshots.args(func(m *trace.MemorySnapshot) trace.ArgSetID { return m.ArgSet })},
		},
	},
	{
		Name: "memory_snapshot_node", Formats: memoryFormats, len: memoryNodes.len,
		Doc: "One row a node of a memory dump's tree of allocators.",
		Columns: []Column{
			{Name: "id", Doc: "The row's number.", get: rowNumber},
			{Name: "process_snapshot_id", Doc: "Of which dump → memory_snapshot.id.", get: memoryNodes.int(func(n *trace.MemoryNode) int64 { return idOrNull(n.Snapshot) })},
			{Name: "parent_node_id", Doc: "The node above → memory_snapshot_node.id; NULL for a root.", get: memoryNodes.int(func(n *trace.MemoryNode) int64 { return idOrNull(n.Parent) })},
			{Name: "path", Type: Varchar, Doc: "Its path from the root: `malloc/allocated_objects`.", get: memoryNodes.text(func(n *trace.MemoryNode) trace.StringID { return n.Path })},
			{Name: "size", Unit: "bytes", Doc: "How much it holds.", get: memoryNodes.int(func(n *trace.MemoryNode) int64 { return n.Size })},
			{Name: "effective_size", Unit: "bytes", Doc: "The same without what other nodes own of it.", get: memoryNodes.int(func(n *trace.MemoryNode) int64 { return n.EffectiveSize })},
			{Name: "arg_set_id", Doc: "Its other attributes → args.arg_set_id.", get: memoryNodes.args(func(n *trace.MemoryNode) trace.ArgSetID { return n.ArgSet })},
		},
	},
	{
		Name: "memory_region", Ours: true, Formats: JSON, len: memoryRegions.len,
		Doc: "One row a region of a process's address space in a memory dump.",
		Columns: []Column{
			{Name: "id", Doc: "The row's number.", get: rowNumber},
			{Name: "memory_snapshot_id", Doc: "Of which dump → memory_snapshot.id.", get: memoryRegions.int(func(m *trace.MemoryRegion) int64 { return idOrNull(m.Snapshot) })},
			{Name: "start", Type: UBigInt, Doc: "The first address.", get: memoryRegions.uint(func(m *trace.MemoryRegion) uint64 { return m.Start })},
			{Name: "size", Unit: "bytes", Doc: "How long it is.", get: memoryRegions.int(func(m *trace.MemoryRegion) int64 { return m.Size })},
			{Name: "name", Type: Varchar, Doc: "The mapped file, or what the region is.", get: memoryRegions.text(func(m *trace.MemoryRegion) trace.StringID { return m.Name })},
			{Name: "protection", Doc: "A sum of 4 (read), 2 (write), 1 (execute), 128 (may be shared).", get: memoryRegions.int(func(m *trace.MemoryRegion) int64 { return m.Protection })},
			{Name: "arg_set_id", Doc: "Its counts of bytes by state → args.arg_set_id.", get: memoryRegions.args(func(m *trace.MemoryRegion) trace.ArgSetID { return m.ArgSet })},
		},
	},
}
