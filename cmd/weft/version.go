package main

import (
	"fmt"
	"runtime"
	"runtime/debug"

	"github.com/spf13/cobra"
)

func (a *app) versionCommand() *cobra.Command {
	return &cobra.Command{
		Use:   "version",
		Short: "Print the version",
		Long: `Print the version, like weft --version.

Exit code 0: done. 1: it can't be written. 2: wrong usage.`,
		Example: "  weft version",
		Args:    needArgs(0, 0),
		RunE: func(*cobra.Command, []string) error {
			_, err := fmt.Fprintln(a.out, version())
			return err
		},
	}
}

// version is what the Go tool wrote into the program: the module's version, the
// commit and whether it was changed.
func version() string {
	v, rest := "(unknown)", ""
	if info, ok := debug.ReadBuildInfo(); ok {
		v = info.Main.Version
		for _, s := range info.Settings {
			switch {
			case s.Key == "vcs.revision":
				rest += " " + s.Value[:min(len(s.Value), 12)]
			case s.Key == "vcs.modified" && s.Value == "true":
				rest += " modified"
			}
		}
	}
	return fmt.Sprintf("weft %s%s (%s, %s/%s)", v, rest, runtime.Version(), runtime.GOOS, runtime.GOARCH)
}
