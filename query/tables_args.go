package query

// argTables hold the one table whose rows are not stored: the engine decodes
// them as it goes (see args.go).
var argTables = []*Table{{
	Name: argsTable, Formats: AnyFormat, Columns: argColumns,
	Doc: "One row a leaf of the args of slices, counters, flows, processes and all others, in the order of the file. " +
		"Keys of JSON args begin with `args.`. Nothing is unpacked until a query names this table; args_of(arg_set_id) unpacks one set only, " +
		"and extract_arg finds one value of one set.",
}}

const argsTable = "args"

// The columns of args, by position in argColumns.
const (
	argID = iota
	argSetID
	argFlatKey
	argKey
	argIntValue
	argStringValue
	argRealValue
	argValueType
	argDisplayValue
	argJSON
	argColumnCount
)

var argColumns = []Column{
	argID:           {Name: "id", Doc: "The leaf; the row's number."},
	argSetID:        {Name: "arg_set_id", Doc: "The set that it belongs to."},
	argFlatKey:      {Name: "flat_key", Type: Varchar, Doc: "The key without the indexes of arrays: `args.list.url`."},
	argKey:          {Name: "key", Type: Varchar, Doc: "Where it stands: `args.list[3].url`."},
	argIntValue:     {Name: "int_value", Doc: "The value of an int, a bool (0 or 1), a pointer or an object_snapshot (→ object_snapshot.id); of a uint its 64 bits as a signed number."},
	argStringValue:  {Name: "string_value", Type: Varchar, Doc: "The value of a string."},
	argRealValue:    {Name: "real_value", Type: Double, Doc: "The value of a real."},
	argValueType:    {Name: "value_type", Type: Varchar, Doc: "null, bool, int, uint (an integer beyond the signed 64 bits), real, string, pointer, json (an empty object or array), object_snapshot."},
	argDisplayValue: {Name: "display_value", Type: Varchar, Doc: "The value as text, whatever its type; a number keeps its digits. NULL for null."},
	argJSON:         {Name: "json", Type: Varchar, Ours: true, Doc: "The value as JSON."},
}
