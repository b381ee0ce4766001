package main

import (
	"encoding/json"
	"fmt"
	"math"
	"strings"
	"time"

	"charm.land/lipgloss/v2"
	"github.com/mattn/go-runewidth"
	"github.com/spf13/cobra"

	"github.com/weft-trace/weft/query"
)

func (a *app) infoCommand() *cobra.Command {
	var asJSON bool
	var top int
	c := &cobra.Command{
		Use:   "info FILE",
		Short: "Tell what a trace is and what is in it",
		Long: `Tell what a trace is: its format and who wrote it, the time that it spans, its
processes and threads, how many events of each kind, the names that took
longest and that occur most, and a line for each kind of problem.

Exit code 0: done, whatever the problems. 1: the file can't be read. 2: wrong
usage.`,
		Example: `  weft info trace.json
  weft info --json trace.json.gz`,
		Args: needArgs(1, 1),
		RunE: func(c *cobra.Command, args []string) error {
			if err := notNegative("--top", top); err != nil {
				return err
			}
			t, err := a.open(c.Context(), args[0])
			if err != nil {
				return err
			}
			defer t.Close()
			s := summarize(t, top)
			if asJSON {
				e := json.NewEncoder(harmlessOn(a.out))
				e.SetEscapeHTML(false)
				e.SetIndent("", "  ")
				return e.Encode(s)
			}
			return printStyled(a.out, s.render(top))
		},
	}
	c.Flags().BoolVar(&asJSON, "json", false, "print JSON, with all processes and threads")
	c.Flags().IntVar(&top, "top", 10, "how many names, processes and threads to show")
	return c
}

// maxName is how wide a name may be in the lists.
const maxName = 60

// render is the summary for people, with styles.
func (s *summary) render(top int) string {
	var b strings.Builder
	bold, faint := lipgloss.NewStyle().Bold(true), lipgloss.NewStyle().Faint(true)
	heading := func(title string) { fmt.Fprintf(&b, "\n%s\n", bold.Render(title)) }
	more := func(n int) {
		if n > 0 {
			fmt.Fprintf(&b, "  %s\n", faint.Render(fmt.Sprintf("… and %s", plural(int64(n), "process more", "processes more"))))
		}
	}

	for i, src := range s.Sources {
		line := src.Format
		if src.Container != "" {
			line += " in " + src.Container
		}
		if src.Producer != "" {
			line += ", written by " + printable(src.Producer)
		}
		fmt.Fprintf(&b, "%s%s: %s, %s\n", strings.Repeat("  ", min(i, 1)), bold.Render(printable(src.Name)), line, size(src.Size))
	}
	fmt.Fprintf(&b, "%s from %d to %d ns\n", span(s.StartTS, s.EndTS), s.StartTS, s.EndTS)

	heading("Contents")
	for _, c := range s.Rows {
		fmt.Fprintf(&b, "  %12s  %s\n", thousands(int64(c.Rows)), c.Table)
	}
	if len(s.Events) > 0 {
		heading("Events")
		for _, e := range s.Events {
			fmt.Fprintf(&b, "  %12s  %s  %s\n", thousands(e.Count), runewidth.FillRight(printable(e.Kind), 2), e.Name)
		}
	}
	if len(s.Process) > 0 {
		heading("Processes and threads, by number of slices")
		for _, p := range s.Process[:min(top, len(s.Process))] {
			fmt.Fprintf(&b, "  %12s  %s\n", thousands(p.Slices), bold.Render(who(p.PID, "pid", p.Name)))
			for _, t := range p.Threads[:min(top, len(p.Threads))] {
				fmt.Fprintf(&b, "  %12s    %s\n", thousands(t.Slices), who(t.TID, "tid", t.Name))
			}
			if n := len(p.Threads) - top; n > 0 {
				fmt.Fprintf(&b, "  %12s    %s\n", "", faint.Render(fmt.Sprintf("… and %s", plural(int64(n), "thread more", "threads more"))))
			}
		}
		more(len(s.Process) - top)
	}
	names := func(title string, list []nameSummary) {
		if len(list) == 0 {
			return
		}
		heading(title)
		fmt.Fprintln(&b, faint.Render(fmt.Sprintf("  %12s  %12s  %12s  name", "total", "longest", "count")))
		for _, n := range list {
			fmt.Fprintf(&b, "  %12s  %12s  %12s  %s\n", query.PrettyDuration(n.Total), query.PrettyDuration(n.Max), thousands(n.Count), short(n.Name))
		}
	}
	names("Names that took longest", s.Longest)
	names("Names that occur most", s.Frequent)

	heading("Problems")
	if len(s.Problems) == 0 {
		fmt.Fprintln(&b, "  none")
	}
	for i := range s.Problems {
		p := &s.Problems[i]
		fmt.Fprintf(&b, "  %12s  %s %s: %s\n", thousands(p.Count), severityStyle(p.severity).Render(p.Severity), p.Code, printableLines(p.Message))
	}
	return b.String()
}

// span is the time from start to end, for people. That of the farthest two
// times is more than an int64 holds.
func span(start, end int64) string {
	d := uint64(end) - uint64(start)
	if d <= math.MaxInt64 {
		return query.PrettyDuration(int64(d))
	}
	minutes := d / uint64(time.Minute)
	return fmt.Sprintf("%d h %d min", minutes/60, minutes%60)
}

func who(id *int64, kind, name string) string {
	switch {
	case id == nil && name == "":
		return "(no " + kind + ")"
	case id == nil:
		return short(name)
	case name == "":
		return fmt.Sprintf("%s %d", kind, *id)
	default:
		return fmt.Sprintf("%s (%s %d)", short(name), kind, *id)
	}
}

func short(s string) string {
	if s == "" {
		return `""`
	}
	return runewidth.Truncate(printable(s), maxName, "…")
}
