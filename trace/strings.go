package trace

import (
	"bytes"
	"hash/maphash"
)

// StringID names a string of Trace.Strings. Zero is "no string" (NULL), which
// is not the empty string.
type StringID uint32

// Blocks of text that is stored together grow from firstBlock to lastBlock
// bytes, so that an interner of few strings is small.
const (
	firstBlock = 1 << 12
	lastBlock  = 1 << 18
)

// Strings holds every distinct string of a trace once, in the bytes of the
// input. The zero value holds none.
type Strings struct {
	blocks [][]byte    // whole from the start: what a reader of earlier strings sees never changes
	used   int         // bytes of the last block
	refs   []stringRef // index: StringID-1
}

type stringRef struct{ block, off, n uint32 }

// Len is the number of strings; ids run from 1 to Len.
func (s *Strings) Len() int { return len(s.refs) }

// Bytes returns the string's bytes, which the caller must not change; nil for
// the zero id.
func (s *Strings) Bytes(id StringID) []byte {
	if id == 0 {
		return nil
	}
	r := s.refs[id-1]
	return s.blocks[r.block][r.off : r.off+r.n : r.off+r.n]
}

// Get returns the string, "" for the zero id.
func (s *Strings) Get(id StringID) string { return string(s.Bytes(id)) }

// Blocks returns the memory that the bytes of all strings lie in, so that code
// which hands pointers into it to C can pin it. The caller must not change it.
func (s *Strings) Blocks() [][]byte { return s.blocks }

func (s *Strings) add(b []byte) StringID {
	last := len(s.blocks) - 1
	if last < 0 || s.used+len(b) > len(s.blocks[last]) {
		size := min(lastBlock, firstBlock<<min(len(s.blocks), 16))
		s.blocks = append(s.blocks, make([]byte, max(size, len(b))))
		last, s.used = last+1, 0
	}
	copy(s.blocks[last][s.used:], b)
	s.refs = append(s.refs, stringRef{uint32(last), uint32(s.used), uint32(len(b))})
	s.used += len(b)
	return StringID(len(s.refs))
}

// Interner gives equal strings equal ids, in order of first appearance. It is
// not safe for concurrent use: give each goroutine its own and Merge them.
type Interner struct {
	seed    maphash.Seed
	strings Strings
	slots   []slot // open addressing; a power of two
}

// slot is a string's hash and its id; an id of zero is an empty place.
type slot struct {
	hash uint32
	id   StringID
}

// NewInterner returns an empty interner.
func NewInterner() *Interner {
	return &Interner{seed: maphash.MakeSeed(), slots: make([]slot, 1<<8)}
}

// Intern returns the id of b's text, which it copies when it is new. The empty
// string has an id like any other.
func (in *Interner) Intern(b []byte) StringID {
	h := uint32(maphash.Bytes(in.seed, b))
	mask := uint32(len(in.slots) - 1)
	for i := h & mask; ; i = (i + 1) & mask {
		s := in.slots[i]
		if s.id == 0 {
			return in.insert(b, h, i)
		}
		if s.hash == h && bytes.Equal(in.strings.Bytes(s.id), b) {
			return s.id
		}
	}
}

// InternString is Intern for a string.
func (in *Interner) InternString(s string) StringID { return in.Intern([]byte(s)) }

func (in *Interner) insert(b []byte, h, at uint32) StringID {
	id := in.strings.add(b)
	in.slots[at] = slot{h, id}
	if in.strings.Len()*2 > len(in.slots) {
		in.grow()
	}
	return id
}

func (in *Interner) grow() {
	old := in.slots
	in.slots = make([]slot, len(old)*2)
	mask := uint32(len(in.slots) - 1)
	for _, s := range old {
		if s.id == 0 {
			continue
		}
		at := s.hash & mask
		for in.slots[at].id != 0 {
			at = (at + 1) & mask
		}
		in.slots[at] = s
	}
}

// Strings returns the interned strings. The interner may go on interning; ids
// stay valid.
func (in *Interner) Strings() *Strings { return &in.strings }

// Snapshot is the strings interned so far, which stay as they are while the
// interner goes on: others may read them meanwhile.
func (in *Interner) Snapshot() Strings { return in.strings }

// Merge interns another interner's strings and returns what each of its ids is
// called here: new[old]. known is what an earlier call returned for fewer
// strings of the same interner, or nil. new[0] is 0.
func (in *Interner) Merge(known []StringID, other Strings) []StringID {
	if known == nil {
		known = make([]StringID, 1, other.Len()+1)
	}
	for id := len(known); id <= other.Len(); id++ {
		known = append(known, in.Intern(other.Bytes(StringID(id))))
	}
	return known
}
