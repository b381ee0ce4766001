package query

import "strings"

// spanJoinMacro is the statement that makes span_join, in its two forms: for
// two tables, and for two tables and a column that the spans must agree in. A
// span that did not finish (dur -1) goes on to the end of time.
func spanJoinMacro() string {
	plain := spanJoinBody("query_table(l)", "query_table(r)", "", "")

	// A macro can't take a column by name, but it can run a statement that is
	// put together as text.
	name := `' || quoted || '`
	by := spanJoinBody("query_table(''' || lq || ''')", "query_table(''' || rq || ''')", "a."+name+" = b."+name+" AND ", ", "+name)
	double := func(param string) string { return `replace(` + param + `, '''', '''''')` }
	by = strings.NewReplacer(
		"quoted", `'"' || replace(part, '"', '""') || '"'`,
		"lq", double("l"),
		"rq", double("r"),
	).Replace("'" + by + "'")
	return "CREATE MACRO IF NOT EXISTS span_join(l, r) AS TABLE (" + plain + "), (l, r, part) AS TABLE (SELECT * FROM system.main.query(" + by + "))"
}

// spanJoinBody is the join in n log n steps. The spans of one table do not
// overlap, so where an overlap begins, the span that begins there meets the one
// span of the other table that is active then: the last that began before, if
// it has not ended. Only a span that lasts can be active; of two that begin at
// once, one of them an instant, it is the other. Where both begin at once, the
// first half has them.
func spanJoinBody(left, right, on, exclude string) string {
	spans := func(table string) string {
		return "(SELECT *, CASE WHEN dur < 0 THEN 9223372036854775807 ELSE ts + dur END AS weft_end FROM " + table + ")"
	}
	half := func(begins, active, order string) string {
		return "SELECT greatest(a.ts, b.ts) AS ts, " +
			"CASE WHEN a.dur < 0 AND b.dur < 0 THEN -1 ELSE least(a.weft_end, b.weft_end) - greatest(a.ts, b.ts) END AS dur, " +
			"a.* EXCLUDE (ts, dur, weft_end), b.* EXCLUDE (ts, dur, weft_end" + exclude + ") " +
			"FROM " + begins + " ASOF JOIN " + active + " ON " + on + order +
			" WHERE a.ts < b.weft_end AND b.ts < a.weft_end"
	}
	lasting := func(table string) string { return "(FROM " + table + " WHERE dur <> 0)" }
	return "WITH weft_l AS " + spans(left) + ", weft_r AS " + spans(right) + " " +
		half("weft_l a", lasting("weft_r")+" b", "a.ts >= b.ts") + " UNION ALL " +
		half("weft_r b", lasting("weft_l")+" a", "b.ts > a.ts")
}
