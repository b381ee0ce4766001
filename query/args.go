//go:build cgo

package query

import (
	"runtime"
	"sync"
	"sync/atomic"

	duckdb "github.com/duckdb/duckdb-go-bindings"

	"github.com/weft-trace/weft/trace"
)

// argBlock is how many sets of args a worker takes at a time.
const argBlock = 1024

// leafTarget is how many leaves a worker decodes before it hands out the first:
// enough to fill vectors, few enough to stay in the cache.
const leafTarget = 4 * morsel

// argRange is the sets from first to last.
type argRange struct{ first, last trace.ArgSetID }

func (s *scan) startArgs(columns []int) (runner, error) {
	r := &argRunner{db: s.db, args: *s.args, columns: columns, stopped: s.stopped}
	var needID, needLeaf bool
	for _, c := range columns {
		needID = needID || c == argID
		needLeaf = needLeaf || c >= 0 && c < len(argColumns)
	}
	whole := s.args.first == 1 && int(s.args.last) == s.db.trace.Args.Len()
	if needID || !needLeaf && whole {
		starts, err := s.db.leafStarts(s.stopped)
		if err != nil {
			return nil, err
		}
		if !needLeaf {
			return &tableRunner{n: int(starts[len(starts)-1]), values: make([]values, len(columns))}, nil
		}
		r.starts = starts
	}
	return r, nil
}

// argRunner is a scan of args. Workers take blocks of sets and decode them.
type argRunner struct {
	db      *engine
	args    argRange
	columns []int
	stopped *atomic.Bool
	starts  []int64 // id of the first leaf of each block; nil when nobody asks
	next    atomic.Int64
}

// leafBuffer holds decoded leaves that are not handed out yet.
type leafBuffer struct {
	set, last trace.ArgSetID // the next set to decode, and the last of the block
	id        int64          // of the first leaf in the buffer

	n, out int // leaves here; how many of them are handed out
	sets   []int64
	kinds  []trace.ArgKind
	ints   []int64
	reals  []float64
	// By column of args; only those that the statement reads are filled.
	texts [len(argTextColumns)]textBuffer
}

// argTextColumns are the columns of args that are text.
var argTextColumns = [...]int{argFlatKey, argKey, argStringValue, argValueType, argDisplayValue, argJSON}

func (r *argRunner) fill(w *worker, chunk duckdb.DataChunk) (int, error) {
	if w.leaves == nil {
		w.leaves = &leafBuffer{set: 1}
	}
	b := w.leaves
	for b.out == b.n {
		if b.set > b.last && !r.take(b) {
			return 0, nil
		}
		if r.stopped.Load() {
			return 0, errStopped
		}
		r.decode(b)
	}
	from, to := b.out, min(b.out+morsel, b.n)
	for i, c := range r.columns {
		if c >= 0 && c < len(argColumns) {
			b.store(w.output(i, duckdb.DataChunkGetVector(chunk, duckdb.IdxT(i))), c, from, to)
		}
	}
	b.out = to
	return to - from, nil
}

// take gives the worker its next block of sets.
func (r *argRunner) take(b *leafBuffer) bool {
	i := r.next.Add(1) - 1
	block := int64(r.args.first-1)/argBlock + i
	first := max(trace.ArgSetID(block*argBlock)+1, r.args.first)
	if first > r.args.last {
		return false
	}
	b.set, b.last = first, min(trace.ArgSetID((block+1)*argBlock), r.args.last)
	b.n, b.out, b.id = 0, 0, 0
	if r.starts != nil {
		b.id = r.starts[block] + countLeaves(&r.db.trace.Args, trace.ArgSetID(block*argBlock)+1, first-1)
	}
	return true
}

// decode refills an empty buffer from the sets that are left of its block.
func (r *argRunner) decode(b *leafBuffer) {
	b.id += int64(b.n)
	b.n, b.out = 0, 0
	b.sets, b.kinds, b.ints, b.reals = b.sets[:0], b.kinds[:0], b.ints[:0], b.reals[:0]
	var want [argColumnCount]bool
	for _, c := range r.columns {
		if c >= 0 && c < len(argColumns) {
			want[c] = true
		}
	}
	for i := range b.texts {
		b.texts[i].reset()
	}
	for ; b.set <= b.last && b.n < leafTarget; b.set++ {
		r.db.trace.Args.Decode(b.set, func(a *trace.Arg) bool {
			b.n++
			b.sets = append(b.sets, int64(b.set))
			b.kinds = append(b.kinds, a.Kind)
			b.ints = append(b.ints, a.Int)
			b.reals = append(b.reals, a.Real)
			for i, c := range argTextColumns {
				if want[c] {
					b.texts[i].add(argText(a, c))
				}
			}
			return true
		})
	}
}

// argText is the text of one of a leaf's columns, nil for NULL.
func argText(a *trace.Arg, column int) []byte {
	var text []byte
	switch column {
	case argFlatKey:
		text = a.FlatKey
	case argKey:
		text = a.Key
	case argStringValue:
		if a.Kind != trace.ArgString {
			return nil
		}
		text = a.Text
	case argValueType:
		return []byte(a.Kind.String())
	case argDisplayValue:
		if a.Kind == trace.ArgNull {
			return nil
		}
		text = a.Text
	case argJSON:
		text = a.JSON
	default:
		panic("query: not a text column of args")
	}
	if text == nil {
		return []byte{}
	}
	return text
}

// argInt is a leaf's int_value; not ok is NULL.
func argInt(kind trace.ArgKind, i int64) (v int64, ok bool) {
	switch kind {
	case trace.ArgBool, trace.ArgInt, trace.ArgUint, trace.ArgPointer, trace.ArgSnapshot:
		return i, true
	default:
		return 0, false
	}
}

// store writes leaves from to to of the buffer into one column.
func (b *leafBuffer) store(o *output, column, from, to int) {
	n := to - from
	switch column {
	case argID:
		for i, d := 0, vector[int64](o, n); i < n; i++ {
			d[i] = b.id + int64(from+i)
		}
	case argSetID:
		copy(vector[int64](o, n), b.sets[from:to])
	case argIntValue:
		d := vector[int64](o, n)
		for i := range d {
			var ok bool
			if d[i], ok = argInt(b.kinds[from+i], b.ints[from+i]); !ok {
				o.setNull(i)
			}
		}
	case argRealValue:
		d := vector[float64](o, n)
		for i := range d {
			d[i] = b.reals[from+i]
			if b.kinds[from+i] != trace.ArgReal {
				o.setNull(i)
			}
		}
	default:
		for i, c := range argTextColumns {
			if c == column {
				o.storeTexts(&b.texts[i], from, to)
				return
			}
		}
		panic("query: column of args that the engine does not know")
	}
}

func countLeaves(args *trace.ArgSets, first, last trace.ArgSetID) (n int64) {
	for id := first; id <= last; id++ {
		args.Decode(id, func(*trace.Arg) bool { n++; return true })
	}
	return n
}

// leafCounts remembers how many leaves stand before each block of sets, so that
// workers that start in the middle know the ids of their rows.
type leafCounts struct {
	mu     sync.Mutex
	starts []int64 // by block, and the total at the end
}

// leafStarts counts the leaves at the first call, which decodes all args once.
func (e *engine) leafStarts(stopped *atomic.Bool) ([]int64, error) {
	e.leaves.mu.Lock()
	defer e.leaves.mu.Unlock()
	if e.leaves.starts != nil {
		return e.leaves.starts, nil
	}
	sets := e.trace.Args.Len()
	blocks := (sets + argBlock - 1) / argBlock
	counts := make([]int64, blocks+1)
	var next atomic.Int64
	var done sync.WaitGroup
	failed := make(chan any, runtime.GOMAXPROCS(0))
	for range cap(failed) {
		done.Go(func() {
			// A panic must end this statement, not the program: it is passed
			// on to the goroutine that guards the statement.
			defer func() {
				if p := recover(); p != nil {
					failed <- p
				}
			}()
			for i := int(next.Add(1)) - 1; i < blocks && !stopped.Load(); i = int(next.Add(1)) - 1 {
				counts[i+1] = countLeaves(&e.trace.Args, trace.ArgSetID(i*argBlock+1), trace.ArgSetID(min((i+1)*argBlock, sets)))
			}
		})
	}
	done.Wait()
	select {
	case p := <-failed:
		panic(p)
	default:
	}
	if stopped.Load() {
		return nil, errStopped
	}
	for i := range blocks {
		counts[i+1] += counts[i]
	}
	e.leaves.starts = counts
	return counts, nil
}
