package trace

// SliceKind says what an entry of a SliceRun is.
type SliceKind uint8

// The kinds of entries.
const (
	Complete SliceKind = iota // a slice whose duration is known, or known to be missing
	Begin                     // the begin of a slice whose end is an entry of its own
	End                       // the end of the innermost open slice of its track that it matches
)

// SliceRun is a stretch of the input as columns: the slices, instants and
// begins and ends of slices that a loader found in it, in the input's order. A
// trace is made of many runs, decoded in parallel; Builder.SetSlices joins
// them.
//
// Optional columns are nil until a loader sets the first value in them; use
// the Set methods, which fill what came before.
type SliceRun struct {
	TS       []int64
	Dur      []int64 // Complete: the duration, or Unfinished. Others: Unfinished
	Track    []TrackID
	Name     []StringID // End: zero when it ends whatever is innermost
	Category []StringID
	ArgSet   []ArgSetID
	Kind     []SliceKind
	Offset   []uint32 // where the entry stands in the input, from Base on

	ThreadTS         []int64 // optional; of an End, the clock at the end
	ThreadDur        []int64 // optional
	ThreadInstr      []int64 // optional; of an End, the count at the end
	ThreadInstrDelta []int64 // optional
	Stack            []CallsiteID
	EndStack         []CallsiteID
	Color            []StringID
	CorrelationID    []StringID
	Scope            []byte
	Tag              []uint32 // optional: the loader's own mark; 0 is none. See Builder.SetSlices

	Base  int64 // offset in the input that Offset counts from
	pairs bool  // has Begin or End entries
}

// Len is the number of entries.
func (r *SliceRun) Len() int { return len(r.TS) }

// Grow makes room for n more entries.
func (r *SliceRun) Grow(n int) {
	grow(&r.TS, n)
	grow(&r.Dur, n)
	grow(&r.Track, n)
	grow(&r.Name, n)
	grow(&r.Category, n)
	grow(&r.ArgSet, n)
	grow(&r.Kind, n)
	grow(&r.Offset, n)
}

func grow[T any](col *[]T, n int) {
	if cap(*col)-len(*col) < n {
		*col = append(make([]T, 0, len(*col)+n), *col...)
	}
}

// Add appends an entry. Optional columns are set afterwards.
func (r *SliceRun) Add(kind SliceKind, ts, dur int64, track TrackID, name, category StringID, args ArgSetID, offset int64) {
	r.TS = append(r.TS, ts)
	r.Dur = append(r.Dur, dur)
	r.Track = append(r.Track, track)
	r.Name = append(r.Name, name)
	r.Category = append(r.Category, category)
	r.ArgSet = append(r.ArgSet, args)
	r.Kind = append(r.Kind, kind)
	r.Offset = append(r.Offset, uint32(offset-r.Base))
	if kind != Complete {
		r.pairs = true
	}
}

// setLast sets an optional column's value of the last entry.
func setLast[T any](col *[]T, n int, v, absent T) {
	for len(*col) < n-1 {
		*col = append(*col, absent)
	}
	*col = append((*col)[:n-1], v)
}

// SetThreadTime sets the last entry's thread clock at its start and how much
// it grew; NoTime for what is not known.
func (r *SliceRun) SetThreadTime(ts, dur int64) {
	if ts != NoTime {
		setLast(&r.ThreadTS, len(r.TS), ts, NoTime)
	}
	if dur != NoTime {
		setLast(&r.ThreadDur, len(r.TS), dur, NoTime)
	}
}

// SetThreadInstr sets the last entry's thread instruction count at its start
// and how much it grew; NoInt for what is not known.
func (r *SliceRun) SetThreadInstr(count, delta int64) {
	if count != NoInt {
		setLast(&r.ThreadInstr, len(r.TS), count, NoInt)
	}
	if delta != NoInt {
		setLast(&r.ThreadInstrDelta, len(r.TS), delta, NoInt)
	}
}

// SetStacks sets the last entry's callstacks at its start and its end;
// NoCallsite for what is not known.
func (r *SliceRun) SetStacks(start, end CallsiteID) {
	if start != NoCallsite {
		setLast(&r.Stack, len(r.TS), start, NoCallsite)
	}
	if end != NoCallsite {
		setLast(&r.EndStack, len(r.TS), end, NoCallsite)
	}
}

// SetColor sets the name of the colour that the last entry asks for.
func (r *SliceRun) SetColor(name StringID) { setLast(&r.Color, len(r.TS), name, 0) }

// SetScope makes the last entry an instant of scope 't', 'p' or 'g'.
func (r *SliceRun) SetScope(scope byte) { setLast(&r.Scope, len(r.TS), scope, 0) }

// SetCorrelationID sets the id that ties the last entry to others.
func (r *SliceRun) SetCorrelationID(id StringID) { setLast(&r.CorrelationID, len(r.TS), id, 0) }

// SetTag marks the last entry.
func (r *SliceRun) SetTag(tag uint32) { setLast(&r.Tag, len(r.TS), tag, 0) }

// optional calls f for each optional column in use, completed to full length.
func (r *SliceRun) eachOptional(f optionalColumns) {
	n := r.Len()
	visit(&r.ThreadTS, n, NoTime, f.int64s)
	visit(&r.ThreadDur, n, NoTime, f.int64s)
	visit(&r.ThreadInstr, n, NoInt, f.int64s)
	visit(&r.ThreadInstrDelta, n, NoInt, f.int64s)
	visit(&r.Stack, n, NoCallsite, f.callsites)
	visit(&r.EndStack, n, NoCallsite, f.callsites)
	visit(&r.Color, n, 0, f.strings)
	visit(&r.CorrelationID, n, 0, f.strings)
	visit(&r.Scope, n, 0, f.bytes)
	visit(&r.Tag, n, 0, f.tags)
}

type optionalColumns struct {
	int64s    func(*[]int64)
	callsites func(*[]CallsiteID)
	strings   func(*[]StringID)
	bytes     func(*[]byte)
	tags      func(*[]uint32)
}

func visit[T any](col *[]T, n int, absent T, f func(*[]T)) {
	if *col == nil {
		return
	}
	for len(*col) < n {
		*col = append(*col, absent)
	}
	f(col)
}

// Remap turns ids that a loader numbered within the run into the trace's.
// A nil table leaves that kind of id as it is; argBase is added to every
// ArgSetID but zero, tagBase to every tag but zero.
func (r *SliceRun) Remap(tracks []TrackID, strings []StringID, stacks []CallsiteID, argBase ArgSetID, tagBase uint32) {
	if tracks != nil {
		for i, t := range r.Track {
			r.Track[i] = tracks[t]
		}
	}
	if strings != nil {
		remapStrings(r.Name, strings)
		remapStrings(r.Category, strings)
		remapStrings(r.Color, strings)
		remapStrings(r.CorrelationID, strings)
	}
	if stacks != nil {
		remapStacks(r.Stack, stacks)
		remapStacks(r.EndStack, stacks)
	}
	if argBase != 0 {
		for i, a := range r.ArgSet {
			if a != 0 {
				r.ArgSet[i] = a + argBase
			}
		}
	}
	for i, tag := range r.Tag {
		if tag != 0 {
			r.Tag[i] = tag + tagBase
		}
	}
}

func remapStrings(col, to []StringID) {
	for i, s := range col {
		col[i] = to[s]
	}
}

func remapStacks(col, to []CallsiteID) {
	for i, s := range col {
		if s != NoCallsite {
			col[i] = to[s]
		}
	}
}

// Sort puts the run in time order: by start, among equal starts the longer
// first (begins and ends, whose duration is not known yet, before all others),
// then in the input's order. A loader calls it while the run is warm in the
// cache, on the goroutine that decoded it.
func (r *SliceRun) Sort() {
	n := r.Len()
	sorted := true
	for i := 1; i < n; i++ {
		if !r.ordered(i-1, i) {
			sorted = false
			break
		}
	}
	if sorted {
		return
	}
	s := sortScratches.Get().(*sortScratch)
	defer sortScratches.Put(s)
	perm := s.sortByTime(r.TS)
	// Equal starts are rare and their groups small, save in degenerate input:
	// sort each group by length.
	for i := 0; i < n; {
		j := i + 1
		for j < n && r.TS[perm[j]] == r.TS[perm[i]] {
			j++
		}
		if j-i > 1 {
			sortGroup(perm[i:j], r)
		}
		i = j
	}
	r.permute(s, perm)
}

// ordered says whether entry a may stand before entry b.
func (r *SliceRun) ordered(a, b int) bool {
	if r.TS[a] != r.TS[b] {
		return r.TS[a] < r.TS[b]
	}
	if r.Dur[a] != r.Dur[b] {
		return uint64(r.Dur[a]) > uint64(r.Dur[b])
	}
	return r.Offset[a] <= r.Offset[b]
}

func (r *SliceRun) permute(s *sortScratch, perm []uint32) {
	// The optional columns first: they are completed to the length of the
	// others.
	r.eachOptional(optionalColumns{
		int64s:    func(c *[]int64) { gather(s, c, perm) },
		callsites: func(c *[]CallsiteID) { gather(s, c, perm) },
		strings:   func(c *[]StringID) { gather(s, c, perm) },
		bytes:     func(c *[]byte) { gather(s, c, perm) },
		tags:      func(c *[]uint32) { gather(s, c, perm) },
	})
	gather(s, &r.TS, perm)
	gather(s, &r.Dur, perm)
	gather(s, &r.Track, perm)
	gather(s, &r.Name, perm)
	gather(s, &r.Category, perm)
	gather(s, &r.ArgSet, perm)
	gather(s, &r.Kind, perm)
	gather(s, &r.Offset, perm)
}
