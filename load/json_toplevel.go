package load

import (
	"bytes"

	"github.com/weft-trace/weft/trace"
	"github.com/weft-trace/weft/traceevent"
)

// topLevel is what the container's properties said that is needed later.
type topLevel struct {
	members    []traceevent.Member
	metadata   traceevent.Raw      // Chrome's
	controller traceevent.Raw      // controllerTraceDataKey
	profile    []traceevent.Member // of a file that is a V8 CPU profile
}

// addMember remembers a property of the container: any but the events, the
// elements of samples and the entries of stackFrames. The unit of time is
// taken at once, for slices nest by it.
func (j *jsonBuild) addMember(m traceevent.Member) {
	m.Key = bytes.Clone(m.Key) // it may be the scanner's
	if string(m.Key) == "displayTimeUnit" {
		j.displayTimeUnit(m)
		return
	}
	j.cold.top.members = append(j.cold.top.members, m)
}

// finishTopLevel takes each property to where it belongs. What has no table of
// its own becomes rows of table metadata.
func (j *jsonBuild) finishTopLevel() {
	top := &j.cold.top
	top.profile = profileMembers(top.members)
	for _, m := range top.members {
		switch string(m.Key) {
		case "traceEvents": // no array: the scanner said so
		case "stackFrames":
			j.topLevelShape(m, problemFramesShape)
		case "samples":
			j.topLevelShape(m, problemSamplesShape)
		case "systemTraceEvents":
			j.systemTrace(m)
		case "powerTraceAsString":
			j.powerTrace(m)
		case "controllerTraceDataKey":
			top.controller = m.Value
			j.addProperty(m)
		case "metadata":
			top.metadata = m.Value
			j.addProperty(m)
		case "nodes", "head", "timeDeltas", "timestamps":
			if top.profile == nil {
				j.addProperty(m)
			}
		default: // otherData, traceAnnotations, and whatever a producer adds
			j.addProperty(m)
		}
	}
}

// profileMembers are the properties of a file that is a V8 CPU profile: its
// nodes and when it began. It is nil for any other file.
func profileMembers(members []traceevent.Member) []traceevent.Member {
	nodes, start := false, false
	for _, m := range members {
		switch string(m.Key) {
		case "nodes":
			nodes = nodes || m.Value.Kind() == traceevent.KindArray
		case "head":
			nodes = nodes || m.Value.Kind() == traceevent.KindObject
		case "startTime":
			start = true
		default: // says nothing about it
		}
	}
	if nodes && start {
		return members
	}
	return nil
}

// addProperty makes rows of metadata of a property.
func (j *jsonBuild) addProperty(m traceevent.Member) {
	rows := &j.cold.metadata.flat
	rows.prefix, rows.suffix = string(m.Key), ""
	j.addMetadataRows(rows, m.Value)
}

// topLevelShape reports a property that isn't what it must be; null says that
// it is not there.
func (j *jsonBuild) topLevelShape(m traceevent.Member, kind *trace.ProblemKind) {
	if m.Value.Kind() != traceevent.KindNull {
		j.log.add(kind, m.Offset, trace.NoTime, m.Value)
	}
}

func (j *jsonBuild) displayTimeUnit(m traceevent.Member) {
	unit := string(m.Value.AppendText(nil))
	if m.Value.Kind() != traceevent.KindString || unit != "ms" && unit != "ns" {
		j.log.add(problemTimeUnit, m.Offset, trace.NoTime, m.Value)
		unit = "ms"
	}
	j.t.TimeUnit = unit
}

// systemTrace handles what the system's own tracer recorded: the text of
// ftrace, an object of ETW, or one of Fuchsia's kernel tracing.
func (j *jsonBuild) systemTrace(m traceevent.Member) {
	switch m.Value.Kind() {
	case traceevent.KindNull:
	case traceevent.KindString:
		j.notLoaded(problemFtraceNotLoaded, m, textLines(m.Value))
	case traceevent.KindObject:
		j.systemTraceObject(m)
	default: // an empty array is what old Chrome wrote for nothing
		if m.Value.Kind() != traceevent.KindArray || hasElements(m.Value) {
			j.log.add(problemSystemTrace, m.Offset, trace.NoTime, m.Value)
		}
	}
}

func (j *jsonBuild) systemTraceObject(m traceevent.Member) {
	var kind, name, events, content traceevent.Raw
	j.walk.visit(m.Value, func(key []byte, value traceevent.Raw, _ int) bool {
		switch string(key) {
		case "type":
			kind = value
		case "name":
			name = value
		case "events":
			events = value
		case "content":
			content = value
		default: // no more is known of either
		}
		return true
	})
	switch {
	case string(kind) == `"fuchsia"`:
		j.fuchsiaEvents(m, events)
	case string(name) == `"ETW"`:
		if content.Kind() == traceevent.KindString {
			content = content.AppendText(nil)
		}
		records := int64(0)
		eachElement(content, func(traceevent.Raw, int) bool { records++; return true })
		j.notLoaded(problemETWNotLoaded, m, records)
	default: // of neither kind
		j.log.add(problemSystemTrace, m.Offset, trace.NoTime, m.Value)
	}
}

// powerTrace handles the text of a BattOr.
func (j *jsonBuild) powerTrace(m traceevent.Member) {
	if m.Value.Kind() != traceevent.KindNull {
		j.notLoaded(problemPowerNotLoaded, m, textLines(m.Value))
	}
}

// notLoaded reports a foreign trace of that many lines or records.
func (j *jsonBuild) notLoaded(kind *trace.ProblemKind, m traceevent.Member, n int64) {
	j.b.Problem(kind, n, trace.ProblemSample{
		Offset: m.Offset, TS: trace.NoTime, Text: string(m.Value[:min(len(m.Value), trace.MaxProblemText)]),
	})
}

// textLines is the number of lines of a text that aren't empty.
func textLines(v traceevent.Raw) (n int64) {
	text := v.AppendText(nil)
	for line := range bytes.Lines(text) {
		if len(bytes.TrimSpace(line)) > 0 {
			n++
		}
	}
	return n
}

func hasElements(array traceevent.Raw) bool {
	var e elements
	e.reset(array)
	return e.next()
}
