package traceevent

import (
	"bytes"
	"encoding/json"
	"fmt"
	"math/rand/v2"
	"testing"
)

// benchDocument is about size bytes of complete events, the commonest kind.
func benchDocument(size int) []byte {
	rnd := rand.New(rand.NewPCG(1, 2))
	names := []string{"Layout", "Paint", "v8.compile", "RunTask", "ThreadControllerImpl::RunTask"}
	var b bytes.Buffer
	b.WriteString("[\n")
	ts := int64(1600000000154123457)
	for b.Len() < size {
		if b.Len() > 2 {
			b.WriteString(",\n")
		}
		ts += rnd.Int64N(100000)
		dur := rnd.Int64N(2000000)
		fmt.Fprintf(&b, `{"name":%q,"cat":"blink","ph":"X","ts":%d.%03d,"dur":%d.%03d,"pid":4242,"tid":%d,"args":{"frame":%d,"url":"https://example.com/a/%d"}}`,
			names[rnd.IntN(len(names))], ts/1000, ts%1000, dur/1000, dur%1000, 17+rnd.IntN(8), rnd.IntN(100000), rnd.IntN(1000))
	}
	b.WriteString("\n]\n")
	return b.Bytes()
}

func BenchmarkScanEvents(b *testing.B) {
	doc := benchDocument(8 << 20)
	b.SetBytes(int64(len(doc)))
	b.ReportAllocs()
	events := 0
	for b.Loop() {
		events = 0
		s := NewScanner(doc)
		for k := s.Next(); k != ItemEnd; k = s.Next() {
			if k != ItemEvent {
				continue
			}
			e := s.Event()
			ts, _ := e.Time(FieldTS)
			dur, _ := e.Time(FieldDur)
			pid, _ := e.Int(FieldPID)
			name, _ := e.Text(FieldName)
			sink += ts + dur + pid + int64(len(name))
			events++
		}
	}
	b.ReportMetric(float64(b.Elapsed().Nanoseconds())/float64(b.N)/float64(events), "ns/event")
}

var sink int64

// typedEvent is what encoding/json decodes an event into, for comparison.
type typedEvent struct {
	Name string          `json:"name"`
	Cat  string          `json:"cat"`
	Ph   string          `json:"ph"`
	TS   float64         `json:"ts"`
	Dur  float64         `json:"dur"`
	PID  int64           `json:"pid"`
	TID  int64           `json:"tid"`
	Args json.RawMessage `json:"args"`
}

func BenchmarkScanEventsEncodingJSON(b *testing.B) {
	doc := benchDocument(8 << 20)
	b.SetBytes(int64(len(doc)))
	b.ReportAllocs()
	for b.Loop() {
		var events []typedEvent
		if err := json.Unmarshal(doc, &events); err != nil {
			b.Fatal(err)
		}
		sink += int64(len(events))
	}
}

func BenchmarkReader(b *testing.B) {
	doc := benchDocument(8 << 20)
	b.SetBytes(int64(len(doc)))
	b.ReportAllocs()
	for b.Loop() {
		r := NewReader(bytes.NewReader(doc))
		for k := r.Next(); k != ItemEnd; k = r.Next() {
			if k == ItemEvent {
				ts, _ := r.Event().Time(FieldTS)
				sink += ts
			}
		}
	}
}

func BenchmarkReaderEncodingJSON(b *testing.B) {
	doc := benchDocument(8 << 20)
	b.SetBytes(int64(len(doc)))
	b.ReportAllocs()
	for b.Loop() {
		d := json.NewDecoder(bytes.NewReader(doc))
		if _, err := d.Token(); err != nil {
			b.Fatal(err)
		}
		for d.More() {
			var e typedEvent
			if err := d.Decode(&e); err != nil {
				b.Fatal(err)
			}
			sink += int64(e.TS)
		}
	}
}

func BenchmarkNanos(b *testing.B) {
	v := Raw("1600000000154123.457")
	b.SetBytes(int64(len(v)))
	for b.Loop() {
		ns, _ := v.Nanos()
		sink += ns
	}
}

func BenchmarkNanosEncodingJSON(b *testing.B) {
	v := []byte("1600000000154123.457")
	b.SetBytes(int64(len(v)))
	for b.Loop() {
		var x float64
		if err := json.Unmarshal(v, &x); err != nil {
			b.Fatal(err)
		}
		sink += int64(x)
	}
}

func BenchmarkTokenizer(b *testing.B) {
	v := Raw(`{"frame":12345,"url":"https://example.com/a/b","list":[1,2.5,true,null,{"k":"v"}]}`)
	b.SetBytes(int64(len(v)))
	b.ReportAllocs()
	t := NewTokenizer(nil)
	for b.Loop() {
		t.Reset(v)
		for t.Next() != TokenEnd {
		}
	}
}

// counted counts what is written to it.
type counted int64

func (c *counted) Write(p []byte) (int, error) {
	*c += counted(len(p))
	return len(p), nil
}

func BenchmarkWriterComplete(b *testing.B) {
	var out counted
	w, err := NewWriter(&out, WriterOptions{})
	if err != nil {
		b.Fatal(err)
	}
	b.ReportAllocs()
	n := int64(0)
	for b.Loop() {
		w.Complete("Layout", "blink", 4242, 17, 1600000000154123457+n, 12034, Int("frame", n), String("url", "https://example.com/a/b"))
		n++
	}
	w.Close()
	b.SetBytes(int64(out) / n)
}

func BenchmarkWriterEvent(b *testing.B) {
	var e Event
	var out counted
	w, err := NewWriter(&out, WriterOptions{})
	if err != nil {
		b.Fatal(err)
	}
	b.ReportAllocs()
	n := int64(0)
	for b.Loop() {
		e.Reset()
		e.SetText(FieldName, "Layout")
		e.SetText(FieldCat, "blink")
		e.SetPhase(PhaseComplete)
		e.SetNanos(FieldTS, 1600000000154123457+n)
		e.SetNanos(FieldDur, 12034)
		e.SetInt(FieldPID, 4242)
		e.SetInt(FieldTID, 17)
		e.SetRaw(FieldArgs, benchArgs)
		w.Write(&e)
		n++
	}
	w.Close()
	b.SetBytes(int64(out) / n)
}

var benchArgs = Raw(`{"frame":12345,"url":"https://example.com/a/b"}`)

func BenchmarkWriterEncodingJSON(b *testing.B) {
	var out counted
	enc := json.NewEncoder(&out)
	b.ReportAllocs()
	n := int64(0)
	for b.Loop() {
		e := typedEvent{Name: "Layout", Cat: "blink", Ph: "X", TS: float64(1600000000154123+n) + .457, Dur: 12.034, PID: 4242, TID: 17, Args: json.RawMessage(benchArgs)}
		if err := enc.Encode(&e); err != nil {
			b.Fatal(err)
		}
		n++
	}
	b.SetBytes(int64(out) / n)
}
