package trace

import (
	"cmp"
	"slices"
)

// Place is where in the input something was, and when: the byte offset, and
// the timestamp or NoTime.
type Place struct{ Offset, TS int64 }

// Places counts what happened at many places and keeps the first
// MaxProblemSamples of them.
type Places struct {
	Count int64
	First []Place // in order of their offsets
}

// Add counts one more place.
func (p *Places) Add(offset, ts int64) {
	p.Count++
	place := Place{offset, ts}
	if len(p.First) == MaxProblemSamples && p.First[len(p.First)-1].Offset <= offset {
		return
	}
	at, _ := slices.BinarySearchFunc(p.First, place, func(a, b Place) int { return cmp.Compare(a.Offset, b.Offset) })
	p.First = slices.Insert(p.First, at, place)
	if len(p.First) > MaxProblemSamples {
		p.First = p.First[:MaxProblemSamples]
	}
}

// Join adds another's places.
func (p *Places) Join(other Places) {
	count := p.Count + other.Count
	for _, o := range other.First {
		p.Add(o.Offset, o.TS)
	}
	p.Count = count
}
