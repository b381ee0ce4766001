package load

import (
	"github.com/weft-trace/weft/trace"
	"github.com/weft-trace/weft/traceevent"
)

// v8Nodes is the tree of calls of a profile. A node's caller is named by the
// node (parent), or names it among its children; in the oldest form the
// children lie in their parent. All of it is read in one pass, at any depth.
type v8Nodes struct {
	tree    frameTree
	byID    map[int64]int32 // rows of tree
	parents []v8Edge        // row of a node, id of its parent
	kids    []v8Edge        // row of a node, id of a child
	levels  []v8Level
}

type v8Edge struct {
	row   int32
	other int64
}

// v8Level is a container that is open.
type v8Level struct {
	kind v8LevelKind
	row  int32 // of the node that it belongs to
	key  v8Key // the member being read
	node v8Node
}

type v8LevelKind uint8

const (
	v8NodeLevel     v8LevelKind = iota
	v8CallLevel                 // a node's callFrame
	v8ChildrenLevel             // a node's children, or the array of all nodes
)

// v8Node is what a node's members say.
type v8Node struct {
	function, url, code trace.StringID
	line                int64
}

type v8Key uint8

const (
	v8Other v8Key = iota
	v8ID
	v8Parent
	v8Children
	v8CallFrame
	v8Function
	v8URL
	v8Line
	v8Code
)

var v8Keys = map[string]v8Key{
	`"id"`: v8ID, `"parent"`: v8Parent, `"children"`: v8Children, `"callFrame"`: v8CallFrame,
	`"functionName"`: v8Function, `"url"`: v8URL, `"lineNumber"`: v8Line, `"codeType"`: v8Code,
}

// readNodes adds the nodes of a chunk.
func (j *jsonBuild) readNodes(n *v8Nodes, v traceevent.Raw) {
	if n.byID == nil {
		n.byID = map[int64]int32{}
	}
	n.levels = n.levels[:0]
	tok := traceevent.NewTokenizer(v)
	for {
		kind := tok.Next()
		var in *v8Level
		if len(n.levels) > 0 {
			in = &n.levels[len(n.levels)-1]
		}
		switch kind {
		case traceevent.TokenEnd, traceevent.TokenInvalid:
			for len(n.levels) > 0 { // only where the text breaks off
				j.endLevel(n)
			}
			return
		case traceevent.TokenKey:
			in.key = v8Keys[string(tok.Raw())]
		case traceevent.TokenObjectStart:
			switch {
			case in == nil, in.kind == v8ChildrenLevel:
				n.begin(in)
			case in.key == v8CallFrame:
				n.levels = append(n.levels, v8Level{kind: v8CallLevel, row: in.row, node: in.node})
			default: // says nothing about the calls
				tok.Skip()
			}
		case traceevent.TokenArrayStart:
			switch {
			case in == nil:
				n.levels = append(n.levels, v8Level{kind: v8ChildrenLevel, row: noFrameNode})
			case in.kind == v8NodeLevel && in.key == v8Children:
				n.levels = append(n.levels, v8Level{kind: v8ChildrenLevel, row: in.row})
			default: // positionTicks and such
				tok.Skip()
			}
		case traceevent.TokenObjectEnd, traceevent.TokenArrayEnd:
			j.endLevel(n)
		default: // a scalar
			if in != nil {
				j.nodeMember(n, in, tok.Raw())
			}
		}
	}
}

// begin starts a node, whose parent is the one in whose children it lies.
func (n *v8Nodes) begin(in *v8Level) {
	parent := int32(noFrameNode)
	if in != nil {
		parent = in.row
	}
	row := int32(len(n.tree))
	n.tree = append(n.tree, frameNode{parent: parent})
	n.levels = append(n.levels, v8Level{row: row, node: v8Node{line: trace.NoInt}})
}

// endLevel takes what a container said to where it belongs.
func (j *jsonBuild) endLevel(n *v8Nodes) {
	last := len(n.levels) - 1
	l := n.levels[last]
	n.levels = n.levels[:last]
	switch l.kind {
	case v8NodeLevel:
		n.tree[l.row].frame = j.frame(trace.Frame{
			Name: l.node.function, SourceFile: l.node.url, Category: l.node.code, Line: l.node.line,
			Mapping: trace.NoMapping, RelPC: trace.NoInt,
		})
	case v8CallLevel:
		n.levels[last-1].node = l.node
	default: // children have been added one by one
	}
}

// nodeMember reads a scalar.
func (j *jsonBuild) nodeMember(n *v8Nodes, in *v8Level, v traceevent.Raw) {
	if in.kind == v8ChildrenLevel {
		if id, ok := v.Int64(); ok && in.row != noFrameNode {
			n.kids = append(n.kids, v8Edge{in.row, id})
		}
		return
	}
	switch in.key {
	case v8ID:
		if id, ok := v.Int64(); ok && in.kind == v8NodeLevel {
			n.byID[id] = in.row
		}
	case v8Parent:
		if id, ok := v.Int64(); ok && in.kind == v8NodeLevel {
			n.parents = append(n.parents, v8Edge{in.row, id})
		}
	case v8Function:
		in.node.function = j.text(v)
	case v8URL:
		in.node.url = j.text(v)
	case v8Code:
		in.node.code = j.text(v)
	case v8Line: // V8 counts them from 0
		if line, ok := v.Int64(); ok && line >= 0 && line < 1<<40 {
			in.node.line = line + 1
		}
	default: // column, script, ticks: no columns for them
	}
}

// linkNodes gives the nodes their parents, once all are there. The root, which
// stands for no function, is no part of the callstacks.
func (j *jsonBuild) linkNodes(n *v8Nodes, offset int64) {
	for _, e := range n.parents {
		parent, ok := n.byID[e.other]
		if !ok {
			j.log.add(problemProfileParent, offset, trace.NoTime, nil)
			continue
		}
		n.tree[e.row].parent = parent
	}
	for _, e := range n.kids {
		child, ok := n.byID[e.other]
		if !ok {
			j.log.add(problemProfileParent, offset, trace.NoTime, nil)
			continue
		}
		n.tree[child].parent = e.row
	}
	rootName := j.in.InternString("(root)")
	root := make([]bool, len(n.tree))
	for i, node := range n.tree {
		root[i] = node.parent == noFrameNode && j.t.Frames[node.frame].Name == rootName
	}
	for i := range n.tree {
		if p := n.tree[i].parent; p != noFrameNode && root[p] {
			n.tree[i].parent = noFrameNode
		}
	}
	n.parents, n.kids = nil, nil
}
