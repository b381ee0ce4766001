package main

import (
	"context"
	"errors"
	"fmt"
	"io"
	"os"
	"strings"
	"time"

	"charm.land/lipgloss/v2"
	"github.com/spf13/cobra"

	"github.com/weft-trace/weft/load"
	"github.com/weft-trace/weft/trace"
)

// The exit codes.
const (
	exitFailure     = 1
	exitUsage       = 2
	exitUnreadable  = 2
	exitInterrupted = 130 // 128 and SIGINT
	exitTerminated  = 143 // 128 and SIGTERM
)

// exitCode is an error that only sets the exit code: all is said already.
type exitCode int

func (c exitCode) Error() string { return fmt.Sprintf("exit code %d", int(c)) }

// usageError is a mistake in the command line.
type usageError struct{ error }

// app is what all commands share.
type app struct {
	in       *os.File
	out, err *os.File
	verbose  bool
}

// run runs the program and returns its exit code.
func run(args []string) int {
	ctx, stop := onInterrupt(context.Background())
	defer stop()
	a := &app{in: os.Stdin, out: os.Stdout, err: os.Stderr}
	root := a.root()
	root.SetArgs(args)
	help := &keepsError{w: a.out}
	root.SetOut(help)
	err := root.ExecuteContext(ctx)
	if err == nil {
		err = help.err
	}
	var code exitCode
	var usage usageError
	switch {
	case err == nil:
		return 0
	case errors.As(err, &code):
		return int(code)
	case ctx.Err() != nil || errors.Is(err, context.Canceled):
		return interruptedCode()
	case errors.As(err, &usage):
		fmt.Fprintln(a.err, "weft: "+printableLines(err.Error()))
		return exitUsage
	default:
		a.fail("weft: " + err.Error())
		return exitFailure
	}
}

// keepsError remembers what went wrong when help was written: cobra does not
// look.
type keepsError struct {
	w   io.Writer
	err error
}

// Write is an io.Writer's.
func (k *keepsError) Write(p []byte) (int, error) {
	n, err := k.w.Write(p)
	if k.err == nil {
		k.err = err
	}
	return n, err
}

// fail prints an error, its first line in red.
func (a *app) fail(text string) {
	first, rest, more := strings.Cut(printableLines(text), "\n")
	lipgloss.Fprintln(a.err, lipgloss.NewStyle().Foreground(lipgloss.Red).Render(first))
	if more {
		fmt.Fprintln(a.err, rest)
	}
}

func (a *app) root() *cobra.Command {
	root := &cobra.Command{
		Use:   "weft",
		Short: "Answers questions about traces",
		Long: `Weft opens a trace and answers questions about it: what it is, what is in it
(with SQL), and what is wrong with it.

FILE may be plain or compressed (gzip, zstd, bzip2), a zip, or - for standard
input. What a file is, is told by its content, never by its name.

Exit codes of all commands: 0 success, 1 failure, 2 wrong usage, 130 interrupted
(Ctrl-C), 143 terminated. weft check has its own: weft check --help.`,
		Example: `  weft info trace.json
  weft query trace.json 'SELECT name, count(*), sum(dur) FROM slice GROUP BY name'
  weft check trace.json`,
		Version:       version(),
		SilenceUsage:  true,
		SilenceErrors: true,
		Args: func(c *cobra.Command, args []string) error {
			if len(args) == 0 {
				return nil
			}
			meant := ""
			if near := c.SuggestionsFor(args[0]); len(near) > 0 {
				meant = "; did you mean " + near[0] + "?"
			}
			return usageError{fmt.Errorf("unknown command %q%s (weft --help lists all)", args[0], meant)}
		},
		SuggestionsMinimumDistance: 2,

		RunE: func(c *cobra.Command, _ []string) error { return c.Help() },
	}
	root.SetVersionTemplate("{{.Version}}\n")
	root.PersistentFlags().BoolVarP(&a.verbose, "verbose", "v", false, "say on standard error what each step cost")
	root.SetFlagErrorFunc(func(c *cobra.Command, err error) error {
		return usageError{fmt.Errorf("%w (%s --help shows how)", err, c.CommandPath())}
	})
	root.AddCommand(a.infoCommand(), a.queryCommand(), a.checkCommand(), a.tablesCommand(), a.versionCommand())
	return root
}

// needArgs makes a wrong number of arguments an error that says what they are.
func needArgs(least, most int) cobra.PositionalArgs {
	return func(c *cobra.Command, args []string) error {
		if len(args) < least || most >= 0 && len(args) > most {
			return usageError{fmt.Errorf("usage: %s (%s --help shows more)", c.UseLine(), c.CommandPath())}
		}
		return nil
	}
}

// notNegative refuses a number that says how many, and can't.
func notNegative(flag string, n int) error {
	if n < 0 {
		return usageError{fmt.Errorf("%s %d: it must be 0 or more", flag, n)}
	}
	return nil
}

// open loads a trace, with progress on a terminal.
func (a *app) open(ctx context.Context, path string) (*trace.Trace, error) {
	if path == "" {
		return nil, usageError{errors.New("FILE is empty: name a file, or - for standard input")}
	}
	opts := load.Options{}
	var bar *progressBar
	if isTerminal(a.err) && !a.verbose {
		bar = newProgressBar(a.err)
		opts.Progress = bar.update
	}
	if a.verbose {
		opts.Log = a.step
	}
	start := time.Now()
	t, err := load.Open(ctx, path, opts)
	bar.close()
	if err != nil {
		if ctx.Err() != nil {
			return nil, ctx.Err()
		}
		if !strings.Contains(err.Error(), path) {
			err = fmt.Errorf("%s: %w", path, err)
		}
		return nil, err
	}
	a.step("open", time.Since(start), path)
	return t, nil
}

// step tells the cost of a step, with -v.
func (a *app) step(step string, d time.Duration, detail string) {
	if a.verbose {
		fmt.Fprintf(a.err, "%10s  %-12s %s\n", d.Round(10*time.Microsecond), step, printable(detail))
	}
}

// printStyled prints text without its styles where w is no terminal that shows
// them.
func printStyled(w io.Writer, text string) error {
	_, err := lipgloss.Fprint(w, text)
	return err
}
