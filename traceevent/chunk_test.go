package traceevent

import (
	"bytes"
	"errors"
	"io"
	"math/rand/v2"
	"testing"
)

// A guess between any two places is right where the document is sound.
func TestFindElement(t *testing.T) {
	doc := benchDocument(1 << 16)
	starts := map[int]bool{}
	s := NewScanner(doc)
	for k := s.Next(); k != ItemEnd; k = s.Next() {
		if k == ItemEvent {
			starts[int(s.Event().Offset)] = true
		}
	}
	next := -1
	for from := len(doc); from >= 0; from-- {
		if starts[from] {
			next = from
		}
		if at := FindElement(doc, from, len(doc)); at != next {
			t.Fatalf("from %d: %d, want %d", from, at, next)
		}
	}
	if at := FindElement(doc, 10, 20); at != -1 {
		t.Errorf("%d is past the end of the search", at)
	}
}

// Chunks that start where FindElement says meet, so that each can be read for itself.
func TestChunksMeet(t *testing.T) {
	corpusFiles(t, func(t *testing.T, doc []byte) {
		s := NewScanner(doc)
		k := s.Next()
		for k != ItemArray && k != ItemEnd {
			k = s.Next()
		}
		if k == ItemEnd {
			return
		}
		rnd := rand.New(rand.NewPCG(1, uint64(len(doc))))
		from := int(s.Offset())
		for range 10 {
			limit := from + 1 + rnd.IntN(len(doc)/4+1)
			guess := FindElement(doc, limit, len(doc))
			if guess < 0 {
				break
			}
			var c Chunk
			c.Reset(doc, from, guess)
			for c.Next() {
			}
			end, closed := c.End()
			if closed {
				break // the guess lay behind the array
			}
			if end != guess {
				t.Errorf("chunk from %d ends at %d, but %d was guessed: %.100s", from, end, guess, doc[guess:])
				return
			}
			from = end
		}
	})
}

// The lines of issues are those that an editor shows.
func TestLines(t *testing.T) {
	doc := []byte("[\n{\"ph\":\"B\"},\n\n  null,\n{\"ph\":\n\"x \"y\"\"},\n\n{\"ph\":\"E\",\"ts\":01}\n{\"ph\":\"E\"}\n")
	for _, size := range []int{1, 1000} {
		r := smallReader(doc, size, size)
		n := 0
		r.OnIssue(func(i Issue) {
			n++
			if want := 1 + int64(bytes.Count(doc[:i.Offset], newline)); i.Line != want {
				t.Errorf("%s at %d: line %d, want %d", i.Code, i.Offset, i.Line, want)
			}
		})
		for r.Next() != ItemEnd {
		}
		if n != 5 {
			t.Errorf("%d issues, want 5", n)
		}
	}
}

// A Reader keeps no more than it must.
func TestReaderBuffer(t *testing.T) {
	doc := benchDocument(4 << 20)
	r := smallReader(doc, 5000, 1<<10)
	for r.Next() != ItemEnd {
	}
	if cap(r.buf) > 4<<10 {
		t.Errorf("%d bytes for events of 200", cap(r.buf))
	}
}

// stuck never gives anything, nor an error.
type stuck struct{}

func (stuck) Read([]byte) (int, error) { return 0, nil }

// broken gives an error behind what it has.
type broken struct{ rest []byte }

func (b *broken) Read(p []byte) (int, error) {
	n := copy(p, b.rest)
	b.rest = b.rest[n:]
	if n == 0 {
		return 0, errBroken
	}
	return n, nil
}

var errBroken = errors.New("the line is broken")

// An error of the stream is told, and what came before it is read.
func TestReaderErrors(t *testing.T) {
	r := NewReader(stuck{})
	if k := r.Next(); k != ItemEnd || !errors.Is(r.Err(), io.ErrNoProgress) {
		t.Errorf("%s, %v", k, r.Err())
	}
	r = NewReader(&broken{[]byte(`[{"ph":"B"},{"ph":`)})
	if got := outline(r); got != "[ B !truncated not a trace" || !errors.Is(r.Err(), errBroken) {
		t.Errorf("%s, %v", got, r.Err())
	}
}
