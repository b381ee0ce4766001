package query

import "github.com/weft-trace/weft/trace"

var problems rows[trace.Problem] = func(t *trace.Trace) []trace.Problem { return t.Problems }

// problemSample is a row of problem_sample: a sample and whose it is.
type problemSample struct {
	problem int
	*trace.ProblemSample
}

var problemSamples rows[problemSample] = func(t *trace.Trace) []problemSample {
	var out []problemSample
	for i := range t.Problems {
		for j := range t.Problems[i].Samples {
			out = append(out, problemSample{i, &t.Problems[i].Samples[j]})
		}
	}
	return out
}

var problemTables = []*Table{
	{
		Name: "problem", Ours: true, Formats: AnyFormat, len: problems.len,
		Doc: "One row a kind of problem: what the file holds that could not be used, or had to be guessed. `weft check` shows the same.",
		Columns: []Column{
			{Name: "id", Doc: "The row's number.", get: rowNumber},
			{Name: "code", Type: Varchar, Doc: "A name that stays the same: `end_without_begin`.", get: problems.string(func(p *trace.Problem) string { return p.Code })},
			{Name: "severity", Type: Varchar, Doc: "error (breaks the format), data_loss (data is missing, or can't be used), warning (read as meant, or guessed), info.", get: problems.string(func(p *trace.Problem) string { return p.Severity.String() })},
			{Name: "count", Doc: "How often.", get: problems.int(func(p *trace.Problem) int64 { return p.Count })},
			{Name: "message", Type: Varchar, Doc: "What happened.", get: problems.string(func(p *trace.Problem) string { return p.Message })},
			{Name: "hint", Type: Varchar, Doc: "What to do about it.", get: problems.string(func(p *trace.Problem) string { return p.Hint })},
		},
	},
	{
		Name: "problem_sample", Ours: true, Formats: AnyFormat, len: problemSamples.len,
		Doc: "One row a place where a problem occurred, for the first 100 of each.",
		Columns: []Column{
			{Name: "problem_id", Doc: "Which problem → problem.id.", get: problemSamples.int(func(s *problemSample) int64 { return int64(s.problem) })},
			{Name: "offset", Unit: "bytes", Doc: `Where in the decompressed input. The word is SQL's own: write "offset".`, get: problemSamples.int(func(s *problemSample) int64 {
				if s.Offset < 0 {
					return trace.NoInt
				}
				return s.Offset
			})},
			{Name: "line", Doc: "The line, from 1.", get: problemSamples.int(func(s *problemSample) int64 {
				if s.Line <= 0 {
					return trace.NoInt
				}
				return s.Line
			})},
			{Name: "ts", Unit: "ns", Doc: "The event's time.", get: problemSamples.int(func(s *problemSample) int64 { return s.TS })},
			{Name: "text", Type: Varchar, Doc: "What stands there.", get: problemSamples.string(func(s *problemSample) string { return s.Text })},
		},
	},
	{
		Name: "stats", Formats: AnyFormat, len: problems.len,
		Doc: "The counts of problem in Perfetto's shape.",
		Columns: []Column{
			{Name: "name", Type: Varchar, Doc: "problem.code.", get: problems.string(func(p *trace.Problem) string { return p.Code })},
			{Name: "key", Doc: "problem.id.", get: rowNumber},
			{Name: "idx", Doc: "NULL: no count is one of several of a name."},
			{Name: "severity", Type: Varchar, Doc: "As in problem.", get: problems.string(func(p *trace.Problem) string { return p.Severity.String() })},
			{Name: "source", Type: Varchar, Doc: "trace for what the producer lost, analysis for what was found on reading.", get: problems.string(func(p *trace.Problem) string {
				if p.Severity == trace.DataLoss {
					return "trace"
				}
				return "analysis"
			})},
			{Name: "value", Doc: "How often.", get: problems.int(func(p *trace.Problem) int64 { return p.Count })},
			{Name: "description", Type: Varchar, Doc: "problem.message.", get: problems.string(func(p *trace.Problem) string { return p.Message })},
		},
	},
}
