package query

import (
	"fmt"
	"strings"
)

// Reference is the page docs/tables.md: all tables, views and functions, made
// from the same data as the engine's own.
func Reference() string {
	var b strings.Builder
	b.WriteString(`# Tables, views and functions of the SQL

<!-- Made from the definitions in package query: go test ./query -update -->

The tables are the same whatever the trace's format, so that one query works on all. Where Perfetto's trace_processor has
a table for the concept, this one has its name, and its columns' names and meanings; what is marked + is Weft's own.

- Times are nanoseconds on the trace's one clock. A duration of -1 means "did not finish".
- ` + "`id`" + ` is the row's number. Rows stand in time order, and come in that order when a statement of one table asks for no other.
- The dialect is DuckDB's, with Perfetto's integer division: ` + "`7 / 2`" + ` is 3.
- ` + "`INCLUDE PERFETTO MODULE x;`" + ` is accepted and does nothing; CREATE PERFETTO TABLE and VIEW work.
- Text goes in single quotes; double quotes are for names: ` + "`WHERE name = 'Frame'`" + `.
- LIKE is case-sensitive, unlike Perfetto's; ILIKE is not.
- ancestor_slice, descendant_slice, following_flow, preceding_flow and args_of take constants. For ids that come from a column there are
  ancestor_slice_ids and descendant_slice_ids: ` + "`SELECT s.id, unnest(ancestor_slice_ids(s.id)) FROM slice s`" + `.
- A table that no file can fill yet is there, and empty.
- Statements only read the trace. They can make tables, views and macros in memory, but reach no file unless ` + "`--unsafe`" + ` allows it.

`)
	b.WriteString("| table | what |\n| --- | --- |\n")
	for _, t := range allTables {
		fmt.Fprintf(&b, "| [%s](#%s)%s | %s |\n", t.Name, t.Name, mark(t.Ours), cell(t.Doc))
	}
	for _, t := range allTables {
		fmt.Fprintf(&b, "\n## %s\n\n%s%s Filled from: %s.\n\n", t.Name, kind(t), t.Doc, t.Formats)
		b.WriteString("| column | type | unit | meaning |\n| --- | --- | --- | --- |\n")
		for i := range t.Columns {
			c := &t.Columns[i]
			doc := c.Doc
			if c.Formats != 0 && c.Formats != t.Formats {
				doc += " (" + c.Formats.String() + ")"
			}
			fmt.Fprintf(&b, "| %s%s | %s | %s | %s |\n", c.Name, mark(c.Ours && !t.Ours), c.Type, c.Unit, cell(doc))
		}
		if t.View != "" {
			fmt.Fprintf(&b, "\n```sql\n%s\n```\n", t.View)
		}
	}
	b.WriteString("\n# Functions\n")
	for _, f := range allFunctions {
		fmt.Fprintf(&b, "\n## %s\n\n`%s`%s\n\n%s\n\n```sql\n%s\n```\n", f.Name, f.Signature, mark(f.Ours), f.Doc, f.Example)
	}
	return b.String()
}

func mark(ours bool) string {
	if ours {
		return " +"
	}
	return ""
}

func kind(t *Table) string {
	if t.View != "" {
		return "View. "
	}
	return ""
}

func cell(s string) string { return strings.ReplaceAll(s, "|", `\|`) }
