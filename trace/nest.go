package trace

import (
	"container/heap"
	"math"
)

// nesting finds each slice's depth and parent. Tracks are independent of one
// another, so each worker takes those whose number is its own modulo the
// workers, and walks the slices in time order.
//
// A slice is the child of the innermost open one that contains it. One that
// starts within another and truly outlasts it overlaps: it is kept whole on an
// overflow track.
type nesting struct {
	s         *Slices
	worker    uint32
	workers   uint32
	tolerance int64 // a child may outlast its parent by less than this

	frames []frame // every open slice; a free frame's row is the next free one
	free   uint32
	top    []uint32 // by track of this worker: its innermost open slice's frame
	lanes  map[TrackID]*overflow
	moved  []overflowed
}

// frame is an open slice. Its end is cut to that of its parent, so that a
// child that outlasts its parent by a rounding does not hold later slices.
type frame struct {
	end   int64
	row   uint32
	under uint32 // frame of the slice that it lies in
	depth uint32
}

const noFrame = ^uint32(0)

// overflow is the lanes of one track that take the slices that overlap.
type overflow struct {
	tops []uint32 // by lane: its innermost open slice's frame
	ends laneHeap // the lanes by the end of what they hold
	last int      // lane used last: what follows often nests in it
}

type lane struct {
	end    int64
	number int
}

type laneHeap []lane

func (h laneHeap) Len() int { return len(h) }
func (h laneHeap) Less(i, j int) bool {
	return h[i].end < h[j].end || h[i].end == h[j].end && h[i].number < h[j].number
}
func (h laneHeap) Swap(i, j int) { h[i], h[j] = h[j], h[i] }
func (h *laneHeap) Push(x any)   { *h = append(*h, x.(lane)) }
func (h *laneHeap) Pop() any {
	old := *h
	x := old[len(old)-1]
	*h = old[:len(old)-1]
	return x
}

// overflowed is a slice that was moved to a lane of its track's overflow.
type overflowed struct {
	row   uint32
	track TrackID
	lane  int
}

// nest fills the columns Depth and Parent for the slices of all tracks and
// returns those that need an overflow track.
func nest(s *Slices, tracks int, tolerance int64, workers int) []overflowed {
	n := s.Len()
	s.Depth = make([]uint32, n)
	s.Parent = make([]SliceID, n)
	found := make([]*nesting, workers)
	parallel(workers, workers, func(w int) {
		ns := &nesting{s: s, worker: uint32(w), workers: uint32(workers), tolerance: tolerance, free: noFrame}
		ns.top = make([]uint32, tracks/workers+1)
		for i := range ns.top {
			ns.top[i] = noFrame
		}
		ns.all()
		found[w] = ns
	})
	var moved []overflowed
	for _, ns := range found {
		moved = append(moved, ns.moved...)
	}
	return moved
}

func (ns *nesting) all() {
	s := ns.s
	for row, track := range s.Track {
		if ns.workers > 1 && uint32(track)%ns.workers != ns.worker {
			continue
		}
		start, end := s.TS[row], sliceEnd(s.TS[row], s.Dur[row])
		top := &ns.top[uint32(track)/ns.workers]
		if ns.place(top, uint32(row), start, end) {
			continue
		}
		ns.overflow(track, uint32(row), start, end)
	}
}

// sliceEnd is when a slice ends: never, when it did not finish.
func sliceEnd(start, dur int64) int64 {
	if dur < 0 || start > math.MaxInt64-dur {
		return math.MaxInt64
	}
	return start + dur
}

// place nests a slice on the stack whose innermost frame is *top. It says
// false, and leaves the stack with what is still open, when the slice overlaps
// that.
func (ns *nesting) place(top *uint32, row uint32, start, end int64) bool {
	for *top != noFrame {
		f := &ns.frames[*top]
		if start < f.end || start == f.end && end == start {
			if end <= f.end || end-f.end < ns.tolerance {
				ns.s.Parent[row] = SliceID(f.row)
				depth := f.depth + 1
				ns.s.Depth[row] = depth
				*top = ns.open(row, min(end, f.end), *top, depth)
				return true
			}
			return false
		}
		under := f.under
		f.row, ns.free = ns.free, *top
		*top = under
	}
	ns.s.Parent[row] = NoSlice
	ns.s.Depth[row] = 0
	*top = ns.open(row, end, noFrame, 0)
	return true
}

func (ns *nesting) open(row uint32, end int64, under, depth uint32) uint32 {
	f := frame{end: end, row: row, under: under, depth: depth}
	if at := ns.free; at != noFrame {
		ns.free = ns.frames[at].row
		ns.frames[at] = f
		return at
	}
	ns.frames = append(ns.frames, f)
	return uint32(len(ns.frames) - 1)
}

// overflow puts a slice on the first lane that has room: the one used last,
// where it may nest, else the one that has been empty for longest, else a new
// one.
func (ns *nesting) overflow(track TrackID, row uint32, start, end int64) {
	if ns.lanes == nil {
		ns.lanes = map[TrackID]*overflow{}
	}
	o := ns.lanes[track]
	if o == nil {
		o = &overflow{last: -1}
		ns.lanes[track] = o
	}
	number := o.last
	if number < 0 || o.tops[number] == noFrame || !ns.nestsIn(&o.tops[number], row, start, end) {
		if len(o.ends) > 0 && o.ends[0].end <= start {
			number = o.ends[0].number
			o.ends[0].end = end
			heap.Fix(&o.ends, 0)
		} else {
			number = len(o.tops)
			o.tops = append(o.tops, noFrame)
			heap.Push(&o.ends, lane{end, number})
		}
		ns.clear(&o.tops[number])
		ns.place(&o.tops[number], row, start, end)
	}
	o.last = number
	ns.moved = append(ns.moved, overflowed{row, track, number})
}

// nestsIn places a slice on a lane only if something there contains it.
func (ns *nesting) nestsIn(top *uint32, row uint32, start, end int64) bool {
	for *top != noFrame && ns.frames[*top].end <= start {
		under := ns.frames[*top].under
		ns.frames[*top].row, ns.free = ns.free, *top
		*top = under
	}
	return *top != noFrame && ns.place(top, row, start, end)
}

// clear closes whatever is still on a lane that has ended.
func (ns *nesting) clear(top *uint32) {
	for *top != noFrame {
		under := ns.frames[*top].under
		ns.frames[*top].row, ns.free = ns.free, *top
		*top = under
	}
}
