// Package gen writes Trace Event JSON files of any size for benchmarks and
// tests.
//
// A file is named by a [Spec]: what kind, how big, which seed. The same Spec
// gives the same bytes on every machine. Nothing is held in memory but the
// state of the threads that it plays, so a file can be far larger than memory.
//
// The kind "x" is the yardstick's input: complete events as a browser writes
// them. "mix" holds every phase of the specification. The others are shapes
// that turn a careless reader quadratic: see [Kinds].
package gen

import (
	"fmt"
	"io"
	"math/rand/v2"
)

// Spec names one file.
type Spec struct {
	Kind string // one of Kinds
	N    int    // how big; the kind says of what
	Seed uint64
}

// String is the Spec in the form of a file name without extension.
func (s Spec) String() string { return fmt.Sprintf("%s-%d-%d", s.Kind, s.N, s.Seed) }

// Kind is one kind of file.
type Kind struct {
	Name string
	Size string // what N counts
	Doc  string
	make func(*out, *rand.Rand, int)
}

// kinds is every kind, in the order in which they are listed to users.
var kinds = []Kind{
	{"x", "slices", "complete events with two args each, nested, on 40 threads of 5 processes, in order of completion", writeSlices},
	{"mix", "events, about", "every phase, field and top-level key of the specification", writeMix},
	{"open", "slices", "one thread on which N slices begin and none ends", writeOpen},
	{"onethreadBE", "slices", "one thread, N pairs of B and E nested up to depth 12", writeOneThreadBE},
	{"tracks", "threads", "N threads of one slice each", writeTracks},
	{"flowid", "flow events", "N flow events with one id: s, then t, then one f", writeFlowID},
	{"longstring", "bytes", "one slice with an arg of N bytes", writeLongString},
	{"deepargs", "levels", "one slice with args nested N levels deep", writeDeepArgs},
	{"uniquenames", "slices", "N slices of N names", writeUniqueNames},
	{"overlap", "slices", "N slices on one thread, each of which truly overlaps all the others", writeOverlap},
	{"equalts", "slices", "N slices on one thread that all start at one time", writeEqualTS},
}

// Kinds returns every kind, in the order in which to list them.
func Kinds() []Kind { return append([]Kind(nil), kinds...) }

// Write writes the file that the Spec names to w. It fails when there is no
// such kind, when N is negative, or when w fails.
func (s Spec) Write(w io.Writer) error {
	if s.N < 0 {
		return fmt.Errorf("gen: %s: size %d is negative", s.Kind, s.N)
	}
	for _, k := range kinds {
		if k.Name == s.Kind {
			o := newOut(w)
			k.make(o, rand.New(rand.NewPCG(s.Seed, 0x77656674)), s.N)
			return o.flush()
		}
	}
	return fmt.Errorf("gen: no kind %q", s.Kind)
}
