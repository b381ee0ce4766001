package query

import (
	"slices"
	"testing"
)

func TestStatements(t *testing.T) {
	for sql, want := range map[string][]string{
		"":                               nil,
		" ; ;-- nothing;\n":              nil,
		"SELECT 1":                       {"SELECT 1"},
		"SELECT 1; SELECT 2;":            {"SELECT 1;", "SELECT 2;"},
		"SELECT ';'; /* ; */ SELECT $$;": {"SELECT ';';", "SELECT $$;"},
		`SELECT 1 AS ";" ; SELECT 2 --;`: {`SELECT 1 AS ";" ;`, "SELECT 2 --;"},
	} {
		if got := Statements(sql); !slices.Equal(got, want) {
			t.Errorf("%q: %q, want %q", sql, got, want)
		}
	}
}
