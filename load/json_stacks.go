package load

import (
	"bytes"

	"github.com/weft-trace/weft/trace"
	"github.com/weft-trace/weft/traceevent"
)

// stackKey is how an event names its callstack: the id of a frame in
// stackFrames, or the frames themselves. Values of esf and estack go the same
// way.
type stackKey struct {
	frame traceevent.Raw // value of sf or esf
	stack traceevent.Raw // value of stack or estack
}

// stackTables interns frames and callsites, and resolves what refers to them.
type stackTables struct {
	frames     map[trace.Frame]trace.FrameID
	sites      map[trace.Callsite]trace.CallsiteID
	dictionary frameDictionary // the container's stackFrames
}

// frameDictionary is a stackFrames object.
type frameDictionary struct {
	pending []traceevent.Member // entries that were not read yet
	tree    frameTree
	byID    map[string]int32 // rows of tree
}

// frameTree is a set of frames of which each names its caller.
type frameTree []frameNode

type frameNode struct {
	frame  trace.FrameID
	parent int32 // row of the tree; noFrameNode for an outermost one
	site   trace.CallsiteID
	state  frameState
}

const noFrameNode = -1

type frameState uint8

const (
	frameUnresolved frameState = iota
	frameInProgress
	frameResolved
)

// addFrame remembers an entry of the container's stackFrames.
func (j *jsonBuild) addFrame(m traceevent.Member) {
	m.Key = bytes.Clone(m.Key) // it may be the scanner's
	d := &j.cold.stacks.dictionary
	d.pending = append(d.pending, m)
}

// callsiteOf resolves the callstack that an event names, NoCallsite when it
// names none or one that is not there. All entries of stackFrames must have
// been added.
func (j *jsonBuild) callsiteOf(key stackKey) trace.CallsiteID {
	switch {
	case key.frame != nil:
		return j.callsiteOfFrame(key.frame)
	case key.stack != nil:
		return j.callsiteOfStack(key.stack)
	default:
		return trace.NoCallsite
	}
}

func (j *jsonBuild) callsiteOfFrame(id traceevent.Raw) trace.CallsiteID {
	d := &j.cold.stacks.dictionary
	j.readFrames(d)
	row, ok := d.byID[string(j.frameID(id))]
	if !ok {
		j.log.add(problemUnknownFrame, -1, trace.NoTime, id)
		return trace.NoCallsite
	}
	return j.siteOf(d.tree, row)
}

// frameID is the text of a frame's id, valid until the next call. An integer
// equals its decimal text.
func (j *jsonBuild) frameID(id traceevent.Raw) []byte {
	if plain, ok := id.Plain(); ok {
		return plain
	}
	j.scratch = id.AppendText(j.scratch[:0])
	return j.scratch
}

// readFrames turns the entries of a dictionary into rows of the tree. Parents
// may stand after their children: they are looked up when all are there.
func (j *jsonBuild) readFrames(d *frameDictionary) {
	if len(d.pending) == 0 {
		return
	}
	if d.byID == nil {
		d.byID = make(map[string]int32, len(d.pending))
	}
	parents := make([]traceevent.Raw, len(d.pending))
	rows := make([]int32, len(d.pending))
	for i, m := range d.pending {
		frame, parent := j.parseFrame(m.Value)
		row, again := d.byID[string(m.Key)]
		if !again {
			row = int32(len(d.tree))
			d.byID[string(m.Key)] = row
			d.tree = append(d.tree, frameNode{parent: noFrameNode})
		}
		d.tree[row].frame = frame
		parents[i], rows[i] = parent, row
	}
	for i, parent := range parents {
		d.tree[rows[i]].parent = noFrameNode
		if parent == nil {
			continue
		}
		up, ok := d.byID[string(j.frameID(parent))]
		if !ok {
			m := d.pending[i]
			j.log.add(problemFrameParent, m.Offset, trace.NoTime, m.Value)
			continue
		}
		d.tree[rows[i]].parent = up
	}
	d.pending = nil
}

// parseFrame reads one entry of stackFrames.
func (j *jsonBuild) parseFrame(v traceevent.Raw) (id trace.FrameID, parent traceevent.Raw) {
	frame := trace.Frame{Mapping: trace.NoMapping, RelPC: trace.NoInt, Line: trace.NoInt}
	if v.Kind() == traceevent.KindString {
		frame.Name = j.text(v)
		return j.frame(frame), nil
	}
	j.walk.visit(v, func(key []byte, value traceevent.Raw, _ int) bool {
		switch string(key) {
		case "name":
			frame.Name = j.text(value)
		case "category":
			frame.Category = j.text(value)
		case "parent":
			if parent = value; value.Kind() == traceevent.KindNull {
				parent = nil
			}
		case "file", "fileName", "url":
			frame.SourceFile = j.text(value)
		case "line", "lineNumber":
			frame.Line = integer(value)
		default: // what a frame is beyond these has no column
		}
		return true
	})
	return j.frame(frame), parent
}

// frame interns a frame.
func (j *jsonBuild) frame(f trace.Frame) trace.FrameID {
	s := &j.cold.stacks
	if id, ok := s.frames[f]; ok {
		return id
	}
	if s.frames == nil {
		s.frames = map[trace.Frame]trace.FrameID{}
	}
	id := trace.FrameID(len(j.t.Frames))
	j.t.Frames = append(j.t.Frames, f)
	s.frames[f] = id
	return id
}

// callsite interns a frame below its caller.
func (j *jsonBuild) callsite(parent trace.CallsiteID, frame trace.FrameID) trace.CallsiteID {
	s := &j.cold.stacks
	site := trace.Callsite{Parent: parent, Frame: frame}
	if parent != trace.NoCallsite {
		site.Depth = j.t.Callsites[parent].Depth + 1
	}
	if id, ok := s.sites[site]; ok {
		return id
	}
	if s.sites == nil {
		s.sites = map[trace.Callsite]trace.CallsiteID{}
	}
	id := trace.CallsiteID(len(j.t.Callsites))
	j.t.Callsites = append(j.t.Callsites, site)
	s.sites[site] = id
	return id
}

// siteOf is the callsite of a row of a tree. Each row is resolved once. Where
// the frames go round in circles, the row at which that is noticed is taken as
// outermost.
func (j *jsonBuild) siteOf(tree frameTree, row int32) trace.CallsiteID {
	if tree[row].state == frameResolved {
		return tree[row].site
	}
	var path []int32
	parent := trace.NoCallsite
	for at := row; at != noFrameNode; at = tree[at].parent {
		n := &tree[at]
		if n.state == frameResolved {
			parent = n.site
			break
		}
		if n.state == frameInProgress {
			j.log.add(problemFrameCycle, -1, trace.NoTime, j.in.Strings().Bytes(j.t.Frames[n.frame].Name))
			break
		}
		n.state = frameInProgress
		path = append(path, at)
	}
	for i := len(path) - 1; i >= 0; i-- {
		n := &tree[path[i]]
		parent = j.callsite(parent, n.frame)
		n.site, n.state = parent, frameResolved
	}
	return parent
}

// callsiteOfStack resolves a stack that is written out: an array of which the
// first element is the outermost frame, or a text with a line for each frame.
// Such texts are backtraces, which begin with the innermost.
func (j *jsonBuild) callsiteOfStack(stack traceevent.Raw) trace.CallsiteID {
	site := trace.NoCallsite
	switch stack.Kind() {
	case traceevent.KindArray:
		eachElement(stack, func(value traceevent.Raw, _ int) bool {
			site = j.callsite(site, j.namedFrame(j.text(value)))
			return true
		})
	case traceevent.KindString:
		text := stack.AppendText(nil)
		for end := len(text); end > 0; {
			start := bytes.LastIndexByte(text[:end], '\n') + 1
			if line := bytes.TrimSpace(text[start:end]); len(line) > 0 {
				site = j.callsite(site, j.namedFrame(j.in.Intern(line)))
			}
			end = start - 1
		}
	case traceevent.KindNull:
	default: // a number or an object is no stack
		j.log.add(problemBadStack, -1, trace.NoTime, stack)
	}
	return site
}

// namedFrame is a frame of which only the name is known; a name in hexadecimal
// form is an address.
func (j *jsonBuild) namedFrame(name trace.StringID) trace.FrameID {
	f := trace.Frame{Name: name, Mapping: trace.NoMapping, RelPC: trace.NoInt, Line: trace.NoInt}
	if pc, ok := hexAddress(j.in.Strings().Bytes(name)); ok {
		f.RelPC = pc
	}
	return j.frame(f)
}

// hexAddress reads 0x1234. Addresses beyond int64 keep their 64 bits.
func hexAddress(text []byte) (int64, bool) {
	if len(text) < 3 || text[0] != '0' || text[1]|0x20 != 'x' {
		return 0, false
	}
	n, ok := hexDigits(text[2:])
	return int64(n), ok
}

// hexDigits reads up to 16 significant hexadecimal digits.
func hexDigits(text []byte) (n uint64, ok bool) {
	for _, c := range text {
		var d byte
		switch {
		case c >= '0' && c <= '9':
			d = c - '0'
		case c|0x20 >= 'a' && c|0x20 <= 'f':
			d = c | 0x20 - 'a' + 10
		default:
			return 0, false
		}
		if n>>60 != 0 {
			return 0, false
		}
		n = n<<4 | uint64(d)
	}
	return n, len(text) > 0
}

// finishStacks resolves the frames that no event refers to, so that the tables
// hold all of stackFrames and every fault in it is found.
func (j *jsonBuild) finishStacks() { j.resolveFrames(&j.cold.stacks.dictionary) }

func (j *jsonBuild) resolveFrames(d *frameDictionary) {
	j.readFrames(d)
	for row := range d.tree {
		j.siteOf(d.tree, int32(row))
	}
}
