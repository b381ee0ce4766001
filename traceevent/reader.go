package traceevent

import (
	"bytes"
	"errors"
	"io"
)

// Reader reads a stream. It holds no more than one event, or one member of the
// container, and a buffer, which it fills before it looks at what is in it; otherwise
// it is a Scanner.
type Reader struct {
	w     walker
	src   io.Reader
	buf   []byte // w.doc is its filled part
	size  int    // of buf to begin with
	err   error  // of src
	lines lineCounter
}

// readerSize is the first size of a Reader's buffer.
const readerSize = 256 << 10

// maxIdle is how many reads in a row may give nothing before the stream is given up.
const maxIdle = 100

// NewReader makes a reader of src.
func NewReader(src io.Reader) *Reader {
	r := &Reader{src: src, size: readerSize}
	r.w.reset(nil)
	r.w.final = false
	r.w.lines = &r.lines
	return r
}

// OnIssue sets the function that is told of irregularities.
func (r *Reader) OnIssue(f func(Issue)) { r.w.onIssue = f }

// Next goes to the next item. What Event and Member returned before is no longer
// valid.
func (r *Reader) Next() ItemKind {
	for {
		switch st := r.w.step(); st {
		case stepAgain:
		case stepDone:
			return ItemEnd
		case stepMore:
			r.fill()
		default:
			return items[st]
		}
	}
}

// fill makes room and reads until the buffer is full, so that an item that didn't fit
// is tried again only when there is twice as much of it.
func (r *Reader) fill() {
	w := &r.w
	keep := w.doc[w.pos:]
	r.lines.drop(w, w.pos)
	size := max(r.size, cap(r.buf))
	if 2*len(keep) > size {
		size *= 2
	}
	if size > cap(r.buf) {
		r.buf = make([]byte, size)
	}
	n := copy(r.buf[:size], keep)
	w.base += int64(w.pos)
	w.pos = 0
	for idle := 0; n < size && !w.final; {
		var k int
		k, r.err = r.src.Read(r.buf[n:size])
		n += k
		if idle++; k > 0 {
			idle = 0
		}
		if idle == maxIdle && r.err == nil {
			r.err = io.ErrNoProgress
		}
		w.final = r.err != nil
	}
	w.doc = r.buf[:n]
}

// Event is the event that Next found, valid until the next call of Next.
func (r *Reader) Event() *Event { return &r.w.ev }

// Member is the member, frame or sample that Next found, valid until the next call
// of Next.
func (r *Reader) Member() Member { return r.w.member }

// Offset is where in the input the reader is: after the item that Next found.
func (r *Reader) Offset() int64 { return r.w.at(r.w.pos) }

// Container is the form of the document at hand.
func (r *Reader) Container() Container { return r.w.container }

// Err is what kept the reader from reading on, after Next returned ItemEnd: the
// error of the stream, or ErrNotTrace. What was read before it stands.
func (r *Reader) Err() error {
	if r.err != nil && !errors.Is(r.err, io.EOF) {
		return r.err
	}
	return r.w.err
}

// lineCounter knows the line of one offset, and counts on from there.
type lineCounter struct {
	offset int64
	line   int64 // of offset, from 0
}

// of is the line of an offset in the document at hand, from 1; 0 without a counter.
func (l *lineCounter) of(c *core, offset int64) int64 {
	if l == nil {
		return 0
	}
	from, to := l.offset-c.base, offset-c.base
	if from <= to {
		l.line += int64(bytes.Count(c.doc[from:to], newline))
	} else {
		l.line -= int64(bytes.Count(c.doc[to:from], newline))
	}
	l.offset = offset
	return l.line + 1
}

// drop counts the lines before index i, which is about to be dropped.
func (l *lineCounter) drop(w *walker, i int) { l.of(&w.core, w.at(i)) }

var newline = []byte{'\n'}
