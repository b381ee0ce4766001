package trace

import (
	"cmp"
	"fmt"
	"math"
	"slices"
	"testing"

	"pgregory.net/rapid"
)

// entry is one entry of a run, as tests write it.
type entry struct {
	kind     SliceKind
	ts, dur  int64
	track    TrackID
	name     StringID
	category StringID
}

func (e entry) String() string {
	return fmt.Sprintf("{%d ts=%d dur=%d track=%d name=%d cat=%d}", e.kind, e.ts, e.dur, e.track, e.name, e.category)
}

// drawEntries draws entries that are crowded enough to nest, overlap, tie and
// mismatch often.
func drawEntries(t *rapid.T) []entry {
	return rapid.SliceOfN(rapid.Custom(func(t *rapid.T) entry {
		e := entry{
			kind:  rapid.SampledFrom([]SliceKind{Complete, Complete, Begin, End}).Draw(t, "kind"),
			ts:    rapid.Int64Range(0, 40).Draw(t, "ts"),
			track: TrackID(rapid.IntRange(0, 2).Draw(t, "track")),
			name:  StringID(rapid.IntRange(1, 3).Draw(t, "name")),
			dur:   Unfinished,
		}
		e.category = StringID(rapid.IntRange(0, 2).Draw(t, "category"))
		switch {
		case e.kind == Complete && rapid.IntRange(0, 9).Draw(t, "finished") > 0:
			e.dur = rapid.Int64Range(0, 30).Draw(t, "dur")
		case e.kind == End && rapid.Bool().Draw(t, "anonymous"):
			e.name, e.category = 0, 0
		}
		return e
	}), 0, 60).Draw(t, "entries")
}

// build makes a trace of entries cut into runs of the given lengths.
func build(entries []entry, cuts []int, workers int, tolerance int64) (*Trace, SliceReport) {
	b := NewBuilder(NewInterner(), workers)
	p := b.Process(Ident{Kind: IdentNumber, Number: 1})
	for i := range 3 {
		b.ThreadTrack(b.Thread(p, Ident{Kind: IdentNumber, Number: int64(i)}))
	}
	var runs []*SliceRun
	offset := int64(0)
	for len(entries) > 0 {
		n := len(entries)
		if len(cuts) > 0 {
			n, cuts = min(n, cuts[0]), cuts[1:]
		}
		r := &SliceRun{Base: offset}
		for _, e := range entries[:n] {
			r.Add(e.kind, e.ts, e.dur, e.track, e.name, e.category, 0, offset)
			offset++
		}
		entries = entries[n:]
		r.Sort()
		runs = append(runs, r)
	}
	report := b.SetSlices(runs, 0, SliceRules{Tolerance: tolerance})
	return b.t, report
}

// plainSlice is a slice of the plain model that the builder is held against.
type plainSlice struct {
	entry
	order   int // in the input
	parent  int // index, -1
	depth   int
	overlap bool
}

func (s *plainSlice) end() int64 {
	if s.dur < 0 {
		return math.MaxInt64
	}
	return s.ts + s.dur
}

// plainModel applies the rules one by one, without a thought for speed.
func plainModel(entries []entry, tolerance int64) (list []plainSlice, orphans, cutShort int) {
	order := make([]int, len(entries))
	for i := range order {
		order[i] = i
	}
	slices.SortStableFunc(order, func(a, b int) int { return cmp.Compare(entries[a].ts, entries[b].ts) })
	open := map[TrackID][]int{} // indexes into list
	for _, i := range order {
		e := entries[i]
		switch e.kind {
		case Complete:
			list = append(list, plainSlice{entry: e, order: i})
		case Begin:
			open[e.track] = append(open[e.track], len(list))
			list = append(list, plainSlice{entry: e, order: i})
		case End:
			stack := open[e.track]
			at := -1
			for j := len(stack) - 1; j >= 0 && at < 0; j-- {
				b := list[stack[j]]
				if e.name == 0 || b.name == e.name && (b.category == e.category || b.category == 0 || e.category == 0) {
					at = j
				}
			}
			if at < 0 {
				orphans++
				continue
			}
			for _, j := range stack[at:] {
				list[j].dur = e.ts - list[j].ts
			}
			cutShort += len(stack) - at - 1
			open[e.track] = stack[:at]
		}
	}
	slices.SortStableFunc(list, func(a, b plainSlice) int {
		return cmp.Or(cmp.Compare(a.ts, b.ts), cmp.Compare(uint64(b.dur), uint64(a.dur)), cmp.Compare(a.order, b.order))
	})
	nestPlainly(list, tolerance)
	return list, orphans, cutShort
}

// nestPlainly finds the parents of the slices of each track by keeping the
// stack of what contains the slice before.
func nestPlainly(list []plainSlice, tolerance int64) {
	type level struct {
		index int
		end   int64
	}
	stacks := map[TrackID][]level{}
	for i := range list {
		s := &list[i]
		s.parent = -1
		stack := stacks[s.track]
		for len(stack) > 0 {
			top := stack[len(stack)-1]
			if s.ts < top.end || s.ts == top.end && s.dur == 0 {
				break
			}
			stack = stack[:len(stack)-1]
		}
		end := s.end()
		if n := len(stack); n > 0 {
			top := stack[n-1]
			if end > top.end && end-top.end >= tolerance {
				s.overlap = true
				stacks[s.track] = stack
				continue
			}
			s.parent, s.depth, end = top.index, n, min(end, top.end)
		}
		stacks[s.track] = append(stack, level{i, end})
	}
}

func TestSlicesFollowTheRules(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		entries := drawEntries(t)
		tolerance := rapid.SampledFrom([]int64{0, 3}).Draw(t, "tolerance")
		cuts := rapid.SliceOfN(rapid.IntRange(1, 20), 0, 10).Draw(t, "cuts")
		workers := rapid.IntRange(1, 3).Draw(t, "workers")
		got, report := build(entries, cuts, workers, tolerance)
		want, orphans, cutShort := plainModel(entries, tolerance)
		s := &got.Slices
		if s.Len() != len(want) {
			t.Fatalf("%d slices, want %d", s.Len(), len(want))
		}
		if int(report.Orphans.Count) != orphans || int(report.CutShort.Count) != cutShort {
			t.Fatalf("orphans %d, cut short %d, want %d and %d", report.Orphans.Count, report.CutShort.Count, orphans, cutShort)
		}
		overlaps := 0
		for i, w := range want {
			if s.TS[i] != w.ts || s.Dur[i] != w.dur || s.Name[i] != w.name || s.Category[i] != w.category {
				t.Fatalf("slice %d is ts=%d dur=%d name=%d, want %v", i, s.TS[i], s.Dur[i], s.Name[i], w.entry)
			}
			track := got.Tracks[s.Track[i]]
			if w.overlap {
				overlaps++
				if track.Type != TrackOverflow || track.Parent != w.track {
					t.Fatalf("slice %d overlaps, but lies on track %+v", i, track)
				}
				continue
			}
			parent := -1
			if s.Parent[i] != NoSlice {
				parent = int(s.Parent[i])
			}
			if s.Track[i] != w.track || parent != w.parent || int(s.Depth[i]) != w.depth {
				t.Fatalf("slice %d: track %d, parent %d, depth %d; want %d, %d, %d",
					i, s.Track[i], parent, s.Depth[i], w.track, w.parent, w.depth)
			}
		}
		if int(report.Overlaps.Count) != overlaps {
			t.Fatalf("%d overlaps reported, want %d", report.Overlaps.Count, overlaps)
		}
		checkNesting(t, got, tolerance)
	})
}

// checkNesting holds a trace against what every trace must be: on each track a
// slice lies in its parent, and no two slices overlap otherwise.
func checkNesting(t interface{ Fatalf(string, ...any) }, tr *Trace, tolerance int64) {
	s := &tr.Slices
	type open struct {
		row int
		end int64
	}
	stacks := map[TrackID][]open{}
	for i := range s.Len() {
		if i > 0 && s.TS[i] < s.TS[i-1] {
			t.Fatalf("slice %d starts before the one before it", i)
		}
		end := sliceEnd(s.TS[i], s.Dur[i])
		stack := stacks[s.Track[i]]
		if s.Parent[i] == NoSlice {
			if s.Depth[i] != 0 {
				t.Fatalf("slice %d has no parent but depth %d", i, s.Depth[i])
			}
			if len(stack) > 0 && stack[0].end > s.TS[i] {
				t.Fatalf("slice %d is outermost but starts within %d", i, stack[0].row)
			}
			stack = stack[:0]
		} else {
			p := int(s.Parent[i])
			for len(stack) > 0 && stack[len(stack)-1].row != p {
				stack = stack[:len(stack)-1]
			}
			if len(stack) == 0 {
				t.Fatalf("slice %d: parent %d is not open on its track", i, p)
			}
			if s.Depth[i] != s.Depth[p]+1 {
				t.Fatalf("slice %d: depth %d below %d", i, s.Depth[i], s.Depth[p])
			}
			limit := stack[len(stack)-1].end
			if end > limit && end-limit >= max(tolerance, 1) {
				t.Fatalf("slice %d ends at %d, its parent %d at %d", i, end, p, limit)
			}
			end = min(end, limit)
		}
		stacks[s.Track[i]] = append(stack, open{i, end})
	}
}

func TestEndFindsItsBeginInADeepStack(t *testing.T) {
	const depth = 5 * shallow
	var entries []entry
	for i := range depth {
		entries = append(entries, entry{kind: Begin, ts: int64(i), name: StringID(i + 1), dur: Unfinished})
	}
	entries = append(entries,
		entry{kind: End, ts: depth, name: depth + 7, dur: Unfinished}, // was never begun
		entry{kind: End, ts: depth + 1, name: 3, dur: Unfinished},     // far below
	)
	got, report := build(entries, nil, 2, 0)
	if report.Orphans.Count != 1 || report.CutShort.Count != depth-3 {
		t.Fatalf("orphans %d, cut short %d; want 1 and %d", report.Orphans.Count, report.CutShort.Count, depth-3)
	}
	for i := range depth {
		want := int64(Unfinished)
		if i >= 2 {
			want = depth + 1 - int64(i)
		}
		if got.Slices.Dur[i] != want {
			t.Fatalf("slice %d has duration %d, want %d", i, got.Slices.Dur[i], want)
		}
	}
}

func TestOptionalColumnsFollowTheirSlices(t *testing.T) {
	b := NewBuilder(NewInterner(), 2)
	track := b.ThreadTrack(b.Thread(b.Process(Ident{}), Ident{}))
	r := &SliceRun{}
	add := func(kind SliceKind, ts, dur int64, args ArgSetID) {
		r.Add(kind, ts, dur, track, 1, 0, args, int64(r.Len()))
	}
	add(Complete, 50, 5, 0) // out of order, and without any
	add(Begin, 10, Unfinished, 1)
	r.SetThreadTime(100, NoTime)
	r.SetThreadInstr(7, NoInt)
	r.SetStacks(3, NoCallsite)
	add(Begin, 12, Unfinished, 0)
	r.SetColor(9)
	add(End, 14, Unfinished, 2)
	add(End, 20, Unfinished, 3)
	r.SetThreadTime(104, NoTime)
	r.SetThreadInstr(17, NoInt)
	r.SetStacks(4, NoCallsite)
	add(Complete, 60, 0, 0)
	r.SetScope('p')
	r.SetTag(1)
	r.Sort()
	var joined [][2]ArgSetID
	report := b.SetSlices([]*SliceRun{r}, 1, SliceRules{
		JoinArgs: func(begin, end ArgSetID) { joined = append(joined, [2]ArgSetID{begin, end}) },
	})
	s := &b.t.Slices
	want := func(name string, got, want any) {
		t.Helper()
		if fmt.Sprint(got) != fmt.Sprint(want) {
			t.Errorf("%s is %v, want %v", name, got, want)
		}
	}
	want("TS", s.TS, []int64{10, 12, 50, 60})
	want("Dur", s.Dur, []int64{10, 2, 5, 0})
	want("ThreadTS", s.ThreadTS, []int64{100, NoTime, NoTime, NoTime})
	want("ThreadDur", s.ThreadDur, []int64{4, NoTime, NoTime, NoTime})
	want("ThreadInstr", s.ThreadInstr, []int64{7, NoInt, NoInt, NoInt})
	want("ThreadInstrDelta", s.ThreadInstrDelta, []int64{10, NoInt, NoInt, NoInt})
	want("Stack", s.Stack, []CallsiteID{3, NoCallsite, NoCallsite, NoCallsite})
	want("EndStack", s.EndStack, []CallsiteID{4, NoCallsite, NoCallsite, NoCallsite})
	want("Color", s.Color, []StringID{0, 9, 0, 0})
	want("Scope", s.Scope, []byte{0, 0, 0, 'p'})
	want("ArgSet", s.ArgSet, []ArgSetID{1, 2, 0, 0})
	want("joined args", joined, [][2]ArgSetID{{1, 3}})
	want("tagged", report.Tagged, []SliceID{NoSlice, 3})
}

func BenchmarkSetSlices(b *testing.B) {
	shapes := []struct {
		name string
		at   func(i int) entry
	}{
		{"nested", func(i int) entry {
			return entry{ts: int64(i/8)*100 + int64(i%8), dur: int64(90 - i%8), track: TrackID(i / 8 % 3), name: 1}
		}},
		{"pairs", func(i int) entry {
			return entry{kind: Begin + SliceKind(i%2), ts: int64(i), dur: Unfinished, name: 1}
		}},
		{"open", func(i int) entry { return entry{kind: Begin, ts: int64(i), dur: Unfinished, name: 1} }},
		{"overlapping", func(i int) entry { return entry{ts: int64(i), dur: 1 << 40, name: 1} }},
		{"one time", func(int) entry { return entry{ts: 7, dur: 0, name: 1} }},
	}
	for _, shape := range shapes {
		for _, n := range []int{100_000, 1_000_000} {
			entries := make([]entry, n)
			var cuts []int
			for i := range entries {
				entries[i] = shape.at(i)
				if i%25_000 == 0 {
					cuts = append(cuts, 25_000)
				}
			}
			b.Run(fmt.Sprintf("%s/%d", shape.name, n), func(b *testing.B) {
				for b.Loop() {
					build(entries, cuts, 0, 0)
				}
				b.ReportMetric(float64(b.Elapsed().Nanoseconds())/float64(b.N)/float64(n), "ns/slice")
			})
		}
	}
}
