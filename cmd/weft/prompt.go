package main

import (
	"bufio"
	"context"
	"errors"
	"fmt"
	"io"
	"os"
	"slices"
	"strings"
	"unicode"

	"golang.org/x/term"

	"github.com/weft-trace/weft/query"
)

const promptHelp = `End a statement with ; to run it. Tab completes tables, columns and functions.
  .tables          list the tables
  .tables NAME     the columns of one
  .format FORMAT   how results are written (%s)
  .quit            leave (or Ctrl-D)
`

// lineReader gives the prompt its lines.
type lineReader interface {
	// readLine shows a prompt and returns a line without its end; io.EOF when
	// there are no more.
	readLine(prompt string) (string, error)
	close()
}

// prompt asks for statements and runs them until the input ends.
func (a *app) prompt(ctx context.Context, db *query.DB, format string) error {
	var lines lineReader = &pipedLines{bufio.NewReader(a.in)}
	typed := isTerminal(a.in) && isTerminal(a.out)
	if typed {
		lines = newEditor(a.in, a.out)
		fmt.Fprintln(a.err, "Statements end with ; and .help shows more.")
	}
	defer lines.close()
	var failed bool
	var statement strings.Builder
	for {
		ps := "weft> "
		if statement.Len() > 0 {
			ps = "  ..> "
		}
		line, err := lines.readLine(ps)
		if err != nil && !errors.Is(err, io.EOF) {
			return err
		}
		ended := err != nil
		if statement.Len() == 0 && strings.HasPrefix(line, ".") {
			if a.dotCommand(line, &format) {
				return nil
			}
		} else {
			statement.WriteString(line + "\n")
		}
		sql := statement.String()
		if strings.TrimSpace(sql) == "" {
			statement.Reset()
		} else if ended || query.Complete(sql) {
			statement.Reset()
			// Ctrl-C stops the statement, not the prompt.
			err := interruptible(ctx, func(ctx context.Context) error { return runStatement(ctx, db, sql, format, a.out, false) })
			switch {
			case ctx.Err() != nil:
				return ctx.Err()
			case errors.Is(err, context.Canceled):
				a.fail("interrupted")
			case err != nil:
				failed = true
				a.fail(err.Error())
			}
		}
		switch {
		case ended && failed && !typed:
			return exitCode(exitFailure)
		case ended:
			return nil
		}
	}
}

// dotCommand runs a command of the prompt itself; true to leave.
func (a *app) dotCommand(line string, format *string) (leave bool) {
	words := strings.Fields(line)
	switch {
	case words[0] == ".quit" || words[0] == ".exit":
		return true
	case words[0] == ".tables" && len(words) == 1:
		a.listTables()
	case words[0] == ".tables":
		if t := query.Lookup(words[1]); t != nil {
			a.describeTable(t)
		} else {
			a.fail("no table " + words[1] + query.DidYouMean(words[1]))
		}
	case words[0] == ".format" && len(words) == 2 && slices.Contains(query.WriteFormats, words[1]):
		*format = words[1]
	default:
		fmt.Fprintf(a.out, promptHelp, strings.Join(query.WriteFormats, ", "))
	}
	return false
}

// pipedLines reads statements that are not typed.
type pipedLines struct{ *bufio.Reader }

func (p *pipedLines) readLine(string) (string, error) {
	line, err := p.ReadString('\n')
	return strings.TrimRight(line, "\r\n"), err
}

func (p *pipedLines) close() {}

// editor is a line editor on a terminal. The terminal is in raw mode only while
// a line is typed, so that Ctrl-C reaches a statement that runs.
type editor struct {
	in       *os.File
	terminal *term.Terminal
	history  *history
	listed   string // what Tab listed last
}

func newEditor(in, out *os.File) *editor {
	e := &editor{in: in, history: openHistory()}
	e.terminal = term.NewTerminal(struct {
		io.Reader
		io.Writer
	}{in, out}, "")
	e.terminal.History = e.history
	e.terminal.AutoCompleteCallback = e.complete
	return e
}

func (e *editor) readLine(prompt string) (string, error) {
	state, err := term.MakeRaw(int(e.in.Fd()))
	if err != nil {
		return "", err
	}
	restore := func() { term.Restore(int(e.in.Fd()), state) }
	defer onExit(restore)()
	defer restore()
	if w, h, err := term.GetSize(int(e.in.Fd())); err == nil && w > 0 {
		e.terminal.SetSize(w, h)
	}
	e.terminal.SetPrompt(prompt)
	return e.terminal.ReadLine()
}

func (e *editor) close() { e.history.close() }

// complete finishes the word before the cursor at Tab; where several would fit
// it adds what they share, and lists them at a second Tab.
func (e *editor) complete(line string, pos int, key rune) (string, int, bool) {
	if key != '\t' {
		return "", 0, false
	}
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
