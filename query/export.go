//go:build cgo

package query

import (
	"context"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"strings"

	duckdb "github.com/duckdb/duckdb-go-bindings"
)

// Export writes all tables to a path: into a DuckDB database, with the views
// and functions, when its name ends in .duckdb or .db, else into a directory as
// one Parquet file a table (views are left out: they are made of the others).
// Nothing half-written stays behind, and no folder that was made for it: files
// get their names when they are whole. A database that exists is an error,
// Parquet files are replaced.
func (db *DB) Export(ctx context.Context, path string) error {
	database := filepath.Ext(path) == ".duckdb" || filepath.Ext(path) == ".db"
	if database {
		if _, err := os.Lstat(path); err == nil {
			return fmt.Errorf("%s exists already: remove it first, or give another name", path)
		}
	}
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
	if database {
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

func exportParquet(conn duckdb.Connection, dir string) (err error) {
	made, err := makeFolders(dir)
	defer func() {
		if err != nil {
			for _, folder := range made {
				os.Remove(folder)
			}
		}
	}()
	if err != nil {
		return err
	}
	temp, err := tempFolder(dir, dir)
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
			return exportError(t.Name, err, temp, dir)
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

// makeFolders makes a folder and those that it is in. It returns the ones that
// were not there, the innermost first.
func makeFolders(dir string) (made []string, err error) {
	for at := filepath.Clean(dir); ; at = filepath.Dir(at) {
		if _, err := os.Lstat(at); !errors.Is(err, fs.ErrNotExist) {
			break
		}
		made = append(made, at)
	}
	return made, os.MkdirAll(dir, 0o777)
}

// tempFolder makes a folder in dir, for what is to become path: an error names
// that.
func tempFolder(dir, path string) (string, error) {
	temp, err := os.MkdirTemp(dir, ".weft-*")
	var p *fs.PathError
	if errors.As(err, &p) {
		err = fmt.Errorf("%s: %w", path, p.Err)
	}
	return temp, err
}

// exportError says what could not be written, and where: in what the engine
// says, the temporary name becomes the user's.
func exportError(what string, err error, temp, path string) error {
	return fmt.Errorf("export of %s: %s", what, strings.ReplaceAll(err.Error(), temp, path))
}

// exportedArgs stand in for the functions that decode args: in an exported
// database the args are rows.
var exportedArgs = []string{
	"CREATE MACRO extract_arg(s, k) AS (SELECT display_value FROM args WHERE arg_set_id = s AND key = k ORDER BY id LIMIT 1)",
	"CREATE MACRO extract_arg_int(s, k) AS (SELECT int_value FROM args WHERE arg_set_id = s AND key = k ORDER BY id LIMIT 1)",
	"CREATE MACRO extract_arg_real(s, k) AS (SELECT coalesce(real_value, int_value) FROM args WHERE arg_set_id = s AND key = k ORDER BY id LIMIT 1)",
	"CREATE MACRO args_of(s) AS TABLE SELECT * FROM args WHERE arg_set_id = s",
}

func exportDatabase(conn duckdb.Connection, path string) error {
	temp, err := tempFolder(filepath.Dir(path), path)
	if err != nil {
		return err
	}
	defer os.RemoveAll(temp)
	file := filepath.Join(temp, "export.duckdb")
	if err := run(conn, "ATTACH "+literal(file)+" AS export"); err != nil {
		return exportError("the database", err, file, path)
	}
	var sql strings.Builder
	for _, t := range allTables {
		if t.View == "" {
			if err := run(conn, fmt.Sprintf("CREATE TABLE export.%s AS %s", quote(t.Name), tableQuery(t))); err != nil {
				return exportError(t.Name, err, file, path)
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
		return exportError("the views", err, file, path)
	}
	return os.Rename(file, path)
}
