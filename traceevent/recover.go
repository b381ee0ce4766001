package traceevent

import (
	"bytes"
	"slices"
)

// lost is the search for the next item after one that can't be read.
type lost struct {
	active  bool
	cut     bool // it ran into the end of the input
	code    IssueCode
	from    int64 // offset of the text that is skipped
	line    int64 // of from
	prev    byte  // the last byte before pos that isn't white space
	newline bool  // between prev and pos
}

// place says what may be found again.
type place uint8

const (
	inArray  place = iota // an event, or the end of the array
	outside               // an event
	inObject              // a member with a known key
)

// lose begins to skip the text at index from, which can't be read; cut tells that it
// ran into the end of the input.
func (c *core) lose(from int, code IssueCode, cut bool) step {
	c.lost = lost{
		active: true,
		cut:    cut,
		code:   code,
		from:   c.at(from),
		line:   c.lines.of(c, c.at(from)),
		prev:   c.doc[from],
	}
	c.pos = from + 1
	return stepAgain
}

// found ends the search at index i, where something can be read again.
func (c *core) found(i int) step {
	c.skipped(c.lost.code, c.at(i))
	c.pos = i
	c.sep = sepAny
	return stepAgain
}

// skipped ends the search at offset to.
func (c *core) skipped(code IssueCode, to int64) {
	c.lost.active = false
	if code != IssueTruncated {
		c.unread++
	}
	if c.onIssue != nil {
		c.onIssue(Issue{Code: code, Offset: c.lost.from, Len: int(to - c.lost.from), Line: c.lost.line})
	}
}

// recover goes on with the search for something that can be read.
//
// The search is linear, however the text is made: an object that can be read but
// is no event is passed whole, and one that can't is remembered with all objects
// that it left open (see doom), so that no stretch is read more than twice for
// each of the two ways to pair its quotes.
func (c *core) recover(where place) step {
	doc := c.doc
	for i := c.pos; i < len(doc); i++ {
		b := doc[i]
		if isSpace(b) {
			c.lost.newline = c.lost.newline || b == '\n'
			continue
		}
		ok := no
		switch {
		case b == '{' && where != inObject && c.lost.mayPrecede():
			ok = c.plausible(i)
			if ok == no {
				if end := c.known(i); end >= 0 {
					i = end - 1
					b = doc[i]
				}
			}
		case b == ']' && where == inArray:
			ok = c.closes(i)
		case b == '"' && where == inObject && (c.lost.prev == ',' || c.lost.newline):
			ok = c.knownKey(i)
		}
		switch ok {
		case yes:
			return c.found(i)
		case unknown:
			c.pos = i
			return stepMore
		}
		c.lost.prev, c.lost.newline = b, false
	}
	c.pos = len(doc)
	if !c.final {
		return stepMore
	}
	code := c.lost.code
	if c.lost.cut {
		code = IssueTruncated
	}
	c.skipped(code, c.at(len(doc)))
	return stepDone
}

// mayPrecede tells whether an element of an array may follow what was last seen.
func (l *lost) mayPrecede() bool {
	switch l.prev {
	case ',', '[', '{', '}', ']':
		return l.prev != '{' || l.newline
	}
	return l.newline
}

// answer is what can be said of a guess.
type answer uint8

const (
	no answer = iota
	yes
	unknown // the document ends too early to say
)

// plausible tells whether an element of an event array begins at the '{' at i: an
// object that can be read, has a phase, and is followed by what may follow an
// element.
func (c *core) plausible(i int) answer {
	next := skipSpace(c.doc, i+1)
	if next < len(c.doc) && c.doc[next] != '"' {
		return no
	}
	end := c.known(i)
	if end < 0 {
		if c.cut && !c.final {
			return unknown
		}
		return no
	}
	if c.ev.Phase() == 0 {
		return no
	}
	end = skipSpace(c.doc, end)
	if end == len(c.doc) {
		if c.final {
			return yes
		}
		return unknown
	}
	switch c.doc[end] {
	case ',', ']', '{', '[':
		return yes
	}
	return no
}

// closes tells whether the ']' at i ends the array of events: nothing follows it
// but the end of the object or of the input, or a member with a known key that isn't
// common inside events too, as samples and stackFrames are.
func (c *core) closes(i int) answer {
	i = skipSpace(c.doc, i+1)
	if i < len(c.doc) && c.doc[i] == ',' {
		i = skipSpace(c.doc, i+1)
		if i < len(c.doc) && c.doc[i] == '"' {
			rest := c.doc[i+1:]
			if bytes.HasPrefix(rest, []byte(`samples"`)) || bytes.HasPrefix(rest, []byte(`stackFrames"`)) {
				return no
			}
			return c.knownKey(i)
		}
	} else if i < len(c.doc) && c.doc[i] == '}' {
		i = skipSpace(c.doc, i+1)
	}
	switch {
	case i < len(c.doc) || c.lost.cut:
		return no // where the input is cut short, the bracket is more likely the event's own
	case c.final:
		return yes
	}
	return unknown
}

// knownKey tells whether a key of the container that the specification knows stands
// in quotes at i, with its colon.
func (c *core) knownKey(i int) answer {
	const longest = len(`"controllerTraceDataKey"`)
	size := bytes.IndexByte(c.doc[i+1:min(len(c.doc), i+longest)], '"')
	if size < 0 {
		if len(c.doc)-i < longest && !c.final {
			return unknown
		}
		return no
	}
	key := c.doc[i+1 : i+1+size]
	if topKey(key) == nil {
		return no
	}
	i = skipSpace(c.doc, i+size+2)
	switch {
	case i == len(c.doc) && !c.final:
		return unknown
	case i < len(c.doc) && c.doc[i] == ':':
		return yes
	}
	return no
}

// maxDoomed bounds the memory of a doom. Beyond it a text is read again, so that
// the time taken grows with its depth over this.
const maxDoomed = 1 << 20

// doom remembers an object that couldn't be read: where it began, where that was
// seen, and which objects it had left open there. To read one of those comes to the
// same end, so it needn't be tried: without this, each level of {"a":[{"a":[… would
// be read to the end of the input. It saves work and changes no result.
type doom struct {
	from, at int64
	cut      bool
	open     []int64 // offsets of the objects left open, ascending
}

func (d *doom) forget() { d.from, d.at, d.open = 0, 0, d.open[:0] }

// known reads the object at i as an event, unless it is known that it can't be.
func (c *core) known(i int) int {
	at := c.at(i)
	for k := range c.doomed {
		d := &c.doomed[k]
		if d.from <= at && at < d.at {
			if _, ok := slices.BinarySearch(d.open, at); ok {
				c.failAt, c.cut = int(d.at-c.base), d.cut
				return -1
			}
		}
	}
	end := c.event(c.doc, i, &c.ev)
	if end < 0 && (!c.cut || c.final) {
		c.doom(i)
	}
	return end
}

// shortDoom is how long an unreadable text must be to be remembered: reading it again is
// cheaper.
const shortDoom = 64

// doom remembers that the object at i couldn't be read.
func (c *core) doom(i int) {
	if c.failAt-i < shortDoom {
		return
	}
	at := c.at(i)
	d := &c.doomed[0]
	if d.at > at && c.doomed[1].at < d.at {
		d = &c.doomed[1]
	}
	d.from, d.at, d.cut = at, c.at(c.failAt), c.cut
	d.open = d.open[:0]
	depth := 0 // of containers open, beyond those in levels
	levels := c.levels[:0]
	for k := i; k < c.failAt; k++ {
		switch c.doc[k] {
		case '"':
			failAt, cut := c.failAt, c.cut
			end, _ := c.str(c.doc, k+1)
			c.failAt, c.cut = failAt, cut
			if end < 0 {
				k = c.failAt
			} else {
				k = end - 1
			}
		case '{', '[':
			if len(levels) == maxDoomed {
				depth++
				continue
			}
			level := c.at(k) << 1
			if c.doc[k] == '{' {
				level |= 1
			}
			levels = append(levels, level)
		case '}', ']':
			if depth > 0 {
				depth--
			} else if len(levels) > 0 {
				levels = levels[:len(levels)-1]
			}
		}
	}
	c.levels = levels
	for _, level := range levels {
		if level&1 != 0 {
			d.open = append(d.open, level>>1)
		}
	}
}
