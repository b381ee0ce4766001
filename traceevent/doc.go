// Package traceevent reads and writes the Trace Event Format: the JSON that Chrome's
// about:tracing, Trace Viewer, Perfetto and many other tools record and show. It needs
// nothing but the standard library.
//
// # The format
//
// A trace is an array of events, or an object with such an array and members that
// describe the trace:
//
//	[ event, event, … ]                      the closing bracket may be missing
//
//	{ "displayTimeUnit": "ns",               or "ms"
//	  "otherData": { … },                    any other member is metadata
//	  "stackFrames": { id: { "name": …, "category": …, "parent": id }, … },
//	  "samples": [ { "cpu": 0, "tid": 1, "ts": µs, "name": …, "sf": id, "weight": 1 }, … ],
//	  "traceEvents": [ event, event, … ] }
//
// Events one a line without brackets are read too, and several documents in a row.
// An event is an object:
//
//	{ "ph":   "X"                  1 character    the phase: what type of event this is
//	  "name": "Layout"             string
//	  "cat":  "blink,rail"         string         categories, separated by commas
//	  "ts":   1600000000154123.457 decimal, µs    when; exact to the nanosecond as int64
//	  "dur":  12.034               decimal, µs    how long, for phase X
//	  "tts", "tdur"                decimal, µs    the same on the thread's own clock
//	  "pid":  4242                 int64 or text  process
//	  "tid":  17                   int64 or text  thread
//	  "id":   "0x1f"               text or int64  what async events, flows, objects share
//	  "args": { "frame": 7 }       object         all else
//	  … }                                         the rest of the table Fields
//
// So this is a slice of 12034 ns, which began 1600000000154123457 ns after the
// clock's zero:
//
//	{"name":"Layout","ph":"X","ts":1600000000154123.457,"dur":12.034,"pid":4242,"tid":17}
//
// The tables Fields, Phases and TopKeys hold all fields, phases and keys of the
// container; decoder and writer work by them.
//
// # Reading
//
// A Scanner reads a document in memory, a Reader a stream; both yield the same items
// from the same bytes, whatever the sizes of the stream's reads. Chunks read one array
// of events side by side. An Event points into the input: its fields are found in one
// pass, times and ids are parsed in that pass, everything else when it is asked for.
// Args are checked but not taken apart; a Tokenizer does that.
//
// Bad input costs no more than itself. What can't be read is skipped up to the next
// event, in time that grows with the length of the input only, and what was guessed,
// read as meant or skipped is reported as an Issue:
//
//	truncated         the input ends inside the trace
//	nonstandard_json  not JSON by the letter, but clear: NaN, 01, raw control characters
//	malformed_event   text where an event should be, that can't be read
//	malformed_member  a member of the container that can't be read
//	missing_comma     no comma between two elements
//	not_an_object     an element of the event array that isn't an object
//	not_an_array      traceEvents isn't an array
//	duplicate_key     an event has a field twice: the last one counts
//	trailing_garbage  text behind the end of the trace
//
// The table Issues says more of each.
//
// # Writing
//
// A Writer writes events that were read, or built with Event's setters, or given to its
// methods for those who instrument a program by hand: Complete, Begin, End, Counter and
// so on.
//
// The specification is "Trace Event Format" by the Trace Viewer's authors, of October
// 2016; the names of its sections stand in the tables.
package traceevent
