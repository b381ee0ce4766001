package traceevent

// Chunk reads the elements of an array of events from any element on, so that
// several of them can read one array side by side. What it yields and reports is
// determined by the document and the place where it starts. The zero Chunk is
// ready for Reset.
//
// The first chunk starts at the Offset of ItemArray, every further one where
// FindElement guesses. A guess was right when the chunk before ended there; when it
// was wrong, what that chunk read is void, and the stretch must be read again from where
// the one before ended. The end of the last one goes to Scanner.Resume.
type Chunk struct {
	c      core
	closed bool
	done   bool
}

// Reset makes the chunk read the elements of doc that start at index from, the
// first one, up to the first event at or past limit.
func (c *Chunk) Reset(doc []byte, from, limit int) {
	c.c.reset(doc)
	c.c.pos, c.c.limit = from, int64(limit)
	c.c.sep = sepOpen
	c.closed, c.done = false, false
}

// OnIssue sets the function that is told of irregularities.
func (c *Chunk) OnIssue(f func(Issue)) { c.c.onIssue = f }

// Next goes to the next event; false when there is none before the limit.
func (c *Chunk) Next() bool {
	for !c.done {
		switch c.c.element() {
		case stepEvent:
			return true
		case stepAgain:
		case stepClosed:
			c.closed, c.done = true, true
		default:
			c.done = true
		}
	}
	return false
}

// Event is the event that Next found, valid until the next call of Next.
func (c *Chunk) Event() *Event { return &c.c.ev }

// End is where the chunk stopped, after Next returned false: where the event starts
// that the next chunk must begin with; or, when closed, where the array's ']' stands;
// or the end of the document.
func (c *Chunk) End() (off int, closed bool) { return c.c.pos, c.closed }

// FindElement guesses where an element of an event array starts in doc[from:to].
// from may lie anywhere inside the array, also inside a string. It is the first place
// there that looks like an event: an object that can be read, has a phase, and stands
// between what may stand between elements; -1 when there is none.
func FindElement(doc []byte, from, to int) int {
	var c core
	c.reset(doc)
	to = min(to, len(doc))
	from = max(0, min(from, to))
	c.lost = lost{active: true, newline: true, prev: ','}
	for i := from - 1; i >= 0; i-- {
		if !isSpace(doc[i]) {
			c.lost.prev = doc[i]
			c.lost.newline = false
			break
		}
		if doc[i] == '\n' {
			break
		}
	}
	for i := from; i < to; i++ {
		b := doc[i]
		if isSpace(b) {
			c.lost.newline = c.lost.newline || b == '\n'
			continue
		}
		if b == '{' && c.lost.mayPrecede() {
			if c.plausible(i) == yes {
				return i
			}
			if end := c.known(i); end >= 0 {
				i = end - 1
				b = doc[i]
			}
		}
		c.lost.prev, c.lost.newline = b, false
	}
	return -1
}
