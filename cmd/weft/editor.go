package main

import (
	"errors"
	"fmt"
	"io"
	"os"
	"strings"
	"unicode"

	"golang.org/x/term"

	"github.com/weft-trace/weft/query"
)

// errDropped is what a line ends in that Ctrl-C threw away.
var errDropped = errors.New("dropped")

// editor is a line editor on a terminal. The terminal is in raw mode only while
// a line is typed, so that Ctrl-C reaches a statement that runs.
type editor struct {
	in       *os.File
	terminal *term.Terminal
	history  *history
	listed   string // what Tab listed last
	dropped  bool   // Ctrl-C threw the line away
}

func newEditor(in, out *os.File) *editor {
	e := &editor{in: in, history: openHistory()}
	e.terminal = term.NewTerminal(struct {
		io.Reader
		io.Writer
	}{&keys{in: in}, out}, "")
	e.terminal.History = typedBefore{e.history}
	e.terminal.AutoCompleteCallback = e.key
	return e
}

func (e *editor) readLine(prompt string) (string, error) {
	state, err := term.MakeRaw(int(e.in.Fd()))
	if err != nil {
		return "", err
	}
	restore := func() {
		e.terminal.SetBracketedPasteMode(false)
		term.Restore(int(e.in.Fd()), state)
	}
	defer onExit(restore)()
	defer restore()
	if w, h, err := term.GetSize(int(e.in.Fd())); err == nil && w > 0 {
		e.terminal.SetSize(w, h)
	}
	e.terminal.SetPrompt(prompt)
	e.terminal.SetBracketedPasteMode(true)
	line, err := e.terminal.ReadLine()
	dropped := e.dropped
	e.dropped = false
	switch {
	case dropped:
		return line, errDropped
	case errors.Is(err, term.ErrPasteIndicator): // the line is there all the same
		return line, nil
	default:
		return line, err
	}
}

func (e *editor) remember(statement string) { e.history.Add(statement) }

func (e *editor) close() { e.history.close() }

// keyDrop is a control character that no key of use sends. It stands for
// Ctrl-C, which the line editor takes for the end of all input.
const keyDrop = 0x1f

// keys reads what is typed, with keyDrop and Enter for Ctrl-C.
type keys struct {
	in      io.Reader
	pending []byte
}

// Read is an io.Reader's.
func (k *keys) Read(p []byte) (int, error) {
	if len(k.pending) == 0 {
		var typed [256]byte
		n, err := k.in.Read(typed[:])
		for _, c := range typed[:n] {
			if c == 3 {
				k.pending = append(k.pending, keyDrop, '\r')
			} else {
				k.pending = append(k.pending, c)
			}
		}
		if n == 0 {
			return 0, err
		}
	}
	n := copy(p, k.pending)
	k.pending = k.pending[n:]
	return n, nil
}

// typedBefore gives the line editor the history, which the prompt fills: a
// statement may take several lines.
type typedBefore struct{ *history }

// Add does nothing: a line is no statement.
func (typedBefore) Add(string) {}

// key handles what is typed besides text.
func (e *editor) key(line string, pos int, key rune) (string, int, bool) {
	switch key {
	case keyDrop:
		e.dropped = true
		return line + "^C", len(line) + 2, true
	case '\t':
		return e.complete(line, pos)
	default:
		return "", 0, false
	}
}

// complete finishes the word before the cursor; where several would fit it adds
// what they share, and lists them the second time.
func (e *editor) complete(line string, pos int) (string, int, bool) {
	start := pos
	for start > 0 && (line[start-1] == '_' || line[start-1] >= 0x80 || unicode.IsLetter(rune(line[start-1])) || unicode.IsDigit(rune(line[start-1]))) {
		start--
	}
	found := query.Completions(line, line[start:pos])
	if len(found) == 0 {
		return line, pos, true
	}
	shared := found[0]
	for _, f := range found[1:] {
		for !strings.HasPrefix(f, shared) {
			shared = shared[:len(shared)-1]
		}
	}
	switch {
	case len(found) == 1 && !strings.HasSuffix(shared, "("):
		shared += " "
	case len(shared) <= pos-start:
		if all := strings.Join(found, "  "); e.listed == line {
			fmt.Fprintln(e.terminal, all)
		}
		e.listed = line
		return line, pos, true
	}
	return line[:start] + shared + line[pos:], start + len(shared), true
}
