package main

import (
	"bufio"
	"context"
	"errors"
	"fmt"
	"io"
	"slices"
	"strings"

	"github.com/weft-trace/weft/query"
)

const promptHelp = `End a statement with ; to run it. Tab completes tables, columns and functions.
Ctrl-C drops what is typed, or stops the statement that runs.
  .tables          list the tables
  .tables NAME     the columns of one
  .format FORMAT   how results are written (%s)
  .quit            leave (or Ctrl-D, or exit)
`

// lineReader gives the prompt its lines.
type lineReader interface {
	// readLine shows a prompt and returns a line without its end; io.EOF when
	// there are no more, errDropped when it was thrown away.
	readLine(prompt string) (string, error)
	// remember keeps a whole statement for later sessions.
	remember(statement string)
	close()
}

// prompt asks for statements and runs them until the input ends.
func (a *app) prompt(ctx context.Context, db *query.DB, format string) error {
	p := &prompt{app: a, db: db, format: format, lines: &pipedLines{bufio.NewReader(a.in)}}
	if isTerminal(a.in) && isTerminal(a.out) {
		p.typed = true
		p.lines = newEditor(a.in, a.out)
		fmt.Fprintln(a.err, "Statements end with ; and .help shows more.")
		defer holdInterrupts()()
	}
	defer p.lines.close()
	return p.loop(ctx)
}

// prompt is a conversation.
type prompt struct {
	*app
	db     *query.DB
	format string
	lines  lineReader
	typed  bool // by someone at a terminal
	failed bool // something did
}

func (p *prompt) loop(ctx context.Context) error {
	var statement strings.Builder
	for {
		ps := "weft> "
		if statement.Len() > 0 {
			ps = "  ..> "
		}
		line, err := p.lines.readLine(ps)
		if errors.Is(err, errDropped) {
			if statement.Len() == 0 && line == "^C" {
				fmt.Fprintln(p.err, "Ctrl-D or .quit leaves.")
			}
			statement.Reset()
			continue
		}
		if err != nil && !errors.Is(err, io.EOF) {
			return err
		}
		ended := err != nil
		first := statement.Len() == 0
		switch {
		case first && leaves(line):
			ended = true
		case first && strings.HasPrefix(line, "."):
			p.lines.remember(line)
			if err := p.dotCommand(line); err != nil {
				p.failed = true
				p.fail(err.Error())
			}
		default:
			statement.WriteString(line + "\n")
		}
		text := statement.String()
		switch {
		case strings.TrimSpace(text) == "":
			statement.Reset()
		case ended && p.typed: // Ctrl-D leaves; a statement half typed is none
		case ended || query.Complete(text):
			statement.Reset()
			p.lines.remember(text)
			if err := p.runAll(ctx, text); err != nil {
				return err
			}
		}
		switch {
		case ended && p.failed && !p.typed:
			return exitCode(exitFailure)
		case ended:
			return nil
		}
	}
}

// leaves says whether a line is there to leave the prompt.
func leaves(line string) bool {
	switch strings.TrimRight(strings.ToLower(strings.TrimSpace(line)), "; ") {
	case "exit", "quit", ".exit", ".quit":
		return true
	default:
		return false
	}
}

// runAll runs statements and prints the result of each. What is wrong with one
// is printed, and does not keep the others from running; the error is for what
// ends the prompt.
func (p *prompt) runAll(ctx context.Context, text string) error {
	for _, sql := range query.Statements(text) {
		err := p.run(ctx, sql)
		switch {
		case ctx.Err() != nil:
			return ctx.Err()
		case errors.Is(err, context.Canceled):
			p.fail("interrupted")
			return nil
		case err != nil:
			p.failed = true
			p.fail(err.Error())
		}
	}
	return nil
}

// run runs a statement. Ctrl-C stops one that was typed, and not the prompt.
func (p *prompt) run(ctx context.Context, sql string) error {
	run := func(ctx context.Context) error { return runStatement(ctx, p.db, sql, p.format, p.out, false) }
	if p.typed {
		return interruptible(ctx, run)
	}
	return run(ctx)
}

// dotCommand runs a command of the prompt itself.
func (p *prompt) dotCommand(line string) error {
	words := strings.Fields(line)
	switch name := words[0]; {
	case name == ".help":
		_, err := fmt.Fprintf(p.out, promptHelp, strings.Join(query.WriteFormats, ", "))
		return err
	case name == ".tables" && len(words) == 1:
		return p.listTables()
	case name == ".tables" && len(words) == 2:
		t := query.Lookup(strings.ToLower(words[1]))
		if t == nil {
			return errors.New("no table " + words[1] + query.DidYouMean(words[1]))
		}
		return p.describeTable(t)
	case name == ".format" && len(words) == 2:
		if !slices.Contains(query.WriteFormats, words[1]) {
			return fmt.Errorf("unknown format %q: use one of %s", words[1], strings.Join(query.WriteFormats, ", "))
		}
		p.format = words[1]
		return nil
	case name == ".tables" || name == ".format":
		return fmt.Errorf("%s does not go with %d words: .help shows how", name, len(words)-1)
	default:
		return fmt.Errorf("no command %s: .help lists all", name)
	}
}

// pipedLines reads statements that are not typed.
type pipedLines struct{ *bufio.Reader }

func (p *pipedLines) readLine(string) (string, error) {
	line, err := p.ReadString('\n')
	return strings.TrimRight(line, "\r\n"), err
}

func (p *pipedLines) remember(string) {}

func (p *pipedLines) close() {}
