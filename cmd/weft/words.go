package main

import (
	"io"
	"os"
	"strconv"
	"strings"
	"unicode/utf8"

	"github.com/weft-trace/weft/query"
)

// thousands writes a count with commas: 1,234,567.
func thousands(n int64) string {
	s := strconv.FormatInt(n, 10)
	sign := ""
	if n < 0 {
		sign, s = "-", s[1:]
	}
	for i := len(s) - 3; i > 0; i -= 3 {
		s = s[:i] + "," + s[i:]
	}
	return sign + s
}

// plural is "1 thread", "2,000 threads".
func plural(n int64, one, many string) string {
	if n == 1 {
		return "1 " + one
	}
	return thousands(n) + " " + many
}

// printable makes text of a file, or of the command line, safe for a terminal:
// what has no shape of its own is shown as an escape.
func printable(s string) string { return query.Visible(s) }

// printableLines is printable for text of several lines: their ends and tabs
// stay.
func printableLines(s string) string {
	var b strings.Builder
	for s != "" {
		i := strings.IndexAny(s, "\n\t")
		if i < 0 {
			i = len(s)
		}
		b.WriteString(printable(s[:i]))
		if s = s[i:]; s != "" {
			b.WriteByte(s[0])
			s = s[1:]
		}
	}
	return b.String()
}

// harmlessOn is a file that shows what is not ours: harmless on a terminal, and
// byte for byte elsewhere.
func harmlessOn(f *os.File) io.Writer {
	if isTerminal(f) {
		return &harmless{w: f}
	}
	return f
}

// harmless writes to a terminal what is not ours: control characters other than
// ends of lines and tabs are escaped, as printable does.
type harmless struct {
	w    io.Writer
	rest []byte // the beginning of a character
}

// Write is an io.Writer's.
func (h *harmless) Write(p []byte) (int, error) {
	text := append(h.rest, p...)
	whole := len(text)
	for i := 1; i < utf8.UTFMax && i <= len(text); i++ {
		if c := text[len(text)-i]; utf8.RuneStart(c) {
			if !utf8.FullRune(text[len(text)-i:]) {
				whole -= i
			}
			break
		}
	}
	h.rest = append([]byte(nil), text[whole:]...)
	if _, err := io.WriteString(h.w, printableLines(string(text[:whole]))); err != nil {
		return 0, err
	}
	return len(p), nil
}
