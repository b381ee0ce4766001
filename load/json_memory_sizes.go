package load

import (
	"cmp"
	"math"
	"slices"

	"github.com/weft-trace/weft/trace"
)

// The size of an allocator that gives none is that of its children, or of its
// largest owner if that is more; one that owns what belongs to the system has
// the size of that. Its effective size is its size without what
// others own of it: the owners of highest importance take their share first,
// owners of equal importance share evenly what they have in common. A weak
// allocator, one that is part of a weak one, or one that owns a weak one takes
// no part.

// graphNode is what sizing needs of a node.
type graphNode struct {
	children []int32
	owners   []int32 // nodes that own this one
	owns     int32   // the node that this one owns
	rank     int64   // importance of that
	mark     nodeMark

	unspecified int64   // size that no child has
	notOwning   int64   // size without what lies in nodes that it owns
	notOwned    int64   // size without what others own
	owning      float64 // share of the owned node that is this one's
	owned       float64 // share of this node that no owner took
	cumOwning   float64
	cumOwned    float64
}

type nodeMark uint8

const (
	nodeNew nodeMark = iota
	nodeOpen
	nodeDone
)

// sizeMemory completes sizes and effective sizes.
func (j *jsonBuild) sizeMemory(g *memoryGraph) {
	for i := range g.nodes {
		n := &g.nodes[i]
		n.owns, n.owning, n.owned, n.cumOwning, n.cumOwned = noMemoryNode, 1, 1, 1, 1
		if n.parent != noMemoryNode {
			up := &g.nodes[n.parent]
			up.children = append(up.children, int32(i))
		}
	}
	for _, e := range g.edges {
		source, ok1 := g.byGUID[e.source]
		target, ok2 := g.byGUID[e.target]
		if !ok1 || !ok2 || source == target || g.nodes[source].owns != noMemoryNode {
			j.log.add(problemMemoryEdge, e.offset, trace.NoTime, []byte(e.source+" owns "+e.target))
			continue
		}
		g.nodes[source].owns, g.nodes[source].rank = target, e.importance
		g.nodes[target].owners = append(g.nodes[target].owners, source)
	}
	order := j.memoryOrder(g)
	for _, i := range slices.Backward(order) {
		g.inherit(i)
	}
	for _, i := range order {
		g.size(i)
		g.subSizes(i)
		g.shareAmongOwners(i)
	}
	for _, i := range slices.Backward(order) {
		g.accumulate(i)
	}
	for _, i := range order {
		g.effective(i)
	}
}

// memoryOrder lists all nodes, each after its children and its owners, save for
// one link of each circle that these make.
func (j *jsonBuild) memoryOrder(g *memoryGraph) []int32 {
	order := make([]int32, 0, len(g.nodes))
	type visit struct{ node, next int32 }
	var stack []visit
	for i := range g.nodes {
		if g.nodes[i].mark != nodeNew {
			continue
		}
		stack = append(stack, visit{node: int32(i)})
		g.nodes[i].mark = nodeOpen
		for len(stack) > 0 {
			v := &stack[len(stack)-1]
			n := &g.nodes[v.node]
			k := int(v.next)
			if k == len(n.children)+len(n.owners) {
				n.mark = nodeDone
				order = append(order, v.node)
				stack = stack[:len(stack)-1]
				continue
			}
			v.next++
			next := int32(0)
			if k < len(n.children) {
				next = n.children[k]
			} else {
				next = n.owners[k-len(n.children)]
			}
			switch g.nodes[next].mark {
			case nodeNew:
				g.nodes[next].mark = nodeOpen
				stack = append(stack, visit{node: next})
			case nodeOpen:
				j.log.add(problemMemoryCycle, -1, j.t.MemorySnapshots[n.snapshot].TS, j.in.Strings().Bytes(n.path))
			default: // done
			}
		}
	}
	return order
}

// inherit hands on what a node has from the one above it and the one it owns:
// weakness, and the size of what belongs to the system.
func (g *memoryGraph) inherit(i int32) {
	n := &g.nodes[i]
	if n.parent != noMemoryNode && g.nodes[n.parent].weak {
		n.weak = true
	}
	if n.owns == noMemoryNode {
		return
	}
	owned := &g.nodes[n.owns]
	n.weak = n.weak || owned.weak
	if n.size == trace.NoInt && owned.snapshot == g.whole {
		n.size = owned.size
	}
}

// sized tells whether a node takes part: it has a size and isn't weak.
func (n *memoryNode) sized() bool { return n.size != trace.NoInt && !n.weak }

// size completes a node's size.
func (g *memoryGraph) size(i int32) {
	n := &g.nodes[i]
	children, any := int64(0), false
	for _, c := range n.children {
		if g.nodes[c].sized() {
			any = true
			children = addSizes(children, g.below(i, c))
		}
	}
	if n.size == trace.NoInt {
		largest := g.largestOwner(n)
		if !any && largest == trace.NoInt {
			return
		}
		n.size = max(children, largest)
	}
	if any && n.size > children {
		n.unspecified = n.size - children
	}
}

// below is what a node adds to the size of one above it: not what lies in
// another node there, which it owns. Trees are at most maxMemoryDepth deep.
func (g *memoryGraph) below(root, i int32) int64 {
	n := &g.nodes[i]
	if !n.sized() || n.owns != noMemoryNode && g.liesIn(n.owns, root) {
		return 0
	}
	sum, leaf := n.unspecified, true
	for _, c := range n.children {
		if g.nodes[c].sized() {
			sum, leaf = addSizes(sum, g.below(root, c)), false
		}
	}
	if leaf {
		return n.size
	}
	return sum
}

// liesIn tells whether a node is below another.
func (g *memoryGraph) liesIn(i, root int32) bool {
	for i != noMemoryNode && i != root {
		i = g.nodes[i].parent
	}
	return i == root
}

// largestOwner is the size of a node's largest owner; NoInt when it has none.
func (g *memoryGraph) largestOwner(n *memoryNode) int64 {
	largest := trace.NoInt
	for _, o := range n.owners {
		if owner := &g.nodes[o]; owner.sized() {
			largest = max(largest, owner.size)
		}
	}
	return largest
}

// subSizes finds what of a node's size is in no node that it owns, and what
// nobody else owns.
func (g *memoryGraph) subSizes(i int32) {
	n := &g.nodes[i]
	if !n.sized() {
		return
	}
	leaf := true
	for _, c := range n.children {
		child := &g.nodes[c]
		if !child.sized() {
			continue
		}
		leaf = false
		if child.owns == noMemoryNode {
			n.notOwning = addSizes(n.notOwning, child.notOwning)
		}
		if len(child.owners) == 0 {
			n.notOwned = addSizes(n.notOwned, child.notOwned)
		} else {
			n.notOwned = addSizes(n.notOwned, max(0, child.size-max(0, g.largestOwner(child))))
		}
	}
	if leaf {
		n.notOwning, n.notOwned = n.size, n.size
		return
	}
	n.notOwning = addSizes(n.notOwning, n.unspecified)
	n.notOwned = addSizes(n.notOwned, n.unspecified)
}

// shareAmongOwners gives each owner of a node its share of it.
func (g *memoryGraph) shareAmongOwners(i int32) {
	n := &g.nodes[i]
	if !n.sized() || len(n.owners) == 0 {
		return
	}
	var owners []int32
	for _, o := range n.owners {
		if g.nodes[o].sized() {
			owners = append(owners, o)
		}
	}
	slices.SortStableFunc(owners, func(a, b int32) int {
		x, y := &g.nodes[a], &g.nodes[b]
		return cmp.Or(cmp.Compare(y.rank, x.rank), cmp.Compare(x.notOwning, y.notOwning))
	})
	taken := int64(0)
	for len(owners) > 0 {
		peers := 1
		for peers < len(owners) && g.nodes[owners[peers]].rank == g.nodes[owners[0]].rank {
			peers++
		}
		share := 0.0
		for k, o := range owners[:peers] {
			owner := &g.nodes[o]
			if owner.notOwning > taken {
				share += float64(owner.notOwning-taken) / float64(peers-k)
				taken = owner.notOwning
			}
			if owner.notOwning > 0 {
				owner.owning = share / float64(owner.notOwning)
			}
		}
		owners = owners[peers:]
	}
	if n.notOwned > 0 {
		n.owned = max(0, float64(n.notOwned-taken)/float64(n.notOwned))
	}
}

// accumulate hands the shares down the tree, and to the owners.
func (g *memoryGraph) accumulate(i int32) {
	n := &g.nodes[i]
	n.cumOwning, n.cumOwned = 1, n.owned
	if n.parent != noMemoryNode {
		up := &g.nodes[n.parent]
		n.cumOwning, n.cumOwned = up.cumOwning, up.cumOwned*n.owned
	}
	if n.owns != noMemoryNode {
		n.cumOwning = n.owning * g.nodes[n.owns].cumOwning
	}
}

// effective completes a node's effective size.
func (g *memoryGraph) effective(i int32) {
	n := &g.nodes[i]
	if n.given || n.size == trace.NoInt {
		return
	}
	if n.weak {
		n.effective = 0
		return
	}
	sum, leaf := int64(0), true
	for _, c := range n.children {
		if child := &g.nodes[c]; child.sized() && child.effective != trace.NoInt {
			sum, leaf = addSizes(sum, child.effective), false
		}
	}
	own := n.size
	if !leaf {
		own = n.unspecified
	}
	n.effective = addSizes(sum, roundSize(float64(own)*n.cumOwning*n.cumOwned))
}

// addSizes adds sizes, at most to what int64 holds.
func addSizes(a, b int64) int64 {
	if sum := a + b; sum >= a {
		return sum
	}
	return math.MaxInt64
}

// roundSize is a number of bytes.
func roundSize(x float64) int64 {
	if x >= math.MaxInt64 {
		return math.MaxInt64
	}
	return int64(math.Round(x))
}
