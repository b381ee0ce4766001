package load_test

import (
	"bufio"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/weft-trace/weft/load"
)

// corpus is where real traces lie, with the original Trace Viewer's dumps of
// them.
const corpus = "../../shared/corpus"

// otherFormats are JSON files that the original has an importer for, and that
// are no Trace Event files.
var otherFormats = map[string]bool{"other/google_cloud_trace.json": true}

// shownDifferences is how many of each kind a failure prints.
const shownDifferences = 3

// comparison is one file with its dump.
type comparison struct {
	file        string
	dump        *dump
	theirOwners map[string]bool    // processes and threads of the dump
	linking     map[string]bool    // names of the dump's slices that have a bind_id
	theirSeries map[string]bool    // counters' series of the dump: owner, NUL, name
	durDiffers  map[*fact]bool     // slices that end at another time on the other side
	overflow    map[string][]int64 // our slices on overflow tracks: owner, NUL, name
}

func newComparison(file string, d *dump, theirs, ours []*fact, ds []difference) *comparison {
	c := &comparison{
		file: file, dump: d,
		theirOwners: map[string]bool{},
		linking:     map[string]bool{},
		theirSeries: map[string]bool{},
		durDiffers:  map[*fact]bool{},
		overflow:    map[string][]int64{},
	}
	for _, f := range ours {
		if f.text("overflow") == "true" {
			k := f.owner + "\x00" + f.name
			c.overflow[k] = append(c.overflow[k], f.at.ns)
		}
	}
	for _, f := range theirs {
		switch f.kind {
		case "counter":
			c.theirSeries[f.owner+"\x00"+f.name] = true
		case "slice":
			if f.text("links") != "" {
				c.linking[f.name] = true
			}
		case "process", "thread":
			c.theirOwners[f.owner] = true
		}
	}
	for _, d := range ds {
		if d.kind == "slice.dur" {
			c.durDiffers[d.want], c.durDiffers[d.got] = true, true
		}
	}
	return c
}

// overflowed says whether we have a slice of the dump on an overflow track.
func (c *comparison) overflowed(f *fact) bool {
	for _, ts := range c.overflow[f.owner+"\x00"+f.name] {
		if f.at.equals(exactly(ts)) {
			return true
		}
	}
	return false
}

// warns says whether the original warned of something.
func (c *comparison) warns(kind string) bool {
	for _, w := range c.dump.Warnings {
		if w.Type == kind {
			return true
		}
	}
	return false
}

// TestAgainstTheOriginal loads every Trace Event file of the corpus and
// compares what came out with what the original Trace Viewer makes of it. A
// difference must follow from a rule, or be listed as an exception.
func TestAgainstTheOriginal(t *testing.T) {
	if testing.Short() {
		t.Skip("reads half a gigabyte of dumps; not with -short")
	}
	files := corpusFiles(t)
	known := map[string]bool{}
	for _, c := range files {
		known[c.trace] = true
		t.Run(c.trace, func(t *testing.T) {
			t.Parallel()
			if load.UnderRace { // the detector is for the loader, not for half a gigabyte of dumps
				if tr, err := load.Open(t.Context(), filepath.Join(corpus, c.trace), load.Options{}); err == nil {
					tr.Close()
				}
				return
			}
			d := readDump(t, filepath.Join(corpus, c.dump))
			theirs := d.facts()
			tr, err := load.Open(t.Context(), filepath.Join(corpus, c.trace), load.Options{})
			if errors.Is(err, load.ErrNotTrace) && (len(theirs) == 0 || otherFormats[c.trace]) {
				return // the original finds nothing in it, either
			}
			if err != nil {
				t.Fatal(err)
			}
			defer tr.Close()
			ours := traceFacts(tr)
			ds := compareFacts(theirs, ours)
			report(t, newComparison(c.trace, d, theirs, ours, ds), ds)
		})
	}
	for _, e := range exceptions {
		if !known[e.file] {
			t.Errorf("exception for %s, which is not in the corpus", e.file)
		}
	}
}

// report fails the test for each difference that neither a rule nor an
// exception explains, and for each exception that no longer holds.
func report(t *testing.T, c *comparison, ds []difference) {
	byRule := map[string]int{}
	byKind := map[string][]difference{}
	var kinds []string
next:
	for _, d := range ds {
		for _, r := range rules {
			if r.explains(c, d) {
				byRule[r.name]++
				continue next
			}
		}
		if byKind[d.kind] == nil {
			kinds = append(kinds, d.kind)
		}
		byKind[d.kind] = append(byKind[d.kind], d)
	}
	for name, n := range byRule {
		t.Logf("%d differences by rule %s", n, name)
	}
	for _, e := range exceptions {
		if e.file != c.file {
			continue
		}
		if n := len(byKind[e.kind]); n != e.count {
			t.Errorf("exception for %s: %d differences, listed are %d", e.kind, n, e.count)
			continue
		}
		delete(byKind, e.kind)
	}
	for _, kind := range kinds {
		ds := byKind[kind]
		if len(ds) == 0 {
			continue
		}
		var b strings.Builder
		for _, d := range ds[:min(len(ds), shownDifferences)] {
			fmt.Fprintf(&b, "\n\t%v", d)
		}
		t.Errorf("%d × %s%s", len(ds), kind, &b)
	}
}

// corpusFile is a trace and its dump, relative to the corpus.
type corpusFile struct{ trace, dump string }

// corpusFiles lists the Trace Event files of the corpus that have a dump. It
// skips the test where the corpus is absent.
func corpusFiles(t *testing.T) []corpusFile {
	index, err := os.Open(filepath.Join(corpus, "INDEX.tsv"))
	if err != nil {
		t.Skip("no corpus of real traces here")
	}
	defer index.Close()
	var files []corpusFile
	lines := bufio.NewScanner(index)
	lines.Buffer(nil, 1<<20)
	for lines.Scan() {
		path, rest, _ := strings.Cut(lines.Text(), "\t")
		format, _, _ := strings.Cut(rest, "\t")
		if !strings.Contains(format, "json-") {
			continue
		}
		for _, name := range []string{path, strings.TrimSuffix(path, ".gz")} {
			d := filepath.Join("expected", name+".json.gz")
			if _, err := os.Stat(filepath.Join(corpus, d)); err == nil {
				files = append(files, corpusFile{path, d})
				break
			}
		}
	}
	if err := lines.Err(); err != nil {
		t.Fatal(err)
	}
	probes, err := filepath.Glob(filepath.Join(corpus, "probes", "*.json"))
	if err != nil {
		t.Fatal(err)
	}
	for _, p := range probes {
		name := "probes/" + strings.TrimSuffix(filepath.Base(p), ".json")
		files = append(files, corpusFile{name + ".json", name + ".expected"})
	}
	slices.SortFunc(files, func(a, b corpusFile) int { return strings.Compare(a.trace, b.trace) })
	return files
}

// TestCompareFacts shows that the comparison sees what it must see, and takes
// a double's rounding for no difference.
func TestCompareFacts(t *testing.T) {
	slice := func(ts int64, at when, dur int64) *fact {
		return &fact{"slice", "1/1", "a", at, []field{timeField("dur", exactly(dur)), intField("depth", 0), jsonField("args", nil)}, nil}
	}
	theirs := []*fact{slice(0, fromMillis(1600000000154.123457), 5), slice(0, fromMillis(2), 7), slice(0, fromMillis(3), 1)}
	ours := []*fact{slice(0, exactly(1600000000154123457), 5), slice(0, exactly(2_000_000), 8), slice(0, exactly(4_000_000), 1)}
	ours[0].fields[2].json = []byte("{}")
	var kinds []string
	for _, d := range compareFacts(theirs, ours) {
		kinds = append(kinds, d.kind)
		if d.String() == "" {
			t.Error("a difference without words")
		}
	}
	want := []string{"slice.dur", "slice.missing", "slice.extra"}
	if !slices.Equal(kinds, want) {
		t.Errorf("differences %v, want %v", kinds, want)
	}
}

func TestDumpID(t *testing.T) {
	for raw, want := range map[string]string{
		`1`: "1", `"1"`: "1", `-3`: "-3", `"worker"`: "worker", `null`: "", `{"$undefined":true}`: "", ``: "",
		`1152921504606846976`: "~1.152921504606847e+18", `1e3`: "1000",
	} {
		if got := dumpID([]byte(raw)); got != want {
			t.Errorf("dumpID(%s) = %q, want %q", raw, got, want)
		}
	}
}
