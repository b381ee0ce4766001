package trace

import "container/heap"

// AsyncKind says what an AsyncEvent does.
type AsyncKind uint8

// The kinds of async events.
const (
	AsyncBegin   AsyncKind = iota // opens a slice
	AsyncInstant                  // a slice without length
	AsyncEnd                      // closes the innermost open slice of its name, or the innermost when it has none
	AsyncStep                     // opens a step, which lasts to the next step or the end
	AsyncPast                     // ends a step, which began at the one before or at the begin
)

// AsyncEvent is one event of a tree of async slices.
type AsyncEvent struct {
	TS       int64
	ThreadTS int64 // NoTime when it has none
	Offset   int64 // in the input
	Thread   UTID
	Tree     uint32 // events of one tree have the same number
	Name     StringID
	Category StringID
	ID       StringID // as in the file
	Step     StringID // AsyncStep, AsyncPast: the step's name
	ArgSet   ArgSetID
	Kind     AsyncKind
}

// asyncSlices turns async events into slices.
type asyncSlices struct {
	events  []AsyncEvent
	run     *SliceRun
	join    func(begin, end ArgSetID)
	orphans Places

	open   []openAsync            // slices of the current tree that are open; closed ones are skipped
	byName map[StringID][]int     // indexes into open; nil while open is short
	roots  []asyncRoot            // of all trees
	first  int                    // first slice of the current tree in run
	lanes  map[laneOf]*asyncLanes // of all trees
}

type openAsync struct {
	event  int // index into events
	row    int // in run
	step   int // row of its open step, or -1
	past   int // event that its next past step begins at
	closed bool
}

// asyncRoot is an outermost slice with all of its tree that it touches.
type asyncRoot struct {
	start, end int64
	event      int // that it starts at; names its lane
}

// laneOf is what slices must share to be drawn on the same lanes.
type laneOf struct {
	thread         UTID
	category, name StringID
}

type asyncLanes struct {
	tracks []TrackID
	ends   laneHeap
}

// shallowAsync is how many open slices are searched before an index by name
// is made.
const shallowAsync = 32

// AsyncRun pairs async events, which are in the input's order, and returns
// their slices on new tracks as a run for SetSlices, and the ends that closed
// nothing. Trees that overlap lie on lanes of their own. join makes the args
// of an end part of those of its begin.
func (b *Builder) AsyncRun(events []AsyncEvent, join func(begin, end ArgSetID)) (*SliceRun, Places) {
	a := &asyncSlices{events: events, run: &SliceRun{Base: -1}, join: join, lanes: map[laneOf]*asyncLanes{}}
	for _, tree := range groupByTree(events) {
		a.tree(tree)
	}
	a.run.Remap(a.assignLanes(b), nil, nil, 0, 0)
	a.run.Sort()
	return a.run, a.orphans
}

// groupByTree lists the events of each tree in time order.
func groupByTree(events []AsyncEvent) [][]uint32 {
	return groupInTime(len(events),
		func(i int) int64 { return events[i].TS },
		func(i int) uint32 { return events[i].Tree })
}

// groupInTime sorts n things by time and groups them by a small number.
func groupInTime(n int, ts func(int) int64, group func(int) uint32) [][]uint32 {
	times := make([]int64, n)
	top := uint32(0)
	for i := range times {
		times[i] = ts(i)
		top = max(top, group(i)+1)
	}
	order := sortByTime(times)
	start := make([]uint32, top+1)
	for i := range n {
		start[group(i)+1]++
	}
	for g := range top {
		start[g+1] += start[g]
	}
	sorted := make([]uint32, n)
	fill := append([]uint32(nil), start...)
	for _, i := range order {
		g := group(int(i))
		sorted[fill[g]] = i
		fill[g]++
	}
	groups := make([][]uint32, 0, top)
	for g := range top {
		if start[g] < start[g+1] {
			groups = append(groups, sorted[start[g]:start[g+1]])
		}
	}
	return groups
}

func (a *asyncSlices) tree(events []uint32) {
	a.open, a.byName, a.first = a.open[:0], nil, a.run.Len()
	for _, i := range events {
		e := &a.events[i]
		switch e.Kind {
		case AsyncBegin:
			row := a.add(int(i), e.Name, Unfinished)
			a.push(openAsync{event: int(i), row: row, step: -1, past: int(i)})
		case AsyncInstant:
			a.add(int(i), e.Name, 0)
		case AsyncEnd:
			a.end(int(i))
		case AsyncStep, AsyncPast:
			a.step(int(i))
		default:
			a.orphans.Add(e.Offset, e.TS)
		}
	}
	a.markRoots()
}

// add makes a slice that starts at an event, whose number stands in the column of
// tracks until the tree has ended and its roots are known.
func (a *asyncSlices) add(event int, name StringID, dur int64) int {
	e := &a.events[event]
	a.run.Add(Complete, e.TS, dur, TrackID(event), name, e.Category, e.ArgSet, a.run.Base)
	a.run.SetThreadTime(e.ThreadTS, NoTime)
	if e.ID != 0 {
		a.run.SetCorrelationID(e.ID)
	}
	return a.run.Len() - 1
}

func (a *asyncSlices) push(o openAsync) {
	a.open = append(a.open, o)
	if a.byName != nil {
		name := a.events[o.event].Name
		a.byName[name] = append(a.byName[name], len(a.open)-1)
	}
}

// find returns the innermost open slice of a name, of any name for 0; nil when
// none is open. Closed slices at the top of the stack are dropped on the way.
func (a *asyncSlices) find(name StringID) *openAsync {
	for len(a.open) > 0 && a.open[len(a.open)-1].closed && a.byName == nil {
		a.open = a.open[:len(a.open)-1]
	}
	if a.byName != nil {
		return a.findIndexed(name)
	}
	for i := len(a.open) - 1; i >= 0; i-- {
		o := &a.open[i]
		if !o.closed && (name == 0 || a.events[o.event].Name == name) {
			return o
		}
		if len(a.open)-i == shallowAsync {
			a.byName = map[StringID][]int{}
			for j := range a.open {
				if !a.open[j].closed {
					n := a.events[a.open[j].event].Name
					a.byName[n] = append(a.byName[n], j)
				}
			}
			return a.findIndexed(name)
		}
	}
	return nil
}

func (a *asyncSlices) findIndexed(name StringID) *openAsync {
	if name == 0 {
		for i := len(a.open) - 1; i >= 0; i-- {
			if !a.open[i].closed {
				a.dropFromIndex(i)
				return &a.open[i]
			}
			a.open = a.open[:i]
		}
		return nil
	}
	if rows := a.byName[name]; len(rows) > 0 {
		return &a.open[rows[len(rows)-1]]
	}
	return nil
}

func (a *asyncSlices) dropFromIndex(i int) {
	name := a.events[a.open[i].event].Name
	if rows := a.byName[name]; len(rows) > 0 && rows[len(rows)-1] == i {
		a.byName[name] = rows[:len(rows)-1]
	}
}

func (a *asyncSlices) end(event int) {
	e := &a.events[event]
	o := a.find(e.Name)
	if o == nil {
		a.orphans.Add(e.Offset, e.TS)
		return
	}
	if a.byName != nil && e.Name != 0 {
		rows := a.byName[e.Name]
		a.byName[e.Name] = rows[:len(rows)-1]
	}
	o.closed = true
	r := a.run
	if o.step >= 0 {
		r.Dur[o.step] = e.TS - r.TS[o.step]
	}
	r.Dur[o.row] = e.TS - r.TS[o.row]
	if begin := a.events[o.event].ThreadTS; begin != NoTime && e.ThreadTS != NoTime {
		complete(&r.ThreadDur, r.Len(), true, NoTime)
		r.ThreadDur[o.row] = e.ThreadTS - begin
	}
	switch begin := r.ArgSet[o.row]; {
	case e.ArgSet == 0:
	case begin == 0:
		r.ArgSet[o.row] = e.ArgSet
	case a.join != nil:
		a.join(begin, e.ArgSet)
	}
}

func (a *asyncSlices) step(event int) {
	e := &a.events[event]
	o := a.find(e.Name)
	if o == nil {
		a.orphans.Add(e.Offset, e.TS)
		return
	}
	if e.Kind == AsyncStep {
		if o.step >= 0 {
			a.run.Dur[o.step] = e.TS - a.run.TS[o.step]
		}
		o.step = a.add(event, e.Step, Unfinished)
		return
	}
	from := a.events[o.past].TS
	o.past = event
	row := a.add(event, e.Step, e.TS-from)
	a.run.TS[row] = from
}

// markRoots finds the outermost slices of the tree that has ended: each shares
// its lane with all that starts before it and they end.
func (a *asyncSlices) markRoots() {
	r := a.run
	n := r.Len() - a.first
	rows := make([]uint32, n)
	for i, row := range sortByTime(r.TS[a.first:]) {
		rows[i] = uint32(a.first) + row
	}
	for i := 0; i < n; { // equal starts: the longer first
		j := i + 1
		for j < n && r.TS[rows[j]] == r.TS[rows[i]] {
			j++
		}
		sortGroup(rows[i:j], r)
		i = j
	}
	end := NoTime
	for i, row := range rows {
		start := r.TS[row]
		if i == 0 || start > end {
			a.roots = append(a.roots, asyncRoot{start: start, event: int(r.Track[row])})
			end = start
		}
		end = max(end, sliceEnd(start, r.Dur[row]))
		root := len(a.roots) - 1
		a.roots[root].end = end
		r.Track[row] = TrackID(root)
	}
}

// assignLanes gives each root a track, where it is alone for as long as it
// lasts: by thread, category and name, the lane that has been empty longest.
func (a *asyncSlices) assignLanes(b *Builder) []TrackID {
	starts := make([]int64, len(a.roots))
	for i, root := range a.roots {
		starts[i] = root.start
	}
	tracks := make([]TrackID, len(a.roots))
	for _, i := range sortByTime(starts) {
		e := &a.events[a.roots[i].event]
		of := laneOf{e.Thread, e.Category, e.Name}
		l := a.lanes[of]
		if l == nil {
			l = &asyncLanes{}
			a.lanes[of] = l
		}
		root := a.roots[i]
		if len(l.ends) > 0 && l.ends[0].end < root.start {
			tracks[i] = l.tracks[l.ends[0].number]
			l.ends[0].end = root.end
			heap.Fix(&l.ends, 0)
			continue
		}
		t := NewTrack(TrackAsync)
		t.Name, t.Category, t.Thread = e.Name, e.Category, e.Thread
		t.Process = b.t.Threads[e.Thread].Process
		tracks[i] = b.AddTrack(t)
		l.tracks = append(l.tracks, tracks[i])
		heap.Push(&l.ends, lane{root.end, len(l.tracks) - 1})
	}
	return tracks
}
