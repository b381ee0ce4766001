package trace

import (
	"cmp"
	"fmt"
	"slices"
	"testing"

	"pgregory.net/rapid"
)

func drawAsync(t *rapid.T) []AsyncEvent {
	offset := int64(0)
	return rapid.SliceOfN(rapid.Custom(func(t *rapid.T) AsyncEvent {
		offset++
		e := AsyncEvent{
			TS:       rapid.Int64Range(0, 30).Draw(t, "ts"),
			ThreadTS: NoTime,
			Offset:   offset,
			Thread:   UTID(rapid.IntRange(0, 1).Draw(t, "thread")),
			Tree:     uint32(rapid.IntRange(0, 2).Draw(t, "tree")),
			Name:     StringID(rapid.IntRange(1, 3).Draw(t, "name")),
			Kind:     rapid.SampledFrom([]AsyncKind{AsyncBegin, AsyncBegin, AsyncEnd, AsyncInstant}).Draw(t, "kind"),
		}
		e.ID = StringID(e.Tree + 1)
		if e.Kind == AsyncEnd && rapid.IntRange(0, 3).Draw(t, "anonymous") == 0 {
			e.Name = 0
		}
		return e
	}), 0, 80).Draw(t, "events")
}

// plainAsync pairs async events one by one and returns what each slice should
// be, sorted, and how many ends closed nothing.
func plainAsync(events []AsyncEvent) (list []string, orphans int) {
	type pending struct {
		AsyncEvent
		dur int64
	}
	var all []*pending
	open := map[uint32][]*pending{}
	order := slices.Clone(events)
	slices.SortStableFunc(order, func(a, b AsyncEvent) int { return cmp.Compare(a.TS, b.TS) })
	for _, e := range order {
		stack := open[e.Tree]
		switch e.Kind {
		case AsyncBegin:
			p := &pending{e, Unfinished}
			all = append(all, p)
			open[e.Tree] = append(stack, p)
		case AsyncInstant:
			all = append(all, &pending{e, 0})
		case AsyncEnd:
			at := len(stack) - 1
			for at >= 0 && e.Name != 0 && stack[at].Name != e.Name {
				at--
			}
			if at < 0 {
				orphans++
				continue
			}
			stack[at].dur = e.TS - stack[at].TS
			open[e.Tree] = slices.Delete(stack, at, at+1)
		}
	}
	for _, p := range all {
		list = append(list, fmt.Sprint(p.ID, p.TS, p.dur, p.Name))
	}
	slices.Sort(list)
	return list, orphans
}

func TestAsyncFollowsTheRules(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		events := drawAsync(t)
		b := NewBuilder(NewInterner(), 2)
		p := b.Process(Ident{Kind: IdentNumber, Number: 1})
		b.Thread(p, Ident{Kind: IdentNumber, Number: 1})
		b.Thread(p, Ident{Kind: IdentNumber, Number: 2})
		want, orphans := plainAsync(events)
		run, lost := b.AsyncRun(events, nil)
		b.SetSlices([]*SliceRun{run}, 0, SliceRules{})
		if int(lost.Count) != orphans {
			t.Fatalf("%d orphans, want %d", lost.Count, orphans)
		}
		s := &b.t.Slices
		var got []string
		roots := map[TrackID]int64{} // the end of each lane's last outermost slice
		for i := range s.Len() {
			got = append(got, fmt.Sprint(s.CorrelationID[i], s.TS[i], s.Dur[i], s.Name[i]))
			if s.Parent[i] != NoSlice {
				if s.CorrelationID[i] != s.CorrelationID[s.Parent[i]] {
					t.Fatalf("slice %d of tree %d lies in one of tree %d", i, s.CorrelationID[i], s.CorrelationID[s.Parent[i]])
				}
				continue
			}
			if end, ok := roots[s.Track[i]]; ok && s.TS[i] < end {
				t.Fatalf("slice %d starts on a lane that is taken", i)
			}
			roots[s.Track[i]] = sliceEnd(s.TS[i], s.Dur[i])
		}
		slices.Sort(got)
		if !slices.Equal(got, want) {
			t.Fatalf("slices\n%v\nwant\n%v", got, want)
		}
		checkNesting(t, b.t, 0)
	})
}

func TestAsyncSteps(t *testing.T) {
	b := NewBuilder(NewInterner(), 1)
	b.Thread(b.Process(Ident{}), Ident{})
	str := b.Interner().InternString
	op, one, two := str("op"), str("one"), str("two")
	event := func(kind AsyncKind, ts int64, tree uint32, step StringID) AsyncEvent {
		return AsyncEvent{Kind: kind, TS: ts, ThreadTS: NoTime, Tree: tree, Name: op, Step: step}
	}
	run, _ := b.AsyncRun([]AsyncEvent{
		event(AsyncBegin, 0, 0, 0), event(AsyncStep, 10, 0, one), event(AsyncStep, 20, 0, two), event(AsyncEnd, 30, 0, 0),
		event(AsyncBegin, 100, 1, 0), event(AsyncPast, 110, 1, one), event(AsyncPast, 120, 1, two), event(AsyncEnd, 130, 1, 0),
	}, nil)
	b.SetSlices([]*SliceRun{run}, 0, SliceRules{})
	var got []string
	for i := range b.t.Slices.Len() {
		s := &b.t.Slices
		got = append(got, fmt.Sprintf("%d %d+%d %s", s.Depth[i], s.TS[i], s.Dur[i], b.in.Strings().Get(s.Name[i])))
	}
	want := []string{
		"0 0+30 op", "1 10+10 one", "1 20+10 two",
		"0 100+30 op", "1 100+10 one", "1 110+10 two",
	}
	if !slices.Equal(got, want) {
		t.Fatalf("got %q, want %q", got, want)
	}
}

func BenchmarkAsync(b *testing.B) {
	shapes := []struct {
		name string
		at   func(i, n int) AsyncEvent
	}{
		{"pairs", func(i, _ int) AsyncEvent {
			return AsyncEvent{TS: int64(i), Tree: uint32(i / 2), Kind: AsyncKind(i % 2 * 2)}
		}},
		{"one tree, first in first out", func(i, n int) AsyncEvent {
			return AsyncEvent{TS: int64(i), Name: StringID(i%(n/2)) + 1, Kind: AsyncKind(i / (n / 2) * 2)}
		}},
		{"ends of nothing", func(i, n int) AsyncEvent {
			return AsyncEvent{TS: int64(i), Name: StringID(i/(n/2)) + 1, Kind: AsyncKind(i / (n / 2) * 2)}
		}},
	}
	for _, shape := range shapes {
		for _, n := range []int{100_000, 1_000_000} {
			events := make([]AsyncEvent, n)
			for i := range events {
				events[i] = shape.at(i, n)
				events[i].ThreadTS = NoTime
			}
			b.Run(fmt.Sprintf("%s/%d", shape.name, n), func(b *testing.B) {
				for b.Loop() {
					bb := NewBuilder(NewInterner(), 0)
					bb.Thread(bb.Process(Ident{}), Ident{})
					bb.AsyncRun(events, nil)
				}
				b.ReportMetric(float64(b.Elapsed().Nanoseconds())/float64(b.N)/float64(n), "ns/event")
			})
		}
	}
}
