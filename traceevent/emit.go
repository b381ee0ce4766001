package traceevent

import (
	"math"
	"strconv"
)

// Arg is a key and a value for an event's args. It is made by Int, Uint, Float,
// String, Bool and JSON.
type Arg struct {
	key  string
	kind argKind
	num  uint64
	text string
}

type argKind uint8

const (
	argInt argKind = iota
	argUint
	argFloat
	argString
	argBool
	argJSON
)

// Int is an arg that is a signed integer.
func Int(key string, v int64) Arg { return Arg{key: key, kind: argInt, num: uint64(v)} }

// Uint is an arg that is an unsigned integer.
func Uint(key string, v uint64) Arg { return Arg{key: key, kind: argUint, num: v} }

// Float is an arg that is a number; NaN and the infinities are written as strings,
// for JSON has no such numbers.
func Float(key string, v float64) Arg { return Arg{key: key, kind: argFloat, num: math.Float64bits(v)} }

// String is an arg that is a string.
func String(key, v string) Arg { return Arg{key: key, kind: argString, text: v} }

// Bool is an arg that is true or false.
func Bool(key string, v bool) Arg {
	a := Arg{key: key, kind: argBool}
	if v {
		a.num = 1
	}
	return a
}

// JSON is an arg whose value is given as JSON text, which is written as it stands and
// must be well formed.
func JSON(key, v string) Arg { return Arg{key: key, kind: argJSON, text: v} }

// append appends the arg's value.
func (a *Arg) append(dst []byte) []byte {
	switch a.kind {
	case argInt:
		return strconv.AppendInt(dst, int64(a.num), 10)
	case argUint:
		return strconv.AppendUint(dst, a.num, 10)
	case argFloat:
		v := math.Float64frombits(a.num)
		switch {
		case math.IsNaN(v):
			return append(dst, `"NaN"`...)
		case math.IsInf(v, 1):
			return append(dst, `"Infinity"`...)
		case math.IsInf(v, -1):
			return append(dst, `"-Infinity"`...)
		}
		return strconv.AppendFloat(dst, v, 'g', -1, 64)
	case argString:
		return appendQuoted(dst, a.text)
	case argBool:
		return strconv.AppendBool(dst, a.num != 0)
	default:
		return append(dst, a.text...)
	}
}

// head begins an event with what nearly all have.
func (w *Writer) head(ph Phase, name, cat string) {
	w.start()
	w.buf = append(w.buf, `{"ph":"`...)
	w.buf = append(w.buf, byte(ph), '"')
	if name != "" {
		w.buf = append(w.buf, `,"name":`...)
		w.buf = appendQuoted(w.buf, name)
	}
	if cat != "" {
		w.buf = append(w.buf, `,"cat":`...)
		w.buf = appendQuoted(w.buf, cat)
	}
}

// int appends a member that is an integer.
func (w *Writer) int(key string, v int64) {
	w.buf = append(w.buf, key...)
	w.buf = strconv.AppendInt(w.buf, v, 10)
}

// placed appends where and when.
func (w *Writer) placed(pid, tid, ts int64) {
	w.int(`,"pid":`, pid)
	w.int(`,"tid":`, tid)
	w.buf = append(w.buf, `,"ts":`...)
	w.buf = appendMicros(w.buf, ts)
}

// id appends an id in the form "0x1f".
func (w *Writer) id(id uint64) {
	w.buf = append(w.buf, `,"id":"0x`...)
	w.buf = strconv.AppendUint(w.buf, id, 16)
	w.buf = append(w.buf, '"')
}

// args appends the args and ends the event.
func (w *Writer) args(args []Arg) error {
	if len(args) > 0 {
		sep := `,"args":{`
		for i := range args {
			w.buf = append(w.buf, sep...)
			w.buf = appendQuoted(w.buf, args[i].key)
			w.buf = append(w.buf, ':')
			w.buf = args[i].append(w.buf)
			sep = ","
		}
		w.buf = append(w.buf, '}')
	}
	w.buf = append(w.buf, '}')
	return w.end()
}

// Complete writes a slice that has ended: phase X. ts and dur are nanoseconds. An
// empty name or category is left out, here as in all that follow.
func (w *Writer) Complete(name, cat string, pid, tid, ts, dur int64, args ...Arg) error {
	w.head(PhaseComplete, name, cat)
	w.placed(pid, tid, ts)
	w.buf = append(w.buf, `,"dur":`...)
	w.buf = appendMicros(w.buf, dur)
	return w.args(args)
}

// Begin writes the beginning of a slice: phase B. ts is nanoseconds.
func (w *Writer) Begin(name, cat string, pid, tid, ts int64, args ...Arg) error {
	return w.plain(PhaseBegin, name, cat, pid, tid, ts, args)
}

// End writes the end of the slice that began last on the thread: phase E. ts is
// nanoseconds. The args are added to those of Begin.
func (w *Writer) End(pid, tid, ts int64, args ...Arg) error {
	return w.plain(PhaseEnd, "", "", pid, tid, ts, args)
}

// Sample writes a sample of a profiler: phase P. ts is nanoseconds.
func (w *Writer) Sample(name, cat string, pid, tid, ts int64, args ...Arg) error {
	return w.plain(PhaseSample, name, cat, pid, tid, ts, args)
}

// Mark writes a navigation timing mark: phase R. ts is nanoseconds.
func (w *Writer) Mark(name, cat string, pid, tid, ts int64, args ...Arg) error {
	return w.plain(PhaseMark, name, cat, pid, tid, ts, args)
}

func (w *Writer) plain(ph Phase, name, cat string, pid, tid, ts int64, args []Arg) error {
	w.head(ph, name, cat)
	w.placed(pid, tid, ts)
	return w.args(args)
}

// Scope says how far an instant reaches.
type Scope byte

// The scopes of instants.
const (
	ScopeGlobal  Scope = 'g'
	ScopeProcess Scope = 'p'
	ScopeThread  Scope = 't'
)

// Instant writes something that happened: phase i. ts is nanoseconds.
func (w *Writer) Instant(name, cat string, scope Scope, pid, tid, ts int64, args ...Arg) error {
	w.head(PhaseInstant, name, cat)
	w.placed(pid, tid, ts)
	w.buf = append(w.buf, `,"s":"`...)
	w.buf = append(w.buf, byte(scope), '"')
	return w.args(args)
}

// Counter writes values of a process's counter, one a series: phase C. ts is
// nanoseconds.
func (w *Writer) Counter(name string, pid, ts int64, series ...Arg) error {
	w.head(PhaseCounter, name, "")
	w.int(`,"pid":`, pid)
	w.buf = append(w.buf, `,"ts":`...)
	w.buf = appendMicros(w.buf, ts)
	return w.args(series)
}

// AsyncBegin writes the beginning of an async slice: phase b. Slices of the same
// category and id nest. ts is nanoseconds.
func (w *Writer) AsyncBegin(name, cat string, id uint64, pid, tid, ts int64, args ...Arg) error {
	return w.identified(PhaseAsyncBegin, name, cat, id, pid, tid, ts, args)
}

// AsyncInstant writes a point of an async operation: phase n. ts is nanoseconds.
func (w *Writer) AsyncInstant(name, cat string, id uint64, pid, tid, ts int64, args ...Arg) error {
	return w.identified(PhaseAsyncInstant, name, cat, id, pid, tid, ts, args)
}

// AsyncEnd writes the end of an async slice: phase e. ts is nanoseconds.
func (w *Writer) AsyncEnd(name, cat string, id uint64, pid, tid, ts int64, args ...Arg) error {
	return w.identified(PhaseAsyncEnd, name, cat, id, pid, tid, ts, args)
}

// FlowStart writes the beginning of an arrow, in the slice around ts: phase s. An
// arrow is known by its name, category and id. ts is nanoseconds.
func (w *Writer) FlowStart(name, cat string, id uint64, pid, tid, ts int64, args ...Arg) error {
	return w.identified(PhaseFlowStart, name, cat, id, pid, tid, ts, args)
}

// FlowStep writes a point that an arrow passes, in the slice around ts: phase t. ts
// is nanoseconds.
func (w *Writer) FlowStep(name, cat string, id uint64, pid, tid, ts int64, args ...Arg) error {
	return w.identified(PhaseFlowStep, name, cat, id, pid, tid, ts, args)
}

// FlowEnd writes the end of an arrow, in the slice around ts: phase f with bp "e". ts
// is nanoseconds.
func (w *Writer) FlowEnd(name, cat string, id uint64, pid, tid, ts int64, args ...Arg) error {
	w.head(PhaseFlowEnd, name, cat)
	w.placed(pid, tid, ts)
	w.id(id)
	w.buf = append(w.buf, `,"bp":"e"`...)
	return w.args(args)
}

// ObjectCreated writes that an object's life begins: phase N. ts is nanoseconds.
func (w *Writer) ObjectCreated(name, cat string, id uint64, pid, tid, ts int64) error {
	return w.identified(PhaseObjectCreated, name, cat, id, pid, tid, ts, nil)
}

// ObjectSnapshot writes an object's state, as JSON: phase O. ts is nanoseconds.
func (w *Writer) ObjectSnapshot(name, cat string, id uint64, pid, tid, ts int64, snapshot string) error {
	return w.identified(PhaseObjectSnapshot, name, cat, id, pid, tid, ts, []Arg{JSON("snapshot", snapshot)})
}

// ObjectDeleted writes that an object's life ends: phase D. ts is nanoseconds.
func (w *Writer) ObjectDeleted(name, cat string, id uint64, pid, tid, ts int64) error {
	return w.identified(PhaseObjectDeleted, name, cat, id, pid, tid, ts, nil)
}

func (w *Writer) identified(ph Phase, name, cat string, id uint64, pid, tid, ts int64, args []Arg) error {
	w.head(ph, name, cat)
	w.placed(pid, tid, ts)
	w.id(id)
	return w.args(args)
}

// ProcessName names a process: metadata, as all below.
func (w *Writer) ProcessName(pid int64, name string) error {
	return w.about("process_name", pid, nil, String("name", name))
}

// ProcessLabels gives a process labels, separated by commas.
func (w *Writer) ProcessLabels(pid int64, labels string) error {
	return w.about("process_labels", pid, nil, String("labels", labels))
}

// ProcessSortIndex says where a process is shown: lower is higher up.
func (w *Writer) ProcessSortIndex(pid, index int64) error {
	return w.about("process_sort_index", pid, nil, Int("sort_index", index))
}

// ThreadName names a thread.
func (w *Writer) ThreadName(pid, tid int64, name string) error {
	return w.about("thread_name", pid, &tid, String("name", name))
}

// ThreadSortIndex says where a thread is shown in its process: lower is higher up.
func (w *Writer) ThreadSortIndex(pid, tid, index int64) error {
	return w.about("thread_sort_index", pid, &tid, Int("sort_index", index))
}

// about writes a metadata event about a process, or a thread of it.
func (w *Writer) about(name string, pid int64, tid *int64, arg Arg) error {
	w.head(PhaseMetadata, name, "")
	w.int(`,"pid":`, pid)
	if tid != nil {
		w.int(`,"tid":`, *tid)
	}
	return w.args([]Arg{arg})
}
