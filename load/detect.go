package load

import (
	"bytes"
	"errors"
	"fmt"
)

// ErrNotTrace says that an input is in no format that can be read.
var ErrNotTrace = errors.New("not a trace I know")

// container is how an input is wrapped.
type container string

const (
	plain  container = ""
	gz     container = "gzip"
	zst    container = "zstd"
	bz2    container = "bzip2"
	zipped container = "zip"
)

// magics tells containers by their first bytes.
var magics = []struct {
	magic string
	is    container
}{
	{"\x1f\x8b", gz},
	{"\x28\xb5\x2f\xfd", zst},
	{"BZh", bz2},
	{"PK\x03\x04", zipped},
	{"PK\x05\x06", zipped}, // an empty archive
}

// magicLen is as long as the longest of them.
const magicLen = 4

// sniffLen is how many bytes detection wants to see.
const sniffLen = 4096

// detectContainer tells how an input that starts with head is wrapped.
func detectContainer(head []byte) container {
	for _, m := range magics {
		if bytes.HasPrefix(head, []byte(m.magic)) {
			return m.is
		}
	}
	return plain
}

// neighbours are inputs that are no Trace Event JSON but are often mistaken
// for it, told by what they start with.
var neighbours = []struct {
	is    string
	match func(head []byte) bool
}{
	{"a Fuchsia trace (FXT)", starts("\x10\x00\x04\x46\x78\x54\x16\x00")},
	{"a Go execution trace (open it with go tool trace)", starts("go 1.")},
	{"a trace-cmd file (trace.dat)", starts("\x17\x08\x44tracing")},
	{"ftrace text", func(head []byte) bool { return bytes.Contains(head, []byte("# tracer:")) }},
	{"an HTML page", func(head []byte) bool {
		head = bytes.ToLower(bytes.TrimLeft(head, " \t\r\n"))
		return bytes.HasPrefix(head, []byte("<!doctype html")) || bytes.HasPrefix(head, []byte("<html"))
	}},
	{"an xz archive (unpack it first)", starts("\xfd7zXZ\x00")},
	{"a 7z archive (unpack it first)", starts("7z\xbc\xaf\x27\x1c")},
	{"lz4 (unpack it first)", starts("\x04\x22\x4d\x18")},
	{"UTF-16 text (convert it to UTF-8)", func(head []byte) bool {
		return bytes.HasPrefix(head, []byte("\xff\xfe")) || bytes.HasPrefix(head, []byte("\xfe\xff"))
	}},
	{"perf.data", starts("PERFILE2")},
	{"a pprof profile or another protobuf", func(head []byte) bool { return len(head) > 2 && head[0] == 0x0a && head[1] != '\n' && !isText(head) }},
	{"an ELF file", starts("\x7fELF")},
	{"a SQLite database", starts("SQLite format 3")},
}

func starts(prefix string) func([]byte) bool {
	return func(head []byte) bool { return bytes.HasPrefix(head, []byte(prefix)) }
}

func isText(head []byte) bool {
	return bytes.IndexByte(head, 0) < 0
}

// looksLikeJSON says whether an input can be a Trace Event file: after a byte
// order mark and white space comes an array or an object, or nothing at all.
func looksLikeJSON(head []byte) bool {
	head = bytes.TrimLeft(bytes.TrimPrefix(head, []byte("\xef\xbb\xbf")), " \t\r\n")
	return len(head) == 0 || head[0] == '[' || head[0] == '{'
}

// errUnknown says what an input seems to be.
func errUnknown(head []byte) error {
	for _, n := range neighbours {
		if n.match(head) {
			return fmt.Errorf("%w: it looks like %s, and only Trace Event JSON can be read", ErrNotTrace, n.is)
		}
	}
	shown := head[:min(len(head), 16)]
	return fmt.Errorf("%w: expected Trace Event JSON (an array or an object), found %q", ErrNotTrace, shown)
}
