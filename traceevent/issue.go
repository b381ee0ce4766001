package traceevent

import (
	"errors"
	"fmt"
)

// ErrNotTrace says that nothing of the input can be read as Trace Event JSON:
// it is neither an array nor an object, or an object with none of the keys that
// mark a trace.
var ErrNotTrace = errors.New("not Trace Event JSON: expected an array of events, or an object with traceEvents, or one event a line")

// IssueCode names a kind of irregularity. The codes are stable.
type IssueCode string

// The codes.
const (
	IssueTruncated   IssueCode = "truncated"
	IssueNonstandard IssueCode = "nonstandard_json"
	IssueMalformed   IssueCode = "malformed_event"
	IssueMember      IssueCode = "malformed_member"
	IssueComma       IssueCode = "missing_comma"
	IssueNotObject   IssueCode = "not_an_object"
	IssueNotArray    IssueCode = "not_an_array"
	IssueDuplicate   IssueCode = "duplicate_key"
	IssueTrailing    IssueCode = "trailing_garbage"
)

// IssueSpec describes one code.
type IssueSpec struct {
	Code    IssueCode
	Meaning string // what was found, and what became of it
}

// Issues is the table of all codes. IssueTruncated comes at most once an input,
// with the unfinished item as its text, empty when only a closing bracket is
// missing. IssueNonstandard and IssueDuplicate come once an event, at the first
// such place.
var Issues = []IssueSpec{
	{IssueTruncated, "the input ends inside the trace; everything before that was read"},
	{IssueNonstandard, "not JSON by the letter, but clear: a raw control character, NaN, Infinity, 0x10, +1, .5, 1., 01, an unknown escape, a superfluous comma or bracket. Read as meant"},
	{IssueMalformed, "text where an event should be, that can't be read. Skipped up to the next event"},
	{IssueMember, "a member of the container that can't be read. Skipped up to the next known key"},
	{IssueComma, "no comma between two elements or members. Read as if it were there"},
	{IssueNotObject, "an element of the event array that isn't an object. Skipped"},
	{IssueNotArray, "traceEvents isn't an array. Handed out as any other member"},
	{IssueDuplicate, "an event has a field twice: the last one counts. Or an object has traceEvents twice: both were read"},
	{IssueTrailing, "text after the end of the trace that is no trace. Skipped"},
}

// Issue is something about the input that was read as meant, guessed or had to be
// skipped.
type Issue struct {
	Code   IssueCode
	Offset int64 // of its first byte in the input
	Len    int   // bytes of the text that it is about
	Line   int64 // from 1; 0 where not counted: only a Reader counts lines
}

// SyntaxError says where a text stops being JSON.
type SyntaxError struct {
	Offset int64 // bytes from the beginning of the text
	Found  string
}

// Error says what was found where.
func (e *SyntaxError) Error() string {
	return fmt.Sprintf("offset %d: found %s, expected the rest of one JSON object", e.Offset, e.Found)
}

func syntaxError(text []byte, p *parser) error {
	found := "the end of the text"
	if !p.cut && p.failAt < len(text) {
		found = fmt.Sprintf("%q", text[p.failAt])
	}
	return &SyntaxError{Offset: p.base + int64(p.failAt), Found: found}
}
