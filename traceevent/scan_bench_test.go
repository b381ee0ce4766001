package traceevent

import (
	"bytes"
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
