package trace

import (
	"cmp"
	"slices"
	"sync"
	"unsafe"
)

const radixBits = 11

// sortScratch is memory that sorting needs and that the next sort can use
// again: runs are many and of one size.
type sortScratch struct {
	keys, keys2 []uint64
	perm, perm2 []uint32
	column      []uint64
}

var sortScratches = sync.Pool{New: func() any { return new(sortScratch) }}

func resize[T any](s *[]T, n int) []T {
	if cap(*s) < n {
		*s = make([]T, n)
	}
	*s = (*s)[:n]
	return *s
}

// sortByTime returns the stable order of ts by value, which lies in the
// scratch memory.
func (s *sortScratch) sortByTime(ts []int64) []uint32 {
	n := len(ts)
	perm := resize(&s.perm, n)
	for i := range perm {
		perm[i] = uint32(i)
	}
	if n < 64 {
		slices.SortStableFunc(perm, func(a, b uint32) int { return cmp.Compare(ts[a], ts[b]) })
		return perm
	}
	lo, hi := ts[0], ts[0]
	for _, t := range ts {
		lo, hi = min(lo, t), max(hi, t)
	}
	// Least significant digit first over the distance from the earliest time,
	// which as an unsigned number never overflows.
	span := uint64(hi) - uint64(lo)
	keys := resize(&s.keys, n)
	for i, t := range ts {
		keys[i] = uint64(t) - uint64(lo)
	}
	keys2, perm2 := resize(&s.keys2, n), resize(&s.perm2, n)
	for shift := uint(0); shift < 64 && span>>shift != 0; shift += radixBits {
		var count [1 << radixBits]uint32
		for _, k := range keys {
			count[k>>shift&(1<<radixBits-1)]++
		}
		sum := uint32(0)
		for d, c := range count {
			count[d] = sum
			sum += c
		}
		for i, k := range keys {
			d := k >> shift & (1<<radixBits - 1)
			to := count[d]
			count[d]++
			keys2[to], perm2[to] = k, perm[i]
		}
		keys, keys2, perm, perm2 = keys2, keys, perm2, perm
	}
	return perm
}

// sortByTime returns the stable order of ts by value.
func sortByTime(ts []int64) []uint32 { return new(sortScratch).sortByTime(ts) }

// gather rearranges a column in its own memory: new[i] = old[perm[i]]. perm may
// leave entries out. T is a type of at most eight bytes without pointers.
func gather[T any](s *sortScratch, col *[]T, perm []uint32) {
	words := resize(&s.column, len(*col))
	if len(words) == 0 {
		return
	}
	old := unsafe.Slice((*T)(unsafe.Pointer(&words[0])), len(words))
	copy(old, *col)
	out := (*col)[:len(perm)]
	for i, p := range perm {
		out[i] = old[p]
	}
	*col = out
}

// sortGroup sorts entries with equal starts: the longer first, Unfinished (all
// ones) longest of all, else in the input's order.
func sortGroup(perm []uint32, r *SliceRun) {
	slices.SortStableFunc(perm, func(a, b uint32) int {
		return cmp.Or(cmp.Compare(uint64(r.Dur[b]), uint64(r.Dur[a])), cmp.Compare(r.Offset[a], r.Offset[b]))
	})
}
