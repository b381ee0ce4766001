package traceevent

// Phase is the type of an event: the one character of its field "ph".
type Phase byte

// The phases.
const (
	PhaseBegin          Phase = 'B'
	PhaseEnd            Phase = 'E'
	PhaseComplete       Phase = 'X'
	PhaseInstant        Phase = 'i'
	PhaseInstantOld     Phase = 'I'
	PhaseCounter        Phase = 'C'
	PhaseAsyncBegin     Phase = 'b'
	PhaseAsyncInstant   Phase = 'n'
	PhaseAsyncEnd       Phase = 'e'
	PhaseAsyncStart     Phase = 'S'
	PhaseAsyncStepInto  Phase = 'T'
	PhaseAsyncStepPast  Phase = 'p'
	PhaseAsyncFinish    Phase = 'F'
	PhaseFlowStart      Phase = 's'
	PhaseFlowStep       Phase = 't'
	PhaseFlowEnd        Phase = 'f'
	PhaseSample         Phase = 'P'
	PhaseObjectCreated  Phase = 'N'
	PhaseObjectSnapshot Phase = 'O'
	PhaseObjectDeleted  Phase = 'D'
	PhaseMetadata       Phase = 'M'
	PhaseMemoryGlobal   Phase = 'V'
	PhaseMemoryProcess  Phase = 'v'
	PhaseMark           Phase = 'R'
	PhaseClockSync      Phase = 'c'
	PhaseContextEnter   Phase = '('
	PhaseContextLeave   Phase = ')'
	PhaseLinkIDs        Phase = '='
)

// PhaseSpec describes one phase.
type PhaseSpec struct {
	Phase    Phase
	Name     string   // of the phase, in a word or two
	Section  string   // of the specification
	Meaning  string   // one line
	Required FieldSet // fields without which the event says nothing
	Optional FieldSet // further fields that mean something here
}

func fields(list ...Field) (s FieldSet) {
	for _, f := range list {
		s = s.With(f)
	}
	return s
}

var (
	placed     = fields(FieldPh, FieldTS, FieldPID, FieldTID)
	named      = placed | fields(FieldName)
	identified = named | fields(FieldID)
	common     = fields(FieldCat, FieldTTS, FieldArgs, FieldCName)
	sliced     = common | fields(FieldSF, FieldStack, FieldBindID, FieldFlowIn, FieldFlowOut, FieldTICount)
	ids        = common | fields(FieldID2, FieldScope)
)

// Phases is the table of all phases, in the order of the specification.
var Phases = []PhaseSpec{
	{PhaseBegin, "begin", "Duration Events", "a slice of its thread begins", named, sliced},
	{PhaseEnd, "end", "Duration Events", "a slice of its thread ends", placed, sliced | fields(FieldName)},
	{PhaseComplete, "complete", "Complete Events", "a whole slice: ts and dur", named.With(FieldDur), sliced | fields(FieldTDur, FieldESF, FieldEStack, FieldTIDelta)},
	{PhaseInstant, "instant", "Instant Events", "something happened, without duration", named, sliced | fields(FieldS)},
	{PhaseInstantOld, "instant (deprecated)", "Instant Events", "the same, as older producers write it", named, sliced | fields(FieldS)},
	{PhaseCounter, "counter", "Counter Events", "values of a counter's series, in args", named.With(FieldArgs), ids | fields(FieldID)},
	{PhaseAsyncBegin, "async begin", "Async Events", "an async slice begins", identified, ids | sliced | fields(FieldUseAsyncTTS)},
	{PhaseAsyncInstant, "async instant", "Async Events", "a point of an async operation", identified, ids | sliced},
	{PhaseAsyncEnd, "async end", "Async Events", "an async slice ends", identified, ids | sliced | fields(FieldUseAsyncTTS)},
	{PhaseAsyncStart, "async start (deprecated)", "Async Events", "an async slice begins", identified, ids | fields(FieldUseAsyncTTS)},
	{PhaseAsyncStepInto, "async step into (deprecated)", "Async Events", "names the step that follows it", identified, ids},
	{PhaseAsyncStepPast, "async step past (deprecated)", "Async Events", "names the step before it", identified, ids},
	{PhaseAsyncFinish, "async finish (deprecated)", "Async Events", "an async slice ends", identified, ids | fields(FieldUseAsyncTTS)},
	{PhaseFlowStart, "flow start", "Flow Events", "an arrow leaves the slice around it", identified, ids | fields(FieldBP)},
	{PhaseFlowStep, "flow step", "Flow Events", "an arrow passes the slice around it", identified, ids | fields(FieldBP)},
	{PhaseFlowEnd, "flow end", "Flow Events", "an arrow arrives at the next slice, or the one around it", identified, ids | fields(FieldBP)},
	{PhaseSample, "sample", "Sample Events", "a sampling profiler's stack", named, common | fields(FieldID, FieldSF, FieldStack)},
	{PhaseObjectCreated, "object created", "Object Events", "an object's life begins", identified, ids},
	{PhaseObjectSnapshot, "object snapshot", "Snapshots", "an object's state, in args.snapshot", identified.With(FieldArgs), ids},
	{PhaseObjectDeleted, "object deleted", "Object Events", "an object's life ends", identified, ids},
	{PhaseMetadata, "metadata", "Metadata Events", "names and sort order of processes and threads, and more", fields(FieldName, FieldPh, FieldPID), placed | common},
	{PhaseMemoryGlobal, "memory dump, global", "Memory Dump Events", "the system's memory", identified.With(FieldArgs), common},
	{PhaseMemoryProcess, "memory dump, process", "Memory Dump Events", "one process's memory", identified.With(FieldArgs), common},
	{PhaseMark, "mark", "Mark Events", "a navigation timing mark", named, common},
	{PhaseClockSync, "clock sync", "Clock Sync Event", "a moment that another clock domain saw too", named.With(FieldArgs), common},
	{PhaseContextEnter, "context enter", "Context Events", "events of this thread belong to a context from here", identified, ids},
	{PhaseContextLeave, "context leave", "Context Events", "they no longer do", identified, ids},
	{PhaseLinkIDs, "linked ids", "Linking IDs", "id and args.linked_id name the same thing", fields(FieldPh, FieldID, FieldArgs), placed | named | ids},
}

// phaseIndex is a phase's place in Phases plus one; 0 where there is none.
var phaseIndex [256]uint8

func init() {
	for i, p := range Phases {
		phaseIndex[p.Phase] = uint8(i + 1)
	}
}

// Known tells whether the specification names this phase.
func (p Phase) Known() bool { return phaseIndex[p] != 0 }

// Spec is the phase's row of Phases; nil for one that isn't known.
func (p Phase) Spec() *PhaseSpec {
	if i := phaseIndex[p]; i != 0 {
		return &Phases[i-1]
	}
	return nil
}

// Name is the phase in words, "complete"; "unknown" for one that isn't known.
func (p Phase) Name() string {
	if s := p.Spec(); s != nil {
		return s.Name
	}
	return "unknown"
}

// String is the phase's character.
func (p Phase) String() string { return string([]byte{byte(p)}) }
