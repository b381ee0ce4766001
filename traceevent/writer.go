package traceevent

import (
	"bytes"
	"errors"
	"fmt"
	"io"
)

// WriterOptions say what a Writer makes. The zero value is an array of events.
type WriterOptions struct {
	// Container is the form: ContainerArray, also for ContainerNone, ContainerObject,
	// or ContainerLines.
	Container Container

	// KeepClosed makes every Flush end with the closing brackets, and the next one
	// write over them: then even a program that dies leaves a complete document. The
	// destination must be an io.WriteSeeker that isn't in append mode. Without it a
	// program that dies leaves the brackets out, which the specification allows for an
	// array, and which Reader and Scanner report as truncated.
	KeepClosed bool

	// DisplayTimeUnit is "ms" or "ns"; empty leaves it out. ContainerObject only.
	DisplayTimeUnit string
	// StackFrames go to stackFrames, keys and values as given. ContainerObject only.
	StackFrames []KeyValue
	// Samples go to samples. ContainerObject only.
	Samples []Raw
	// Members are any other members, otherData for instance. ContainerObject only.
	Members []KeyValue
}

// KeyValue is a member to be written.
type KeyValue struct {
	Key   string // its text, not quoted
	Value Raw
}

// Writer writes events. What it has written ends behind a whole event after every
// Flush and every write of its own accord. Methods that write an event return the
// error of the destination, once there was one; nothing is written after it. A
// Writer isn't safe for concurrent use.
//
// Strings keep their bytes: what isn't UTF-8 stays as it is, so that reading it
// again with this package gives the same bytes; other readers may see U+FFFD there.
type Writer struct {
	dst   io.Writer
	seek  io.Seeker // with KeepClosed
	buf   []byte
	sep   string // before the next event
	tail  string // what closes the document
	next  string // sep from the second event on
	err   error
	done  bool
	lines bool // every event is one line
	p     parser
	tok   Tokenizer
}

// writerSize is how many bytes a Writer gathers before it writes them.
const writerSize = 64 << 10

// NewWriter makes a writer to dst. The object container is laid out with traceEvents
// last, so that whatever is lost, the other members are there.
func NewWriter(dst io.Writer, o WriterOptions) (*Writer, error) {
	w := &Writer{dst: dst, next: ",\n", buf: make([]byte, 0, writerSize+4096)}
	if o.KeepClosed {
		s, ok := dst.(io.Seeker)
		if !ok {
			return nil, errors.New("traceevent: KeepClosed needs a destination that can seek")
		}
		w.seek = s
	}
	if o.Container != ContainerObject && (o.DisplayTimeUnit != "" || o.StackFrames != nil || o.Samples != nil || o.Members != nil) {
		return nil, fmt.Errorf("traceevent: a container of the form %q has no members", o.Container)
	}
	switch o.Container {
	case ContainerNone, ContainerArray:
		w.buf = append(w.buf, "[\n"...)
		w.tail = "\n]\n"
	case ContainerLines:
		w.lines, w.next, w.tail = true, "\n", "\n"
	case ContainerObject:
		w.tail = "\n]}\n"
		if err := w.members(&o); err != nil {
			return nil, err
		}
	default:
		return nil, fmt.Errorf("traceevent: unknown container %d", o.Container)
	}
	return w, nil
}

// members writes what stands before the events in the object container.
func (w *Writer) members(o *WriterOptions) error {
	w.buf = append(w.buf, '{')
	if o.DisplayTimeUnit != "" {
		w.buf = append(w.buf, `"displayTimeUnit":`...)
		w.buf = appendQuoted(w.buf, o.DisplayTimeUnit)
		w.buf = append(w.buf, ",\n"...)
	}
	var err error
	pair := func(m KeyValue) {
		w.buf = appendQuoted(w.buf, m.Key)
		w.buf = append(w.buf, ':')
		if e := w.value(m.Value); e != nil && err == nil {
			err = fmt.Errorf("traceevent: member %q: %w", m.Key, e)
		}
	}
	for _, m := range o.Members {
		pair(m)
		w.buf = append(w.buf, ",\n"...)
	}
	if o.StackFrames != nil {
		w.buf = append(w.buf, `"stackFrames":{`...)
		for i, m := range o.StackFrames {
			if i > 0 {
				w.buf = append(w.buf, ",\n"...)
			}
			pair(m)
		}
		w.buf = append(w.buf, "},\n"...)
	}
	if o.Samples != nil {
		w.buf = append(w.buf, `"samples":[`...)
		for i, v := range o.Samples {
			if i > 0 {
				w.buf = append(w.buf, ",\n"...)
			}
			if e := w.value(v); e != nil && err == nil {
				err = fmt.Errorf("traceevent: sample %d: %w", i, e)
			}
		}
		w.buf = append(w.buf, "],\n"...)
	}
	w.buf = append(w.buf, `"traceEvents":[`+"\n"...)
	return err
}

// errNotJSON says that what was to be written can't be.
var errNotJSON = errors.New("not a JSON value")

// value appends a value in standard JSON. Values that the standard doesn't have are
// written as what stands for them: NaN and the infinities as strings, 0x10 as 16.
func (w *Writer) value(v Raw) error {
	w.p.oddAt, w.p.dupAt = -1, -1
	if len(v) == 0 || w.p.value(v, 0) != len(v) {
		w.buf = append(w.buf, "null"...)
		return errNotJSON
	}
	if w.p.oddAt < 0 && !w.breaks(v) {
		w.buf = append(w.buf, v...)
	} else {
		w.buf = appendStandard(w.buf, v, &w.tok)
	}
	return nil
}

// breaks tells whether v would break the line that an event must fit in.
func (w *Writer) breaks(v Raw) bool {
	return w.lines && bytes.IndexByte(v, '\n') >= 0
}

// start begins an event.
func (w *Writer) start() {
	w.buf = append(w.buf, w.sep...)
}

// end ends an event; it returns the error to return.
func (w *Writer) end() error {
	w.sep = w.next
	if w.done {
		w.buf = w.buf[:0]
		return errClosed
	}
	if len(w.buf) >= writerSize {
		return w.Flush()
	}
	return w.err
}

var errClosed = errors.New("traceevent: the writer is closed")

// Write writes an event. One that was read and not changed since is copied as it
// stands, unless it isn't standard JSON. An event with a value that is no JSON is not
// written: that error concerns it alone.
func (w *Writer) Write(e *Event) error {
	mark := len(w.buf)
	w.start()
	if e.Raw != nil && !e.odd && !w.breaks(e.Raw) {
		w.buf = append(w.buf, e.Raw...)
		return w.end()
	}
	sep := byte('{')
	for f := range e.set.All {
		w.buf = append(w.buf, sep, '"')
		w.buf = append(w.buf, Fields[f].Key...)
		w.buf = append(w.buf, '"', ':')
		v := e.Get(f)
		if e.odd || e.given.Has(f) || w.lines {
			if err := w.value(v); err != nil {
				w.buf = w.buf[:mark]
				return fmt.Errorf("traceevent: field %s: %w", f, err)
			}
		} else {
			w.buf = append(w.buf, v...)
		}
		sep = ','
	}
	for i := range e.Extra {
		m := &e.Extra[i]
		w.buf = append(w.buf, sep)
		w.buf = appendQuoted(w.buf, m.Key)
		w.buf = append(w.buf, ':')
		if err := w.value(m.Value); err != nil {
			w.buf = w.buf[:mark]
			return fmt.Errorf("traceevent: member %q: %w", m.Key, err)
		}
		sep = ','
	}
	if sep == '{' {
		w.buf = append(w.buf, sep)
	}
	w.buf = append(w.buf, '}')
	return w.end()
}

// Flush writes everything out. What the destination then holds ends behind a whole
// event, or with KeepClosed behind the closing brackets.
func (w *Writer) Flush() error {
	if w.err != nil || w.done {
		w.buf = w.buf[:0]
		return w.err
	}
	if w.seek == nil {
		w.write("")
		return w.err
	}
	w.write(w.tail)
	if w.err == nil {
		_, w.err = w.seek.Seek(-int64(len(w.tail)), io.SeekCurrent)
	}
	return w.err
}

// write writes the buffer and then tail.
func (w *Writer) write(tail string) {
	w.buf = append(w.buf, tail...)
	if len(w.buf) > 0 {
		_, w.err = w.dst.Write(w.buf)
	}
	w.buf = w.buf[:0]
}

// Close writes everything out and closes the document, not the destination. No event
// can be written after it.
func (w *Writer) Close() error {
	if w.done || w.err != nil {
		return w.err
	}
	w.write(w.tail)
	w.done = true
	return w.err
}
