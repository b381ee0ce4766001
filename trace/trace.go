// Package trace is the model: one loaded trace as columns.
//
// Every format is turned into the same tables, so that a query, a page or a
// writer never asks where a trace came from. The tables follow the names and
// meanings of the SQL reference in docs/tables.md, which is generated from
// package query's definitions.
//
// # Rules that hold in every table
//
//   - Time is int64 nanoseconds on the trace's one clock. [NoTime] stands for
//     "not known" (NULL); a duration of [Unfinished] means the slice never
//     ended.
//   - A row's id is its index. Rows of event tables stand in time order.
//   - A string is a [StringID] into Trace.Strings; zero is "no string" (NULL).
//   - Args are not unpacked while loading: a row holds an [ArgSetID], and
//     Trace.Args decodes the set when someone looks.
//   - Whatever the input held that could not be used is a [Problem].
//
// The big tables (slices, counters) are a set of columns; the small ones are
// slices of row structs.
package trace

import (
	"io"
	"math"
)

const (
	// NoTime is the absent time or duration (NULL in SQL).
	NoTime int64 = math.MinInt64
	// Unfinished is the duration of a slice that began and never ended.
	Unfinished int64 = -1
	// NoInt is the absent value of an optional integer column (NULL in SQL).
	NoInt int64 = math.MinInt64
)

// Ids are row indexes. None of each kind is its all-ones value, save for
// StringID and ArgSetID, whose zero is none.
type (
	// UPID is a row of Trace.Processes: a process, unique over the trace.
	UPID uint32
	// UTID is a row of Trace.Threads: a thread, unique over the trace.
	UTID uint32
	// TrackID is a row of Trace.Tracks.
	TrackID uint32
	// SliceID is a row of Trace.Slices.
	SliceID uint32
	// CallsiteID is a row of Trace.Callsites.
	CallsiteID uint32
	// FrameID is a row of Trace.Frames.
	FrameID uint32
	// MappingID is a row of Trace.Mappings.
	MappingID uint32
	// ObjectID is a row of Trace.Objects.
	ObjectID uint32
	// SnapshotID is a row of Trace.ObjectSnapshots.
	SnapshotID uint32
)

// The absent ids.
const (
	NoProcess  = ^UPID(0)
	NoThread   = ^UTID(0)
	NoTrack    = ^TrackID(0)
	NoSlice    = ^SliceID(0)
	NoCallsite = ^CallsiteID(0)
	NoFrame    = ^FrameID(0)
	NoMapping  = ^MappingID(0)
	NoObject   = ^ObjectID(0)
	NoSnapshot = ^SnapshotID(0)
)

// Trace is one loaded trace. It is read-only once built and safe for
// concurrent readers.
type Trace struct {
	// Sources are the files it was made of, outermost first.
	Sources []Source
	// Start and End bound every timestamp in the trace (nanoseconds); both are
	// zero in an empty trace.
	Start, End int64
	// TimeUnit is what the trace asks to be displayed in: "ms" or "ns".
	TimeUnit string

	Strings Strings
	Args    ArgSets

	Processes []Process
	Threads   []Thread
	Tracks    []Track
	Slices    Slices
	Counters  Counters
	Flows     []Flow

	Mappings  []Mapping
	Frames    []Frame
	Callsites []Callsite
	Samples   []Sample

	Objects         []Object
	ObjectSnapshots []ObjectSnapshot

	MemorySnapshots []MemorySnapshot
	MemoryNodes     []MemoryNode
	MemoryRegions   []MemoryRegion

	Contexts       []Context
	LinkedIDs      []LinkedID
	ClockSnapshots []ClockSnapshot
	Metadata       []Metadata

	Sched        []Sched
	ThreadStates []ThreadState

	Problems []Problem
	// Events counts what the file held, by the format's own kinds (for Trace
	// Event JSON: by phase), in the order that `weft info` prints.
	Events []EventCount

	closers []io.Closer
}

// Source is one input that a trace was made of.
type Source struct {
	// Name is the path as given, with "!member" for a member of an archive.
	Name string
	// Format names the format ("trace event json").
	Format string
	// Container names what it was wrapped in ("gzip", "zip", …), or "".
	Container string
	// Producer is who wrote it, as far as the file tells, or "".
	Producer string
	// Size is its size in bytes once decompressed.
	Size int64
}

// EventCount says how often one kind of event or record was in the input.
type EventCount struct {
	Kind  string // the format's own word: "X", "M", …
	Name  string // the specification's name for it: "complete", "metadata", …
	Count int64
}

// OnClose registers what must be released when the trace is closed: mapped
// files that args still lie in.
func (t *Trace) OnClose(c io.Closer) { t.closers = append(t.closers, c) }

// Close releases what the trace holds outside of memory. Args can't be decoded
// afterwards.
func (t *Trace) Close() error {
	var first error
	for i := len(t.closers) - 1; i >= 0; i-- {
		if err := t.closers[i].Close(); err != nil && first == nil {
			first = err
		}
	}
	t.closers = nil
	return first
}
