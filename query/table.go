package query

import (
	"slices"

	"github.com/weft-trace/weft/trace"
)

// Table is one table or view of the SQL surface. The same data makes the
// engine's tables, the reference page, `weft tables` and the prompt's
// completion.
type Table struct {
	Name string
	Doc  string
	// Ours says that Perfetto's trace_processor has no such table.
	Ours bool
	// Formats are those that can fill it.
	Formats Formats
	Columns []Column
	// View is the query that a view stands for; "" for a table.
	View string

	// scan is what the engine runs in the place of View, with the same result,
	// where it knows a better way; "" where it does not.
	scan string

	len func(*trace.Trace) int // nil: no loaded format fills it yet
}

// Column returns the column of that name, nil when there is none.
func (t *Table) Column(name string) *Column {
	for i := range t.Columns {
		if t.Columns[i].Name == name {
			return &t.Columns[i]
		}
	}
	return nil
}

// Tables returns all tables and views in the order of the reference page. The
// caller must not change them.
func Tables() []*Table { return allTables }

// Lookup returns the table or view of that name, nil when there is none.
func Lookup(name string) *Table {
	if name == namedSlices.Name {
		return nil
	}
	return tableByName[name]
}

// tableSource is the table function of the engine that reads a table by name.
const tableSource = "weft_table"

var allTables = slices.Concat(
	whoTables, sliceTables, argTables, schedTables, profileTables,
	objectTables, memoryTables, factTables, problemTables,
)

var tableByName = func() map[string]*Table {
	m := make(map[string]*Table, len(allTables))
	for _, t := range allTables {
		m[t.Name] = t
	}
	m[namedSlices.Name] = namedSlices
	return m
}()

// take returns columns of other tables for a view that passes them on. It
// panics on a name that does not exist: definitions are checked when the
// program starts.
func take(from []Column, names ...string) []Column {
	if len(names) == 0 {
		return slices.Clone(from)
	}
	var out []Column
	for _, name := range names {
		i := slices.IndexFunc(from, func(c Column) bool { return c.Name == name })
		if i < 0 {
			panic("query: no column " + name + " to take")
		}
		out = append(out, from[i])
	}
	return out
}
