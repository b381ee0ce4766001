package traceevent

// step says what one step of a core came to.
type step uint8

const (
	stepAgain  step = iota // something was passed over; step again
	stepMore               // the document ends too early; extend it and step again
	stepDone               // the document is at its end
	stepClosed             // the array's ']' stands at pos
	stepLimit              // an event begins at pos, at or past the limit
	stepEvent              // ev was read
	stepArray
	stepMember
	stepFrame
	stepSample
)

// separator says what stood last between two elements.
type separator uint8

const (
	sepOpen    separator = iota // the opening bracket
	sepElement                  // an element: a comma is due
	sepComma                    // a comma: an element is due
	sepAny                      // after something skipped, or where a chunk begins: anything goes
)

// core walks a document. What a step does depends on nothing but the bytes from
// pos on and the few fields of its state, and a step that needs more bytes than
// there are changes nothing that matters: a Reader extends the document and steps
// again.
type core struct {
	parser
	doc     []byte
	final   bool // the input ends with doc
	pos     int
	sep     separator
	limit   int64 // an event at or past this offset ends a chunk
	ev      Event
	onIssue func(Issue)
	lines   *lineCounter // nil where lines aren't counted
	lost    lost
	unread  int64 // places that weren't
	doomed  [2]doom
	levels  []int64 // scratch of doom
}

const noLimit = 1<<63 - 1

// reset makes c walk doc.
func (c *core) reset(doc []byte) {
	c.doc, c.pos, c.final, c.base = doc, 0, true, 0
	c.sep, c.limit, c.lost, c.unread = sepOpen, noLimit, lost{}, 0
	c.doomed[0].forget()
	c.doomed[1].forget()
}

// at is the offset in the input of index i.
func (c *core) at(i int) int64 { return c.base + int64(i) }

func (c *core) issue(code IssueCode, at, size int) {
	switch code {
	case IssueMalformed, IssueMember, IssueNotObject, IssueTrailing:
		c.unread++
	}
	if c.onIssue != nil {
		c.onIssue(Issue{Code: code, Offset: c.at(at), Len: size, Line: c.lines.of(c, c.at(at))})
	}
}

// oddities reports what the last value or event had that was read as meant.
func (c *core) oddities() {
	if c.oddAt >= 0 {
		c.issue(IssueNonstandard, c.oddAt, c.oddLen)
	}
	if c.dupAt >= 0 {
		c.issue(IssueDuplicate, c.dupAt, c.dupLen)
	}
}

// next passes white space. ok is false at the end of the document, and then pos is
// there.
func (c *core) next() (b byte, ok bool) {
	c.pos = skipSpace(c.doc, c.pos)
	if c.pos == len(c.doc) {
		return 0, false
	}
	return c.doc[c.pos], true
}

// ended is the step to take where the document ends between two items, inside a
// container.
func (c *core) ended() step {
	if !c.final {
		return stepMore
	}
	c.issue(IssueTruncated, c.pos, 0)
	return stepDone
}

// comma takes the comma at pos.
func (c *core) comma() step {
	if c.sep == sepOpen || c.sep == sepComma {
		c.issue(IssueNonstandard, c.pos, 1)
	}
	c.sep = sepComma
	c.pos++
	return stepAgain
}

// due reports that the comma before the item at i is missing, if it is.
func (c *core) due(i int) {
	if c.sep == sepElement {
		c.issue(IssueComma, i, 0)
	}
}

// bracket looks at the closing bracket at pos.
func (c *core) bracket() {
	if c.sep == sepComma {
		c.issue(IssueNonstandard, c.pos, 1)
	}
}

// element takes one step inside an array of events.
func (c *core) element() step {
	if c.lost.active {
		return c.recover(inArray)
	}
	b, ok := c.next()
	if !ok {
		return c.ended()
	}
	switch b {
	case ',':
		return c.comma()
	case ']':
		c.bracket()
		return stepClosed
	case '{':
		return c.object()
	}
	return c.stranger()
}

// object reads the event at pos.
func (c *core) object() step {
	from := c.pos
	if c.at(from) >= c.limit {
		switch c.plausible(from) {
		case yes:
			c.due(from)
			return stepLimit
		case unknown:
			return stepMore
		}
	}
	end := c.known(from)
	if end < 0 {
		if c.cut && !c.final {
			return stepMore
		}
		c.due(from)
		return c.lose(from, IssueMalformed, c.cut)
	}
	c.due(from)
	c.oddities()
	c.sep = sepElement
	c.pos = end
	return stepEvent
}

// stranger passes an element that is no object.
func (c *core) stranger() step {
	from := c.pos
	if c.doc[from] == '[' {
		// The array of a document that was appended to one cut short, or a superfluous
		// bracket: its events are events.
		next := skipSpace(c.doc, from+1)
		if next == len(c.doc) && !c.final {
			return stepMore
		}
		if next < len(c.doc) && c.doc[next] == '{' {
			switch c.plausible(next) {
			case unknown:
				return stepMore
			case yes:
				c.due(from)
				c.issue(IssueNotObject, from, 1)
				c.sep = sepOpen
				c.pos = next
				return stepAgain
			}
		}
	}
	end := c.whole(from)
	if end < 0 {
		if c.cut && !c.final {
			return stepMore
		}
		c.due(from)
		return c.lose(from, IssueMalformed, c.cut)
	}
	c.due(from)
	c.issue(IssueNotObject, from, end-from)
	c.oddities()
	c.sep = sepElement
	c.pos = end
	return stepAgain
}

// whole skips the value at i; unlike value it takes a number only when something
// stands behind it, for else there might have been more of it.
func (c *core) whole(i int) int {
	c.oddAt, c.dupAt = -1, -1
	end := c.value(c.doc, i)
	if end == len(c.doc) {
		switch c.doc[end-1] {
		case '"', '}', ']':
		default:
			return c.failCut(c.doc)
		}
	}
	return end
}
