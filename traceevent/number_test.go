package traceevent

import (
	"fmt"
	"math"
	"math/rand/v2"
	"strings"
	"testing"
)

func TestNanos(t *testing.T) {
	const most = math.MaxInt64
	for _, c := range []struct {
		in    string
		ns    int64
		state TimeState
	}{
		{``, 0, TimeAbsent},
		{`0`, 0, TimeOK},
		{`12`, 12000, TimeOK},
		{`1600000000154123.457`, 1600000000154123457, TimeOK},
		{`"1600000000154123.457"`, 1600000000154123457, TimeOK},
		{`" 100"`, 0, TimeBad},
		{`"100 "`, 0, TimeBad},
		{`"100\n"`, 0, TimeBad},
		{"\"100\r\"", 0, TimeBad},
		{`"\u0031\u002e5"`, 1500, TimeOK},
		{`"1\u0030x"`, 0, TimeBad},
		{`-1.5`, -1500, TimeOK},
		{`0.0004`, 0, TimeOK},
		{`0.0005`, 1, TimeOK},
		{`-0.0005`, -1, TimeOK},
		{`-0.00049999`, 0, TimeOK},
		{`403193.50900000002`, 403193509, TimeOK},
		{`0.9996`, 1000, TimeOK},
		{`1e3`, 1000000, TimeOK},
		{`1.5E-3`, 2, TimeOK},
		{`15e-4`, 2, TimeOK},
		{`+1`, 1000, TimeOK},
		{`.5`, 500, TimeOK},
		{`1.`, 1000, TimeOK},
		{`01`, 1000, TimeOK},
		{`0x10`, 16000, TimeOK},
		{`9223372036854775.807`, most, TimeOK},
		{`9223372036854775.8074`, most, TimeOK},
		{`9223372036854775.8075`, 0, TimeOverflow},
		{`-9223372036854775.808`, math.MinInt64, TimeOK},
		{`-9223372036854775.809`, 0, TimeOverflow},
		{`1e16`, 0, TimeOverflow},
		{`1e99999999999999999999`, 0, TimeOverflow},
		{`0e99999999999999999999`, 0, TimeOK},
		{`1e-99999999999999999999`, 0, TimeOK},
		{`1` + strings.Repeat("0", 1000) + `e-1000`, 1000, TimeOK},
		{`0.` + strings.Repeat("0", 1000) + `1e1001`, 1000, TimeOK},
		{`null`, 0, TimeBad},
		{`true`, 0, TimeBad},
		{`NaN`, 0, TimeBad},
		{`Infinity`, 0, TimeBad},
		{`""`, 0, TimeBad},
		{`"0x10"`, 0, TimeBad},
		{`"1.2.3"`, 0, TimeBad},
		{`"1e"`, 0, TimeBad},
		{`"12 ms"`, 0, TimeBad},
		{`{}`, 0, TimeBad},
	} {
		ns, state := Raw(nilIfEmpty(c.in)).Nanos()
		if ns != c.ns || state != c.state {
			t.Errorf("%s: %d %s, want %d %s", c.in, ns, state, c.ns, c.state)
		}
		if c.in == "" {
			continue
		}
		var e Event
		if err := ParseEvent([]byte(`{"ts":`+c.in+`}`), &e); err != nil {
			t.Error(err)
		}
		if ns, state := e.Time(FieldTS); ns != c.ns || state != c.state {
			t.Errorf("%s in an event: %d %s, want %d %s", c.in, ns, state, c.ns, c.state)
		}
	}
}

func nilIfEmpty(s string) []byte {
	if s == "" {
		return nil
	}
	return []byte(s)
}

// Random decimals are read as exact arithmetic reads them, and times that are written
// are read again.
func TestNanosRandom(t *testing.T) {
	rnd := rand.New(rand.NewPCG(7, 7))
	for range 20000 {
		s := fmt.Sprint(rnd.Uint64() >> rnd.IntN(64))
		if rnd.IntN(4) > 0 {
			s += "." + fmt.Sprint(rnd.Uint64()>>rnd.IntN(64))
		}
		if rnd.IntN(4) == 0 {
			s += fmt.Sprintf("e%d", rnd.IntN(40)-20)
		}
		if rnd.IntN(4) == 0 {
			s = "-" + s
		}
		want, wantState := exactNanos(s)
		var e Event
		if err := ParseEvent([]byte(`{"dur":`+s+`,"ts":"`+s+`"}`), &e); err != nil {
			t.Fatal(err)
		}
		for _, f := range []Field{FieldDur, FieldTS} {
			if ns, state := e.Time(f); ns != want || state != wantState {
				t.Errorf("%s: %d %s, want %d %s", s, ns, state, want, wantState)
			}
		}
		ns := int64(rnd.Uint64()) >> rnd.IntN(64)
		if got, state := Raw(appendMicros(nil, ns)).Nanos(); got != ns || state != TimeOK {
			t.Errorf("%d written as %s is read as %d %s", ns, appendMicros(nil, ns), got, state)
		}
	}
}

func TestInt64(t *testing.T) {
	for _, c := range []struct {
		in string
		n  int64
		ok bool
	}{
		{`0`, 0, true}, {`-0`, 0, true}, {`5.0`, 5, true}, {`1e3`, 1000, true}, {`"42"`, 42, true}, {`"\u0034"`, 4, true},
		{`"4\t"`, 0, false}, {"\"4\t\"", 0, false}, {`" 4"`, 0, false},
		{`9223372036854775807`, math.MaxInt64, true}, {`9223372036854775808`, 0, false},
		{`-9223372036854775808`, math.MinInt64, true}, {`-9223372036854775809`, 0, false},
		{`139919246871680`, 139919246871680, true}, {`0x10`, 16, true}, {`"0x10"`, 0, false},
		{`5.5`, 0, false}, {`1e-1`, 0, false}, {`1e20`, 0, false}, {`10e-1`, 1, true},
		{`"a"`, 0, false}, {`null`, 0, false}, {`true`, 0, false}, {`[1]`, 0, false}, {``, 0, false},
	} {
		if n, ok := Raw(c.in).Int64(); n != c.n || ok != c.ok {
			t.Errorf("%s: %d %t, want %d %t", c.in, n, ok, c.n, c.ok)
		}
	}
	if n, ok := Raw(`18446744073709551615`).Uint64(); n != math.MaxUint64 || !ok {
		t.Errorf("%d %t", n, ok)
	}
	if _, ok := Raw(`18446744073709551616`).Uint64(); ok {
		t.Error("2^64 isn't a uint64")
	}
	if _, ok := Raw(`-1`).Uint64(); ok {
		t.Error("-1 isn't a uint64")
	}
}

func TestFloat64(t *testing.T) {
	for _, c := range []struct {
		in string
		x  float64
		ok bool
	}{
		{`1.5`, 1.5, true}, {`"1e3"`, 1000, true}, {`true`, 1, true}, {`false`, 0, true},
		{`Infinity`, math.Inf(1), true}, {`"-Infinity"`, math.Inf(-1), true}, {`1e999`, math.Inf(1), true},
		{`.5`, .5, true}, {`1.`, 1, true}, {`+01`, 1, true}, {`-0x10`, -16, true}, {`"0x10"`, 0, false},
		{`" 1"`, 0, false}, {`"1\r"`, 0, false}, {`" NaN"`, 0, false},
		{`"inf"`, 0, false}, {`"1_000"`, 0, false}, {`null`, 0, false}, {`"x"`, 0, false}, {`{}`, 0, false},
	} {
		if x, ok := Raw(c.in).Float64(); x != c.x || ok != c.ok {
			t.Errorf("%s: %v %t, want %v %t", c.in, x, ok, c.x, c.ok)
		}
	}
	if x, ok := Raw(`NaN`).Float64(); x == x || !ok {
		t.Errorf("NaN: %v %t", x, ok)
	}
}

func TestText(t *testing.T) {
	for _, c := range []struct{ in, want string }{
		{`"abc"`, "abc"},
		{`"a\"\\\/\b\f\n\r\tz"`, "a\"\\/\b\f\n\r\tz"},
		{`"\u00e9\u20AC"`, "é€"},
		{`"\ud83d\ude00"`, "😀"},
		{`"\ud83d"`, "\ufffd"},
		{`"\ud83dx"`, "\ufffdx"},
		{`"\ud83d\u0041"`, "\ufffdA"},
		{`"\ude00\ud83d\ude00"`, "\ufffd😀"},
		{`"\q\u12"`, "qu12"},
		{"\"\xff\x01\"", "\xff\x01"},
		{`12`, "12"},
		{`{"a":1}`, `{"a":1}`},
	} {
		if got := string(Raw(c.in).AppendText(nil)); got != c.want {
			t.Errorf("%s: %q, want %q", c.in, got, c.want)
		}
	}
}
