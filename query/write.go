package query

import (
	"bufio"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"slices"
	"strings"
)

// WriteOptions are how a result is written.
type WriteOptions struct {
	// Format is one of WriteFormats.
	Format string
	// Width is the terminal's width in columns; the format "table" is fitted
	// into it, with … where text was cut. Numbers are never cut: a table that
	// can't fit is written as records, a line for each column of a row. Zero
	// cuts nothing.
	Width int
}

// WriteFormats are the formats that Write knows.
var WriteFormats = []string{"table", "csv", "json", "jsonl", "markdown", "parquet", "arrow"}

// Write writes a whole result in a format. It does not close rows. Where they
// have no columns it returns ErrNoResult: no format has a file for that.
func Write(w io.Writer, rows *Rows, opts WriteOptions) error {
	var write func(*bufio.Writer, *Rows) error
	switch opts.Format {
	case "table":
		write = func(b *bufio.Writer, r *Rows) error { return writeTable(b, r, opts.Width) }
	case "csv":
		write = writeCSV
	case "json":
		write = writeJSON
	case "jsonl":
		write = writeJSONLines
	case "markdown":
		write = writeMarkdown
	case "arrow":
		write = writeArrow
	case "parquet":
		return writeParquet(w, rows)
	default:
		return fmt.Errorf("unknown format %q: use one of %s", opts.Format, strings.Join(WriteFormats, ", "))
	}
	if len(rows.Columns()) == 0 {
		return ErrNoResult
	}
	b := bufio.NewWriterSize(w, 1<<16)
	if err := write(b, rows); err != nil {
		return err
	}
	if err := rows.Err(); err != nil {
		return err
	}
	return b.Flush()
}

// writeParquet has DuckDB write a file and copies that: a Parquet file can't
// be written front to back by someone who does not know all of it.
func writeParquet(w io.Writer, rows *Rows) error {
	dir, err := os.MkdirTemp("", "weft-*")
	if err != nil {
		return err
	}
	defer os.RemoveAll(dir)
	path := filepath.Join(dir, "result.parquet")
	if err := rows.WriteParquet(path); err != nil {
		return err
	}
	f, err := os.Open(path)
	if err != nil {
		return err
	}
	defer f.Close()
	_, err = io.Copy(w, f)
	return err
}

// WriteParquet writes all rows to a Parquet file. No row must have been read.
// Without columns it returns ErrNoResult.
func (r *Rows) WriteParquet(path string) error {
	if r.source == nil || len(r.columns) == 0 {
		return ErrNoResult
	}
	r.done = true
	return r.source.copyTo(path, "parquet")
}

// uniqueNames are the names of the columns, those that occur twice told apart
// by a number, for formats in which a name can occur once only.
func uniqueNames(columns []ResultColumn) []string {
	var names []string
	for _, c := range columns {
		name := c.Name
		for n := 1; slices.ContainsFunc(names, func(s string) bool { return strings.EqualFold(s, name) }); n++ {
			name = fmt.Sprintf("%s_%d", c.Name, n)
		}
		names = append(names, name)
	}
	return names
}

// writeCSV writes RFC 4180, with LF at the ends of lines as the shell's tools
// want it (readers of CSV take both): a header, quotes where they are needed.
// NULL is nothing, the empty string is "".
func writeCSV(b *bufio.Writer, rows *Rows) error {
	var line []byte
	for i, c := range rows.Columns() {
		if i > 0 {
			line = append(line, ',')
		}
		line = appendCSV(line, []byte(c.Name))
	}
	if len(line) > 0 {
		b.Write(append(line, '\n'))
	}
	var cell []byte
	for rows.Next() {
		line = line[:0]
		for i := range rows.Columns() {
			if i > 0 {
				line = append(line, ',')
			}
			if v := rows.Value(i); v.Kind != KindNull {
				cell = v.AppendText(cell[:0])
				line = appendCSV(line, cell)
			}
		}
		if _, err := b.Write(append(line, '\n')); err != nil {
			return err
		}
	}
	return nil
}

func appendCSV(dst, cell []byte) []byte {
	if len(cell) > 0 && !slices.ContainsFunc(cell, func(c byte) bool { return c == ',' || c == '"' || c == '\r' || c == '\n' }) {
		return append(dst, cell...)
	}
	dst = append(dst, '"')
	for _, c := range cell {
		if c == '"' {
			dst = append(dst, '"')
		}
		dst = append(dst, c)
	}
	return append(dst, '"')
}

// jsonRow appends a row as an object.
func jsonRow(dst []byte, rows *Rows, keys [][]byte) []byte {
	dst = append(dst, '{')
	for i, key := range keys {
		if i > 0 {
			dst = append(dst, ',')
		}
		dst = append(dst, key...)
		dst = rows.Value(i).AppendJSON(dst)
	}
	return append(dst, '}')
}

func jsonKeys(rows *Rows) [][]byte {
	var keys [][]byte
	for _, name := range uniqueNames(rows.Columns()) {
		keys = append(keys, append(appendJSONString(nil, name), ':'))
	}
	return keys
}

// writeJSON writes an array of objects, one a line.
func writeJSON(b *bufio.Writer, rows *Rows) error {
	keys := jsonKeys(rows)
	b.WriteByte('[')
	var line []byte
	for first := true; rows.Next(); first = false {
		if !first {
			b.WriteByte(',')
		}
		line = jsonRow(append(line[:0], '\n'), rows, keys)
		if _, err := b.Write(line); err != nil {
			return err
		}
	}
	b.WriteString("\n]\n")
	return nil
}

// writeJSONLines writes an object a line.
func writeJSONLines(b *bufio.Writer, rows *Rows) error {
	keys := jsonKeys(rows)
	var line []byte
	for rows.Next() {
		line = append(jsonRow(line[:0], rows, keys), '\n')
		if _, err := b.Write(line); err != nil {
			return err
		}
	}
	return nil
}

// writeMarkdown writes a table of GitHub's Markdown.
func writeMarkdown(b *bufio.Writer, rows *Rows) error {
	escape := func(s string) string {
		lines := strings.Split(strings.ReplaceAll(s, "|", `\|`), "\n")
		for i := range lines {
			lines[i] = Visible(strings.TrimSuffix(lines[i], "\r"))
		}
		return strings.Join(lines, "<br>")
	}
	for _, c := range rows.Columns() {
		b.WriteString("| " + escape(c.Name) + " ")
	}
	b.WriteString("|\n")
	for _, c := range rows.Columns() {
		if c.Numeric {
			b.WriteString("| --: ")
		} else {
			b.WriteString("| --- ")
		}
	}
	b.WriteString("|\n")
	for rows.Next() {
		for i := range rows.Columns() {
			v := rows.Value(i)
			cell := "NULL"
			if v.Kind != KindNull {
				cell = escape(string(v.AppendText(nil)))
			}
			b.WriteString("| " + cell + " ")
		}
		if _, err := b.WriteString("|\n"); err != nil {
			return err
		}
	}
	return nil
}
