package query

import (
	"encoding/json"
	"regexp"
	"slices"
	"strconv"
	"strings"
)

// engineError is an error as DuckDB writes it with errors_as_json.
type engineError struct {
	Type       string `json:"exception_type"`
	Message    string `json:"exception_message"`
	Subtype    string `json:"error_subtype"`
	Name       string `json:"name"`
	Of         string `json:"type"` // what kind of thing Name is
	Position   string `json:"position"`
	Candidates string `json:"candidates"`
}

// newError makes an error of DuckDB one for people: the table, column or
// function that was meant comes from our own definitions, not from DuckDB's
// catalog, which holds only what was used so far.
func newError(message, text string) *Error {
	var e engineError
	if i := strings.IndexByte(message, '{'); i < 0 || json.Unmarshal([]byte(message[i:]), &e) != nil {
		return &Error{Message: strings.TrimSpace(message)}
	}
	out := &Error{Message: e.words(text)}
	if offset, err := strconv.Atoi(e.Position); err == nil {
		out.place(text, offset)
	}
	return out
}

// missingColumn are the messages about columns that come without a subtype.
var missingColumn = []*regexp.Regexp{
	regexp.MustCompile(`does not have a column named "([^"]+)"`),
	regexp.MustCompile(`Column "([^"]+)" does not exist on \w+ side of join`),
}

// macroCall is the message about arguments that a macro does not take.
var macroCall = regexp.MustCompile(`Macro "?(\w+)\(`)

func (e *engineError) words(text string) string {
	for _, form := range missingColumn {
		if m := form.FindStringSubmatch(e.Message); m != nil && e.Subtype == "" {
			e.Name = m[1]
			return e.noColumn(text)
		}
	}
	if m := macroCall.FindStringSubmatch(e.Message); m != nil && (slices.Contains(closedFunctions, m[1]) || m[1] == planFunction) {
		return notAllowed(m[1])
	}
	switch {
	case e.Subtype == "COLUMN_NOT_FOUND":
		return e.noColumn(text)
	case e.Subtype == "MISSING_ENTRY" && e.Of == "Table":
		return didYouMean("no table "+e.Name, e.Name, tableNames(), "weft tables lists them")
	case e.Subtype == "MISSING_ENTRY" && strings.HasSuffix(e.Of, "Function"):
		var names []string
		for _, f := range allFunctions {
			names = append(names, f.Name)
		}
		for _, c := range strings.Split(e.Candidates, ",") {
			if c = strings.TrimPrefix(strings.TrimSpace(c), "main."); c != "" {
				names = append(names, c)
			}
		}
		if usual := usualFunctions[strings.ToLower(e.Name)]; usual != "" {
			return "no function " + e.Name + "; did you mean " + usual + "?"
		}
		return didYouMean("no function "+e.Name, e.Name, names, "")
	case strings.Contains(e.Message, "disabled by configuration") || strings.Contains(e.Message, "disabled through configuration"):
		return "not allowed: statements only read the trace, no files. With --unsafe they may do more.\n" + firstLine(e.Message)
	case strings.Contains(e.Message, "the configuration has been locked"):
		return "not allowed: settings are fixed, so that statements only read the trace. With --unsafe they may be changed."
	case e.Type == "INTERRUPT":
		return "interrupted"
	case e.Type == "Out of Memory":
		return "the statement needs more memory than there is: " + withoutAdvice(firstLine(e.Message))
	case strings.Contains(e.Message, "explicit cast is required") && strings.Contains(text, "extract_arg"):
		return e.Message + "\nextract_arg gives text: extract_arg_int and extract_arg_real give numbers"
	case lateral.MatchString(e.Message):
		name := lateral.FindStringSubmatch(e.Message)[1]
		if ids := name + "_ids"; slices.ContainsFunc(allFunctions, func(f *Function) bool { return f.Name == ids }) {
			return name + " takes a constant, not a column; " + ids + " takes columns: unnest(" + ids + "(id))"
		}
		return name + " takes a constant, not a column"
	default:
		return withoutAdvice(e.Message)
	}
}

// lateral is the message about a table function that is given a column.
var lateral = regexp.MustCompile(`^Table function "(\w+)" does not support lateral join column parameters`)

// noColumn says which column was meant: one of the tables that the statement
// names.
func (e *engineError) noColumn(text string) string {
	used := map[string]bool{}
	for _, tok := range tokens(text) {
		if tok.kind == word {
			used[tok.name(text)] = true
		}
	}
	var tables, columns []string
	var named []*Table
	for _, t := range allTables {
		if !used[t.Name] || strings.EqualFold(t.Name, e.Name) {
			continue
		}
		tables, named = append(tables, t.Name), append(named, t)
		for _, c := range t.Columns {
			columns = append(columns, c.Name)
		}
	}
	for _, c := range strings.Split(e.Candidates, ",") {
		if c = strings.TrimSpace(c); c != "" {
			columns = append(columns, c[strings.LastIndexByte(c, '.')+1:])
		}
	}
	what := "no column " + e.Name
	hint := ""
	switch len(tables) {
	case 0:
	case 1:
		what += " in " + tables[0]
		hint = "weft tables " + tables[0] + " lists its columns"
	default:
		what += " in " + strings.Join(tables[:len(tables)-1], ", ") + " or " + tables[len(tables)-1]
	}
	if usual := usualColumn(e.Name, named); usual != "" {
		return what + "; " + usual
	}
	if strings.Contains(text, `"`+e.Name+`"`) {
		return what + "; double quotes are for names, text goes in single quotes: " + literal(e.Name)
	}
	return didYouMean(what, e.Name, columns, hint)
}

func firstLine(s string) string {
	line, _, _ := strings.Cut(strings.TrimSpace(s), "\n")
	return line
}
