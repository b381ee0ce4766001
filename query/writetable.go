package query

import (
	"bufio"
	"fmt"
	"strings"
	"unicode"
	"unicode/utf8"

	"github.com/mattn/go-runewidth"
)

// tableSample is how many rows are looked at to find how wide a column is. A
// wider text further down is cut on a terminal; other cells stand out.
const tableSample = 2000

// columnGap stands between columns.
const columnGap = "  "

// writeTable writes columns for people, fitted into width unless that is zero:
// text is cut, and where that is not enough rows are written as records.
func writeTable(b *bufio.Writer, rows *Rows, width int) error {
	columns := rows.Columns()
	if len(columns) == 0 {
		return nil
	}
	header := make([]string, len(columns))
	widths := make([]int, len(columns))
	for i, c := range columns {
		header[i] = Visible(c.Name)
		widths[i] = runewidth.StringWidth(header[i])
	}
	row := func() []string {
		cells := make([]string, len(columns))
		for i := range cells {
			if v := rows.Value(i); v.Kind == KindNull {
				cells[i] = "NULL"
			} else {
				cells[i] = Visible(string(v.AppendText(nil)))
			}
		}
		return cells
	}
	var sample [][]string
	for len(sample) < tableSample && rows.Next() {
		cells := row()
		for i, c := range cells {
			widths[i] = max(widths[i], runewidth.StringWidth(c))
		}
		sample = append(sample, cells)
	}
	if width > 0 && !fit(columns, widths, width) {
		return writeRecords(b, rows, header, sample, row)
	}

	write := func(cells []string) error {
		var line strings.Builder
		for i, cell := range cells {
			if i > 0 {
				line.WriteString(columnGap)
			}
			if width > 0 && !columns[i].Numeric {
				cell = runewidth.Truncate(cell, widths[i], "…")
			}
			pad := strings.Repeat(" ", max(widths[i]-runewidth.StringWidth(cell), 0))
			if columns[i].Numeric {
				line.WriteString(pad + cell)
			} else {
				line.WriteString(cell + pad)
			}
		}
		_, err := b.WriteString(strings.TrimRight(line.String(), " ") + "\n")
		return err
	}
	if err := write(header); err != nil {
		return err
	}
	rules := make([]string, len(columns))
	for i := range rules {
		rules[i] = strings.Repeat("─", widths[i])
	}
	if err := write(rules); err != nil {
		return err
	}
	for _, cells := range sample {
		if err := write(cells); err != nil {
			return err
		}
	}
	for len(sample) == tableSample && rows.Next() {
		if err := write(row()); err != nil {
			return err
		}
	}
	return nil
}

// leastText is how wide a column of text stays when there is no room.
const leastText = 6

// fit takes width from the widest columns of text until all columns fit; false
// if they can't. Numbers are never cut: a part of one is another number.
func fit(columns []ResultColumn, widths []int, width int) bool {
	total := len(columnGap) * (len(widths) - 1)
	for i, w := range widths {
		if !columns[i].Numeric {
			widths[i] = min(w, max(width, leastText))
		}
		total += widths[i]
	}
	for total > width {
		widest := -1
		for i, w := range widths {
			if !columns[i].Numeric && w > leastText && (widest < 0 || w > widths[widest]) {
				widest = i
			}
		}
		if widest < 0 {
			return false
		}
		widths[widest]--
		total--
	}
	return true
}

// writeRecords writes each row as a block with a line for each column, and
// nothing cut. The rows in sample were read already.
func writeRecords(b *bufio.Writer, rows *Rows, header []string, sample [][]string, row func() []string) error {
	widest := 0
	for _, h := range header {
		widest = max(widest, runewidth.StringWidth(h))
	}
	n := 0
	write := func(cells []string) error {
		n++
		fmt.Fprintf(b, "── row %d\n", n)
		for i, cell := range cells {
			line := header[i] + strings.Repeat(" ", widest-runewidth.StringWidth(header[i])) + columnGap + cell
			if _, err := b.WriteString(strings.TrimRight(line, " ") + "\n"); err != nil {
				return err
			}
		}
		return nil
	}
	for _, cells := range sample {
		if err := write(cells); err != nil {
			return err
		}
	}
	for len(sample) == tableSample && rows.Next() {
		if err := write(row()); err != nil {
			return err
		}
	}
	if n == 0 { // what there would be
		for _, h := range header {
			b.WriteString(h + "\n")
		}
	}
	return nil
}

// Visible shows what would break a line, or speak to the terminal, as an escape
// (\n, \t, \r, \u001b): text of a trace is somebody else's. What is no UTF-8
// becomes U+FFFD.
func Visible(s string) string {
	if !strings.ContainsFunc(s, func(r rune) bool { return !printable(r) }) && utf8.ValidString(s) {
		return s
	}
	var b strings.Builder
	for _, r := range s {
		switch {
		case printable(r):
			b.WriteRune(r)
		case r == '\n':
			b.WriteString(`\n`)
		case r == '\t':
			b.WriteString(`\t`)
		case r == '\r':
			b.WriteString(`\r`)
		case r > 0xffff:
			fmt.Fprintf(&b, `\U%08x`, r)
		default:
			fmt.Fprintf(&b, `\u%04x`, r)
		}
	}
	return b.String()
}

// printable says whether a character has a shape of its own. Marks that turn
// the direction of the text are none.
func printable(r rune) bool { return r == ' ' || unicode.IsGraphic(r) && !unicode.Is(unicode.Zs, r) }
