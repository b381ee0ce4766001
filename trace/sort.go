package trace

import (
	"cmp"
	"slices"
)

const radixBits = 11

// sortByTime returns the stable order of ts by value.
func sortByTime(ts []int64) []uint32 {
	n := len(ts)
	perm := make([]uint32, n)
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
	keys := make([]uint64, n)
	for i, t := range ts {
		keys[i] = uint64(t) - uint64(lo)
	}
	keys2, perm2 := make([]uint64, n), make([]uint32, n)
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

// sortGroup sorts entries with equal starts: the longer first, Unfinished (all
// ones) longest of all, else in the input's order.
func sortGroup(perm []uint32, r *SliceRun) {
	slices.SortStableFunc(perm, func(a, b uint32) int {
		return cmp.Or(cmp.Compare(uint64(r.Dur[b]), uint64(r.Dur[a])), cmp.Compare(r.Offset[a], r.Offset[b]))
	})
}
