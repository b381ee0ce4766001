package load

import (
	"bytes"

	"github.com/weft-trace/weft/trace"
	"github.com/weft-trace/weft/traceevent"
)

// memoryGraph is what the allocators of all processes had at one dump: a tree
// for each process and one for the system, and who owns what of whom.
type memoryGraph struct {
	whole  uint32 // row of the system's snapshot; noSnapshotRow when there is none
	nodes  []memoryNode
	byPath map[memoryPath]int32
	byGUID map[string]int32
	edges  []memoryEdge

	walkPaths, walkDump, walkAttrs memberWalk
}

type memoryPath struct {
	snapshot uint32
	path     trace.StringID
}

// memoryNode is one allocator of one process.
type memoryNode struct {
	snapshot  uint32
	parent    int32 // noMemoryNode for a root
	path      trace.StringID
	size      int64 // bytes; NoInt when not given nor known
	effective int64
	given     bool // effective was given
	named     bool // a dump names it; it isn't only on the way to one
	weak      bool
	args      trace.ArgSetID
	graphNode
}

const (
	noMemoryNode  = -1
	noSnapshotRow = ^uint32(0)
)

// memoryEdge says that one allocator's memory is part of another's.
type memoryEdge struct {
	source, target string // guids
	importance     int64
	offset         int64
}

// Paths longer or deeper than these have no nodes made for their parents:
// these would take the square of the path.
const (
	maxMemoryPath  = 4096
	maxMemoryDepth = 64
)

func newMemoryGraph() *memoryGraph {
	return &memoryGraph{whole: noSnapshotRow, byPath: map[memoryPath]int32{}, byGUID: map[string]int32{}}
}

// node is the node of a path, which it makes with all above it.
func (g *memoryGraph) node(j *jsonBuild, snapshot uint32, path []byte) int32 {
	key := memoryPath{snapshot, j.in.Intern(path)}
	if n, ok := g.byPath[key]; ok {
		return n
	}
	parent := int32(noMemoryNode)
	if slash := bytes.LastIndexByte(path, '/'); slash > 0 && len(path) <= maxMemoryPath &&
		bytes.Count(path, []byte{'/'}) < maxMemoryDepth {
		parent = g.node(j, snapshot, path[:slash])
	}
	n := int32(len(g.nodes))
	g.byPath[key] = n
	g.nodes = append(g.nodes, memoryNode{
		snapshot: snapshot, parent: parent, path: key.path, size: trace.NoInt, effective: trace.NoInt,
	})
	return n
}

// memoryNode reads the dump of one allocator. Several processes may dump an
// allocator of the system: what the first says counts.
func (j *jsonBuild) memoryNode(g *memoryGraph, snapshot uint32, path []byte, dump traceevent.Raw, offset int64) {
	row := g.node(j, snapshot, path)
	n := &g.nodes[row]
	var guid, attrs traceevent.Raw
	flags := int64(0)
	g.walkDump.visit(dump, func(key []byte, value traceevent.Raw, _ int) bool {
		switch string(key) {
		case "guid":
			guid = value
		case "flags":
			flags, _ = value.Int64()
		case "attrs":
			attrs = value
		default: // stays in the args
		}
		return true
	})
	weak := flags&1 != 0
	n.weak = weak && (n.weak || !n.named)
	if !n.named {
		n.named = true
		n.args = j.argsFrom("args", offset)
	}
	if guid != nil {
		g.byGUID[string(guid.AppendText(nil))] = row
	}
	g.walkAttrs.visit(attrs, func(key []byte, value traceevent.Raw, _ int) bool {
		switch string(key) {
		case "size":
			j.memorySize(&n.size, value, offset)
		case "effective_size":
			j.memorySize(&n.effective, value, offset)
			n.given = n.effective != trace.NoInt
		default: // stays in the args
		}
		return true
	})
}

// memorySize reads an attribute {"type": "scalar", "units": "bytes", "value":
// "1a0"} into what has no value yet.
func (j *jsonBuild) memorySize(to *int64, attr traceevent.Raw, offset int64) {
	value := j.member(attr, "value")
	if value == nil || *to != trace.NoInt {
		return
	}
	n, ok := hexNumber(value)
	if !ok || n >= 1<<63 {
		j.log.add(problemMemorySize, offset, trace.NoTime, attr)
		return
	}
	*to = int64(n)
}

// memoryEdge reads one entry of allocators_graph.
func (j *jsonBuild) memoryEdge(g *memoryGraph, edge traceevent.Raw, offset int64) {
	e := memoryEdge{offset: offset}
	kind := ""
	j.walk.visit(edge, func(key []byte, value traceevent.Raw, _ int) bool {
		switch string(key) {
		case "source":
			e.source = string(value.AppendText(nil))
		case "target":
			e.target = string(value.AppendText(nil))
		case "importance":
			e.importance, _ = value.Int64()
		case "type":
			kind = string(value.AppendText(nil))
		default: // no more is known of edges
		}
		return true
	})
	if kind != "ownership" {
		j.log.add(problemMemoryEdge, offset, trace.NoTime, edge)
		return
	}
	g.edges = append(g.edges, e)
}

// addMemoryNodes makes rows of the nodes.
func (j *jsonBuild) addMemoryNodes(g *memoryGraph) {
	first := uint32(len(j.t.MemoryNodes))
	for i := range g.nodes {
		n := &g.nodes[i]
		row := trace.MemoryNode{
			Snapshot: n.snapshot, Parent: ^uint32(0), Path: n.path, Size: n.size,
			EffectiveSize: n.effective, ArgSet: n.args,
		}
		if n.parent != noMemoryNode {
			row.Parent = first + uint32(n.parent)
		}
		j.t.MemoryNodes = append(j.t.MemoryNodes, row)
	}
}
