package load

import (
	"context"
	"errors"
	"fmt"
	"runtime/debug"
	"strings"
	"sync"
	"time"

	"github.com/weft-trace/weft/trace"
	"github.com/weft-trace/weft/traceevent"
)

const (
	// maxChunk is how much text is decoded at once: little enough that the
	// columns made of it stay in the cache until they are sorted.
	maxChunk = 4 << 20
	minChunk = 256 << 10
	// lookAhead is how much text behind a chunk the scanner may look at to
	// find its way in what is damaged.
	lookAhead = 4 << 20
	// firstLook is how much of a growing input is searched for the array of
	// events.
	firstLook = 16 << 20
	// maxSequential is how many events that stand outside of an array make a
	// chunk.
	maxSequential = 1 << 15
)

// jsonLoader reads one Trace Event file.
type jsonLoader struct {
	ctx     context.Context
	in      *input
	opts    Options
	workers int
	j       *jsonBuild
	chunks  []*joinedChunk
	texts   []*workerTexts     // by worker: the strings that its chunks number
	names   [][]trace.StringID // by worker: the trace's numbers of those joined so far
	seq     *jsonChunk         // events outside of an array
	started time.Time
}

// errChanged says that a mapped file shrank while it was read.
var errChanged = errors.New("the file changed while it was read")

func loadJSON(ctx context.Context, in *input, path string, opts Options) (*trace.Trace, error) {
	l := &jsonLoader{ctx: ctx, in: in, opts: opts, started: time.Now()}
	l.j = newJSONBuild(opts.Parallel)
	l.workers = l.j.b.Workers()
	l.names = make([][]trace.StringID, l.workers+1)
	for range l.workers + 1 { // the last is for this goroutine
		l.texts = append(l.texts, &workerTexts{in: trace.NewInterner()})
	}
	if err := l.scan(); err != nil {
		return nil, err
	}
	l.step("decode", fmt.Sprintf("%d bytes in %d chunks", len(l.j.doc), len(l.chunks)))
	if err := ctx.Err(); err != nil {
		return nil, err
	}
	l.progress("build", int64(len(l.j.doc)))
	t, err := l.join()
	if err != nil {
		return nil, err
	}
	wraps := make([]string, len(in.wraps))
	for i, w := range in.wraps {
		wraps[i] = string(w)
	}
	t.Sources = []trace.Source{{
		Name: path, Format: "trace event json", Container: strings.Join(wraps, ", "),
		Producer: l.j.producer(), Size: int64(len(l.j.doc)),
	}}
	return t, nil
}

// step reports what a step cost.
func (l *jsonLoader) step(name, detail string) {
	if l.opts.Log != nil {
		l.opts.Log(name, time.Since(l.started), detail)
	}
	l.started = time.Now()
}

func (l *jsonLoader) progress(stage string, done int64) {
	if l.opts.Progress == nil {
		return
	}
	p := Progress{Stage: stage, Done: done, Total: l.in.source.total()}
	if l.in.read != nil { // what is decompressed has no known length, the file has
		p.Done, p.Total = l.in.read.n.Load(), l.in.size
	}
	l.opts.Progress(p)
}

// scan walks the document and has the arrays of events decoded.
func (l *jsonLoader) scan() error {
	earlyFrom, earlyEnd, early, err := l.earlyArray()
	if err != nil {
		return err
	}
	doc, err := l.in.all()
	if l.ctx.Err() != nil {
		return l.ctx.Err()
	}
	if err != nil {
		l.j.log.add(problemFileChanged, int64(len(doc)), trace.NoTime, []byte(err.Error()))
	}
	l.j.setDoc(doc)
	s := traceevent.NewScanner(doc)
	s.OnIssue(func(i traceevent.Issue) { l.j.log.issue(doc, i) })
	for {
		switch item := s.Next(); item {
		case traceevent.ItemArray:
			from := int(s.Offset())
			end := 0
			if early && from == earlyFrom {
				end = earlyEnd
			} else if end, err = l.array(from); err != nil {
				return err
			}
			s.Resume(end)
		case traceevent.ItemEvent:
			l.event(s.Event())
		case traceevent.ItemMember:
			l.j.addMember(s.Member())
		case traceevent.ItemFrame:
			l.j.addFrame(s.Member())
		case traceevent.ItemSample:
			l.j.addGlobalSample(s.Member())
		case traceevent.ItemEnd:
			l.flush()
			if s.Err() != nil {
				return fmt.Errorf("%w: %w", ErrNotTrace, s.Err())
			}
			return nil
		default:
			return fmt.Errorf("the scanner found a %v, which is unknown here", item)
		}
	}
}

func (l *jsonLoader) newChunk(base int64, worker int) *jsonChunk {
	return newJSONChunk(base, worker, l.texts[worker])
}

// event takes one that stands outside of an array.
func (l *jsonLoader) event(e *traceevent.Event) {
	if l.seq == nil {
		l.seq = l.newChunk(e.Offset, l.workers)
	}
	l.seq.add(e)
	if l.seq.run.Len() >= maxSequential {
		l.flush()
	}
}

func (l *jsonLoader) flush() {
	if l.seq == nil {
		return
	}
	l.seq.done()
	l.accept(l.seq)
	l.seq = nil
}

// earlyArray looks for the array of events in the beginning of an input that
// is not all there yet, and decodes it as it comes. It returns where the array
// begins and ends; ok is false when there is none, or all is there.
func (l *jsonLoader) earlyArray() (from, end int, ok bool, err error) {
	doc, all := l.in.upTo(firstLook)
	if all {
		return 0, 0, false, nil
	}
	s := traceevent.NewScanner(doc)
	for {
		switch s.Next() {
		case traceevent.ItemArray:
			from = int(s.Offset())
			end, err = l.array(from)
			return from, end, true, err
		case traceevent.ItemMember, traceevent.ItemFrame, traceevent.ItemSample:
		default: // no array, or none so soon
			return 0, 0, false, nil
		}
	}
}

// chunkTask is one stretch of the array and what was found in it.
type chunkTask struct {
	from, limit int
	start       int // where decoding began; -1 when nothing looked like an event
	end         int
	closed      bool
	last        bool // the input ends before it
	chunk       *jsonChunk
	err         error
	done        chan struct{}
}

// array decodes the elements of an array from the given offset on, in chunks
// side by side, and returns the offset of its ']' or of the input's end. Where
// a chunk begins is a guess, which the end of the chunk before proves: a wrong
// one is decoded again from the right place.
func (l *jsonLoader) array(from int) (end int, err error) {
	a := &arrayWork{l: l, from: from, size: l.chunkSize(from)}
	var wg sync.WaitGroup
	for w := range l.workers {
		wg.Go(func() { a.work(w) })
	}
	defer wg.Wait()
	defer a.stop()
	expected := from
	for k := 0; ; k++ {
		t := a.task(k)
		select {
		case <-t.done:
		case <-l.ctx.Done():
		}
		switch {
		case l.ctx.Err() != nil:
			return 0, l.ctx.Err()
		case t.err != nil:
			return 0, t.err
		case t.last:
			return expected, nil
		case expected >= t.limit:
			continue // an event of an earlier chunk covers all of it
		case t.start != expected:
			if err := a.decode(t, expected, l.workers); err != nil {
				return 0, err
			}
		}
		l.accept(t.chunk)
		t.chunk = nil
		expected = t.end
		l.progress("decode", int64(expected))
		if t.closed || l.in.endsAt(expected) {
			return expected, nil
		}
	}
}

// chunkSize is how much text is decoded at once: such that every worker has
// several chunks.
func (l *jsonLoader) chunkSize(from int) int {
	if l.opts.chunkSize > 0 {
		return l.opts.chunkSize
	}
	if total := l.in.total(); total > 0 {
		return min(maxChunk, max(minChunk, (int(total)-from)/(l.workers*4)))
	}
	return maxChunk
}

// arrayWork hands the chunks of an array to workers.
type arrayWork struct {
	l    *jsonLoader
	from int
	size int

	mu      sync.Mutex
	tasks   []*chunkTask
	next    int // to be taken by a worker
	stopped bool
}

func (a *arrayWork) stop() {
	a.mu.Lock()
	a.stopped = true
	a.mu.Unlock()
}

// task returns the k-th chunk, which a worker has taken or will.
func (a *arrayWork) task(k int) *chunkTask {
	a.mu.Lock()
	defer a.mu.Unlock()
	return a.taskLocked(k)
}

func (a *arrayWork) taskLocked(k int) *chunkTask {
	for len(a.tasks) <= k {
		from := a.from + len(a.tasks)*a.size
		a.tasks = append(a.tasks, &chunkTask{from: from, limit: from + a.size, done: make(chan struct{})})
	}
	return a.tasks[k]
}

// work decodes one chunk after the other until the array or the input ends.
func (a *arrayWork) work(worker int) {
	for {
		a.mu.Lock()
		if a.stopped {
			a.mu.Unlock()
			return
		}
		t := a.taskLocked(a.next)
		a.next++
		a.mu.Unlock()
		t.err = a.guess(t, worker)
		last := t.last || t.err != nil
		close(t.done)
		if last || a.l.ctx.Err() != nil {
			return
		}
	}
}

// guess decodes a chunk from the first place in it that looks like an event.
func (a *arrayWork) guess(t *chunkTask, worker int) (err error) {
	defer recoverFault(&err)()
	doc, end := a.l.in.upTo(int64(t.limit + lookAhead))
	if a.l.ctx.Err() != nil {
		return a.l.ctx.Err()
	}
	if end && t.from >= len(doc) && t.from > a.from {
		t.last = true
		return nil
	}
	start := a.from
	if t.from > a.from {
		start = traceevent.FindElement(doc, t.from, min(t.limit, len(doc)))
	}
	if t.start = start; start < 0 {
		return nil
	}
	return a.decode(t, start, worker)
}

// decode decodes a chunk from start on, as one of the workers.
func (a *arrayWork) decode(t *chunkTask, start, worker int) (err error) {
	defer recoverFault(&err)()
	for ahead := lookAhead; ; ahead *= 2 {
		doc, end := a.l.in.upTo(int64(t.limit + ahead))
		c := a.l.newChunk(int64(start), worker)
		c.grow(a.l.texts[worker].expect(t.limit - start))
		a.l.in.willRead(doc, start, t.limit)
		var scan traceevent.Chunk
		scan.OnIssue(func(i traceevent.Issue) { c.log.issue(doc, i) })
		scan.Reset(doc, start, t.limit)
		for scan.Next() {
			c.add(scan.Event())
		}
		t.start = start
		t.end, t.closed = scan.End()
		// What the scanner made of damage near the end of an input that is
		// still coming may be different once more is there.
		if end || t.closed || t.end+lookAhead/2 <= len(doc) {
			a.l.texts[worker].learn(t.end-start, c.run.Len())
			c.done()
			a.l.in.wasRead(doc, start, t.limit)
			t.chunk = c
			return a.l.ctx.Err()
		}
	}
}

// recoverFault makes an error of the fault that reading a mapped file gives
// when another program has cut it short. The function that it returns is to be
// deferred.
func recoverFault(err *error) func() {
	before := debug.SetPanicOnFault(true)
	return func() {
		debug.SetPanicOnFault(before)
		r := recover()
		if r == nil {
			return
		}
		if fault, ok := r.(interface{ Addr() uintptr }); !ok || fault.Addr() == 0 {
			panic(r)
		}
		*err = errChanged
	}
}
