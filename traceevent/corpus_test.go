package traceevent

import (
	"encoding/json"
	"math/rand/v2"
	"strings"
	"testing"
)

// Whatever way a real trace is read, the same comes out.
func TestCorpusSameEitherWay(t *testing.T) {
	corpusFiles(t, func(t *testing.T, doc []byte) {
		want := listing(NewScanner(doc))
		same(t, "whole", listing(smallReader(doc, len(doc)+1, len(doc)+1)), want)
		same(t, "100 bytes at a time", listing(smallReader(doc, 100, 64)), want)
		same(t, "1 byte at a time", listing(smallReader(doc, 1, 1)), want)
		rnd := rand.New(rand.NewPCG(1, uint64(len(doc))))
		var cuts []int
		for at := rnd.IntN(2000); at < len(doc); at += 1 + rnd.IntN(len(doc)/20+1) {
			cuts = append(cuts, at)
		}
		// Whether an array of nothing readable is a trace is up to who reads it in chunks.
		same(t, "chunks", strings.TrimSuffix(chunkListing(doc, cuts), " error"), strings.TrimSuffix(want, " error"))
	})
}

// What encoding/json takes for an array of objects, the scanner reads without losing
// any.
func TestCorpusAgainstEncodingJSON(t *testing.T) {
	corpusFiles(t, func(t *testing.T, doc []byte) {
		var list []map[string]json.RawMessage
		if err := json.Unmarshal(doc, &list); err != nil {
			var object struct {
				TraceEvents []map[string]json.RawMessage `json:"traceEvents"`
			}
			if err := json.Unmarshal(doc, &object); err != nil {
				return
			}
			list = object.TraceEvents
		}
		i := 0
		s := NewScanner(doc)
		s.OnIssue(func(issue Issue) {
			switch issue.Code {
			case IssueDuplicate, IssueNotObject:
			default:
				t.Errorf("%+v in a standard file", issue)
			}
		})
		for k := s.Next(); k != ItemEnd; k = s.Next() {
			if k != ItemEvent {
				continue
			}
			for i < len(list) && list[i] == nil {
				i++
			}
			if i >= len(list) {
				t.Fatalf("more events than %d", len(list))
			}
			e, want := s.Event(), list[i]
			for f := range e.Set().All {
				if string(e.Get(f)) != string(want[Fields[f].Key]) {
					t.Fatalf("event %d at %d: %s is %s, want %s", i, e.Offset, f, e.Get(f), want[Fields[f].Key])
				}
			}
			for _, m := range e.Extra {
				if _, ok := want[string(m.Key)]; !ok {
					t.Fatalf("event %d at %d: %q isn't there", i, e.Offset, m.Key)
				}
			}
			if n := e.Set().Len(); n+len(e.Extra) < len(want) {
				t.Fatalf("event %d at %d: %d fields, want %d", i, e.Offset, n+len(e.Extra), len(want))
			}
			i++
		}
		for i < len(list) && list[i] == nil {
			i++
		}
		if i != len(list) {
			t.Errorf("%d events, want %d", i, len(list))
		}
	})
}
