// Package examples_test checks that the example traces show what they say.
package examples_test

import (
	"encoding/json"
	"os"
	"strings"
	"testing"
)

type event struct {
	Ph  string
	TS  float64
	Dur float64
	PID int64
	TID int64
}

func events(t *testing.T, path string) []event {
	t.Helper()
	data, err := os.ReadFile(path)
	if err != nil {
		t.Fatal(err)
	}
	var file struct{ TraceEvents []event }
	if err := json.Unmarshal(data, &file); err != nil {
		t.Fatalf("%s: %v", path, err)
	}
	return file.TraceEvents
}

func TestFramesHasEveryPhase(t *testing.T) {
	seen := map[string]bool{}
	for _, e := range events(t, "frames.json") {
		seen[e.Ph] = true
	}
	for _, ph := range strings.Fields("B E X i I C b n e S T p F s t f P N O D M V v R c ( ) =") {
		if !seen[ph] {
			t.Errorf("frames.json has no event of phase %s", ph)
		}
	}
}

// TestGoodExamplesNest fails when an edit lets two complete events of a thread
// overlap: only broken.json may show problems.
func TestGoodExamplesNest(t *testing.T) {
	for _, path := range []string{"frames.json", "build.json"} {
		all := events(t, path)
		for i, a := range all {
			for _, b := range all[:i] {
				if a.Ph != "X" || b.Ph != "X" || a.PID != b.PID || a.TID != b.TID {
					continue
				}
				first, second := a, b
				if second.TS < first.TS {
					first, second = second, first
				}
				if end := first.TS + first.Dur; first.TS < second.TS && second.TS < end && end < second.TS+second.Dur {
					t.Errorf("%s: the slices at %v and %v overlap", path, first.TS, second.TS)
				}
			}
		}
	}
}
