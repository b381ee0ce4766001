//go:build cgo

package query

import (
	"fmt"
	"strings"
	"testing"
)

// makeSpans makes two tables of n spans a part that do not overlap: gaps, spans
// that touch, instants, and a last one that does not finish.
func makeSpans(t testing.TB, db *DB, n, seed int) {
	for i, table := range []string{"l", "r"} {
		text(t, db, fmt.Sprintf(`CREATE OR REPLACE TABLE %[1]s AS
			WITH step AS (SELECT p, i, hash(i, p, %[2]d) AS h FROM range(%[3]d) a(i), range(3) b(p)),
			long AS (SELECT p, i, (h %% 5)::BIGINT AS dur, (h // 7 %% 3)::BIGINT AS gap FROM step),
			placed AS (SELECT *, sum(dur + gap) OVER (PARTITION BY p ORDER BY i)::BIGINT - dur AS ts FROM long)
			SELECT ts, CASE WHEN i = %[3]d - 1 AND p <> 1 THEN -1 ELSE dur END AS dur, p AS part, i AS %[1]s_id FROM placed`, table, 2*seed+i, n))
	}
}

// The join finds what the comparison of all spans with all would.
func TestSpanJoin(t *testing.T) {
	db := open(t, newFixture().Trace, Options{})
	for seed := range 5 {
		makeSpans(t, db, 200, seed)
		// Overlaps within a table are only allowed between partitions.
		text(t, db, "CREATE OR REPLACE VIEW l0 AS FROM l WHERE part = 0; CREATE OR REPLACE VIEW r1 AS FROM r WHERE part = 1")
		const end = "CASE WHEN %[1]s.dur < 0 THEN 9223372036854775807 ELSE %[1]s.ts + %[1]s.dur END"
		a, b := fmt.Sprintf(end, "a"), fmt.Sprintf(end, "b")
		slow := "SELECT greatest(a.ts, b.ts) AS ts, CASE WHEN a.dur < 0 AND b.dur < 0 THEN -1 ELSE least(" + a + ", " + b + ") - greatest(a.ts, b.ts) END AS dur, " +
			"l_id, r_id FROM %s a JOIN %s b ON %s a.ts < " + b + " AND b.ts < " + a + " ORDER BY ALL"
		for _, c := range []struct{ fast, slow string }{
			{"span_join('l', 'r', 'part')", fmt.Sprintf(slow, "l", "r", "a.part = b.part AND")},
			{"span_join('l0', 'r1')", fmt.Sprintf(slow, "l0", "r1", "")},
			{"span_join('l0', 'l0')", "SELECT ts, dur, l_id, l_id AS l_id_1 FROM l0 WHERE dur <> 0 ORDER BY ALL"},
		} {
			columns := "ts, dur, l_id, r_id"
			if c.fast == "span_join('l0', 'l0')" {
				columns = "ts, dur, l_id, l_id_1"
			}
			got, want := text(t, db, "SELECT "+columns+" FROM "+c.fast+" ORDER BY ALL"), text(t, db, c.slow)
			if got != want || got == "" {
				t.Errorf("seed %d: %s\ngot  %d bytes: %.200s\nwant %d bytes: %.200s", seed, c.fast, len(got), got, len(want), want)
			}
		}
	}
}

// No pair of tables is compared span by span.
func TestSpanJoinPlan(t *testing.T) {
	db := open(t, newFixture().Trace, Options{})
	makeSpans(t, db, 1000, 1)
	for _, join := range []string{"span_join('l', 'r')", "span_join('l', 'r', 'part')"} {
		plan := text(t, db, "EXPLAIN FROM "+join)
		if strings.Count(plan, "ASOF_JOIN") != 2 || strings.Contains(plan, "NESTED_LOOP") || strings.Contains(plan, "IE_JOIN") {
			t.Errorf("%s\n%s", join, plan)
		}
	}
}

// Ten times the spans take about ten times as long.
func BenchmarkSpanJoin(b *testing.B) {
	db := open(b, newFixture().Trace, Options{})
	for _, n := range []int{10_000, 100_000} {
		makeSpans(b, db, n, 1)
		b.Run(fmt.Sprint(3*n), func(b *testing.B) {
			for b.Loop() {
				text(b, db, "SELECT count(*), sum(dur) FROM span_join('l', 'r', 'part')")
			}
			b.ReportMetric(float64(b.Elapsed().Nanoseconds())/float64(b.N)/float64(6*n), "ns/span")
		})
	}
}
