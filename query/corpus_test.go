//go:build cgo

package query_test

import (
	"bufio"
	"context"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/weft-trace/weft/load"
	"github.com/weft-trace/weft/query"
)

// corpusDir holds real traces of many producers, beside the project.
const corpusDir = "../../shared/corpus"

// jsonCorpus lists the Trace Event files of the corpus; it skips the test
// where there is none.
func jsonCorpus(t *testing.T) []string {
	t.Helper()
	f, err := os.Open(filepath.Join(corpusDir, "INDEX.tsv"))
	if errors.Is(err, os.ErrNotExist) {
		t.Skipf("no traces at %s", corpusDir)
	}
	if err != nil {
		t.Fatal(err)
	}
	defer f.Close()
	var paths []string
	for s := bufio.NewScanner(f); s.Scan(); {
		cols := strings.Split(s.Text(), "\t")
		if strings.Contains(cols[1], "json-") {
			paths = append(paths, cols[0])
		}
	}
	return paths
}

// TestEveryTableOfEveryFile reads every column of every table of every real
// trace.
func TestEveryTableOfEveryFile(t *testing.T) {
	for _, path := range jsonCorpus(t) {
		t.Run(path, func(t *testing.T) {
			t.Parallel()
			if info, err := os.Stat(filepath.Join(corpusDir, path)); err != nil || underRace && info.Size() > 100_000 {
				t.Skipf("left out under the race detector (%v)", err)
			}
			tr, err := load.Open(context.Background(), filepath.Join(corpusDir, path), load.Options{})
			if errors.Is(err, load.ErrNotTrace) {
				return
			}
			if err != nil {
				t.Fatal(err)
			}
			defer tr.Close()
			db, err := query.Open(tr, query.Options{})
			if err != nil {
				t.Fatal(err)
			}
			defer db.Close()
			for _, table := range query.Tables() {
				sql := fmt.Sprintf("select count(columns(*)) from (select * from %s limit 2000)", table.Name)
				rows, err := db.Query(context.Background(), sql)
				if err != nil {
					t.Fatalf("%s: %v", sql, err)
				}
				n := 0
				for rows.Next() {
					n++
				}
				if err := rows.Err(); err != nil || n != 1 {
					t.Errorf("%s: %d rows, %v", sql, n, err)
				}
				rows.Close()
			}
		})
	}
}
