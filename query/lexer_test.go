package query

import "testing"

// The lexer takes any text: tokens follow one another, and what adapt changes
// keeps its length.
func FuzzTokens(f *testing.F) {
	for _, s := range []string{"SELECT 1;", "'a''b' \"c\"\"d\" $x$ y $x$ -- z\n/* w */", "INCLUDE PERFETTO MODULE a;", "$", "'", "\"", "/*", "--", "CREATE PERFETTO TABLE t"} {
		f.Add(s)
	}
	f.Fuzz(func(t *testing.T, s string) {
		end := 0
		for _, tok := range tokens(s) {
			if tok.from < end || tok.to <= tok.from || tok.to > len(s) {
				t.Fatalf("token %v after %d in %q", tok, end, s)
			}
			end = tok.to
			if tok.kind == word {
				_ = tok.name(s)
			}
		}
		if out, _ := adapt(s); len(out) != len(s) {
			t.Fatalf("%q became %q", s, out)
		}
		mentions(s)
		Complete(s)
	})
}
