package query

import (
	"slices"
	"strings"
)

// usualColumns are the words that people try first for what the tables call
// otherwise, or have to be asked for in another way. Each is tried in order:
// the first whose columns the statement's tables have.
var usualColumns = []struct {
	words   string   // separated by spaces
	columns []string // that a table must have for it to be meant
	hint    string
}{
	{"duration length elapsed wall_duration dur_ns", []string{"dur"}, "did you mean dur?"},
	{"start begin timestamp time start_ts start_time begin_ts ts_ns", []string{"ts"}, "did you mean ts?"},
	{"end end_ts ts_end end_time finish stop", []string{"ts", "dur"}, "the end is ts + dur"},
	{"cat categories", []string{"category"}, "did you mean category?"},
	{"title label", []string{"name"}, "did you mean name?"},
	{"parent", []string{"parent_id"}, "did you mean parent_id?"},
	{"track", []string{"track_id"}, "did you mean track_id?"},
	{"args arg", []string{"arg_set_id"}, "use extract_arg(arg_set_id, 'args.…')"},
	{"args arg", []string{"source_arg_set_id"}, "use extract_arg(source_arg_set_id, 'args.…')"},
	{"thread", []string{"thread_name"}, "did you mean thread_name?"},
	{"process", []string{"process_name"}, "did you mean process_name?"},
	{"tid utid thread thread_name", []string{"track_id", "depth"}, "thread_slice has tid, utid and thread_name: use it in the place of slice"},
	{"pid upid process process_name", []string{"track_id", "depth"}, "thread_slice and process_slice have pid, upid and process_name: use one in the place of slice"},
	{"tid thread thread_name", []string{"utid"}, "thread has it: JOIN thread USING (utid)"},
	{"pid process process_name", []string{"upid"}, "process has it: JOIN process USING (upid)"},
	{"value_int", []string{"int_value"}, "did you mean int_value?"},
	{"value", []string{"display_value"}, "did you mean display_value?"},
}

// usualColumn is the hint for a column that one of the tables has under
// another name, or "".
func usualColumn(name string, tables []*Table) string {
	name = strings.ToLower(name)
	for _, u := range usualColumns {
		if !slices.Contains(strings.Fields(u.words), name) {
			continue
		}
		for _, t := range tables {
			if !slices.ContainsFunc(u.columns, func(c string) bool { return t.Column(c) == nil }) {
				return u.hint
			}
		}
	}
	return ""
}

// usualFunctions are functions of SQLite's, which Perfetto speaks, that DuckDB
// has under another name.
var usualFunctions = map[string]string{
	"iif": "if", "ifnull": "coalesce", "char": "chr", "total": "sum",
}

// withoutAdvice is a message of DuckDB without its sentences that advise a
// statement which is refused here.
func withoutAdvice(message string) string {
	refused := []string{"SET ", "RESET ", "INSTALL ", "LOAD ", "PRAGMA ", "ATTACH ", "installing and loading"}
	var lines []string
	for line := range strings.SplitSeq(strings.TrimSpace(message), "\n") {
		sentences := slices.DeleteFunc(strings.Split(line, ". "), func(s string) bool {
			return slices.ContainsFunc(refused, func(r string) bool { return strings.Contains(s, r) })
		})
		if len(sentences) > 0 {
			lines = append(lines, strings.Join(sentences, ". "))
		}
	}
	if rest := strings.TrimSpace(strings.Join(lines, "\n")); rest != "" {
		return rest
	}
	return strings.TrimSpace(message) // it is about such a statement
}
