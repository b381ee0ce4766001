package query

// Statements splits a text into its statements, each with its semicolon (the
// last may have none). What is only spaces and comments is none.
func Statements(sql string) []string {
	var out []string
	from, empty := 0, true
	for _, t := range tokens(sql) {
		if t.kind == other && sql[t.from] == ';' {
			if !empty {
				out = append(out, sql[from:t.to])
			}
			from, empty = t.to, true
			continue
		}
		if empty {
			from, empty = t.from, false
		}
	}
	if !empty {
		out = append(out, sql[from:])
	}
	return out
}
