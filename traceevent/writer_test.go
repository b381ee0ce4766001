package traceevent

import (
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"math/rand/v2"
	"os"
	"path/filepath"
	"strings"
	"testing"
)

// randomText is a string with everything that needs care.
func randomText(rnd *rand.Rand) string {
	parts := []string{"a", "Layout", `"`, `\`, "\n", "\x00", "é", "😀", "\xff\xfe", "{[,:]}", " "}
	var b strings.Builder
	for range rnd.IntN(6) {
		b.WriteString(parts[rnd.IntN(len(parts))])
	}
	return b.String()
}

func randomEvent(rnd *rand.Rand, ph Phase, e *Event) {
	values := []string{`1`, `-2.5e7`, `"x\ud83d\ude00"`, `{"local":"0x1"}`, `["0x1","main"]`, `true`, `null`, `{"a":{"b":[[],{}]}}`, `NaN`, `+01.`, "\"a\nb\""}
	e.Reset()
	e.SetPhase(ph)
	for f := range NumFields {
		if f == FieldPh || rnd.IntN(3) == 0 {
			continue
		}
		switch {
		case isTime(f):
			e.SetNanos(f, int64(rnd.Uint64())>>rnd.IntN(64))
		case f == FieldPID || f == FieldTID:
			e.SetInt(f, int64(rnd.Uint64())>>rnd.IntN(64))
		case rnd.IntN(2) == 0:
			e.SetText(f, randomText(rnd))
		default:
			e.SetRaw(f, Raw(values[rnd.IntN(len(values))]))
		}
	}
	for range rnd.IntN(3) {
		e.AddExtra([]byte(fmt.Sprintf("x%d%s", rnd.IntN(9), randomText(rnd))), Raw(values[rnd.IntN(len(values))]))
	}
}

// Whatever is written is read again as the same record, for every phase and container.
func TestWriteRead(t *testing.T) {
	for _, container := range []Container{ContainerArray, ContainerObject, ContainerLines} {
		rnd := rand.New(rand.NewPCG(3, uint64(container)))
		var want []Event
		var out bytes.Buffer
		w, err := NewWriter(&out, WriterOptions{Container: container})
		if err != nil {
			t.Fatal(err)
		}
		for _, p := range Phases {
			for range 20 {
				var e Event
				randomEvent(rnd, p.Phase, &e)
				if err := w.Write(&e); err != nil {
					t.Fatal(err)
				}
				want = append(want, e)
			}
		}
		if err := w.Close(); err != nil {
			t.Fatal(err)
		}
		var again bytes.Buffer
		copied, err := NewWriter(&again, WriterOptions{Container: container})
		if err != nil {
			t.Fatal(err)
		}
		r := NewReader(bytes.NewReader(out.Bytes()))
		r.OnIssue(func(i Issue) { t.Errorf("%s: %+v", container, i) })
		n := 0
		for k := r.Next(); k != ItemEnd; k = r.Next() {
			if k != ItemEvent {
				continue
			}
			sameRecord(t, r.Event(), &want[n])
			if r.Event().Phase() != want[n].Phase() {
				t.Errorf("phase %s, want %s", r.Event().Phase(), want[n].Phase())
			}
			if err := copied.Write(r.Event()); err != nil {
				t.Fatal(err)
			}
			n++
		}
		if err := copied.Close(); err != nil {
			t.Fatal(err)
		}
		if n != len(want) || r.Container() != container {
			t.Errorf("%s: %d events of %d, as %s", container, n, len(want), r.Container())
		}
		if !bytes.Equal(out.Bytes(), again.Bytes()) {
			t.Errorf("%s: events that were read and written aren't the same bytes", container)
		}
		if container != ContainerLines && !json.Valid(out.Bytes()) {
			t.Errorf("%s: not JSON", container)
		}
		if container == ContainerLines && bytes.Count(out.Bytes(), []byte("\n")) != n {
			t.Errorf("%d lines for %d events", bytes.Count(out.Bytes(), []byte("\n")), n)
		}
	}
}

// Fields of an event that was read can be changed.
func TestWriteChanged(t *testing.T) {
	var e Event
	if err := ParseEvent([]byte(`{"name":"a","ph":"X","ts":1,"dur":2,"pid":1,"tid":2,"x":[1]}`), &e); err != nil {
		t.Fatal(err)
	}
	e.SetNanos(FieldTS, 1600000000154123457)
	e.SetText(FieldName, "b\n")
	e.Delete(FieldDur)
	var out bytes.Buffer
	w, _ := NewWriter(&out, WriterOptions{})
	if err := w.Write(&e); err != nil {
		t.Fatal(err)
	}
	e.SetRaw(FieldArgs, Raw(`{"a":`))
	if err := w.Write(&e); !errors.Is(err, errNotJSON) {
		t.Errorf("args that are no JSON: %v", err)
	}
	if err := w.Close(); err != nil {
		t.Fatal(err)
	}
	const want = "[\n" + `{"name":"b\n","ph":"X","ts":1600000000154123.457,"pid":1,"tid":2,"x":[1]}` + "\n]\n"
	if out.String() != want {
		t.Errorf("\n got %s\nwant %s", out.String(), want)
	}
	if err := w.Write(&e); err == nil {
		t.Error("an event was written after Close")
	}
}

// Every helper writes what its name says.
func TestWriterHelpers(t *testing.T) {
	for _, c := range []struct {
		write func(w *Writer) error
		want  string
	}{
		{func(w *Writer) error { return w.Complete("a", "c", 1, 2, 1500, 1, Int("i", -1), Uint("u", 1<<63)) },
			`{"ph":"X","name":"a","cat":"c","pid":1,"tid":2,"ts":1.5,"dur":0.001,"args":{"i":-1,"u":9223372036854775808}}`},
		{func(w *Writer) error { return w.Begin("a", "", 1, 2, -1, String("s", "\"")) },
			`{"ph":"B","name":"a","pid":1,"tid":2,"ts":-0.001,"args":{"s":"\""}}`},
		{func(w *Writer) error { return w.End(1, 2, 3000, Bool("b", true), Float("f", .5)) },
			`{"ph":"E","pid":1,"tid":2,"ts":3,"args":{"b":true,"f":0.5}}`},
		{func(w *Writer) error { return w.Sample("a", "", 1, 2, 3000) }, `{"ph":"P","name":"a","pid":1,"tid":2,"ts":3}`},
		{func(w *Writer) error { return w.Mark("a", "", 1, 2, 3000) }, `{"ph":"R","name":"a","pid":1,"tid":2,"ts":3}`},
		{func(w *Writer) error { return w.Instant("a", "", ScopeGlobal, 1, 2, 3000) },
			`{"ph":"i","name":"a","pid":1,"tid":2,"ts":3,"s":"g"}`},
		{func(w *Writer) error { return w.Counter("a", 1, 3000, Float("x", 1e300), JSON("y", "[]")) },
			`{"ph":"C","name":"a","pid":1,"ts":3,"args":{"x":1e+300,"y":[]}}`},
		{func(w *Writer) error { return w.AsyncBegin("a", "c", 31, 1, 2, 3000) },
			`{"ph":"b","name":"a","cat":"c","pid":1,"tid":2,"ts":3,"id":"0x1f"}`},
		{func(w *Writer) error { return w.AsyncInstant("a", "c", 31, 1, 2, 3000) },
			`{"ph":"n","name":"a","cat":"c","pid":1,"tid":2,"ts":3,"id":"0x1f"}`},
		{func(w *Writer) error { return w.AsyncEnd("a", "c", 31, 1, 2, 3000) },
			`{"ph":"e","name":"a","cat":"c","pid":1,"tid":2,"ts":3,"id":"0x1f"}`},
		{func(w *Writer) error { return w.FlowStart("a", "c", 31, 1, 2, 3000) },
			`{"ph":"s","name":"a","cat":"c","pid":1,"tid":2,"ts":3,"id":"0x1f"}`},
		{func(w *Writer) error { return w.FlowStep("a", "c", 31, 1, 2, 3000) },
			`{"ph":"t","name":"a","cat":"c","pid":1,"tid":2,"ts":3,"id":"0x1f"}`},
		{func(w *Writer) error { return w.FlowEnd("a", "c", 31, 1, 2, 3000) },
			`{"ph":"f","name":"a","cat":"c","pid":1,"tid":2,"ts":3,"id":"0x1f","bp":"e"}`},
		{func(w *Writer) error { return w.ObjectCreated("a", "c", 31, 1, 2, 3000) },
			`{"ph":"N","name":"a","cat":"c","pid":1,"tid":2,"ts":3,"id":"0x1f"}`},
		{func(w *Writer) error { return w.ObjectSnapshot("a", "c", 31, 1, 2, 3000, `{"k":1}`) },
			`{"ph":"O","name":"a","cat":"c","pid":1,"tid":2,"ts":3,"id":"0x1f","args":{"snapshot":{"k":1}}}`},
		{func(w *Writer) error { return w.ObjectDeleted("a", "c", 31, 1, 2, 3000) },
			`{"ph":"D","name":"a","cat":"c","pid":1,"tid":2,"ts":3,"id":"0x1f"}`},
		{func(w *Writer) error { return w.ProcessName(1, "p") }, `{"ph":"M","name":"process_name","pid":1,"args":{"name":"p"}}`},
		{func(w *Writer) error { return w.ProcessLabels(1, "p,q") }, `{"ph":"M","name":"process_labels","pid":1,"args":{"labels":"p,q"}}`},
		{func(w *Writer) error { return w.ProcessSortIndex(1, -5) }, `{"ph":"M","name":"process_sort_index","pid":1,"args":{"sort_index":-5}}`},
		{func(w *Writer) error { return w.ThreadName(1, 2, "t") }, `{"ph":"M","name":"thread_name","pid":1,"tid":2,"args":{"name":"t"}}`},
		{func(w *Writer) error { return w.ThreadSortIndex(1, 2, 3) }, `{"ph":"M","name":"thread_sort_index","pid":1,"tid":2,"args":{"sort_index":3}}`},
	} {
		var out bytes.Buffer
		w, _ := NewWriter(&out, WriterOptions{})
		if err := errors.Join(c.write(w), w.Close()); err != nil {
			t.Fatal(err)
		}
		if want := "[\n" + c.want + "\n]\n"; out.String() != want {
			t.Errorf("\n got %s\nwant %s", out.String(), want)
		}
		if !json.Valid(out.Bytes()) {
			t.Errorf("not JSON: %s", out.String())
		}
	}
}

// After every Flush a file that is kept closed is whole, and any other lacks nothing
// but brackets.
func TestFlush(t *testing.T) {
	for _, container := range []Container{ContainerArray, ContainerObject, ContainerLines} {
		for _, keep := range []bool{false, true} {
			path := filepath.Join(t.TempDir(), "trace.json")
			f, err := os.Create(path)
			if err != nil {
				t.Fatal(err)
			}
			w, err := NewWriter(f, WriterOptions{Container: container, KeepClosed: keep})
			if err != nil {
				t.Fatal(err)
			}
			for n := range 5 {
				if n == 4 {
					err = w.Close()
				} else {
					if n > 0 {
						w.Instant("a", "", ScopeThread, 1, 2, int64(n))
					}
					err = w.Flush()
				}
				if err != nil {
					t.Fatal(err)
				}
				doc, err := os.ReadFile(path)
				if err != nil {
					t.Fatal(err)
				}
				if (keep || n == 4) && container != ContainerLines && !json.Valid(doc) {
					t.Errorf("%s: not whole: %q", container, doc)
				}
				s := NewScanner(doc)
				var issues []IssueCode
				s.OnIssue(func(i Issue) { issues = append(issues, i.Code) })
				events := 0
				for k := s.Next(); k != ItemEnd; k = s.Next() {
					if k == ItemEvent {
						events++
					}
				}
				if events != min(n, 3) || len(issues) > 1 || len(issues) == 1 && issues[0] != IssueTruncated || s.Err() != nil {
					t.Errorf("%s: %d events of %d, %v, %v: %q", container, events, n, issues, s.Err(), doc)
				}
			}
			f.Close()
		}
	}
}

func TestWriterMembers(t *testing.T) {
	var out bytes.Buffer
	w, err := NewWriter(&out, WriterOptions{
		Container:       ContainerObject,
		DisplayTimeUnit: "ns",
		Members:         []KeyValue{{"otherData", Raw(`{"version":"1"}`)}},
		StackFrames:     []KeyValue{{"1", Raw(`{"name":"main"}`)}, {"2", Raw(`{"name":"f","parent":"1"}`)}},
		Samples:         []Raw{Raw(`{"cpu":0}`), Raw(`{"cpu":NaN}`)},
	})
	if err != nil {
		t.Fatal(err)
	}
	w.Begin("a", "", 1, 1, 0)
	if err := w.Close(); err != nil {
		t.Fatal(err)
	}
	if !json.Valid(out.Bytes()) {
		t.Errorf("not JSON: %s", out.String())
	}
	if got := outline(NewScanner(out.Bytes())); got != "displayTimeUnit otherData <1> <2> <> <> [ B" {
		t.Error(got)
	}
	if _, err := NewWriter(&out, WriterOptions{DisplayTimeUnit: "ns"}); err == nil {
		t.Error("an array has no members")
	}
	if _, err := NewWriter(&out, WriterOptions{Container: ContainerObject, Members: []KeyValue{{"a", Raw("{")}}}); !errors.Is(err, errNotJSON) {
		t.Errorf("a member that is no JSON: %v", err)
	}
	if _, err := NewWriter(&out, WriterOptions{KeepClosed: true}); err == nil {
		t.Error("a buffer can't seek")
	}
}

// full takes n bytes and then fails.
type full struct{ n int }

func (f *full) Write(p []byte) (int, error) {
	if f.n -= len(p); f.n < 0 {
		return 0, io.ErrShortWrite
	}
	return len(p), nil
}

func TestWriterErrorStays(t *testing.T) {
	w, _ := NewWriter(&full{100000}, WriterOptions{})
	var err error
	for range 10000 {
		err = w.Begin("a", "", 1, 1, 0)
	}
	if !errors.Is(err, io.ErrShortWrite) || !errors.Is(w.Flush(), io.ErrShortWrite) || !errors.Is(w.Close(), io.ErrShortWrite) {
		t.Error(err)
	}
	if len(w.buf) > 2*writerSize {
		t.Errorf("%d bytes kept after the error", len(w.buf))
	}
}

func TestNoAllocations(t *testing.T) {
	w, _ := NewWriter(io.Discard, WriterOptions{})
	if n := testing.AllocsPerRun(100, func() {
		w.Complete("a", "c", 1, 2, 3, 4, Int("i", 5), String("s", "t"))
		w.ThreadName(1, 2, "t")
	}); n != 0 {
		t.Errorf("%v allocations an event that is written", n)
	}
	s := NewScanner(benchDocument(1 << 20))
	s.Next()
	if n := testing.AllocsPerRun(1000, func() {
		s.Next()
		s.Event().Text(FieldName)
	}); n != 0 {
		t.Errorf("%v allocations an event that is read", n)
	}
}
