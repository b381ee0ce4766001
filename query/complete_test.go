package query

import (
	"slices"
	"testing"
)

func TestComplete(t *testing.T) {
	for sql, want := range map[string]bool{
		"": false, "SELECT 1": false, "SELECT 1;": true, "SELECT 1; ": true, "SELECT ';": false, "SELECT 1 -- ;": false,
		"SELECT 1; -- done": true, `SELECT ";`: false, "SELECT $$;$$": false,
	} {
		if got := Complete(sql); got != want {
			t.Errorf("%q: %v, want %v", sql, got, want)
		}
	}
}

func TestCompletions(t *testing.T) {
	for _, c := range []struct {
		line, prefix string
		want         []string
	}{
		{"SELECT thread_i FROM slice", "thread_i", []string{"thread_instruction_count", "thread_instruction_delta"}},
		{"SELECT clock_v", "clock_v", []string{"clock_value"}},
		{"SELECT clock_v FROM slice", "clock_v", nil},
		{"SELECT * FROM SCHED_", "SCHED_", []string{"sched_slice"}},
		{"SELECT slice_is", "slice_is", []string{"slice_is_ancestor("}},
		{"SELECT qual", "qual", []string{"qualify"}},
	} {
		if got := Completions(c.line, c.prefix); !slices.Equal(got, c.want) {
			t.Errorf("%q: %q, want %q", c.line, got, c.want)
		}
	}
}
