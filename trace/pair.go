package trace

// pairing finds the end of every slice whose begin and end are entries of
// their own. Tracks are independent of one another, so each worker takes those
// whose number is its own modulo the workers.
type pairing struct {
	m        *merged
	worker   uint32
	workers  uint32
	stacks   map[TrackID]*openStack
	joined   []joinedArgs
	cutShort Places // begins that an outer slice's end closed
	orphans  Places // ends that closed nothing
}

// entryRef names an entry of a run.
type entryRef struct {
	run   uint16
	entry uint32
}

// joinedArgs says that the args of an end belong to a begin's slice, too.
type joinedArgs struct{ begin, end ArgSetID }

// openStack is the slices that are open on one track, outermost first.
type openStack struct {
	open  []openBegin
	index map[openName]int // how many are open by name; nil until the stack is deep
}

type openBegin struct {
	entryRef
	name, category StringID
}

// openName is a name with a category, or with anyCategory.
type openName struct{ name, category StringID }

const anyCategory = ^StringID(0)

// shallow is how deep an end looks for its begin before it asks the index
// whether there is one at all.
const shallow = 32

// pairRuns turns every Begin into a Complete and removes every End. It returns
// the workers' findings in worker order.
func pairRuns(runs []*SliceRun, workers int) []*pairing {
	m := mergeRuns(runs, workers)
	completeOptional(runs)
	found := make([]*pairing, workers)
	parallel(workers, workers, func(w int) {
		p := &pairing{m: m, worker: uint32(w), workers: uint32(workers), stacks: map[TrackID]*openStack{}}
		m.each(p.entry)
		found[w] = p
	})
	parallel(workers, len(runs), func(i int) {
		if runs[i].pairs {
			runs[i].dropEnds()
		}
	})
	return found
}

func (p *pairing) entry(_ int, run uint16, entry uint32) {
	r := p.m.runs[run]
	kind := r.Kind[entry]
	if kind == Complete {
		return
	}
	track := r.Track[entry]
	if uint32(track)%p.workers != p.worker {
		return
	}
	s := p.stacks[track]
	if s == nil {
		s = &openStack{}
		p.stacks[track] = s
	}
	ref := entryRef{run, entry}
	if kind == Begin {
		s.push(openBegin{ref, r.Name[entry], r.Category[entry]})
		return
	}
	at := s.find(r.Name[entry], r.Category[entry])
	if at < 0 {
		p.orphans.Add(r.Base+int64(r.Offset[entry]), r.TS[entry])
		return
	}
	for len(s.open)-1 > at {
		b := s.pop()
		p.close(b.entryRef, r.TS[entry])
		br := p.m.runs[b.run]
		p.cutShort.Add(br.Base+int64(br.Offset[b.entry]), br.TS[b.entry])
	}
	p.end(s.pop().entryRef, ref)
}

// end closes a begin with its own end.
func (p *pairing) end(begin, end entryRef) {
	b, e := p.m.runs[begin.run], p.m.runs[end.run]
	p.close(begin, e.TS[end.entry])
	if a := e.ArgSet[end.entry]; a != 0 {
		if b.ArgSet[begin.entry] == 0 {
			b.ArgSet[begin.entry] = a
		} else {
			p.joined = append(p.joined, joinedArgs{b.ArgSet[begin.entry], a})
		}
	}
	grown := func(first, last []int64) int64 {
		from, to := at(first, begin.entry, NoTime), at(last, end.entry, NoTime)
		if from == NoTime || to == NoTime {
			return NoTime
		}
		return to - from
	}
	setAt(b.ThreadDur, begin.entry, grown(b.ThreadTS, e.ThreadTS), NoTime)
	setAt(b.ThreadInstrDelta, begin.entry, grown(b.ThreadInstr, e.ThreadInstr), NoInt)
	setAt(b.EndStack, begin.entry, at(e.Stack, end.entry, NoCallsite), NoCallsite)
	if at(b.Color, begin.entry, 0) == 0 {
		setAt(b.Color, begin.entry, at(e.Color, end.entry, 0), 0)
	}
}

func (p *pairing) close(begin entryRef, ts int64) {
	r := p.m.runs[begin.run]
	r.Dur[begin.entry] = ts - r.TS[begin.entry]
}

func at[T any](col []T, i uint32, absent T) T {
	if int(i) < len(col) {
		return col[i]
	}
	return absent
}

// setAt sets an entry of an optional column unless the value is absent.
func setAt[T comparable](col []T, i uint32, v, absent T) {
	if v != absent {
		col[i] = v
	}
}

// completeOptional gives every run with pairs the columns that an end may set
// for its begin, so that workers only ever write entries of their own.
func completeOptional(runs []*SliceRun) {
	var clock, instr, stack, color bool
	for _, r := range runs {
		clock = clock || r.ThreadTS != nil
		instr = instr || r.ThreadInstr != nil
		stack = stack || r.Stack != nil
		color = color || r.Color != nil
	}
	for _, r := range runs {
		if !r.pairs {
			continue
		}
		complete(&r.ThreadDur, r.Len(), clock, NoTime)
		complete(&r.ThreadInstrDelta, r.Len(), instr, NoInt)
		complete(&r.EndStack, r.Len(), stack, NoCallsite)
		complete(&r.Color, r.Len(), color, 0)
	}
}

func complete[T any](col *[]T, n int, wanted bool, absent T) {
	for wanted && len(*col) < n {
		*col = append(*col, absent)
	}
}

func (s *openStack) push(b openBegin) {
	s.open = append(s.open, b)
	s.count(b, 1)
}

func (s *openStack) pop() openBegin {
	b := s.open[len(s.open)-1]
	s.open = s.open[:len(s.open)-1]
	s.count(b, -1)
	return b
}

func (s *openStack) count(b openBegin, by int) {
	if s.index == nil {
		return
	}
	s.index[openName{b.name, b.category}] += by
	s.index[openName{b.name, anyCategory}] += by
}

// find returns where the begin stands that an end of this name and category
// closes: the innermost of its name, and of its category where both have one.
// An end without a name closes the innermost. -1 when there is none.
func (s *openStack) find(name, category StringID) int {
	n := len(s.open)
	if n == 0 {
		return -1
	}
	if name == 0 {
		return n - 1
	}
	for i := n - 1; i >= 0; i-- {
		b := s.open[i]
		if b.name == name && (b.category == category || b.category == 0 || category == 0) {
			return i
		}
		if n-i == shallow && !s.has(name, category) {
			return -1
		}
	}
	return -1
}

// has says whether a begin that matches is open at all.
func (s *openStack) has(name, category StringID) bool {
	if s.index == nil {
		s.index = map[openName]int{}
		for _, b := range s.open {
			s.count(b, 1)
		}
	}
	if category == 0 {
		return s.index[openName{name, anyCategory}] > 0
	}
	return s.index[openName{name, category}] > 0 || s.index[openName{name, 0}] > 0
}

// dropEnds removes the run's End entries, whose work is done, and puts the
// begins, whose durations are known now, in order.
func (r *SliceRun) dropEnds() {
	keep := make([]uint32, 0, r.Len())
	for i, k := range r.Kind {
		if k != End {
			keep = append(keep, uint32(i))
		}
	}
	s := sortScratches.Get().(*sortScratch)
	r.permute(s, keep)
	sortScratches.Put(s)
	for i := range r.Kind {
		r.Kind[i] = Complete
	}
	r.pairs = false
	r.Sort()
}
