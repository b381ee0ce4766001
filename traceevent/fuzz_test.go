package traceevent

import (
	"bytes"
	"encoding/json"
	"math/big"
	"strings"
	"testing"
)

// Scanner, Reader and Chunks agree on any bytes, and what they yield can be taken
// apart.
func FuzzScanner(f *testing.F) {
	for _, c := range forms {
		f.Add([]byte(c.in), uint16(3), uint16(20))
	}
	f.Fuzz(func(t *testing.T, doc []byte, piece, cut uint16) {
		want := listing(NewScanner(doc))
		same(t, "reader", listing(smallReader(doc, int(piece)+1, 1)), want)
		same(t, "chunks", strings.TrimSuffix(chunkListing(doc, []int{int(cut) / 2, int(cut)}), " error"), strings.TrimSuffix(want, " error"))
		if at := FindElement(doc, int(cut), len(doc)); at >= 0 {
			var c Chunk
			c.Reset(doc, at, len(doc)+1)
			if !c.Next() || c.Event().Offset != int64(at) || c.Event().Phase() == 0 {
				t.Errorf("no event at %d, where FindElement found one", at)
			}
		}
		s := NewScanner(doc)
		var tok Tokenizer
		for k := s.Next(); k != ItemEnd; k = s.Next() {
			v := s.Member().Value
			if k == ItemEvent {
				v = s.Event().Raw
			}
			if k == ItemArray {
				continue
			}
			tok.Reset(v)
			for {
				token := tok.Next()
				if token == TokenInvalid {
					t.Errorf("no tokens at %d of %q", tok.Offset(), v)
				}
				if token == TokenEnd || token == TokenInvalid {
					break
				}
			}
			if tok.Depth() != 0 {
				t.Errorf("%q ends at depth %d", v, tok.Depth())
			}
		}
	})
}

// Any event can be written and read again, and is then the same, as standard JSON.
func FuzzEvent(f *testing.F) {
	for _, c := range forms {
		f.Add([]byte(c.in))
	}
	f.Add([]byte(`{"name":"a\ud83d\ude00\u00e9\/","ph":"X","ts":1.5e3,"dur":"2","pid":"x","tid":0x10,"args":{"n":[NaN,-Infinity,+1,.5,1.,01,]},"y":{}}`))
	f.Fuzz(func(t *testing.T, text []byte) {
		var e, again Event
		if err := ParseEvent(text, &e); err != nil {
			return
		}
		var out bytes.Buffer
		w, _ := NewWriter(&out, WriterOptions{})
		e.Raw = nil
		if err := w.Write(&e); err != nil {
			t.Fatal(err)
		}
		if err := w.Close(); err != nil {
			t.Fatal(err)
		}
		s := NewScanner(out.Bytes())
		s.OnIssue(func(i Issue) {
			if i.Code != IssueDuplicate {
				t.Errorf("%+v in %s", i, out.Bytes())
			}
		})
		if s.Next() != ItemArray || s.Next() != ItemEvent {
			t.Fatalf("no event in %s", out.Bytes())
		}
		again = *s.Event()
		sameRecord(t, &again, &e)
		if !json.Valid(out.Bytes()) {
			t.Errorf("not JSON: %s", out.Bytes())
		}
	})
}

// Nanos agrees with exact arithmetic.
func FuzzNanos(f *testing.F) {
	for _, s := range []string{"1600000000154123.457", "-0.0005", "1e3", "+1", ".5", "1.", "01", "9223372036854775.8075", "1e400", "1e-400", "NaN"} {
		f.Add(s)
	}
	f.Fuzz(func(t *testing.T, s string) {
		var p parser
		v := Raw(s)
		ns, state := v.Nanos()
		if len(s) == 0 || v.Kind() != KindNumber || p.number(v, 0) != len(v) {
			return
		}
		want, wantState := exactNanos(s)
		if ns != want || state != wantState {
			t.Errorf("%s: %d %s, want %d %s", s, ns, state, want, wantState)
		}
		var e Event
		if err := ParseEvent([]byte(`{"ts":`+s+`}`), &e); err != nil {
			t.Fatal(err)
		}
		if n, st := e.Time(FieldTS); n != ns || st != state {
			t.Errorf("%s in an event: %d %s, want %d %s", s, n, st, ns, state)
		}
		i, ok := v.Int64()
		if err := ParseEvent([]byte(`{"pid":`+s+`}`), &e); err != nil {
			t.Fatal(err)
		}
		if n, yes := e.Int(FieldPID); n != i || yes != ok {
			t.Errorf("%s in an event: %d %t, want %d %t", s, n, yes, i, ok)
		}
	})
}

// exactNanos is Nanos by rational arithmetic, for what parser.number takes.
func exactNanos(s string) (int64, TimeState) {
	s = strings.TrimPrefix(s, "+")
	if strings.Contains(s, "N") || strings.Contains(s, "I") {
		return 0, TimeBad
	}
	if strings.ContainsAny(s, "xX") {
		n, ok := new(big.Int).SetString(strings.Replace(strings.ToLower(s), "0x", "", 1), 16)
		if !ok || n.BitLen() > 64 {
			return 0, TimeBad
		}
		n.Mul(n, big.NewInt(1000))
		if !n.IsInt64() || n.CmpAbs(big.NewInt(1<<63-1000)) > 0 {
			return 0, TimeOverflow
		}
		return n.Int64(), TimeOK
	}
	mantissa, exp, _ := strings.Cut(strings.ToLower(s), "e")
	r, ok := new(big.Rat).SetString(mantissa)
	if !ok {
		panic("not a number: " + s)
	}
	if r.Sign() == 0 {
		return 0, TimeOK
	}
	if exp != "" {
		n, ok := new(big.Int).SetString(exp, 10)
		if !ok {
			panic("no exponent: " + s)
		}
		far := int64(100 + len(s)) // beyond this the mantissa has no say
		if !n.IsInt64() && n.Sign() < 0 {
			return 0, TimeOK
		}
		if !n.IsInt64() || n.Int64() > far {
			return 0, TimeOverflow
		}
		if n.Int64() < -far {
			return 0, TimeOK
		}
		ten := new(big.Int).Exp(big.NewInt(10), new(big.Int).Abs(n), nil)
		if n.Sign() < 0 {
			r.Quo(r, new(big.Rat).SetInt(ten))
		} else {
			r.Mul(r, new(big.Rat).SetInt(ten))
		}
	}
	r.Mul(r, big.NewRat(1000, 1))
	neg := r.Sign() < 0
	r.Abs(r)
	r.Add(r, big.NewRat(1, 2))
	n := new(big.Int).Quo(r.Num(), r.Denom())
	if neg {
		n.Neg(n)
	}
	if !n.IsInt64() {
		return 0, TimeOverflow
	}
	return n.Int64(), TimeOK
}
