//go:build cgo

package query

import (
	"context"

	"fmt"
	"os"
	"path/filepath"
	"strings"

	duckdb "github.com/duckdb/duckdb-go-bindings"
)

// Export writes all tables to a path: into a DuckDB database, with the views
// and functions, when its name ends in .duckdb or .db, else into a directory as
// one Parquet file a table (views are left out: they are made of the others).
// Nothing half-written stays behind: files get their names when they are whole,
// and an existing database is replaced.
func (db *DB) Export(ctx context.Context, path string) error {
	// The database that runs the user's statements can't open files; this one
	// runs none of theirs.
	e, conn, err := openEngine(db.engine.trace)
	if err != nil {
		return err
	}
	defer e.close()
	defer duckdb.Disconnect(&conn)
	unwatch := watch(ctx, e, conn)
	defer unwatch()
	if ext := filepath.Ext(path); ext == ".duckdb" || ext == ".db" {
		err = exportDatabase(conn, path)
	} else {
		err = exportParquet(conn, path)
	}
	if ctx.Err() != nil {
		return ctx.Err()
	}
	return err
}

func tableQuery(t *Table) string {
	return "SELECT * FROM " + tableSource + "(" + literal(t.Name) + ")"
}

func exportParquet(conn duckdb.Connection, dir string) error {
	if err := os.MkdirAll(dir, 0o777); err != nil {
		return err
	}
	temp, err := os.MkdirTemp(dir, ".weft-*")
	if err != nil {
		return err
	}
	defer os.RemoveAll(temp)
	var names []string
	for _, t := range allTables {
		if t.View != "" {
			continue
		}
		name := t.Name + ".parquet"
		if err := run(conn, fmt.Sprintf("COPY (%s) TO %s (FORMAT parquet, COMPRESSION zstd)", tableQuery(t), literal(filepath.Join(temp, name)))); err != nil {
			return fmt.Errorf("export of %s: %w", t.Name, err)
		}
		names = append(names, name)
	}
	for _, name := range names {
		if err := os.Rename(filepath.Join(temp, name), filepath.Join(dir, name)); err != nil {
			return err
		}
	}
	return nil
}

// exportedArgs stand in for the functions that decode args: in an exported
// database the args are rows.
var exportedArgs = []string{
	"CREATE MACRO extract_arg(s, k) AS (SELECT display_value FROM args WHERE arg_set_id = s AND key = k ORDER BY id LIMIT 1)",
	"CREATE MACRO extract_arg_int(s, k) AS (SELECT int_value FROM args WHERE arg_set_id = s AND key = k ORDER BY id LIMIT 1)",
	"CREATE MACRO extract_arg_real(s, k) AS (SELECT coalesce(real_value, int_value) FROM args WHERE arg_set_id = s AND key = k ORDER BY id LIMIT 1)",
	"CREATE MACRO args_of(s) AS TABLE SELECT * FROM args WHERE arg_set_id = s",
}

func exportDatabase(conn duckdb.Connection, path string) (err error) {
	temp, err := os.MkdirTemp(filepath.Dir(path), ".weft-*")
	if err != nil {
		return err
	}
	defer os.RemoveAll(temp)
	file := filepath.Join(temp, "export.duckdb")
	if err := run(conn, "ATTACH "+literal(file)+" AS export"); err != nil {
		return err
	}
	var sql strings.Builder
	for _, t := range allTables {
		if t.View == "" {
			if err := run(conn, fmt.Sprintf("CREATE TABLE export.%s AS %s", quote(t.Name), tableQuery(t))); err != nil {
				return fmt.Errorf("export of %s: %w", t.Name, err)
			}
		}
	}
	sql.WriteString("USE export;\n")
	for _, t := range allTables {
		if t.View != "" {
			fmt.Fprintf(&sql, "CREATE VIEW %s AS %s;\n", quote(t.Name), t.View)
		}
	}
	for _, f := range allFunctions {
		if f.Macro != "" {
			sql.WriteString(f.Macro + ";\n")
		}
	}
	for _, m := range exportedArgs {
		sql.WriteString(m + ";\n")
	}
	sql.WriteString("USE memory; DETACH export")
	if err := run(conn, sql.String()); err != nil {
		return fmt.Errorf("export of the views: %w", err)
	}
	return os.Rename(file, path)
}
