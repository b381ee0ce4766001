package trace

// SliceRules say how slices nest.
type SliceRules struct {
	// Tolerance is by how many nanoseconds less than this a slice may outlast
	// the one that it lies in: what producers round.
	Tolerance int64
	// JoinArgs makes the args of an end part of those of its begin; both have
	// some. Nil leaves the begin's as they are.
	JoinArgs func(begin, end ArgSetID)
	// Overlaps says for which kinds of tracks an overlap is worth a problem.
	Overlaps func(TrackType) bool
}

// SliceReport is what SetSlices found.
type SliceReport struct {
	Tagged   []SliceID // by tag: the slice that carries it, or NoSlice
	CutShort Places    // slices ended by the end of one that they lie in
	Orphans  Places    // ends without a begin
	Overlaps Places    // slices moved to an overflow track
}

// SetSlices makes the table of slices out of all runs, which must be sorted
// and whose tracks must exist. It pairs begins and ends, brings everything in
// time order, nests, and adds overflow tracks. tags is the highest tag in use.
// The runs are used up.
func (b *Builder) SetSlices(runs []*SliceRun, tags uint32, rules SliceRules) SliceReport {
	var report SliceReport
	runs = joinRuns(runs)
	for _, r := range runs {
		if !r.pairs {
			continue
		}
		for _, p := range pairRuns(runs, b.workers) {
			report.CutShort.Join(p.cutShort)
			report.Orphans.Join(p.orphans)
			if rules.JoinArgs != nil {
				for _, j := range p.joined {
					rules.JoinArgs(j.begin, j.end)
				}
			}
		}
		break
	}
	m := mergeRuns(runs, b.workers)
	b.slices = m
	s := &b.t.Slices
	w := b.workers
	s.ThreadTS = optionalColumn(m, w, NoTime, func(r *SliceRun) *[]int64 { return &r.ThreadTS })
	s.ThreadDur = optionalColumn(m, w, NoTime, func(r *SliceRun) *[]int64 { return &r.ThreadDur })
	s.ThreadInstr = optionalColumn(m, w, NoInt, func(r *SliceRun) *[]int64 { return &r.ThreadInstr })
	s.ThreadInstrDelta = optionalColumn(m, w, NoInt, func(r *SliceRun) *[]int64 { return &r.ThreadInstrDelta })
	s.Stack = optionalColumn(m, w, NoCallsite, func(r *SliceRun) *[]CallsiteID { return &r.Stack })
	s.EndStack = optionalColumn(m, w, NoCallsite, func(r *SliceRun) *[]CallsiteID { return &r.EndStack })
	s.Color = optionalColumn(m, w, 0, func(r *SliceRun) *[]StringID { return &r.Color })
	s.CorrelationID = optionalColumn(m, w, 0, func(r *SliceRun) *[]StringID { return &r.CorrelationID })
	s.Scope = optionalColumn(m, w, 0, func(r *SliceRun) *[]byte { return &r.Scope })
	tag := optionalColumn(m, w, 0, func(r *SliceRun) *[]uint32 { return &r.Tag })
	s.Dur = column(m, w, func(r *SliceRun) *[]int64 { return &r.Dur })
	s.Track = column(m, w, func(r *SliceRun) *[]TrackID { return &r.Track })
	s.Name = column(m, w, func(r *SliceRun) *[]StringID { return &r.Name })
	s.Category = column(m, w, func(r *SliceRun) *[]StringID { return &r.Category })
	s.ArgSet = column(m, w, func(r *SliceRun) *[]ArgSetID { return &r.ArgSet })
	s.TS = column(m, w, func(r *SliceRun) *[]int64 { return &r.TS })
	for _, r := range runs {
		r.Kind = nil
	}
	report.Tagged = taggedSlices(tag, tags)
	moved := nest(s, len(b.t.Tracks), rules.Tolerance, w)
	report.Overlaps = b.moveToOverflow(moved, rules.Overlaps)
	return report
}

// joinRuns makes the runs few enough to be merged at once.
func joinRuns(runs []*SliceRun) []*SliceRun {
	var some []*SliceRun
	for _, r := range runs {
		if r.Len() > 0 {
			some = append(some, r)
		}
	}
	if len(some) > maxRuns {
		panic("trace: more runs than can be merged")
	}
	return some
}

func taggedSlices(tag []uint32, tags uint32) []SliceID {
	if tag == nil {
		return nil
	}
	tagged := make([]SliceID, tags+1)
	for i := range tagged {
		tagged[i] = NoSlice
	}
	for row, t := range tag {
		if t != 0 {
			tagged[t] = SliceID(row)
		}
	}
	return tagged
}

// moveToOverflow gives overlapping slices their tracks, one for each lane.
func (b *Builder) moveToOverflow(moved []overflowed, report func(TrackType) bool) Places {
	var places Places
	if len(moved) == 0 {
		return places
	}
	byTrack := map[TrackID]int{} // lanes of each
	for _, o := range moved {
		byTrack[o.track] = max(byTrack[o.track], o.lane+1)
	}
	first := map[TrackID]TrackID{}
	for _, track := range sortedKeys(byTrack) {
		base := b.t.Tracks[track]
		first[track] = TrackID(len(b.t.Tracks))
		for range byTrack[track] {
			t := base
			t.Type, t.Parent, t.ArgSet = TrackOverflow, track, 0
			b.AddTrack(t)
		}
	}
	var rows []SliceID
	for _, o := range moved {
		if report == nil || report(b.t.Tracks[o.track].Type) {
			rows = append(rows, SliceID(o.row))
		}
		b.t.Slices.Track[o.row] = first[o.track] + TrackID(o.lane)
	}
	for i, offset := range b.sliceOffsets(rows) {
		places.Add(offset, b.t.Slices.TS[rows[i]])
	}
	return places
}

// sliceOffsets returns where in the input the given slices stand. It walks the
// whole trace once: ask for many at a time.
func (b *Builder) sliceOffsets(rows []SliceID) []int64 {
	offsets := make([]int64, len(rows))
	if len(rows) == 0 {
		return offsets
	}
	where := make(map[SliceID]int64, len(rows))
	for _, row := range rows {
		where[row] = -1
	}
	b.slices.each(func(row int, run uint16, entry uint32) {
		if _, ok := where[SliceID(row)]; ok {
			r := b.slices.runs[run]
			where[SliceID(row)] = r.Base + int64(r.Offset[entry])
		}
	})
	for i, row := range rows {
		offsets[i] = where[row]
	}
	return offsets
}
