package query

import "strings"

// tokenKind says what a token of SQL is, as far as this package cares.
type tokenKind uint8

const (
	word   tokenKind = iota // a name or keyword, quoted or not
	quoted                  // a string
	other                   // one byte of anything else
)

// token is a piece of a statement: text[from:to].
type token struct {
	kind     tokenKind
	from, to int
}

// tokens splits SQL text into names, strings and the rest, without comments
// and spaces. It never fails: what DuckDB can't read, DuckDB says.
func tokens(text string) []token {
	var out []token
	for i := 0; i < len(text); {
		start := i
		c := text[i]
		switch {
		case c == ' ' || c == '\t' || c == '\n' || c == '\r':
			i++
			continue
		case strings.HasPrefix(text[i:], "--"):
			if n := strings.IndexAny(text[i:], "\r\n"); n >= 0 {
				i += n
			} else {
				i = len(text)
			}
			continue
		case strings.HasPrefix(text[i:], "/*"):
			i += indexAfter(text[i+2:], "*/") + 2
			continue
		case c == '\'':
			i = closing(text, i)
			out = append(out, token{quoted, start, i})
		case c == '"':
			i = closing(text, i)
			out = append(out, token{word, start, i})
		case c == '$' && dollarTag(text[i:]) != "":
			tag := dollarTag(text[i:])
			i += len(tag)
			i += indexAfter(text[i:], tag)
			out = append(out, token{quoted, start, i})
		case wordByte(c):
			for i < len(text) && wordByte(text[i]) {
				i++
			}
			out = append(out, token{word, start, i})
		default:
			i++
			out = append(out, token{other, start, i})
		}
	}
	return out
}

// empty says that a text holds nothing but spaces, comments and semicolons.
func empty(text string) bool {
	for _, t := range tokens(text) {
		if text[t.from:t.to] != ";" {
			return false
		}
	}
	return true
}

func wordByte(c byte) bool {
	return c == '_' || c >= 0x80 || '0' <= c && c <= '9' || 'a' <= c && c <= 'z' || 'A' <= c && c <= 'Z'
}

// closing is where the quoted text that begins at i ends; a doubled quote is
// part of it.
func closing(text string, i int) int {
	quote := text[i]
	for i++; i < len(text); i++ {
		if text[i] == quote {
			if i+1 < len(text) && text[i+1] == quote {
				i++
				continue
			}
			return i + 1
		}
	}
	return len(text)
}

// dollarTag is the $tag$ that text begins with, or "".
func dollarTag(text string) string {
	for i := 1; i < len(text); i++ {
		switch {
		case text[i] == '$':
			return text[:i+1]
		case !wordByte(text[i]):
			return ""
		}
	}
	return ""
}

func indexAfter(s, sub string) int {
	if i := strings.Index(s, sub); i >= 0 {
		return i + len(sub)
	}
	return len(s)
}

// name is what a word names: without quotes, in lower case.
func (t token) name(text string) string {
	s := text[t.from:t.to]
	if strings.HasPrefix(s, `"`) {
		s = strings.ReplaceAll(strings.Trim(s, `"`), `""`, `"`)
	}
	return strings.ToLower(s)
}

// literal makes text a string of SQL.
func literal(text string) string { return "'" + strings.ReplaceAll(text, "'", "''") + "'" }

// adapt makes Perfetto's own statements DuckDB's. INCLUDE PERFETTO MODULE goes,
// since all views are always there: the modules are returned. CREATE PERFETTO
// TABLE and VIEW lose the word. Everything else stays where it stands, so that
// positions in messages are right.
func adapt(text string) (adapted string, modules []string) {
	toks := tokens(text)
	b := []byte(text)
	is := func(i int, name string) bool {
		return i < len(toks) && toks[i].kind == word && toks[i].name(text) == name
	}
	blank := func(from, to int) {
		for i := from; i < to; i++ {
			if b[i] != '\n' {
				b[i] = ' '
			}
		}
	}
	start := true // of a statement
	for i := 0; i < len(toks); i++ {
		if start && is(i, "include") && is(i+1, "perfetto") && is(i+2, "module") {
			end := i + 3
			for end < len(toks) && text[toks[end].from:toks[end].to] != ";" {
				end++
			}
			to := len(text)
			if end < len(toks) {
				to = toks[end].to
			}
			modules = append(modules, strings.TrimSpace(strings.TrimSuffix(text[toks[i+2].to:to], ";")))
			blank(toks[i].from, to)
			i = end
			continue
		}
		if start && is(i, "create") {
			j := i + 1
			if is(j, "or") && is(j+1, "replace") {
				j += 2
			}
			if is(j, "perfetto") && (is(j+1, "table") || is(j+1, "view")) {
				blank(toks[j].from, toks[j].to)
			}
		}
		start = text[toks[i].from:toks[i].to] == ";"
	}
	return string(b), modules
}

// mentions are the tables, views and macros of ours that a text could mean:
// every name in it, in strings too, since functions take names of tables as
// text. What only lists the catalog means all.
func mentions(text string) (tables []*Table, macros []*Function) {
	names := map[string]bool{}
	for _, t := range tokens(text) {
		if t.kind == quoted {
			for _, inner := range tokens(strings.Trim(text[t.from:t.to], "'$")) {
				names[strings.ToLower(strings.Trim(text[t.from:t.to], "'$")[inner.from:inner.to])] = true
			}
			continue
		}
		if t.kind == word {
			names[t.name(text)] = true
		}
	}
	all := false
	for _, n := range []string{"show", "information_schema", "duckdb_views", "duckdb_columns", "sqlite_master", "sqlite_schema", "pg_catalog", "pg_views", "pg_tables", "query"} {
		all = all || names[n]
	}
	for _, t := range allTables {
		if all || names[t.Name] {
			tables = append(tables, t)
		}
	}
	for _, f := range allFunctions {
		if f.Macro != "" && (all || names[f.Name]) {
			macros = append(macros, f)
		}
	}
	return tables, macros
}
