package load

import (
	"github.com/weft-trace/weft/trace"
	"github.com/weft-trace/weft/traceevent"
)

// The kinds of problems that events of the hot phases have.
var (
	problemNoTimestamp = &trace.ProblemKind{Code: "no_timestamp", Severity: trace.DataLoss,
		Message: "an event without a usable timestamp can't be placed; it was left out",
		Hint:    "ts must be a number of microseconds, or text that is one"}
	problemTimestampOverflow = &trace.ProblemKind{Code: "timestamp_overflow", Severity: trace.DataLoss,
		Message: "an event's time is beyond what 64 bits of nanoseconds hold; it was left out",
		Hint:    "times are microseconds; the producer may have written nanoseconds, or not a time at all"}
	problemDurationOverflow = &trace.ProblemKind{Code: "duration_overflow", Severity: trace.Warning,
		Message: "a slice ends beyond what 64 bits of nanoseconds hold; it was taken as unfinished",
		Hint:    "times are microseconds; the producer may have written nanoseconds, or not a time at all"}
	problemNegativeDuration = &trace.ProblemKind{Code: "negative_duration", Severity: trace.Warning,
		Message: "a slice's duration is negative; 0 was taken",
		Hint:    "the producer's clock went back, or start and end are swapped"}
	problemBadDuration = &trace.ProblemKind{Code: "bad_duration", Severity: trace.Warning,
		Message: "a slice's duration is no number; the slice was taken as unfinished",
		Hint:    "dur must be a number of microseconds"}
	problemThreadTime = &trace.ProblemKind{Code: "bad_thread_time", Severity: trace.Warning,
		Message: "a thread time or instruction count is no number; it was left out",
		Hint:    "tts and tdur must be microseconds, ticount and tidelta integers"}
	problemInstantScope = &trace.ProblemKind{Code: "instant_scope", Severity: trace.Warning,
		Message: "an instant's scope is none of t, p and g; t was taken",
		Hint:    "s must be \"t\" (thread), \"p\" (process) or \"g\" (global)"}
	problemUnknownColor = &trace.ProblemKind{Code: "unknown_color", Severity: trace.Info,
		Message: "cname is no colour of the original viewer's scheme",
		Hint:    "the name is kept in slice.color; viewers choose a colour of their own"}
	problemTwoStacks = &trace.ProblemKind{Code: "two_stacks", Severity: trace.Warning,
		Message: "an event has both a stack frame's id and a stack; the id was taken",
		Hint:    "give either sf or stack"}
	problemTwoIDs = &trace.ProblemKind{Code: "id_and_id2", Severity: trace.Warning,
		Message: "an event has both id and id2; id2 was taken",
		Hint:    "give either id or id2"}
	problemBadID2 = &trace.ProblemKind{Code: "bad_id2", Severity: trace.Warning,
		Message: "id2 has neither local nor global; id was taken",
		Hint:    `id2 must be {"local": ID} or {"global": ID}`}
	problemCounterValue = &trace.ProblemKind{Code: "counter_value", Severity: trace.DataLoss,
		Message: "a counter's value is no number; it was left out",
		Hint:    "each argument of a counter event is a series, whose value must be a number"}
	problemCounterEmpty = &trace.ProblemKind{Code: "counter_empty", Severity: trace.Warning,
		Message: "a counter event has no values",
		Hint:    "the values belong in args, one for each series"}
	problemEndWithoutBegin = &trace.ProblemKind{Code: "end_without_begin", Severity: trace.DataLoss,
		Message: "the end of a slice whose begin is missing",
		Hint:    "the trace may have begun in the middle of it, or the begin was lost with a full buffer"}
	problemSliceCutShort = &trace.ProblemKind{Code: "slice_cut_short", Severity: trace.Warning,
		Message: "a slice was still open when one that it lies in ended; it was ended there, too",
		Hint:    "its own end was lost, or slices that don't nest should be async ones"}
	problemSliceOverlap = &trace.ProblemKind{Code: "slice_overlap", Severity: trace.Warning,
		Message: "a slice overlaps another of its thread without lying in it; it is kept on an overflow track",
		Hint:    "slices of one thread must nest; for others there are async events"}
	problemAsyncEnd = &trace.ProblemKind{Code: "async_end_without_begin", Severity: trace.DataLoss,
		Message: "a step or the end of an async slice whose begin is missing",
		Hint:    "b n e belong together by category, scope and id; S T p F by name, scope and id"}
	problemFlowUnbound = &trace.ProblemKind{Code: "flow_unbound", Severity: trace.Warning,
		Message: "no slice is where a flow's arrow should start or end; the arrow is not drawn",
		Hint:    "s and t bind to the slice around them, f to the next one, or with bp \"e\" to the one around it"}
	problemFlowOrphan = &trace.ProblemKind{Code: "flow_incomplete", Severity: trace.Warning,
		Message: "a flow's step or end without a start, a start while the same flow goes on, or one that nothing follows",
		Hint:    "s t f belong together by id, category and name; parts may be lost with a full buffer"}
	problemLinkUnbound = &trace.ProblemKind{Code: "bind_id_unbound", Severity: trace.Info,
		Message: "a bind_id whose other end is not in the trace",
		Hint:    "a consumer (flow_in) needs an earlier producer (flow_out) of the same bind_id"}
	problemFileChanged = &trace.ProblemKind{Code: "source_ended", Severity: trace.Error,
		Message: "the input could not be read to its end; what came before is there",
		Hint:    "the file is damaged or incomplete; the text says where it ended"}
	problemEmpty = &trace.ProblemKind{Code: "empty_input", Severity: trace.DataLoss,
		Message: "there is nothing in the input",
		Hint:    "an empty trace is [] or {\"traceEvents\":[]}; the writer may have failed before its first byte"}
	problemSeveralTraces = &trace.ProblemKind{Code: "several_traces", Severity: trace.Warning,
		Message: "the archive holds several traces; they were read as one, on one time axis",
		Hint:    "processes and threads with the same ids are taken as the same: unpack the archive to look at one of them"}
	problemMemberSkipped = &trace.ProblemKind{Code: "member_skipped", Severity: trace.Info,
		Message: "a member of the archive is no trace; it was left out",
		Hint:    "only Trace Event JSON is taken from archives"}
)

// jsonProblems lists them, for the reference pages.
var jsonProblems = []*trace.ProblemKind{
	problemNoTimestamp, problemTimestampOverflow, problemDurationOverflow, problemEmpty, problemSeveralTraces, problemNegativeDuration, problemBadDuration, problemThreadTime,
	problemInstantScope, problemUnknownColor, problemTwoStacks, problemTwoIDs, problemBadID2, problemCounterValue,
	problemCounterEmpty, problemEndWithoutBegin, problemSliceCutShort, problemSliceOverlap, problemAsyncEnd,
	problemFlowUnbound, problemFlowOrphan, problemLinkUnbound, problemFileChanged, problemMemberSkipped,
}

// issueProblems are the problems that the scanner's issues become.
var issueProblems = map[traceevent.IssueCode]*trace.ProblemKind{}

// issueRanks say how bad each issue is and what to do about it.
var issueRanks = []struct {
	code     traceevent.IssueCode
	severity trace.Severity
	hint     string
}{
	{traceevent.IssueTruncated, trace.DataLoss, "the writer was stopped before it was done, or the file was cut in transfer"},
	{traceevent.IssueNonstandard, trace.Warning, "other readers may refuse the file"},
	{traceevent.IssueMalformed, trace.Error, "often a quote or a backslash that the writer did not escape, or text that was cut or overwritten"},
	{traceevent.IssueMember, trace.Error, "often a quote or a backslash that the writer did not escape"},
	{traceevent.IssueComma, trace.Warning, "other readers may refuse the file"},
	{traceevent.IssueNotObject, trace.DataLoss, "every element of the array must be an event, which is an object"},
	{traceevent.IssueNotArray, trace.Error, "traceEvents must be an array of events"},
	{traceevent.IssueDuplicate, trace.Warning, "give each field once"},
	{traceevent.IssueTrailing, trace.Warning, "other readers may refuse the file"},
}

func init() {
	for _, spec := range traceevent.Issues {
		kind := &trace.ProblemKind{Code: string(spec.Code), Severity: trace.Error, Message: spec.Meaning}
		for _, r := range issueRanks {
			if r.code == spec.Code {
				kind.Severity, kind.Hint = r.severity, r.hint
			}
		}
		issueProblems[spec.Code] = kind
		jsonProblems = append(jsonProblems, kind)
	}
}

// issue counts an irregularity that the scanner found.
func (l *problemLog) issue(doc []byte, i traceevent.Issue) {
	kind := issueProblems[i.Code]
	l.add(kind, i.Offset, trace.NoTime, doc[i.Offset:min(int64(len(doc)), i.Offset+int64(i.Len))])
}
