package main

import (
	"fmt"
	"strings"
	"text/tabwriter"

	"github.com/spf13/cobra"

	"github.com/weft-trace/weft/query"
)

func (a *app) tablesCommand() *cobra.Command {
	return &cobra.Command{
		Use:   "tables [NAME]",
		Short: "List the tables and functions of the SQL, or the columns of one",
		Long: `List the tables, views and functions that weft query knows, or tell all about
one of them. What is marked + is Weft's own: Perfetto's trace_processor has no
such table or column.

Exit code 0: done. 1: there is no such table or function. 2: wrong usage.`,
		Example: `  weft tables
  weft tables slice
  weft tables extract_arg`,
		Args: needArgs(0, 1),
		ValidArgsFunction: func(*cobra.Command, []string, string) ([]string, cobra.ShellCompDirective) {
			var names []string
			for _, t := range query.Tables() {
				names = append(names, t.Name)
			}
			for _, f := range query.Functions() {
				names = append(names, f.Name)
			}
			return names, cobra.ShellCompDirectiveNoFileComp
		},
		RunE: func(_ *cobra.Command, args []string) error {
			if len(args) == 0 {
				return a.listTables()
			}
			if t := query.Lookup(strings.ToLower(args[0])); t != nil {
				return a.describeTable(t)
			}
			for _, f := range query.Functions() {
				if f.Name == strings.ToLower(args[0]) {
					_, err := fmt.Fprintf(a.out, "%s\n\n%s\n\n  %s\n", f.Signature, f.Doc, f.Example)
					return err
				}
			}
			return fmt.Errorf("no table or function %s%s", args[0], query.DidYouMean(args[0]))
		},
	}
}

func (a *app) listTables() error {
	w := tabwriter.NewWriter(a.out, 0, 0, 2, ' ', 0)
	for _, t := range query.Tables() {
		fmt.Fprintf(w, "%s%s\t%s\n", t.Name, plus(t.Ours), firstSentence(t.Doc))
	}
	fmt.Fprintln(w)
	for _, f := range query.Functions() {
		fmt.Fprintf(w, "%s()%s\t%s\n", f.Name, plus(f.Ours), firstSentence(f.Doc))
	}
	return w.Flush()
}

func (a *app) describeTable(t *query.Table) error {
	if _, err := fmt.Fprintf(a.out, "%s%s: %s\nFilled from: %s.\n\n", t.Name, plus(t.Ours), t.Doc, t.Formats); err != nil {
		return err
	}
	w := tabwriter.NewWriter(a.out, 0, 0, 2, ' ', 0)
	for i := range t.Columns {
		c := &t.Columns[i]
		typ := c.Type.String()
		if c.Unit != "" {
			typ += " " + c.Unit
		}
		doc := c.Doc
		if c.Formats != 0 && c.Formats != t.Formats {
			doc += " (" + c.Formats.String() + ")"
		}
		fmt.Fprintf(w, "  %s%s\t%s\t%s\n", c.Name, plus(c.Ours && !t.Ours), typ, doc)
	}
	if err := w.Flush(); err != nil {
		return err
	}
	if t.View != "" {
		_, err := fmt.Fprintf(a.out, "\nIt is a view:\n  %s\n", t.View)
		return err
	}
	return nil
}

func plus(ours bool) string {
	if ours {
		return " +"
	}
	return ""
}

func firstSentence(s string) string {
	if i := strings.Index(s, ". "); i >= 0 {
		return s[:i+1]
	}
	return s
}
