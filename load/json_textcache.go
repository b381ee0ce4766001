package load

import (
	"bytes"
	"encoding/binary"

	"github.com/weft-trace/weft/trace"
)

// textCache remembers which texts came lately and what their ids are. Names and
// categories repeat so much that looking here first saves most of the work of
// hashing them.
type textCache [textCacheSize]cachedText

const (
	textCacheBits = 11
	textCacheSize = 1 << textCacheBits
)

// cachedText is a text's length, its first and its last eight bytes, which may
// overlap, and its id; an id of zero is an empty place.
type cachedText struct {
	first, last uint64
	n           uint32
	id          trace.StringID
}

// intern is in.Intern(text).
func (c *textCache) intern(in *trace.Interner, text []byte) trace.StringID {
	n := len(text)
	var first, last uint64
	switch {
	case n >= 8:
		first = binary.LittleEndian.Uint64(text)
		last = binary.LittleEndian.Uint64(text[n-8:])
	case n >= 4:
		first = uint64(binary.LittleEndian.Uint32(text))
		last = uint64(binary.LittleEndian.Uint32(text[n-4:]))
	default:
		for i, b := range text {
			first |= uint64(b) << (8 * i)
		}
	}
	hash := (first ^ last<<1 ^ uint64(n)) * 0x9e3779b97f4a7c15
	at := &c[hash>>(64-textCacheBits)]
	if at.id != 0 && at.first == first && at.last == last && at.n == uint32(n) &&
		(n <= 16 || bytes.Equal(in.Strings().Bytes(at.id), text)) {
		return at.id
	}
	id := in.Intern(text)
	*at = cachedText{first, last, uint32(n), id}
	return id
}
