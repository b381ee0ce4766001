package trace

import (
	"cmp"
	"slices"
)

// FlowKind says what a FlowPoint does.
type FlowKind uint8

// The kinds of flow points.
const (
	FlowStart FlowKind = iota // the first point of a chain
	FlowStep                  // a point in between
	FlowEnd                   // the last point of a chain
)

// FlowPoint is one event of a chain of arrows between slices.
type FlowPoint struct {
	TS       int64
	Offset   int64 // in the input
	Thread   UTID
	Chain    uint32 // points of one chain have the same number, as have those of later chains with the same id
	ID       StringID
	Name     StringID
	Category StringID
	ArgSet   ArgSetID
	Kind     FlowKind
	Next     bool // binds to the next slice that starts, not to the one around it
}

// Link ties a slice, known by its tag, to the flow of an id: as a producer, a
// consumer or both.
type Link struct {
	Tag      uint32
	Chain    uint32 // links of one id have the same number
	ID       StringID
	Out, In  bool
	Offset   int64
	Category StringID
}

// FlowReport is what BindFlows found.
type FlowReport struct {
	Unbound Places // points that no slice is near
	Orphans Places // points whose chain never started, starts of a chain that goes on, and starts that nothing followed
}

// BindFlows adds the arrows of all chains. Slices must have been set before.
// join makes the args of an arrow's second point part of those of its first.
func (b *Builder) BindFlows(points []FlowPoint, join func(first, second ArgSetID)) FlowReport {
	var report FlowReport
	bound := b.bindPoints(points)
	chains := groupInTime(len(points),
		func(i int) int64 { return points[i].TS },
		func(i int) uint32 { return points[i].Chain })
	for _, chain := range chains {
		b.chain(points, bound, chain, join, &report)
	}
	return report
}

// chain draws the arrows of all chains that share an id, one after the other.
func (b *Builder) chain(points []FlowPoint, bound []SliceID, order []uint32, join func(first, second ArgSetID), report *FlowReport) {
	last := -1 // the point that the next arrow starts at; its id is not free
	drawn := false
	for _, i := range order {
		p := &points[i]
		switch {
		case bound[i] == NoSlice: // it is as if it were not there
			report.Unbound.Add(p.Offset, p.TS)
			continue
		case p.Kind == FlowStart && last < 0:
			last, drawn = int(i), false
			continue
		case p.Kind == FlowStart || last < 0:
			report.Orphans.Add(p.Offset, p.TS)
			continue
		}
		drawn = true
		from := &points[last]
		args := from.ArgSet
		switch {
		case args == 0:
			args = p.ArgSet
		case p.ArgSet != 0 && join != nil:
			join(args, p.ArgSet)
		}
		b.t.Flows = append(b.t.Flows, Flow{
			Out: bound[last], In: bound[i], TSOut: from.TS, TSIn: p.TS,
			ID: p.ID, Name: p.Name, Category: p.Category, ArgSet: args,
		})
		last = int(i)
		if p.Kind == FlowEnd {
			last = -1
		}
	}
	if last >= 0 && !drawn {
		report.Orphans.Add(points[last].Offset, points[last].TS)
	}
}

// bindPoints finds the slice of each point.
func (b *Builder) bindPoints(points []FlowPoint) []SliceID {
	bound := make([]SliceID, len(points))
	for i := range bound {
		bound[i] = NoSlice
	}
	if len(points) == 0 {
		return bound
	}
	byTrack := map[TrackID][]uint32{}
	wanted := make([]bool, len(b.t.Tracks))
	for i := range points {
		track := b.threadTracks[points[i].Thread]
		if track == NoTrack {
			continue
		}
		byTrack[track] = append(byTrack[track], uint32(i))
		wanted[track] = true
	}
	overflow := map[TrackID][]TrackID{}
	for id := range b.t.Tracks {
		if t := &b.t.Tracks[id]; t.Type == TrackOverflow && wanted[t.Parent] {
			overflow[t.Parent] = append(overflow[t.Parent], TrackID(id))
			wanted[id] = true
		}
	}
	rows := b.rowsByTrack(wanted)
	var ties []tie
	for _, track := range sortedKeys(byTrack) {
		mine := byTrack[track]
		slices.SortStableFunc(mine, func(a, c uint32) int { return cmp.Compare(points[a].TS, points[c].TS) })
		ties = append(ties, b.sweep(points, mine, rows[track], bound)...)
		// What nothing on the thread's own track is near may be near what
		// overlapped there.
		for _, lane := range overflow[track] {
			ties = append(ties, b.sweep(points, mine, rows[lane], bound)...)
		}
	}
	b.breakTies(ties, bound)
	return bound
}

// rowsByTrack lists the slices of each wanted track in time order.
func (b *Builder) rowsByTrack(wanted []bool) [][]SliceID {
	count := make([]int, len(wanted))
	for _, track := range b.t.Slices.Track {
		if wanted[track] {
			count[track]++
		}
	}
	rows := make([][]SliceID, len(wanted))
	for track, n := range count {
		if n > 0 {
			rows[track] = make([]SliceID, 0, n)
		}
	}
	for row, track := range b.t.Slices.Track {
		if wanted[track] {
			rows[track] = append(rows[track], SliceID(row))
		}
	}
	return rows
}

// tie is a point that could bind to any of several slices that start together:
// the one that is earliest in the input wins.
type tie struct {
	point uint32
	rows  []SliceID
}

// sweep walks a track's slices and its points, both in time order, and binds
// each point that is not bound yet: to the deepest slice around it, both edges
// included, or to the next one that starts at its time or later.
func (b *Builder) sweep(points []FlowPoint, mine []uint32, rows []SliceID, bound []SliceID) []tie {
	s := &b.t.Slices
	var ties []tie
	around := NoSlice // innermost slice that started last
	seen := 0         // rows that started at or before the point
	next := 0         // first row that starts at or after the point
	for _, i := range mine {
		ts := points[i].TS
		for seen < len(rows) && s.TS[rows[seen]] <= ts {
			around = rows[seen]
			seen++
		}
		for around != NoSlice && sliceEnd(s.TS[around], s.Dur[around]) < ts {
			around = s.Parent[around]
		}
		if bound[i] != NoSlice {
			continue
		}
		if !points[i].Next {
			bound[i] = around
			continue
		}
		for next < len(rows) && s.TS[rows[next]] < ts {
			next++
		}
		if next == len(rows) {
			continue
		}
		bound[i] = rows[next]
		same := next + 1
		for same < len(rows) && s.TS[rows[same]] == s.TS[rows[next]] && same-next < maxTied {
			same++
		}
		if same-next > 1 {
			ties = append(ties, tie{i, rows[next:same]})
		}
	}
	return ties
}

// maxTied bounds how many slices with one start are compared for one point.
const maxTied = 64

func (b *Builder) breakTies(ties []tie, bound []SliceID) {
	var rows []SliceID
	for _, t := range ties {
		rows = append(rows, t.rows...)
	}
	offsets := b.sliceOffsets(rows)
	for _, t := range ties {
		best := 0
		for i := range t.rows {
			if offsets[i] < offsets[best] {
				best = i
			}
		}
		bound[t.point] = t.rows[best]
		offsets = offsets[len(t.rows):]
	}
}

// BindLinks adds an arrow from the latest producer to each consumer of the
// same id, named by the producer. tagged is what SetSlices returned. It returns the links that no
// arrow touches.
func (b *Builder) BindLinks(links []Link, tagged []SliceID) Places {
	var unbound Places
	row := func(i int) SliceID {
		if int(links[i].Tag) < len(tagged) {
			return tagged[links[i].Tag]
		}
		return NoSlice
	}
	s := &b.t.Slices
	ts := func(i int) int64 {
		if r := row(i); r != NoSlice {
			return s.TS[r]
		}
		return NoTime
	}
	used := make([]bool, len(links))
	for _, chain := range groupInTime(len(links), ts, func(i int) uint32 { return links[i].Chain }) {
		producer := -1
		for _, at := range chain {
			i := int(at)
			if row(i) == NoSlice {
				continue
			}
			if links[i].In && producer >= 0 {
				out, in := row(producer), row(i)
				b.t.Flows = append(b.t.Flows, Flow{
					Out: out, In: in, TSOut: s.TS[out], TSIn: s.TS[in],
					ID: links[i].ID, Name: s.Name[out], Category: links[producer].Category,
				})
				used[producer], used[i] = true, true
			}
			if links[i].Out {
				producer = i
			}
		}
	}
	for i, u := range used {
		if !u {
			unbound.Add(links[i].Offset, ts(i))
		}
	}
	return unbound
}
