package load

import (
	"context"
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/weft-trace/weft/trace"
)

// coldTrace opens a trace that is given as text.
func coldTrace(t testing.TB, text string) *trace.Trace {
	t.Helper()
	path := filepath.Join(t.TempDir(), "trace.json")
	if err := os.WriteFile(path, []byte(text), 0o600); err != nil {
		t.Fatal(err)
	}
	tr, err := Open(context.Background(), path, Options{})
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() {
		if err := tr.Close(); err != nil {
			t.Error(err)
		}
	})
	return tr
}

// coldTest is a trace and the rows of the cold tables that it must become.
type coldTest struct {
	name  string
	trace string
	want  string // as coldRows prints them; a line each, indentation is ignored
}

func runColdTests(t *testing.T, tests []coldTest) {
	t.Helper()
	for _, test := range tests {
		t.Run(test.name, func(t *testing.T) {
			got := coldRows(coldTrace(t, test.trace))
			var want []string
			for line := range strings.Lines(test.want) {
				if line = strings.TrimSpace(line); line != "" {
					want = append(want, line)
				}
			}
			if w := strings.Join(want, "\n"); got != w {
				t.Errorf("trace: %s\ngot:\n%s\nwant:\n%s", test.trace, got, w)
			}
		})
	}
}

// coldRows prints the cold tables of a trace, the names of processes and
// threads, the stacks and args of slices, and the problems.
func coldRows(tr *trace.Trace) string {
	p := &rowPrinter{t: tr}
	p.who()
	p.slices()
	p.samples()
	p.objects()
	p.memory()
	for _, c := range tr.Contexts {
		p.line("context %s dur=%s %s %q id=%s cat=%q object=%s", ns(c.TS), ns(c.Dur), p.thread(c.Thread), p.str(c.Name), p.str(c.ID),
			p.str(c.Category), row(uint32(c.Object), trace.NoObject == c.Object))
	}
	for _, l := range tr.LinkedIDs {
		p.line("linked %s %s %s=%s cat=%q", ns(l.TS), p.process(l.Process), p.str(l.A), p.str(l.B), p.str(l.Category))
	}
	for _, c := range tr.ClockSnapshots {
		p.line("clock %s %s value=%s sync=%s snapshot=%d", ns(c.TS), p.str(c.Name), ns(c.Value), p.str(c.SyncID), c.Snapshot)
	}
	for _, m := range tr.Metadata {
		value := "NULL"
		if m.Int != trace.NoInt {
			value = fmt.Sprint(m.Int)
		} else if m.Str != 0 {
			value = fmt.Sprintf("%.80q", p.str(m.Str))
		}
		p.line("metadata %s = %s", p.str(m.Name), value)
	}
	p.system()
	if tr.TimeUnit != "ms" {
		p.line("unit %s", tr.TimeUnit)
	}
	for _, r := range tr.Problems {
		p.line("problem %s %d", r.Code, r.Count)
	}
	return strings.Join(p.lines, "\n")
}

// rowPrinter prints rows as text.
type rowPrinter struct {
	t     *trace.Trace
	lines []string
}

func (p *rowPrinter) line(format string, args ...any) {
	p.lines = append(p.lines, fmt.Sprintf(format, args...))
}

func (p *rowPrinter) str(id trace.StringID) string { return p.t.Strings.Get(id) }

// ns prints nanoseconds as the microseconds of the input.
func ns(t int64) string {
	switch {
	case t == trace.NoTime:
		return "NULL"
	case t == trace.Unfinished:
		return "open"
	case t%1000 == 0:
		return fmt.Sprint(t / 1000)
	default:
		return fmt.Sprintf("%dns", t)
	}
}

func num(n int64) string {
	if n == trace.NoInt {
		return "NULL"
	}
	return fmt.Sprint(n)
}

func row(n uint32, none bool) string {
	if none {
		return "NULL"
	}
	return fmt.Sprint(n)
}

func (p *rowPrinter) process(u trace.UPID) string {
	switch {
	case u == trace.NoProcess:
		return "all"
	case p.t.Processes[u].HasPID:
		return fmt.Sprint(p.t.Processes[u].PID)
	default:
		return "-"
	}
}

func (p *rowPrinter) thread(u trace.UTID) string {
	if u == trace.NoThread {
		return "NULL"
	}
	t := &p.t.Threads[u]
	tid := "-"
	if t.HasTID {
		tid = fmt.Sprint(t.TID)
	}
	return p.process(t.Process) + "/" + tid
}

// who prints processes and threads that anything is said about.
func (p *rowPrinter) who() {
	for i, r := range p.t.Processes {
		if r.Name != 0 || r.Labels != 0 || r.SortIndex != trace.NoInt {
			p.line("process %s %q labels=%q sort=%s", p.process(trace.UPID(i)), p.str(r.Name), p.str(r.Labels), num(r.SortIndex))
		}
	}
	for i, r := range p.t.Threads {
		if r.Name != 0 || r.SortIndex != trace.NoInt {
			p.line("thread %s %q sort=%s", p.thread(trace.UTID(i)), p.str(r.Name), num(r.SortIndex))
		}
	}
}

// stack prints a callstack, the outermost frame first.
func (p *rowPrinter) stack(c trace.CallsiteID) string {
	if c == trace.NoCallsite {
		return "NULL"
	}
	var names []string
	for ; c != trace.NoCallsite; c = p.t.Callsites[c].Parent {
		site := p.t.Callsites[c]
		frame := p.t.Frames[site.Frame]
		name := p.str(frame.Name)
		if frame.Category != 0 {
			name += "@" + p.str(frame.Category)
		}
		if frame.RelPC != trace.NoInt {
			name += fmt.Sprintf("[%#x]", frame.RelPC)
		}
		if frame.SourceFile != 0 || frame.Line != trace.NoInt {
			name += fmt.Sprintf("(%s:%s)", p.str(frame.SourceFile), num(frame.Line))
		}
		names = append([]string{name}, names...)
	}
	return strings.Join(names, ">")
}

// args prints a set's leaves.
func (p *rowPrinter) args(set trace.ArgSetID) string {
	var list []string
	p.t.Args.Decode(set, func(a *trace.Arg) bool {
		value := string(a.JSON)
		if a.Kind == trace.ArgSnapshot {
			value = fmt.Sprintf("snapshot %d", a.Int)
		}
		list = append(list, fmt.Sprintf("%s:%s", a.Key, value))
		return true
	})
	return "{" + strings.Join(list, " ") + "}"
}

// slices prints those with a stack or args.
func (p *rowPrinter) slices() {
	s := &p.t.Slices
	for i := range s.Len() {
		start, end := trace.NoCallsite, trace.NoCallsite
		if s.Stack != nil {
			start = s.Stack[i]
		}
		if s.EndStack != nil {
			end = s.EndStack[i]
		}
		if start != trace.NoCallsite || end != trace.NoCallsite || s.ArgSet[i] != 0 {
			p.line("slice %s %q stack=%s end=%s %s", ns(s.TS[i]), p.str(s.Name[i]), p.stack(start), p.stack(end), p.args(s.ArgSet[i]))
		}
	}
}

func (p *rowPrinter) samples() {
	for _, s := range p.t.Samples {
		p.line("sample %s %s cpu=%d %q weight=%v %s %s", ns(s.TS), p.thread(s.Thread), s.CPU, p.str(s.Name), s.Weight, p.str(s.Source), p.stack(s.Callsite))
	}
}

func (p *rowPrinter) objects() {
	for i, o := range p.t.Objects {
		p.line("object %d %s scope=%q id=%s type=%s cat=%q created=%s by=%s deleted=%s", i, p.process(o.Process), p.str(o.Scope), p.str(o.ID),
			p.str(o.Type), p.str(o.Category), ns(o.Created), p.thread(o.Thread), ns(o.Deleted))
	}
	for i, s := range p.t.ObjectSnapshots {
		implicit := ""
		if s.Implicit {
			implicit = " implicit"
		}
		p.line("snapshot %d of %d at %s type=%s base=%q cat=%q%s %s", i, s.Object, ns(s.TS), p.str(s.Type), p.str(s.BaseType),
			p.str(s.Category), implicit, p.args(s.ArgSet))
	}
}

func (p *rowPrinter) memory() {
	for i, m := range p.t.MemorySnapshots {
		track := p.t.Tracks[m.Track]
		p.line("memory %d %s %s dump=%s level=%s track=%s %s", i, ns(m.TS), p.process(m.Process), p.str(m.DumpID), p.str(m.DetailLevel),
			track.Type, p.process(track.Process))
	}
	for i, n := range p.t.MemoryNodes {
		p.line("node %d of %d up=%s %s size=%s effective=%s %s", i, n.Snapshot, row(n.Parent, n.Parent == ^uint32(0)), p.str(n.Path),
			num(n.Size), num(n.EffectiveSize), p.args(n.ArgSet))
	}
	for _, r := range p.t.MemoryRegions {
		p.line("region of %d %#x+%d %q protection=%s %s", r.Snapshot, r.Start, r.Size, p.str(r.Name), num(r.Protection), p.args(r.ArgSet))
	}
}

func (p *rowPrinter) system() {
	for _, s := range p.t.Sched {
		p.line("sched %s dur=%s cpu=%d %s end=%s prio=%s", ns(s.TS), ns(s.Dur), s.CPU, p.thread(s.Thread), p.str(s.EndState), num(s.Priority))
	}
	for _, s := range p.t.ThreadStates {
		p.line("state %s dur=%s cpu=%d %s %s", ns(s.TS), ns(s.Dur), s.CPU, p.thread(s.Thread), p.str(s.State))
	}
}

// TestColdProblems sees to it that every kind of problem says all that the
// reference pages need, and that no two have one code.
func TestColdProblems(t *testing.T) {
	seen := map[string]bool{}
	for _, k := range append(append([]*trace.ProblemKind(nil), jsonProblems...), coldProblems...) {
		if k.Code == "" || k.Message == "" || k.Hint == "" {
			t.Errorf("%+v lacks a code, a message or a hint", k)
		}
		if seen[k.Code] {
			t.Errorf("two kinds of problems have the code %q", k.Code)
		}
		seen[k.Code] = true
	}
}

func TestUnknownPhases(t *testing.T) {
	runColdTests(t, []coldTest{
		{"phases", `[{"ph":"Q","pid":1,"tid":1,"ts":5,"name":"q"},{"ph":"Q","ts":6},{"ph":"QQ","ts":7},{"pid":1,"ts":7,"name":"n"},{"ph":7,"ts":1}]`, `
			problem missing_phase 1
			problem unknown_phase 4`},
		{"times", `[{"ph":"P","name":"x","pid":1},{"ph":"O","ts":"0x5","id":1,"args":{"snapshot":{}}},{"ph":"v","ts":1e300,"id":1,"args":{}}]`, `
			problem no_timestamp 2
			problem timestamp_overflow 1`},
	})
	tr := coldTrace(t, `[{"ph":"Q","ts":5},{"ph":"Z","ts":6},{"ph":"Z","ts":7}]`)
	if n := len(tr.Problems[0].Samples); n != 2 {
		t.Errorf("%d samples of unknown phases, want one for each phase", n)
	}
}
