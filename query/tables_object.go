package query

import "github.com/weft-trace/weft/trace"

var (
	objects   rows[trace.Object]         = func(t *trace.Trace) []trace.Object { return t.Objects }
	snapshots rows[trace.ObjectSnapshot] = func(t *trace.Trace) []trace.ObjectSnapshot { return t.ObjectSnapshots }
	contexts  rows[trace.Context]        = func(t *trace.Trace) []trace.Context { return t.Contexts }
	linkedIDs rows[trace.LinkedID]       = func(t *trace.Trace) []trace.LinkedID { return t.LinkedIDs }
)

var objectTables = []*Table{
	{
		Name: "object", Ours: true, Formats: JSON, len: objects.len,
		Doc: "One row the life of one object.",
		Columns: []Column{
			{Name: "id", Doc: "The row's number.", get: rowNumber},
			{Name: "type", Type: Varchar, Doc: "Its type.", get: objects.text(func(o *trace.Object) trace.StringID { return o.Type })},
			{Name: "category", Type: Varchar, Doc: "Its categories.", get: objects.text(func(o *trace.Object) trace.StringID { return o.Category })},
			{Name: "scope", Type: Varchar, Doc: "What its id is unique in.", get: objects.text(func(o *trace.Object) trace.StringID { return o.Scope })},
			{Name: "object_id", Type: Varchar, Doc: "Its id, the text as in the file.", get: objects.text(func(o *trace.Object) trace.StringID { return o.ID })},
			{Name: "upid", Doc: "Its process → process.upid; NULL for an id that is global.", get: objects.int(func(o *trace.Object) int64 { return idOrNull(o.Process) })},
			{Name: "utid", Doc: "The thread that made it → thread.utid.", get: objects.int(func(o *trace.Object) int64 { return idOrNull(o.Thread) })},
			{Name: "created_ts", Unit: "ns", Doc: "When it was made; NULL when never announced.", get: objects.int(func(o *trace.Object) int64 { return o.Created })},
			{Name: "deleted_ts", Unit: "ns", Doc: "When it ended; NULL when never announced.", get: objects.int(func(o *trace.Object) int64 { return o.Deleted })},
			{Name: "arg_set_id", Doc: "What its creation and its deletion brought → args.arg_set_id.", get: objects.args(func(o *trace.Object) trace.ArgSetID { return o.ArgSet })},
		},
	},
	{
		Name: "object_snapshot", Ours: true, Formats: JSON, len: snapshots.len,
		Doc: "One row a state of an object at one time.",
		Columns: []Column{
			{Name: "id", Doc: "The row's number; rows stand in time order.", get: rowNumber},
			{Name: "object_id", Doc: "Whose state → object.id.", get: snapshots.int(func(s *trace.ObjectSnapshot) int64 { return idOrNull(s.Object) })},
			{Name: "ts", Unit: "ns", Doc: "When.", get: snapshots.int(func(s *trace.ObjectSnapshot) int64 { return s.TS })},
			{Name: "type", Type: Varchar, Doc: "Its type, which may be more exact than the object's.", get: snapshots.text(func(s *trace.ObjectSnapshot) trace.StringID { return s.Type })},
			{Name: "base_type", Type: Varchar, Doc: "The type that the object was announced with.", get: snapshots.text(func(s *trace.ObjectSnapshot) trace.StringID { return s.BaseType })},
			{Name: "category", Type: Varchar, Doc: "Its categories.", get: snapshots.text(func(s *trace.ObjectSnapshot) trace.StringID { return s.Category })},
			{Name: "arg_set_id", Doc: "The state itself → args.arg_set_id.", get: snapshots.args(func(s *trace.ObjectSnapshot) trace.ArgSetID { return s.ArgSet })},
			{Name: "implicit", Doc: "1 when it stood inside another object's snapshot.", get: snapshots.int(func(s *trace.ObjectSnapshot) int64 { return number(s.Implicit) })},
		},
	},
	{
		Name: "context", Ours: true, Formats: JSON, len: contexts.len,
		Doc: "One row a stretch of a thread's time spent for one context object.",
		Columns: []Column{
			{Name: "id", Doc: "The row's number; rows stand in time order.", get: rowNumber},
			{Name: "ts", Unit: "ns", Doc: "When it was entered.", get: contexts.int(func(c *trace.Context) int64 { return c.TS })},
			{Name: "dur", Unit: "ns", Doc: "For how long; -1 when it was never left.", get: contexts.int(func(c *trace.Context) int64 { return c.Dur })},
			{Name: "utid", Doc: "By whom → thread.utid.", get: contexts.int(func(c *trace.Context) int64 { return idOrNull(c.Thread) })},
			{Name: "name", Type: Varchar, Doc: "The context's type.", get: contexts.text(func(c *trace.Context) trace.StringID { return c.Name })},
			{Name: "category", Type: Varchar, Doc: "Its categories.", get: contexts.text(func(c *trace.Context) trace.StringID { return c.Category })},
			{Name: "context_id", Type: Varchar, Doc: "Its id, the text as in the file.", get: contexts.text(func(c *trace.Context) trace.StringID { return c.ID })},
			{Name: "object_row_id", Doc: "The context object → object.id.", get: contexts.int(func(c *trace.Context) int64 { return idOrNull(c.Object) })},
			{Name: "arg_set_id", Doc: "What entering and leaving brought → args.arg_set_id.", get: contexts.args(func(c *trace.Context) trace.ArgSetID { return c.ArgSet })},
		},
	},
	{
		Name: "linked_id", Ours: true, Formats: JSON, len: linkedIDs.len,
		Doc: "One row a statement that two ids mean the same.",
		Columns: []Column{
			{Name: "id", Doc: "The row's number; rows stand in time order.", get: rowNumber},
			{Name: "ts", Unit: "ns", Doc: "When it was said.", get: linkedIDs.int(func(l *trace.LinkedID) int64 { return l.TS })},
			{Name: "upid", Doc: "By whom → process.upid.", get: linkedIDs.int(func(l *trace.LinkedID) int64 { return idOrNull(l.Process) })},
			{Name: "id_a", Type: Varchar, Doc: "One id, the text as in the file.", get: linkedIDs.text(func(l *trace.LinkedID) trace.StringID { return l.A })},
			{Name: "id_b", Type: Varchar, Doc: "The other.", get: linkedIDs.text(func(l *trace.LinkedID) trace.StringID { return l.B })},
			{Name: "name", Type: Varchar, Doc: "The event's name.", get: linkedIDs.text(func(l *trace.LinkedID) trace.StringID { return l.Name })},
			{Name: "category", Type: Varchar, Doc: "The event's categories.", get: linkedIDs.text(func(l *trace.LinkedID) trace.StringID { return l.Category })},
			{Name: "arg_set_id", Doc: "The event's args → args.arg_set_id.", get: linkedIDs.args(func(l *trace.LinkedID) trace.ArgSetID { return l.ArgSet })},
		},
	},
	{
		Name: "kernel_object", Ours: true, Formats: FXT,
		Doc: "One row a kernel object that the trace names.",
		Columns: []Column{
			{Name: "id", Doc: "The row's number.", get: rowNumber},
			{Name: "koid", Type: UBigInt, Doc: "The kernel's id of it."},
			{Name: "type", Type: Varchar, Doc: "Its type."},
			{Name: "name", Type: Varchar, Doc: "Its name."},
			{Name: "arg_set_id", Doc: "Its args → args.arg_set_id."},
		},
	},
	{
		Name: "userspace_object", Ours: true, Formats: FXT,
		Doc: "One row a pointer that the trace names.",
		Columns: []Column{
			{Name: "id", Doc: "The row's number.", get: rowNumber},
			{Name: "pointer", Type: UBigInt, Doc: "The address."},
			{Name: "upid", Doc: "In whose memory → process.upid."},
			{Name: "name", Type: Varchar, Doc: "What lies there."},
			{Name: "arg_set_id", Doc: "Its args → args.arg_set_id."},
		},
	},
	{
		Name: "blob", Ours: true, Formats: FXT,
		Doc: "One row a block of bytes that the trace carries.",
		Columns: []Column{
			{Name: "id", Doc: "The row's number.", get: rowNumber},
			{Name: "ts", Unit: "ns", Doc: "When, for a blob that is an event."},
			{Name: "name", Type: Varchar, Doc: "Its name."},
			{Name: "category", Type: Varchar, Doc: "Its category."},
			{Name: "type", Type: Varchar, Doc: "What the bytes are."},
			{Name: "utid", Doc: "By whom → thread.utid."},
			{Name: "size", Unit: "bytes", Doc: "How many."},
			{Name: "data", Type: Blob, Doc: "The bytes themselves."},
			{Name: "arg_set_id", Doc: "Its args → args.arg_set_id."},
		},
	},
}
