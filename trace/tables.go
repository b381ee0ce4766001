package trace

// Process is one process over its life.
type Process struct {
	PID       int64 // as the file gave it; meaningful only with HasPID
	HasPID    bool  // false when the file gave none, or one that is text
	Name      StringID
	StartTS   int64 // NoTime when not known
	EndTS     int64 // NoTime when not known
	Parent    UPID  // NoProcess when not known
	Cmdline   StringID
	ArgSet    ArgSetID
	Labels    StringID // the labels joined by ", "
	SortIndex int64    // NoInt when the file gave none
}

// Thread is one thread over its life.
type Thread struct {
	TID       int64 // as the file gave it; meaningful only with HasTID
	HasTID    bool  // false when it is text, or missing in a process without a pid
	IsMain    bool
	Name      StringID
	StartTS   int64
	EndTS     int64
	Process   UPID
	ArgSet    ArgSetID
	SortIndex int64 // NoInt when the file gave none
}

// TrackType says what a track shows.
type TrackType uint8

// The kinds of tracks.
const (
	TrackThread   TrackType = iota // slices of one thread
	TrackOverflow                  // slices of a thread that overlap those of its first track; Parent is that
	TrackProcess                   // instants and slices that belong to a whole process
	TrackGlobal                    // what belongs to the whole trace
	TrackAsync                     // one lane of async slices
	TrackCounter                   // one series of one counter
	TrackCPU                       // what one cpu ran
	TrackMemory                    // memory dumps of one process
	trackTypes
)

var trackTypeNames = [trackTypes]string{"thread", "overflow", "process", "global", "async", "counter", "cpu", "memory"}

// String is the type's name as SQL shows it.
func (t TrackType) String() string {
	if t < trackTypes {
		return trackTypeNames[t]
	}
	return "unknown"
}

// Track is one row of what a viewer draws.
type Track struct {
	Name         StringID
	Type         TrackType
	Parent       TrackID // NoTrack for a top-level track
	Process      UPID    // NoProcess when it belongs to none
	Thread       UTID    // NoThread when it belongs to none
	CPU          int32   // -1 when it belongs to none
	ArgSet       ArgSetID
	Category     StringID
	SortIndex    int64 // NoInt when the file gave none
	Description  StringID
	Unit         StringID // counters: the unit of their values
	CounterGroup StringID // counters: series of one counter share it and are drawn stacked
}

// Slices is the table of everything that has a start and a duration on a track,
// instants (duration 0, with a Scope) included. All columns but the optional
// ones have one entry a row; an optional column is nil when no row has a value.
type Slices struct {
	TS       []int64 // start
	Dur      []int64 // Unfinished when it never ended
	Track    []TrackID
	Name     []StringID
	Category []StringID
	Depth    []uint32  // 0 is the outermost
	Parent   []SliceID // NoSlice for the outermost
	ArgSet   []ArgSetID

	// Optional columns.
	ThreadTS         []int64      // thread clock at the start; NoTime where absent
	ThreadDur        []int64      // thread clock's growth; NoTime where absent
	ThreadInstr      []int64      // thread instruction count at the start; NoInt where absent
	ThreadInstrDelta []int64      // its growth; NoInt where absent
	Stack            []CallsiteID // callstack at the start
	EndStack         []CallsiteID // callstack at the end
	Color            []StringID   // colour name the file asks for
	Scope            []byte       // instants: 't', 'p' or 'g'; 0 for others
	CorrelationID    []StringID   // id that ties slices of several tracks together, as in the file
}

// Len is the number of slices.
func (s *Slices) Len() int { return len(s.TS) }

// Counters is the table of counter samples.
type Counters struct {
	TS     []int64
	Track  []TrackID
	Value  []float64
	ArgSet []ArgSetID // optional column
}

// Len is the number of samples.
func (c *Counters) Len() int { return len(c.TS) }

// Flow is one arrow between two slices.
type Flow struct {
	Out, In  SliceID
	TSOut    int64 // when it left; within or at the edge of Out
	TSIn     int64 // when it arrived
	ID       StringID
	Name     StringID
	Category StringID
	ArgSet   ArgSetID
}

// Mapping is a file that was mapped into a process's memory as code.
type Mapping struct {
	BuildID     StringID
	Start, End  uint64
	StartOffset uint64
	LoadBias    uint64
	Name        StringID
}

// Frame is a function, or an address in one.
type Frame struct {
	Name       StringID
	Mapping    MappingID // NoMapping when not known
	RelPC      int64     // NoInt when not known
	Category   StringID
	SourceFile StringID
	Line       int64 // NoInt when not known
}

// Callsite is a frame in the context of its callers: a callstack is a callsite
// and its parents.
type Callsite struct {
	Depth  uint32
	Parent CallsiteID // NoCallsite for the outermost
	Frame  FrameID
}

// Sample is one look of a profiler at what ran.
type Sample struct {
	TS       int64
	Thread   UTID  // NoThread when the file names none
	CPU      int32 // -1 when not known
	Name     StringID
	Weight   float64
	Callsite CallsiteID // NoCallsite when it has no stack
	Source   StringID   // where it came from: "P", "samples", "cpu_profile", …
	ArgSet   ArgSetID
}

// Object is the life of one object.
type Object struct {
	Type     StringID
	Category StringID
	Scope    StringID
	ID       StringID // as in the file
	Process  UPID     // NoProcess for an id that is global
	Thread   UTID     // of its creation; NoThread when never announced
	Created  int64    // NoTime when never announced
	Deleted  int64    // NoTime when never announced
	ArgSet   ArgSetID // what its creation and its deletion brought
}

// ObjectSnapshot is an object's state at one time.
type ObjectSnapshot struct {
	Object   ObjectID
	TS       int64
	Type     StringID
	BaseType StringID
	Category StringID
	ArgSet   ArgSetID
	Implicit bool // it stood inside another object's snapshot
}

// MemorySnapshot is one memory dump of a process, or of the whole system.
type MemorySnapshot struct {
	TS          int64
	Track       TrackID
	DetailLevel StringID
	DumpID      StringID
	Process     UPID // NoProcess for a global dump
	ArgSet      ArgSetID
}

// MemoryNode is one node of a memory dump's tree of allocators.
type MemoryNode struct {
	Snapshot      uint32 // row of MemorySnapshots
	Parent        uint32 // row of MemoryNodes; ^0 for a root
	Path          StringID
	Size          int64 // bytes; NoInt when not given
	EffectiveSize int64 // bytes; NoInt when not given
	ArgSet        ArgSetID
}

// MemoryRegion is one region of a process's address space in a memory dump.
type MemoryRegion struct {
	Snapshot   uint32 // row of MemorySnapshots
	Start      uint64
	Size       int64 // bytes
	Name       StringID
	Protection int64
	ArgSet     ArgSetID
}

// Context is a stretch of a thread's time spent for one context object.
type Context struct {
	TS, Dur  int64
	Thread   UTID
	Name     StringID
	Category StringID
	ID       StringID
	Object   ObjectID // NoObject when no snapshot tells
	ArgSet   ArgSetID
}

// LinkedID says that two ids mean the same.
type LinkedID struct {
	TS       int64
	Process  UPID
	A, B     StringID
	Name     StringID
	Category StringID
	ArgSet   ArgSetID
}

// ClockSnapshot is one reading of one clock; readings with the same Snapshot
// were taken together.
type ClockSnapshot struct {
	TS       int64 // on the trace's clock
	ClockID  int64
	Name     StringID // the clock's domain
	Value    int64    // on its own clock, nanoseconds
	Snapshot int64
	SyncID   StringID
	ArgSet   ArgSetID
}

// Metadata is one fact about the whole trace.
type Metadata struct {
	Name StringID
	Int  int64    // NoInt when it is no integer
	Str  StringID // zero when it is an integer
}

// Sched is a stretch of time that a thread ran on a cpu.
type Sched struct {
	TS, Dur  int64
	CPU      int32
	Thread   UTID
	EndState StringID
	Priority int64 // NoInt when not known
}

// ThreadState is a stretch of time that a thread spent in one scheduling state.
type ThreadState struct {
	TS, Dur         int64
	CPU             int32 // -1 when it did not run
	Thread          UTID
	State           StringID
	IOWait          int64 // 0, 1, or NoInt when not known
	BlockedFunction StringID
	Waker           UTID  // NoThread when not known
	WakerState      int64 // row of ThreadStates; NoInt when not known
}
