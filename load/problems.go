package load

import (
	"github.com/weft-trace/weft/trace"
)

// problemLog collects what went wrong in one stretch of the input: how often,
// and the first places of each kind.
type problemLog struct {
	kinds map[*trace.ProblemKind]*problemEntry
}

type problemEntry struct {
	count   int64
	samples []trace.ProblemSample
}

// add counts one more problem of a kind. text is what stands at the offset.
func (l *problemLog) add(kind *trace.ProblemKind, offset, ts int64, text []byte) {
	if l.kinds == nil {
		l.kinds = map[*trace.ProblemKind]*problemEntry{}
	}
	e := l.kinds[kind]
	if e == nil {
		e = &problemEntry{}
		l.kinds[kind] = e
	}
	e.count++
	if len(e.samples) < trace.MaxProblemSamples {
		e.samples = append(e.samples, trace.ProblemSample{
			Offset: offset, TS: ts, Text: string(text[:min(len(text), trace.MaxProblemText)]),
		})
	}
}
