//go:build cgo

package query

import (
	"context"
	"fmt"
	"slices"
	"strings"
	"testing"
)

// Every table function that the engine knows is open, closed or our own.
func TestFunctionsAreListed(t *testing.T) {
	db := open(t, newFixture().Trace, Options{Unsafe: true})
	known := slices.Concat(openFunctions, closedFunctions)
	for _, f := range tableFunctions() {
		known = append(known, f.name)
	}
	var seen []string
	for name := range strings.Lines(text(t, db, "SELECT DISTINCT function_name FROM duckdb_functions() WHERE function_type = 'table'")) {
		seen = append(seen, strings.TrimSpace(name))
		if !slices.Contains(known, strings.TrimSpace(name)) {
			t.Errorf("nobody has looked at the table function %s", name)
		}
	}
	for _, name := range known {
		if !slices.Contains(seen, name) {
			t.Errorf("the engine has no table function %s", name)
		}
		if slices.Contains(openFunctions, name) && slices.Contains(closedFunctions, name) {
			t.Errorf("%s is open and closed", name)
		}
	}
}

// serialized is a call of arrow_scan with addresses, as a tree.
const serialized = `{"error":false,"statements":[{"node":{"type":"SELECT_NODE","modifiers":[],"cte_map":{"map":[]},"select_list":[{"class":"STAR","type":"STAR","alias":"","relation_name":"","exclude_list":[],"replace_list":[],"columns":false,"expr":null}],` +
	`"from_table":{"type":"TABLE_FUNCTION","alias":"","sample":null,"function":{"class":"FUNCTION","type":"FUNCTION","alias":"","function_name":"arrow_scan","schema":"","children":[` +
	`{"class":"CONSTANT","type":"VALUE_CONSTANT","alias":"","value":{"type":{"id":"POINTER","type_info":null},"is_null":false,"value":4096}},` +
	`{"class":"CONSTANT","type":"VALUE_CONSTANT","alias":"","value":{"type":{"id":"POINTER","type_info":null},"is_null":false,"value":8192}},` +
	`{"class":"CONSTANT","type":"VALUE_CONSTANT","alias":"","value":{"type":{"id":"POINTER","type_info":null},"is_null":false,"value":12288}}],` +
	`"filter":null,"order_bys":{"type":"ORDER_MODIFIER","orders":[]},"distinct":false,"is_operator":false,"export_state":false,"catalog":""},"column_name_alias":[]},` +
	`"where_clause":null,"group_expressions":[],"group_sets":[],"aggregate_handling":"STANDARD_HANDLING","having":null,"sample":null,"qualify":null},"named_param_map":[]}]}`

// However it is spelled, a closed function is not reached.
func TestClosedFunctions(t *testing.T) {
	db := open(t, newFixture().Trace, Options{})
	statements := []string{
		"FROM json_execute_serialized_sql('" + serialized + "')",
		"PRAGMA json_execute_serialized_sql('" + serialized + "')",
		`FROM "JSON_execute_serialized_sql"('{}')`,
		"FROM query('FROM json_execute' || '_serialized_sql(''{}'')')",
		"FROM query('FROM sys' || 'tem.main.force_checkpoint()')",
		"SET VARIABLE q = 'SELECT 1'; FROM query(getvariable('q'))",
		"SELECT json_serialize_plan('FROM sys' || 'tem.main.json_exe' || 'cute_serialized_sql(''" + serialized + "'')')",
		"SELECT json_serialize_plan('SELECT 1')", "SELECT main.json_serialize_plan('SELECT 1', optimize := true)",
		"SELECT json_serialize_plan('SELECT 1', true, true)", "SELECT 'SELECT 1'.json_serialize_plan()",
		"SELECT list_transform(['SELECT 1'], lambda x: json_serialize_plan(x))",
		"DROP MACRO json_serialize_plan",
		"PREPARE p AS FROM query($1); EXECUTE p('SELECT 1')",
		"FROM enable_logging(storage = 'file', storage_path = 'x')",
		"EXPLAIN ANALYZE CALL enable_logging()",
		"FROM enable_profiling(format = 'json')",
		"DROP MACRO TABLE force_checkpoint; FROM force_checkpoint()",
		"drop/* */macro table memory.main.\"force_checkpoint\"",
		"DROP FUNCTION TABLE force_checkpoint",
		"DROP SCHEMA main CASCADE",
		"CREATE SCHEMA s; SET search_path = 's,main'; FROM force_checkpoint()",
		"CREATE SCHEMA s; USE s; FROM force_checkpoint()",
		"USE system", "USE memory.s", "PRAGMA schema = 's'", "PREPARE p AS USE s; EXECUTE p", "EXPLAIN ANALYZE USE s",
		"SELECT '\\'; FROM system.main.force_checkpoint() --'",
	}
	for _, name := range []string{
		"%s", `"%s"`, "main.%s", "memory.main.%s", "system.main.%s", "System . main . %s", `"system".main."%s"`, "system/**/.main.%s",
		"/* /* */ ' */ system.main.%s", "system--'\n.main.%s", "system\u00a0.main.%s", "system.%s", "temp.main.%s", "temp.%s",
		"pg_catalog.%s", "memory.pg_catalog.%s", "information_schema.%s", "system.pg_catalog.%s",
	} {
		call := fmt.Sprintf(name, "force_checkpoint") + "()"
		statements = append(statements,
			"SELECT * FROM "+call, "FROM "+call, "SELECT (FROM "+call+")", "WITH x AS (FROM "+call+") FROM x", "EXPLAIN ANALYZE FROM "+call,
			"CREATE OR REPLACE VIEW v AS FROM "+call+"; FROM v",
			"CREATE OR REPLACE MACRO m() AS TABLE FROM "+call+"; FROM m()",
			"CREATE OR REPLACE MACRO n() AS (FROM "+call+"); SELECT n()",
			"PREPARE p AS FROM "+call+"; EXECUTE p", "CREATE TABLE t AS FROM "+call)
	}
	for _, name := range closedFunctions {
		statements = append(statements, "FROM "+name+"()", "FROM "+name+"('x')", "FROM main."+name+"(1, 2, 3)")
	}
	for _, sql := range statements {
		if out, err := tryText(db, sql); err == nil {
			t.Errorf("%s\nwas allowed: %q", sql, out)
		}
	}
	// What looks like them is let through.
	for _, sql := range []string{
		"SELECT 'java.lang.System.gc', 'query', 'checkpoint' FROM range(1)",
		"SELECT count(*) AS checkpoint FROM slice WHERE name LIKE '%system.%'",
		"WITH query AS (SELECT 1 AS checkpoint) SELECT checkpoint FROM query",
		"CREATE TABLE system_log AS SELECT 1 AS a; DROP TABLE system_log",
		"CREATE OR REPLACE MACRO twice(x) AS 2 * x; SELECT twice(2); DROP MACRO twice",
		"SET VARIABLE x = 1; SELECT getvariable('x')",
		"SUMMARIZE slice", "DESCRIBE slice", "SHOW TABLES", "FROM query_table('slice')", "FROM histogram('slice', 'dur')",
		"BEGIN; CREATE TABLE rolled AS SELECT 1; ROLLBACK",
		"SELECT * FROM span_join('sched', 'sched', 'utid')",
	} {
		if _, err := tryText(db, sql); err != nil {
			t.Errorf("%s\n%v", sql, err)
		}
	}
}

// A statement that is prepared and run streams to its end.
func TestExecuteStreams(t *testing.T) {
	db := open(t, newFixture().Trace, Options{})
	if got := text(t, db, "PREPARE p AS SELECT range FROM range(20000); EXECUTE p"); strings.Count(got, "\n") != 20000 {
		t.Errorf("%d rows", strings.Count(got, "\n"))
	}
}

// A name that is switched away stays switched for nobody.
func TestSchemaStays(t *testing.T) {
	db := open(t, newFixture().Trace, Options{})
	if _, err := db.Query(context.Background(), "CREATE SCHEMA s; USE s"); err == nil {
		t.Error("USE was allowed")
	}
	if got := text(t, db, "SELECT current_schema()"); got != "main\n" {
		t.Errorf("afterwards the schema is %q", got)
	}
}
