package query

// Function is one function of the SQL surface that is not DuckDB's own.
type Function struct {
	Name      string
	Signature string // "extract_arg(arg_set_id, key) → VARCHAR"
	Doc       string
	Example   string // a whole statement
	// Ours says that Perfetto's trace_processor has no such function.
	Ours bool
	// Macro is the statement that makes it; "" for one that the engine has
	// built in.
	Macro string
}

// Functions returns all functions in the order of the reference page. The
// caller must not change them.
func Functions() []*Function { return allFunctions }

var allFunctions = []*Function{
	{
		// In trace_processor its type is that of each value. DuckDB's types for
		// that don't do: a VARIANT of text fails where it is compared with a
		// number, a UNION is taken by no text function and no aggregate, and an
		// alias of VARCHAR with a cast of its own would be cast to the number's
		// type, so that 5.5 > 5 were false.
		Name: "extract_arg", Signature: "extract_arg(arg_set_id, key) → VARCHAR",
		Doc: "The display_value of the first arg with that key in a set, NULL where there is none. Only that set is decoded. " +
			"It is text whatever the arg's type: to compare with a number, use extract_arg_int or extract_arg_real.",
		Example: "SELECT name, extract_arg(arg_set_id, 'args.url') AS url FROM slice WHERE url IS NOT NULL",
	},
	{
		Name: "extract_arg_int", Signature: "extract_arg_int(arg_set_id, key) → BIGINT", Ours: true,
		Doc:     "The int_value of the first arg with that key, NULL where it is none.",
		Example: "SELECT name FROM slice WHERE extract_arg_int(arg_set_id, 'args.size') > 1000",
	},
	{
		Name: "extract_arg_real", Signature: "extract_arg_real(arg_set_id, key) → DOUBLE", Ours: true,
		Doc:     "The value of the first arg with that key as a number, integers too; NULL where it is none.",
		Example: "SELECT avg(extract_arg_real(arg_set_id, 'args.load')) FROM slice",
	},
	{
		Name: "args_of", Signature: "args_of(arg_set_id) → the columns of args", Ours: true,
		Doc:     "The rows of args of one set. Unlike `args WHERE arg_set_id = N` it decodes no other set.",
		Example: "SELECT key, display_value FROM args_of(1)",
	},
	{
		Name: "slice_is_ancestor", Signature: "slice_is_ancestor(ancestor_id, descendant_id) → BOOLEAN",
		Doc:     "Whether one slice lies in the other, at any depth.",
		Example: "SELECT a.name, b.name FROM slice a, slice b WHERE a.depth = 0 AND slice_is_ancestor(a.id, b.id) ORDER BY b.id",
	},
	{
		Name: "ancestor_slice", Signature: "ancestor_slice(id) → the columns of slice",
		Doc:     "The slices that a slice lies in, the outermost first. The id must be a constant; for one that comes from a column see ancestor_slice_ids.",
		Example: "SELECT name, dur FROM ancestor_slice(3)",
	},
	{
		Name: "descendant_slice", Signature: "descendant_slice(id) → the columns of slice",
		Doc:     "The slices that lie in a slice, at any depth, in time order. The id must be a constant; for one that comes from a column see descendant_slice_ids.",
		Example: "SELECT name, count(*) FROM descendant_slice(0) GROUP BY name ORDER BY name",
	},
	{
		Name: "ancestor_slice_ids", Signature: "ancestor_slice_ids(id) → BIGINT[]", Ours: true,
		Doc:     "The ids of the slices that a slice lies in, the outermost first.",
		Example: "SELECT s.id, unnest(ancestor_slice_ids(s.id)) AS ancestor FROM slice s",
	},
	{
		Name: "descendant_slice_ids", Signature: "descendant_slice_ids(id) → BIGINT[]", Ours: true,
		Doc:     "The ids of the slices that lie in a slice, at any depth, in time order.",
		Example: "SELECT s.name, len(descendant_slice_ids(s.id)) AS inside FROM slice s WHERE s.depth = 0",
	},
	{
		Name: "following_flow", Signature: "following_flow(slice_id) → the columns of flow",
		Doc:     "The arrows that can be reached from a slice by following arrows.",
		Example: "SELECT slice_out, slice_in FROM following_flow(0)",
	},
	{
		Name: "preceding_flow", Signature: "preceding_flow(slice_id) → the columns of flow",
		Doc:     "The arrows that lead to a slice, through others too.",
		Example: "SELECT slice_out, slice_in FROM preceding_flow(3)",
	},
	{
		Name: "time_ms", Signature: "time_ms(ns) → DOUBLE", Ours: true,
		Doc:     "Nanoseconds as milliseconds.",
		Example: "SELECT name, time_ms(dur) AS ms FROM slice",
		Macro:   "CREATE MACRO IF NOT EXISTS time_ms(ns) AS ns::DOUBLE / 1e6",
	},
	{
		Name: "pretty_dur", Signature: "pretty_dur(ns) → VARCHAR", Ours: true,
		Doc:     "Nanoseconds for people: `1.234 ms`, `2 min 3.4 s`.",
		Example: "SELECT name, pretty_dur(sum(dur)::BIGINT) FROM slice GROUP BY name ORDER BY sum(dur) DESC",
	},
	{
		Name: "span_join", Signature: "span_join(left, right [, column]) → ts, dur, the other columns of both",
		Doc: "Where the spans (ts, dur) of two tables overlap, one row each: the overlap, and the other columns of both. With the name of a column only " +
			"spans that agree in it. All names are given as text.\n\n" +
			"The spans of one table must not overlap one another, or with a column, not those with the same value in it (as in Perfetto): where they do, " +
			"only the one that began last counts, so take the slices of one depth.\n\n" +
			"Perfetto's `CREATE VIRTUAL TABLE x USING SPAN_JOIN(a PARTITIONED utid, b PARTITIONED utid)` is not understood here: " +
			"write `CREATE VIEW x AS SELECT * FROM span_join('a', 'b', 'utid')`.",
		Example: "SELECT * FROM span_join('sched', 'thread_state', 'utid') ORDER BY ts",
		Macro:   spanJoinMacro(),
	},
}
