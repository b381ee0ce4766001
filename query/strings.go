//go:build cgo

package query

import (
	"bytes"
	"encoding/binary"
	"runtime"
	"unicode/utf8"
	"unsafe"

	"github.com/weft-trace/weft/trace"
)

// stringT is DuckDB's string in a vector:
//
//	 0        4                            16
//	┌────────┬──────────────────────────────┐
//	│ length │ bytes, zero-padded           │  up to 12 bytes
//	├────────┼────────┬─────────────────────┤
//	│ length │ prefix │ pointer             │  longer
//	└────────┴────────┴─────────────────────┘
//	 0        4        8                     16
//
// The prefix is the first 4 bytes again. All is in the machine's byte order,
// which is little endian wherever DuckDB's bindings exist.
type stringT [2]uint64

const inlineString = 12

func (s *stringT) bytes() []byte {
	n := int(uint32(s[0]))
	if n <= inlineString {
		return unsafe.Slice((*byte)(unsafe.Add(unsafe.Pointer(s), 4)), n)
	}
	return unsafe.Slice(*(**byte)(unsafe.Add(unsafe.Pointer(s), 8)), n)
}

// makeString returns a stringT that refers to b, which must stay where it is
// as long as DuckDB may look.
func makeString(b []byte) (s stringT) {
	if len(b) <= inlineString {
		var buf [16]byte
		binary.LittleEndian.PutUint32(buf[:], uint32(len(b)))
		copy(buf[4:], b)
		return stringT{binary.LittleEndian.Uint64(buf[:]), binary.LittleEndian.Uint64(buf[8:])}
	}
	prefix := binary.LittleEndian.Uint32(b)
	return stringT{uint64(uint32(len(b))) | uint64(prefix)<<32, uint64(uintptr(unsafe.Pointer(unsafe.SliceData(b))))}
}

// stringTable has every string of a trace in the form that DuckDB's vectors
// hold, so that a column of names is filled by copying 16 bytes a row. The text
// itself is not copied: the vectors point into the trace, whose memory is
// pinned until release.
type stringTable struct {
	strings []stringT // index: StringID; 0 is unused
	pinner  runtime.Pinner
}

func newStringTable(from *trace.Strings) *stringTable {
	st := &stringTable{strings: make([]stringT, from.Len()+1)}
	for _, block := range from.Blocks() {
		if p := unsafe.SliceData(block); p != nil {
			st.pinner.Pin(p)
		}
	}
	for id := 1; id <= from.Len(); id++ {
		b := from.Bytes(trace.StringID(id))
		if !utf8.Valid(b) {
			// DuckDB relies on valid UTF-8; what isn't is shown as U+FFFD.
			b = bytes.ToValidUTF8(b, []byte("\uFFFD"))
			if len(b) > inlineString {
				st.pinner.Pin(unsafe.SliceData(b))
			}
		}
		st.strings[id] = makeString(b)
	}
	return st
}

// release unpins the trace's memory. No vector may refer to it any more.
func (st *stringTable) release() { st.pinner.Unpin() }
