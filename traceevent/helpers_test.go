package traceevent

import (
	"bytes"
	"compress/gzip"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"strings"
	"testing"
)

// source is what Scanner and Reader have in common.
type source interface {
	OnIssue(func(Issue))
	Next() ItemKind
	Event() *Event
	Member() Member
	Offset() int64
	Container() Container
	Err() error
}

// listing is all that a source yields, a line an item or issue. Issues stand before
// the item that they were reported with.
func listing(s source) string {
	var b strings.Builder
	s.OnIssue(func(i Issue) { fmt.Fprintf(&b, "issue %s %d+%d\n", i.Code, i.Offset, i.Len) })
	for {
		k := s.Next()
		switch k {
		case ItemEnd:
			fmt.Fprintf(&b, "end %s", s.Container())
			if s.Err() != nil {
				fmt.Fprintf(&b, " error")
			}
			return b.String()
		case ItemArray:
			fmt.Fprintf(&b, "array %d\n", s.Offset())
		case ItemEvent:
			listEvent(&b, s.Event())
		default:
			m := s.Member()
			fmt.Fprintf(&b, "%s %s=%s @%d\n", k, m.Key, m.Value, m.Offset)
		}
	}
}

func listEvent(b *strings.Builder, e *Event) {
	fmt.Fprintf(b, "event %d %s", e.Offset, e.Raw)
	for f := range e.Set().All {
		s := e.span[f]
		fmt.Fprintf(b, " %s:%d", f, s.to-s.from)
	}
	for _, m := range e.Extra {
		fmt.Fprintf(b, " +%s@%d", m.Key, m.Offset)
	}
	b.WriteByte('\n')
}

// pieces gives n bytes at a time.
type pieces struct {
	rest []byte
	n    int
}

func (p *pieces) Read(b []byte) (int, error) {
	if len(p.rest) == 0 {
		return 0, io.EOF
	}
	n := copy(b[:min(len(b), p.n)], p.rest)
	p.rest = p.rest[n:]
	return n, nil
}

// smallReader is a Reader whose buffer begins with size bytes.
func smallReader(doc []byte, piece, size int) *Reader {
	r := NewReader(&pieces{doc, piece})
	r.size = size
	return r
}

// chunkListing reads doc with its arrays of events cut into chunks near the given
// places, as a parallel loader does.
func chunkListing(doc []byte, cuts []int) string {
	var b strings.Builder
	issue := func(i Issue) { fmt.Fprintf(&b, "issue %s %d+%d\n", i.Code, i.Offset, i.Len) }
	s := NewScanner(doc)
	s.OnIssue(issue)
	for {
		k := s.Next()
		switch k {
		case ItemEnd:
			fmt.Fprintf(&b, "end %s", s.Container())
			if s.Err() != nil {
				fmt.Fprintf(&b, " error")
			}
			return b.String()
		case ItemArray:
			fmt.Fprintf(&b, "array %d\n", s.Offset())
			var c Chunk
			c.OnIssue(issue)
			from, closed := int(s.Offset()), false
			for i := 0; !closed; i++ {
				for i < len(cuts) && cuts[i] <= from {
					i++
				}
				limit := len(doc) + 1
				if i < len(cuts) {
					limit = cuts[i]
				}
				c.Reset(doc, from, limit)
				for c.Next() {
					listEvent(&b, c.Event())
				}
				from, closed = c.End()
				if from == len(doc) {
					break
				}
			}
			s.Resume(from)
		case ItemEvent:
			listEvent(&b, s.Event())
		default:
			m := s.Member()
			fmt.Fprintf(&b, "%s %s=%s @%d\n", k, m.Key, m.Value, m.Offset)
		}
	}
}

// same reports where two listings differ first.
func same(t *testing.T, what, got, want string) {
	t.Helper()
	if got == want {
		return
	}
	g, w := strings.Split(got, "\n"), strings.Split(want, "\n")
	for i := range max(len(g), len(w)) {
		a, b := "nothing", "nothing"
		if i < len(g) {
			a = g[i]
		}
		if i < len(w) {
			b = w[i]
		}
		if a != b {
			t.Errorf("%s: line %d:\n got %.300s\nwant %.300s", what, i, a, b)
			return
		}
	}
}

// corpusFiles calls f for each file of the corpus, unpacked, that begins like JSON.
func corpusFiles(t *testing.T, maxSize int, f func(t *testing.T, doc []byte)) {
	root := filepath.Join("..", "..", "shared", "corpus")
	if testing.Short() {
		maxSize = min(maxSize, 256<<10)
	}
	if _, err := os.Stat(root); err != nil {
		t.Skip("the corpus of real traces isn't beside the module")
	}
	err := filepath.WalkDir(root, func(path string, d os.DirEntry, err error) error {
		if err != nil {
			return err
		}
		if d.IsDir() {
			if d.Name() == "expected" {
				return filepath.SkipDir
			}
			return nil
		}
		doc, err := os.ReadFile(path)
		if err != nil {
			return err
		}
		if zr, err := gzip.NewReader(bytes.NewReader(doc)); err == nil {
			plain, err := io.ReadAll(io.LimitReader(zr, int64(maxSize)+1))
			if err != nil && len(plain) == 0 {
				return nil
			}
			doc = plain
		}
		trimmed := bytes.TrimLeft(doc, " \t\r\n\ufeff")
		if len(doc) > maxSize || len(trimmed) == 0 || trimmed[0] != '{' && trimmed[0] != '[' {
			return nil
		}
		if strings.HasSuffix(path, ".expected") || d.Name() == "INDEX.tsv" {
			return nil
		}
		t.Run(strings.TrimPrefix(path, root+string(filepath.Separator)), func(t *testing.T) { f(t, doc) })
		return nil
	})
	if err != nil {
		t.Fatal(err)
	}
}
