package load

import "github.com/weft-trace/weft/trace"

// The kinds of problems of the cold events and of the container's properties.
var (
	problemUnknownPhase = &trace.ProblemKind{Code: "unknown_phase", Severity: trace.DataLoss,
		Message: "an event's phase is none that the specification knows; the event was left out",
		Hint:    "the samples show the first event of each such phase"}
	problemMissingPhase = &trace.ProblemKind{Code: "missing_phase", Severity: trace.DataLoss,
		Message: "an event has no phase; it was left out",
		Hint:    "ph says which type of event it is"}

	problemMetadataName = &trace.ProblemKind{Code: "metadata_without_name", Severity: trace.Warning,
		Message: "a metadata event has no name; it was left out",
		Hint:    "name says what the event is about: process_name, thread_name, …"}
	problemMetadataValue = &trace.ProblemKind{Code: "metadata_without_value", Severity: trace.Warning,
		Message: "a metadata event lacks the argument that it is about",
		Hint:    "process_name and thread_name have args.name, process_labels args.labels, the sort indexes args.sort_index"}
	problemSortIndex = &trace.ProblemKind{Code: "bad_sort_index", Severity: trace.Warning,
		Message: "a sort index is no number; it was left out",
		Hint:    "args.sort_index must be a number, or text that is one"}
	problemBufferOverflowed = &trace.ProblemKind{Code: "buffer_overflowed", Severity: trace.DataLoss,
		Message: "the producer's buffer overflowed while it traced: events are missing",
		Hint:    "trace with larger buffers, fewer categories or for less time"}

	problemUnknownFrame = &trace.ProblemKind{Code: "unknown_frame", Severity: trace.DataLoss,
		Message: "the id of a stack frame that is not in stackFrames; the row has no stack",
		Hint:    "sf and esf must be keys of stackFrames"}
	problemFrameParent = &trace.ProblemKind{Code: "frame_parent_missing", Severity: trace.Warning,
		Message: "a stack frame's parent is not in stackFrames; the frame was taken as outermost",
		Hint:    "parent must be a key of stackFrames, and be left out for the outermost frame"}
	problemFrameCycle = &trace.ProblemKind{Code: "frame_cycle", Severity: trace.Warning,
		Message: "stack frames are each other's parents; the circle was cut",
		Hint:    "the parents of a frame must end at a frame without one"}
	problemBadStack = &trace.ProblemKind{Code: "bad_stack", Severity: trace.Warning,
		Message: "a stack is neither an array nor text; it was left out",
		Hint:    "stack must be an array of strings, the outermost frame first"}

	problemSampleShape = &trace.ProblemKind{Code: "bad_sample", Severity: trace.DataLoss,
		Message: "an element of samples is no object; it was left out",
		Hint:    "a sample has tid, ts, name, sf and weight"}
	problemSampleWeight = &trace.ProblemKind{Code: "sample_weight", Severity: trace.Warning,
		Message: "a sample's weight is no number; 1 was taken",
		Hint:    "weight must be a number, or text that is one"}
	problemProfileStart = &trace.ProblemKind{Code: "profile_without_start", Severity: trace.Warning,
		Message: "a CPU profile doesn't say when it started; its samples were placed after the profile's first event",
		Hint:    "the event Profile with args.data.startTime may be lost; the distances between samples are right all the same"}
	problemProfileTime = &trace.ProblemKind{Code: "profile_sample_time", Severity: trace.Warning,
		Message: "a sample of a CPU profile has no usable time; it was placed at the one before",
		Hint:    "timeDeltas must have a number of microseconds for each sample"}
	problemProfileNode = &trace.ProblemKind{Code: "profile_node_missing", Severity: trace.DataLoss,
		Message: "a sample of a CPU profile names a node that is not there; it has no stack",
		Hint:    "an event ProfileChunk may be lost"}
	problemProfileParent = &trace.ProblemKind{Code: "profile_parent_missing", Severity: trace.DataLoss,
		Message: "a node of a CPU profile names a parent or a child that is not there",
		Hint:    "an event ProfileChunk may be lost"}

	problemObjectID = &trace.ProblemKind{Code: "object_without_id", Severity: trace.DataLoss,
		Message: "an object event has no id; it was left out",
		Hint:    "id tells objects apart, usually it is the object's address"}
	problemObjectAlive = &trace.ProblemKind{Code: "object_created_twice", Severity: trace.Warning,
		Message: "an object is created that is there already; the creation was ignored",
		Hint:    "the object's deletion may be lost, or snapshots of it came before its creation"}
	problemObjectNotAlive = &trace.ProblemKind{Code: "object_deleted_unseen", Severity: trace.Warning,
		Message: "an object is deleted of which nothing else is known; the deletion was ignored",
		Hint:    "the object may have been created before the trace began"}
	problemObjectType = &trace.ProblemKind{Code: "object_type_differs", Severity: trace.Warning,
		Message: "an object is deleted by another name than it was created by",
		Hint:    "a snapshot of a subtype names the common type in base_type"}
	problemSnapshotMissing = &trace.ProblemKind{Code: "snapshot_missing", Severity: trace.DataLoss,
		Message: "an event of phase O has no snapshot; it was left out",
		Hint:    "the object's state belongs in args.snapshot"}
	problemSnapshotTwice = &trace.ProblemKind{Code: "snapshot_twice", Severity: trace.DataLoss,
		Message: "a second snapshot of an object at the same time; it was left out",
		Hint:    "an object has one state at a time"}
	problemImplicitDepth = &trace.ProblemKind{Code: "implicit_snapshot_depth", Severity: trace.Warning,
		Message: "snapshots lie in one another too deep; this one is part of the args of the one around it only",
		Hint:    "refer to objects by id_ref instead of writing them inside others"}
	problemUnknownRef = &trace.ProblemKind{Code: "unknown_id_ref", Severity: trace.Info,
		Message: "an id_ref to an object that has no snapshot then",
		Hint:    "id_ref must be the id of an object of the same process that is alive when the row begins"}

	problemContextID = &trace.ProblemKind{Code: "context_without_id", Severity: trace.DataLoss,
		Message: "a context event has no id; it was left out",
		Hint:    "id names the context's object"}
	problemContextLeave = &trace.ProblemKind{Code: "context_leave_without_enter", Severity: trace.DataLoss,
		Message: "a context is left that was not entered",
		Hint:    "the trace may have begun inside of it"}
	problemContextCutShort = &trace.ProblemKind{Code: "context_cut_short", Severity: trace.Warning,
		Message: "a context was not left before one that it lies in; it was ended there, too",
		Hint:    "contexts of one thread must nest"}
	problemLinkedID = &trace.ProblemKind{Code: "linked_id_missing", Severity: trace.DataLoss,
		Message: "an event of phase = lacks one of the two ids; it was left out",
		Hint:    "one is the event's id, the other args.linked_id"}

	problemSyncID = &trace.ProblemKind{Code: "clock_sync_without_id", Severity: trace.DataLoss,
		Message: "a clock sync marker has no sync_id; it was left out",
		Hint:    "args.sync_id is what two clock domains have in common"}
	problemSyncTwice = &trace.ProblemKind{Code: "clock_sync_twice", Severity: trace.Warning,
		Message: "a clock domain has two markers of one sync_id",
		Hint:    "a sync_id stands for one moment"}
	problemIssueTime = &trace.ProblemKind{Code: "clock_sync_issue_ts", Severity: trace.Warning,
		Message: "the time when a clock sync marker was issued is no number; the event's was taken",
		Hint:    "args.issue_ts must be a number of microseconds"}

	problemMemoryDump = &trace.ProblemKind{Code: "memory_dump_empty", Severity: trace.DataLoss,
		Message: "a memory dump event has no dump",
		Hint:    "the dump belongs in args.dumps"}
	problemMemoryApart = &trace.ProblemKind{Code: "memory_dump_apart", Severity: trace.Info,
		Message: "a memory dump came in several events, and a part without a table is in another's args than the snapshot's",
		Hint:    "it is in table args, in a set of its own, which no snapshot names"}
	problemMemorySize = &trace.ProblemKind{Code: "memory_dump_size", Severity: trace.Warning,
		Message: "a size in a memory dump is no number; it was left out",
		Hint:    "sizes are hexadecimal numbers in strings"}
	problemMemoryRegion = &trace.ProblemKind{Code: "memory_region", Severity: trace.DataLoss,
		Message: "a region of memory has no usable start or size; it was left out",
		Hint:    "sa and sz are hexadecimal numbers in strings"}
	problemMemoryEdge = &trace.ProblemKind{Code: "memory_dump_edge", Severity: trace.Info,
		Message: "an entry of allocators_graph that says nothing: an unknown allocator, one that owns two, or no ownership",
		Hint:    "source and target must be guids of allocators of the same dump, type must be ownership"}
	problemMemoryCycle = &trace.ProblemKind{Code: "memory_dump_cycle", Severity: trace.Warning,
		Message: "allocators own each other, or parts of each other; effective sizes are off",
		Hint:    "ownership must lead from the user of memory to its provider"}

	problemTimeUnit = &trace.ProblemKind{Code: "display_time_unit", Severity: trace.Warning,
		Message: "displayTimeUnit is neither ms nor ns; ms was taken",
		Hint:    `displayTimeUnit must be "ms" or "ns"`}
	problemFramesShape = &trace.ProblemKind{Code: "bad_stack_frames", Severity: trace.DataLoss,
		Message: "stackFrames is no object; it was left out",
		Hint:    "stackFrames must be an object of frames by id"}
	problemSamplesShape = &trace.ProblemKind{Code: "bad_samples", Severity: trace.DataLoss,
		Message: "samples is no array; it was left out",
		Hint:    "samples must be an array of objects"}
	problemSystemTrace = &trace.ProblemKind{Code: "bad_system_trace", Severity: trace.DataLoss,
		Message: "systemTraceEvents is of no known form; it was left out",
		Hint:    "known are the text of ftrace, and the objects of ETW and Fuchsia"}
	problemFtraceNotLoaded = &trace.ProblemKind{Code: "ftrace_not_loaded", Severity: trace.DataLoss,
		Message: "systemTraceEvents holds ftrace text, which is not loaded yet; the count is that of its lines",
		Hint:    "what the kernel traced is missing; the rest of the file is there"}
	problemETWNotLoaded = &trace.ProblemKind{Code: "etw_not_loaded", Severity: trace.DataLoss,
		Message: "systemTraceEvents holds Windows ETW records, which are not loaded yet; the count is that of the records",
		Hint:    "what the kernel traced is missing; the rest of the file is there"}
	problemPowerNotLoaded = &trace.ProblemKind{Code: "power_not_loaded", Severity: trace.DataLoss,
		Message: "powerTraceAsString holds what a BattOr measured, which is not loaded yet; the count is that of its lines",
		Hint:    "the power counter is missing; the rest of the file is there"}
	problemFuchsiaEvent = &trace.ProblemKind{Code: "fuchsia_event", Severity: trace.DataLoss,
		Message: "an event of Fuchsia's kernel that can't be used; it was left out",
		Hint:    "known are k, w, p and t; k and w have ts, cpu and threads"}
	problemFuchsiaSwitch = &trace.ProblemKind{Code: "fuchsia_switch", Severity: trace.DataLoss,
		Message: "a cpu switches from another thread than the one that it ran",
		Hint:    "a context switch is lost"}
	problemFuchsiaState = &trace.ProblemKind{Code: "fuchsia_thread_state", Severity: trace.Warning,
		Message: "a thread leaves a cpu in no known state",
		Hint:    "states are 0 new, 1 running, 2 suspended, 3 blocked, 4 dying, 5 dead"}
)

// coldProblems lists them, for the reference pages.
var coldProblems = []*trace.ProblemKind{
	problemUnknownPhase, problemMissingPhase, problemMetadataName, problemMetadataValue, problemSortIndex,
	problemBufferOverflowed, problemUnknownFrame, problemFrameParent, problemFrameCycle, problemBadStack,
	problemSampleShape, problemSampleWeight, problemProfileStart, problemProfileTime, problemProfileNode,
	problemProfileParent, problemObjectID, problemObjectAlive, problemObjectNotAlive, problemObjectType,
	problemSnapshotMissing, problemSnapshotTwice, problemImplicitDepth, problemUnknownRef, problemContextID,
	problemContextLeave, problemContextCutShort, problemLinkedID, problemSyncID, problemSyncTwice, problemIssueTime,
	problemMemoryDump, problemMemoryApart, problemMemorySize, problemMemoryRegion, problemMemoryEdge, problemMemoryCycle,
	problemTimeUnit, problemFramesShape, problemSamplesShape, problemSystemTrace, problemFtraceNotLoaded,
	problemETWNotLoaded, problemPowerNotLoaded, problemFuchsiaEvent, problemFuchsiaSwitch, problemFuchsiaState,
}
