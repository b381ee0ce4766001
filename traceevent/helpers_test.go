package traceevent

import (
	"bufio"
	"bytes"
	"compress/gzip"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"strconv"
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
	line := append(make([]byte, 0, 512), "event "...)
	line = strconv.AppendInt(line, e.Offset, 10)
	line = append(line, ' ')
	line = append(line, e.Raw...)
	for f := range e.Set().All {
		s := e.span[f]
		line = append(line, ' ')
		line = append(line, f.String()...)
		line = append(line, ':')
		line = strconv.AppendInt(line, int64(s.to-s.from), 10)
	}
	for _, m := range e.Extra {
		line = fmt.Appendf(line, " +%s@%d", m.Key, m.Offset)
	}
	b.Write(append(line, '\n'))
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

// corpusFiles calls f for each file of the corpus, unpacked, that begins like JSON
// and isn't larger than corpusSize. The calls run side by side.
func corpusFiles(t *testing.T, f func(t *testing.T, doc []byte)) {
	root := filepath.Join("..", "..", "shared", "corpus")
	if _, err := os.Stat(root); err != nil {
		t.Skip("the corpus of real traces isn't beside the module")
	}
	err := filepath.WalkDir(root, func(path string, d os.DirEntry, err error) error {
		switch {
		case err != nil:
			return err
		case d.IsDir() && d.Name() == "expected":
			return filepath.SkipDir
		case d.IsDir() || strings.HasSuffix(path, ".expected") || d.Name() == "INDEX.tsv":
			return nil
		}
		t.Run(strings.TrimPrefix(path, root+string(filepath.Separator)), func(t *testing.T) {
			t.Parallel()
			if doc := corpusDocument(t, path); doc != nil {
				f(t, doc)
			}
		})
		return nil
	})
	if err != nil {
		t.Fatal(err)
	}
}

// corpusDocument is a file, unpacked; nil if it doesn't begin like JSON or is too
// large.
func corpusDocument(t *testing.T, path string) []byte {
	file, err := os.Open(path)
	if err != nil {
		t.Fatal(err)
	}
	defer file.Close()
	in := bufio.NewReader(file)
	if magic, _ := in.Peek(2); string(magic) == "\x1f\x8b" {
		zr, err := gzip.NewReader(in)
		if err != nil {
			return nil
		}
		in = bufio.NewReader(zr)
	}
	head, _ := in.Peek(1000)
	head = bytes.TrimLeft(head, " \t\r\n\ufeff")
	if len(head) == 0 || head[0] != '{' && head[0] != '[' {
		return nil
	}
	var doc bytes.Buffer
	// Some are cut off in the middle of the packed stream: what there is counts.
	_, _ = io.Copy(&doc, io.LimitReader(in, corpusSize+1))
	if doc.Len() > corpusSize {
		return nil
	}
	return doc.Bytes()
}
