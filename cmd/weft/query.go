package main

import (
	"context"
	"errors"
	"fmt"
	"io"
	"os"
	"slices"
	"strings"
	"time"

	"github.com/spf13/cobra"
	"golang.org/x/term"

	"github.com/weft-trace/weft/query"
)

// queryFlags are the flags of weft query.
type queryFlags struct {
	file, format, output, export string
	interactive, unsafe          bool
}

func (a *app) queryCommand() *cobra.Command {
	var f queryFlags
	c := &cobra.Command{
		Use:   "query FILE [SQL]",
		Short: "Ask a trace with SQL",
		Long: `Run SQL over a trace. weft tables lists the tables, views and functions; the
dialect is DuckDB's. Of several statements all are run, and the last one's
result is printed.

On a terminal text is cut (…) to make a table fit; numbers never are. A table
that can't fit is printed as records, with a line for each column of a row. CSV
ends its lines with LF.

Statements only read: they can make tables and views in memory, but no statement
can read or write a file, open another database or reach the network. --unsafe
lets them.

-o writes to what is there: links are followed, a file keeps its mode and owner
and changes only when the result is whole, FIFOs and devices are written
through. --export replaces Parquet files, but never a database that exists.

Exit code 0: done. 1: the trace can't be read, a statement failed (of those piped
into -i: any), or the result can't be written. 2: wrong usage.`,
		Example: `  weft query trace.json 'SELECT name, count(*), pretty_dur(max(dur)) FROM slice GROUP BY name ORDER BY max(dur) DESC LIMIT 10'
  weft query trace.json -f report.sql --format csv -o report.csv
  weft query trace.json.gz -i
  weft query trace.json --export tables/
  weft query trace.json --export trace.duckdb`,
		Args: needArgs(1, 2),
		RunE: func(c *cobra.Command, args []string) error {
			sql, err := f.statement(c, args)
			if err != nil {
				return err
			}
			return a.query(c.Context(), args[0], sql, &f)
		},
	}
	c.Flags().StringVarP(&f.file, "file", "f", "", "read the SQL from a file (- for standard input)")
	c.Flags().BoolVarP(&f.interactive, "interactive", "i", false, "ask for statements, with history and completion")
	c.Flags().StringVar(&f.format, "format", "table", "how to write the result: "+strings.Join(query.WriteFormats, ", "))
	c.Flags().StringVarP(&f.output, "output", "o", "", "write the result to a `path`; - is standard output")
	c.Flags().StringVar(&f.export, "export", "", "write all tables to a `path`: a directory of Parquet files, or a new database NAME.duckdb")
	c.Flags().BoolVar(&f.unsafe, "unsafe", false, "let statements read and write files and change settings")
	c.RegisterFlagCompletionFunc("format", cobra.FixedCompletions(query.WriteFormats, cobra.ShellCompDirectiveNoFileComp))
	return c
}

// statement is the SQL that the command line gives.
func (f *queryFlags) statement(c *cobra.Command, args []string) (string, error) {
	fail := func(format string, v ...any) (string, error) { return "", usageError{fmt.Errorf(format, v...)} }
	if !slices.Contains(query.WriteFormats, f.format) {
		return fail("unknown format %q: use one of %s", f.format, strings.Join(query.WriteFormats, ", "))
	}
	given := 0
	for _, is := range []bool{len(args) == 2, f.file != "", f.interactive} {
		if is {
			given++
		}
	}
	switch {
	case given > 1:
		return fail("the SQL comes after FILE, from -f or from -i: use one of them")
	case given == 0 && f.export == "":
		return fail("no SQL: give it after FILE, with -f FILE or with -i (%s --help shows how)", c.CommandPath())
	case f.interactive && f.output != "":
		return fail("-i and -o can't be used together")
	case args[0] == "-" && (f.interactive || f.file == "-"):
		return fail("standard input is the trace: the SQL must come from elsewhere")
	case f.output != "" && given == 0:
		return fail("-o is for a result: there is no SQL")
	}
	var sql, from string
	switch {
	case f.file == "-":
		b, err := io.ReadAll(os.Stdin)
		if err != nil {
			return "", err
		}
		sql, from = string(b), "standard input"
	case f.file != "":
		b, err := os.ReadFile(f.file)
		if err != nil {
			return "", named(f.file, err)
		}
		sql, from = string(b), f.file
	case len(args) == 2:
		sql, from = args[1], "the text after FILE"
	default:
		return "", nil
	}
	if len(query.Statements(sql)) == 0 {
		return "", fmt.Errorf("no SQL: there is no statement in %s", from)
	}
	return sql, nil
}

func (a *app) query(ctx context.Context, path, sql string, f *queryFlags) error {
	engine := query.Start(query.Options{Unsafe: f.unsafe, Notice: func(s string) { fmt.Fprintln(a.err, "weft: "+printableLines(s)) }})
	t, err := a.open(ctx, path)
	if err != nil {
		engine.Close()
		return err
	}
	defer t.Close()
	start := time.Now()
	db, err := engine.Open(t)
	if err != nil {
		return err
	}
	defer db.Close()
	a.step("sql", time.Since(start), "engine started")
	if f.export != "" {
		start = time.Now()
		if err := db.Export(ctx, f.export); err != nil {
			return err
		}
		a.step("export", time.Since(start), f.export)
	}
	switch {
	case f.interactive:
		return a.prompt(ctx, db, f.format)
	case sql == "":
		return nil
	}
	start = time.Now()
	err = a.toOutput(f.output, func(w *os.File) error { return runStatement(ctx, db, sql, f.format, w, f.output != "") })
	if err == nil {
		a.step("query", time.Since(start), "")
	}
	return err
}

// runStatement runs SQL and writes the result; needResult makes it an error
// that there is none.
func runStatement(ctx context.Context, db *query.DB, sql, format string, w *os.File, needResult bool) error {
	rows, err := db.Query(ctx, sql)
	if err != nil {
		return err
	}
	defer rows.Close()
	opts := query.WriteOptions{Format: format}
	if isTerminal(w) {
		if opts.Width, _, err = term.GetSize(int(w.Fd())); err != nil {
			opts.Width = 0
		}
		if format == "parquet" || format == "arrow" {
			return errors.New(format + " is no format for a terminal: use -o FILE")
		}
	}
	if len(rows.Columns()) == 0 {
		for rows.Next() {
		}
		if rows.Err() == nil && needResult {
			return errors.New("the last statement has no result to write")
		}
		return rows.Err()
	}
	return query.Write(harmlessOn(w), rows, opts)
}
