package query

import (
	"fmt"
	"strings"
	"unicode/utf8"
)

// ErrNoStatement says that a text holds no SQL.
var ErrNoStatement error = &Error{Message: "no statement"}

// ErrNoResult says that there is nothing to write: the last statement of a
// text makes or changes something, or is none.
var ErrNoResult error = &Error{Message: "the last statement has no result to write"}

// Error is what is wrong with a statement, with its place in the text where
// that is known.
type Error struct {
	Message string // one or more lines, without the engine's noise
	Line    int    // from 1; 0 when not known
	Column  int    // from 1, in characters
	Source  string // the line itself
}

// Error is the message, and under it the line with a caret at the place.
func (e *Error) Error() string {
	if e.Line == 0 {
		return e.Message
	}
	const width = 72 // of a line's part that is shown
	runes := []rune(strings.ReplaceAll(e.Source, "\t", " "))
	at := min(max(e.Column-1, 0), len(runes))
	from := 0
	if at > width*3/4 {
		from = at - width/2
	}
	to := min(len(runes), from+width)
	before, after := "", ""
	if from > 0 {
		before = "…"
	}
	if to < len(runes) {
		after = "…"
	}
	prefix := fmt.Sprintf("  line %d: %s", e.Line, before)
	return e.Message + "\n" + prefix + string(runes[from:to]) + after + "\n" +
		strings.Repeat(" ", utf8.RuneCountInString(prefix)+at-from) + "^"
}

// place sets the error's place to a byte of the text.
func (e *Error) place(text string, offset int) {
	if offset < 0 || offset > len(text) {
		return
	}
	start := strings.LastIndexByte(text[:offset], '\n') + 1
	end := len(text)
	if i := strings.IndexByte(text[offset:], '\n'); i >= 0 {
		end = offset + i
	}
	e.Line = strings.Count(text[:offset], "\n") + 1
	e.Column = utf8.RuneCountInString(text[start:offset]) + 1
	e.Source = text[start:end]
}
