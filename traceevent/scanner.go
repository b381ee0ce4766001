package traceevent

// ItemKind is the kind of what Next found.
type ItemKind uint8

// The kinds of items.
const (
	ItemEnd    ItemKind = iota // nothing more; see Err
	ItemArray                  // an array of events opens; its first element is at Offset or after
	ItemEvent                  // an event; see Event
	ItemMember                 // a key and value of the object container; see Member
	ItemFrame                  // an entry of stackFrames; see Member
	ItemSample                 // an element of samples; see Member, which has no key
)

var itemNames = [...]string{"end", "array", "event", "member", "frame", "sample"}

// String is the kind's name, in lower case.
func (k ItemKind) String() string {
	if int(k) < len(itemNames) {
		return itemNames[k]
	}
	return "unknown item"
}

// items maps a step to the item that it makes; ItemEnd where it makes none.
var items = [...]ItemKind{
	stepArray:  ItemArray,
	stepEvent:  ItemEvent,
	stepMember: ItemMember,
	stepFrame:  ItemFrame,
	stepSample: ItemSample,
}

// Scanner reads a whole document in memory. It allocates nothing an event.
type Scanner struct {
	w walker
}

// NewScanner makes a scanner of doc, which must stay as it is while what the
// scanner returned is in use.
func NewScanner(doc []byte) *Scanner {
	s := new(Scanner)
	s.w.reset(doc)
	return s
}

// OnIssue sets the function that is told of irregularities. An event's issues come
// before Next returns it.
func (s *Scanner) OnIssue(f func(Issue)) { s.w.onIssue = f }

// Next goes to the next item.
func (s *Scanner) Next() ItemKind {
	for {
		switch st := s.w.step(); st {
		case stepAgain:
		case stepDone, stepMore:
			return ItemEnd
		default:
			return items[st]
		}
	}
}

// Event is the event that Next found. It is the same one every time, and holds its
// fields until the next call of Next.
func (s *Scanner) Event() *Event { return &s.w.ev }

// Member is the member, frame or sample that Next found.
func (s *Scanner) Member() Member { return s.w.member }

// Offset is where in the document the scanner is: after the item that Next found.
func (s *Scanner) Offset() int64 { return s.w.at(s.w.pos) }

// Container is the form of the document at hand.
func (s *Scanner) Container() Container { return s.w.container }

// Err is ErrNotTrace when nothing of the input could be read, after Next returned
// ItemEnd.
func (s *Scanner) Err() error { return s.w.err }

// Resume goes on behind an array that the caller read with Chunks: off is what the
// last chunk's End returned, the offset of the array's ']' or the end of the input.
// It may be called only after ItemArray, before the next call of Next.
func (s *Scanner) Resume(off int) {
	s.w.pos = off
	s.w.trace = true
	if off >= len(s.w.doc) {
		s.w.done = true // the chunk that came to the end reported it
	} else {
		s.w.leaveEvents()
	}
}
