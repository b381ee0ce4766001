package load_test

import (
	"bytes"
	"compress/gzip"
	"encoding/json"
	"fmt"
	"io"
	"math"
	"os"
	"strconv"
	"strings"
	"testing"
)

// dump is what the original Trace Viewer made of a file, as its dumps say it.
// Times are milliseconds.
type dump struct {
	Error    *struct{ Name, Message string }
	Warnings []struct{ Type, Message string }
	TimeUnit string

	Instants    []dumpInstant
	Processes   []dumpProcess
	Flows       []dumpFlow
	Samples     []dumpSample
	Stacks      [][]string
	MemoryDumps []struct {
		Start     float64
		Processes map[string]json.RawMessage
	}
}

type dumpInstant struct {
	Title, Cat string
	Start      float64
	Args       json.RawMessage
}

type dumpProcess struct {
	PID       json.RawMessage
	Name      *string
	Labels    []string
	SortIndex json.RawMessage
	Instants  []dumpInstant
	Threads   []dumpThread
	Counters  []dumpCounter
	Objects   []dumpObject
}

type dumpThread struct {
	TID       json.RawMessage
	Name      any
	SortIndex json.RawMessage
	Slices    []dumpSlice
	Async     []dumpAsync
}

type dumpSlice struct {
	Title, Cat       string
	Start, Dur       float64
	CPUStart, CPUDur *float64
	Depth, Parent    int
	Unfinished       bool
	ArgsStripped     bool
	SF, ESF          *int
	BindID           any
	Args             json.RawMessage
}

type dumpAsync struct {
	Title, Cat string
	ID         string
	Start, Dur float64
	Unfinished bool
	Error      any
	Args       json.RawMessage
	Sub        []dumpAsync
}

type dumpCounter struct {
	Name   string
	TS     []float64
	Series []struct {
		Name   string
		Values []json.RawMessage
	}
}

type dumpObject struct {
	Scope, ID, Type, Cat string
	Created, Deleted     any
	CreatedExplicit      bool
	DeletedExplicit      bool
	Snapshots            []struct {
		TS       float64
		Implicit bool
		Args     json.RawMessage
	}
}

type dumpFlow struct {
	Title, Cat string
	Start, Dur float64
	From, To   dumpFlowEnd
}

type dumpFlowEnd struct {
	Thread []json.RawMessage
	Title  string
	Start  float64
}

type dumpSample struct {
	Title  string
	Start  float64
	Thread []json.RawMessage
	Weight any
	Stack  *int
}

// readDump reads a dump, gzipped or plain.
func readDump(t testing.TB, path string) *dump {
	t.Helper()
	f, err := os.Open(path)
	if err != nil {
		t.Fatal(err)
	}
	defer f.Close()
	var r io.Reader = f
	if strings.HasSuffix(path, ".gz") {
		if r, err = gzip.NewReader(f); err != nil {
			t.Fatal(err)
		}
	}
	data, err := io.ReadAll(r)
	if err != nil {
		t.Fatal(err)
	}
	d := new(dump)
	if err := json.Unmarshal(data, d); err != nil {
		t.Fatalf("%s: %v", path, err)
	}
	return d
}

// dumpID is a pid, tid or sort index as a dump has it, in one form: numbers
// and decimal strings are the number, beyond 2^53 the double; undefined and
// null are "".
func dumpID(raw json.RawMessage) string {
	if len(raw) == 0 || raw[0] == 'n' || raw[0] == '{' {
		return ""
	}
	if text := ""; raw[0] == '"' {
		if err := json.Unmarshal(raw, &text); err == nil {
			raw = json.RawMessage(text)
		}
	}
	if v, err := strconv.ParseInt(string(raw), 10, 64); err == nil {
		return intID(v)
	}
	if v, err := strconv.ParseFloat(string(raw), 64); err == nil && v == math.Trunc(v) && math.Abs(v) < 1<<63 {
		return intID(int64(v))
	}
	return string(raw)
}

func intID(v int64) string {
	if v > 1<<53 || v < -1<<53 {
		return "~" + strconv.FormatFloat(float64(v), 'g', -1, 64)
	}
	return strconv.FormatInt(v, 10)
}

// threadOf names a thread; one without a tid is its process's main thread.
func threadOf(pid, tid string) string {
	if tid == "" {
		tid = pid
	}
	return pid + "/" + tid
}

func dumpThreadOf(pair []json.RawMessage) string {
	if len(pair) != 2 {
		return ""
	}
	return threadOf(dumpID(pair[0]), dumpID(pair[1]))
}

// facts is everything that the dump says and that is compared.
func (d *dump) facts() []*fact {
	var fs []*fact
	add := func(kind, owner, name string, at when, fields ...field) {
		fs = append(fs, &fact{kind, owner, name, at, fields, nil})
	}
	for _, i := range d.Instants {
		add("global instant", "", i.Title, fromMillis(i.Start), textField("cat", i.Cat), jsonField("args", i.Args))
	}
	for _, p := range d.Processes {
		pid := dumpID(p.PID)
		add("process", pid, "", when{}, textField("name", orEmpty(p.Name)), textField("labels", labels(p.Labels)),
			textField("sort_index", dumpID(p.SortIndex)))
		for _, i := range p.Instants {
			add("process instant", pid, i.Title, fromMillis(i.Start), textField("cat", i.Cat), jsonField("args", i.Args))
		}
		for _, t := range p.Threads {
			owner := threadOf(pid, dumpID(t.TID))
			name, _ := t.Name.(string)
			add("thread", owner, "", when{}, textField("name", name), textField("sort_index", dumpID(t.SortIndex)))
			made := make([]*fact, len(t.Slices))
			for i := range t.Slices {
				made[i] = d.sliceFact(owner, t.Slices, i)
			}
			for i, f := range made {
				if parent := t.Slices[i].Parent; parent >= 0 {
					f.parent = made[parent]
				}
			}
			fs = append(fs, made...)
			for i := range t.Async {
				fs = asyncFacts(fs, &t.Async[i], nil, 0)
			}
		}
		for _, c := range p.Counters {
			for _, s := range c.Series {
				for i, v := range s.Values {
					if i < len(c.TS) {
						add("counter", pid, counterName(c.Name)+"\x00"+s.Name, fromMillis(c.TS[i]), textField("value", dumpNumber(v)))
					}
				}
			}
		}
		for _, o := range p.Objects {
			fs = o.facts(fs, pid)
		}
	}
	for _, f := range d.Flows {
		add("flow", "", "", durationFromMillis(f.Start, f.Start+f.Dur), timeField("ts_out", fromMillis(f.Start)),
			textField("from_thread", dumpThreadOf(f.From.Thread)), textField("to_thread", dumpThreadOf(f.To.Thread)),
			timeField("from_start", fromMillis(f.From.Start)), timeField("to_start", fromMillis(f.To.Start)),
			textField("from_name", f.From.Title), textField("to_name", f.To.Title), textField("name", f.Title), textField("cat", f.Cat))
	}
	for _, s := range d.Samples {
		var stack []string
		if s.Stack != nil && *s.Stack >= 0 && *s.Stack < len(d.Stacks) {
			stack = d.Stacks[*s.Stack]
		}
		fields := []field{textField("stack", strings.Join(stack, " < "))}
		if s.Weight != nil {
			fields = append(fields, textField("weight", fmt.Sprint(s.Weight)))
		}
		if s.Title == "Trace Event Sample" {
			s.Title = "" // it calls all P events so
		}
		add("sample", dumpThreadOf(s.Thread), s.Title, fromMillis(s.Start), fields...)
	}
	for _, m := range d.MemoryDumps {
		for pid := range m.Processes {
			add("memory dump", dumpID(json.RawMessage(pid)), "", when{})
		}
	}
	return fs
}

func (d *dump) sliceFact(owner string, all []dumpSlice, i int) *fact {
	s := &all[i]
	f := &fact{kind: "slice", owner: owner, name: s.Title, at: fromMillis(s.Start)}
	if s.Unfinished {
		f.fields = append(f.fields, textField("dur", "unfinished"))
	} else {
		f.fields = append(f.fields, timeField("dur", durationFromMillis(s.Start, s.Dur)))
	}
	f.fields = append(f.fields, intField("depth", int64(s.Depth)), textField("cat", s.Cat))
	if s.Parent >= 0 && s.Parent < len(all) {
		f.fields = append(f.fields, textField("parent", all[s.Parent].Title), timeField("parent_start", fromMillis(all[s.Parent].Start)))
	} else {
		f.fields = append(f.fields, textField("parent", ""))
	}
	if s.CPUStart != nil {
		f.fields = append(f.fields, timeField("thread_ts", fromMillis(*s.CPUStart)))
		if s.CPUDur != nil && !s.Unfinished {
			f.fields = append(f.fields, timeField("thread_dur", durationFromMillis(*s.CPUStart, *s.CPUDur)))
		}
	}
	if s.SF != nil && *s.SF < len(d.Stacks) {
		f.fields = append(f.fields, textField("stack", strings.Join(d.Stacks[*s.SF], " < ")))
	}
	if s.ESF != nil && *s.ESF < len(d.Stacks) {
		f.fields = append(f.fields, textField("end_stack", strings.Join(d.Stacks[*s.ESF], " < ")))
	}
	if s.BindID != nil {
		f.fields = append(f.fields, boolField("links", true))
	}
	args := s.Args
	if s.ArgsStripped {
		args = json.RawMessage(`"__stripped__"`)
	}
	f.fields = append(f.fields, jsonField("args", args))
	return f
}

func asyncFacts(fs []*fact, a *dumpAsync, parent *fact, depth int) []*fact {
	f := &fact{kind: "async", name: a.Title + "\x00" + a.Cat, at: fromMillis(a.Start), parent: parent}
	if a.Unfinished {
		f.fields = append(f.fields, textField("dur", "unfinished"))
	} else {
		f.fields = append(f.fields, timeField("dur", durationFromMillis(a.Start, a.Dur)))
	}
	f.fields = append(f.fields, intField("depth", int64(depth)), jsonField("args", a.Args))
	if a.Error != nil {
		f.fields = append(f.fields, textField("error", fmt.Sprint(a.Error)))
	}
	fs = append(fs, f)
	for i := range a.Sub {
		fs = asyncFacts(fs, &a.Sub[i], f, depth+1)
	}
	return fs
}

func (o *dumpObject) facts(fs []*fact, pid string) []*fact {
	created, deleted := -1.0, -1.0
	f := &fact{kind: "object", owner: pid, name: o.ID + "\x00" + o.Type}
	if v, ok := o.Created.(float64); ok && o.CreatedExplicit {
		created = v
		f.fields = append(f.fields, timeField("created", fromMillis(created)))
	} else {
		f.fields = append(f.fields, textField("created", "unknown"))
	}
	if v, ok := o.Deleted.(float64); ok && o.DeletedExplicit {
		deleted = v
		f.fields = append(f.fields, timeField("deleted", fromMillis(deleted)))
	} else {
		f.fields = append(f.fields, textField("deleted", "unknown"))
	}
	f.fields = append(f.fields, textField("cat", o.Cat), intField("snapshots", int64(len(o.Snapshots))))
	fs = append(fs, f)
	for _, s := range o.Snapshots {
		g := &fact{kind: "snapshot", owner: pid, name: o.ID, at: fromMillis(s.TS), fields: []field{boolField("implicit", s.Implicit)}}
		if !s.Implicit {
			g.fields = append(g.fields, jsonField("args", s.Args))
		}
		fs = append(fs, g)
	}
	return fs
}

func orEmpty(s *string) string {
	if s == nil {
		return ""
	}
	return *s
}

// counterName is the name of a counter that has an id in one form: the dumps
// have it in brackets, we after a space.
func counterName(name string) string {
	if i := strings.LastIndexByte(name, '['); i >= 0 && strings.HasSuffix(name, "]") {
		return name[:i] + " " + name[i+1:len(name)-1]
	}
	return name
}

// dumpNumber is a counter's value; values that aren't finite are objects.
func dumpNumber(raw json.RawMessage) string {
	if v, err := strconv.ParseFloat(string(bytes.Trim(raw, `"`)), 64); err == nil {
		return strconv.FormatFloat(v, 'g', -1, 64)
	}
	return string(raw)
}
