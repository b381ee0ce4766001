package load

import (
	"github.com/weft-trace/weft/trace"
	"github.com/weft-trace/weft/traceevent"
)

// jsonBuild is a Trace Event file on its way to a trace: what the events of
// all chunks share once they are joined.
type jsonBuild struct {
	b    *trace.Builder
	t    *trace.Trace // b's
	in   *trace.Interner
	doc  []byte // the whole (decompressed) input
	args *jsonArgs
	log  *problemLog

	keys         *trace.Interner // identities of async trees, flows and links
	series       *trace.Interner // identities of counter series
	seriesList   []series        // by series-1; strings and process are the trace's
	seriesTracks []trace.TrackID // likewise

	cold    jsonCold
	walk    memberWalk
	scratch []byte
}

func newJSONBuild(workers int) *jsonBuild {
	j := &jsonBuild{
		in:     trace.NewInterner(),
		args:   &jsonArgs{},
		log:    &problemLog{},
		keys:   trace.NewInterner(),
		series: trace.NewInterner(),
	}
	j.b = trace.NewBuilder(j.in, workers)
	j.t = j.b.Trace()
	j.args.decoder = j.t.Args.Register(j.args)
	return j
}

// setDoc tells where the text is, once all of it is there.
func (j *jsonBuild) setDoc(doc []byte) { j.doc, j.args.doc = doc, doc }

// text returns the id of a value's text: a string decoded, anything else as it
// stands, and 0 for what is absent.
func (j *jsonBuild) text(r traceevent.Raw) trace.StringID {
	if r == nil {
		return 0
	}
	if plain, ok := r.Plain(); ok {
		return j.in.Intern(plain)
	}
	j.scratch = r.AppendText(j.scratch[:0])
	return j.in.Intern(j.scratch)
}

// ident turns a pid or tid into what identifies a process or a thread: a
// 64-bit integer, which a decimal string equals, or a text.
func (j *jsonBuild) ident(r traceevent.Raw) trace.Ident {
	if r.Kind() == traceevent.KindNull || r == nil {
		return trace.Ident{}
	}
	if n, ok := r.Int64(); ok {
		return trace.Ident{Kind: trace.IdentNumber, Number: n}
	}
	return trace.Ident{Kind: trace.IdentText, Text: j.text(r)}
}

// process is the process of an event.
func (j *jsonBuild) process(e *traceevent.Event) trace.UPID {
	return j.b.Process(j.ident(e.Get(traceevent.FieldPID)))
}

// thread is the thread of an event.
func (j *jsonBuild) thread(e *traceevent.Event) trace.UTID {
	return j.b.Thread(j.process(e), j.ident(e.Get(traceevent.FieldTID)))
}

// argSet is the set of an event's args and of its fields that are not placed
// in columns; 0 when it has neither.
func (j *jsonBuild) argSet(e *traceevent.Event, placed traceevent.FieldSet) trace.ArgSetID {
	loc := j.args.eventLoc(e, placed)
	if loc == noArgs {
		return 0
	}
	return j.t.Args.Add(j.args.decoder, loc)
}

// joinArgs makes what a later event brought part of a row's args.
func (j *jsonBuild) joinArgs(row *trace.ArgSetID, later trace.ArgSetID) {
	switch {
	case later == 0:
	case *row == 0:
		*row = later
	default:
		j.args.join(&j.t.Args, *row, later, true)
	}
}

// argsFrom is a set made of the JSON value at an offset of the input, its
// leaves named by the prefix.
func (j *jsonBuild) argsFrom(prefix string, offset int64) trace.ArgSetID {
	return j.t.Args.Add(j.args.decoder, j.args.valueLoc(prefix, offset))
}

// problem counts an event that can't be used as it is.
func (j *jsonBuild) problem(kind *trace.ProblemKind, e *traceevent.Event) {
	ts, state := e.Time(traceevent.FieldTS)
	if state != traceevent.TimeOK {
		ts = trace.NoTime
	}
	j.log.add(kind, e.Offset, ts, e.Raw)
}
