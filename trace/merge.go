package trace

import (
	"cmp"
	"slices"
	"sort"
	"sync"
)

// merged is the time order over many sorted runs: stretches of the runs, one
// after the other. Input is mostly in order, so the stretches are long.
type merged struct {
	runs     []*SliceRun
	rows     int
	segments []segment // disjoint stretches of the result, for parallel work
}

// segment is a stretch of rows whose entries start within a stretch of time
// that no other segment shares.
type segment struct {
	row    int      // its first row of the result
	cursor []uint32 // by run: its first entry in this segment
	end    []uint32 // by run: behind its last
	spans  []span
}

// span is a stretch of one run.
type span struct {
	run      uint16
	from, to uint32
}

// maxRuns is how many runs can be merged at once.
const maxRuns = 1 << 16

// mergeRuns orders the entries of all runs: by start, then the longer first,
// then by run. Each run must be sorted.
func mergeRuns(runs []*SliceRun, workers int) *merged {
	m := &merged{runs: runs}
	m.segments = cutSegments(runs, workers*4)
	for i := range m.segments {
		s := &m.segments[i]
		s.row = m.rows
		for r := range runs {
			m.rows += int(s.end[r] - s.cursor[r])
		}
	}
	parallel(workers, len(m.segments), func(i int) { m.mergeSegment(&m.segments[i]) })
	return m
}

// cutSegments cuts time into about want stretches with the same number of
// entries, as far as a sample tells.
func cutSegments(runs []*SliceRun, want int) []segment {
	var sample []int64
	for _, r := range runs {
		for i := 0; i < r.Len(); i += max(1, r.Len()/64) {
			sample = append(sample, r.TS[i])
		}
	}
	slices.Sort(sample)
	var cuts []int64
	for i := 1; i < want; i++ {
		if len(sample) == 0 {
			break
		}
		cut := sample[len(sample)*i/want]
		if len(cuts) == 0 || cuts[len(cuts)-1] != cut {
			cuts = append(cuts, cut)
		}
	}
	segments := make([]segment, len(cuts)+1)
	bounds := make([]uint32, len(runs))
	for i := range segments {
		s := &segments[i]
		s.cursor = bounds
		s.end = make([]uint32, len(runs))
		for r, run := range runs {
			if i < len(cuts) {
				from := int(bounds[r])
				s.end[r] = uint32(from + sort.Search(run.Len()-from, func(j int) bool { return run.TS[from+j] >= cuts[i] }))
			} else {
				s.end[r] = uint32(run.Len())
			}
		}
		bounds = s.end
	}
	return segments
}

// head is the next entry of one run.
type head struct {
	ts   int64
	long uint64 // the complement of its duration: the longer, the smaller
	run  uint16
	pos  uint32
	end  uint32
}

func (a *head) before(b *head) bool {
	if a.ts != b.ts {
		return a.ts < b.ts
	}
	if a.long != b.long {
		return a.long < b.long
	}
	return a.run < b.run
}

func (m *merged) mergeSegment(s *segment) {
	var heap []head
	for r := range m.runs {
		if s.cursor[r] < s.end[r] {
			h := head{run: uint16(r), pos: s.cursor[r], end: s.end[r]}
			h.load(m.runs[r])
			heap = append(heap, h)
		}
	}
	slices.SortFunc(heap, func(a, b head) int {
		if a.before(&b) {
			return -1
		}
		return 1
	})
	for len(heap) > 0 {
		top := &heap[0]
		run := m.runs[top.run]
		from := top.pos
		// Take from the same run for as long as it stays the earliest.
		next := nextBest(heap)
		for {
			top.pos++
			if top.pos == top.end {
				break
			}
			top.load(run)
			if next != nil && !top.before(next) {
				break
			}
		}
		s.spans = append(s.spans, span{top.run, from, top.pos})
		if top.pos == top.end {
			heap[0] = heap[len(heap)-1]
			heap = heap[:len(heap)-1]
		}
		sink(heap)
	}
}

func (h *head) load(r *SliceRun) {
	h.ts = r.TS[h.pos]
	h.long = ^uint64(r.Dur[h.pos])
}

func nextBest(heap []head) *head {
	switch {
	case len(heap) < 2:
		return nil
	case len(heap) == 2 || heap[1].before(&heap[2]):
		return &heap[1]
	default:
		return &heap[2]
	}
}

func sink(heap []head) {
	for i := 0; ; {
		c := 2*i + 1
		if c >= len(heap) {
			return
		}
		if c+1 < len(heap) && heap[c+1].before(&heap[c]) {
			c++
		}
		if !heap[c].before(&heap[i]) {
			return
		}
		heap[i], heap[c] = heap[c], heap[i]
		i = c
	}
}

// each calls f for every row of the result with the run and the entry in it
// that it comes from.
func (m *merged) each(f func(row int, run uint16, entry uint32)) {
	row := 0
	for i := range m.segments {
		for _, s := range m.segments[i].spans {
			for entry := s.from; entry < s.to; entry++ {
				f(row, s.run, entry)
				row++
			}
		}
	}
}

// column joins one column of all runs in the merged order, then lets the runs'
// own go.
func column[T any](m *merged, workers int, col func(*SliceRun) *[]T) []T {
	from := make([][]T, len(m.runs))
	for i, r := range m.runs {
		from[i] = *col(r)
	}
	out := make([]T, m.rows)
	parallel(workers, len(m.segments), func(i int) {
		to := out[m.segments[i].row:]
		for _, s := range m.segments[i].spans {
			to = to[copy(to, from[s.run][s.from:s.to]):]
		}
	})
	for _, r := range m.runs {
		*col(r) = nil
	}
	return out
}

// optionalColumn is column for one that runs may lack; nil when all do.
func optionalColumn[T any](m *merged, workers int, absent T, col func(*SliceRun) *[]T) []T {
	any := false
	for _, r := range m.runs {
		any = any || *col(r) != nil
	}
	if !any {
		return nil
	}
	for _, r := range m.runs {
		c := col(r)
		for len(*c) < r.Len() {
			*c = append(*c, absent)
		}
	}
	return column(m, workers, col)
}

// parallel calls f(0) … f(n-1) on so many goroutines and waits for all.
func parallel(workers, n int, f func(i int)) {
	if workers <= 1 || n <= 1 {
		for i := range n {
			f(i)
		}
		return
	}
	var wg sync.WaitGroup
	next := make(chan int, n)
	for i := range n {
		next <- i
	}
	close(next)
	for range min(workers, n) {
		wg.Go(func() {
			for i := range next {
				f(i)
			}
		})
	}
	wg.Wait()
}

// sortedKeys returns a map's keys in order.
func sortedKeys[K cmp.Ordered, V any](m map[K]V) []K {
	keys := make([]K, 0, len(m))
	for k := range m {
		keys = append(keys, k)
	}
	slices.Sort(keys)
	return keys
}
