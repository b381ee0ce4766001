package load

import (
	"bytes"
	"strconv"

	"github.com/weft-trace/weft/trace"
	"github.com/weft-trace/weft/traceevent"
)

// metadataEvents is what metadata events (phase M) said that isn't in a table
// yet.
type metadataEvents struct {
	labels   map[trace.UPID][]trace.StringID
	labelled map[processLabel]struct{}
	rows     map[trace.Metadata]struct{} // all that table metadata has
	flat     metadataRows
}

type processLabel struct {
	process trace.UPID
	label   trace.StringID
}

// traceWide are the metadata events that say something about the whole trace,
// although a process wrote them. What any other one says is about its process,
// and its rows in table metadata are named NAME.KEY[PID].
var traceWide = map[string]bool{
	"IsTimeTicksHighResolution": true,
	"TraceConfig":               true,
	"TracingStartedInBrowser":   true,
	"node":                      true,
	"num_cpus":                  true,
	"version":                   true,
}

// addMetadata handles a metadata event.
func (j *jsonBuild) addMetadata(e *traceevent.Event) {
	name, ok := e.Text(traceevent.FieldName)
	if !ok {
		j.problem(problemMetadataName, e)
		return
	}
	args := e.Get(traceevent.FieldArgs)
	switch string(name) {
	case "process_name":
		p := j.process(e)
		if v, ok := j.metadataValue(e, args, "name"); ok {
			j.t.Processes[p].Name = j.text(v)
		}
	case "thread_name":
		t := j.thread(e)
		if v, ok := j.metadataValue(e, args, "name"); ok {
			j.t.Threads[t].Name = j.text(v)
		}
	case "process_labels":
		p := j.process(e)
		if v, ok := j.metadataValue(e, args, "labels"); ok {
			j.addLabels(p, v)
		}
	case "process_sort_index":
		p := j.process(e)
		if n, ok := j.sortIndex(e, args); ok {
			j.t.Processes[p].SortIndex = n
		}
	case "thread_sort_index":
		t := j.thread(e)
		if n, ok := j.sortIndex(e, args); ok {
			j.t.Threads[t].SortIndex = n
		}
	case "stackFrames":
		j.addProcessFrames(e, args)
	case "trace_buffer_overflowed":
		j.problem(problemBufferOverflowed, e)
		j.addOtherMetadata(e, name, args)
	default: // whatever else a producer has to say
		j.addOtherMetadata(e, name, args)
	}
}

// metadataValue is the argument that a metadata event is about.
func (j *jsonBuild) metadataValue(e *traceevent.Event, args traceevent.Raw, key string) (traceevent.Raw, bool) {
	v := j.member(args, key)
	if v == nil || v.Kind() == traceevent.KindNull {
		j.problem(problemMetadataValue, e)
		return nil, false
	}
	return v, true
}

// sortIndex is a sort index, a number or a numeric text; one with decimals is
// cut to an integer.
func (j *jsonBuild) sortIndex(e *traceevent.Event, args traceevent.Raw) (int64, bool) {
	v, ok := j.metadataValue(e, args, "sort_index")
	if !ok {
		return 0, false
	}
	if n, ok := v.Int64(); ok {
		return n, true
	}
	if x, ok := v.Float64(); ok && x > -1<<62 && x < 1<<62 {
		return int64(x), true
	}
	j.problem(problemSortIndex, e)
	return 0, false
}

// addLabels adds the labels of a process, split at commas, once each.
func (j *jsonBuild) addLabels(p trace.UPID, labels traceevent.Raw) {
	m := &j.cold.metadata
	if m.labels == nil {
		m.labels, m.labelled = map[trace.UPID][]trace.StringID{}, map[processLabel]struct{}{}
	}
	j.scratch = labels.AppendText(j.scratch[:0])
	for part := range bytes.SplitSeq(j.scratch, []byte{','}) {
		if part = bytes.TrimSpace(part); len(part) == 0 {
			continue
		}
		label := processLabel{p, j.in.Intern(part)}
		if _, ok := m.labelled[label]; !ok {
			m.labelled[label] = struct{}{}
			m.labels[p] = append(m.labels[p], label.label)
		}
	}
}

// addProcessFrames interns the frames of a stackFrames event, which a
// process's heap dumps refer to.
func (j *jsonBuild) addProcessFrames(e *traceevent.Event, args traceevent.Raw) {
	v, ok := j.metadataValue(e, args, "stackFrames")
	if !ok {
		return
	}
	var d frameDictionary
	members(v, func(key []byte, value traceevent.Raw, _ int) bool {
		d.pending = append(d.pending, traceevent.Member{Key: bytes.Clone(key), Value: value, Offset: e.Offset})
		return true
	})
	j.resolveFrames(&d)
}

// addOtherMetadata keeps what a metadata event says as rows of metadata: its
// args flattened, named after the event. One without args is a row {}.
func (j *jsonBuild) addOtherMetadata(e *traceevent.Event, name []byte, args traceevent.Raw) {
	rows := &j.cold.metadata.flat
	rows.prefix, rows.suffix = string(name), ""
	if !traceWide[rows.prefix] {
		rows.suffix = j.processSuffix(e)
	}
	if args == nil {
		args = traceevent.Raw("{}")
	}
	j.addMetadataRows(rows, args)
}

// processSuffix is "[PID]", "" for an event without a pid.
func (j *jsonBuild) processSuffix(e *traceevent.Event) string {
	pid := e.Get(traceevent.FieldPID)
	if pid == nil || pid.Kind() == traceevent.KindNull {
		return ""
	}
	if n, ok := pid.Int64(); ok {
		return "[" + strconv.FormatInt(n, 10) + "]"
	}
	return "[" + string(pid.AppendText(nil)) + "]"
}

// finishMetadata completes the processes.
func (j *jsonBuild) finishMetadata() {
	var text []byte
	for p := range j.t.Processes {
		labels := j.cold.metadata.labels[trace.UPID(p)]
		if len(labels) == 0 {
			continue
		}
		text = text[:0]
		for i, label := range labels {
			if i > 0 {
				text = append(text, ", "...)
			}
			text = append(text, j.in.Strings().Bytes(label)...)
		}
		j.t.Processes[p].Labels = j.in.Intern(text)
	}
}
