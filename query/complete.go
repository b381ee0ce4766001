package query

import (
	"slices"
	"strings"
)

// Complete says whether a text is a whole statement: it ends in a semicolon
// that is no part of a string, a name or a comment.
func Complete(sql string) bool {
	toks := tokens(sql)
	if len(toks) == 0 {
		return false
	}
	last := toks[len(toks)-1]
	return last.kind == other && sql[last.from] == ';'
}

var keywords = strings.Fields(`all and as asc between by case count cross current date_trunc desc describe distinct else end
except exists explain filter from full group having in inner intersect interval is join lag lead left like limit max min
not null nulls offset on or order outer over partition pivot qualify right row_number select sum then union
unnest using values when where window with`)

// Completions are the names that begin with prefix and could stand in a line:
// the columns of the tables that the line names (of all tables if it names
// none), tables, functions with an open parenthesis, and keywords.
func Completions(line, prefix string) []string {
	prefix = strings.ToLower(prefix)
	used, _ := mentions(line)
	if len(used) == 0 {
		used = allTables
	}
	var found []string
	add := func(name string) {
		if strings.HasPrefix(name, prefix) && !slices.Contains(found, name) {
			found = append(found, name)
		}
	}
	for _, t := range used {
		for i := range t.Columns {
			add(t.Columns[i].Name)
		}
	}
	for _, t := range allTables {
		add(t.Name)
	}
	for _, f := range allFunctions {
		add(f.Name + "(")
	}
	for _, k := range keywords {
		add(k)
	}
	slices.Sort(found)
	return found
}
