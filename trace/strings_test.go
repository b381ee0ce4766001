package trace

import (
	"bytes"
	"testing"

	"pgregory.net/rapid"
)

func TestInternerKeepsBytes(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		texts := rapid.SliceOf(rapid.SliceOfN(rapid.Byte(), 0, 20)).Draw(t, "texts")
		in, other := NewInterner(), NewInterner()
		ids := map[string]StringID{}
		for i, text := range texts {
			if i%2 == 0 {
				other.Intern(text)
			}
			id := in.Intern(text)
			if old, ok := ids[string(text)]; ok && old != id {
				t.Fatalf("%q is %d and %d", text, old, id)
			}
			ids[string(text)] = id
			if !bytes.Equal(in.Strings().Bytes(id), text) {
				t.Fatalf("%q came back as %q", text, in.Strings().Bytes(id))
			}
		}
		if in.Strings().Len() != len(ids) {
			t.Fatalf("%d strings, want %d", in.Strings().Len(), len(ids))
		}
		for old, id := range in.Merge(nil, other.Snapshot()) {
			if !bytes.Equal(in.Strings().Bytes(id), other.Strings().Bytes(StringID(old))) {
				t.Fatalf("string %d became %d", old, id)
			}
		}
	})
}

func TestInternerTakesLargeStrings(t *testing.T) {
	in := NewInterner()
	large := bytes.Repeat([]byte("x"), 3*lastBlock)
	small := in.InternString("small")
	id := in.Intern(large)
	if got := in.Strings().Bytes(id); !bytes.Equal(got, large) {
		t.Fatalf("a string of %d bytes came back with %d", len(large), len(got))
	}
	if in.Strings().Get(small) != "small" || in.InternString("small") != small {
		t.Fatal("a string next to a large one is lost")
	}
}

func TestPlacesKeepTheFirst(t *testing.T) {
	var a, b Places
	for i := int64(1000); i > 0; i-- {
		if i%2 == 0 {
			a.Add(i, i)
		} else {
			b.Add(i, i)
		}
	}
	a.Join(b)
	if a.Count != 1000 || len(a.First) != MaxProblemSamples {
		t.Fatalf("%d places, %d kept", a.Count, len(a.First))
	}
	for i, p := range a.First {
		if p.Offset != int64(i+1) {
			t.Fatalf("place %d is at %d", i, p.Offset)
		}
	}
}
