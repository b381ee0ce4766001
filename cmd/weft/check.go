package main

import (
	"cmp"
	"encoding/json"
	"errors"
	"fmt"
	"slices"
	"strings"

	"charm.land/lipgloss/v2"
	"github.com/spf13/cobra"

	"github.com/weft-trace/weft/trace"
)

// checkedFile is what check says about one file, as JSON.
type checkedFile struct {
	File     string           `json:"file"`
	Error    string           `json:"error,omitempty"` // why it can't be read
	Problems []checkedProblem `json:"problems"`
}

type checkedProblem struct {
	Code     string          `json:"code"`
	Severity string          `json:"severity"`
	Count    int64           `json:"count"`
	Message  string          `json:"message"`
	Hint     string          `json:"hint,omitempty"`
	Samples  []checkedSample `json:"samples"`
	severity trace.Severity
}

type checkedSample struct {
	Offset *int64 `json:"offset,omitempty"` // bytes, in the decompressed input
	Line   int64  `json:"line,omitempty"`
	TS     *int64 `json:"ts,omitempty"` // nanoseconds
	Text   string `json:"text,omitempty"`
}

func (a *app) checkCommand() *cobra.Command {
	var asJSON, strict bool
	var samples int
	c := &cobra.Command{
		Use:   "check FILE…",
		Short: "Tell what is wrong with traces",
		Long: `Tell every problem of each file: what could not be used, had to be guessed, or
was lost by whoever wrote it; how often, where, and what to do about it.

Exit code 0: nothing is wrong. 1: there are errors or lost data (with --strict:
warnings, too), or the report can't be written. 2: a file can't be read at all,
or wrong usage.`,
		Example: `  weft check trace.json
  weft check --strict --json *.json`,
		Args: needArgs(1, -1),
		RunE: func(c *cobra.Command, args []string) error {
			if err := notNegative("--samples", samples); err != nil {
				return err
			}
			if err := onceStandardInput(args); err != nil {
				return err
			}
			worst := 0
			all := []checkedFile{}
			for _, path := range args {
				file, err := a.check(c, path)
				if err != nil {
					return err
				}
				worst = max(worst, file.exitCode(strict))
				if asJSON {
					all = append(all, file)
				} else if err := printStyled(a.out, file.render(samples)); err != nil {
					return err
				}
			}
			if asJSON {
				e := json.NewEncoder(harmlessOn(a.out))
				e.SetEscapeHTML(false)
				e.SetIndent("", "  ")
				if err := e.Encode(all); err != nil {
					return err
				}
			}
			if worst != 0 {
				return exitCode(worst)
			}
			return nil
		},
	}
	c.Flags().BoolVar(&asJSON, "json", false, "print JSON, with all samples that were kept")
	c.Flags().BoolVar(&strict, "strict", false, "warnings make the exit code 1, too")
	c.Flags().IntVar(&samples, "samples", 5, "how many places to show of each problem")
	return c
}

// check reads one file. A file that can't be read is no error here, but
// something to report like the others.
func (a *app) check(c *cobra.Command, path string) (checkedFile, error) {
	file := checkedFile{File: path, Problems: []checkedProblem{}}
	t, err := a.open(c.Context(), path)
	if err != nil {
		if c.Context().Err() != nil {
			return file, c.Context().Err()
		}
		if usage := (usageError{}); errors.As(err, &usage) {
			return file, err
		}
		file.Error = strings.TrimPrefix(err.Error(), path+": ")
		return file, nil
	}
	defer t.Close()
	for i := range t.Problems {
		file.Problems = append(file.Problems, checked(&t.Problems[i]))
	}
	slices.SortStableFunc(file.Problems, func(x, y checkedProblem) int { return cmp.Compare(y.severity, x.severity) })
	return file, nil
}

// onceStandardInput refuses - among files where it is there already.
func onceStandardInput(files []string) error {
	seen := false
	for _, f := range files {
		if f == "-" && seen {
			return usageError{errors.New("- is given twice: standard input can be read once")}
		}
		seen = seen || f == "-"
	}
	return nil
}

func checked(p *trace.Problem) checkedProblem {
	out := checkedProblem{Code: p.Code, Severity: p.Severity.String(), Count: p.Count, Message: p.Message, Hint: p.Hint, Samples: []checkedSample{}, severity: p.Severity}
	for i := range p.Samples {
		s := checkedSample{Line: p.Samples[i].Line, Text: strings.ToValidUTF8(p.Samples[i].Text, "\uFFFD")}
		if p.Samples[i].Offset >= 0 {
			s.Offset = &p.Samples[i].Offset
		}
		if p.Samples[i].TS != trace.NoTime {
			s.TS = &p.Samples[i].TS
		}
		out.Samples = append(out.Samples, s)
	}
	return out
}

func (f *checkedFile) exitCode(strict bool) int {
	if f.Error != "" {
		return exitUnreadable
	}
	least := trace.DataLoss
	if strict {
		least = trace.Warning
	}
	for i := range f.Problems {
		if f.Problems[i].severity >= least {
			return exitFailure
		}
	}
	return 0
}

// render is the report of one file for people, with styles.
func (f *checkedFile) render(samples int) string {
	var b strings.Builder
	bold, faint := lipgloss.NewStyle().Bold(true), lipgloss.NewStyle().Faint(true)
	switch {
	case f.Error != "":
		fmt.Fprintf(&b, "%s: %s\n", bold.Render(printable(f.File)), severityStyle(trace.Error).Render("can't be read: "+printableLines(f.Error)))
		return b.String()
	case len(f.Problems) == 0:
		fmt.Fprintf(&b, "%s: no problems\n", bold.Render(printable(f.File)))
		return b.String()
	}
	fmt.Fprintf(&b, "%s: %s\n", bold.Render(printable(f.File)), plural(int64(len(f.Problems)), "kind of problem", "kinds of problems"))
	for i := range f.Problems {
		p := &f.Problems[i]
		fmt.Fprintf(&b, "\n%s %s, %s\n", severityStyle(p.severity).Render(p.Severity), bold.Render(printable(p.Code)), plural(p.Count, "time", "times"))
		fmt.Fprintf(&b, "  %s\n", printableLines(p.Message))
		if p.Hint != "" {
			fmt.Fprintf(&b, "  hint: %s\n", printableLines(p.Hint))
		}
		shown := min(len(p.Samples), samples)
		for _, s := range p.Samples[:shown] {
			fmt.Fprintf(&b, "    %s\n", s.render(faint))
		}
		if rest := p.Count - int64(shown); rest > 0 && shown > 0 {
			fmt.Fprintf(&b, "    %s\n", faint.Render(fmt.Sprintf("… and %s more", thousands(rest))))
		}
	}
	return b.String()
}

func (s *checkedSample) render(faint lipgloss.Style) string {
	var place []string
	if s.Line > 0 {
		place = append(place, fmt.Sprintf("line %d", s.Line))
	}
	if s.Offset != nil {
		place = append(place, fmt.Sprintf("offset %d", *s.Offset))
	}
	if s.TS != nil {
		place = append(place, fmt.Sprintf("ts %d", *s.TS))
	}
	line := faint.Render(strings.Join(place, ", "))
	if s.Text != "" {
		line += ": " + printable(s.Text)
	}
	return line
}

func severityStyle(s trace.Severity) lipgloss.Style {
	switch s {
	case trace.Error, trace.DataLoss:
		return lipgloss.NewStyle().Foreground(lipgloss.Red)
	case trace.Warning:
		return lipgloss.NewStyle().Foreground(lipgloss.Yellow)
	default:
		return lipgloss.NewStyle().Faint(true)
	}
}
