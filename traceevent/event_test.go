package traceevent

import "testing"

// sameRecord reports where two events differ as records: their fields, as values.
func sameRecord(t *testing.T, got, want *Event) {
	t.Helper()
	if got.Set() != want.Set() {
		t.Errorf("fields %b, want %b", got.Set(), want.Set())
		return
	}
	for f := range want.Set().All {
		sameValue(t, f.String(), got.Get(f), want.Get(f))
		if gt, gs := got.Time(f); true {
			if wt, ws := want.Time(f); gt != wt || gs != ws {
				t.Errorf("%s: time %d %s, want %d %s", f, gt, gs, wt, ws)
			}
		}
		gn, gok := got.Int(f)
		if wn, wok := want.Int(f); gn != wn || gok != wok {
			t.Errorf("%s: integer %d %t, want %d %t", f, gn, gok, wn, wok)
		}
	}
	if len(got.Extra) != len(want.Extra) {
		t.Errorf("%d other members, want %d", len(got.Extra), len(want.Extra))
		return
	}
	for i, m := range want.Extra {
		if string(got.Extra[i].Key) != string(m.Key) {
			t.Errorf("member %q, want %q", got.Extra[i].Key, m.Key)
		}
		sameValue(t, string(m.Key), got.Extra[i].Value, m.Value)
	}
}

// sameValue compares two values token by token: text for strings, value for numbers.
func sameValue(t *testing.T, what string, got, want Raw) {
	t.Helper()
	g, w := NewTokenizer(got), NewTokenizer(want)
	for {
		gk, wk := g.Next(), w.Next()
		if wk == TokenNumber && gk == TokenString {
			gk = TokenNumber // NaN and the infinities
		}
		if gk != wk {
			t.Errorf("%s: %s in %s, want %s in %s", what, gk, got, wk, want)
			return
		}
		switch gk {
		case TokenEnd, TokenInvalid:
			return
		case TokenNumber:
			x, _ := g.Raw().Float64()
			if y, _ := w.Raw().Float64(); x != y && (x == x || y == y) {
				t.Errorf("%s: %v, want %v", what, x, y)
			}
		default:
			if x, y := string(g.Raw().AppendText(nil)), string(w.Raw().AppendText(nil)); x != y {
				t.Errorf("%s: %q, want %q", what, x, y)
			}
		}
	}
}
