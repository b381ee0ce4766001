package traceevent

import (
	"errors"
	"fmt"
	"strings"
	"testing"
)

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

// Each field is found by its key, in any order, however the key is written.
func TestFields(t *testing.T) {
	for f := range NumFields {
		spec := Fields[f]
		if spec.Key == "" || spec.Type == "" || spec.Section == "" || spec.Meaning == "" {
			t.Errorf("field %d has an empty column", f)
		}
		if f.String() != spec.Key || fieldOf([]byte(spec.Key)) != f {
			t.Errorf("%s isn't found by its key", spec.Key)
		}
		for _, text := range []string{
			fmt.Sprintf(`{"%s":17,"x":1}`, spec.Key),
			fmt.Sprintf(`{"y%s":1,"%s":17}`, spec.Key, spec.Key),
			fmt.Sprintf(` { "%s" : 17 , "%sx" : [ ] } `, spec.Key, spec.Key),
			fmt.Sprintf(`{"\u%04x%s":17,"":0}`, spec.Key[0], spec.Key[1:]),
		} {
			var e Event
			if err := ParseEvent([]byte(text), &e); err != nil {
				t.Fatal(err)
			}
			if e.Set() != FieldSet(0).With(f) || !e.Has(f) || string(e.Get(f)) != "17" || len(e.Extra) != 1 {
				t.Errorf("%s: %s is %s, %d others", text, f, e.Get(f), len(e.Extra))
			}
			if n, ok := e.Int(f); !ok || n != 17 {
				t.Errorf("%s: %d %t", text, n, ok)
			}
			if isTime(f) {
				if ns, state := e.Time(f); ns != 17000 || state != TimeOK {
					t.Errorf("%s: %d %s", text, ns, state)
				}
			}
		}
	}
}

func TestPhases(t *testing.T) {
	const all = "BEXiICbneSTpFstfPNODMVvRc()="
	if len(Phases) != len(all) {
		t.Errorf("%d phases, want %d", len(Phases), len(all))
	}
	for b := range 256 {
		p := Phase(b)
		known := strings.IndexByte(all, byte(b)) >= 0
		if p.Known() != known || (p.Spec() != nil) != known || (p.Name() != "unknown") != known {
			t.Errorf("%q: known %t", byte(b), p.Known())
		}
		if known && (p.Spec().Phase != p || p.Spec().Section == "" || p.Spec().Meaning == "" || !p.Spec().Required.Has(FieldPh)) {
			t.Errorf("%q: %+v", byte(b), p.Spec())
		}
	}
	for text, want := range map[string]Phase{
		`{"ph":"X"}`: 'X', `{"ph":"\u0058"}`: 'X', `{"ph":"XY"}`: 0, `{"ph":""}`: 0, `{"ph":1}`: 0, `{}`: 0, `{"ph":"é"}`: 0, `{"ph":"\n"}`: '\n',
	} {
		var e Event
		if err := ParseEvent([]byte(text), &e); err != nil || e.Phase() != want {
			t.Errorf("%s: %q, %v", text, e.Phase(), err)
		}
	}
}

func TestTables(t *testing.T) {
	seen := map[IssueCode]bool{}
	for _, i := range Issues {
		if i.Meaning == "" || seen[i.Code] {
			t.Errorf("%+v", i)
		}
		seen[i.Code] = true
	}
	for _, c := range []IssueCode{IssueTruncated, IssueNonstandard, IssueMalformed, IssueMember, IssueComma, IssueNotObject, IssueNotArray, IssueDuplicate, IssueTrailing} {
		if !seen[c] {
			t.Errorf("%s isn't in the table", c)
		}
	}
}

func TestDuplicateFields(t *testing.T) {
	var e Event
	if err := ParseEvent([]byte(`{"ts":1,"name":"\n","pid":1,"ts":"2","name":"b","pid":2,"ts":1e1}`), &e); err != nil {
		t.Fatal(err)
	}
	ts, _ := e.Time(FieldTS)
	pid, _ := e.Int(FieldPID)
	name, _ := e.Text(FieldName)
	if ts != 10000 || pid != 2 || string(name) != "b" {
		t.Errorf("%d %d %q", ts, pid, name)
	}
}

func TestTextsStayValid(t *testing.T) {
	var e Event
	if err := ParseEvent([]byte(`{"name":"a\nb","cat":"c\td","s":"\u0041","x\n":1,"tid":5}`), &e); err != nil {
		t.Fatal(err)
	}
	name, _ := e.Text(FieldName)
	cat, _ := e.Text(FieldCat)
	s, _ := e.Text(FieldS)
	if string(name) != "a\nb" || string(cat) != "c\td" || string(s) != "A" || string(e.Extra[0].Key) != "x\n" {
		t.Errorf("%q %q %q %q", name, cat, s, e.Extra[0].Key)
	}
	if _, ok := e.Text(FieldTID); ok {
		t.Error("a number isn't a string")
	}
	if _, ok := e.Text(FieldScope); ok {
		t.Error("an absent field isn't a string")
	}
}

func TestParseEventErrors(t *testing.T) {
	for text, at := range map[string]int64{
		``: 0, `  `: 2, `[]`: 0, `{"a"`: 4, `{"a" 1}`: 5, `{"a":1}}`: 7, `{"a":[1 2]}`: 8, `{"a":tru}`: 8, `{"a":1x}`: 6,
		`{"a":-}`: 6, `{"a":.}`: 6, `{"a":1e}`: 7, `{"a":0x}`: 7, `{,}`: 1, `{"a":}`: 5, `{"a":{"b":1]}`: 11, `{'a':1}`: 1,
	} {
		e := Event{set: 1}
		err := ParseEvent([]byte(text), &e)
		var syntax *SyntaxError
		if !errors.As(err, &syntax) || syntax.Offset != at || e.Set() != 0 {
			t.Errorf("%s: %v, want one at %d", text, err, at)
		}
	}
}
