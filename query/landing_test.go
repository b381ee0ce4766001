//go:build cgo

package query_test

import (
	"bytes"
	"context"
	"flag"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/weft-trace/weft/load"
	"github.com/weft-trace/weft/query"
	"github.com/weft-trace/weft/traceevent"
)

// updating says whether the package's tests rewrite what they compare with.
func updating() bool { return flag.Lookup("update").Value.String() == "true" }

const landingPage = "../docs/trace-event-format.md"

// TestLandingPage runs the page that says where everything of the Trace Event
// Format lands: each trace in it is loaded, each query run, and the result
// compared with the table that follows the query.
func TestLandingPage(t *testing.T) {
	page, err := os.ReadFile(landingPage)
	if err != nil {
		t.Fatal(err)
	}
	got := runPage(t, string(page))
	if updating() {
		if err := os.WriteFile(landingPage, []byte(got), 0o666); err != nil {
			t.Fatal(err)
		}
		return
	}
	if got != string(page) {
		t.Errorf("%s is not what the queries give; run the tests with -update and read the difference\n%s",
			landingPage, firstDifference(string(page), got))
	}
}

// runPage returns the page with the results that its queries give now.
func runPage(t *testing.T, page string) string {
	var out strings.Builder
	var db *query.DB
	lines := strings.SplitAfter(page, "\n")
	for i := 0; i < len(lines); {
		switch strings.TrimSpace(lines[i]) {
		case "```json":
			text, next := block(lines, i)
			db = openText(t, text)
			out.WriteString(strings.Join(lines[i:next], ""))
			i = next
		case "```sql":
			text, next := block(lines, i)
			out.WriteString(strings.Join(lines[i:next], ""))
			i = next
			for i < len(lines) && (strings.HasPrefix(lines[i], "|") || strings.TrimSpace(lines[i]) == "") {
				i++
			}
			out.WriteString("\n" + runSQL(t, db, text) + "\n")
		default:
			out.WriteString(lines[i])
			i++
		}
	}
	return strings.TrimRight(out.String(), "\n") + "\n"
}

// block returns the text of the fenced block that begins at line i, and the
// line behind it.
func block(lines []string, i int) (text string, next int) {
	next = i + 1
	for strings.TrimSpace(lines[next]) != "```" {
		next++
	}
	return strings.Join(lines[i+1:next], ""), next + 1
}

func openText(t *testing.T, text string) *query.DB {
	t.Helper()
	path := filepath.Join(t.TempDir(), "trace.json")
	if err := os.WriteFile(path, []byte(text), 0o666); err != nil {
		t.Fatal(err)
	}
	tr, err := load.Open(context.Background(), path, load.Options{})
	if err != nil {
		t.Fatal(err)
	}
	db, err := query.Open(tr, query.Options{})
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() {
		db.Close()
		tr.Close()
	})
	return db
}

func runSQL(t *testing.T, db *query.DB, sql string) string {
	t.Helper()
	rows, err := db.Query(context.Background(), sql)
	if err != nil {
		t.Fatalf("%s\n%v", sql, err)
	}
	defer rows.Close()
	var out bytes.Buffer
	if err := query.Write(&out, rows, query.WriteOptions{Format: "markdown"}); err != nil {
		t.Fatalf("%s\n%v", sql, err)
	}
	return out.String()
}

func firstDifference(want, got string) string {
	w, g := strings.Split(want, "\n"), strings.Split(got, "\n")
	for i := range min(len(w), len(g)) {
		if w[i] != g[i] {
			return "want " + w[i] + "\ngot  " + g[i]
		}
	}
	return "one is longer"
}

// TestLandingPageIsComplete holds the page's traces against the tables of the
// format: each phase, field and top-level key must occur in one.
func TestLandingPageIsComplete(t *testing.T) {
	page, err := os.ReadFile(landingPage)
	if err != nil {
		t.Fatal(err)
	}
	phases, keys := map[traceevent.Phase]bool{}, map[string]bool{}
	fields := traceevent.FieldSet(0)
	lines := strings.SplitAfter(string(page), "\n")
	for i := range lines {
		if strings.TrimSpace(lines[i]) != "```json" {
			continue
		}
		text, _ := block(lines, i)
		s := traceevent.NewScanner([]byte(text))
		for item := s.Next(); item != traceevent.ItemEnd; item = s.Next() {
			switch item {
			case traceevent.ItemEvent:
				phases[s.Event().Phase()] = true
				fields |= s.Event().Set()
			case traceevent.ItemMember:
				keys[string(s.Member().Key)] = true
			case traceevent.ItemFrame:
				keys["stackFrames"] = true
			case traceevent.ItemSample:
				keys["samples"] = true
			case traceevent.ItemArray:
				keys["traceEvents"] = true
			default:
				t.Errorf("unknown item %v", item)
			}
		}
	}
	for _, spec := range traceevent.Phases {
		if !phases[spec.Phase] {
			t.Errorf("no trace of the page has phase %c", spec.Phase)
		}
	}
	for f := range traceevent.NumFields {
		if !fields.Has(f) {
			t.Errorf("no trace of the page has field %s", traceevent.Fields[f].Key)
		}
	}
	for _, k := range traceevent.TopKeys {
		if !keys[k.Key] {
			t.Errorf("no trace of the page has the top-level key %s", k.Key)
		}
	}
}
