package trace

import (
	"cmp"
	"fmt"
	"slices"
	"testing"

	"pgregory.net/rapid"
)

// plainBinding finds the slice of a flow point by looking at all of them.
func plainBinding(s *Slices, track TrackID, p FlowPoint) SliceID {
	best := NoSlice
	for i := range s.Len() {
		if s.Track[i] != track {
			continue
		}
		row := SliceID(i)
		if p.Next {
			// The builder's input below is in time order, so among equal
			// starts the earliest in the input has the lowest name.
			if s.TS[i] >= p.TS && (best == NoSlice || s.TS[i] == s.TS[best] && s.Name[i] < s.Name[best]) {
				best = row
			}
			continue
		}
		if s.TS[i] <= p.TS && p.TS <= sliceEnd(s.TS[i], s.Dur[i]) {
			best = row // later rows are deeper, or follow at the edge
		}
	}
	return best
}

func TestFlowsBind(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		entries := rapid.SliceOfN(rapid.Custom(func(t *rapid.T) entry {
			ts := rapid.Int64Range(0, 20).Draw(t, "ts")
			return entry{ts: ts, dur: rapid.Int64Range(0, 8).Draw(t, "dur"), track: TrackID(rapid.IntRange(0, 1).Draw(t, "track"))}
		}), 0, 20).Draw(t, "entries")
		slices.SortStableFunc(entries, func(a, b entry) int { return cmp.Compare(a.ts, b.ts) })
		b := NewBuilder(NewInterner(), 1)
		p := b.Process(Ident{Kind: IdentNumber, Number: 1})
		for i := range 2 {
			b.ThreadTrack(b.Thread(p, Ident{Kind: IdentNumber, Number: int64(i)}))
		}
		run := &SliceRun{}
		for i, e := range entries {
			run.Add(Complete, e.ts, e.dur, e.track, StringID(i+1), 0, 0, int64(i))
		}
		run.Sort()
		b.SetSlices([]*SliceRun{run}, 0, SliceRules{})
		points := rapid.SliceOfN(rapid.Custom(func(t *rapid.T) FlowPoint {
			return FlowPoint{
				TS:     rapid.Int64Range(0, 30).Draw(t, "ts"),
				Thread: UTID(rapid.IntRange(0, 1).Draw(t, "thread")),
				Next:   rapid.Bool().Draw(t, "next"),
			}
		}), 0, 20).Draw(t, "points")
		got := b.bindPoints(points)
		for i, p := range points {
			track := b.threadTracks[p.Thread]
			want := plainBinding(&b.t.Slices, track, p)
			overlaps := got[i] != NoSlice && b.t.Tracks[b.t.Slices.Track[got[i]]].Type == TrackOverflow
			if want == NoSlice && overlaps {
				continue // nothing on the track itself, something on its overflow
			}
			if got[i] != want {
				t.Fatalf("point %+v binds to %d, want %d", p, got[i], want)
			}
		}
	})
}

func TestFlowChains(t *testing.T) {
	b := NewBuilder(NewInterner(), 1)
	track := b.ThreadTrack(b.Thread(b.Process(Ident{}), Ident{}))
	run := &SliceRun{}
	for i := range 6 {
		run.Add(Complete, int64(i*10), 5, track, 0, 0, 0, int64(i))
	}
	b.SetSlices([]*SliceRun{run}, 0, SliceRules{})
	point := func(kind FlowKind, ts int64, offset int64) FlowPoint {
		return FlowPoint{Kind: kind, TS: ts, Offset: offset}
	}
	report := b.BindFlows([]FlowPoint{
		point(FlowStep, 0, 1), // of nothing
		point(FlowStart, 1, 2), point(FlowStep, 11, 3), point(FlowEnd, 21, 4),
		point(FlowEnd, 22, 5),                                                   // the id is free again
		point(FlowStart, 31, 6), point(FlowStart, 32, 9), point(FlowEnd, 41, 7), // the second start is none
		point(FlowStart, 48, 8), // between slices
	}, nil)
	var got []string
	for _, f := range b.t.Flows {
		got = append(got, fmt.Sprintf("%d@%d>%d@%d", f.Out, f.TSOut, f.In, f.TSIn))
	}
	want := []string{"0@1>1@11", "1@11>2@21", "3@31>4@41"}
	if !slices.Equal(got, want) {
		t.Fatalf("arrows %q, want %q", got, want)
	}
	var orphans []int64
	for _, p := range report.Orphans.First {
		orphans = append(orphans, p.Offset)
	}
	if !slices.Equal(orphans, []int64{1, 5, 9}) || report.Unbound.Count != 1 {
		t.Fatalf("orphans at %d, %d unbound; want 1, 5 and 9, and one", orphans, report.Unbound.Count)
	}
}

func TestLinks(t *testing.T) {
	b := NewBuilder(NewInterner(), 1)
	track := b.ThreadTrack(b.Thread(b.Process(Ident{}), Ident{}))
	run := &SliceRun{}
	for i := range 4 {
		run.Add(Complete, int64(i*10), 5, track, 0, 0, 0, int64(i))
		run.SetTag(uint32(i + 1))
	}
	report := b.SetSlices([]*SliceRun{run}, 4, SliceRules{})
	unbound := b.BindLinks([]Link{
		{Tag: 1, Out: true}, {Tag: 2, In: true}, {Tag: 3, In: true, Out: true}, {Tag: 4, In: true, Chain: 1},
	}, report.Tagged)
	var got []string
	for _, f := range b.t.Flows {
		got = append(got, fmt.Sprintf("%d>%d", f.Out, f.In))
	}
	if want := []string{"0>1", "0>2"}; !slices.Equal(got, want) || unbound.Count != 1 {
		t.Fatalf("arrows %q, %d unbound; want %q and one", got, unbound.Count, want)
	}
}
