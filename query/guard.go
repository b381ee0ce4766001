package query

import (
	"regexp"
	"slices"
	"strings"
)

// openFunctions are the table functions of DuckDB that a statement may call.
// What is in neither this list nor closedFunctions fails a test: a new version
// of DuckDB must not open a door unseen.
var openFunctions = []string{
	"duckdb_approx_database_count", "duckdb_columns", "duckdb_connection_count", "duckdb_constraints",
	"duckdb_coordinate_systems", "duckdb_databases", "duckdb_dependencies", "duckdb_extensions", "duckdb_functions",
	"duckdb_indexes", "duckdb_keywords", "duckdb_memory", "duckdb_optimizers", "duckdb_prepared_statements",
	"duckdb_schemas", "duckdb_sequences", "duckdb_settings", "duckdb_tables", "duckdb_types", "duckdb_variables", "duckdb_views",
	"generate_series", "icu_calendar_names", "json_each", "json_tree", "pg_timezone_names",
	"pragma_collations", "pragma_database_size", "pragma_platform", "pragma_show", "pragma_table_info", "pragma_version",
	"query_table", "range", "repeat", "repeat_row", "summary", "unnest",
}

// closedFunctions are those that reach outside of the trace, change the engine,
// take raw pointers, or run SQL that is put together at run time, which nothing
// could look at before.
var closedFunctions = []string{
	"arrow_scan", "arrow_scan_dumb", "check_peg_parser", "checkpoint", "disable_logging", "disable_peg_parser", "disable_profiling",
	"duckdb_external_file_cache", "duckdb_log_contexts", "duckdb_logs", "duckdb_secret_types", "duckdb_secrets",
	"duckdb_table_sample", "duckdb_temporary_files", "enable_logging", "enable_peg_parser", "enable_profiling", "force_checkpoint",
	"glob", "json_execute_serialized_sql", "parquet_bloom_probe", "parquet_file_metadata", "parquet_full_metadata",
	"parquet_kv_metadata", "parquet_metadata", "parquet_scan", "parquet_schema", "pragma_metadata_info", "pragma_storage_info",
	"pragma_user_agent", "query", "read_blob", "read_csv", "read_csv_auto", "read_duckdb", "read_json", "read_json_auto",
	"read_json_objects", "read_json_objects_auto", "read_ndjson", "read_ndjson_auto", "read_ndjson_objects", "read_parquet",
	"read_text", "seq_scan", "sniff_csv", "sql_auto_complete", "test_all_types", "test_vector_types", "truncate_duckdb_logs",
	"which_secret",
}

// home is where our views and macros are.
const home = "memory.main."

// planFunction is the one scalar function that binds SQL given as text, which
// is enough to call what a table function does before it runs.
const planFunction = "json_serialize_plan"

// closeFunctions is the SQL that puts a macro in front of every closed function.
// A name without a catalog finds the macro, however it is spelled: DuckDB has
// no way to take a function away. closedDoor refuses what would get around it.
func closeFunctions() string {
	var sql strings.Builder
	for _, name := range closedFunctions {
		sql.WriteString("CREATE MACRO " + home + name + "() AS TABLE SELECT error(" + literal(notAllowed(name)) + ");\n")
	}
	sql.WriteString("CREATE MACRO " + home + planFunction + "(statement) AS error(" + literal(notAllowed(planFunction)) + ")")
	return sql.String()
}

// outside is the end of a sentence about what is refused.
const outside = "not allowed: statements only read the trace. With --unsafe they may do more."

func notAllowed(what string) string { return what + " is " + outside }

var (
	// The catalog that the functions themselves are in, as a qualifier. What
	// stands between it and the dot may be spaces of any kind and comments.
	systemCatalog = regexp.MustCompile(`(?is)\bsystem(?:"|[^\x00-\x20!-~]|\s|--[^\n\r]*[\n\r]|/\*.*\*/)*\.`)
	// Taking one of the macros away.
	dropFunction = regexp.MustCompile(`(?is)\bdrop\b.*\b(?:function|macro)\b.*\b(?:` + strings.Join(closedFunctions, "|") + "|" + planFunction + `)\b`)
	// The setting that DuckDB does not lock; stayHome finds its other names.
	searchPath = regexp.MustCompile(`(?i)search_path`)
	// A pragma that makes SQL of its argument, before anything else sees it.
	serializedSQL = regexp.MustCompile(`(?i)json_execute_serialized_sql`)
)

// closedDoor is the error of a text that would get around closeFunctions, nil
// for others. It reads the text as it is: no function that runs text is open,
// so a name that isn't here can't be meant.
func closedDoor(text string) error {
	switch {
	case serializedSQL.MatchString(text):
		return &Error{Message: notAllowed("json_execute_serialized_sql")}
	case dropFunction.MatchString(text):
		return &Error{Message: notAllowed("dropping a built-in function")}
	case systemCatalog.MatchString(withoutStrings(text)):
		return &Error{Message: notAllowed("the catalog system") + " Write the name without it."}
	default:
		return nil
	}
}

// withoutStrings is a text with its strings empty, so that what is written in
// them is not taken for code. A text with a form of string or comment in which
// this package and DuckDB could differ on where it ends is left as it is.
func withoutStrings(text string) string {
	if strings.ContainsAny(text, "\\$\x00") || strings.Contains(text, "/*") {
		return text
	}
	b := []byte(text)
	for _, t := range slices.Backward(tokens(text)) {
		if t.kind == quoted {
			b = slices.Delete(b, t.from+1, t.to)
		}
	}
	return string(b)
}
