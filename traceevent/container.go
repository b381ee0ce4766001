package traceevent

// TopKey describes a key of the object container.
type TopKey struct {
	Key     string
	Type    string
	Marks   bool // an object with this key is a trace, even without traceEvents
	Meaning string
}

// TopKeys is the table of the container's keys that the specification names. Any
// other key is metadata.
var TopKeys = []TopKey{
	{"traceEvents", "array of events", true, "the events"},
	{"displayTimeUnit", `string "ms" or "ns"`, true, "the unit to show times in"},
	{"systemTraceEvents", "string or object", true, "what the system's own tracer recorded: ftrace or ETW"},
	{"powerTraceAsString", "string", true, "what a BattOr recorded"},
	{"stackFrames", "object of frames", true, "frames by id, each with name, category and its parent's id"},
	{"samples", "array of objects", false, "samples of a system-wide profiler"},
	{"controllerTraceDataKey", "string", true, "which key holds the events of the controller's clock"},
	{"otherData", "object", false, "metadata"},
	{"metadata", "object", false, "metadata"},
	{"traceAnnotations", "array of objects", true, "notes that a viewer left"},
	{"timeDeltas", "array of integers", true, "of a V8 CPU profile that stands alone, which is told by this key"},
}

// topKey finds a key in TopKeys.
func topKey(key []byte) *TopKey {
	for i := range TopKeys {
		if TopKeys[i].Key == string(key) {
			return &TopKeys[i]
		}
	}
	return nil
}

// Container is the form of the input.
type Container uint8

// The forms.
const (
	ContainerNone   Container = iota // nothing read yet, or nothing there
	ContainerArray                   // [events]
	ContainerObject                  // {"traceEvents": [events], …}
	ContainerLines                   // events without brackets, usually one a line
)

var containerNames = [...]string{"none", "array", "object", "lines"}

// String is the form's name, in lower case.
func (c Container) String() string {
	if int(c) < len(containerNames) {
		return containerNames[c]
	}
	return "unknown container"
}

// region is the part of the container that a walker is in.
type region uint8

const (
	atTop region = iota // between documents
	inMembers
	inEvents
	inFrames
	inSamples
)

// walker walks a whole input: documents, their members, their events. Scanner and
// Reader are walkers, over different sources of bytes.
type walker struct {
	core
	region    region
	enclosed  bool // the array of events stands in an object
	marked    bool // the object at hand has a key that marks a trace
	again     bool // the object at hand has had its traceEvents
	alone     bool // nothing stood before the object at hand
	trace     bool // something so far was a trace
	done      bool
	container Container
	member    Member
	err       error
}

// step takes one step.
func (w *walker) step() step {
	if w.done {
		return stepDone
	}
	var s step
	switch w.region {
	case atTop:
		s = w.top()
	case inEvents:
		if s = w.element(); s == stepClosed {
			w.leaveEvents()
			s = stepAgain
		}
	case inMembers:
		s = w.membersStep()
	case inFrames:
		s = w.framesStep()
	case inSamples:
		s = w.samplesStep()
	}
	switch s {
	case stepEvent:
		w.trace = true
	case stepDone:
		w.done = true
		if w.err == nil && !w.trace && w.unread > 0 {
			w.err = ErrNotTrace
		}
	}
	return s
}

// leaveEvents passes the array's ']' at pos.
func (w *walker) leaveEvents() {
	w.pos++
	if w.enclosed {
		w.region, w.sep = inMembers, sepElement
	} else {
		w.region = atTop
	}
}

const byteOrderMark = "\ufeff"

// mark passes a byte order mark, which may begin a document. ok is false when there is
// none at pos.
func (w *walker) mark() (s step, ok bool) {
	rest := w.doc[w.pos:min(len(w.doc), w.pos+len(byteOrderMark))]
	switch {
	case string(rest) == byteOrderMark:
		w.pos += len(rest)
		return stepAgain, true
	case w.pos+len(rest) == len(w.doc) && byteOrderMark[:len(rest)] == string(rest):
		return w.ended(), true
	}
	return stepAgain, false
}

// top takes a step between documents.
func (w *walker) top() step {
	if w.lost.active {
		return w.recover(outside)
	}
	b, ok := w.next()
	if !ok {
		if w.final {
			return stepDone
		}
		return stepMore
	}
	switch b {
	case '[':
		w.container = ContainerArray
		w.pos++
		w.region, w.enclosed, w.sep = inEvents, false, sepOpen
		return stepArray
	case '{':
		return w.document()
	case byteOrderMark[0]:
		if s, ok := w.mark(); ok {
			return s
		}
	case ',', ']', '}':
		if w.container != ContainerNone {
			w.issue(IssueNonstandard, w.pos, 1)
			w.pos++
			return stepAgain
		}
	}
	if w.container == ContainerNone {
		w.err = ErrNotTrace
		return stepDone
	}
	return w.lose(w.pos, IssueTrailing, false)
}

// document tells an event that stands alone from an object container.
func (w *walker) document() step {
	switch w.decide(w.pos) {
	case isContainer:
		w.alone = w.container == ContainerNone
		w.container = ContainerObject
		w.pos++
		w.region, w.marked, w.again, w.sep = inMembers, false, false, sepOpen
		return stepAgain
	case isEvent:
		w.container = ContainerLines
		w.sep = sepAny
		return w.object()
	case isUndecided:
		return stepMore
	default:
		w.container = ContainerLines
		return w.lose(w.pos, IssueMalformed, false)
	}
}

// verdict is what an object at the top level is.
type verdict uint8

const (
	isContainer verdict = iota
	isEvent
	isUndecided // until there is more to see
	isBroken
)

// decideWindow is how many bytes of an object are looked at for a key that tells
// what it is.
const decideWindow = 64 << 10

// decide looks at the keys of the object at i: "ph" makes it an event, a key that
// marks a trace a container. Where the object is cut short or the window is
// passed, any field of an event decides.
func (w *walker) decide(i int) verdict {
	doc, cut := w.doc, !w.final
	if len(doc)-i > decideWindow {
		doc, cut = doc[:i+decideWindow], false
	}
	field, keys := false, 0
	for i = skipSpace(doc, i+1); i < len(doc) && doc[i] != '}'; i = skipSpace(doc, i+1) {
		if doc[i] != '"' {
			return w.broken(field, keys)
		}
		end, _ := w.str(doc, i+1)
		if end < 0 {
			break
		}
		key := doc[i+1 : end-1]
		i = skipSpace(doc, end)
		if i == len(doc) {
			break
		}
		if doc[i] != ':' {
			return w.broken(field, keys)
		}
		keys++
		if k := topKey(key); k != nil && k.Marks {
			return isContainer
		}
		switch f := fieldOf(key); f {
		case FieldPh:
			return isEvent
		case noField:
		default:
			field = true
		}
		if i = w.value(doc, skipSpace(doc, i+1)); i < 0 {
			if w.cut {
				break
			}
			return w.broken(field, keys)
		}
		if i = skipSpace(doc, i); i == len(doc) {
			break
		}
		if doc[i] == '}' {
			break
		}
		if doc[i] != ',' {
			return w.broken(field, keys)
		}
	}
	switch {
	case i >= 0 && i < len(doc) && doc[i] == '}':
		if w.container == ContainerLines && field {
			return isEvent
		}
		return isContainer
	case cut:
		return isUndecided
	case field:
		return isEvent
	}
	return isContainer
}

// broken is the verdict on an object that stops being JSON before a key told what
// it is.
func (w *walker) broken(field bool, keys int) verdict {
	switch {
	case field || w.container == ContainerLines:
		return isEvent // which will fail to be read, and be skipped as one
	case keys > 0:
		return isContainer // a broken member of it
	}
	return isBroken
}

// membersStep takes a step inside the object container.
func (w *walker) membersStep() step {
	if w.lost.active {
		return w.recover(inObject)
	}
	b, ok := w.next()
	if !ok {
		return w.ended()
	}
	switch b {
	case ',':
		return w.comma()
	case '}':
		w.bracket()
		w.pos++
		w.region = atTop
		if !w.marked && w.alone {
			w.err = ErrNotTrace
			return stepDone
		}
		return stepAgain
	case '"':
	default:
		return w.lose(w.pos, IssueMember, false)
	}
	from := w.pos
	value := w.key()
	if value < 0 {
		return w.unreadable()
	}
	known := topKey(w.member.Key)
	if known != nil && known.Marks {
		w.marked, w.trace = true, true
	}
	if known != nil {
		switch open := w.doc[value]; {
		case known.Key == "traceEvents" && open == '[':
			w.due(from)
			if w.again {
				w.issue(IssueDuplicate, from, value-from)
			}
			w.again = true
			w.pos = value + 1
			w.region, w.enclosed, w.sep = inEvents, true, sepOpen
			return stepArray
		case known.Key == "stackFrames" && open == '{':
			w.due(from)
			w.pos = value + 1
			w.region, w.sep = inFrames, sepOpen
			return stepAgain
		case known.Key == "samples" && open == '[':
			w.due(from)
			w.pos = value + 1
			w.region, w.sep = inSamples, sepOpen
			return stepAgain
		}
	}
	s := w.take(value)
	if s == stepMember && known != nil && known.Key == "traceEvents" {
		w.issue(IssueNotArray, value, len(w.member.Value))
	}
	return s
}

// framesStep takes a step inside stackFrames.
func (w *walker) framesStep() step {
	b, ok := w.next()
	if !ok {
		return w.ended()
	}
	switch b {
	case ',':
		return w.comma()
	case '}':
		w.bracket()
		w.pos++
		w.region, w.sep = inMembers, sepElement
		return stepAgain
	case '"':
	default:
		w.region = inMembers
		return w.lose(w.pos, IssueMember, false)
	}
	var s step
	if value := w.key(); value >= 0 {
		s = w.take(value)
	} else {
		s = w.unreadable()
	}
	if w.lost.active {
		w.region = inMembers
	}
	if s == stepMember {
		s = stepFrame
	}
	return s
}

// samplesStep takes a step inside samples.
func (w *walker) samplesStep() step {
	b, ok := w.next()
	if !ok {
		return w.ended()
	}
	switch b {
	case ',':
		return w.comma()
	case ']':
		w.bracket()
		w.pos++
		w.region, w.sep = inMembers, sepElement
		return stepAgain
	}
	w.member.Key = nil
	s := w.take(w.pos)
	if w.lost.active {
		w.region = inMembers
	}
	if s == stepMember {
		s = stepSample
	}
	return s
}

// key reads the key at pos, which stays there, into member, and returns the index of
// its value, or -1.
func (w *walker) key() int {
	w.oddAt, w.dupAt = -1, -1
	end, escaped := w.str(w.doc, w.pos+1)
	if end < 0 {
		return end
	}
	value := skipSpace(w.doc, end)
	if value == len(w.doc) {
		return w.failCut(w.doc)
	}
	if w.doc[value] != ':' {
		return w.fail(value)
	}
	if value = skipSpace(w.doc, value+1); value == len(w.doc) {
		return w.failCut(w.doc)
	}
	key := w.doc[w.pos+1 : end-1 : end-1]
	if escaped {
		key = appendUnescaped(nil, key)
	}
	w.member.Key = key
	return value
}

// take reads the value at index value and passes the item that begins at pos.
func (w *walker) take(value int) step {
	end := w.whole(value)
	if end < 0 {
		return w.unreadable()
	}
	w.due(w.pos)
	w.oddities()
	w.member.Value = Raw(w.doc[value:end:end])
	w.member.Offset = w.at(value)
	w.pos = end
	w.sep = sepElement
	return stepMember
}

// unreadable is the step after the parse of the item at pos failed.
func (w *walker) unreadable() step {
	if w.cut && !w.final {
		return stepMore
	}
	return w.lose(w.pos, IssueMember, w.cut)
}
