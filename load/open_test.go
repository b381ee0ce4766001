package load

import (
	"archive/zip"
	"bytes"
	"compress/gzip"
	"context"
	"encoding/base64"
	"errors"
	"io"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/klauspost/compress/zstd"

	"github.com/weft-trace/weft/trace"
)

const oneEvent = `[{"ph":"i","name":"a","ts":1,"pid":1,"tid":1}]`

// oneEventBzip2 is oneEvent in bzip2, which Go's libraries can't write.
const oneEventBzip2 = "QlpoOTFBWSZTWQ8YGtcAAA0bgBAEIBAACiZjTAogACGmo0GQMhTTIxMTEfDP3QYZgozgqhQbmnuD0KZiqUInXxdyRThQkA8YGtc="

func gzipped(t *testing.T, b []byte) []byte {
	t.Helper()
	var out bytes.Buffer
	w := gzip.NewWriter(&out)
	if _, err := w.Write(b); err != nil {
		t.Fatal(err)
	}
	w.Close()
	return out.Bytes()
}

func zstded(t *testing.T, b []byte) []byte {
	t.Helper()
	w, err := zstd.NewWriter(nil)
	if err != nil {
		t.Fatal(err)
	}
	return w.EncodeAll(b, nil)
}

// zippedFiles is an archive of names and contents, in turn.
func zippedFiles(t *testing.T, files ...string) []byte {
	t.Helper()
	var out bytes.Buffer
	w := zip.NewWriter(&out)
	for i := 0; i < len(files); i += 2 {
		f, err := w.Create(files[i])
		if err != nil {
			t.Fatal(err)
		}
		io.WriteString(f, files[i+1])
	}
	w.Close()
	return out.Bytes()
}

func openContent(t *testing.T, content []byte, opts Options) (*trace.Trace, error) {
	t.Helper()
	return tryText(t, string(content), opts)
}

func TestContainers(t *testing.T) {
	bz, err := base64.StdEncoding.DecodeString(oneEventBzip2)
	if err != nil {
		t.Fatal(err)
	}
	one := []byte(oneEvent)
	for _, c := range []struct {
		name, container string
		content         []byte
	}{
		{"plain", "", one},
		{"byte order mark", "", append([]byte("\xef\xbb\xbf"), one...)},
		{"gzip", "gzip", gzipped(t, one)},
		{"gzip, two members", "gzip", append(gzipped(t, one[:7]), gzipped(t, one[7:])...)},
		{"zstd", "zstd", zstded(t, one)},
		{"bzip2", "bzip2", bz},
		{"zip", "zip", zippedFiles(t, "readme.txt", "hello", "sub/t.json", oneEvent)},
		{"gzip in gzip", "gzip, gzip", gzipped(t, gzipped(t, one))},
		{"gzip in zip", "zip", zippedFiles(t, "t.json.gz", string(gzipped(t, one)))},
		{"zip in gzip", "gzip, zip", gzipped(t, zippedFiles(t, "t.json", oneEvent))},
	} {
		t.Run(c.name, func(t *testing.T) {
			for _, via := range []string{"file", "pipe"} {
				var tr *trace.Trace
				var err error
				if via == "file" {
					tr, err = openContent(t, c.content, Options{})
				} else {
					var in *input
					if in, err = unwrapStream(context.Background(), bytes.NewBuffer(c.content), nil, defaultMaxSize); err == nil {
						defer in.Close()
						tr, err = openTrace(context.Background(), in, "-", Options{})
					}
				}
				if err != nil {
					t.Fatalf("%s: %v", via, err)
				}
				if n := tr.Slices.Len(); n != 1 {
					t.Errorf("%s: %d slices, want 1", via, n)
				}
				if got := tr.Sources[0].Container; got != c.container {
					t.Errorf("%s: container %q, want %q", via, got, c.container)
				}
			}
		})
	}
}

// TestOddInputs opens what is hardly a trace, or more than one.
func TestOddInputs(t *testing.T) {
	one := []byte(oneEvent)
	for _, c := range []struct {
		name     string
		content  []byte
		slices   int
		problems string // codes, in order
		err      string // part of the error
	}{
		{name: "nothing", problems: "empty_input"},
		{name: "white space", content: []byte(" \n "), problems: "empty_input"},
		{name: "empty gzip", content: gzipped(t, nil), problems: "empty_input"},
		{name: "empty array", content: []byte("[]")},
		{name: "empty object", content: []byte(`{"traceEvents":[]}`)},
		{name: "other object", content: []byte(`{"a":1}`), err: "not a trace I know"},
		{name: "text", content: []byte("hello"), err: "not a trace I know"},
		{name: "xz", content: []byte("\xfd7zXZ\x00\x00"), err: "xz"},
		{name: "utf-16", content: []byte("\xff\xfe[\x00]\x00"), err: "UTF-16"},
		{name: "fxt", content: []byte("\x10\x00\x04FxT\x16\x00"), err: "Fuchsia"},
		{name: "cut gzip", content: gzipped(t, []byte("["+strings.Repeat(oneEvent[1:len(oneEvent)-1]+",", 40)))[:60],
			slices: -1, problems: "source_ended truncated"},
		{name: "cut zip", content: zippedFiles(t, "t.json", oneEvent)[:60], err: "may be cut"},
		{name: "zip of nothing", content: zippedFiles(t, "a.txt", "a"), err: "none of the archive's"},
		{name: "zip of two", content: zippedFiles(t, "a.json", oneEvent, "b.txt", "b", "c.json", oneEvent),
			slices: 2, problems: "several_traces member_skipped"},
		{name: "two arrays", content: append(append([]byte(nil), one...), one...), slices: 2},
		{name: "events one a line", content: []byte(oneEvent[1:len(oneEvent)-1] + "\n" + oneEvent[1:len(oneEvent)-1]), slices: 2},
		{name: "traceEvents twice", content: []byte(`{"traceEvents":` + oneEvent + `,"traceEvents":` + oneEvent + `}`),
			slices: 2, problems: "duplicate_key"},
		{name: "end of time", content: []byte(`[{"ph":"X","ts":1,"dur":9223372036854775,"pid":1,"tid":1}]`),
			slices: 1, problems: "duration_overflow"},
		{name: "beyond time", content: []byte(`[{"ph":"X","ts":9223372036854776,"dur":1,"pid":1,"tid":1}]`),
			problems: "timestamp_overflow"},
	} {
		t.Run(c.name, func(t *testing.T) {
			tr, err := openContent(t, c.content, Options{})
			if c.err != "" {
				if err == nil || !strings.Contains(err.Error(), c.err) {
					t.Fatalf("error %v, want one with %q", err, c.err)
				}
				return
			}
			if err != nil {
				t.Fatal(err)
			}
			if n := tr.Slices.Len(); c.slices >= 0 && n != c.slices {
				t.Errorf("%d slices, want %d", n, c.slices)
			}
			var codes []string
			for _, p := range tr.Problems {
				codes = append(codes, p.Code)
			}
			if got := strings.Join(codes, " "); got != c.problems {
				t.Errorf("problems %q, want %q", got, c.problems)
			}
		})
	}
}

func TestSizeLimit(t *testing.T) {
	big := gzipped(t, bytes.Repeat([]byte(" "), 10_000))
	if _, err := openContent(t, big, Options{MaxSize: 1000}); err == nil || !strings.Contains(err.Error(), "1000 bytes") {
		t.Errorf("error %v, want one that names the limit", err)
	}
}

func TestCannotOpen(t *testing.T) {
	dir := t.TempDir()
	if _, err := Open(context.Background(), dir, Options{}); err == nil || !strings.Contains(err.Error(), "directory") {
		t.Errorf("a directory: %v", err)
	}
	if _, err := Open(context.Background(), filepath.Join(dir, "none"), Options{}); !errors.Is(err, os.ErrNotExist) {
		t.Errorf("a file that is not there: %v", err)
	}
	ctx, cancel := context.WithCancel(context.Background())
	cancel()
	path := filepath.Join(dir, "t.json")
	if err := os.WriteFile(path, []byte(oneEvent), 0o666); err != nil {
		t.Fatal(err)
	}
	if _, err := Open(ctx, path, Options{}); !errors.Is(err, context.Canceled) {
		t.Errorf("cancelled: %v", err)
	}
}
