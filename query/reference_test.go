package query

import (
	"os"
	"strings"
	"testing"
)

func TestReference(t *testing.T) {
	const path = "../docs/tables.md"
	got := Reference()
	if *update {
		if err := os.MkdirAll("../docs", 0o777); err != nil {
			t.Fatal(err)
		}
		if err := os.WriteFile(path, []byte(got), 0o666); err != nil {
			t.Fatal(err)
		}
	}
	want, err := os.ReadFile(path)
	if err != nil {
		t.Fatal(err)
	}
	if got != string(want) {
		t.Errorf("%s is not what the definitions say: run go test ./query -update", path)
	}
}

// Every definition says what it is, once.
func TestDefinitions(t *testing.T) {
	seen := map[string]bool{}
	for _, table := range Tables() {
		if seen[table.Name] || table.Doc == "" || table.Formats == 0 {
			t.Errorf("table %s: twice, or without doc or formats", table.Name)
		}
		seen[table.Name] = true
		columns := map[string]bool{}
		for _, c := range table.Columns {
			if columns[c.Name] || c.Doc == "" || !strings.HasSuffix(c.Doc, ".") {
				t.Errorf("column %s.%s: twice, or its doc is no sentence: %q", table.Name, c.Name, c.Doc)
			}
			columns[c.Name] = true
		}
	}
	for _, f := range Functions() {
		if seen[f.Name] || f.Doc == "" || f.Example == "" || !strings.HasPrefix(f.Signature, f.Name+"(") {
			t.Errorf("function %s: twice, or its definition lacks something", f.Name)
		}
		seen[f.Name] = true
	}
}

func TestAdapt(t *testing.T) {
	for _, c := range []struct{ in, out, modules string }{
		{"SELECT 1", "SELECT 1", ""},
		{"INCLUDE PERFETTO MODULE a.b; SELECT 1", "                             SELECT 1", "a.b"},
		{"include perfetto module a.b", "                           ", "a.b"},
		{"SELECT 'INCLUDE PERFETTO MODULE x;'", "SELECT 'INCLUDE PERFETTO MODULE x;'", ""},
		{"-- INCLUDE PERFETTO MODULE x;\nSELECT 1", "-- INCLUDE PERFETTO MODULE x;\nSELECT 1", ""},
		{"SELECT 1; INCLUDE PERFETTO MODULE c; SELECT 2", "SELECT 1;                            SELECT 2", "c"},
		{"CREATE PERFETTO TABLE t AS SELECT 1", "CREATE          TABLE t AS SELECT 1", ""},
		{"create or replace perfetto view v as select 1", "create or replace          view v as select 1", ""},
		{`SELECT "perfetto" FROM t`, `SELECT "perfetto" FROM t`, ""},
		{"SELECT $$;INCLUDE PERFETTO MODULE x;$$", "SELECT $$;INCLUDE PERFETTO MODULE x;$$", ""},
		{"SELECT 'unclosed", "SELECT 'unclosed", ""},
		{"/* unclosed", "/* unclosed", ""},
	} {
		out, modules := adapt(c.in)
		if out != c.out || strings.Join(modules, ",") != c.modules {
			t.Errorf("%q\ngot  %q %q\nwant %q %q", c.in, out, modules, c.out, c.modules)
		}
	}
}

func TestPrettyDuration(t *testing.T) {
	for _, c := range []struct {
		ns   int64
		want string
	}{
		{0, "0 ns"}, {999, "999 ns"}, {1000, "1 µs"}, {1234567, "1.235 ms"}, {999_999, "1 ms"}, {999_949_999, "999.9 ms"},
		{12_345_678_901, "12.35 s"}, {59_990_000_000, "59.99 s"}, {60_000_000_000, "1 min 0.0 s"}, {123_400_000_000, "2 min 3.4 s"},
		{3_720_000_000_000, "1 h 2 min"}, {-1500, "-1.5 µs"}, {-1 << 63, "-2562047 h 47 min"},
	} {
		if got := PrettyDuration(c.ns); got != c.want {
			t.Errorf("%d: got %q, want %q", c.ns, got, c.want)
		}
	}
}

func TestNearest(t *testing.T) {
	for _, c := range []struct{ name, want string }{
		{"nmae", "name"}, {"NAME", "name"}, {"trakc_id", "track_id"}, {"zzz", ""}, {"dru", "dur"}, {"", ""},
	} {
		if got := nearest(c.name, []string{"name", "track_id", "dur"}); got != c.want {
			t.Errorf("%q: got %q, want %q", c.name, got, c.want)
		}
	}
}
