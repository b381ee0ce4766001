package main

import (
	"cmp"
	"slices"
	"strings"

	"github.com/weft-trace/weft/trace"
)

// summary is what info says about a trace.
type summary struct {
	Sources  []sourceSummary  `json:"sources"`
	StartTS  int64            `json:"start_ts"` // nanoseconds
	EndTS    int64            `json:"end_ts"`
	TimeUnit string           `json:"time_unit"`
	Rows     []rowCount       `json:"rows"`
	Events   []eventSummary   `json:"events"`
	Process  []processSummary `json:"processes"`
	Longest  []nameSummary    `json:"names_by_duration"`
	Frequent []nameSummary    `json:"names_by_count"`
	Problems []checkedProblem `json:"problems"`
}

type sourceSummary struct {
	Name      string `json:"name"`
	Format    string `json:"format"`
	Container string `json:"container,omitempty"`
	Producer  string `json:"producer,omitempty"`
	Size      int64  `json:"size"` // bytes, decompressed
}

// rowCount is how many rows a table has.
type rowCount struct {
	Table string `json:"table"`
	Rows  int    `json:"rows"`
}

type eventSummary struct {
	Kind  string `json:"kind"`
	Name  string `json:"name"`
	Count int64  `json:"count"`
}

type processSummary struct {
	PID     *int64          `json:"pid"`
	Name    string          `json:"name"`
	Slices  int64           `json:"slices"`
	Threads []threadSummary `json:"threads"`
}

type threadSummary struct {
	TID    *int64 `json:"tid"`
	Name   string `json:"name"`
	Slices int64  `json:"slices"`
}

type nameSummary struct {
	Name  string `json:"name"`
	Count int64  `json:"count"`
	Total int64  `json:"total_dur"` // nanoseconds, slices inside others of the name counted again
	Max   int64  `json:"max_dur"`
}

// summarize looks at a trace once. It keeps at most top names in each list.
func summarize(t *trace.Trace, top int) *summary {
	s := &summary{StartTS: t.Start, EndTS: t.End, TimeUnit: t.TimeUnit, Rows: countRows(t), Events: []eventSummary{}, Process: []processSummary{}, Problems: []checkedProblem{}}
	for _, src := range t.Sources {
		s.Sources = append(s.Sources, sourceSummary(src))
	}
	for _, e := range t.Events {
		s.Events = append(s.Events, eventSummary(e))
	}
	for i := range t.Problems {
		p := checked(&t.Problems[i])
		p.Samples = nil
		s.Problems = append(s.Problems, p)
	}
	slices.SortStableFunc(s.Problems, func(x, y checkedProblem) int { return cmp.Compare(y.severity, x.severity) })
	s.summarizeProcesses(t)
	s.summarizeNames(t, top)
	return s
}

func countRows(t *trace.Trace) []rowCount {
	var out []rowCount
	for _, c := range []rowCount{
		{"process", len(t.Processes)}, {"thread", len(t.Threads)}, {"track", len(t.Tracks)}, {"slice", t.Slices.Len()},
		{"counter", t.Counters.Len()}, {"flow", len(t.Flows)}, {"sample", len(t.Samples)}, {"object", len(t.Objects)},
		{"object_snapshot", len(t.ObjectSnapshots)}, {"memory_snapshot", len(t.MemorySnapshots)}, {"context", len(t.Contexts)},
		{"linked_id", len(t.LinkedIDs)}, {"clock_snapshot", len(t.ClockSnapshots)}, {"metadata", len(t.Metadata)},
		{"sched", len(t.Sched)}, {"thread_state", len(t.ThreadStates)},
	} {
		if c.Rows > 0 {
			out = append(out, c)
		}
	}
	return out
}

// summarizeProcesses counts the slices of processes and threads; the busiest
// come first.
func (s *summary) summarizeProcesses(t *trace.Trace) {
	perTrack := make([]int64, len(t.Tracks))
	for _, track := range t.Slices.Track {
		perTrack[track]++
	}
	perThread, perProcess := make([]int64, len(t.Threads)), make([]int64, len(t.Processes))
	for i := range t.Tracks {
		track := &t.Tracks[i]
		process := track.Process
		if track.Thread != trace.NoThread {
			perThread[track.Thread] += perTrack[i]
			process = t.Threads[track.Thread].Process
		}
		if process != trace.NoProcess {
			perProcess[process] += perTrack[i]
		}
	}
	id := func(n int64, has bool) *int64 {
		if !has {
			return nil
		}
		return &n
	}
	all := make([]processSummary, len(t.Processes))
	for i := range t.Processes {
		p := &t.Processes[i]
		all[i] = processSummary{id(p.PID, p.HasPID), text(t, p.Name), perProcess[i], []threadSummary{}}
	}
	for i := range t.Threads {
		th := &t.Threads[i]
		if th.Process != trace.NoProcess {
			all[th.Process].Threads = append(all[th.Process].Threads, threadSummary{id(th.TID, th.HasTID), text(t, th.Name), perThread[i]})
		}
	}
	for i := range all {
		slices.SortStableFunc(all[i].Threads, func(x, y threadSummary) int { return cmp.Compare(y.Slices, x.Slices) })
	}
	slices.SortStableFunc(all, func(x, y processSummary) int { return cmp.Compare(y.Slices, x.Slices) })
	s.Process = all
}

func (s *summary) summarizeNames(t *trace.Trace, top int) {
	type total struct{ count, dur, max int64 }
	totals := make([]total, t.Strings.Len()+1)
	for i, name := range t.Slices.Name {
		n := &totals[name]
		n.count++
		if dur := t.Slices.Dur[i]; dur > 0 {
			n.dur += dur
			n.max = max(n.max, dur)
		}
	}
	var ids []trace.StringID
	for id := range totals {
		if totals[id].count > 0 {
			ids = append(ids, trace.StringID(id))
		}
	}
	best := func(value func(*total) int64) []nameSummary {
		slices.SortStableFunc(ids, func(x, y trace.StringID) int { return cmp.Compare(value(&totals[y]), value(&totals[x])) })
		out := []nameSummary{}
		for _, id := range ids[:min(top, len(ids))] {
			n := &totals[id]
			if value(n) > 0 {
				out = append(out, nameSummary{text(t, id), n.count, n.dur, n.max})
			}
		}
		return out
	}
	s.Frequent = best(func(n *total) int64 { return n.count })
	s.Longest = best(func(n *total) int64 { return n.dur })
}

func text(t *trace.Trace, id trace.StringID) string {
	return strings.ToValidUTF8(t.Strings.Get(id), "\uFFFD")
}
