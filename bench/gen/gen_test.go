package gen

import (
	"bytes"
	"encoding/json"
	"errors"
	"hash/fnv"
	"strconv"
	"strings"
	"testing"
	"time"
)

// smallN is a size at which a kind shows all that it does.
func smallN(kind string) int {
	switch kind {
	case "x", "mix":
		return 5000
	case "longstring":
		return 600_000 // more than the writer's buffer
	default:
		return 1000
	}
}

func generate(t testing.TB, s Spec) []byte {
	t.Helper()
	var b bytes.Buffer
	if err := s.Write(&b); err != nil {
		t.Fatal(err)
	}
	return b.Bytes()
}

type event struct {
	PID  any             `json:"pid"`
	TID  any             `json:"tid"`
	Ph   string          `json:"ph"`
	TS   json.Number     `json:"ts"`
	Dur  json.Number     `json:"dur"`
	Name string          `json:"name"`
	Cat  string          `json:"cat"`
	Args json.RawMessage `json:"args"`
}

func parse(t testing.TB, data []byte) []event {
	t.Helper()
	var f struct {
		TraceEvents []event `json:"traceEvents"`
	}
	if err := json.Unmarshal(data, &f); err != nil {
		t.Fatal(err)
	}
	return f.TraceEvents
}

func TestKindsAreValidAndDeterministic(t *testing.T) {
	for _, k := range Kinds() {
		t.Run(k.Name, func(t *testing.T) {
			n := smallN(k.Name)
			data := generate(t, Spec{k.Name, n, 1})
			if !bytes.Equal(data, generate(t, Spec{k.Name, n, 1})) {
				t.Error("the same Spec gave different bytes")
			}
			if len(parse(t, data)) == 0 {
				t.Error("no events")
			}
			if (k.Name == "x" || k.Name == "mix") && bytes.Equal(data, generate(t, Spec{k.Name, n, 2})) {
				t.Error("another seed gave the same bytes")
			}
			for _, tiny := range []int{0, 1, 2} {
				parse(t, generate(t, Spec{k.Name, tiny, 1}))
			}
		})
	}
}

// TestYardstickBytes fails when the yardstick's input changes, which makes
// figures from before and after incomparable: change it only on purpose.
func TestYardstickBytes(t *testing.T) {
	h := fnv.New64a()
	if err := (Spec{"x", 20_000, 1}).Write(h); err != nil {
		t.Fatal(err)
	}
	const want = 0x79c9a7fdfc82d948
	if got := h.Sum64(); got != want {
		t.Errorf("hash of x-20000-1 = %#x, want %#x", got, uint64(want))
	}
}

func TestSlicesLookLikeTheYardstick(t *testing.T) {
	const n = 50_000
	data := generate(t, Spec{"x", n, 1})
	if perEvent := len(data) / n; perEvent < 165 || perEvent > 185 {
		t.Errorf("%d bytes an event, want about 175", perEvent)
	}
	type span struct{ start, end int64 }
	var x int
	threads := map[any][]span{} // completed and not yet inside another
	names, cats := map[string]int{}, map[string]bool{}
	for _, e := range parse(t, data) {
		if e.Ph == "M" {
			continue
		}
		x++
		names[e.Name]++
		cats[e.Cat] = true
		var args map[string]any
		if err := json.Unmarshal(e.Args, &args); err != nil || len(args) != 2 {
			t.Fatalf("args %s: want an object of two", e.Args)
		}
		s := span{nanos(t, e.TS), 0}
		s.end = s.start + nanos(t, e.Dur)
		done := threads[e.TID]
		for len(done) > 0 && done[len(done)-1].start >= s.start {
			if last := done[len(done)-1]; last.end > s.end {
				t.Fatalf("slice %s at %s is written before its child or overlaps one", e.Name, e.TS)
			}
			done = done[:len(done)-1]
		}
		if len(done) > 0 && done[len(done)-1].end > s.start {
			t.Fatalf("slice %s at %s overlaps the one before it", e.Name, e.TS)
		}
		threads[e.TID] = append(done, s)
	}
	if x != n {
		t.Errorf("%d slices, want %d", x, n)
	}
	if len(threads) != 40 {
		t.Errorf("%d threads, want 40", len(threads))
	}
	if len(names) < 1000 {
		t.Errorf("%d names, want thousands", len(names))
	}
	if len(cats) != len(categories) {
		t.Errorf("%d categories, want %d", len(cats), len(categories))
	}
}

// nanos reads microseconds with at most three decimals.
func nanos(t testing.TB, n json.Number) int64 {
	whole, frac, _ := strings.Cut(n.String(), ".")
	v, err := strconv.ParseInt(whole+(frac + "000")[:3], 10, 64)
	if err != nil || len(frac) > 3 {
		t.Fatalf("time %q: %v", n, err)
	}
	return v
}

func TestMixHasEveryPhase(t *testing.T) {
	phases := map[string]int{}
	for _, e := range parse(t, generate(t, Spec{"mix", 5000, 1})) {
		phases[e.Ph]++
	}
	for _, ph := range strings.Fields("B E X i I R C b n e S T p F s t f N O D P V v ( ) = c M") {
		if phases[ph] == 0 {
			t.Errorf("no event of phase %s", ph)
		}
	}
}

func TestMicros(t *testing.T) {
	for ns, want := range map[int64]string{
		0: "0", 1: "0.001", 10: "0.01", 100: "0.1", 120: "0.12", 123: "0.123", 1000: "1", -1500: "-1.5",
		1600000000154123457: "1600000000154123.457",
	} {
		if got := string(appendMicros(nil, ns)); got != want {
			t.Errorf("appendMicros(%d) = %s, want %s", ns, got, want)
		}
	}
}

type failingWriter struct{ left int }

var errFull = errors.New("full")

func (w *failingWriter) Write(b []byte) (int, error) {
	if w.left -= len(b); w.left < 0 {
		return 0, errFull
	}
	return len(b), nil
}

// TestStopsWhenTheWriterFails also shows that a kind that has failed does not
// go on to the end: a billion of anything would outlast the test.
func TestStopsWhenTheWriterFails(t *testing.T) {
	for _, kind := range []string{"x", "mix", "onethreadBE", "longstring"} {
		start := time.Now()
		if err := (Spec{kind, 1_000_000_000, 1}).Write(&failingWriter{left: outBuffer * 2}); !errors.Is(err, errFull) {
			t.Errorf("%s: error %v, want %v", kind, err, errFull)
		}
		if d := time.Since(start); d > 10*time.Second {
			t.Errorf("%s: went on for %v", kind, d)
		}
	}
}

func TestBadSpecs(t *testing.T) {
	for _, s := range []Spec{{"no such kind", 1, 1}, {"x", -1, 1}} {
		if err := s.Write(&bytes.Buffer{}); err == nil {
			t.Errorf("%v: no error", s)
		}
	}
}

func BenchmarkGenerate(b *testing.B) {
	for _, kind := range []string{"x", "mix"} {
		b.Run(kind, func(b *testing.B) {
			s := Spec{kind, 100_000, 1}
			b.SetBytes(int64(len(generate(b, s))))
			for b.Loop() {
				if err := s.Write(discard{}); err != nil {
					b.Fatal(err)
				}
			}
		})
	}
}

type discard struct{}

func (discard) Write(b []byte) (int, error) { return len(b), nil }
